"""A player's own logins: to come back to one after an absence, to see them all, to end the others."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Player
from tables.services.journal import access
from tables.services.players import logins, names
from tables.services.players.logins import Standing

from .accounts import ReauthenticateForm
from .address import address_of
from .people import player_of


class _OneTap(forms.Form):
    """A guest has no password: that they are there is all that they can show."""


@never_cache
@login_required
@sensitive_post_parameters("password")
def still_there(request: HttpRequest) -> HttpResponse:
    """Ask a player who was away for their password, and a guest for a tap; then go on where they were."""
    player, session = player_of(request), session_of(request)
    onward = _ours(request, request.POST.get("next", request.GET.get("next", "")))
    login = logins.login_of(session)
    if login is None or logins.standing(login, player, DATABASE_CLOCK.now()) is not Standing.AWAY:
        return HttpResponseRedirect(onward)
    posted = request.POST if request.method == "POST" else None
    form = _asked_again(player, posted)
    if request.method == "POST" and form.is_valid():
        logins.come_back(session)
        access.note("came back", "done", player=player, address=address_of(request))
        return HttpResponseRedirect(onward)
    minutes = int(logins.AWAY_AFTER.total_seconds()) // 60
    return render(request, "account/still_there.html", {"form": form, "next": onward, "minutes": minutes})


def _asked_again(player: Player, posted: QueryDict | None) -> forms.Form:
    """By what a player shows again who they are: the password; a guest has none."""
    form: forms.Form = _OneTap(posted) if player.guest else ReauthenticateForm(user=player, data=posted)
    return form


def _own(request: HttpRequest, form: forms.Form) -> HttpResponse:
    player, session = player_of(request), session_of(request)
    context = {"player": player, "logins": logins.own(player.pk), "here": session.stored_key, "form": form}
    return render(request, "account/logins.html", context)


def _ours(request: HttpRequest, page: str) -> str:
    ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return page if ours else get_adapter().get_login_redirect_url(request)


@never_cache
@login_required
@require_GET
def own(request: HttpRequest) -> HttpResponse:
    """Where this player is logged in."""
    return _own(request, _asked_again(player_of(request), None))


@never_cache
@login_required
@sensitive_post_parameters("password")
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """End all logins of this player but this one, once they have shown again who they are."""
    player = player_of(request)
    form = _asked_again(player, request.POST)
    if not form.is_valid():
        return _own(request, form)
    ended = logins.end_all(player.pk, but=session_of(request))
    access.note("logins ended", "done", player=player, address=address_of(request), number=ended)
    said = ngettext("%(number)s other login has ended.", "%(number)s other logins have ended.", ended)
    messages.success(request, said % {"number": ended})
    return redirect("logins")


@login_required
@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Give this player another name at the tables."""
    player = player_of(request)
    try:
        if player.guest or player.role:
            raise Refused("name", names.NOT_FREE)
        name = names.rename(player, request.POST.get("name", ""))
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    else:
        messages.success(request, _("At the tables you are called %(name)s now.") % {"name": name})
    return redirect("account")
