"""Roulette 輪盤, External Regulatory Dispatch 60/2004: the options, the opening of a round, the game."""

from tables.games.contract.actions import ALWAYS, CHANGES, THROWS, GiveBack, NullThrow
from tables.games.contract.game import GameOf, Throw
from tables.games.values.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .betting import LAYOUT
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options
from .phases import Null, Phase, ThrowBall
from .round import RouletteRound, opened, seconds
from .view import View, view_of
from .wheel import NUMBERS, WHEEL


class Roulette(GameOf[Options, RouletteRound, View]):
    """Roulette 輪盤, External Regulatory Dispatch 60/2004."""

    slug = "roulette"
    title = say("Roulette")
    regulation = "60/2004"
    in_force = IN_FORCE
    options = Options
    deeds = CHANGES
    steps = (*ALWAYS, GiveBack, *THROWS, ThrowBall)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    lost_throw = NullThrow(reason=Null.FAILURE)
    throws = True
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    is_sold = staticmethod(LAYOUT.is_sold)
    seconds = staticmethod(seconds)

    def throw(self, options: Options) -> Throw:
        """One ball, into one of 37 pockets (1(2)); the record tells of null spins."""
        return Throw(1, NUMBERS[0], NUMBERS[-1], null=True, ring=WHEEL)

    def carries(self, options: Options) -> bool:
        """Nothing is carried, unless the house leaves winning stakes on their spots (R-A12)."""
        return options.auto_leave_winners


GAME = Roulette()

__all__ = ["GAME", "GiveBack", "Options", "Phase", "RouletteRound", "ThrowBall", "opened"]
