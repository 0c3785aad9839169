"""What one round came to: its sums in cents by the ledger and by its log, for a whole round and for each bettor.

docs/pit.md says what the words mean. `statistics` adds them up by table and day, `ratings` by player.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from django.db.models import Min, Sum

from tables.games import GAMES
from tables.games.contract.actions import Move, PlaceBet
from tables.games.edges import Edge, edges_of
from tables.games.shared.options import read_options
from tables.models import Account, LoggedAction, RoundLog, Transfer
from tables.models.ledger import LAID

from .archived import lines_of

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


READ = (
    "pk", "table_id", "number", "game", "options", "opening", "settled_at", "void", "archive", "archive_offset",
    "archive_length",
)  # fmt: skip
"""The fields of a round that its figures are worked out from."""


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
    since: datetime | None = None
    """When the first of it was laid down."""


_OWN = (Account.Kind.FLOAT, Account.Kind.HOUSE)
"""Where chips lie that are the house's."""


Row = tuple[str, str, str, str, int, datetime]
"""Transfers of a round that are alike: bet, reason, the kinds of the two accounts, the cents, and the first moment."""


def _read(logs: Sequence[RoundLog]) -> Iterator[tuple[RoundLog, list[Row], Mapping[str, _Lying]]]:
    """These rounds, what each moved, and the bets that lay there, by two statements for all of them."""
    ids = [log.pk for log in logs]
    rows: defaultdict[int, list[Row]] = defaultdict(list)
    by = ("log_id", "bet", "reason", "debit__kind", "credit__kind")
    alike = Transfer.objects.filter(log_id__in=ids).order_by().values_list(*by)
    for pk, *row in alike.annotate(cents=Sum("amount"), first=Min("at")):
        rows[pk].append(tuple(row))
    placed: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    lines = LoggedAction.objects.filter(log_id__in=ids, action__do__in=(PlaceBet.do, Move.do)).order_by("log_id", "seq")
    for pk, action in lines.values_list("log_id", "action"):
        placed[pk].append(action)
    for log in logs:
        if log.archive_id is not None:
            placed[log.pk] = [line.action for line in lines_of(log, PlaceBet.do, Move.do)]
    for log in logs:
        yield log, rows[log.pk], _lying(log, placed[log.pk])


def of_batch(logs: Sequence[RoundLog]) -> Iterator[Figures]:
    """The figures of each of these rounds, which are over."""
    for log, rows, lying in _read(logs):
        moved = _Moved()
        for row in rows:
            _add(moved, *row)
        yield _of_round(log, moved, lying)


@dataclass(frozen=True, slots=True)
class Part:
    """What one bettor had in a round: since when something of theirs lay there, and the figures of their bets.

    The figures of all bettors add up to those of the round, but for the variance and what is nobody's: jackpots
    restarted, and what was forgiven.
    """

    since: datetime
    figures: Figures


def of_bettors(logs: Sequence[RoundLog]) -> Iterator[dict[str, Part]]:
    """The parts of each of these rounds, which are over, by the key of the bettor; of those who had a stake in it."""
    for log, rows, lying in _read(logs):
        moved: defaultdict[str, _Moved] = defaultdict(_Moved)
        for row in rows:
            if (there := lying.get(row[0])) is not None:
                _add(moved[there.by], *row)
        parts = {}
        for by in sorted({there.by for there in lying.values()}):
            own = {bet: there for bet, there in lying.items() if there.by == by}
            figures = _of_round(log, moved[by], own)
            if not figures.unplayed and any(_at_stake(moved[by], own).values()):
                parts[by] = Part(moved[by].since or log.started_at, figures)
        yield parts


def _add(moved: _Moved, bet: str, reason: str, debit: str, credit: str, cents: int, at: datetime) -> None:
    if reason in LAID:
        moved.since = at if moved.since is None else min(moved.since, at)
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


def _lying(log: RoundLog, placed: Iterable[Mapping[str, Any]]) -> dict[str, _Lying]:
    """The bets of a round: those carried into it, and those that were placed, where they lay at last."""
    lying = {
        stake["bet"]: _Lying(stake["by"], stake["spot"], stake.get("box"), stake["amount"])
        for stake in log.opening.get("carried", ())
    }
    for line in placed:
        there = lying.get(line["bet"])
        if line["do"] == PlaceBet.do or there is not None:
            carried = there.carried if there is not None else 0
            lying[line["bet"]] = _Lying(line["by"], line["spot"], line.get("box"), carried)
    return lying


def _at_stake(moved: _Moved, lying: Mapping[str, _Lying]) -> dict[str, int]:
    """What lay on each bet when betting closed, in cents."""
    return {bet: there.carried + moved.laid[bet] for bet, there in lying.items()}


def _of_round(log: RoundLog, moved: _Moved, lying: Mapping[str, _Lying]) -> Figures:
    at_stake = _at_stake(moved, lying)
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
