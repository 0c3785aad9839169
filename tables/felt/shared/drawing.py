"""What the house draws beside its words: the pictures of its sprites, chips, and amounts with their sign."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from tables.felt.formatting import credits_in, in_chips
from tables.games.values.money import CREDIT

from .rendering import active_language


@lru_cache(maxsize=256)
def sprite(file: str, name: str, css: str) -> SafeString:
    """A drawing from one of our sprites, decorative: what it means stands beside it in words."""
    return format_html(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        css,
        static(f"svg/{file}.svg"),
        name,
    )


def colour_dots(colours: Iterable[int]) -> SafeString:
    """A dot in the colour of each of these bettors."""
    return mark_safe("".join([f'<i class="k{colour}"></i>' for colour in colours]))  # whole numbers


def amount(cents: int | None, how: str = "", language: str = "") -> SafeString:
    """Cents as an amount with the chip sign. `"exact"` always shows cents, `"signed"` shows a plus as well.

    The word that is heard but not seen follows the number: "1 credit", "2 credits".

    `language` is the active one, if it is known already.
    """
    return _amount(cents, how, language or active_language())


@lru_cache(maxsize=4096)
def _amount(cents: int | None, how: str, language: str) -> SafeString:
    if cents is None:
        return SafeString()
    number = credits_in(language, cents, exact=how in ("exact", "signed"))
    if how == "signed" and cents > 0:
        number = f"+{number}"
    before, after = _around_amounts(language, one=abs(cents) == CREDIT)
    return mark_safe(f"{before}{number}{after}")  # digits and what stands between them: nothing to escape


def amounts(least: int, most: int | None) -> SafeString:
    """From one amount to another, or from it on, with one chip sign and one word: "10 – 5,000 credits"."""
    language = active_language()
    before, after = _around_amounts(language, one=False)
    upto = "+" if most is None else f"– {credits_in(language, most)}"
    return mark_safe(f"{before}{credits_in(language, least)} {upto}{after}")


@lru_cache(maxsize=8)
def _around_amounts(language: str, *, one: bool) -> tuple[str, str]:
    """What stands before and after the number of every amount in this language, which is the active one; of `one`
    credit, or of any other number."""
    frame = format_html(
        '<span class="amount">{}<span class="amount__number">{}</span><span class="sr"> {}</span></span>',
        sprite("chips", "sign", "sign"),
        "|",
        ngettext("credit", "credits", 1 if one else 2),
    )
    before, _, after = frame.partition("|")
    return before, after


MOST_CHIPS = 9
"""More chips than this are not drawn in a stack; the written total tells the rest."""


@lru_cache(maxsize=1024)
def chips(cents: int) -> SafeString:
    """The chips of an amount as a dealer stacks them, the dearest below. Decorative: the total stands beside it."""
    return _stacked(tuple(in_chips(cents)[:MOST_CHIPS]))


@lru_cache(maxsize=1024)
def _stacked(stack: tuple[int, ...]) -> SafeString:
    if not stack:
        return mark_safe("")
    height = 22 + 5 * (len(stack) - 1)
    file = static("svg/chips.svg")
    discs = format_html_join(
        "",
        '<use href="{}#disc-{}" y="{}" width="40" height="22"/>',
        ((file, value, height - 22 - 5 * place) for place, value in enumerate(stack)),
    )
    return format_html(
        '<svg class="stack" viewBox="0 0 40 {0}" width="40" height="{0}" aria-hidden="true">{1}</svg>', height, discs
    )
