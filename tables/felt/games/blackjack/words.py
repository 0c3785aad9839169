"""Boxes, totals and questions of Blackjack in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext

from tables.felt.formatting import listed, text_of
from tables.games.blackjack.phases import Asks
from tables.games.blackjack.view import HandView, Question, View


def total_words(total: int, soft: bool) -> str:
    """A total as the dealer calls it: soft while an ace counts 11 in it and a card could still be drawn (R31)."""
    return gettext("soft %(total)s") % {"total": total} if soft and total < 21 else str(total)


def box_words(number: int, hand: int | None = None, of: int = 1) -> str:
    """A box, and which of its hands where it has several."""
    if hand is None or of < 2:
        return gettext("Box %(box)s") % {"box": number}
    return gettext("Box %(box)s, hand %(hand)s") % {"box": number, "hand": hand + 1}


def asked_words(view: View, question: Question, names: Mapping[str, str]) -> str:
    """Who is asked what, as the dealer says it to all."""
    who = listed([names.get(key, "") for key in question.asked])
    box = next((box for box in view.boxes if box.number == question.box), None)
    values: dict[str, object] = {
        "name": who,
        "box": box_words(question.box or 0, question.hand, len(box.hands) if box is not None else 1),
        "decider": names.get(box.decider or "", "") if box is not None else "",
    }
    match question.asks:
        case Asks.EARLY:
            return gettext("Waiting for %(name)s") % values
        case Asks.TURN:
            return gettext("%(box)s, decision: %(name)s") % values
        case Asks.MATCH_DOUBLE:
            return gettext("%(box)s: %(decider)s doubles. Asked to follow: %(name)s") % values
        case Asks.MATCH_SPLIT:
            return gettext("%(box)s: %(decider)s splits. Asked to follow: %(name)s") % values
        case Asks.CLAIM:
            return gettext("%(box)s: five cards. Does %(name)s take the half?") % values


def automatic_words(question: Question) -> str:
    """What is done if the time runs out: announced before it happens."""
    if question.asks in (Asks.EARLY, Asks.MATCH_DOUBLE, Asks.MATCH_SPLIT):
        return text_of(question.automatic)  # it says so itself
    return gettext("If the time runs out: %(deed)s") % {"deed": text_of(question.automatic)}


def hand_of(view: View, box: int | None, number: int | None) -> HandView | None:
    hands = next((one.hands for one in view.boxes if one.number == box), ())
    return next((hand for hand in hands if hand.number == (number or 0)), None)
