"""Cussec 骰寶, External Regulatory Dispatch 57/2004: the options, the opening of a round, the game."""

from tables.games.protocol import (
    CloseBets,
    Game,
    GiveBack,
    Leave,
    Lower,
    Move,
    NullThrow,
    Ready,
    Seal,
    Settle,
    Sit,
    Throw,
    Unseal,
    Void,
    Withdraw,
)
from tables.games.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .dice import DICE, FACES
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Phase, Spoilt
from .round import CussecRound, opened, seconds


def throw(options: Options) -> Throw:
    """Three dice (CS-1); the record tells only of those that counted."""
    return Throw(DICE, FACES[0], FACES[-1])


def carries(options: Options) -> bool:
    """Nothing is carried, unless the house leaves winning stakes on their spots."""
    return options.auto_leave_winners


GAME = Game(
    slug="cussec",
    title=say("Cussec"),
    regulation="57/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(Withdraw, Lower, Move, Ready),
    steps=(Sit, Leave, GiveBack, Seal, CloseBets, NullThrow, Unseal, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    carries=carries,
    throw=throw,
    seconds=seconds,
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "CussecRound", "GiveBack", "Options", "Phase", "Spoilt", "opened"]
