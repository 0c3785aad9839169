"""Guests, accounts and wallets. Log-in, log-out, sign-up and passwords are allauth's (`tables.views.accounts`)."""

from __future__ import annotations

from functools import partial

from allauth.account import views as stock
from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from tables.base.clock import DATABASE_CLOCK
from tables.felt.formatting import credits_of, text_of
from tables.games.contract.errors import Refused
from tables.models import Player
from tables.queries.history import statement_of
from tables.queries.reviews import unread_of
from tables.services.money import wallet
from tables.services.players import people, restrictions

from .accounts import KeepForm, limited
from .attempts import remember_browser
from .paging import older_page

LINES = 30
"""Movements on one page of the wallet."""


def player_of(request: HttpRequest) -> Player:
    """Who is logged in. Only for views that demand it."""
    assert isinstance(request.user, Player)
    return request.user


def next_of(request: HttpRequest, otherwise: str) -> str:
    """The page of ours that the form asks to go on to, or `otherwise`."""
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse(otherwise)


@require_POST
@limited("guest")
def guest(request: HttpRequest) -> HttpResponse:
    """Play at once: a new player without a password, known by this browser alone."""
    if not request.user.is_authenticated:
        adapter = get_adapter(request)
        adapter.login(request, people.new_guest(adapter.get_client_ip(request)))
    return HttpResponseRedirect(next_of(request, "lobby"))


def log_in(request: HttpRequest) -> HttpResponseBase:
    """Allauth's page. A guest is told first what leaving means: nobody can come back to a guest's credits."""
    if request.user.is_authenticated and player_of(request).guest:
        return redirect(f"{reverse('account_logout')}?{urlencode({'next': reverse('account_login')})}")
    answer: HttpResponseBase = stock.login(request)
    return answer


def log_out(request: HttpRequest) -> HttpResponseBase:
    """Allauth's page. Nothing that this browser has kept of the login stays in it."""
    answer: HttpResponseBase = stock.logout(request)
    if request.method == "POST":
        answer["Clear-Site-Data"] = '"cache"'  # what else there is, page.js empties: "storage" would take settings too
    return answer


def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Allauth's page. A guest keeps their account instead of starting over."""
    if request.user.is_authenticated and player_of(request).guest:
        return redirect("keep")
    answer: HttpResponseBase = stock.signup(request)
    return answer


@never_cache
@login_required
@sensitive_post_parameters("password1", "password2")
@limited("signup")
def keep(request: HttpRequest) -> HttpResponse:
    """A guest chooses a name and a password, and keeps seat, credits and rounds."""
    player = player_of(request)
    if not player.guest:
        return redirect("account")
    form = KeepForm(player, data=request.POST or None)
    if request.method == "POST" and form.is_valid() and form.keep(request):
        messages.success(request, _("This account is yours now, %(name)s.") % {"name": player.username})
        answer = redirect("account")
        remember_browser(request, answer, player)
        return answer
    return render(request, "account/keep.html", {"form": form})


@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """A player's wallet: balance, movements, and whether they may ask for more. Staff have none."""
    player = player_of(request)
    if player.role:
        return render(request, "account/staff.html")
    lines, older_url = older_page(request, partial(statement_of, player), LINES)
    balance = wallet.balance_of(player.pk)
    again_at = None
    if player.last_topped_up_at is not None:
        again_at = player.last_topped_up_at + people.COOL_DOWN
    context = {
        "player": player,
        "balance": balance,
        "lines": lines,
        "older_url": older_url,
        "newer_url": reverse("account") if "before" in request.GET else "",
        "limit": people.NEARLY_BROKE,
        "top_up_to": people.TOP_UP_TO,
        "held": restrictions.in_words(player.pk, DATABASE_CLOCK.now()),
        "answers": unread_of(player),
        "nearly_broke": balance < people.NEARLY_BROKE,
        "again_at": again_at if again_at is not None and again_at > DATABASE_CLOCK.now() else None,
    }
    return render(request, "account/wallet.html", context)


@require_POST
@login_required
def top_up(request: HttpRequest) -> HttpResponse:
    """Ask for more credits."""
    try:
        amount = people.top_up(player_of(request).pk)
    except Refused as refusal:
        messages.error(request, text_of(refusal.words))
    else:
        messages.success(request, _("You have been given %(amount)s credits.") % {"amount": credits_of(amount)})
    return HttpResponseRedirect(next_of(request, "account"))
