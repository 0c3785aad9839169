"""What a table has done between two moments: drop, win and hold beside the theoretical win with its band.

All of it comes from the ledger and the logs of rounds that are over, to the cent (docs/pit.md says what the words
mean). A round belongs to the moment in which it was settled. Since it never changes afterwards, its sums are worked
out once, and a period that goes on is only added to.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import islice
from math import isqrt
from operator import add
from threading import Lock
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Sum

from tables.games import GAMES
from tables.games.contract.actions import Move, PlaceBet, Void, VoidReason, void_because
from tables.games.edges import Edge, edges_of
from tables.games.shared.options import read_options
from tables.games.values.words import Words
from tables.models import Account, Adjustment, LoggedAction, Realm, RoundLog, Table, Transfer

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
    moved = _of_no_round([table_id], since, until)
    return _of_rounds(table_id, since, until) + moved.get(table_id, NOTHING)


def of_tables(since: datetime, until: datetime) -> dict[int, Figures]:
    """The figures of every table in [since, until), by its id; also of those where nothing happened."""
    tables = list(Table.objects.order_by("position", "pk").values_list("pk", flat=True))
    moved = _of_no_round(tables, since, until)
    return {pk: _of_rounds(pk, since, until) + moved.get(pk, NOTHING) for pk in tables}


def total(figures: Iterable[Figures]) -> Figures:
    """All of them together."""
    return reduce(add, figures, NOTHING)


def rounds_of(tables: Iterable[int], since: datetime, until: datetime) -> QuerySet[RoundLog]:
    """The rounds of these tables that were settled in [since, until)."""
    which = Q(pk__in=())
    for pk in tables:
        first, stop = _numbers(pk, since, until)
        which |= Q(table_id=pk, number__gte=first, number__lt=stop)
    return RoundLog.objects.filter(which)


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
    first, stop = _numbers(table_id, since, until)
    found = list(_logs(table_id, first, stop).filter(void=True))
    logs = [log for log, sums in zip(found, _of_batch(found), strict=True) if sums.voids]
    lines = LoggedAction.objects.filter(log__in=logs, action__do=Void.do).order_by("seq")
    why = {
        log_id: void_because(VoidReason(line.get("reason", VoidReason.PIT)), line.get("remark", ""))
        for log_id, line in lines.values_list("log_id", "action")
    }
    return [
        Voided(log.pk, table_id, log.number, log.settled_at, why[log.pk]) for log in logs if log.settled_at is not None
    ]


# ── Outside rounds ──────────────────────────────────────────────────────────────────────────────────────────


def _of_no_round(tables: Sequence[int], since: datetime, until: datetime) -> dict[int, Figures]:
    """What came to the float of each table, and left it, outside rounds."""
    moved = Transfer.objects.filter(log__isnull=True, at__gte=since, at__lt=until)
    sums = {pk: Figures(adjustments=cents) for pk, cents in adjustments(since, until).items() if pk is not None}
    for side, reason, name in (("credit", Transfer.Reason.FILL, "fills"), ("debit", Transfer.Reason.CREDIT, "credits")):
        at_float = moved.filter(reason=reason, **{f"{side}__kind": Account.Kind.FLOAT, f"{side}__table__in": tables})
        for pk, cents in at_float.values_list(f"{side}__table").annotate(cents=Sum("amount")).order_by():
            sums[pk] = sums.get(pk, NOTHING) + replace(NOTHING, **{name: cents})
    return sums


def adjustments(since: datetime, until: datetime, realm: Realm | None = None) -> dict[int | None, int]:
    """What the house gave to players in [since, until) to put mistakes right, less what it took, in cents: by the table
    of the round that it was for, or None for none. Of one realm, or of both."""
    moved = Transfer.objects.filter(log__isnull=True, reason=Transfer.Reason.ADJUSTMENT, at__gte=since, at__lt=until)
    if realm is not None:
        moved = moved.filter(debit__realm=realm)
    cents = {
        key.partition(":")[2]: -amount if debit == Account.Kind.PLAYER else amount
        for key, debit, amount in moved.values_list("key", "debit__kind", "amount")
    }
    sums: Counter[int | None] = Counter()
    for pk, table in Adjustment.objects.filter(pk__in=cents).values_list("pk", "log__table"):
        sums[table] += cents[str(pk)]
    return dict(sums)


# ── Rounds ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Remembered:
    """Which round was a table's first to be settled at or after a moment, and the sums of its rounds from one on."""

    SIZE = 4096

    def __init__(self) -> None:
        self._firsts: OrderedDict[tuple[int, datetime], int] = OrderedDict()
        self._sums: OrderedDict[tuple[int, int], tuple[int, Figures]] = OrderedDict()
        self._lock = Lock()

    def first(self, table_id: int, at: datetime) -> int | None:
        with self._lock:
            return self._firsts.get((table_id, at))

    def keep_first(self, table_id: int, at: datetime, number: int) -> None:
        with self._lock:
            self._firsts[table_id, at] = number
            while len(self._firsts) > self.SIZE:
                self._firsts.popitem(last=False)

    def sums(self, table_id: int, first: int) -> tuple[int, Figures]:
        """Up to which number (not included) the rounds from `first` on have been added, and their sums."""
        with self._lock:
            return self._sums.get((table_id, first), (first, NOTHING))

    def keep_sums(self, table_id: int, first: int, stop: int, sums: Figures) -> None:
        with self._lock:
            if self._sums.get((table_id, first), (0, NOTHING))[0] < stop:
                self._sums[table_id, first] = stop, sums
            self._sums.move_to_end((table_id, first))
            while len(self._sums) > self.SIZE:
                self._sums.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._firsts.clear()
            self._sums.clear()


