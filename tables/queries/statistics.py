"""What a table has done between two moments: drop, win and hold beside the theoretical win with its band.

All of it comes from the ledger and the logs of rounds that are over, to the cent (docs/pit.md says what the words
mean). A round belongs to the moment in which it was settled. Since it never changes afterwards, the sums of the last
rounds are remembered, and those of whole days are written down when the day is over (`TableDay`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial, reduce
from operator import attrgetter, or_
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Max, Min, Q, QuerySet

from tables.base.calendar import day_begun, macau_date, midnight
from tables.games.contract.actions import Void, VoidReason, void_because
from tables.games.values.words import Words
from tables.models import Account, Adjustment, LoggedAction, Realm, RoundLog, Table, TableDay, Transfer

from .archived import lines_of
from .remembered import Remembered
from .round_figures import NOTHING, READ, Figures, of_batch

T = TypeVar("T")


def of_table(table_id: int, since: datetime, until: datetime) -> Figures:
    """The figures of one table in [since, until)."""
    return total(_by_day(since, until, [table_id]).values())


def of_tables(since: datetime, until: datetime) -> dict[int, Figures]:
    """The figures of every table in [since, until), by its id; also of those where nothing happened."""
    found: dict[int, list[Figures]] = {
        pk: [] for pk in Table.objects.order_by("position", "pk").values_list("pk", flat=True)
    }
    for (_, pk), figures in _by_day(since, until).items():
        found[pk].append(figures)
    return {pk: total(some) for pk, some in found.items()}


def of_days(first: date, last: date) -> Mapping[tuple[date, int], Figures]:
    """The figures of each table on each of these days of Macau, by day and table; none where nothing happened."""
    return _by_day(midnight(first), midnight(last + DAY))


def of_periods(bounds: Sequence[datetime], tables: Sequence[int]) -> dict[tuple[int, int], Figures]:
    """The figures of these tables between each of these moments and the next, by the place of the first among them and
    the table; none where nothing happened. From the ledger alone, read once for however many periods."""
    found: defaultdict[tuple[int, int], list[Figures]] = defaultdict(list)
    since, until = bounds[0], bounds[-1]
    for at, pk, figures in (*_of_rounds([(since, until)], tables), *_moved_outside(since, until)):
        if pk in tables:
            found[bisect_right(bounds, at) - 1, pk].append(figures)
    return {key: total(some) for key, some in found.items()}


@dataclass(frozen=True, slots=True)
class Comps:
    """What the house gave to one player on one day of Macau, in cents."""

    day: date
    player_id: int
    name: str
    cents: int


def comps(since: datetime, until: datetime, realm: Realm) -> list[Comps]:
    """The comps in [since, until) by day of Macau and player, from the ledger, the first day first."""
    given: Counter[tuple[date, int, str]] = Counter()
    rows = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until, reason=Transfer.Reason.COMP)
    moved = rows.filter(debit__realm=realm).order_by()
    for at, pk, name, cents in moved.values_list("at", "credit__player", "credit__player__name", "amount"):
        given[macau_date(at), pk, name] += cents
    return [Comps(day, pk, name, cents) for (day, pk, name), cents in sorted(given.items())]


def played_between() -> tuple[date, date] | None:
    """The days of Macau on which the first round and the last one were settled; None if there was none yet."""
    ends = RoundLog.objects.filter(settled_at__isnull=False).aggregate(first=Min("settled_at"), last=Max("settled_at"))
    return None if ends["first"] is None else (macau_date(ends["first"]), macau_date(ends["last"]))


def total(figures: Iterable[Figures]) -> Figures:
    """All of them together."""
    some = list(figures)
    if len(some) < 2:
        return some[0] if some else NOTHING
    columns = zip(*map(_NUMBERS, some), strict=True)
    sums: list[Any] = [_added(column) if isinstance(column[0], Fraction) else sum(column) for column in columns]
    return Figures(*sums)


_NUMBERS = attrgetter(*(each.name for each in fields(Figures)))


def _added(fractions: Iterable[Fraction]) -> Fraction:
    """Their sum: those of one denominator first, since there are few denominators."""
    numerators: Counter[int] = Counter()
    for one in fractions:
        numerators[one.denominator] += one.numerator
    return sum((Fraction(numerator, denominator) for denominator, numerator in numerators.items()), Fraction(0))


def rounds_of(tables: Iterable[int], since: datetime, until: datetime) -> QuerySet[RoundLog]:
    """The rounds of these tables that were settled in [since, until)."""
    return RoundLog.objects.filter(table__in=list(tables), settled_at__gte=since, settled_at__lt=until)


@dataclass(frozen=True, slots=True)
class Voided:
    """A round that was void with stakes on the layout, and why: the reason in its log, and the remark."""

    log_id: int
    table_id: int
    number: int
    at: datetime
    why: Words


def voids_of_tables(tables: Iterable[int], since: datetime, until: datetime) -> list[Voided]:
    """The void rounds of these tables in [since, until), in the order of time, with the reasons in their logs."""
    found = list(rounds_of(tables, since, until).filter(void=True).order_by("settled_at", "pk").only(*READ))
    sums = _of_logs([log.pk for log in found])
    logs = [log for log in found if sums[log.pk].voids]
    why = {
        log_id: void_because(VoidReason(line.get("reason", VoidReason.PIT)), line.get("remark", ""))
        for log_id, line in _lines_of_voids(logs)
    }
    return [
        Voided(log.pk, log.table_id, log.number, log.settled_at, why[log.pk])
        for log in logs
        if log.settled_at is not None
    ]


def _lines_of_voids(logs: Sequence[RoundLog]) -> Iterator[tuple[int, dict[str, str]]]:
    """The line that made each of these rounds void."""
    lines = LoggedAction.objects.filter(log__in=logs, action__do=Void.do).order_by("seq")
    yield from lines.values_list("log_id", "action")
    for log in logs:
        if log.archive_id is not None:
            yield from ((log.pk, line.action) for line in lines_of(log, Void.do))


# ── Outside rounds ──────────────────────────────────────────────────────────────────────────────────────────


def _moved_outside(since: datetime, until: datetime) -> Iterator[tuple[datetime, int, Figures]]:
    """What came to floats, and left them, outside rounds: when, at which table, and the figures."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until)
    for at, pk, cents in _adjusted(moved):
        if pk is not None:
            yield at, pk, Figures(adjustments=cents)
    chips = moved.filter(reason__in=(Transfer.Reason.FILL, Transfer.Reason.CREDIT)).order_by()
    for at, reason, debit, credit, cents in chips.values_list(
        "at", "reason", "debit__table", "credit__table", "amount"
    ):
        if reason == Transfer.Reason.FILL:
            yield at, credit, Figures(fills=cents)
        else:
            yield at, debit, Figures(credits=cents)


