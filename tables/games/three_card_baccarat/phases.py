"""The phases of a round of 3-Card Baccarat, and the one action that only it knows (rulebook, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.actions import HouseAction

from .hands import BANKER


class Phase(StrEnum):
    """Where a round is. Each comes after the one before it; what has nothing to do is left out."""

    CUT = "cut"
    BURN = "burn"
    BETTING = "betting"
    ROUND_BURN = "round_burn"
    DEAL = "deal"
    LOOK = "look"
    REVEAL_BANKER = "reveal_banker"
    REVEAL_PLACES = "reveal_places"
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Reveal(HouseAction):
    """The dealer opens the three cards of `place`: the banker's first, then every place clockwise."""

    do: ClassVar[str] = "reveal"
    place: int = BANKER
