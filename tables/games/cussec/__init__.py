"""Cussec 骰寶, External Regulatory Dispatch 57/2004: the options, the opening of a round, the game."""

from tables.games.contract.actions import ALWAYS, CHANGES, THROWS, GiveBack
from tables.games.contract.game import GameOf, Throw
from tables.games.values.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .betting import LAYOUT
from .dice import DICE, FACES
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options
from .phases import Phase, Spoilt
from .round import CussecRound, opened, seconds
from .view import View, view_of


class Cussec(GameOf[Options, CussecRound, View]):
    """Cussec 骰寶, External Regulatory Dispatch 57/2004."""

    slug = "cussec"
    title = say("Cussec")
    regulation = "57/2004"
    in_force = IN_FORCE
    options = Options
    deeds = CHANGES
    steps = (*ALWAYS, GiveBack, *THROWS)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    throws = True
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    is_sold = staticmethod(LAYOUT.is_sold)
    seconds = staticmethod(seconds)

    def throw(self, options: Options) -> Throw:
        """Three dice (CS-1); the record tells only of those that counted."""
        return Throw(DICE, FACES[0], FACES[-1])

    def carries(self, options: Options) -> bool:
        """Nothing is carried, unless the house leaves winning stakes on their spots."""
        return options.auto_leave_winners


GAME = Cussec()

__all__ = ["GAME", "CussecRound", "GiveBack", "Options", "Phase", "Spoilt", "opened"]
