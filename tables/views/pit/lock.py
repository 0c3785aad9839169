"""The door of the pit: a login that is locked, and a word that somebody is still there."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.services.pit import sessions
from tables.services.pit.sessions import Standing
from tables.views.accounts import CodeAgainForm

from .gate import member_of, onward, staff

LOGGED_IN = frozenset({Standing.UNPROVED, Standing.LOCKED, Standing.OPEN})


@staff(Right.WATCH, at=LOGGED_IN)
@sensitive_post_parameters("code")
def locked(request: HttpRequest) -> HttpResponse:
    """Ask for a code in a login that is locked, then go on where the member was."""
    member = member_of(request)
    wanted = onward(request, request.POST.get("next", request.GET.get("next", "")))
    if sessions.standing(member, session_of(request), DATABASE_CLOCK.now()) is Standing.OPEN:
        return HttpResponseRedirect(wanted)
    form = CodeAgainForm(user=member, data=request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        return HttpResponseRedirect(wanted)
    return render(request, "pit/locked.html", {"form": form, "next": wanted})


@staff(Right.WATCH, at=LOGGED_IN)
@require_POST
def lock(request: HttpRequest) -> HttpResponse:
    """Lock this login by hand: its lines to the pit close at once."""
    sessions.lock(session_of(request))
    return redirect("pit_locked")


@staff(Right.WATCH, at=LOGGED_IN)
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """The member types or points, without a request to a page: 204; 409 if that comes too late."""
    standing = sessions.standing(member_of(request), session_of(request), DATABASE_CLOCK.now())
    return HttpResponse(status=204 if standing is Standing.OPEN else 409)
