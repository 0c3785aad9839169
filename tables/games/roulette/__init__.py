"""Roulette 輪盤, External Regulatory Dispatch 60/2004: the options, the opening of a round, the game."""

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
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Null, Phase, ThrowBall
from .round import RouletteRound, opened, seconds
from .wheel import NUMBERS


def throw(options: Options) -> Throw:
    """One ball, into one of 37 pockets (1(2)); the record tells of null spins."""
    return Throw(1, NUMBERS[0], NUMBERS[-1], null=True)


def carries(options: Options) -> bool:
    """Nothing is carried, unless the house leaves winning stakes on their spots (R-A12)."""
    return options.auto_leave_winners


GAME = Game(
    slug="roulette",
    title=say("Roulette"),
    regulation="60/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(Withdraw, Lower, Move, Ready),
    steps=(Sit, Leave, GiveBack, Seal, ThrowBall, CloseBets, NullThrow, Unseal, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    carries=carries,
    throw=throw,
    seconds=seconds,
    lost_throw=NullThrow(reason=Null.FAILURE),
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "GiveBack", "Options", "Phase", "RouletteRound", "ThrowBall", "opened"]