def adjustments(since: datetime, until: datetime, realm: Realm | None = None) -> dict[int | None, int]:
    """What the house gave to players in [since, until) to put mistakes right, less what it took, in cents: by the table
    of the round that it was for, or None for none. Of one realm, or of both."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until)
    if realm is not None:
        moved = moved.filter(debit__realm=realm)
    sums: Counter[int | None] = Counter()
    for _, pk, cents in _adjusted(moved):
        sums[pk] += cents
    return dict(sums)


def _adjusted(moved: QuerySet[Transfer]) -> Iterator[tuple[datetime, int | None, int]]:
    """The adjustments among these transfers: when, the table of the round that it was for, and the cents that the house
    gave."""
    moved = moved.filter(reason=Transfer.Reason.ADJUSTMENT).order_by()
    given = {
        int(key.partition(":")[2]): (at, -amount if debit == Account.Kind.PLAYER else amount)
        for key, debit, amount, at in moved.values_list("key", "debit__kind", "amount", "at")
    }
    for pk, table in Adjustment.objects.filter(pk__in=given).values_list("pk", "log__table") if given else ():
        at, cents = given[pk]
        yield at, table, cents


# ── Days that are over ──────────────────────────────────────────────────────────────────────────────────────

DAY = timedelta(days=1)

KEPT = tuple(each.name for each in fields(Figures) if each.name not in ("fills", "credits", "adjustments"))
"""The sums that a `TableDay` keeps: those of rounds, which never change once they are over."""


def _by_day(since: datetime, until: datetime, tables: Sequence[int] | None = None) -> dict[tuple[date, int], Figures]:
    """The figures in [since, until) by day of Macau and table; of these tables, or of all. Where nothing happened there
    may be none. Days that were summed up are read as they stand, whatever is left from the ledger: so the number of
    statements is the same for however many tables and days."""
    found: defaultdict[tuple[date, int], list[Figures]] = defaultdict(list)
    closed = set()
    for row in _closed_days(since, until, tables):
        closed.add(row.day)
        found[row.day, row.table_id].append(kept_figures(row))
    for at, pk, figures in _of_rounds(_gaps(since, until, closed), tables):
        found[macau_date(at), pk].append(figures)
    for at, pk, figures in _moved_outside(since, until):
        if tables is None or pk in tables:
            found[macau_date(at), pk].append(figures)
    return {key: total(some) for key, some in found.items()}


def _closed_days(since: datetime, until: datetime, tables: Sequence[int] | None) -> QuerySet[TableDay]:
    """The sums of the days that lie in [since, until) from beginning to end."""
    first = macau_date(since) if since == day_begun(since) else macau_date(since) + DAY
    rows = TableDay.objects.filter(day__gte=first, day__lt=macau_date(until)).order_by()
    return rows if tables is None else rows.filter(table__in=tables)


def kept_figures(row: TableDay) -> Figures:
    """The figures that are kept of a table's day."""
    values = {name: getattr(row, name) for name in KEPT}
    return Figures(**{**values, "theoretical": Fraction(row.theoretical), "variance": Fraction(row.variance)})


