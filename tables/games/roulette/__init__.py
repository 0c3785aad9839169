"""Roulette 輪盤, External Regulatory Dispatch 60/2004: the options, the opening of a round, the game."""

from collections.abc import Mapping

from tables.games.contract.actions import (
    CloseBets,
    GiveBack,
    Leave,
    Lower,
    Move,
    NullThrow,
    Ready,
    Seal,
    Settle,
    Sit,
    Unseal,
    Void,
    Withdraw,
)
from tables.games.contract.game import GameOf, Throw
from tables.games.contract.round import Opening
from tables.games.values.expectation import Edge
from tables.games.values.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Null, Phase, ThrowBall
from .round import RouletteRound, opened, seconds
from .view import View, view_of
from .wheel import NUMBERS


class Roulette(GameOf[Options, RouletteRound, View]):
    """Roulette 輪盤, External Regulatory Dispatch 60/2004."""

    slug = "roulette"
    title = say("Roulette")
    regulation = "60/2004"
    editions = EDITIONS
    options = Options
    deeds = (Withdraw, Lower, Move, Ready)
    steps = (Sit, Leave, GiveBack, Seal, ThrowBall, CloseBets, NullThrow, Unseal, Settle, Void)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    lost_throw = NullThrow(reason=Null.FAILURE)
    throws = True

    def opened(self, options: Options, opening: Opening) -> RouletteRound:
        return opened(options, opening)

    def view(self, round_: RouletteRound, who: str | None) -> View:
        return view_of(round_, who)

    def edges(self, options: Options) -> Mapping[str, Edge]:
        return edges(options)

    def throw(self, options: Options) -> Throw:
        """One ball, into one of 37 pockets (1(2)); the record tells of null spins."""
        return Throw(1, NUMBERS[0], NUMBERS[-1], null=True)

    def carries(self, options: Options) -> bool:
        """Nothing is carried, unless the house leaves winning stakes on their spots (R-A12)."""
        return options.auto_leave_winners

    def seconds(self, round_: RouletteRound) -> int | None:
        return seconds(round_)


GAME = Roulette()

__all__ = ["GAME", "GiveBack", "Options", "Phase", "RouletteRound", "ThrowBall", "opened"]
