"""A fragment: one element whose id is its name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html

from tables.games.values.quick import quickly_made

from .rendering import blank, rendered_once

Fragments = dict[str, str]
"""Fragment id -> HTML."""

Context = dict[str, Any]
"""What a template is drawn from: whatever it asks for, by name."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Draft:
    """A fragment that is not drawn yet: a template, and all that it is drawn from, in the active language.

    Two that are equal look the same; so what one viewer sees in private is compared before it is drawn. One that many
    viewers share (`shared`; its values can be hashed) is drawn once for all of them. One that they share but for some
    texts has these in `filled`, by name (`rendering.blank`).
    """

    template: str
    context: Mapping[str, object]
    shared: bool = False
    filled: Mapping[str, str] = field(default_factory=dict)

    def html(self, language: str = "") -> str:
        """The fragment, in the active `language`."""
        if self.filled:
            return blank(self.template, tuple(self.filled), language, **self.context).fill(**self.filled)
        if self.shared:
            return rendered_once(self.template, language, **self.context)
        return render_to_string(self.template, dict(self.context))


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of the game with this slug, each by its short name."""

    game: str

    def fragment(self, name: str, **context: object) -> str:
        """One of them, drawn now."""
        return self.draft(name, **context).html()

    def same(self, name: str, **context: Hashable) -> str:
        """One of them that many viewers share, drawn once for all of them."""
        return self.shared(name, **context).html()

    def draft(self, name: str, **context: object) -> Draft:
        """One of them, to be drawn where it has changed."""
        return Draft(self._path(name), {"game": self.game, **context})

    def shared(self, name: str, **context: Hashable) -> Draft:
        """The same of one that many viewers share."""
        return Draft(self._path(name), {"game": self.game, **context}, shared=True)

    def _path(self, name: str) -> str:
        return f"games/{self.game}/_{name}.html"


def fragment(name: str, **context: object) -> str:
    """The fragment of templates/table/ of that name, in the active language."""
    return render_to_string(f"table/_{name}.html", context)


def fragment_once(name: str, language: str = "", /, **context: Hashable) -> str:
    """As `fragment`, of values that can be compared: most pushes change one spot and one seat, the rest is kept."""
    return rendered_once(f"table/_{name}.html", language, **context)


def live_fragment(base: str, version: str, now_ms: int) -> str:
    """The end of every message: the version before, the version after, and the house's time."""
    return format_html(
        '<div id="live" hx-swap-oob="true" hidden data-base="{}" data-version="{}" data-now="{}"></div>',
        base,
        version,
        now_ms,
    )
