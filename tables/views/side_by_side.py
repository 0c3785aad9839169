"""Several tables on one screen: each is the page of its table, in a frame (`tables.views.table.beside`)."""

from __future__ import annotations

from itertools import groupby

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.games import GAMES
from tables.models import Player
from tables.queries.lobby import open_tables
from tables.services.money import wallet

from .table import session_of

MOST = 4
"""So many tables at once: each has a line of its own, of which a player may have SOCKETS_PER_PLAYER."""


@never_cache
@require_GET
@csp_replace({"frame-src": [SELF]})
def side_by_side(request: HttpRequest) -> HttpResponse:
    """The tables that `t` names, and the list to choose from."""
    open_ = {table.slug: table for table in open_tables()}
    wanted = [slug for slug in dict.fromkeys(request.GET.getlist("t")) if slug in open_][:MOST]
    player = request.user if isinstance(request.user, Player) and not request.user.role else None
    balance = wallet.balance_of(player.pk) if player is not None else None
    by_game = groupby(sorted(open_.values(), key=lambda table: list(GAMES).index(table.game)), lambda table: table.game)
    context = {
        "shown": [(open_[slug], GAMES[open_[slug].game].title) for slug in wanted],
        "wanted": wanted,
        "games": [(GAMES[game].title, list(tables)) for game, tables in by_game],
        "most": MOST,
        "balance": balance,
        "played": None if player is None else session_of(player, balance or 0, DATABASE_CLOCK.now()),
    }
    return render(request, "table/side_by_side.html", context)
