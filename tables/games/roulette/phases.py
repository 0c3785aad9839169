"""The phases of a round of Roulette, and the actions that only it knows (rulebook, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.actions import HouseAction
from tables.games.values.words import Note, say


class Phase(StrEnum):
    """Where a round is. Each comes after the one before it, until a null spin begins them anew."""

    RETURN = "return"  # stakes left on the layout go back, as the house does not leave them any more
    SEAL = "seal"  # the number is drawn and sealed
    BETTING = "betting"
    SPINNING = "spinning"  # the ball is thrown; the layout is open until the bell if the house says so
    NO_MORE_BETS = "no_more_bets"  # the bell: the ball leaves its groove
    RESULT = "result"
    SETTLED = "settled"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class ThrowBall(HouseAction):
    """The dealer turns the plate and throws the ball against it (2(1))."""

    do: ClassVar[str] = "throw"


class Null(StrEnum):
    """Why a spin is null: what `NullThrow.reason` says."""

    OBJECT = "object"
    JUMPED = "jumped"
    NO_POCKET = "no_pocket"
    STOPPED = "stopped"
    TWO_BALLS = "two_balls"
    DIRECTION = "direction"
    FAILURE = "failure"


NULLS: Mapping[str, Note] = {
    Null.OBJECT: Note("R-A14", say("Null spin: something fell onto the plate")),
    Null.JUMPED: Note("R-A14", say("Null spin: the ball jumped out of the wheel")),
    Null.NO_POCKET: Note("R-A14", say("Null spin: the ball did not come to rest in one pocket")),
    Null.STOPPED: Note("R-A14", say("Null spin: the wheel stopped")),
    Null.TWO_BALLS: Note("R-A14", say("Null spin: there were two balls")),
    Null.DIRECTION: Note("R-A14", say("Null spin: the ball was thrown in the direction of the plate")),
    Null.FAILURE: Note("R-A14", say("Null spin: power or connection failed")),
}


def why_null(reason: str) -> Note:
    """Why a spin is null, in words; what else the pit wrote down is for the log."""
    return NULLS.get(reason) or Note("R-A14", say("Null spin"))
