"""Who comes into the pit: staff with the right that the page demands, in a login that is open. For everybody else the
pit is not there. Whether a login is open, `tables.services.pit.sessions` says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import ApprovalRequest, Player
from tables.services.pit import approvals, sessions
from tables.services.pit.sessions import Standing

Args = ParamSpec("Args")
View = Callable[Concatenate[HttpRequest, Args], HttpResponse]

AT_WORK = frozenset({Standing.OPEN})


def staff(right: Right, *, at: Collection[Standing] = AT_WORK) -> Callable[[View[Args]], View[Args]]:
    """Let only staff with this right see the page or do the deed, and only in a login that is open.

    Who is not logged in is asked to; for players there is no such page (404). Staff without a second factor are sent to
    take one; a login that was not opened with it, or is locked, is asked for a code, and nothing is done by what was
    posted; staff without the right are told so (403). `at` names how somebody may stand instead: for the few pages that
    lead into the pit.
    """

    def guarded(view: View[Args]) -> View[Args]:
        @never_cache
        @wraps(view)
        def through_the_gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
            if not isinstance(request.user, Player):
                return redirect_to_login(request.get_full_path())
            if not request.user.role:
                raise Http404
            now = DATABASE_CLOCK.now()
            session = session_of(request)
            standing = sessions.standing(request.user, session, now)
            if standing is Standing.OPEN and not sessions.see(session, now):
                standing = Standing.LOCKED  # by hand, this very moment
            if standing not in at:
                return _first(request, standing)
            if not may(request.user, right):
                return render(request, "pit/forbidden.html", {"right": right}, status=403)
            if standing is Standing.OPEN and request.method == "GET" and not request.headers.get("HX-Request"):
                _tell_how_requests_ended(request, request.user)
            answer = view(request, *args, **kwargs)
            if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET":
                return HttpResponseRedirect("../")  # a deed's own address: to the page that it is done on
            return answer

        through_the_gate.right = right  # type: ignore[attr-defined]  # for the test that walks over all of them
        return through_the_gate

    return guarded


def staff_page(right: Right, *, at: Collection[Standing] = AT_WORK) -> Callable[[View[Args]], View[Args]]:
    """A page, which changes nothing: for `staff`, by GET alone."""
    return lambda view: staff(right, at=at)(require_GET(view))


def staff_deed(right: Right, *, at: Collection[Standing] = AT_WORK) -> Callable[[View[Args]], View[Args]]:
    """A deed: for `staff`, by POST alone."""
    return lambda view: staff(right, at=at)(require_POST(view))


def member_of(request: HttpRequest) -> Player:
    """Who of the staff is here. Only behind the gate."""
    assert isinstance(request.user, Player) and request.user.role
    return request.user


def onward(request: HttpRequest, wanted: str) -> str:
    """The page to go on to: `wanted` if it is one of ours, or else the pit."""
    host = {request.get_host()}
    ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=host, require_https=request.is_secure())
    return wanted if ours else reverse("pit")


def _first(request: HttpRequest, standing: Standing) -> HttpResponse:
    """Where somebody who stands so goes before this page."""
    if standing is Standing.FACTORLESS:
        return redirect("mfa_activate_totp")
    if standing is Standing.OPEN:
        return redirect("pit")
    asked_for = request.get_full_path()
    if request.method != "GET" or request.headers.get("HX-Request"):
        asked_for = _came_from(request)
    if request.method != "GET":
        messages.error(request, _("This login was locked. Nothing has been done."))
    locked = f"{reverse('pit_locked')}?{urlencode({'next': asked_for})}"
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(locked)
    return HttpResponseRedirect(locked)


def _tell_how_requests_ended(request: HttpRequest, member: Player) -> None:
    """Whoever has asked for something that a second person has decided meanwhile is told, once."""
    for one in approvals.tell(member):
        facts = {"what": text_of(approvals.title_of(one)), "who": one.decided_by, "why": one.decision}
        if one.state == ApprovalRequest.State.APPROVED:
            messages.success(request, _("%(what)s, which you asked for: %(who)s has approved it.") % facts)
        else:
            messages.warning(request, _("%(what)s, which you asked for: %(who)s has refused it. %(why)s") % facts)


def _came_from(request: HttpRequest) -> str:
    """The page of ours from which something was asked."""
    page = onward(request, request.headers.get("Referer", ""))
    return urlsplit(page)._replace(scheme="", netloc="").geturl()


def do_and_say(request: HttpRequest, deed: Callable[[], object], said: str, page: str, *args: object) -> HttpResponse:
    """Do it and say so on this page of the pit; or say there why not."""
    try:
        deed()
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    else:
        messages.success(request, said)
    return redirect(page, *args)
