"""Archiving: the log lines of rounds that are long over go to a file a day, and then out of the database; after them
the leaves of their packs, and the rows of the links that were revealed for packs and throws.

Leaves that follow from the opened seed are written nowhere; those of a pack that stays closed, since its hands are
private, go to the file with its round. Everything else stays: the ledger, the heads of the rounds, what each bettor
staked and got, seeds with their links, packs, throws, events. So each sum in the database is what it was. The database
lets something go only once its round, or its seed, is marked with its file (`tables.models.guards`, `seals`), and only
its owner can mark one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tables.base import archive_files
from tables.base.archive_files import ArchiveError, Place
from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Archive, Event, LoggedAction, PackSeed, RevealedLink, RoundLog, SealedThrow, Table
from tables.models.bettors import bettor_of
from tables.queries.archived import folder, line_of_file
from tables.queries.shoes import leaves_elsewhere

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
    while True:
        _let_seeds_go(before)
        oldest = _archivable(before).order_by("settled_at").values_list("settled_at", flat=True).first()
        if oldest is None:
            return
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
        for log, of_log, leaves in _with_lines(rounds):
            lines += len(of_log)
            yield line_of_file(log, of_log, leaves)

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
        for log, lines, leaves in _with_lines(rounds):
            place = places[log.pk]
            if archive_files.read(folder() / made.name, place, made.sha256) != line_of_file(log, lines, leaves):
                raise ArchiveError(f"{made.name} does not hold round {log.pk} as it is")
            log.archive, log.archive_offset, log.archive_length = made, place.offset, place.length
            logs.append(log)
        RoundLog.objects.bulk_update(logs, ["archive", "archive_offset", "archive_length"])
        LoggedAction.objects.filter(log__in=rounds).delete()


def _let_seeds_go(before: datetime) -> None:
    """Of seeds whose rounds have all left: the leaves, where they can be had without the database, and the rows of
    revealed links, which stand in the seed as well. What cannot be had otherwise stays, which loses nothing."""
    files = _archivable_seeds(before)
    waiting = list(files)
    for at in range(0, len(waiting), AT_ONCE):
        some = PackSeed.objects.filter(pk__in=waiting[at : at + AT_ONCE]).select_related("shoe")
        going = defaultdict(list)
        for seed in some.prefetch_related("links"):
            if _is_had_elsewhere(seed):
                going[files[seed.pk]].append(seed.pk)
        with unit_of_work(slow=True):
            for file, seeds in going.items():
                PackSeed.objects.filter(pk__in=seeds).update(archive=file, leaves=None)
                RevealedLink.objects.filter(seed__in=seeds).delete()


def _archivable_seeds(before: datetime) -> dict[int, int]:
    """Seeds of packs of which every round is archived, and of throws of archived rounds, each with the file of its last
    round. A pack that is still dealt from has rounds that are not (`_archivable`)."""
    rounds = RoundLog.objects.filter(shoe__seed=OuterRef("pk"))
    throws = SealedThrow.objects.filter(table=OuterRef("table"), serial=OuterRef("number"))
    file = Coalesce(
        Subquery(rounds.order_by("-number").values("archive")[:1]), Subquery(throws.values("log__archive")[:1])
    )
    seeds = PackSeed.objects.filter(~Exists(rounds.filter(archive__isnull=True)), archive__isnull=True)
    found = seeds.filter(committed_at__lt=before).annotate(file=file).filter(file__isnull=False)
    return dict(found.order_by("pk").values_list("pk", "file"))


def _is_had_elsewhere(seed: PackSeed) -> bool:
    """Whether nothing is lost if leaves and rows of links of this seed go."""
    if {(bettor_of(one.player_id), one.link) for one in seed.links.all()} - set(map(tuple, seed.revealed or ())):
        return False
    try:
        return seed.leaves is None or seed.leaves == leaves_elsewhere(seed.shoe)
    except (ArchiveError, ValueError):
        return False


def _with_lines(rounds: list[int]) -> Iterator[tuple[RoundLog, list[LoggedAction], list[str] | None]]:
    """These rounds in this order, each with its lines, and with the leaves of its pack if that stays closed; so many at
    once."""
    for at in range(0, len(rounds), AT_ONCE):
        some = rounds[at : at + AT_ONCE]
        lines = LoggedAction.objects.filter(log__in=some).order_by("log_id", "seq")
        by_log = {pk: list(of_log) for pk, of_log in groupby(lines, key=attrgetter("log_id"))}
        closed = RoundLog.objects.filter(pk__in=some).exclude(shoe__opened__has_key="seed")
        leaves = dict(closed.values_list("pk", "shoe__seed__leaves"))
        for log in RoundLog.objects.filter(pk__in=some).select_related("table").order_by("pk"):
            yield log, by_log.get(log.pk, []), leaves.get(log.pk)


def _free_name(day: date) -> str:
    """The name of the next file of this day: a second one if rounds of it could not leave with the first."""
    number = Archive.objects.filter(day=day).count() + 1
    return f"{day.isoformat()}.jsonl.gz" if number == 1 else f"{day.isoformat()}-{number}.jsonl.gz"
