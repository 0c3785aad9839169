"""A round, and what everybody may ask of it. Amounts are integer cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, Self, TypeVar

from tables.games.values.json import JsonObject
from tables.games.values.money import Odds
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, Words

from .actions import Action, CloseBets, HouseStep, Step

PhaseT = TypeVar("PhaseT", bound=StrEnum)
AskedT = TypeVar("AskedT")

# ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────


class Pace(StrEnum):
    """What kind of time a phase takes. The table says how many seconds each kind is (see `tables.base.timetable`)."""

    CUT = "cut"  # somebody is offered the pack
    BETTING = "betting"  # the layout is open
    DECISION = "decision"  # named people have something to decide
    BEAT = "beat"  # the house does its next step
    RESULT = "result"  # the result stays on the felt
    OVER = "over"  # nothing more happens in this round


@quickly_made
@dataclass(frozen=True, slots=True)
class Progress(Generic[PhaseT, AskedT]):
    """Where a round is: what follows from its facts, worked out once for each state of it.

    `next_house_step` is what the house owes next, None while the round waits; `on_timeout` what the house does once the
    time of the phase is over. `asked` is who decides something now, or what is being decided, in the terms of the game.
    """

    phase: PhaseT
    pace: Pace
    next_house_step: HouseStep | None = None
    on_timeout: HouseStep | None = None
    asked: AskedT | None = None

    @classmethod
    def owing(cls, phase: PhaseT, next_house_step: HouseStep) -> Self:
        """The house does its next step."""
        return cls(phase, Pace.BEAT, next_house_step, next_house_step)

    @classmethod
    def betting(cls, phase: PhaseT, closing: Action | None = None) -> Self:
        """The layout is open until the house closes it, or does what it does in place of that."""
        return cls(phase, Pace.BETTING, None, Step(closing or CloseBets()))

    @classmethod
    def ended(cls, phase: PhaseT) -> Self:
        """The round is settled or void."""
        return cls(phase, Pace.RESULT)


# ── Readings ────────────────────────────────────────────────────────────────────────────────────────────────

FIRST_READING, SECOND_READING = 1, 2
"""How strictly we read the regulations. A round is folded by the reading that it was opened under, so that whatever was
accepted then still is (ADR 27). A public record is played by the first: it does not tell in which order things were
done, and its conditions on other bets are looked at when betting closes."""


# ── Stakes, payments, offers ────────────────────────────────────────────────────────────────────────────────


@quickly_made
@dataclass(frozen=True, slots=True)
class Stake:
    """Chips on the layout: `amount` cents of one bettor on one spot; `carried` from an earlier round."""

    bet: str
    by: str
    spot: str
    amount: int
    box: int | None = None
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """What a round begins with, beside its options.

    `seats` bettor -> seat; `carried` stakes that lie on the layout from an earlier round; `ceremony` true when the pack
    is first shuffled, cut, burnt and demonstrated; `first_round` true for the first round of a shoe; `last_round` true
    when it is already known to be the shoe's last; `commitment` that of the sealed pack it is dealt from, and
    `seed_commitment` that of the seed which the pack is made from. `lately` the standing bettors who have staked at
    this table in its last three rounds, where a pack is cut; `reading` the reading of the regulation by which it is
    played, the first where a round does not say.

    The commitments decide nothing here: they are written down so that no other pack can take its place. Nor do these,
    which people are told of: `new_edition` true in the first round of a table under another edition of the regulation
    than the round before; `fresh_by` the article by which the pit has ordered the fresh cards, if it has.
    """

    seats: Mapping[str, int] = field(default_factory=dict)
    carried: tuple[Stake, ...] = ()
    ceremony: bool = False
    first_round: bool = False
    last_round: bool = False
    commitment: str = ""
    lately: tuple[str, ...] = ()
    reading: int = FIRST_READING
    new_edition: bool = False
    fresh_by: str = ""
    seed_commitment: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """One kind of bet on the layout: its machine name, title, odds ("to 1") and the article that sells it.

    `carries` if a stake on it may stay for the next round; `boxed` if it always belongs to a box; `family` if limits
    may name it together with others; `single` if a bettor has one stake there at most, to which a second is added;
    `needs` the spot on which its bettor must have laid a stake before.
    """

    name: str
    title: Words
    odds: tuple[Odds, ...]
    article: str
    carries: bool = False
    boxed: bool = False
    family: str = ""
    single: bool = False
    needs: str = ""


@quickly_made
@dataclass(frozen=True, slots=True)
class Payout:
    """One thing that the house paid or collected, and for which bet. In cents.

    `stake` lay on the layout for it and is decided by it; `returned` goes to the bettor (stake included); `carried`
    stays on the layout; `commission` was kept from the prize by the house. `pooled` goes from this stake to the
    progressive jackpot; below zero, so much of what is `returned` comes out of it. `why` tells it in words, with its
    article. `named` says what a win is that no odds tell: the jackpot, or the most that the house pays.
    A bet that is decided in parts (hands that were split, a prize paid at once) has several; only in a void round may
    `returned` be negative: what had been paid already is taken back.
    """

    bet: str
    by: str
    spot: str
    stake: int
    returned: int
    why: Note
    carried: int = 0
    commission: int = 0
    pooled: int = 0
    named: Words | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A bet that was taken down when betting closed, and why; its stake went back."""

    bet: str
    by: str
    why: Note


