"""Whose socket it is: the session that its cookie names, and who is logged in with it."""

from __future__ import annotations

from typing import Any, cast

from channels.auth import get_user
from django.conf import settings

from tables.base.browser_sessions import SessionStore
from tables.base.executor import in_database


class Logins:
    """ASGI: a socket's session and its user, read together on one of the house's own database threads.

    As Channels' own middleware does, but for what no socket needs: that one goes through a thread which all share, and
    asks of each message that is sent whether the session is to be written.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        session = SessionStore(scope["cookies"].get(settings.SESSION_COOKIE_NAME))
        scope = {**scope, "session": session}
        scope["user"] = await in_database(cast("Any", get_user).func, scope)
        session.row = None  # the socket may stay for hours
        return await self.application(scope, receive, send)
