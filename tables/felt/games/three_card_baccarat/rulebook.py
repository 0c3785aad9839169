"""What the page of rules has from 3-Card Baccarat: the banker's hand and one's own, and the commission."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from tables.felt.formatting import text_of
from tables.felt.shared.rulebook import Pay, PicturedHand, RulebookOf, drawn_hands
from tables.games.contract.round import Spot
from tables.games.three_card_baccarat.bets import COMMISSION_PERCENT, WITH_COMMISSION
from tables.games.three_card_baccarat.options import Options
from tables.games.three_card_baccarat.view import HandView, View


class ThreeCardRulebook(RulebookOf[Options, View]):
    """The banker and the viewer's own place."""

    def picture(self, view: View, place: str) -> str:
        return drawn_hands(_hands(view))

    def pays(self, options: Options, spot: Spot) -> tuple[Pay, ...]:
        if spot.name in WITH_COMMISSION:
            return (Pay("10", spot.odds[0], commission=COMMISSION_PERCENT),)
        return super().pays(options, spot)


def _hands(view: View) -> Iterator[PicturedHand]:
    yield _pictured(gettext("The banker"), view.banker, places=3)
    for place in view.places:
        if place.hand.cards and view.mine is not None and place.number == view.mine.place:
            yield _pictured(gettext("Your hand"), place.hand)


def _pictured(title: str, hand: HandView, places: int = 0) -> PicturedHand:
    comes_to = text_of(hand.title) if hand.title else ""
    return PicturedHand(title, tuple(card.face for card in hand.cards), comes_to, places)
