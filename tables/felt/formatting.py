"""How the house writes things down for people: amounts, odds, articles, cards and the sentences of the rules.

One helper each, in the active language. Templates reach them through `{% load floor %}`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from tables.base.calendar import MACAU
from tables.games.contract.game import Article
from tables.games.values.cards import Card
from tables.games.values.money import CREDIT, DENOMINATIONS, Odds
from tables.games.values.words import Amount, Words

MARKS: dict[str, tuple[str, str]] = {"pt": (".", ",")}
"""Language -> what stands between thousands and before cents; as in English where nothing is said."""


def number(value: int) -> str:
    """A whole number with its thousands apart."""
    thousands, _ = MARKS.get(translation.get_language() or "", (",", "."))
    return f"{value:,}".replace(",", thousands)


UNITS: dict[str, tuple[tuple[int, str], ...]] = {"zh-hant": ((10_000, "萬"), (1_000, "千"))}
"""Language -> how large round numbers are shortened; thousands as K where nothing is said."""


def short_number(value: int) -> str:
    """A round number as it stands on a chip: 1K, 1萬."""
    for unit, sign in UNITS.get(translation.get_language() or "", ((1_000, "K"),)):
        if value >= unit and value % unit == 0:
            return f"{value // unit}{sign}"
    return str(value)


def short_credits(cents: int) -> str:
    """Whole credits where there is little room: 9,500, 12.3K, 1.2萬; what is left out is less than a tenth."""
    credits = cents // CREDIT
    if credits < 10_000:
        return number(credits)
    _, point = MARKS.get(translation.get_language() or "", (",", "."))
    unit, sign = UNITS.get(translation.get_language() or "", ((1_000, "K"),))[0]
    whole, rest = divmod(credits, unit)
    tenth = rest * 10 // unit
    return f"{number(whole)}{point}{tenth}{sign}" if tenth and whole < 100 else f"{number(whole)}{sign}"


def credits_of(cents: int, *, exact: bool = False) -> str:
    """Cents as credits. Cents are shown if there are any, or if `exact`."""
    return credits_in(translation.get_language() or "", cents, exact=exact)


@lru_cache(maxsize=4096)
def credits_in(language: str, cents: int, *, exact: bool = False) -> str:
    """The same in this language."""
    comma, point = MARKS.get(language, (",", "."))
    sign = "−" if cents < 0 else ""
    whole, rest = divmod(abs(cents), CREDIT)
    written = sign + f"{whole:,}".replace(",", comma)
    return f"{written}{point}{rest:02}" if exact or rest else written


def percent_of(share: Fraction, decimals: int = 1) -> str:
    """A part of one in per cent, with so many decimals: 12.3%."""
    _, point = MARKS.get(translation.get_language() or "", (",", "."))
    parts = round(share * 100 * 10**decimals)
    whole, rest = divmod(abs(parts), 10**decimals)
    return f"{'−' if parts < 0 else ''}{number(whole)}{point}{rest:0{decimals}}%"


def spoken_credits(cents: int) -> str:
    """An amount for whoever hears it: the number and the word."""
    return ngettext("%(amount)s credit", "%(amount)s credits", cents // CREDIT) % {"amount": credits_of(cents)}


def odds_of(odds: Odds) -> str:
    """What a bet pays: "8 to 1"."""
    return gettext("%(win)s to %(stake)s") % {"win": number(odds.win), "stake": number(odds.stake)}


def article_of(number_: str, article: Article | None) -> str:
    """How a rule is cited: an article of the regulation, a numbered ruling of ours, or the house's own rule."""
    numbered = any(character.isdigit() for character in number_)
    if article.law if article is not None else numbered:
        return gettext("art. %(number)s") % {"number": number_}
    if number_.startswith("note "):
        return gettext("note %(number)s") % {"number": number_.removeprefix("note ")}
    return gettext("ruling %(number)s") % {"number": number_} if numbered else gettext("house rule")


def text_of(words: Words) -> str:
    """A sentence of the rules in the active language, its amounts exact to the cent."""
    return gettext(words.text) % dict(_values(words)) if words.values else gettext(words.text)


def sentence(text: str) -> str:
    """What the rules say without a full stop, as a sentence by itself; what is one already stays as it is."""
    if text.endswith(("?", "？", ".", "。")):
        return text
    return gettext("%(sentence)s.") % {"sentence": text}


def _values(words: Words) -> Iterator[tuple[str, str]]:
    for name, value in words.values:
        if isinstance(value, Words):
            yield name, text_of(value)
        elif isinstance(value, Amount):
            yield name, credits_of(value, exact=True)
        elif isinstance(value, int):
            yield name, number(value)
        else:
            yield name, isolated(value)


def isolated(text: str) -> str:
    """A part of a sentence which turns nothing around it, though its letters run from right to left: a name may be in
    Hebrew. What <bdi> is in a page."""
    if text.isascii() or not any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text):
        return text
    return f"\u2068{text}\u2069"


def in_every_language(words: Words) -> list[tuple[str, str]]:
    """What is printed on the felt: language code and text, the active language first, none of them twice."""
    active = translation.get_language() or settings.LANGUAGE_CODE
    texts = [(active, text_of(words))]
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            text = text_of(words)
        if all(text != known for _, known in texts):
            texts.append((code, text))
    return texts


def card_name(card: Card | None) -> str:
    """A card in words, for whoever does not see it."""
    if card is None:
        return gettext("a card face down")
    ranks = {"A": gettext("ace"), "T": "10", "J": gettext("jack"), "Q": gettext("queen"), "K": gettext("king")}
    return gettext("%(rank)s of %(suit)s") % {"rank": ranks.get(card.rank, card.rank), "suit": suit_name(card.suit)}


def suit_name(suit: str) -> str:
    """A suit in words."""
    suits = {
        "s": pgettext("suit", "spades"),
        "h": pgettext("suit", "hearts"),
        "d": pgettext("suit", "diamonds"),
        "c": pgettext("suit", "clubs"),
    }
    return suits[suit]


def listed(parts: Sequence[str]) -> str:
    """Several things one after the other."""
    return gettext(", ").join(parts)


def mark(sign: str) -> str:
    """The colon, comma, semicolon or full stop between two parts of a line, as the active language writes it."""
    match sign:
        case ":":
            return pgettext("between two parts", ": ")
        case ",":
            return pgettext("between two parts", ", ")
        case ";":
            return pgettext("between two parts", "; ")
        case ".":
            return pgettext("between two parts", ". ")
    raise AssertionError(f"no mark: {sign}")


def macau_time() -> str:
    """The time of day in Macau on a 12-hour clock."""
    now = datetime.now(MACAU)
    clock = f"{now.hour % 12 or 12}:{now.minute:02}"
    return gettext("%(clock)s am") % {"clock": clock} if now.hour < 12 else gettext("%(clock)s pm") % {"clock": clock}


def in_chips(cents: int) -> list[int]:
    """The fewest chips that make up the whole credits of an amount, the dearest first."""
    left, chips = cents // CREDIT, []
    for chip in DENOMINATIONS:
        count, left = divmod(left, chip)
        chips += [chip] * count
    return chips