def _gaps(since: datetime, until: datetime, closed: Iterable[date]) -> Iterator[tuple[datetime, datetime]]:
    """What is left of [since, until) without these days."""
    for day in sorted(closed):
        if since < midnight(day):
            yield since, midnight(day)
        since = midnight(day + DAY)
    if since < until:
        yield since, until


def of_rounds_on(day: date) -> dict[int, Figures]:
    """The sums of the rounds that were settled on a day of Macau, by table, from the ledger and the logs alone."""
    found: defaultdict[int, list[Figures]] = defaultdict(list)
    for _, pk, figures in _of_rounds([(midnight(day), midnight(day + DAY))]):
        found[pk].append(figures)
    return {pk: total(some) for pk, some in found.items()}


# ── Rounds ──────────────────────────────────────────────────────────────────────────────────────────────────


remembered: Remembered[Figures] = Remembered()
"""Of rounds that are over, which never change."""


def _of_rounds(
    periods: Iterable[tuple[datetime, datetime]], tables: Sequence[int] | None = None
) -> Iterator[tuple[datetime, int, Figures]]:
    """The rounds that were settled in these periods: when, at which table, and their figures."""
    within = [Q(settled_at__gte=since, settled_at__lt=until) for since, until in periods]
    if not within:
        return
    logs = RoundLog.objects.filter(reduce(or_, within)).order_by()
    if tables is not None:
        logs = logs.filter(table__in=tables)
    settled = list(logs.values_list("pk", "settled_at", "table_id"))
    for some in batched(settled, AT_ONCE):
        sums = _of_logs([pk for pk, _, _ in some])
        for pk, at, table_id in some:
            assert at is not None
            yield at, table_id, sums[pk]


AT_ONCE = 2_000
"""Rounds whose transfers and bets are read together."""


def _of_logs(ids: Sequence[int]) -> dict[int, Figures]:
    """The figures of these rounds, which are over."""
    sums = remembered.of(ids)
    unknown = [pk for pk in ids if pk not in sums]
    if unknown:
        logs = list(RoundLog.objects.filter(pk__in=unknown).only(*READ))
        read = {log.pk: figures for log, figures in zip(logs, of_batch(logs), strict=True)}
        # On commit (at once outside a transaction): a round that was settled in this very one may still be undone.
        transaction.on_commit(partial(remembered.keep, read))
        sums |= read
    return sums


def batched(things: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """So many of them at a time."""
    return (things[at : at + size] for at in range(0, len(things), size))
