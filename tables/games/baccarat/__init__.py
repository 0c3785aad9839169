"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

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
from tables.games.contract.game import GameOf, Imbalance, ShoeRules
from tables.games.contract.round import Opening
from tables.games.values.expectation import Edge
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
    deeds = (Withdraw, Lower, Move, Ready, Cut, Decline, Turn, Waive, PassHand)
    steps = (Sit, Leave, GiveBack, CloseBets, DrawCard, WhiteCard, Settle, Void)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES

    def opened(self, options: Options, opening: Opening) -> BaccaratRound:
        return opened(options, opening)

    def view(self, round_: BaccaratRound, who: str | None) -> View:
        return view_of(round_, who)

    def edges(self, options: Options) -> Mapping[str, Edge]:
        return edges(options)

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
