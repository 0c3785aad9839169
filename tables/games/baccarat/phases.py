"""The phases of a round of Baccarat and the actions that only Baccarat knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.actions import Action

from .coup import Hand


class Phase(StrEnum):
    """Where a round is. Each comes after the one before it; what has nothing to do is left out."""

    CUT = "cut"
    BURN = "burn"
    DEMO = "demo"
    BETTING = "betting"
    ROUND_BURN = "round_burn"
    DEAL = "deal"
    OPEN_PLAYER = "open_player"
    OPEN_BANKER = "open_banker"
    PLAYER_THIRD = "player_third"
    BANKER_THIRD = "banker_third"
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


OPENING = {
    Phase.OPEN_PLAYER: Hand.PLAYER,
    Phase.OPEN_BANKER: Hand.BANKER,
    Phase.PLAYER_THIRD: Hand.PLAYER,
    Phase.BANKER_THIRD: Hand.BANKER,
}
"""The phases in which a hand is turned, and which."""


@dataclass(frozen=True, slots=True)
class Turn(Action):
    """The holder, or the dealer, turns what lies face down of a hand: the first two together, later the third.

    Where the cards are squeezed it may be one `card` of the hand alone, by its number from 0 (B-A18).
    """

    do: ClassVar[str] = "turn"
    hand: Hand
    card: int | None = None


@dataclass(frozen=True, slots=True)
class Waive(Action):
    """The holder of a hand gives the right up: the dealer opens it."""

    do: ClassVar[str] = "waive"
    hand: Hand


@dataclass(frozen=True, slots=True)
class PassHand(Action):
    """The holder passes a hand to another seated bettor who has a stake on it."""

    do: ClassVar[str] = "pass"
    hand: Hand
    to: str
