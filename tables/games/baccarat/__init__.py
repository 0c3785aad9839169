"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

from tables.games.protocol import (
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
    ShoeRules,
    Sit,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .options import EDITIONS, Options
from .phases import PassHand, Phase, Turn, Waive
from .round import BaccaratRound, opened


def shoe_rules(options: Options) -> ShoeRules:
    """The pack: a shoe with its white card (2(1)), or the machine, which shuffles all of it every round (7(2))."""
    if options.by_machine:
        return ShoeRules(options.decks, every_round=True)
    return ShoeRules(options.decks, white_depth=options.cut_card_depth)


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
    shoe=shoe_rules,
)

__all__ = ["GAME", "BaccaratRound", "Options", "PassHand", "Phase", "Turn", "Waive", "opened"]
