"""What a kiosk reaches: its own pages and nothing else; and who reaches them: a kiosk in its present use.

Whatever goes wrong there, the screen is left with no page that needs anybody: it goes to the door by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth import logout
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.cache import never_cache

from casino.version import VERSION
from tables.base import announce
from tables.base.browser_sessions import session_of
from tables.models import Kiosk, Player
from tables.services.kiosk import screen_sessions, visitors

Args = ParamSpec("Args")

OPEN = frozenset({"kiosk", "kiosk_begin", "kiosk_worker"})
"""What a screen reaches before it is anything, and after it has been something: these look after themselves."""

FOLDER = "/kiosk/"

OF_WALLBOARDS = frozenset({"kiosk_attract"})
"""All that a wallboard reaches once it has begun."""

BY_SCRIPT = "X-Kiosk"
"""The header that scripts of kiosks send, and other sites cannot."""


class SeeOther(HttpResponseRedirect):
    """Go there and look: what was posted is done."""

    status_code = 303


class KioskGate(MiddlewareMixin):
    """Refuses to kiosks whatever is not theirs, and gives them no error page but a quiet one."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        name = _name_of(request)
        if name in OPEN:
            return None
        try:
            kiosk = screen_sessions.is_kiosk(request.session, request.COOKIES, request.user)
        except Error:
            if screen_sessions.has_token(request.COOKIES):
                return quiet(503)
            raise
        return quiet(403) if kiosk and not name.startswith("kiosk") else None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        troubled = response.status_code >= 400 and response.headers.get("Content-Type") != "application/json"
        if troubled and request.path_info.startswith(FOLDER) and screen_sessions.has_token(request.COOKIES):
            return quiet(response.status_code)
        return response


def _name_of(request: HttpRequest) -> str:
    """The name of the page that is asked for; empty if it has none."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return ""
    return "" if found.namespaces else found.url_name or ""


def quiet(status: int) -> HttpResponse:
    """A small page that says in all languages that it will go on, and a moment later goes to the door."""
    page = render_to_string("kiosk/refused.html", {"languages": settings.LANGUAGES})
    return HttpResponse(page, status=status, headers={"Cache-Control": "no-store"})


# ── Who comes to a kiosk's page ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Screen:
    """What a page of a kiosk may know of it: nothing of its device."""

    pk: int
    name: str
    place: str
    languages: tuple[tuple[str, str], ...]
    credits: int
    idle_seconds: int
    locked: bool
    message: str
    restarts: int
    use: int
    wallboard: bool
    version: str = VERSION

    @classmethod
    def of(cls, kiosk: Kiosk) -> Screen:
        """What a page in the active language may know."""
        names = dict(settings.LANGUAGES)
        return cls(
            pk=kiosk.pk,
            name=kiosk.name,
            place=kiosk.place,
            languages=tuple((code, names[code]) for code in kiosk.languages if code in names),
            credits=kiosk.credits,
            idle_seconds=kiosk.idle_seconds,
            locked=kiosk.locked,
            message=kiosk.messages.get(translation.get_language()) or kiosk.message,
            restarts=kiosk.restarts,
            use=kiosk.use,
            wallboard=kiosk.wallboard,
        )


def at_kiosk(
    view: Callable[Concatenate[HttpRequest, Kiosk, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Let only a kiosk in its present use see the page or do the deed, in the language of its visitor.

    Any other browser is sent to the door; where it posts something it is refused (403), and so is a use of a kiosk that
    is over (409).
    """

    @never_cache
    @wraps(view)
    def through_the_gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        kiosk = screen_sessions.kiosk_of(request.session)
        if kiosk is None:
            if request.method in ("GET", "HEAD"):
                return redirect("kiosk")
            return quiet(409 if screen_sessions.is_marked(request.session) else 403)
        if kiosk.wallboard and _name_of(request) not in OF_WALLBOARDS:
            return redirect("kiosk_attract") if request.method in ("GET", "HEAD") else quiet(403)
        speak(request, screen_sessions.language_of(kiosk, request.session))
        return view(request, kiosk, *args, **kwargs)

    through_the_gate.at_kiosk = True  # type: ignore[attr-defined]  # for the test that walks over all of them
    return through_the_gate


def playing(
    view: Callable[Concatenate[HttpRequest, Kiosk, Player, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """As `at_kiosk`, and only during a visit; after it, the screen goes back to attract."""

    @wraps(view)
    def while_somebody_plays(
        request: HttpRequest, kiosk: Kiosk, /, *args: Args.args, **kwargs: Args.kwargs
    ) -> HttpResponse:
        visitor = screen_sessions.visitor_of(kiosk, request.user)
        if visitor is None or kiosk.locked:
            return to(request, "kiosk_attract")
        return view(request, kiosk, visitor, *args, **kwargs)

    return at_kiosk(while_somebody_plays)


def to(request: HttpRequest, name: str, *args: object) -> HttpResponse:
    """Go on to this page of the kiosk: a script is told which, so that it can put it in the place of its own."""
    url = reverse(name, args=args)
    return JsonResponse({"next": url}) if request.headers.get(BY_SCRIPT) == "1" else SeeOther(url)


def speak(request: HttpRequest, language: str) -> None:
    """Answer this request in this language."""
    translation.activate(language)
    request.LANGUAGE_CODE = language


def show(request: HttpRequest, kiosk: Kiosk, template: str, **context: object) -> HttpResponse:
    """A page of this kiosk."""
    return render(request, template, {**context, "kiosk": Screen.of(kiosk)})


def renew(request: HttpRequest, kiosk: Kiosk) -> None:
    """Whoever plays there goes, and a new session of the kiosk begins, in which nothing is of theirs."""
    if kiosk.visitor_id is not None:
        visitors.farewell(kiosk.pk)
        kiosk.visitor = None
    begin_anew(request, kiosk.pk, kiosk.use)


def begin_anew(request: HttpRequest, kiosk_id: int, use: int) -> None:
    """End this browser's session, whoever's it was, and begin one of this use of this kiosk."""
    before = session_of(request).stored_key
    logout(request)
    screen_sessions.mark(request.session, kiosk_id, use)
    rotate_token(request)
    if before is not None:
        announce.session_ended(before)
