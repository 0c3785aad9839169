"""The page of a progressive jackpot: the pool, what is posted, and the last prizes."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from tables.games.values.words import Words
from tables.queries.jackpots import JackpotShown, JackpotWin

from .formatting import credits_of
from .games import FELTS

ALL = "all"
"""Asked for instead of a language: all three, which the page shows in turn."""


@dataclass(frozen=True, slots=True)
class _Won:
    """A prize that was won, and its hand in words."""

    hit: JackpotWin
    hand: Words


@dataclass(frozen=True, slots=True)
class _In:
    """The same in one language, and how many characters the figure has in it: it is written as large as it fits."""

    code: str
    characters: int


def languages_of(language: str) -> list[str]:
    """The languages that are shown where this one is asked for."""
    return [code for code, _ in settings.LANGUAGES] if language == ALL else [language]


def fragments(shown: JackpotShown, language: str) -> dict[str, str]:
    """What the page of a jackpot shows: fragment id -> HTML, in one language or in all of them."""
    felt = FELTS.get(shown.game)
    posted = felt.posted_prizes(shown.options) if felt is not None else ()
    won = [_Won(hit, felt.hand_words(hit.hand)) for hit in shown.hits] if felt is not None else []
    context = {"shown": shown, "posted": posted, "won": won}
    parts: dict[str, list[str]] = {"pool": [], "posted": [], "hits": []}
    for code in languages_of(language):
        with translation.override(code):
            figure = credits_of(shown.pool.cents, exact=True)
            here = {**context, "figure": figure, "one": _In(code, len(figure))}
            for part, texts in parts.items():
                texts.append(render_to_string(f"jackpot/_{part}.html", here))
    return {
        f"jackpot-{part}": render_to_string("jackpot/_part.html", {"part": part, "texts": texts})
        for part, texts in parts.items()
    }
