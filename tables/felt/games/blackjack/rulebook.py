"""What the page of rules has from Blackjack: the bank and a box, and what grows out of the main bet."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext

from tables.felt.formatting import number
from tables.felt.shared.rulebook import GrownBet, Pay, PicturedHand, RulebookOf, drawn_hands
from tables.games.blackjack.bets import (
    ANY_PAIR,
    BLACKJACK,
    EVEN,
    FIVE_CARDS,
    INSURANCE,
    OVER_UNDER,
    SEVENS,
    SPECIAL_PRIZE,
    TITLES,
)
from tables.games.blackjack.edges import insurance_edge
from tables.games.blackjack.options import Options
from tables.games.blackjack.view import View
from tables.games.contract.round import Spot

from .words import box_words, total_words


class BlackjackRulebook(RulebookOf[Options, View]):
    """The bank and the boxes that play."""

    def picture(self, view: View, place: str) -> str:
        return drawn_hands(_hands(view))

    def pays(self, options: Options, spot: Spot) -> tuple[Pay, ...]:
        match spot.name:
            case "main":
                return (
                    Pay("9", EVEN, gettext("nearer to 21 than the bank, or the bank is over 21")),
                    Pay("10(2)", BLACKJACK, gettext("a blackjack, and the bank has none")),
                )
            case "any_pair":
                return (Pay("14(1)", ANY_PAIR, gettext("for each pair")),)
            case "sevens":
                return tuple(Pay("14(2)", odds, _sevens(*which)) for which, odds in SEVENS.items())
            case _:
                return (Pay("14(3)", OVER_UNDER),)

    def grown(self, options: Options) -> list[GrownBet]:
        """What the options offer of it (10(3), 12, 15 to 19)."""
        half = gettext("half the stake is returned")
        found = [
            ("split", "16(1)", Pay("9", EVEN)),
            ("double", "17", Pay("9", EVEN)),
            ("insurance", "12", Pay("12(2)", INSURANCE, gettext("the bank has a blackjack"))),
            ("even_money", "10(3)", Pay("10(3)", EVEN)),
            ("surrender", "18(1)", Pay("18(1)", says=half)),
        ]
        if options.five_card_claim_offered:
            found.append(("five_card_claim", "19(1)", Pay("19(1)", FIVE_CARDS)))
        if options.special_prize_offered:
            words = gettext("6-7-8 of one suit, or three sevens")
            found.append(("special_prize", "15", Pay("15", SPECIAL_PRIZE, words)))
        edges = {"insurance": insurance_edge(options)}
        return [GrownBet(TITLES[name], article, (pay,), edge=edges.get(name)) for name, article, pay in found]


def _hands(view: View) -> Iterator[PicturedHand]:
    bank = view.bank
    total = "" if bank.total is None else gettext("Points: %(points)s") % {"points": number(bank.total)}
    yield PicturedHand(gettext("Bank"), tuple(card.face for card in bank.cards), total, places=2)
    for box in view.boxes:
        for hand in box.hands:
            total = "" if hand.total is None else total_words(hand.total, hand.soft)
            comes_to = gettext("Points: %(points)s") % {"points": total} if total else ""
            title = box_words(box.number, hand.number, len(box.hands))
            yield PicturedHand(title, tuple(card.face for card in hand.cards), comes_to)


def _sevens(many: int, of_one_suit: bool) -> str:
    if many == 2:
        return gettext("two sevens of one suit") if of_one_suit else gettext("two sevens")
    return gettext("three sevens of one suit") if of_one_suit else gettext("three sevens")
