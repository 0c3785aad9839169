"""The page of one table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

from tables.felt.formatting import macau_time
from tables.felt.newest import newest_states
from tables.felt.page import around, inside, page_fragments, page_live, table_page
from tables.felt.private import Viewer
from tables.felt.shared.drawing import amount
from tables.felt.shared.rendering import Blank, mark
from tables.games import GAMES
from tables.models import Player, Table
from tables.queries.lobby import NamedTable, open_tables
from tables.queries.own import own_of
from tables.queries.table import TableState, table_state_by_slug
from tables.services.players import chat, play_time

from .strangers import same_for_strangers

TEMPLATE = "table/page.html"


@never_cache
@require_GET
@same_for_strangers
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The felt as this viewer sees it now; from here on it is pushed to. Tables of kiosks are shown there alone."""
    state = _state_of(slug)
    others = tuple(one for one in open_tables(state.game) if one.slug != slug)
    return _page(request, state, viewer_of(request, state), others)


@never_cache
@require_GET
@xframe_options_sameorigin
def beside(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The same page as one of several on one screen (`tables.views.side_by_side`), which has the rest: the way out, the
    purse, the session. It is the only page of ours that a page shows in a frame, and none but ours does."""
    state = _state_of(slug)
    viewer = replace(viewer_of(request, state), chats=False)

    @csp_replace({"frame-ancestors": [SELF]})
    def framed(request: HttpRequest) -> HttpResponse:
        return _page(request, state, viewer, None)

    return framed(request)


@never_cache
@require_GET
def repeating(request: HttpRequest) -> HttpResponse:
    """How the last bets are repeated for several rounds: a part of the page that comes when it is asked for."""
    return render(request, "table/_repeating.html")


def _state_of(slug: str) -> TableState:
    try:
        return table_state_by_slug(slug, before=newest_states.get)
    except Table.DoesNotExist:
        raise Http404 from None


Others = tuple[NamedTable, ...] | None
"""The other tables of the game, to which the page leads; None where it is one of several on one screen."""


def _page(request: HttpRequest, state: TableState, viewer: Viewer, others: Others) -> HttpResponse:
    if viewer.key is not None and isinstance(request.user, Player):
        return HttpResponse(page_of_player(request, state, viewer, request.user, others))
    return render(request, TEMPLATE, {**table_page(state, viewer), **_told(state, others)})


def _told(state: TableState, others: Others) -> dict[str, object]:
    """What the page is told beside what lies on the felt."""
    told: dict[str, object] = {
        "unrecorded": bool(GAMES[state.game].unrecorded), "rules_query": f"?table={state.slug}",
    }  # fmt: skip
    return {**told, "beside": True} if others is None else {**told, "others": others}


def viewer_of(request: HttpRequest, state: TableState) -> Viewer:
    """Who looks at the felt: a player with balance and seat, or somebody who only watches."""
    chats = chat.offered_in(request.session)
    if not isinstance(request.user, Player) or request.user.role:
        return Viewer(chats=chats)
    own = own_of([request.user.pk], state.game)[request.user.pk]
    return Viewer(
        key=request.user.key,
        name=str(request.user),
        balance_cents=own.balance_cents,
        seat=state.seat_of(request.user.key),
        muted=own.muted,
        chats=chats,
        favourites=own.favourites,
    )


# ── The page of a player ────────────────────────────────────────────────────────────────────────────────────


def page_of_player(request: HttpRequest, state: TableState, viewer: Viewer, player: Player, others: Others = ()) -> str:
    """What stands around the fragments is drawn once for all players, and filled in for this one."""
    fragments = page_fragments(state, viewer)
    about = _About(
        get_language() or "", state.slug, state.name, state.game, state.options, frozenset(fragments),
        guest=player.guest, chats=viewer.chats, others=others,
    )  # fmt: skip
    if (frame := _frames.get(about)) is None:
        if len(_frames) >= MOST_FRAMES:
            _frames.clear()
        frame = _frames[about] = _drawn(state, about)
    own = {
        "me": viewer.key or "",
        "path": request.get_full_path(),
        "token": get_token(request),
        "live": page_live(state),
        "time-of-day": macau_time(),
        **session_of(player, viewer.balance_cents or 0, state.now),
    }
    return frame.fill(**fragments, **{_OWN + name: text for name, text in own.items()})


def session_of(player: Player, balance_cents: int, now: datetime) -> dict[str, str]:
    """How long a player is here, and from what balance their net result counts."""
    session = play_time.session_of(player.pk, now)
    return {
        "since": str(int(session.since.timestamp() * 1000)),
        "base": str(balance_cents - session.played.net),
        "due": str(int(session.check_due_at.timestamp() * 1000)),
        "net": amount(session.played.net, "signed"),
    }


@dataclass(frozen=True, slots=True)
class _About:
    """All that the page of a player depends on, beside its fragments and a few texts: nothing of it is anybody's."""

    language: str
    slug: str
    name: str
    game: str
    options: object
    fragments: frozenset[str]
    guest: bool
    chats: bool
    others: Others


MOST_FRAMES = 256
"""So many frames of pages are kept."""

_frames: dict[_About, Blank] = {}

_OWN = "page-"
"""Before the name of each text that is of the reader, so that it is called like no fragment."""


def _drawn(state: TableState, about: _About) -> Blank:
    """The page as any player of this kind sees it, with marks where the fragments and the texts of one reader stand.
    Who that will be is not known here."""
    fragments = {name: mark(name) for name in about.fragments}
    anybody = Player(guest=about.guest)
    page = render_to_string(
        TEMPLATE,
        {
            **around(state),
            **inside(state, fragments),
            **_told(state, about.others),
            "viewer": Viewer(key=_own("me"), chats=about.chats),
            "user": anybody,
            "request": {"get_full_path": _own("path")},
            "csrf_token": _own("token"),
            "live": _own("live"),
            "time_of_day": _own("time-of-day"),
            "played": None if about.others is None else {name: _own(name) for name in ("since", "base", "due", "net")},
        },
    )
    return Blank(page)


def _own(name: str) -> str:
    return mark(_OWN + name)
