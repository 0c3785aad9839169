"""The rules of a game, for whoever wants to read them: before playing, while playing, or in a dispute."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from tables.felt.games import FELTS
from tables.felt.rules import rules_of
from tables.kiosk.demonstration import Counted, Show
from tables.kiosk.guide import steps_of
from tables.models import Realm, Table
from tables.queries.table import TableState, table_state_by_slug

PLACES = re.compile(r'\s(?:id|hx-swap-oob|for|aria-labelledby|aria-describedby)="[^"]*"')
"""What names a place on the page of a table, and may stand only once on a page."""


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules as they hold at the table that `table` names; without one, as the regulation has them by default."""
    if game not in FELTS:
        raise Http404
    slug = request.GET.get("table", "")
    table = get_object_or_404(Table, slug=slug, game=game, realm=Realm.FLOOR) if slug else None
    context = {**rules_of(_state(game, slug)), "table": table, "steps": _steps(game)}
    return render(request, "rules/page.html", context)


def _state(game: str, slug: str) -> TableState:
    felt = FELTS[game]
    return table_state_by_slug(slug) if slug else Show(felt, felt.rules.options(), (), Counted(game)).state


def _steps(game: str) -> list[dict[str, object]]:
    """Each step of the first round, with what lies on the table where that has changed."""
    told: list[dict[str, object]] = []
    before = ""
    for step in steps_of(game, get_language() or ""):
        picture = PLACES.sub("", step.html["cards"])
        told.append({"note": step.note, "picture": _drawn(picture) if picture != before else ""})
        before = picture
    return told


def _drawn(html: str) -> SafeString:
    return mark_safe(html)  # a fragment of ours, less the names of its places
