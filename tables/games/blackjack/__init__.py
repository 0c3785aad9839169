"""Blackjack 二十一點, External Regulatory Order 56/2004: the options, the opening of a round, the game."""

from tables.games.protocol import (
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    Game,
    Leave,
    Lower,
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
from .deciding import DECISIONS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import (
    Claim,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Overdraw,
    Pass,
    Pay,
    Phase,
    Proceed,
    Split,
    Stand,
    Surrender,
    TurnHole,
)
from .round import BlackjackRound, opened


def shoe_rules(options: Options) -> ShoeRules:
    """The pack: the machine (2(2)(4)), one deck for one round (2(2)(3), R3), or a shoe with its second white card."""
    if options.by_machine:
        return ShoeRules(options.decks, every_round=True, machine=True)
    if options.fresh_pack:
        return ShoeRules(options.decks, every_round=True)
    return ShoeRules(options.decks, white_depth=options.cut_card_depth)


GAME = Game(
    slug="blackjack",
    title=say("Blackjack"),
    regulation="56/2004",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(
        *(Withdraw, Lower, Ready, Cut, Decline),
        *(Insurance, EvenMoney, Surrender),
        *(Hit, Stand, Double, Split, Match, Claim, Pass, Follow),
    ),
    steps=(Sit, Leave, CloseBets, DrawCard, WhiteCard, Proceed, Pay, TurnHole, Overdraw, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    shoe=shoe_rules,
    decisions=DECISIONS,
    dealt_unstaked=False,
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "BlackjackRound", "Options", "Phase", "opened"]
