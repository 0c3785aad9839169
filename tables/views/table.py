"""The page of one table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

from tables.base.clock import DATABASE_CLOCK
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.games import GAMES
from tables.models import Player, Realm, Table
from tables.queries.chat import muted_by
from tables.queries.lobby import open_tables
from tables.queries.table import TableState, favourites_of, table_state_by_slug
from tables.services.money import wallet
from tables.services.players import chat, play_time

from .strangers import same_for_strangers


@never_cache
@require_GET
@same_for_strangers
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The felt as this viewer sees it now; from here on it is pushed to. Tables of kiosks are shown there alone."""
    page, viewer = _page_of(request, slug)
    others = [one for one in open_tables() if one.game == page["state"].game and one.slug != slug]
    return render(
        request, "table/page.html", {**page, **session_of(request.user, viewer.balance_cents), "others": others}
    )


@never_cache
@require_GET
@xframe_options_sameorigin
def beside(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The same page as one of several on one screen (`tables.views.side_by_side`), which has the rest: the way out, the
    purse, the session. It is the only page of ours that a page shows in a frame, and none but ours does."""
    page, _ = _page_of(request, slug, chats=False)

    @csp_replace({"frame-ancestors": [SELF]})
    def framed(request: HttpRequest) -> HttpResponse:
        return render(request, "table/page.html", {**page, "beside": True})

    return framed(request)


def _page_of(request: HttpRequest, slug: str, *, chats: bool = True) -> tuple[dict[str, Any], Viewer]:
    if not Table.objects.filter(slug=slug, realm=Realm.FLOOR).exists():
        raise Http404
    state = table_state_by_slug(slug)
    viewer = viewer_of(request, state)
    if not chats:
        viewer = replace(viewer, chats=False)
    told = {"unrecorded": bool(GAMES[state.game].unrecorded), "rules_query": f"?table={slug}"}
    return {**table_page(state, viewer), **told}, viewer


def session_of(player: object, balance: int | None) -> dict[str, object]:
    """How long a player is here, and from what balance their net result counts. Whoever only watches has neither."""
    if balance is None or not isinstance(player, Player):
        return {}
    session = play_time.session_of(player.pk, DATABASE_CLOCK.now())
    return {"session": session, "base": balance - session.played.net}


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
