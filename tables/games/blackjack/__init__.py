"""Blackjack 二十一點, External Regulatory Order 56/2004: the options, the opening of a round, the game."""

from collections.abc import Mapping, Sequence

from tables.games.contract.actions import ALWAYS, CARDS, CUTTING, Lower, Ready, Withdraw
from tables.games.contract.game import GameOf, ShoeRules
from tables.games.values.cards import Card
from tables.games.values.words import say

from .articles import ARTICLES
from .bets import SPOTS
from .betting import is_sold
from .deciding import BlackjackDecisions
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options, SharedBox
from .phases import DEEDS, STEPS, Phase
from .round import BlackjackRound, opened
from .view import View, view_of


class Blackjack(GameOf[Options, BlackjackRound, View]):
    """Blackjack 二十一點, External Regulatory Order 56/2004."""

    slug = "blackjack"
    title = say("Blackjack")
    regulation = "56/2004"
    in_force = IN_FORCE
    options = Options
    deeds = (Withdraw, Lower, Ready, *CUTTING, *DEEDS)
    steps = (*ALWAYS, *CARDS, *STEPS)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    fresh_cards_article = "2(2)(2)"
    decisions = BlackjackDecisions()
    dealt_unstaked = False
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    is_sold = staticmethod(is_sold)

    def lowered_at_once(self, options: Options) -> Mapping[str, str]:
        """Where at most three bet on a box the director of the room may lower their number (20(1)(2))."""
        return {"max_bettors_per_box": "20(1)(2)"} if options.shared_box_rule is SharedBox.SEATED_OR_NEAREST else {}

    def hands(self, round_: BlackjackRound) -> Mapping[str, Sequence[Card]]:
        """The bank's cards, and those of each box, however they were split."""
        return {**{f"box {box.number}": box.dealt for box in round_.boxes}, "bank": round_.bank}

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: the machine (2(2)(4)), one deck a round (2(2)(3), R3), or a shoe with its second white card."""
        if options.by_machine:
            return ShoeRules(options.decks, every_round=True, machine=True)
        if options.fresh_pack:
            return ShoeRules(options.decks, every_round=True)
        return ShoeRules(options.decks, white_depth=options.cut_card_depth)


GAME = Blackjack()

__all__ = ["GAME", "BlackjackRound", "Options", "Phase", "opened"]
