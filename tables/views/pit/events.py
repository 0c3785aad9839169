"""The event log of the pit, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from tables.base.rights import Right
from tables.kiosk import board as kiosk_board
from tables.models import Event, Kiosk
from tables.services.journal.events import with_words
from tables.views.paging import older_page

from .gate import staff

LINES = 50
"""Events on one page."""


@staff(Right.WATCH)
@require_GET
def events(request: HttpRequest) -> HttpResponse:
    """Every deed of the staff, and of the house about its tables: who, when, what, why, before and after."""
    lines, older_url = older_page(request, _events, LINES)
    context = {
        "events": with_words(lines),
        "older_url": older_url,
        "newer_url": reverse("pit_events") if "before" in request.GET else "",
    }
    return render(request, "pit/events.html", context)


@staff(Right.WATCH)
@require_GET
def of_kiosk(request: HttpRequest, kiosk_id: int) -> HttpResponse:
    """What was done with one kiosk."""
    kiosk = get_object_or_404(Kiosk, pk=kiosk_id)
    lines, older_url = older_page(request, partial(kiosk_board.events_of, kiosk_id), LINES)
    context = {
        "place": "kiosks",
        "kiosk": kiosk,
        "events": with_words(lines),
        "older_url": older_url,
        "newer_url": reverse("pit_kiosk_events", args=[kiosk_id]) if "before" in request.GET else "",
    }
    return render(request, "pit/events.html", context)


def _events(*, before: int | None, limit: int) -> Sequence[Event]:
    found = Event.objects.select_related("by", "table", "player").order_by("-id")
    return list((found if before is None else found.filter(pk__lt=before))[:limit])
