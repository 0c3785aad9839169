"""What the page of rules has from Stud Poker: the dealer's hand and one's own, and all that is posted at the table."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from tables.felt.formatting import credits_of, text_of
from tables.felt.shared.limits import Limits
from tables.felt.shared.rulebook import GrownBet, Pay, PicturedHand, RulebookOf, drawn_hands
from tables.games.contract.round import Spot
from tables.games.stud_poker.bets import ANTE, CAPPED, EVEN, JACKPOT, RAISE, RAISE_ARTICLES, RAISE_STAKE, TITLES
from tables.games.stud_poker.hands import TITLES as HANDS
from tables.games.stud_poker.hands import Rank
from tables.games.stud_poker.jackpot import ARTICLES, fixed_sum
from tables.games.stud_poker.options import Options
from tables.games.stud_poker.settling import raise_odds
from tables.games.stud_poker.view import View


class StudPokerRulebook(RulebookOf[Options, View]):
    """The dealer and the viewer's own box."""

    def picture(self, view: View, place: str) -> str:
        return drawn_hands(_hands(view))

    def pays(self, options: Options, spot: Spot) -> tuple[Pay, ...]:
        if spot.name == ANTE:
            return (
                Pay("9(2)", EVEN, gettext("the dealer has less than ace-king")),
                Pay("9(5)", EVEN, gettext("your hand is higher than the dealer's")),
            )
        return tuple(
            Pay(article, when=text_of(HANDS[rank]), says=_prize(options, rank)) for rank, article in ARTICLES.items()
        )

    def grown(self, options: Options) -> list[GrownBet]:
        """The raise, by the bettor's hand (9(5))."""
        most = credits_of(options.raise_payout_cap)
        pays = tuple(
            Pay(
                article,
                raise_odds(options, rank),
                text_of(HANDS[rank]),
                gettext("at most %(sum)s") % {"sum": most} if rank in CAPPED else "",
            )
            for rank, article in RAISE_ARTICLES.items()
        )
        limits = RAISE_STAKE.prize(options.min_ante), RAISE_STAKE.prize(options.max_ante)
        return [GrownBet(TITLES[RAISE], "6(6)", pays, limits)]

    def limits(self, options: Options, spot: Spot) -> Limits:
        """The jackpot stake is one fixed amount (5(2))."""
        if spot.name == JACKPOT:
            return options.jackpot_stake, options.jackpot_stake
        return super().limits(options, spot)


def _hands(view: View) -> Iterator[PicturedHand]:
    dealer = view.dealer
    comes_to = text_of(dealer.title) if dealer.title else ""
    yield PicturedHand(gettext("Dealer"), tuple(card.face for card in dealer.cards), comes_to, places=5)
    for box in view.boxes:
        if box.cards and view.mine is not None and box.bettor == view.mine.who:
            comes_to = text_of(box.title) if box.title else ""
            yield PicturedHand(gettext("Your hand"), tuple(card.face for card in box.cards), comes_to)


def _prize(options: Options, rank: Rank) -> str:
    words = {
        Rank.ROYAL_FLUSH: gettext("the whole jackpot, at least %(sum)s"),
        Rank.STRAIGHT_FLUSH: gettext("ten per cent of the jackpot, at least %(sum)s"),
    }
    return words.get(rank, "%(sum)s") % {"sum": credits_of(fixed_sum(options, rank))}