@dataclass(frozen=True, slots=True)
class WentBack:
    """A stake that went back to its bettor while betting was open, because one that it needs was taken away; why."""

    stake: Stake
    why: Note


@dataclass(frozen=True, slots=True)
class BetOffer:
    """A stake that would be accepted now: from `least` to `most` cents in steps of `step`, on `spot` (and `box`)."""

    spot: str
    least: int
    most: int | None
    step: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Offers:
    """What one bettor may do now: bets as kinds with ranges, everything else as ready actions.

    `movable` are stakes that may be moved, whole, to wherever a bet of their amount is offered: where there are many
    spots no move is listed by itself.
    """

    bets: tuple[BetOffer, ...] = ()
    actions: tuple[Action, ...] = ()
    movable: tuple[str, ...] = ()


# ── The round and the game ──────────────────────────────────────────────────────────────────────────────────


class Round(Protocol):
    """One round, folded so far. Immutable: `apply` gives the next one."""

    @property
    def opening(self) -> Opening:
        """What it began with."""

    @property
    def phase(self) -> StrEnum:
        """Where the round is, derived from its facts."""

    @property
    def pace(self) -> Pace:
        """What kind of time this phase takes."""

    @property
    def wait(self) -> str:
        """Names what is being waited for. While it stays the same, the clock is not set anew."""

    @property
    def closes_early(self) -> bool:
        """Everybody it could wait for is ready: the rest of the time is not needed."""

    @property
    def over(self) -> bool:
        """Settled or void: nothing more can be applied."""

    @property
    def is_void(self) -> bool:
        """Ended as void."""

    @property
    def ends_shoe(self) -> bool:
        """Once over: the next round is dealt from a fresh shoe."""

    @property
    def next_is_last(self) -> bool:
        """Once over: the next round is the last of this shoe (known beforehand)."""

    @property
    def seats(self) -> Mapping[str, int]:
        """Bettor -> seat, as far as it matters to this round."""

    @property
    def silence(self) -> Note | None:
        """Why nobody may talk at the table now, if the regulation forbids it."""

    @property
    def at_the_cut(self) -> tuple[str, ...]:
        """Who may cut the pack of this round, with neither seat nor stake perhaps, or has cut it."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Bets taken down when betting closed."""

    @property
    def went_back(self) -> tuple[WentBack, ...]:
        """Stakes that went back with another while betting was open, as far as their bettor has not staked there
        again."""

    def next_house_step(self) -> HouseStep | None:
        """What the house owes next; None while it waits for people or for time."""

    def on_timeout(self) -> HouseStep | None:
        """What the house does when the time of this phase is over; None when the round is over."""

    def offers(self, who: str) -> Offers:
        """What this bettor may do now."""

    def leaving(self, who: str) -> Note | None:
        """What it costs this bettor to leave their seat now; None if nothing."""

    def bars_seat(self, who: str, seat: int) -> Note | None:
        """Why the regulation does not let this bettor take this seat until the round is over; None if it does."""

    def default_for(self, who: str) -> Action | None:
        """The published automatic decision of somebody absent or late; None if they are asked nothing."""

    def apply(self, action: Action) -> Self:
        """The next round. Raises Refused (the player may not) or AssertionError (the house erred)."""

    def in_escrow(self, who: str | None = None) -> Mapping[str, int]:
        """Bet -> cents that lie in escrow for it now, with all that grew out of it; of one bettor, or of everybody.
        Empty once settled, but for what is carried; what has gone to the jackpot lies there no more."""

    def leaning(self, who: str) -> frozenset[str]:
        """The bettors whose stakes may come back with those of this one."""

    def stakes(self) -> tuple[Stake, ...]:
        """All stakes on the layout as they were placed, oldest first."""

    def payouts(self) -> tuple[Payout, ...]:
        """What the house has paid and collected so far, in order; only its own actions add to it. Once the round is
        over every bet is in it, and the stakes of a bet's payouts add up to all that was laid down for it."""

    def hand_of(self, payout: Payout) -> int | None:
        """Which hand of its box, from 1, one of the payouts was for, where the box has several."""

    def carried(self) -> tuple[Stake, ...]:
        """Once over: the stakes that stay on the layout for the next round."""

    def result(self) -> JsonObject:
        """Once over: the `result` of the public record."""
