"""The notation of the tests of Cussec: three dice as they fall.

@article("57/2004", "CS-8")
def test_big_pays_1_to_1() -> None:
    assert returned(play("5 4 2", "ana big 100")) == {"ana big": 200_00}
"""

from __future__ import annotations

from typing import Any

from tables.games import GAMES
from tables.games.contract.actions import Chance, Draw, Seal, Step, Unseal
from tests import kit

SLUG = "cussec"
GAME = GAMES[SLUG]


def options(**given: Any) -> Any:
    """House options by name, as a record writes them."""
    return kit.options(SLUG, **given)


def dice(text: str) -> tuple[int, ...]:
    """What dice show, in the order in which they lie."""
    return tuple(map(int, text.split()))


def opened(*carried: str, **about: Any) -> Any:
    """A round before anybody acts."""
    return kit.opened(*carried, game=SLUG, **about)


def seal(round_: Any) -> Any:
    """The round on to where the dice lie covered, as far as the house may do that by itself."""
    while round_.seal is None and (due := round_.next_house_step()) is not None:
        match due:
            case Step(action):
                round_ = round_.apply(action)
            case Draw(Chance.SEAL):
                round_ = round_.apply(Seal(commitment=f"sealed {len(round_.nulls) + 1}"))
    return round_


def betting(*bets: str, carried: tuple[str, ...] = (), **about: Any) -> Any:
    """A round in which betting is open, with these bets, which must all be accepted."""
    return kit.bet_on(seal(opened(*carried, **about)), *bets)


def rung(*bets: str, **about: Any) -> Any:
    """A round after the bell, whose dice lie covered."""
    return seal(kit.close(betting(*bets, **about)))


def finish(round_: Any, shown: str) -> Any:
    """The round played to its end; when the cover is lifted these dice lie there."""
    while not round_.over:
        due = round_.next_house_step() or round_.on_timeout()
        match due:
            case Step(action):
                round_ = round_.apply(action)
            case Draw(Chance.SEAL):
                round_ = seal(round_)
            case Draw(Chance.OPEN):
                round_ = round_.apply(Unseal(values=dice(shown), salt="salt"))
    return round_


def play(shown: str, *bets: str, **about: Any) -> Any:
    """A whole round: these bets (those marked `carried` lie there first), these dice."""
    carried = tuple(text.removesuffix(" carried") for text in bets if text.endswith(" carried"))
    fresh = [text for text in bets if not text.endswith(" carried")]
    return finish(betting(*fresh, carried=carried, **about), shown)


def carried(round_: Any) -> dict[str, int]:
    """What stays on the layout of each bet, in cents."""
    return {stake.bet: stake.amount for stake in round_.carried()}
