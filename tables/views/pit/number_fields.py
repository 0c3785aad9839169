"""Numbers in the forms of the pit: written with the digits 0 to 9, within bounds.

Python and Django would also take `٣`, `1_000` and `1e5` for numbers: what a member typed must be what everybody reads.
"""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tables.games.values.money import CREDIT

MOST_ID = 10**18 - 1
"""No row has a larger number; more digits do not fit into a column."""

_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_CREDITS = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,2})?", re.ASCII)


class WholeNumber(forms.IntegerField):
    """A whole number in plain digits, at most 18 of them."""

    def to_python(self, value: object) -> int | None:
        _check(_WHOLE, value, _("Write a whole number with the digits 0 to 9 alone."))
        read: int | None = super().to_python(value)
        return read


class Credits(forms.DecimalField):
    """An amount of credits in plain digits, with two decimals at most."""

    def to_python(self, value: object) -> Any:
        _check(_CREDITS, value, _("Write an amount with the digits 0 to 9, such as 250 or 25.50."))
        return super().to_python(value)


def cents_in(text: str) -> int | None:
    """Whole credits as they are typed, in cents; None where nothing is. Raises ValueError."""
    text = text.strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 13):
        raise ValueError(f"{text} is no number")
    return int(text) * CREDIT if text else None


_SECONDS = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,3}))?")


def milliseconds(text: str) -> int:
    """Seconds as they are typed, in milliseconds. Raises ValueError."""
    found = _SECONDS.fullmatch(text)
    if found is None:
        raise ValueError(f"{text} is no number of seconds")
    return int(found[1]) * 1000 + int((found[2] or "0").ljust(3, "0"))


def _check(pattern: re.Pattern[str], value: object, words: str) -> None:
    """Raise ValidationError unless what was typed, if anything, is written so."""
    typed = str(value).strip() if value is not None else ""
    if typed and pattern.fullmatch(typed) is None:
        raise ValidationError(words)
