"""The phases of a round of Blackjack, and the actions that only this game knows (rulebook, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.actions import Action, HouseAction


class Phase(StrEnum):
    """In the order in which they come; those that have nothing to do are skipped."""

    CUT = "cut"
    BURN = "burn"
    BETTING = "betting"
    ROUND_BURN = "round_burn"
    DEAL = "deal"
    EARLY_WINDOW = "early_window"
    PLAYER_TURNS = "player_turns"
    BANK_SECOND = "bank_second"
    BANK_DRAW = "bank_draw"
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


# ── In the early window: everybody at the same time, each for their own stake ─────────────────────────────────


class Asks(StrEnum):
    """What is being decided now, if anything."""

    EARLY = "early"  # insurance, even money, surrender: everybody at once
    TURN = "turn"  # the decider of the acting hand
    MATCH_DOUBLE = "match_double"  # the others on the box: follow the double?
    MATCH_SPLIT = "match_split"
    CLAIM = "claim"  # the others on the box: five cards, take the half?


@dataclass(frozen=True, slots=True)
class Insurance(Action):
    """The bettor insures the main stake on `box` with `amount` cents (12(1))."""

    do: ClassVar[str] = "insurance"
    box: int
    amount: int


@dataclass(frozen=True, slots=True)
class EvenMoney(Action):
    """The bettor asks to be paid even money for a blackjack on `box` (10(3))."""

    do: ClassVar[str] = "even_money"
    box: int


@dataclass(frozen=True, slots=True)
class Surrender(Action):
    """The decider gives up the round on `box`; every bettor there gets half the stake back (18, R17)."""

    do: ClassVar[str] = "surrender"
    box: int


# ── In turn: the decider of a box, for one hand ─────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class InHand(Action):
    """A decision on one hand: `hand` counts those of the box from 0, left to right, as they lie now."""

    box: int
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Hit(InHand):
    """One card more (6(2))."""

    do: ClassVar[str] = "hit"
    at_once: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Stand(InHand):
    """No card more. By HOUSE: the time was over, and it is the automatic decision."""

    do: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Double(InHand):
    """The stake is doubled for exactly one card more (17)."""

    do: ClassVar[str] = "double"
    at_once: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Split(InHand):
    """The pair becomes hands `hand` and `hand` + 1, each with the original stake (16)."""

    do: ClassVar[str] = "split"
    at_once: ClassVar[bool] = True


# ── Each bettor on a shared box, for their own stake ──────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Match(InHand):
    """Another bettor on the box lays down the same as the decider has: they follow the double or the split (R17)."""

    do: ClassVar[str] = "match"
    at_once: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Claim(InHand):
    """The bettor asks to be paid half the stake for five cards not over 21 (19)."""

    do: ClassVar[str] = "claim_five_cards"


@dataclass(frozen=True, slots=True)
class Pass(InHand):
    """The bettor lets pass what they are asked: they do not match, or do not claim."""

    do: ClassVar[str] = "pass"
    at_once: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Follow(Action):
    """What the bettor wants done by itself, for this round: match each double, each split, claim five cards."""

    do: ClassVar[str] = "follow"
    doubles: bool = False
    splits: bool = False
    claims: bool = False


# ── The house ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Proceed(HouseAction):
    """The time is over: whoever has not answered by now has let it pass."""

    do: ClassVar[str] = "proceed"


@dataclass(frozen=True, slots=True)
class Pay(HouseAction):
    """The dealer collects and pays what is decided already, in the middle of the round (6(2), 10(2), 15, 18, 19)."""

    do: ClassVar[str] = "pay"


@dataclass(frozen=True, slots=True)
class TurnHole(HouseAction):
    """The bank turns its second card, which the metal box gave it before the turns (5(2)(1)(2))."""

    do: ClassVar[str] = "turn_hole"


@dataclass(frozen=True, slots=True)
class Overdraw(HouseAction):
    """The bank has wrongly drawn on 17 or more (6(1)); `shown` if the card was turned.

    A shown card is void and removed. One that was not shown stays the next card of the shoe where
    `unseen_overdraw_valid` says so (then no card leaves the shoe here), else it is burnt: a DrawCard must follow.
    """

    do: ClassVar[str] = "overdraw"
    shown: bool = True


DEEDS = (Insurance, EvenMoney, Surrender, Hit, Stand, Double, Split, Match, Claim, Pass, Follow)
"""What bettors decide."""

STEPS = (Proceed, Pay, TurnHole, Overdraw)
"""What the house does beside dealing."""
