"""A guided first round of a game, as kiosks have it: anybody may see it, and nothing is at stake."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from tables.games import GAMES
from tables.kiosk import guide as guides
from tables.queries.lobby import open_tables


@require_GET
def guide(request: HttpRequest, game: str) -> HttpResponse:
    """It leads to the table that `table` names, if it is one of this game, and else to the lobby."""
    if game not in GAMES:
        raise Http404
    slugs = {table.slug for table in open_tables() if table.game == game}
    wanted = request.GET.get("table", "")
    leads_to = reverse("table", args=[wanted]) if wanted in slugs else f"{reverse('lobby')}?game={game}"
    return render(request, "table/guide.html", {**guides.page(game), "leads_to": leads_to})
