"""`{% load floor %}`: amounts, odds, articles, sentences, cards, chips and icons, one helper each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from tables.felt import formatting, rules
from tables.felt.games import FELTS
from tables.felt.shared import drawing, squeeze
from tables.games import GAMES
from tables.games.contract.game import in_box as called_in_box
from tables.games.shared.squeeze import Bend
from tables.games.values.cards import Card
from tables.games.values.cards import card as card_named
from tables.games.values.money import Odds
from tables.games.values.words import Words
from tables.models import Event
from tables.services.journal.events import reason_of

register = template.Library()


@register.filter
def baize(game: str) -> str:
    """The colour of a game's cloth; where there is no game, that of the house."""
    return FELTS[game].baize if game else "slate"


@register.filter
def deals_cards(game: str) -> bool:
    """Whether cards come to the felt of this game."""
    return not GAMES[game].throws


@register.simple_tag
def game_sheets(game: str) -> SafeString:
    """Links to the sheets of a game: that of its last results, and its own."""
    return _sheets([*_road_sheets([game]), f"css/games/{game}.css"])


@register.simple_tag
def road_sheets(games: Iterable[tuple[str, object]]) -> SafeString:
    """Links to the sheets with which the last results of these games are drawn; of each its slug, and its title."""
    return _sheets(_road_sheets(slug for slug, _ in games))


def _road_sheets(games: Iterable[str]) -> list[str]:
    return [f"css/games/{game}-road.css" for game in games if FELTS[game].has_road]


def _sheets(names: Iterable[str]) -> SafeString:
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', ((static(name),) for name in names))


# ── Amounts and words ───────────────────────────────────────────────────────────────────────────────────────

amount = register.filter(drawing.amount)
amount_to = register.filter("amount_to", drawing.amounts)
spoken_credits = register.filter(formatting.spoken_credits)
number = register.filter(formatting.number)
listed = register.filter(formatting.listed)
sentence = register.filter(formatting.sentence)
in_every_language = register.filter(formatting.in_every_language)
anchor = register.filter(rules.anchor)
mark = register.simple_tag(formatting.mark)
macau_time = register.simple_tag(formatting.macau_time)
chips = register.simple_tag(drawing.chips)
"""Written in templates as everywhere else."""


@register.filter
def credits_of(cents: int | None) -> str:
    """Cents as a bare number of credits, for attributes and places where the sign is written once."""
    return "" if cents is None else formatting.credits_of(cents)


@register.filter
def odds(value: Odds | tuple[Odds, ...]) -> str:
    """ "8 to 1"; of several, each after the other."""
    several = (value,) if isinstance(value, Odds) else value
    return " / ".join(formatting.odds_of(one) for one in several)


@register.filter
def words(value: Words | str | None) -> str:
    """A sentence of the rules in the active language."""
    if value is None:
        return ""
    return formatting.text_of(value) if isinstance(value, Words) else value


@register.filter
def reason(event: Event) -> str:
    """Why something was done: in the words of whoever did it, or of the house in the active language."""
    return str(words(reason_of(event)))


@register.filter
def in_box(title: Words, box: int | None) -> str:
    """The name of a bet, and of the box if it belongs to one."""
    return formatting.text_of(title if not box else called_in_box(title, box))


@register.filter
def bdi(name: object) -> SafeString:
    """Somebody's name, in whatever direction its letters run: what stands around it keeps its own."""
    return format_html("<bdi>{}</bdi>", name)


@register.simple_tag(takes_context=True)
def article(context: Context, number: str, game: str = "") -> SafeString:
    """The citation of an article, or of a ruling of ours. Pressed, it says what that says and leads to the page of the
    rules (page.js); no link, as it may stand in a button. Empty for no article.

    It says it in the words of the edition that the context tells of, else in those of the newest."""
    if not number:
        return mark_safe("")
    known = GAMES[game].articles_of(_edition(context)).get(number) if game in GAMES else None
    cited = formatting.article_of(number, known)
    if known is None:
        return format_html('<cite class="article">{}</cite>', cited)
    return format_html(
        '<cite class="article{}"><span role="button" tabindex="0" aria-haspopup="dialog" data-rule="{}/#{}" title="{}">'
        "{}</span></cite>",
        "" if known.law else " article--ours",
        game,
        rules.anchor(number),
        formatting.text_of(known.says),
        cited,
    )


