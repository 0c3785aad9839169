"""The page of a table, made of the very fragments that are pushed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from tables.felt.shared.fragments import live_fragment
from tables.felt.shared.house_rules import span
from tables.felt.shared.limits import all_limits
from tables.games import GAMES
from tables.games.values.money import CREDIT, DENOMINATIONS
from tables.queries.table import TableState

from .formatting import short_number
from .games import FELTS
from .private import Viewer, private_fragments
from .public import public_fragments

# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Seat:
    number: int
    html: SafeString


@dataclass(frozen=True, slots=True)
class _Chip:
    credits: int
    cents: int
    short: str
    ready: bool


def table_page(state: TableState, viewer: Viewer) -> dict[str, Any]:
    """The context of a table's page, made of the same fragments that are pushed."""
    game = FELTS[state.game]
    fragments = {
        name: mark_safe(html) for name, html in {**public_fragments(state), **private_fragments(state, viewer)}.items()
    }
    least, most = span(state.options)
    layout = game.layout(state, game.rules.view(game.shown(state), None))
    return {
        "state": state,
        "viewer": viewer,
        "title": GAMES[state.game].title,
        "main": game.limits(state.options),
        "bet_limits": all_limits(game.rules, state.options),
        "facts": game.facts(state.options),
        "fragments": fragments,
        "seats": [_Seat(seat.number, fragments[f"seat-{seat.number}"]) for seat in state.seats],
        "chips": chips_for(least, most, max((spot.least for spot in layout["spots"].values()), default=least)),
        "layout_template": f"games/{state.game}/_layout.html",
        "controls_template": f"games/{state.game}/_controls.html",
        "live": mark_safe(live_fragment("*", state.version, int(state.now.timestamp() * 1000))),
        **layout,
    }


MOST_CHIPS = 7
"""So many chips lie in the tray; more would not fit under a thumb."""


def chips_for(least: int, most: int | None, everywhere: int) -> list[_Chip]:
    """The chips that make sense between a table's minimum and its maximum, the smallest first.

    The one that lies ready is the smallest that is enough for every spot (`everywhere` cents).
    """
    useful = [value for value in DENOMINATIONS if value * CREDIT >= least and (most is None or value * CREDIT <= most)]
    tray = useful[::-1][:MOST_CHIPS]
    ready = next((value for value in tray if value * CREDIT >= everywhere), tray[-1] if tray else 0)
    return [_Chip(value, value * CREDIT, short_number(value), value == ready) for value in tray]