remembered = _Remembered()
"""Of rounds that are over, which never change."""


def _of_rounds(table_id: int, since: datetime, until: datetime) -> Figures:
    first, stop = _numbers(table_id, since, until)
    reached, sums = remembered.sums(table_id, first)
    if reached > stop:
        reached, sums = first, NOTHING
    if reached < stop:
        sums += _summed(table_id, reached, stop)
        # On commit (at once outside a transaction): a round that was settled in this very one may still be undone.
        transaction.on_commit(partial(remembered.keep_sums, table_id, first, stop, sums))
    return sums


def _numbers(table_id: int, since: datetime, until: datetime) -> tuple[int, int]:
    """The number of the table's first round that was settled in [since, until), and that after the last."""
    newest = RoundLog.objects.filter(table_id=table_id).order_by("-number").values_list("number", "settled_at")[:2]
    last = next(((number, at) for number, at in newest if at is not None), None)
    return _first(table_id, since, last), _first(table_id, until, last)


def _first(table_id: int, at: datetime, last: tuple[int, datetime] | None) -> int:
    """The number of the table's first round that was settled at `at` or later; that after the `last`, if there is none.

    Rounds of a table are settled in the order of their numbers: so it is found by halving, whatever their number.
    """
    if last is None or last[1] < at:
        return last[0] + 1 if last is not None else 1
    known = remembered.first(table_id, at)
    if known is not None:
        return known
    low, high, step = 0, last[0], 1  # settled before (or none), settled at or after
    while high - low > 1:
        middle = max(high - step, low + 1) if low == 0 and step < high else (low + high) // 2
        step *= 2
        settled = RoundLog.objects.values_list("settled_at", flat=True).get(table_id=table_id, number=middle)
        assert settled is not None, f"round {middle} of table {table_id} is not over, a later one is"
        if settled < at:
            low = middle
        else:
            high = middle
    transaction.on_commit(partial(remembered.keep_first, table_id, at, high))
    return high


AT_ONCE = 200
"""Rounds whose transfers and bets are read together."""


def _summed(table_id: int, first: int, stop: int) -> Figures:
    """The sums of the table's rounds from number `first` up to `stop`, which is not one of them."""
    some = _logs(table_id, first, stop).iterator(chunk_size=AT_ONCE)
    sums = NOTHING
    while batch := list(islice(some, AT_ONCE)):
        sums += total(_of_batch(batch))
    return sums


def _logs(table_id: int, first: int, stop: int) -> QuerySet[RoundLog]:
    logs = RoundLog.objects.filter(table_id=table_id, number__gte=first, number__lt=stop).order_by("number")
    return logs.only("pk", "number", "game", "options", "opening", "settled_at", "void")


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
