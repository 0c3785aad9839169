"""The device: its door, by which it becomes a kiosk and begins, and what it shows while nobody plays."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from allauth.core.ratelimit import consume_or_429
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from casino.origin import is_same_origin
from tables.base.clock import DATABASE_CLOCK
from tables.felt.page import table_page
from tables.felt.private import Viewer
from tables.games import GAMES
from tables.kiosk import demonstration, stage
from tables.models import Kiosk, Table
from tables.pit import board as pit_board
from tables.queries.jackpots import pool_of
from tables.queries.table import table_state
from tables.services.kiosk import kiosks, screen_sessions
from tables.services.kiosk.kiosks import Begun, ElsewhereError, NotEnrolledError
from tables.services.kiosk.schedule import Schedule
from tables.views.accounts import limited

from .gate import BY_SCRIPT, at_kiosk, begin_anew, renew, show, speak

COOKIE_AGE_S = 400 * 24 * 3600
"""The longest that browsers keep one."""

ANOTHER_AFTER_S = 40
"""Seconds after which a table that is shown again has another line said of its rules, and another demonstration."""

_SCREEN = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MOST = 2**31 - 1


@require_GET
def door(request: HttpRequest) -> HttpResponse:
    """Where a screen comes to begin. The same for everybody, and it asks nobody: browsers may keep it."""
    page = render_to_string("kiosk/door.html", {"languages": settings.LANGUAGES})
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the screens: from here, so that it works for their pages and for no others."""
    found = finders.find("js/kiosk-worker.js")
    if found is None:
        raise Http404
    script = Path(found).read_bytes()
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


# ── Beginning ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a screen says of itself: its own id, and which use of a kiosk it remembers."""

    screen: str
    last_use: int | None


@csrf_exempt  # the door is the same for all, so no token is in it; the Origin says whose page asks
@never_cache
@require_POST
@limited("kiosk")
def begin(request: HttpRequest) -> HttpResponseBase:
    """A screen begins: as the kiosk that its token names, or that the pit has just said it is.

    A screen that is none is given a code to show, and asks again.
    """
    if request.headers.get(BY_SCRIPT) != "1" or not _from_our_page(request):
        return JsonResponse({"state": "refused"}, status=403)
    asked = _asked(request)
    if asked is None:
        return JsonResponse({"state": "refused"}, status=400)
    try:
        begun = _begun(request, asked)
    except ElsewhereError:
        return JsonResponse({"state": "elsewhere"})
    return _waiting(request, asked) if begun is None else _begins(request, begun)


def _from_our_page(request: HttpRequest) -> bool:
    return is_same_origin(request.headers.get("Origin", ""), request.get_host(), request.scheme or "")


def _asked(request: HttpRequest) -> _Asked | None:
    """What the screen says; None if it is not said as it should be."""
    try:
        said = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    if type(said) is not dict or said.keys() != {"screen", "last_use"}:
        return None
    screen, last_use = said["screen"], said["last_use"]
    if type(screen) is not str or not _SCREEN.fullmatch(screen):
        return None
    if last_use is not None and not (type(last_use) is int and 0 <= last_use <= _MOST):
        return None
    return _Asked(screen, last_use)


def _begun(request: HttpRequest, asked: _Asked) -> Begun | None:
    """The use that begins now; None if this screen is no kiosk yet, or no longer."""
    if token := request.COOKIES.get(screen_sessions.TOKEN):
        try:
            return kiosks.begin(token, asked.screen, asked.last_use)
        except NotEnrolledError:
            pass
    if secret := request.COOKIES.get(screen_sessions.PAIRING):
        try:
            return kiosks.answered(secret, asked.screen)
        except NotEnrolledError:
            pass
    return None


def _begins(request: HttpRequest, begun: Begun) -> HttpResponse:
    begin_anew(request, begun.kiosk.pk, begun.use)
    answer = JsonResponse({"state": "begun", "use": begun.use, "next": reverse("kiosk_attract")})
    answer.set_cookie(
        screen_sessions.TOKEN,
        begun.token,
        max_age=COOKIE_AGE_S,
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )
    answer.delete_cookie(screen_sessions.PAIRING, samesite="Strict")
    return answer


