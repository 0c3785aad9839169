"""Baccarat 百家樂, External Regulatory Dispatch 55/2004: the options, the opening of a round, the game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tables.games.contract.actions import ALWAYS, CARDS, CHANGES, CUTTING, GiveBack
from tables.games.contract.errors import OptionError
from tables.games.contract.game import GameOf, Imbalance, ShoeRules
from tables.games.shared.limits import least_above
from tables.games.shared.options import amount_for
from tables.games.values.cards import Card
from tables.games.values.words import Amount, Words, say

from . import betting
from .articles import ARTICLES
from .bets import SPOTS
from .coup import Hand
from .edges import edges
from .irregularities import IRREGULARITIES
from .options import IN_FORCE, Options
from .phases import PassHand, Phase, Turn, Waive
from .round import BaccaratRound, opened
from .squeezing import peels, seconds
from .view import View, view_of

MAIN = ("player", "banker")
"""The two sides of article 14."""


class Baccarat(GameOf[Options, BaccaratRound, View]):
    """Baccarat 百家樂, External Regulatory Dispatch 55/2004."""

    slug = "baccarat"
    title = say("Baccarat")
    regulation = "55/2004"
    in_force = IN_FORCE
    options = Options
    deeds = (*CHANGES, *CUTTING, Turn, Waive, PassHand)
    steps = (*ALWAYS, GiveBack, *CARDS)
    articles = ARTICLES
    spots = SPOTS
    irregularities = IRREGULARITIES
    fresh_cards_article = "3(2)"
    squeeze_article = "16(2)"
    beside_records = frozenset({"squeeze", "squeeze_seconds"})
    opened = staticmethod(opened)
    view = staticmethod(view_of)
    edges = staticmethod(edges)
    seconds = staticmethod(seconds)
    peels = staticmethod(peels)
    is_sold = staticmethod(betting.is_sold)

    def shoe(self, options: Options) -> ShoeRules:
        """The pack: a shoe with its white card (2(1)), or the machine, which shuffles all of it every round (7(2))."""
        if options.by_machine:
            return ShoeRules(options.decks, every_round=True, machine=True)
        return ShoeRules(options.decks, white_depth=options.cut_card_depth)

    def hands(self, round_: BaccaratRound) -> Mapping[str, Sequence[Card]]:
        """The two hands."""
        return {hand: round_.coup.of(hand) for hand in Hand}

    def for_a_table(self, options: Options) -> Options:
        """A table limits the difference (14): to its highest main-bet maximum, unless the house says another limit.
        Raises OptionError for one under which nobody could ever lay the first stake."""
        least = min(least_above(options.min_bet, spot) for spot in MAIN)
        if options.imbalance_limit is not None and options.imbalance_limit < least:
            raise OptionError(
                say(
                    "With a difference of at most %(limit)s nobody could lay the minimum of %(least)s.",
                    limit=Amount(options.imbalance_limit),
                    least=Amount(least),
                )
            )
        highest = [amount_for(options.max_bet, spot) for spot in MAIN]
        amounts = [most for most in highest if most is not None]
        if options.imbalance_limit is not None or len(amounts) < len(highest):
            return options
        return replace(options, imbalance_limit=max(amounts))

    def cautions(self, options: Options) -> Sequence[Words]:
        """A difference below the maximum of a main bet: that maximum can be laid against the other side only."""
        most = max((amount_for(options.max_bet, spot) or 0 for spot in MAIN), default=0)
        if options.imbalance_limit is None or options.imbalance_limit >= most:
            return ()
        return (
            say(
                "The difference is limited to %(limit)s: a stake of the maximum of %(most)s can only lie against "
                "stakes on the other side.",
                limit=Amount(options.imbalance_limit),
                most=Amount(most),
            ),
        )

    def imbalance(self, round_: BaccaratRound) -> Imbalance | None:
        """How far Banker and Player are apart, and how far they may be (14)."""
        return betting.imbalance(round_.options, round_.layout, round_.trims)


GAME = Baccarat()

__all__ = ["GAME", "BaccaratRound", "Options", "PassHand", "Phase", "Turn", "Waive", "opened"]
