"""Archiving: the log lines of rounds that are long over go to a file a day, and then out of the database.

Everything else stays: the ledger, the heads of the rounds, what each bettor staked and got, packs, throws, events. So
each sum in the database is what it was. The database lets a line go only once its round is marked as archived
(`tables.models.guards`), and only its owner can mark one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db.models import Q, QuerySet

from tables.base import archive_files
from tables.base.archive_files import ArchiveError, Place
from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Archive, Event, LoggedAction, RoundLog, Table
from tables.queries.archived import folder, line_of_file

from . import events

LEAST_AGE = timedelta(days=30)
"""Younger rounds stay: people look at them, reviews and rulings are about them."""

AT_ONCE = 200
"""Rounds that leave in one transaction: nobody waits long for it."""


def archive(older_than: timedelta, *, clock: Clock = DATABASE_CLOCK) -> Iterator[Archive]:
    """Archive each day that is over for so long, oldest first. Begun again after an interruption it goes on.

    Raises ValueError if that is too young, ArchiveError if a file does not hold what was written to it, OSError.
    """
    if older_than < LEAST_AGE:
        raise ValueError(f"rounds of the last {LEAST_AGE.days} days stay in the database")
    before = midnight(macau_date(clock.now() - older_than))
    while (
        oldest := _archivable(before).order_by("settled_at").values_list("settled_at", flat=True).first()
    ) is not None:
        yield _archive_day(macau_date(oldest), before, clock)


def _archivable(before: datetime) -> QuerySet[RoundLog]:
    """Rounds over for long: none that lies on a table, nor of a pack that is still dealt from."""
    present = Table.objects.filter(round__isnull=False).values("round")
    over = RoundLog.objects.filter(archive__isnull=True, settled_at__lt=before).exclude(pk__in=present)
    return over.filter(Q(shoe__isnull=True) | Q(shoe__retired_at__isnull=False))


def _archive_day(day: date, before: datetime, clock: Clock) -> Archive:
    of_day = _archivable(before).filter(settled_at__gte=midnight(day), settled_at__lt=midnight(day + timedelta(days=1)))
    rounds = list(of_day.order_by("pk").values_list("pk", flat=True))
    name, lines = _free_name(day), 0

    def written() -> Iterator[bytes]:
        nonlocal lines
        for log, of_log in _with_lines(rounds):
            lines += len(of_log)
            yield line_of_file(log, of_log)

    places, sha256 = archive_files.write(folder() / name, written())
    with unit_of_work(slow=True):
        made = Archive.objects.create(
            name=name, day=day, sha256=sha256, rounds=len(rounds), lines=lines, at=clock.now()
        )
        after = {"file": name, "sha256": sha256, "rounds": len(rounds), "lines": lines}
        events.record(Event.Kind.ARCHIVED, by=None, after=after, clock=clock)
    archive_files.write_sums(folder(), dict(Archive.objects.values_list("name", "sha256")))
    for at in range(0, len(rounds), AT_ONCE):
        _let_go(made, rounds[at : at + AT_ONCE], dict(zip(rounds, places, strict=True)))
    return made


def _let_go(made: Archive, rounds: list[int], places: dict[int, Place]) -> None:
    """What the file holds of these rounds is what the database holds: then their lines leave it."""
    with unit_of_work(slow=True):
        logs = []
        for log, lines in _with_lines(rounds):
            place = places[log.pk]
            if archive_files.read(folder() / made.name, place, made.sha256) != line_of_file(log, lines):
                raise ArchiveError(f"{made.name} does not hold round {log.pk} as it is")
            log.archive, log.archive_offset, log.archive_length = made, place.offset, place.length
            logs.append(log)
        RoundLog.objects.bulk_update(logs, ["archive", "archive_offset", "archive_length"])
        LoggedAction.objects.filter(log__in=rounds).delete()


def _with_lines(rounds: list[int]) -> Iterator[tuple[RoundLog, list[LoggedAction]]]:
    """These rounds in this order, each with its lines; so many at once."""
    for at in range(0, len(rounds), AT_ONCE):
        some = rounds[at : at + AT_ONCE]
        lines = LoggedAction.objects.filter(log__in=some).order_by("log_id", "seq")
        by_log = {pk: list(of_log) for pk, of_log in groupby(lines, key=attrgetter("log_id"))}
        for log in RoundLog.objects.filter(pk__in=some).select_related("table").order_by("pk"):
            yield log, by_log.get(log.pk, [])


def _free_name(day: date) -> str:
    """The name of the next file of this day: a second one if rounds of it could not leave with the first."""
    number = Archive.objects.filter(day=day).count() + 1
    return f"{day.isoformat()}.jsonl.gz" if number == 1 else f"{day.isoformat()}-{number}.jsonl.gz"
