"""3-Card Baccarat 三公百家樂, Portaria 22/96/M: the options, the opening of a round, the game."""

from collections.abc import Mapping, Sequence

from tables.games.contract.actions import ALWAYS, CARDS, CHANGES, CUTTING, GiveBack
from tables.games.contract.game import GameOf, ShoeRules
from tables.games.values.cards import Card
from tables.games.values.words import Words, say

from .articles import ARTICLES
from .bets import SPOTS
from .betting import is_sold
from .edges import edges
from .hands import BANKER
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options
from .phases import Phase, Reveal
from .round import ThreeCardRound, opened
from .view import View, view_of


class ThreeCardBaccarat(GameOf[Options, ThreeCardRound, View]):
    """3-Card Baccarat 三公百家樂, Portaria 22/96/M."""

    slug = "three_card_baccarat"
    title = say("3-Card Baccarat")
    regulation = "22/96/M"
    in_force = IN_FORCE
    options = Options
    deeds = (*CHANGES, *CUTTING)
    steps = (*ALWAYS, GiveBack, *CARDS, Reveal)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    fresh_cards_article = "3(1)"
    dealt_unstaked = False
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    is_sold = staticmethod(is_sold)

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: a box of one deck for one round (3(2)), or a shoe with its second white card (2(1))."""
        if options.has_box:
            return ShoeRules(options.decks, every_round=True)
        return ShoeRules(options.decks, every_round=options.fresh_pack, white_depth=options.white_card_depth)

    def hands(self, round_: ThreeCardRound) -> Mapping[str, Sequence[Card]]:
        """The banker's cards, and those of each place that is played."""
        return {
            f"place {place}" if place != BANKER else "banker": [card for card, _ in round_.dealt_to(place)]
            for place in (*round_.places, BANKER)
        }

    def seating(self, round_: ThreeCardRound) -> Mapping[str, int]:
        """Who occupies a place for their bets: whoever has gone while they lay there, and nobody has taken it, does."""
        return round_.occupants

    def in_box(self, bet: Words, place: int) -> Words:
        """A bet and the place of the layout that it lies on."""
        return say("%(bet)s, place %(place)s", bet=bet, place=place)


GAME = ThreeCardBaccarat()

__all__ = ["GAME", "Options", "Phase", "Reveal", "ThreeCardRound", "opened"]
