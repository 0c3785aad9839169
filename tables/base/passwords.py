"""What the house asks of a password beside a length, and that it is none of the 20,000 commonest (Django's list).

No kind of character is asked for, and none forbidden (ASVS 6.2.5).
"""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.games import GAMES
from tables.models import Player

FEWEST_DIGITS = 12
"""A password of digits alone is guessed sooner: it is longer."""

FEWEST_OTHERS = 6
"""So many letters or digits must be left when the words that everybody tries first are taken out."""

HOUSE_WORDS = (
    *("macaufloor", "macau", "macao", "floor", "casino", "croupier", "dealer", "jackpot", "pitboss"),
    *("password", "passwort", "senha", "guest", "player", "staff"),
    *(word for game in GAMES for word in game.split("_")),
)
"""What somebody who guesses at a password of this house tries first (ASVS 6.2.11)."""

_NOT_SAID = re.compile(r"[\W_]+")


class LongIfDigits:
    """Refuses digits alone, unless they are many."""

    def validate(self, password: str, user: object = None) -> None:
        if password.isdigit() and len(password) < FEWEST_DIGITS:
            raise ValidationError(self.get_help_text(), code="password_of_few_digits")

    def get_help_text(self) -> str:
        return ngettext(
            "A password of digits alone has at least %(number)s digit.",
            "A password of digits alone has at least %(number)s digits.",
            FEWEST_DIGITS,
        ) % {"number": FEWEST_DIGITS}


class NoHouseWords:
    """Refuses what is made of the names of the house, of its games, or of the player."""

    def validate(self, password: str, user: object = None) -> None:
        words: tuple[str, ...] = HOUSE_WORDS
        if isinstance(user, Player):
            words += (user.username, user.name, *(user.email or "").split("@")[:1])
        left = _plain(password)
        for word in sorted((_plain(word) for word in words), key=len, reverse=True):
            if len(word) >= 3:
                left = left.replace(word, "")
        if len(left) < FEWEST_OTHERS and left != _plain(password):
            raise ValidationError(
                _("This password is made of names that everybody would try first: the house's, its games', your own."),
                code="password_of_house_words",
            )

    def get_help_text(self) -> str:
        return _("It is not made of names that everybody would try first: the house's, its games', your own.")


def _plain(text: str) -> str:
    return _NOT_SAID.sub("", text.casefold())
