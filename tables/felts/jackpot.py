"""The meter of a progressive jackpot, live: on the felts of its tables, on their cards in the lobby, on its own page.

    "jackpot-meter": jackpot.meter(state)     # in the `public` fragments of a game with a jackpot

The element is `<p id="jackpot-meter" class="meter">` (`components.css`); a layout places it with
`{{ fragments|at:"jackpot-meter" }}`. It is pushed whenever any of the linked tables changes the pool. In a replay it
shows what it showed when betting closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from tables.games.stud_poker.hands import TITLES, Rank
from tables.games.stud_poker.jackpot import ARTICLES, fixed_sum
from tables.games.words import Words
from tables.queries import Hit, JackpotShown, TableState
from tables.wording import credits_of

from .rendering import rendered_once

ALL = "all"
"""Asked for instead of a language: all three, which the page shows in turn."""


def meter(state: TableState) -> str:
    """The fragment `jackpot-meter`: what lies in the jackpot of this table; empty where it has none."""
    return rendered_once("jackpot/_meter.html", pool=state.pool)


@dataclass(frozen=True, slots=True)
class _Posted:
    """What is posted for a hand (10(2), 10(3)): the fixed sum, and what of the pool if that is more."""

    hand: Words
    cents: int
    article: str
    of_pool: str


OF_POOL: Mapping[Rank, str] = {Rank.ROYAL_FLUSH: "whole", Rank.STRAIGHT_FLUSH: "tenth"}
"""Hands that win of the pool itself, if that is more than the fixed sum (10(2)(1), 10(2)(2))."""


@dataclass(frozen=True, slots=True)
class _Won:
    """A prize that was won, and its hand in words."""

    hit: Hit
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
    posted = [
        _Posted(TITLES[rank], fixed_sum(shown.options, rank), article, OF_POOL.get(rank, ""))
        for rank, article in ARTICLES.items()
        if shown.options is not None
    ]
    won = [_Won(hit, TITLES[Rank(hit.hand)]) for hit in shown.hits]
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
