"""Stud Poker 聯獎撲克, External Regulatory Dispatch 61/2004 (and 69/2003 before it): options, opening, the game."""

from collections.abc import Mapping, Sequence

from tables.games.contract.actions import ALWAYS, Cut, DrawCard, Lower, Meter, Ready, Refund, Withdraw
from tables.games.contract.game import GameOf, PoolRules, ShoeRules
from tables.games.values.cards import Card
from tables.games.values.words import say

from .articles import ARTICLES, EARLIER
from .bets import ANTE, RAISE, SPOTS, TITLES
from .betting import check_carried
from .dealing import DEALER
from .deciding import StudPokerDecisions
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options, Shuffle
from .phases import Award, Compare, Fold, Misdeal, Phase, Proceed, Raise, Turn
from .round import StudPokerRound, opened, public_result
from .view import View, view_of


class StudPoker(GameOf[Options, StudPokerRound, View]):
    """Stud Poker 聯獎撲克, External Regulatory Dispatch 61/2004 (and 69/2003 before it)."""

    slug = "stud_poker"
    title = say("Stud Poker")
    regulation = "61/2004"
    in_force = IN_FORCE
    options = Options
    deeds = (Withdraw, Lower, Ready, Raise, Fold)
    steps = (*ALWAYS, Cut, Meter, Refund, DrawCard, Misdeal, Proceed, Turn, Compare, Award)
    articles = ARTICLES
    earlier_articles = EARLIER
    spots = SPOTS
    irregularities = IRREGULARITIES
    decisions = StudPokerDecisions()
    dealt_unstaked = False
    unrecorded = "12(1)"
    private_hands = True
    grown = {RAISE: TITLES[RAISE]}
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    check_carried = staticmethod(check_carried)
    public_result = staticmethod(public_result)

    def sold(self, options: Options) -> tuple[str, ...]:
        """The ante alone: the jackpot stake is one fixed amount, and a raise grows out of the ante."""
        return (ANTE,)

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: one deck, fresh for every round, from the shoe or the shuffler (1, 3)."""
        return ShoeRules(1, every_round=True, machine=options.shuffle_method is Shuffle.SHUFFLER)

    def hands(self, round_: StudPokerRound) -> Mapping[str, Sequence[Card]]:
        """The dealer's cards, and those of each box with an ante."""
        deal = round_.deal
        places = deal.places if deal is not None else ()
        return {
            f"box {place}" if place != DEALER else "dealer": deal.hand(place) for place in places if deal is not None
        }

    def pool(self, options: Options) -> PoolRules:
        """The progressive jackpot: tables of one jackpot have the same stake, contribution and prizes (5(2), 10)."""
        return PoolRules(
            options.jackpot_minimum,
            (
                options.jackpot_stake,
                options.jackpot_contribution,
                options.jackpot_fixed_royal_flush,
                options.jackpot_fixed_straight_flush,
                options.jackpot_fixed_four_of_a_kind,
                options.jackpot_fixed_full_house,
                options.jackpot_fixed_flush,
                options.fixed_prizes_reduce_pool,
            ),
        )


GAME = StudPoker()

__all__ = ["GAME", "Options", "Phase", "StudPokerRound", "opened"]
