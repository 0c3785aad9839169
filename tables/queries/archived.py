"""The lines of a stored log, from the database or from the file that they were archived in; the leaves of a pack from
that file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from tables.base.archive_files import Place, read
from tables.games.values.json import JsonObject
from tables.models import LoggedAction, RoundLog, Shoe

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
    said = _said(log)
    lines = [LoggedAction(log_id=log.pk, **line | {"at": datetime.fromisoformat(line["at"])}) for line in said["lines"]]
    return [line for line in lines if not done or line.action["do"] in done]


def leaves_in_file(shoe: Shoe) -> Sequence[str] | None:
    """The leaves of a pack as they were archived with its last round; None if that has none. Raises ArchiveError."""
    last = RoundLog.objects.filter(shoe=shoe).select_related("archive").order_by("number").last()
    return None if last is None or last.archive_id is None else _said(last).get("leaves")


def _said(log: RoundLog) -> JsonObject:
    """What the file says of an archived round. Raises ArchiveError."""
    assert log.archive is not None and log.archive_offset is not None and log.archive_length is not None
    said: JsonObject = json.loads(
        read(folder() / log.archive.name, Place(log.archive_offset, log.archive_length), log.archive.sha256)
    )
    return said


def folder() -> Path:
    """Where the files of archived rounds lie."""
    return Path(settings.ARCHIVE)


def line_of_file(log: RoundLog, lines: list[LoggedAction], leaves: Sequence[str] | None = None) -> bytes:
    """A round as it stands in a file, as JSON; with the leaves of its pack if that stays closed."""
    said = {
        "round": log.pk,
        "table": log.table.slug,
        **{name: _json(getattr(log, name)) for name in HEAD},
        "lines": [{name: _json(getattr(line, name)) for name in LINE} for line in lines],
    }
    if leaves is not None:
        said["leaves"] = leaves
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _json(value: object) -> object:
    return value.astimezone(UTC).isoformat(timespec="microseconds") if isinstance(value, datetime) else value
