"""The cards of the lobby."""

from __future__ import annotations

from collections.abc import Iterable

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tables.felt.shared.fragments import Fragments
from tables.games import GAMES
from tables.queries.lobby import LobbyCard

from .games import FELTS
from .public import TIMED

# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────


def lobby_fragments(cards: Iterable[LobbyCard]) -> Fragments:
    """The cards of the lobby: fragment id -> HTML, in the active language."""
    return {f"table-{card.slug}": _lobby_card(card) for card in cards}


def lobby_gaps(slugs: Iterable[str]) -> Fragments:
    """Nothing, where the card of a table stood that has closed."""
    return {f"table-{slug}": render_to_string("lobby/_gap.html", {"slug": slug}) for slug in slugs}


def lobby_mine(cards: Iterable[LobbyCard], balance: int) -> SafeString:
    """A player's balance, and the way back to each table at which they take part; no fragment that is pushed."""
    places = [card.place for card in cards if card.place is not None]
    return render_to_string("lobby/_mine.html", {"places": places, "balance": balance})


def _words(card: LobbyCard) -> str:
    """What happens at the table now, or what it waits for."""
    if card.phase and card.attended:
        return FELTS[card.game].phase_words(card.phase)
    return gettext("Seats are kept for players who are away") if card.players else gettext("Waiting for players")


def _lobby_card(card: LobbyCard) -> str:
    game = FELTS[card.game]
    return render_to_string(
        "lobby/_table.html",
        {
            "card": card,
            "title": GAMES[card.game].title,
            "words": _words(card),
            "timed": card.attended and card.pace in TIMED and card.due_at is not None,
            "main": game.limits(card.options),
            "facts": game.facts(card.options),
            "lately": game.lately(card.results),
            "road": mark_safe(game.road(card.results)),
            "picture": f"games/{card.game}/_picture.html",
        },
    )
