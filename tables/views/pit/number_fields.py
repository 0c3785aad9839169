"""Numbers in the forms of the pit: written with the digits 0 to 9, within bounds.

Python and Django would also take `٣`, `1_000` and `1e5` for numbers: what a member typed must be what everybody reads.
"""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

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


def _check(pattern: re.Pattern[str], value: object, words: str) -> None:
    """Raise ValidationError unless what was typed, if anything, is written so."""
    typed = str(value).strip() if value is not None else ""
    if typed and pattern.fullmatch(typed) is None:
        raise ValidationError(words)
