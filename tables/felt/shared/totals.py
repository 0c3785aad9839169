"""The last totals of the bank, column by column: the history of the games in which one hand is compared with all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .rendering import rendered_once

CELL = 20
"""The side of a cell, in units of its drawing."""

ROWS = 6
MOST_COLUMNS = 20
"""Older columns are not drawn."""

MOST_TOLD = 20
"""So many of the last totals are told to whoever does not see them."""

Total = tuple[str, str]
"""What kind of an end it was, which says how it is drawn, and what stands for it."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a kind of end has come: the sign that stands for it, and its name for whoever does not see it."""

    kind: str
    sign: str
    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One result, at (x, y) of the drawing."""

    x: int
    y: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Totals:
    """The newest totals, column by column; `words` tells the last of them to whoever does not see it."""

    cells: tuple[Cell, ...]
    width: int
    words: str

    @classmethod
    def of(cls, totals: Sequence[Total], words: str) -> Totals:
        columns = -(-len(totals) // ROWS) or 1
        first = max(0, columns - MOST_COLUMNS)
        shown = totals[first * ROWS :]
        cells = tuple(
            Cell(place // ROWS * CELL, place % ROWS * CELL, kind, text) for place, (kind, text) in enumerate(shown)
        )
        return cls(cells, (columns - first) * CELL, words)


@lru_cache(maxsize=256)
def small(totals: tuple[Total, ...], words: str) -> str:
    """The totals alone, for the lobby."""
    return rendered_once("table/_totals.html", totals=Totals.of(totals, words))


@lru_cache(maxsize=256)
def roads(title: str, totals: tuple[Total, ...], words: str, counts: tuple[Count, ...]) -> str:
    """The fragment `roads` of these totals, with a title and how often each kind has come."""
    return rendered_once("table/_roads.html", title=title, totals=Totals.of(totals, words), counts=counts)
