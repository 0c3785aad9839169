"""How often somebody may try to log in, so that nobody can be kept from their own account.

- A strange browser is counted by user name and address, and hard: five failures in five minutes.
- All strange browsers together are counted by the name alone, and slowly: whoever tries from many addresses.
- A browser in which this account has logged in before is counted for itself: it holds a signed cookie. Whatever others
  try meanwhile, the owner comes in with that.

And it is noticed when one address tries many names, or somebody guesses at the codes of a second factor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import get_random_string, salted_hmac

from tables.models import Player
from tables.services.journal import access

from .address import address_of

APP = "allauth.account"
BY_ADDRESS, BY_NAME, BY_BROWSER = "login_failed", "login_failed_name", "login_failed_known"
"""What is limited in the settings: ACCOUNT_RATE_LIMITS."""

KNOWN = settings.KNOWN_BROWSER_COOKIE_NAME
KNOWN_FOR_S = 180 * 24 * 3600
"""Seconds for which a browser is known to an account."""

MOST_KNOWN = 8
"""Accounts that a browser is known to at most."""

CODES_FOR_S = 3600
"""Seconds within which refused codes are counted."""


def normal(name: str) -> str:
    """A user name as it is counted."""
    return name.strip().lower()


def somebody(name: str) -> Player | None:
    """Whose user name this is."""
    return Player.objects.filter(username__iexact=name.strip()).first()


def take(request: HttpRequest, name: str) -> RateLimitUsage | None:
    """Count one more attempt at this name; None if there were too many. `rollback()` of what it returns uncounts it."""
    usages: list[RateLimitUsage] = []
    for action, key in _counts(request, name):
        usage = ratelimit.consume(request, app=APP, action=action, key=key)
        if usage is None:
            for one in usages:
                one.rollback()
            return None
        usages.append(usage)
    return RateLimitUsage(usage=[single for one in usages for single in one.usage])


def forget(request: HttpRequest, name: str) -> None:
    """Forget the failures at this name: the password has just been set anew by its owner."""
    for action, key in (*_counts(request, name), (BY_NAME, normal(name))):
        ratelimit.clear(request, app=APP, action=action, key=key)


def _counts(request: HttpRequest, name: str) -> Sequence[tuple[str, str]]:
    if (browser := _known_browser(request, name)) is not None:
        return ((BY_BROWSER, f"{normal(name)}|{browser}"),)
    return ((BY_ADDRESS, f"{normal(name)}|{ratelimit.truncate_ip(address_of(request))}"), (BY_NAME, normal(name)))


# ── Known browsers ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Browser:
    """What the cookie says: which browser it is, and the accounts that have logged in with it, newest first."""

    name: str = ""
    accounts: tuple[str, ...] = ()


def remember_browser(request: HttpRequest, response: HttpResponseBase, player: Player) -> None:
    """This account has logged in with this browser: it is known from now on."""
    before, mark = _browser(request), _mark(player)
    accounts = [mark, *(one for one in before.accounts if one != mark)][:MOST_KNOWN]
    response.set_cookie(
        KNOWN,
        signing.dumps([before.name or get_random_string(16), accounts], salt=KNOWN),
        max_age=KNOWN_FOR_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_browser(request: HttpRequest, name: str) -> str | None:
    """The browser that asks, if this account has logged in with it before."""
    browser = _browser(request)
    player = somebody(name) if browser.accounts else None
    return browser.name if player is not None and _mark(player) in browser.accounts else None


def _browser(request: HttpRequest) -> _Browser:
    try:
        name, accounts = signing.loads(request.COOKIES.get(KNOWN, ""), salt=KNOWN, max_age=KNOWN_FOR_S)
    except (signing.BadSignature, TypeError, ValueError):
        return _Browser()
    return _Browser(name, tuple(accounts))


def _mark(player: Player) -> str:
    """What stands for this account in the cookie: nobody else learns anything of it."""
    return salted_hmac(KNOWN, str(player.pk)).hexdigest()[:16]


# ── What is noticed ─────────────────────────────────────────────────────────────────────────────────────────


def failed(request: HttpRequest, name: str) -> None:
    """A password was wrong. Many names from one address are somebody who tries them all."""
    address = address_of(request)
    access.note("login failed", "refused", player=somebody(name), address=address)
    key = f"sprayed:{hashlib.sha256(address.encode()).hexdigest()}"
    tried = hashlib.sha256(normal(name).encode()).hexdigest()[:16]
    names = [one for one in cache.get(key, []) if one != tried]
    cache.set(key, [*names, tried][-access.NAMES_SPRAYED :], access.SPRAYED_WITHIN_S)
    if len(names) + 1 >= access.NAMES_SPRAYED:
        access.sprayed(address, access.NAMES_SPRAYED)


def code_refused(request: HttpRequest, player: Player) -> None:
    """A code of the second factor was wrong, or used before."""
    address = address_of(request)
    access.note("code refused", "refused", player=player, address=address)
    key = f"codes:{player.pk}"
    refused = int(cache.get(key, 0)) + 1
    cache.set(key, refused, CODES_FOR_S)
    if refused >= access.CODES_REFUSED:
        access.codes_refused(player, address)


def code_used(player: Player) -> None:
    """A code was good: those before it are forgotten."""
    cache.delete(f"codes:{player.pk}")
