"""Rendering of fragments that many viewers share byte for byte: once a language, then from memory.

At a change of phase hundreds of bettors get fragments of their own, and most of these are the same: an empty spot, no
decision, the same stake. What is kept holds nothing but text that whoever asks would have got anyhow.

Others are the same but for a few texts in them, such as a balance. Such a fragment is drawn once as a blank (`blank`),
with marks where those texts stand, and filled in for each viewer. Nothing of any viewer is kept with it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

MAX_FRAGMENTS_KEPT = 4096
"""So many fragments are kept; the oldest go first."""

_MARK = "\ufdd0{}\ufdd1"
"""Marks a text that is to be filled in, by its name. Unicode keeps these two characters out of every text."""

_MARKS = re.compile(_MARK.format(r"([\w-]+)"))


def mark(name: str) -> SafeString:
    """What stands in a drawing for the text of this name, which is filled in later (`Blank`)."""
    return mark_safe(_MARK.format(name))


def active_language() -> str:
    """The code of the active language; whoever draws many things asks once, as it is not quite cheap."""
    return get_language() or ""


def rendered_once(template: str, language: str = "", **context: Hashable) -> str:
    """As `render_to_string`, for a context of hashable values that says all there is to say.

    `language` is the active one, if it is known already.
    """
    return _rendered(language or active_language(), template, tuple(context.items()))


@lru_cache(MAX_FRAGMENTS_KEPT)
def _rendered(language: str, template: str, context: tuple[tuple[str, Hashable], ...]) -> str:
    return render_to_string(template, dict(context))


_SPECIAL = re.compile(r"[&<>\"']").search
"""Finds what HTML takes for something else; most texts have nothing of it, and are not escaped for nothing."""


class Blank:
    """A fragment that is drawn but for some texts: `fill` says them."""

    __slots__ = ("_pieces",)

    def __init__(self, drawn: str) -> None:
        self._pieces = _MARKS.split(drawn)  # text, name, text, name … text

    def fill(self, **texts: str) -> str:
        """The fragment with these texts, by name; escaped where they are not safe, as a template does."""
        pieces = self._pieces.copy()
        for at in range(1, len(pieces), 2):
            text = texts[pieces[at]]
            pieces[at] = escape(text) if _SPECIAL(text) and not isinstance(text, SafeString) else text
        return "".join(pieces)


def blank(template: str, names: tuple[str, ...], language: str = "", **context: Hashable) -> Blank:
    """The template drawn from `context` once for all, but for the texts of these names.

    The template prints those as they are, `{{ name }}`: it asks nothing of them and sends them through no filter.
    `language` is the active one, if it is known already.
    """
    return _blank(language or active_language(), template, names, tuple(context.items()))


@lru_cache(MAX_FRAGMENTS_KEPT)
def _blank(language: str, template: str, names: tuple[str, ...], context: tuple[tuple[str, Hashable], ...]) -> Blank:
    return Blank(render_to_string(template, {**dict(context), **{name: mark(name) for name in names}}))
