"""Cussec 骰寶, External Regulatory Dispatch 57/2004: the options, the opening of a round, the game."""

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
from .dice import DICE, FACES
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Phase, Spoilt
from .round import CussecRound, opened, seconds
from .view import View, view_of


class Cussec(GameOf[Options, CussecRound, View]):
    """Cussec 骰寶, External Regulatory Dispatch 57/2004."""

    slug = "cussec"
    title = say("Cussec")
    regulation = "57/2004"
    editions = EDITIONS
    options = Options
    deeds = (Withdraw, Lower, Move, Ready)
    steps = (Sit, Leave, GiveBack, Seal, CloseBets, NullThrow, Unseal, Settle, Void)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    throws = True

    def opened(self, options: Options, opening: Opening) -> CussecRound:
        return opened(options, opening)

    def view(self, round_: CussecRound, who: str | None) -> View:
        return view_of(round_, who)

    def edges(self, options: Options) -> Mapping[str, Edge]:
        return edges(options)

    def throw(self, options: Options) -> Throw:
        """Three dice (CS-1); the record tells only of those that counted."""
        return Throw(DICE, FACES[0], FACES[-1])

    def carries(self, options: Options) -> bool:
        """Nothing is carried, unless the house leaves winning stakes on their spots."""
        return options.auto_leave_winners

    def seconds(self, round_: CussecRound) -> int | None:
        return seconds(round_)


GAME = Cussec()

__all__ = ["GAME", "CussecRound", "GiveBack", "Options", "Phase", "Spoilt", "opened"]
