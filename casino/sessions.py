"""Whose browser it is that asks: the session that its cookie names, and who is logged in with it, read together."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from tables.base.browser_sessions import SessionStore, session_of
from tables.base.executor import in_database
from tables.models import Player
from tables.services.players import logins


class Users(AuthenticationMiddleware):
    """Of a page. Where the session alone does not tell who that is, Django does: it asks for the account, gives the
    session the hash by the present SECRET_KEY, or ends it."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = cast("Any", SimpleLazyObject(partial(_user_of, request)))


def _user_of(request: HttpRequest) -> Player | AnonymousUser:
    return logins.player_of(session_of(request)) or get_user(request)


class Logins:
    """ASGI: of a socket. Its cookie cannot be given a new key, so whatever it finds, it ends no session."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        session, user, is_open = SessionStore(scope["cookies"].get(settings.SESSION_COOKIE_NAME)), None, True
        if session.session_key is not None:
            user, is_open = await in_database(_read, session)
            session.row = None  # the socket may stay for hours
        scope = {**scope, "session": session, "user": user or AnonymousUser(), "login_is_open": is_open}
        return await self.application(scope, receive, send)


def _read(session: SessionStore) -> tuple[Player | None, bool]:
    """Who is logged in with this session, and whether that login is open."""
    player, read = logins.player_of(session, former_keys=True), logins.login_as_read(session)
    if player is None or read is None:
        return None, True
    login, now = read
    return player, logins.standing(login, player, now) is logins.Standing.OPEN