def _waiting(request: HttpRequest, asked: _Asked) -> HttpResponseBase:
    """The code that this screen shows till the pit says which kiosk it is; it is no kiosk till then."""
    secret = request.COOKIES.get(screen_sessions.PAIRING, "")
    code = screen_sessions.code_of(secret, asked.screen) if secret else None
    if code is None:
        too_many: HttpResponse | None = consume_or_429(request, action="kiosk_code")
        if too_many is not None:
            return too_many
        code, secret = kiosks.ask(asked.screen)
    half = len(code) // 2
    answer = JsonResponse({"state": "waiting", "code": f"{code[:half]}-{code[half:]}"})
    answer.set_cookie(
        screen_sessions.PAIRING,
        secret,
        max_age=int(kiosks.CODE_GOOD_FOR.total_seconds()),
        httponly=True,
        samesite="Strict",
        secure=settings.HTTPS,
    )
    if screen_sessions.is_marked(request.session):
        request.session.flush()
    if screen_sessions.TOKEN in request.COOKIES:
        answer.delete_cookie(screen_sessions.TOKEN, samesite="Strict")
    return answer


# ── Nobody plays ────────────────────────────────────────────────────────────────────────────────────────────


@at_kiosk
@require_GET
def attract(request: HttpRequest, kiosk: Kiosk) -> HttpResponse:
    """One table of the playlist, large: live if somebody is there, or else a round that is dealt for nobody. On a
    wallboard the pit's floor.

    Nobody plays where this is shown: whoever did, goes.
    """
    if kiosk.visitor_id is not None or not screen_sessions.is_bare(request.session):
        renew(request, kiosk)
    speak(request, screen_sessions.language_of(kiosk, request.session))
    now = DATABASE_CLOCK.now()
    if screen_sessions.shows_floor(kiosk, now):
        return show(request, kiosk, "kiosk/wallboard.html", **_wallboard())
    tables = list(kiosks.shown_at(kiosk))
    at = _number(request.GET.get("at", "")) % max(1, len(tables))
    closed_until = Schedule.of(kiosk).closed_until(now)
    felt_shown = _shown(tables[at], at) if tables and not kiosk.locked and closed_until is None else {}
    return show(request, kiosk, "kiosk/attract.html", **felt_shown, **_told(kiosk), at=at, closed_until=closed_until)


def _wallboard() -> dict[str, object]:
    found = pit_board.wallboard_fragments(pit_board.floor())
    fragments = {name: mark_safe(html) for name, html in found.items()}
    tiles = [(name, html) for name, html in fragments.items() if name.startswith("pit-table-")]
    return {"fragments": fragments, "tiles": tiles, "all_games": [(slug, game.title) for slug, game in GAMES.items()]}


@at_kiosk
@require_GET
def show_round(request: HttpRequest, kiosk: Kiosk, slug: str) -> HttpResponse:
    """A round that is dealt for nobody, by the rules of one of this kiosk's tables: a part of a page."""
    table = Table.objects.filter(slug=slug).first()
    if table is None or not screen_sessions.admits(kiosk, table.pk, None):
        raise Http404
    return show(request, kiosk, "kiosk/_demonstration.html", **_dealt(table, _number(request.GET.get("seed", ""))))


def _told(kiosk: Kiosk) -> dict[str, object]:
    """What passers-by are told beside the felt."""
    return {"pool": stage.greatest_pool(screen_sessions.played_at(kiosk)), "wins": stage.last_wins()}


def _shown(table: Table, at: int) -> dict[str, object]:
    now = DATABASE_CLOCK.now()
    turn = int(now.timestamp()) // ANOTHER_AFTER_S + at
    lines = demonstration.lines(table.game)
    if table.attended_until is not None and table.attended_until > now and not table.begins_no_round:
        page = table_page(table_state(table.pk), Viewer(chats=False))
    else:
        page = _dealt(table, turn)
    return {**page, "rule": lines[turn % len(lines)]}


def _dealt(table: Table, seed: int) -> dict[str, object]:
    page = demonstration.page(table.game, table.options, seed, pool_of(table))
    return {**page, "state": replace(page["state"], slug=table.slug, name=table.name), "demonstration": True}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
