"""The door of the pit: a login that is locked, and a word that somebody is still there."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.services.pit import sessions
from tables.services.pit.sessions import Standing
from tables.views import attempts
from tables.views.accounts import CodeAgainForm

from .gate import member_of, onward, staff, staff_deed

LOGGED_IN = frozenset({Standing.UNPROVED, Standing.LOCKED, Standing.OPEN})


class ShortCodeForm(forms.Form):
    """The short code of a login: to open it again, or to choose another one."""

    short = forms.CharField(
        label=_("Short code"), max_length=sessions.MOST_DIGITS, strip=False,
        widget=forms.PasswordInput(attrs={"inputmode": "numeric", "autocomplete": "off", "autofocus": True}),
    )  # fmt: skip


@staff(Right.WATCH, at=LOGGED_IN)
@sensitive_post_parameters("code", "short")
def locked(request: HttpRequest) -> HttpResponse:
    """Ask for a code in a login that is locked, then go on where the member was: for the short code of this login, if
    it has one that was not wrong too often, or for one of the second factor."""
    member, session, now = member_of(request), session_of(request), DATABASE_CLOCK.now()
    wanted = onward(request, request.POST.get("next", request.GET.get("next", "")))
    standing = sessions.standing(member, session, now)
    if standing is Standing.OPEN:
        return HttpResponseRedirect(wanted)
    is_short = "short" in request.POST
    form = CodeAgainForm(user=member, data=None if is_short else request.POST or None)
    short = ShortCodeForm(request.POST if is_short else None)
    if is_short:
        if standing is Standing.LOCKED and sessions.unlock_shortly(session, member, request.POST["short"], now):
            return HttpResponseRedirect(wanted)
        attempts.code_refused(request, member)
        short.add_error("short", gettext("This is not the short code of this login."))
    elif request.method == "POST" and form.is_valid():
        form.save()
        return HttpResponseRedirect(wanted)
    offered = standing is Standing.LOCKED and sessions.has_short_code(session)
    context = {"form": form, "short": short if offered else None, "tried": is_short, "next": wanted}
    return render(request, "pit/locked.html", context)


@staff(Right.WATCH)
@sensitive_post_parameters("short")
def short_code(request: HttpRequest) -> HttpResponse:
    """Choose the short code of this login, or take it away."""
    session = session_of(request)
    form = ShortCodeForm(request.POST or None)
    if request.method == "POST" and ("remove" in request.POST or form.is_valid()):
        code = "" if "remove" in request.POST else form.cleaned_data["short"]
        try:
            sessions.choose_short_code(session, code)
        except Refused as refusal:
            form.add_error("short", text_of(refusal.words))
        else:
            messages.success(
                request, gettext("The short code opens this login.") if code else gettext("The short code is gone.")
            )
            return redirect("pit_short_code")
    context = {"form": form, "has": sessions.has_short_code(session), "least": sessions.LEAST_DIGITS}
    return render(request, "pit/short_code.html", context)


@staff_deed(Right.WATCH, at=LOGGED_IN)
def lock(request: HttpRequest) -> HttpResponse:
    """Lock this login by hand: its lines to the pit close at once."""
    sessions.lock(session_of(request))
    return redirect("pit_locked")


@staff_deed(Right.WATCH, at=LOGGED_IN)
def seen(request: HttpRequest) -> HttpResponse:
    """The member types or points, without a request to a page: 204; 409 if that comes too late."""
    standing = sessions.standing(member_of(request), session_of(request), DATABASE_CLOCK.now())
    return HttpResponse(status=204 if standing is Standing.OPEN else 409)
