"""When the house was last backed up. Whoever backs it up says so; the pit reads how long ago that was."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Event

from . import events


def backed_up(backup: Path, *, clock: Clock = DATABASE_CLOCK) -> Event:
    """Write down that this file is a backup, with its size and SHA-256.

    Raises OSError if it cannot be read, and ValueError if it is empty.
    """
    with backup.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = backup.stat().st_size
    if not size:
        raise ValueError(f"{backup} is empty, and no backup.")
    with unit_of_work(slow=True):
        after = {"file": backup.name, "bytes": size, "sha256": digest}
        return events.record(Event.Kind.BACKED_UP, by=None, after=after, clock=clock)


def last_backup() -> Event | None:
    """The newest backup that was told of."""
    return Event.objects.filter(deed=Event.Kind.BACKED_UP).order_by("-seq").first()
