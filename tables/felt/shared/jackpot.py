"""The meter of a progressive jackpot, live: on the felts of its tables, on their cards in the lobby, on its own page.

    "jackpot-meter": jackpot.meter(state)     # in the `public` fragments of a game with a jackpot

The element is `<p id="jackpot-meter" class="meter">` (`components.css`); a layout places it with
`{{ fragments|at:"jackpot-meter" }}`. It is pushed whenever any of the linked tables changes the pool. In a replay it
shows what it showed when betting closed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tables.games.values.words import Words
from tables.queries.table import TableState

from .rendering import rendered_once


@dataclass(frozen=True, slots=True)
class PostedPrize:
    """What is posted for a hand: the fixed sum in cents, and what of the pool if that is more ("whole", "tenth")."""

    hand: Words
    cents: int
    article: str
    of_pool: str = ""


def meter(state: TableState) -> str:
    """The fragment `jackpot-meter`: what lies in the jackpot of this table; empty where it has none."""
    return rendered_once("jackpot/_meter.html", pool=state.pool)
