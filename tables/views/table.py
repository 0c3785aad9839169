"""The page of one table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.games import GAMES
from tables.models import Player, Realm, Table
from tables.queries.chat import muted_by
from tables.queries.table import TableState, favourites_of, table_state_by_slug
from tables.services.money import wallet
from tables.services.players import chat, play_time

from .strangers import same_for_strangers


@never_cache
@require_GET
@same_for_strangers
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The felt as this viewer sees it now; from here on it is pushed to. Tables of kiosks are shown there alone."""
    if not Table.objects.filter(slug=slug, realm=Realm.FLOOR).exists():
        raise Http404
    state = table_state_by_slug(slug)
    viewer = viewer_of(request, state)
    context = {
        **table_page(state, viewer),
        **_session_of(request, viewer),
        "unrecorded": bool(GAMES[state.game].unrecorded),
        "rules_query": f"?table={slug}",
    }
    return render(request, "table/page.html", context)


def _session_of(request: HttpRequest, viewer: Viewer) -> dict[str, object]:
    """How long a player is here, and from what balance their net result counts. Whoever only watches has neither."""
    if viewer.key is None or viewer.balance_cents is None or not isinstance(request.user, Player):
        return {}
    session = play_time.session_of(request.user.pk, DATABASE_CLOCK.now())
    return {"session": session, "base": viewer.balance_cents - session.played.net}


def viewer_of(request: HttpRequest, state: TableState) -> Viewer:
    """Who looks at the felt: a player with balance and seat, or somebody who only watches."""
    chats = chat.offered_in(request.session)
    if not isinstance(request.user, Player) or request.user.role:
        return Viewer(chats=chats)
    return Viewer(
        key=request.user.key,
        name=str(request.user),
        balance_cents=wallet.balance_of(request.user.pk),
        seat=state.seat_of(request.user.key),
        muted=muted_by([request.user.pk]).get(request.user.pk, ()),
        chats=chats,
        favourites=favourites_of([request.user.pk], state.game).get(request.user.pk, ()),
    )
