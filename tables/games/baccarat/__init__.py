"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

from tables.games.contract.actions import ALWAYS, CARDS, CHANGES, CUTTING, GiveBack
from tables.games.contract.game import GameOf, Imbalance, ShoeRules
from tables.games.values.words import say

from . import betting
from .articles import ARTICLES
from .bets import SPOTS
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import EDITIONS, Options
from .phases import PassHand, Phase, Turn, Waive
from .round import BaccaratRound, opened
from .view import View, view_of


class Baccarat(GameOf[Options, BaccaratRound, View]):
    """Baccarat 百家樂, External Regulatory Dispatch 55/2004."""

    slug = "baccarat"
    title = say("Baccarat")
    regulation = "55/2004"
    editions = EDITIONS
    options = Options
    deeds = (*CHANGES, *CUTTING, Turn, Waive, PassHand)
    steps = (*ALWAYS, GiveBack, *CARDS)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: a shoe with its white card (2(1)), or the machine, which shuffles all of it every round (7(2))."""
        if options.by_machine:
            return ShoeRules(options.decks, every_round=True, machine=True)
        return ShoeRules(options.decks, white_depth=options.cut_card_depth)

    def imbalance(self, round_: BaccaratRound) -> Imbalance | None:
        """How far Banker and Player are apart, and how far they may be (14)."""
        return betting.imbalance(round_.options, round_.layout, round_.trims)


GAME = Baccarat()

__all__ = ["GAME", "BaccaratRound", "Options", "PassHand", "Phase", "Turn", "Waive", "opened"]
