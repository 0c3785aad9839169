"""A shoe, for whoever wants to check it: what was sealed, and once it is retired, what came out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tables import queries
from tables.games import GAMES
from tables.games.cards import card, pack
from tables.games.options import read_options
from tables.models import RoundLog, Shoe
from tables.queries import DealtCard
from tables.wording import card_name

BURNT = {"burn", "round_burn"}
"""Phases in which cards are burnt: nobody saw these."""

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be true, and whether it is."""

    says: str
    good: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A dealt card as the page shows it."""

    place: int
    text: str
    name: str
    suit: str
    burnt: bool


@dataclass(frozen=True, slots=True)
class Dealt:
    """What one round took from the shoe."""

    log: RoundLog
    cards: tuple[Shown, ...]


@require_safe
def shoe(request: HttpRequest, shoe_id: int) -> HttpResponse:
    """The verification page. Before the shoe is retired it shows the commitment alone."""
    found = get_object_or_404(Shoe.objects.select_related("table"), pk=shoe_id)
    rules = GAMES[found.table.game].shoe(read_options(GAMES[found.table.game].options, found.table.options))
    around = Shoe.objects.filter(table=found.table)
    context = {
        "shoe": found,
        "table": found.table,
        "cards_in_pack": found.decks * 52,
        "machine": found.white_at is None and rules is not None,
        "before": around.filter(number__lt=found.number).order_by("-number").first(),
        "after": around.filter(number__gt=found.number).order_by("number").first(),
        "played": None if found.retired_at else RoundLog.objects.filter(shoe=found, settled_at__isnull=False).count(),
    }
    if found.retired_at is not None:
        dealt = queries.dealt_from(found)
        context |= {
            "opening": opening_of(found),
            "checks": checks_of(found, [one for _log, cards in dealt for one in cards]),
            "rounds": [Dealt(log, tuple(map(_shown, cards))) for log, cards in dealt],
        }
    return render(request, "verify/shoe.html", context)


@require_safe
def opening(request: HttpRequest, shoe_id: int) -> HttpResponse:
    """The very text whose SHA-256 the commitment is, for any tool. Not found before the shoe is retired."""
    found = get_object_or_404(Shoe, pk=shoe_id, retired_at__isnull=False)
    answer = HttpResponse(opening_of(found), content_type="text/plain; charset=us-ascii")
    answer["Content-Disposition"] = f'attachment; filename="shoe-{found.pk}.txt"'
    return answer


def opening_of(found: Shoe) -> str:
    """Salt and order of a retired shoe as they were hashed."""
    if found.opened is None:
        raise Http404
    return f"{found.opened['salt']}:{' '.join(found.opened['order'])}"


def checks_of(found: Shoe, dealt: list[DealtCard]) -> list[Check]:
    """What everybody can check for himself, checked."""
    assert found.opened is not None
    order: list[str] = found.opened["order"]
    cut = found.cut or 0
    return [
        Check(
            _("The SHA-256 of salt and order is the commitment that was published before the cut."),
            hashlib.sha256(opening_of(found).encode()).hexdigest() == found.commitment,
        ),
        Check(
            _("The order holds every card of %(decks)s decks, no more and no less.") % {"decks": found.decks},
            sorted(order) == sorted(map(str, pack(found.decks))),
        ),
        Check(
            _("The cards dealt are those of the sealed order, turned by the cut, one after the other."),
            [one.card for one in dealt] == (order[cut:] + order[:cut])[: len(dealt)] and len(dealt) == found.dealt,
        ),
    ]


def _shown(one: DealtCard) -> Shown:
    face = card(one.card)
    rank = "10" if face.rank == "T" else face.rank
    return Shown(one.place, f"{rank}{SUITS[face.suit]}", card_name(face), face.suit, one.phase in BURNT)
