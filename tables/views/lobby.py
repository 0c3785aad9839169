"""The lobby: a live card for each table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.felt.games import FELTS
from tables.felt.lobby import lobby_fragments, lobby_gaps
from tables.felt.shared.fragments import live_fragment
from tables.games import GAMES
from tables.games.values.money import CREDIT
from tables.models import Player
from tables.queries.lobby import closed_tables, lobby_cards
from tables.queries.reviews import unread_of
from tables.services.players import restrictions

from .strangers import same_for_strangers


@never_cache
@require_GET
@same_for_strangers
def lobby(request: HttpRequest) -> HttpResponse:
    """All tables; those that the filter leaves out are there too, hidden, so that they can be shown at once."""
    cards, player = lobby_cards(), request.user
    fragments = lobby_fragments(cards)
    game, up_to = request.GET.get("game", ""), _number(request.GET.get("limit", ""))
    tables: list[dict[str, object]] = []
    for card in cards:
        least = FELTS[card.game].limits(card.options).least
        tables.append(
            {
                "slug": card.slug,
                "game": card.game,
                "least": least,
                "html": mark_safe(fragments[f"table-{card.slug}"]),
                "shown": (not game or card.game == game) and (up_to is None or least <= up_to * CREDIT),
            }
        )
    return render(
        request,
        "lobby/page.html",
        {
            "tables": tables,
            "gaps": [mark_safe(gap) for gap in lobby_gaps(closed_tables()).values()],
            "none_shown": not any(table["shown"] for table in tables),
            "games": [(slug, GAMES[slug].title) for slug in dict.fromkeys(card.game for card in cards)],
            "game": game,
            "limits": sorted({table["least"] for table in tables}),
            "limit": up_to * CREDIT if up_to is not None else None,
            "answers": unread_of(player) if isinstance(player, Player) else (),
            "held": restrictions.in_words(player.pk, DATABASE_CLOCK.now()) if isinstance(player, Player) else (),
            "live": mark_safe(live_fragment("lobby", "lobby", int(cards[0].now.timestamp() * 1000) if cards else 0)),
        },
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
