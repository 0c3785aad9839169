"""A card that is being peeled, drawn and in words: made of its bend alone, which is what everybody sees of it."""

from __future__ import annotations

from collections.abc import Mapping

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from tables.felt.formatting import suit_name
from tables.games import GAMES
from tables.games.shared.squeeze import HEIGHT, Bend, Edge, Pip, bends
from tables.queries.table import TableState


def bends_of(state: TableState) -> Mapping[str, Bend]:
    """What everybody sees of the cards that are peeled at this table now, by the names of their places."""
    if state.round is None or not state.peels:
        return {}
    return bends(GAMES[state.game].peels(state.round, None), state.peels)


def bend_words(bend: Bend) -> str:
    """A card that is peeled, for whoever does not see it."""
    seen = _seen_words(bend)
    match bend.edge:
        case Edge.SHORT:
            return gettext("a card face down, peeled from its short side: %(seen)s") % {"seen": seen}
        case Edge.LONG:
            return gettext("a card face down, peeled from its long side: %(seen)s") % {"seen": seen}
        case Edge.CORNER:
            return gettext("a card face down, peeled from its corner: %(seen)s") % {"seen": seen}


def _seen_words(bend: Bend) -> str:
    if bend.framed:
        return gettext("the frame of a picture")
    if not bend.pips:
        return gettext("no pip so far")
    pips = len(bend.pips)
    return ngettext("%(pips)s pip of %(suit)s", "%(pips)s pips of %(suit)s", pips) % {
        "pips": pips,
        "suit": suit_name(bend.pips[0].suit),
    }


PIP_SIZE = 20


def drawn_bend(bend: Bend) -> SafeString:
    """The part of the card that is bent over, with what it shows. The stylesheet folds it; the back lies beneath it."""
    file = static("svg/cards.svg")
    return format_html(
        '<span class="bend"><svg viewBox="0 0 100 140" aria-hidden="true"><rect class="bend__paper" x=".75" y=".75"'
        ' width="98.5" height="138.5" rx="8"/>{}{}<rect class="bend__finger" x="79" y="86" width="44" height="46"'
        ' rx="17"/><rect class="bend__nail" x="83" y="99" width="13" height="20" rx="6"/></svg></span>',
        mark_safe('<rect class="bend__frame" x="27" y="10.5" width="46" height="119" rx="3"/>') if bend.framed else "",
        format_html_join("", '<use href="{}#pip-{}" x="{}" y="{}" width="{}" height="{}"{}/>', (
            (file, pip.suit, pip.x - PIP_SIZE // 2, pip.y - PIP_SIZE // 2, PIP_SIZE, PIP_SIZE, _on_its_head(pip))
            for pip in bend.pips
        )),
    )  # fmt: skip


def _on_its_head(pip: Pip) -> SafeString:
    """In the lower half of a card a pip stands on its head."""
    return format_html(' transform="rotate(180 {} {})"', pip.x, pip.y) if pip.y > HEIGHT / 2 else mark_safe("")
