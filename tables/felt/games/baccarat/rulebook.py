"""What the page of rules has from Baccarat: both hands, and what the alternatives of article 18 pay."""

from __future__ import annotations

from django.utils.translation import gettext

from tables.felt.formatting import text_of
from tables.felt.shared.rulebook import Pay, PicturedHand, RulebookOf, drawn_hands
from tables.games.baccarat.bets import BANKER_SIX, COMMISSION_PERCENT, LUCKY_SIX
from tables.games.baccarat.options import CommissionMode, Options
from tables.games.baccarat.view import View
from tables.games.contract.round import Spot


class BaccaratRulebook(RulebookOf[Options, View]):
    """Player and Banker."""

    def picture(self, view: View, place: str) -> str:
        return drawn_hands(
            PicturedHand(
                text_of(hand.title),
                tuple(card.face for card in hand.cards),
                "" if hand.total is None else gettext("Points: %(points)s") % {"points": hand.total},
                places=2,
            )
            for hand in (view.player, view.banker)
        )

    def pays(self, options: Options, spot: Spot) -> tuple[Pay, ...]:
        match spot.name:
            case "player":
                return (Pay("17", spot.odds[0]),)
            case "banker" if options.commission_mode is CommissionMode.FIVE_PERCENT:
                return (Pay("18(1)", spot.odds[0], commission=COMMISSION_PERCENT),)
            case "banker":
                return (
                    Pay("18(2)", spot.odds[0], gettext("the Banker wins, but not with 6")),
                    Pay("18(2)", BANKER_SIX, gettext("the Banker wins with 6")),
                )
            case "lucky_six":
                return (
                    Pay("17(5)", LUCKY_SIX[2], gettext("with two cards")),
                    Pay("17(5)", LUCKY_SIX[3], gettext("with three cards")),
                )
            case _:
                return super().pays(options, spot)