def _edition(context: Context) -> str:
    """The edition under which what is drawn was played: as such, of the state of a table, of a stored round, or of a
    table as it is stored. Empty if nothing tells it."""
    found = context.get("edition")
    for name in ("state", "log", "table"):
        about = context.get(name)
        options = getattr(about, "options", None)
        stored = options.get("edition") if isinstance(options, dict) else getattr(options, "edition", None)
        found = found or getattr(about, "edition", None) or stored
    return str(found or "")


@register.filter
def epoch_ms(moment: datetime | None) -> str:
    """A moment as JavaScript counts: milliseconds since 1970. Empty for none."""
    return "" if moment is None else str(int(moment.timestamp() * 1000))


# ── Drawings ────────────────────────────────────────────────────────────────────────────────────────────────


_ICONS = {
    "card-icons": {"decides", "follow", "lock", "metal_box", "prize", "shield", "shoe", "shuffler"},
    "page-icons": {"download", "first", "last", "lower", "pause", "play"},
}
"""What only tables with cards show, and what no table shows: the others do not load it."""


@register.simple_tag
def icon(name: str) -> SafeString:
    """A line icon of ours, in the colour of the text."""
    file = next((file for file, names in _ICONS.items() if name in names), "icons")
    return drawing.sprite(file, name, "icon")


@register.simple_tag
def card(
    value: Card | str | None = None,
    key: str = "",
    place: int | str = "",
    css: str = "",
    fanned: bool = False,
    said: str = "",
) -> SafeString:
    """A card, face up, or its back if there is none to be seen. `key` and `place` name where it lies, for its motion.

    Two drawings lie in it, a full face and a large index for small sizes; the stylesheet shows one of them. A card
    that is `fanned` has its index in the corner that stays free. `said` is what it is in words, where that is not the
    name of the card.
    """
    shown = card_named(value) if isinstance(value, str) and value else value or None
    assert shown is None or isinstance(shown, Card)
    file = static("svg/cards.svg")
    if shown is None:
        faces = format_html('<use href="{}#back"/>', file)
    elif fanned:
        faces = format_html('<use href="{}#{}-corner"/>', file, shown)
    else:
        faces = format_html(
            '<use class="card__full" href="{0}#{1}"/><use class="card__small" href="{0}#{1}-small"/>', file, shown
        )
    return format_html(
        '<svg class="card {}" viewBox="0 0 100 140" role="img" aria-label="{}" data-key="{}" data-card="{}">{}</svg>',
        css,
        said or formatting.card_name(shown),
        f"{key}{place}",
        shown or "",
        faces,
    )


@register.simple_tag
def closed_card(bends: Mapping[str, Bend] | None, hand: str, place: int, key: str = "") -> SafeString:
    """A card of a hand that lies face down, and how far it is peeled, if it is. `key` names where it lies."""
    bend = bends.get(f"{hand}-{place}") if bends else None
    if bend is None:
        return card(key=key, place=place)
    return format_html(
        '<span class="peel" data-edge="{}" data-step="{}">{}{}</span>',
        bend.edge,
        bend.step,
        card(key=key, place=place, said=squeeze.bend_words(bend)),
        squeeze.drawn_bend(bend),
    )


@register.simple_tag
def die(face: int) -> SafeString:
    """One face of a die, decorative: what it shows stands beside it in words."""
    return drawing.sprite("dice", f"die-{face}", "die")


@register.filter
def at(mapping: Mapping[str, object] | None, key: str) -> object:
    """`mapping[key]`, or nothing."""
    return mapping.get(key, "") if mapping else ""


@register.simple_tag
def credits_whole(cents: int) -> int:
    """Cents as a bare whole number of credits, for addresses."""
    return cents // 100
