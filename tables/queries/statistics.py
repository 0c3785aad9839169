"""What a table has done between two moments: drop, win and hold beside the theoretical win with its band.

All of it comes from the ledger and the logs of rounds that are over, to the cent (docs/pit.md says what the words
mean). A round belongs to the moment in which it was settled. Since it never changes afterwards, the sums of the last
rounds are remembered, and those of whole days are written down when the day is over (`TableDay`).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache, partial, reduce
from math import isqrt
from operator import attrgetter, or_
from threading import Lock
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet, Sum

from tables.base.calendar import day_begun, macau_date, midnight
from tables.games import GAMES
from tables.games.contract.actions import Move, PlaceBet, Void, VoidReason, void_because
from tables.games.edges import Edge, edges_of
from tables.games.shared.options import read_options
from tables.games.values.words import Words
from tables.models import Account, Adjustment, LoggedAction, Realm, RoundLog, Table, TableDay, Transfer

T = TypeVar("T")

CONFIDENCE = Fraction(196, 100)
"""So many standard deviations to either side hold 95 of 100 gaming days."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums of a period, in cents. Of several tables where people play with the same money, or of several periods that
    do not overlap, they may be added."""

    rounds: int = 0
    """Settled, not void."""
    voids: int = 0
    """With stakes on the layout."""
    unplayed: int = 0
    """Void because nobody had staked anything."""
    drop: int = 0
    """Freshly staked and played: what was taken back, or came back because the round was void, is none."""
    win: int = 0
    """What the house kept of it, commission included; what went to a jackpot is not the house's."""
    commission: int = 0
    theoretical: Fraction = Fraction(0)
    """What the house keeps on average of what was at stake."""
    variance: Fraction = Fraction(0)
    """… and the variance of that, in cents squared."""
    unreckoned: int = 0
    """What was staked on spots without a known edge; the theoretical win leaves it out."""
    unreckoned_win: int = 0
    """… and what of the win came from there, or from a void round."""
    contributions: int = 0
    """What stakes added to jackpots."""
    payments: int = 0
    """What came out of jackpots to players."""
    restarts: int = 0
    """What the house laid into jackpots in which nothing was left."""
    forgiven: int = 0
    """What the float gave to those who had spent a prize that a void round took back."""
    fills: int = 0
    credits: int = 0
    adjustments: int = 0
    """What the house gave to players to put mistakes right, less what it took."""

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def idle(self) -> bool:
        """Whether nothing was played in this period, nor moved."""
        return replace(self, unplayed=0) == NOTHING

    @property
    def hold(self) -> Fraction | None:
        """Of the drop, what the house kept; None of no drop."""
        return Fraction(self.win, self.drop) if self.drop else None

    @property
    def band(self) -> tuple[int, int]:
        """Between what the win lies in 95 of 100 such days, in cents: the theoretical ± 1.96 standard deviations,
        either end rounded away from it."""
        squared = CONFIDENCE**2 * self.variance
        half = isqrt(squared.numerator // squared.denominator)
        if half * half < squared:
            half += 1
        low, high = self.theoretical - half, self.theoretical + half
        return low.numerator // low.denominator, -(-high.numerator // high.denominator)

    @property
    def reckoned_win(self) -> int:
        """The win of the spots with a known edge, to compare with the theoretical win."""
        return self.win - self.unreckoned_win

    @property
    def outside(self) -> bool:
        """Whether that win lies outside the band."""
        low, high = self.band
        return not low <= self.reckoned_win <= high


NOTHING = Figures()


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


def voids_of(table_id: int, since: datetime, until: datetime) -> list[Voided]:
    """The void rounds of a table in [since, until), oldest first, with the reasons in their logs."""
    return voids_of_tables([table_id], since, until)


def voids_of_tables(tables: Iterable[int], since: datetime, until: datetime) -> list[Voided]:
    """The void rounds of these tables in [since, until), in the order of time, with the reasons in their logs."""
    found = list(rounds_of(tables, since, until).filter(void=True).order_by("settled_at", "pk").only(*_READ))
    sums = _of_logs([log.pk for log in found])
    logs = [log for log in found if sums[log.pk].voids]
    lines = LoggedAction.objects.filter(log__in=logs, action__do=Void.do).order_by("seq")
    why = {
        log_id: void_because(VoidReason(line.get("reason", VoidReason.PIT)), line.get("remark", ""))
        for log_id, line in lines.values_list("log_id", "action")
    }
    return [
        Voided(log.pk, log.table_id, log.number, log.settled_at, why[log.pk])
        for log in logs
        if log.settled_at is not None
    ]


# ── Outside rounds ──────────────────────────────────────────────────────────────────────────────────────────


def _of_no_round(since: datetime, until: datetime) -> Iterator[tuple[date, int, Figures]]:
    """What came to floats, and left them, outside rounds: the day of Macau, the table, and the figures."""
    return ((macau_date(at), pk, figures) for at, pk, figures in _moved_outside(since, until))


def _moved_outside(since: datetime, until: datetime) -> Iterator[tuple[datetime, int, Figures]]:
    """The same with the moment at which it moved."""
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
    for day, pk, figures in _of_no_round(since, until):
        if tables is None or pk in tables:
            found[day, pk].append(figures)
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


class _Remembered:
    """The sums of the last rounds that were asked for."""

    SIZE = 20_000

    def __init__(self) -> None:
        self._sums: OrderedDict[int, Figures] = OrderedDict()
        self._lock = Lock()

    def of(self, logs: Iterable[int]) -> dict[int, Figures]:
        """The sums of those of these rounds that are remembered."""
        with self._lock:
            return {pk: sums for pk in logs if (sums := self._sums.get(pk)) is not None}

    def keep(self, sums: Mapping[int, Figures]) -> None:
        with self._lock:
            self._sums.update(sums)
            while len(self._sums) > self.SIZE:
                self._sums.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._sums.clear()


remembered = _Remembered()
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

_READ = ("pk", "table_id", "number", "game", "options", "opening", "settled_at", "void")


def _of_logs(ids: Sequence[int]) -> dict[int, Figures]:
    """The figures of these rounds, which are over."""
    sums = remembered.of(ids)
    unknown = [pk for pk in ids if pk not in sums]
    if unknown:
        logs = list(RoundLog.objects.filter(pk__in=unknown).only(*_READ))
        read = {log.pk: figures for log, figures in zip(logs, _of_batch(logs), strict=True)}
        # On commit (at once outside a transaction): a round that was settled in this very one may still be undone.
        transaction.on_commit(partial(remembered.keep, read))
        sums |= read
    return sums


def batched(things: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """So many of them at a time."""
    return (things[at : at + size] for at in range(0, len(things), size))


@dataclass(slots=True)
class _Moved:
    """What one round moved, in cents. By bet: what was `laid` down and not taken back before betting closed, what
    `more` was laid to it after that, what was `returned` on it, and what the house `won` by it."""

    laid: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)
    returned: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    refunded: int = 0
    commission: int = 0
    contributions: int = 0
    payments: int = 0
    restarts: int = 0
    forgiven: int = 0


_OWN = (Account.Kind.FLOAT, Account.Kind.HOUSE)
"""Where chips lie that are the house's."""


def _of_batch(logs: Sequence[RoundLog]) -> Iterator[Figures]:
    ids = [log.pk for log in logs]
    moved: defaultdict[int, _Moved] = defaultdict(_Moved)
    rows = Transfer.objects.filter(log_id__in=ids).order_by()
    by = ("log_id", "bet", "reason", "debit__kind", "credit__kind")
    for pk, bet, reason, debit, credit, cents in rows.values_list(*by).annotate(cents=Sum("amount")):
        _add(moved[pk], bet, reason, debit, credit, cents)
    placed: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    lines = LoggedAction.objects.filter(log_id__in=ids, action__do__in=(PlaceBet.do, Move.do)).order_by("log_id", "seq")
    for pk, action in lines.values_list("log_id", "action"):
        placed[pk].append(action)
    for log in logs:
        yield _of_round(log, moved[log.pk], placed[log.pk])


def _add(moved: _Moved, bet: str, reason: str, debit: str, credit: str, cents: int) -> None:
    match reason:
        case Transfer.Reason.STAKE:
            moved.laid[bet] += cents
        case Transfer.Reason.WITHDRAW | Transfer.Reason.TRIM | Transfer.Reason.GIVEN_BACK:
            moved.laid[bet] -= cents
        case Transfer.Reason.MORE:
            moved.more[bet] += cents
        case Transfer.Reason.COMMISSION:
            moved.commission += cents
        case Transfer.Reason.RESET:
            moved.restarts += cents
        case Transfer.Reason.FORGIVEN:
            moved.forgiven += cents
        case _:
            moved.returned[bet] += cents * ((credit == Account.Kind.PLAYER) - (debit == Account.Kind.PLAYER))
            moved.refunded += cents * (reason == Transfer.Reason.REFUND)
            moved.won[bet] += cents * ((credit in _OWN) - (debit in _OWN))
            moved.contributions += cents * (credit == Account.Kind.JACKPOT)
            moved.payments += cents * (debit == Account.Kind.JACKPOT)


@dataclass(frozen=True, slots=True)
class _Lying:
    """A bet on the layout: whose, where, in which box, and what lay there from an earlier round, in cents."""

    by: str
    spot: str
    box: int | None
    carried: int = 0


def _of_round(log: RoundLog, moved: _Moved, placed: Iterable[Mapping[str, Any]]) -> Figures:
    lying = {
        stake["bet"]: _Lying(stake["by"], stake["spot"], stake.get("box"), stake["amount"])
        for stake in log.opening.get("carried", ())
    }
    for line in placed:
        there = lying.get(line["bet"])
        if line["do"] == PlaceBet.do or there is not None:
            carried = there.carried if there is not None else 0
            lying[line["bet"]] = _Lying(line["by"], line["spot"], line.get("box"), carried)
    at_stake = {bet: there.carried + moved.laid[bet] for bet, there in lying.items()}
    played = any(at_stake.values())
    win = moved.won.total()
    return replace(
        Figures(unreckoned_win=win) if log.void else _expected(log, moved, lying, at_stake),
        rounds=int(not log.void),
        voids=int(log.void and played),
        unplayed=int(log.void and not played),
        drop=_drop(log, moved, lying),
        win=win,
        commission=moved.commission,
        contributions=moved.contributions,
        payments=moved.payments,
        restarts=moved.restarts,
        forgiven=moved.forgiven,
    )


def _drop(log: RoundLog, moved: _Moved, lying: Mapping[str, _Lying]) -> int:
    """What was freshly staked and played. Who takes back what had been carried here has played it before; in a void
    round is played only what does not come back (a jackpot stake: it is carried), and what is refunded never was."""
    drop = -moved.refunded
    for bet in moved.laid.keys() | moved.more.keys():
        fresh = moved.laid[bet] + moved.more[bet] - (moved.returned[bet] if log.void else 0)
        assert fresh >= 0 or log.void or lying[bet].carried, f"bet {bet} of {log}: {fresh} was staked"
        drop += max(fresh, 0)
    return drop


def _expected(log: RoundLog, moved: _Moved, lying: Mapping[str, _Lying], at_stake: Mapping[str, int]) -> Figures:
    """The theoretical win on what lay there when betting closed, carried or fresh.

    Stakes on one spot of one box win or lose together: their variance is that of their sum. Those of different spots
    are taken as if they did not know of each other.
    """
    edges = _edges(log.game, json.dumps(log.options, sort_keys=True))
    spots = GAMES[log.game].spots
    has = {(there.by, there.spot) for bet, there in lying.items() if at_stake[bet]}
    together: Counter[tuple[str, int | None]] = Counter()
    unreckoned = unreckoned_win = 0
    for bet, there in lying.items():
        needs = spots[there.spot].needs
        plays = not needs or (there.by, needs) in has  # a carried jackpot stake waits until its bettor antes
        if there.spot in edges:
            together[there.spot, there.box] += at_stake[bet] * plays
        else:
            unreckoned += at_stake[bet] * plays
            unreckoned_win += moved.won[bet]
    return Figures(
        theoretical=sum((cents * edges[spot].share for (spot, _), cents in together.items()), Fraction(0)),
        variance=sum((cents**2 * edges[spot].variance for (spot, _), cents in together.items()), Fraction(0)),
        unreckoned=unreckoned,
        unreckoned_win=unreckoned_win,
    )


@lru_cache(maxsize=256)
def _edges(game: str, options: str) -> Mapping[str, Edge]:
    return edges_of(game, read_options(GAMES[game].options, json.loads(options)))
