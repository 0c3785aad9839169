"""The page of one table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables import felt, queries
from tables.models import Player, Table
from tables.services import wallet


@never_cache
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The felt as this viewer sees it now; from here on it is pushed to."""
    try:
        state = queries.table_state_by_slug(slug)
    except Table.DoesNotExist:
        raise Http404 from None
    return render(request, "table/page.html", felt.page(state, viewer_of(request, state)))


def viewer_of(request: HttpRequest, state: queries.TableState) -> felt.Viewer:
    """Who looks at the felt: a player with his balance and seat, or somebody who only watches."""
    if not isinstance(request.user, Player):
        return felt.Viewer()
    return felt.Viewer(
        key=request.user.key,
        name=str(request.user),
        balance_cents=wallet.balance_of(request.user.pk),
        seat=state.seat_of(request.user.key),
    )
