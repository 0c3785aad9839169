"""3-Card Baccarat 三公百家樂, Portaria 22/96/M: the options, the opening of a round, the game."""

from collections.abc import Mapping

from tables.games.protocol import (
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    Game,
    GiveBack,
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
from tables.games.words import Words, say

from .articles import ARTICLES
from .bets import SPOTS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Phase, Reveal
from .round import ThreeCardRound, opened


def shoe_rules(options: Options) -> ShoeRules:
    """The pack: a box of one deck for one round (3(2)), or a shoe with its second white card (2(1))."""
    if options.has_box:
        return ShoeRules(options.decks, every_round=True)
    return ShoeRules(options.decks, every_round=options.fresh_pack, white_depth=options.white_card_depth)


def seating(round_: ThreeCardRound) -> Mapping[str, int]:
    """Who occupies a place for his bets: whoever has gone while they lay there, and nobody has taken it, does."""
    return round_.occupants


def at_place(bet: Words, place: int) -> Words:
    """A bet and the place of the layout that it lies on."""
    return say("%(bet)s, place %(place)s", bet=bet, place=place)


GAME = Game(
    slug="three_card_baccarat",
    title=say("3-Card Baccarat"),
    regulation="22/96/M",
    editions=EDITIONS,
    options=Options,
    opened=opened,
    deeds=(Withdraw, Lower, Move, Ready, Cut, Decline),
    steps=(Sit, Leave, GiveBack, CloseBets, DrawCard, WhiteCard, Reveal, Settle, Void),
    articles=ARTICLES,
    spots=SPOTS,
    edges=edges,
    shoe=shoe_rules,
    dealt_unstaked=False,
    seating=seating,
    in_box=at_place,
    irregularities=IRREGULARITIES,
)

__all__ = ["GAME", "Options", "Phase", "Reveal", "ThreeCardRound", "opened"]
