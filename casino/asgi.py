"""The two doors: HTTP and WebSocket."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup(set_prefix=False)  # loads the apps; what is below may then import models

from typing import Any  # noqa: E402

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from tables.live.routing import websocket_urlpatterns  # noqa: E402

from .origin import SameOrigin  # noqa: E402
from .pages import Pages  # noqa: E402
from .published import Published  # noqa: E402
from .sessions import Logins  # noqa: E402
from .turns import Turns  # noqa: E402


class AtTheRoot:
    """ASGI: the house stands at the root of its host, whatever a server or a header says of a prefix."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        return await self.application({**scope, "root_path": ""}, receive, send)


_no_such_socket: Any = WebsocketDenier.as_asgi()  # to Django's types a view
_sockets = URLRouter([*websocket_urlpatterns, re_path("", _no_such_socket)])

_pages = Turns(
    Published(Pages()),
    at_once=settings.PAGES_AT_ONCE,
    at_once_per_address=settings.PAGES_AT_ONCE_PER_ADDRESS,
    per_second=settings.REQUESTS_PER_ADDRESS,
)

_lines = SameOrigin(CookieMiddleware(Logins(_sockets)))

application = AtTheRoot(ProtocolTypeRouter({"http": _pages, "websocket": _lines}))
