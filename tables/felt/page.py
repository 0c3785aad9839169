"""The page of a table, made of the very fragments that are pushed."""

from __future__ import annotations

from collections.abc import Mapping
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
from .newest import newest_states
from .private import Viewer, private_fragments

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
    return {**around(state), **inside(state, page_fragments(state, viewer)), "viewer": viewer, "live": page_live(state)}


def page_fragments(state: TableState, viewer: Viewer) -> dict[str, SafeString]:
    """All fragments of this viewer's page, by id."""
    fragments = {**newest_states.fragments(state), **private_fragments(state, viewer)}
    return {name: mark_safe(html) for name, html in fragments.items()}


def page_live(state: TableState) -> SafeString:
    """The end of a page, as of every message: which state it shows."""
    return mark_safe(live_fragment("*", state.version, int(state.now.timestamp() * 1000)))


def around(state: TableState) -> dict[str, Any]:
    """What stands around the fragments: no push changes it, so it tells nothing but under which options is played."""
    game = FELTS[state.game]
    least, most = span(state.options)
    layout = game.layout(state, game.rules.view(game.shown(state), None))
    return {
        "state": state,
        "title": GAMES[state.game].title,
        "main": game.limits(state.options),
        "bet_limits": all_limits(game.rules, state.options),
        "facts": game.facts(state.options),
        "chips": chips_for(least, most, max((spot.least for spot in layout["spots"].values()), default=least)),
        "layout_template": f"games/{state.game}/_layout.html",
        "controls_template": f"games/{state.game}/_controls.html",
        **layout,
    }


def inside(state: TableState, fragments: Mapping[str, SafeString]) -> dict[str, Any]:
    """The fragments, as the templates of the page ask for them."""
    seats = [_Seat(seat.number, fragments[f"seat-{seat.number}"]) for seat in state.seats]
    return {"fragments": fragments, "seats": seats}


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
