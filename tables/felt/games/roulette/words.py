"""Numbers and their colours in words."""

from __future__ import annotations

from django.utils.translation import gettext

from tables.games.roulette.wheel import colour_of


def colour_words(number_: int) -> str:
    """The colour of a pocket."""
    return {"red": gettext("red"), "black": gettext("black"), "green": gettext("green")}[colour_of(number_)]


def number_words(number_: int) -> str:
    """A number with its colour: "17 black"."""
    return gettext("%(number)s %(colour)s") % {"number": number_, "colour": colour_words(number_)}
