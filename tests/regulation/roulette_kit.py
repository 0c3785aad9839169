"""The notation of Roulette's tests, on top of `tests.kit`.

    spin = play(17, "ana straight_17 10", "rui red 100")
    assert back(spin) == {"ana straight_17": 360, "rui red": 0}

A round begins with its seal; amounts that come back are credits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tables.games import GAMES
from tables.games.contract.actions import Chance, Draw, NullThrow, Seal, Step, Unseal
from tests import kit
from tests.kit import bet_on, returned, view_for

ROULETTE = GAMES["roulette"]

NULL = NullThrow(reason="object")


def options(**given: Any) -> Any:
    return kit.options("roulette", **given)


def fresh(*carried: str, seats: Mapping[str, int] | None = None, **given: Any) -> Any:
    """A round before anything has happened, not even the seal."""
    return kit.opened(*carried, seats=seats, game="roulette", **given)


def opened(*carried: str, **about: Any) -> Any:
    """A round whose number is sealed: people may bet."""
    return seal(fresh(*carried, **about))


def seal(round_: Any, commitment: str = "sealed") -> Any:
    assert round_.next_house_step() == Draw(Chance.SEAL)
    return round_.apply(Seal(commitment=commitment))


def late(round_: Any) -> Any:
    """The round when its time is over: the ball is thrown, or the bell rings."""
    due = round_.next_house_step() or round_.on_timeout()
    assert isinstance(due, Step), due
    return round_.apply(due.action)


def rolled(round_: Any, number: int) -> Any:
    """The round played on until it ends, with this number under its seal."""
    while not round_.over:
        match round_.next_house_step() or round_.on_timeout():
            case Step(action):
                round_ = round_.apply(action)
            case Draw(Chance.SEAL):
                round_ = seal(round_)
            case Draw(Chance.OPEN):
                round_ = round_.apply(Unseal(values=(number,), salt="salt"))
            case due:
                raise AssertionError(f"{due} in {round_.phase}")
    return round_


def play(number: int, *bets: str, **about: Any) -> Any:
    """A whole round: these bets (those marked `carried` lie there first), this number."""
    carried = [text.removesuffix(" carried") for text in bets if text.endswith(" carried")]
    laid = [text for text in bets if not text.endswith(" carried")]
    return rolled(bet_on(opened(*carried, **about), *laid), number)


def back(round_: Any) -> dict[str, int]:
    """What came back of each bet, in credits."""
    return {bet: cents // 100 for bet, cents in returned(round_).items()}


def left(round_: Any) -> dict[str, int]:
    """What stays on the layout of each bet, in credits."""
    return {stake.bet: stake.amount // 100 for stake in round_.carried()}


def spot(round_: Any, name: str, who: str | None = None) -> Any:
    """One spot as somebody sees it."""
    (seen,) = (spot for spot in view_for(round_, who).spots if spot.name == name)
    return seen
