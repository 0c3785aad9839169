"""The page of one table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables import felt, queries
from tables.games import GAMES
from tables.models import Player, Realm, Table
from tables.services import chatting, wallet


@never_cache
@require_GET
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The felt as this viewer sees it now; from here on it is pushed to. Tables of kiosks are shown there alone."""
    if not Table.objects.filter(slug=slug, realm=Realm.FLOOR).exists():
        raise Http404
    state = queries.table_state_by_slug(slug)
    context = {**felt.page(state, viewer_of(request, state)), "unrecorded": bool(GAMES[state.game].unrecorded)}
    return render(request, "table/page.html", context)


def viewer_of(request: HttpRequest, state: queries.TableState) -> felt.Viewer:
    """Who looks at the felt: a player with balance and seat, or somebody who only watches."""
    chats = chatting.offered_in(request.session)
    if not isinstance(request.user, Player) or request.user.role:
        return felt.Viewer(chats=chats)
    return felt.Viewer(
        key=request.user.key,
        name=str(request.user),
        balance_cents=wallet.balance_of(request.user.pk),
        seat=state.seat_of(request.user.key),
        muted=queries.muted_by([request.user.pk]).get(request.user.pk, ()),
        chats=chats,
        favourites=queries.favourites_of([request.user.pk], state.game).get(request.user.pk, ()),
    )
