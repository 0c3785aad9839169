"""The lines of a stored log, from the database or from the file that they were archived in."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from tables.base.archive_files import Place, read
from tables.models import LoggedAction, RoundLog

LINE = ("id", "seq", "at", "by", "action", "ref", "payload")
"""What is kept of a line."""

HEAD = (
    "number", "game", "edition", "options", "opening", "version", "phase", "started_at", "settled_at", "void", "result",
    "turned",
)  # fmt: skip
"""What a file says of a round beside its lines. It stays in the database, too."""


def lines_of(log: RoundLog, *done: str) -> list[LoggedAction]:
    """All lines of a log, or those in which one of these things was done, in order. Raises ArchiveError."""
    if log.archive_id is None:
        stored = LoggedAction.objects.filter(log_id=log.pk).order_by("seq")
        return list(stored.filter(action__do__in=done) if done else stored)
    assert log.archive is not None and log.archive_offset is not None and log.archive_length is not None
    place = Place(log.archive_offset, log.archive_length)
    said = json.loads(read(folder() / log.archive.name, place, log.archive.sha256))
    lines = [LoggedAction(log_id=log.pk, **line | {"at": datetime.fromisoformat(line["at"])}) for line in said["lines"]]
    return [line for line in lines if not done or line.action["do"] in done]


def folder() -> Path:
    """Where the files of archived rounds lie."""
    return Path(settings.ARCHIVE)


def line_of_file(log: RoundLog, lines: list[LoggedAction]) -> bytes:
    """A round as it stands in a file, as JSON."""
    said = {
        "round": log.pk,
        "table": log.table.slug,
        **{name: _json(getattr(log, name)) for name in HEAD},
        "lines": [{name: _json(getattr(line, name)) for name in LINE} for line in lines],
    }
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _json(value: object) -> object:
    return value.astimezone(UTC).isoformat(timespec="microseconds") if isinstance(value, datetime) else value
