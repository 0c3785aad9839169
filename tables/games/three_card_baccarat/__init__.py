"""3-Card Baccarat 三公百家樂, Portaria 22/96/M: the options, the opening of a round, the game."""

from collections.abc import Mapping

from tables.games.contract.actions import (
    CloseBets,
    Cut,
    Decline,
    DrawCard,
    GiveBack,
    Leave,
    Lower,
    Move,
    Ready,
    Settle,
    Sit,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.game import GameOf, ShoeRules
from tables.games.contract.round import Opening
from tables.games.values.expectation import Edge
from tables.games.values.words import Words, say

from .articles import ARTICLES
from .bets import SPOTS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import Phase, Reveal
from .round import ThreeCardRound, opened
from .view import View, view_of


class ThreeCardBaccarat(GameOf[Options, ThreeCardRound, View]):
    """3-Card Baccarat 三公百家樂, Portaria 22/96/M."""

    slug = "three_card_baccarat"
    title = say("3-Card Baccarat")
    regulation = "22/96/M"
    editions = EDITIONS
    options = Options
    deeds = (Withdraw, Lower, Move, Ready, Cut, Decline)
    steps = (Sit, Leave, GiveBack, CloseBets, DrawCard, WhiteCard, Reveal, Settle, Void)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    dealt_unstaked = False

    def opened(self, options: Options, opening: Opening) -> ThreeCardRound:
        return opened(options, opening)

    def view(self, round_: ThreeCardRound, who: str | None) -> View:
        return view_of(round_, who)

    def edges(self, options: Options) -> Mapping[str, Edge]:
        return edges(options)

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: a box of one deck for one round (3(2)), or a shoe with its second white card (2(1))."""
        if options.has_box:
            return ShoeRules(options.decks, every_round=True)
        return ShoeRules(options.decks, every_round=options.fresh_pack, white_depth=options.white_card_depth)

    def seating(self, round_: ThreeCardRound) -> Mapping[str, int]:
        """Who occupies a place for their bets: whoever has gone while they lay there, and nobody has taken it, does."""
        return round_.occupants

    def in_box(self, bet: Words, place: int) -> Words:
        """A bet and the place of the layout that it lies on."""
        return say("%(bet)s, place %(place)s", bet=bet, place=place)


GAME = ThreeCardBaccarat()

__all__ = ["GAME", "Options", "Phase", "Reveal", "ThreeCardRound", "opened"]
