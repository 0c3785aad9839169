"""What the house notices of logins by Django's and allauth's own signals. `connect` is called once, at the start."""

from __future__ import annotations

from allauth.core import context
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest

from tables.base.browser_sessions import session_of
from tables.base.clock import DATABASE_CLOCK
from tables.models import Player
from tables.services.journal import access
from tables.services.players import logins

from . import attempts
from .address import address_of


def connect() -> None:
    """Listen. Before Django's own receiver of a login, which forgets when the last one was."""
    user_logged_in.connect(_logged_in, dispatch_uid="tables: logged in")
    mfa.authentication_failed.connect(_code_refused, dispatch_uid="tables: code refused")
    mfa.authenticator_used.connect(_code_used, dispatch_uid="tables: code used")
    post_save.connect(_factor_set, sender=Authenticator, dispatch_uid="tables: factor set")
    post_delete.connect(_factor_removed, sender=Authenticator, dispatch_uid="tables: factor removed")


def _logged_in(request: HttpRequest, user: Player, **_: object) -> None:
    logins.begin(
        session_of(request),
        user,
        user.last_login,
        address=address_of(request),
        browser=request.META.get("HTTP_USER_AGENT", ""),
        now=DATABASE_CLOCK.now(),
    )


def _code_refused(request: HttpRequest, user: Player, **_: object) -> None:
    attempts.code_refused(request, user)


def _code_used(request: HttpRequest, user: Player, authenticator: Authenticator, **_: object) -> None:
    attempts.code_used(user)
    access.note("code used", "done", player=user, address=address_of(request), type=authenticator.type)


def _factor_set(instance: Authenticator, created: bool, **_: object) -> None:
    if created:
        access.note("second factor set", "done", player=instance.user, address=_address(), type=str(instance.type))


def _factor_removed(instance: Authenticator, **_: object) -> None:
    access.note("second factor removed", "done", player=instance.user, address=_address(), type=str(instance.type))


def _address() -> str:
    """From where the deed under way is done; nowhere for a command."""
    request = getattr(context, "request", None)
    return address_of(request) if request is not None else ""
