"""Boxes and questions of Stud Poker in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext

from tables.felt.formatting import listed, text_of
from tables.games.stud_poker.view import BoxView, Question, Standing


def box_words(number: int, name: str = "") -> str:
    """A box, and who plays it."""
    words = gettext("Box %(box)s") % {"box": number}
    return listed([words, name]) if name else words


def standing_words(box: BoxView) -> str:
    """Where a box stands, as a tag says it."""
    match box.standing:
        case Standing.EMPTY | Standing.STAKED:
            return ""
        case Standing.WAITS:
            return gettext("waits")
        case Standing.DECIDES:
            return gettext("decides")
        case Standing.DECIDED:
            return gettext("has decided")
        case Standing.RAISED | Standing.COMPARED:
            return gettext("raises")
        case Standing.FOLDED:
            return gettext("folds")


def asked_words(question: Question, names: Mapping[str, str]) -> list[str]:
    """Who is asked, as the dealer says it to all, and what is done if the time runs out."""
    if question.in_turn:
        name = names.get(question.asked[0], "")
        asked = gettext("%(box)s, decision: %(name)s") % {"box": box_words(question.boxes[0]), "name": name}
    else:
        asked = gettext("All decide at the same time, unseen by the others")
    return [asked, automatic_words(question)]


def automatic_words(question: Question) -> str:
    return gettext("If the time runs out: %(deed)s") % {"deed": text_of(question.automatic)}
