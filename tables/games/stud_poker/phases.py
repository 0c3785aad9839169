"""The phases of a round of Stud Poker, and the actions that only this game knows (rulebook, section 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.actions import Action, HouseAction


class Phase(StrEnum):
    """In the order in which they come; those that have nothing to do are skipped."""

    CUT = "cut"
    BETTING = "betting"
    BETS_CLOSED = "bets_closed"  # the jackpot stakes are taken, and its meter is read
    DEAL = "deal"
    LOOK_AND_DECIDE = "look_and_decide"
    DEALER_REVEAL = "dealer_reveal"  # the choices lie open; the dealer's cards are turned
    COMPARE = "compare"  # only if the dealer qualifies: hands are opened one by one
    JACKPOT = "jackpot"  # prizes are called one by one
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


# ── The bettors ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Raise(Action):
    """The bettor lays twice the ante behind it (6(5), 6(6)). `amount` cents, if named, must be just that."""

    do: ClassVar[str] = "raise"
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Fold(Action):
    """The bettor does not raise: the hand, the ante and the jackpot stake are lost (6(7), R8)."""

    do: ClassVar[str] = "fold"


# ── The house ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Proceed(HouseAction):
    """The time is over: whoever is asked now and has not decided folds."""

    do: ClassVar[str] = "proceed"


@dataclass(frozen=True, slots=True)
class Misdeal(HouseAction):
    """By mistake what comes out next goes to `box`, which has no stake: a card, or five from the shuffler (11(3))."""

    do: ClassVar[str] = "misdeal"
    box: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Turn(HouseAction):
    """The dealer turns the cards."""

    do: ClassVar[str] = "turn"


@dataclass(frozen=True, slots=True)
class Compare(HouseAction):
    """The dealer opens the hand on `box` and compares it with the dealer's (9(3))."""

    do: ClassVar[str] = "compare"
    box: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Award(HouseAction):
    """The dealer opens the hand on `box`, if it is not open yet: it wins a prize of the jackpot (10(2))."""

    do: ClassVar[str] = "award"
    box: int = field(kw_only=True)
