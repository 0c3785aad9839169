"""The lobby: a live card for each table."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.felt.games import FELTS
from tables.felt.lobby import lobby_fragments, lobby_gaps, lobby_mine
from tables.felt.shared.fragments import live_fragment
from tables.games import GAMES
from tables.games.values.money import CREDIT
from tables.models import Player
from tables.queries.lobby import LobbyCard, closed_tables, lobby_cards
from tables.queries.reviews import unread_of
from tables.services.money import wallet
from tables.services.players import restrictions

from .strangers import same_for_strangers


@never_cache
@require_GET
@same_for_strangers
def lobby(request: HttpRequest) -> HttpResponse:
    """All tables: first those at which the reader takes part, then by what moves there (`LobbyCard.rank`). Those that
    the filter leaves out are there too, hidden, so that they can be shown at once."""
    player = _bettor(request)
    cards = sorted(_cards_for(player), key=lambda card: (card.place is None, card.rank))
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
                "place": card.place,
                "html": mark_safe(fragments[f"table-{card.slug}"]),
                "shown": (not game or card.game == game) and (up_to is None or least <= up_to * CREDIT),
            }
        )
    return render(
        request,
        "lobby/page.html",
        {
            "tables": tables,
            "mine": _mine(cards, player) if player is not None else "",
            "gaps": [mark_safe(gap) for gap in lobby_gaps(closed_tables()).values()],
            "none_shown": not any(table["shown"] for table in tables),
            "games": [(slug, GAMES[slug].title) for slug in GAMES if any(card.game == slug for card in cards)],
            "new_here": player is None or not player.played.exists(),
            "game": game,
            "limits": sorted({table["least"] for table in tables}),
            "limit": up_to * CREDIT if up_to is not None else None,
            "answers": unread_of(player) if player is not None else (),
            "held": restrictions.in_words(player.pk, DATABASE_CLOCK.now()) if player is not None else (),
            "live": mark_safe(live_fragment("lobby", "lobby", int(cards[0].now.timestamp() * 1000) if cards else 0)),
        },
    )


@never_cache
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """What of the lobby is the player's own, anew: a page asks for it when something has happened where they play."""
    player = _bettor(request)
    return HttpResponse(_mine(_cards_for(player), player) if player is not None else "")


def _cards_for(player: Player | None) -> list[LobbyCard]:
    return lobby_cards(player.key if player is not None else None)


def _mine(cards: Iterable[LobbyCard], player: Player) -> SafeString:
    return lobby_mine(cards, wallet.balance_of(player.pk))


def _bettor(request: HttpRequest) -> Player | None:
    """Whoever asks, if they play here."""
    player = request.user
    return player if isinstance(player, Player) and not player.role else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
