"""Whether whoever asks is still who logged in: a player who was away shows it, a login of the staff has an end."""

from __future__ import annotations

from urllib.parse import urlsplit

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import Resolver404, resolve, reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django_htmx.http import HttpResponseClientRedirect

from tables.base import security
from tables.base.browser_sessions import session_of
from tables.models import Player
from tables.services.players import logins
from tables.services.players.logins import Standing

from .address import address_of

OPEN = frozenset({"still_there", "account_logout", "set_language", "healthz", "readyz", "metrics"})
"""What somebody reaches who was away: to show who they are, to leave, to read it in their language."""

BY_ITSELF = frozenset({"mine", "safely_check"})
"""What a page asks for without its player: it is no thing done by them."""


class Presence(MiddlewareMixin):
    """Sends a player who has done nothing for too long to show who they are, and ends old logins of the staff.

    Nothing is done by what was posted. Everything else that a player asks for is something done by them.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        name = _name_of(request)
        if name in OPEN or name.startswith("kiosk"):  # visitors there have the kiosk's own patience
            return None
        player = request.user
        if not isinstance(player, Player):
            return None
        read = logins.login_as_read(session_of(request))
        if read is None:
            return None
        login, now = read
        match logins.standing(login, player, now):
            case Standing.AWAY:
                security.note("away too long", "refused", player=player.pk, address=address_of(request))
                return _to(request, f"{reverse('still_there')}?{urlencode({'next': wanted(request)})}")
            case Standing.OVER:
                asked_for = wanted(request)
                security.note("login at its end", "refused", player=player.pk, address=address_of(request))
                get_adapter(request).logout(request)
                return _to(request, f"{resolve_url('account_login')}?{urlencode({'next': asked_for})}")
        if name in BY_ITSELF and request.method == "GET":
            return None
        if not player.role:  # of staff, only what they do in the pit counts (tables.views.pit.gate)
            logins.see(login, now)
        return None


def _name_of(request: HttpRequest) -> str:
    try:
        return resolve(request.path_info).url_name or ""
    except Resolver404:
        return ""


def wanted(request: HttpRequest) -> str:
    """The page of ours that this is about: what is asked for, or from where something was posted."""
    if request.method == "GET" and not request.headers.get("HX-Request"):
        return request.get_full_path()
    page = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return urlsplit(page)._replace(scheme="", netloc="").geturl() if ours else "/"


def _to(request: HttpRequest, url: str) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(url)
    return HttpResponseRedirect(url)
