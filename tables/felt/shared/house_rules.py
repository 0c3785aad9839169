"""The options of a table in words: shared by all felts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from tables.felt.formatting import listed, text_of
from tables.games.shared.options import options_of

UNSAID = frozenset({"edition", "min_bet", "max_bet"})
"""Options that the felt itself shows, or that tell a player nothing."""


def span(options: Any) -> tuple[int, int | None]:
    """The lowest minimum and the highest maximum of all bets, in cents: between them lie the chips of the tray."""
    return _least(options.min_bet), _most(options.max_bet)


def _least(limit: Any) -> int:
    return min((amount for _, amount in limit), default=0) if isinstance(limit, tuple) else limit


def _most(limit: Any) -> int | None:
    return max((amount for _, amount in limit), default=None) if isinstance(limit, tuple) else limit


def house_rules(
    options: Any, unsaid: Collection[str] = (), written: Mapping[str, Callable[[Any], str]] | None = None
) -> list[tuple[str, str, str]]:
    """What each option is about, what the house has chosen, and the article.

    Those in `unsaid` are left out, and those that are none; `written` says how some values are written.
    """
    told = []
    for name, about in options_of(type(options)).items():
        value = getattr(options, name)
        if name in UNSAID or name in unsaid or value is None:
            continue
        text = written[name](value) if written and name in written else _in_words(value, about.values)
        told.append((text_of(about.says), text, about.article))
    return told


def _in_words(value: Any, values: Any) -> str:
    if isinstance(value, frozenset):
        return listed([_in_words(one, values) for one in values if one in value]) or gettext("none")
    if isinstance(values, Mapping):
        return text_of(values[value])
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, Fraction):
        return "½" if value == Fraction(1, 2) else str(value)
    return str(value)
