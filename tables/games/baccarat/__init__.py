"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

from ..protocol import (
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    Game,
    Leave,
    Lower,
    Move,
    PlaceBet,
    Ready,
    Settle,
    Sit,
    Void,
    WhiteCard,
    Withdraw,
)
from ..words import say
from .articles import ARTICLES
from .bets import SPOTS
from .options import EDITIONS, Options
from .round import BaccaratRound, PassHand, Phase, Turn, Waive, opened

GAME = Game(
    slug="baccarat",
    title=say("Baccarat"),
    regulation="55/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    actions=(
        PlaceBet,
        Withdraw,
        Lower,
        Move,
        Ready,
        Sit,
        Leave,
        Cut,
        Decline,
        CloseBets,
        DrawCard,
        WhiteCard,
        Turn,
        Waive,
        PassHand,
        Settle,
        Void,
    ),
    articles=ARTICLES,
    spots=SPOTS,
)

__all__ = ["GAME", "BaccaratRound", "Options", "PassHand", "Phase", "Turn", "Waive", "opened"]
