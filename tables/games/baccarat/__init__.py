"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

from tables.games.protocol import (
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    Game,
    GiveBack,
    Imbalance,
    Leave,
    Lower,
    Move,
    Ready,
    Settle,
    ShoeRules,
    Sit,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.words import say

from . import betting
from .articles import ARTICLES
from .bets import SPOTS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import PassHand, Phase, Turn, Waive
from .round import BaccaratRound, opened


def shoe_rules(options: Options) -> ShoeRules:
    """The pack: a shoe with its white card (2(1)), or the machine, which shuffles all of it every round (7(2))."""
    if options.by_machine:
        return ShoeRules(options.decks, every_round=True, machine=True)
    return ShoeRules(options.decks, white_depth=options.cut_card_depth)


def imbalance_of(round_: BaccaratRound) -> Imbalance | None:
    """How far Banker and Player are apart, and how far they may be (14)."""
    return betting.imbalance(round_.options, round_.layout, round_.trims)


GAME = Game(
    slug="baccarat",
    title=say("Baccarat"),
    regulation="55/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(Withdraw, Lower, Move, Ready, Cut, Decline, Turn, Waive, PassHand),
    steps=(Sit, Leave, GiveBack, CloseBets, DrawCard, WhiteCard, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    shoe=shoe_rules,
    imbalance=imbalance_of,
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "BaccaratRound", "Options", "PassHand", "Phase", "Turn", "Waive", "opened"]
