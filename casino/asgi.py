"""The two doors: HTTP and WebSocket."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
_http = get_asgi_application()  # loads the apps; what is below may then import models

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from tables.live.routing import websocket_urlpatterns  # noqa: E402

from .origin import SameOrigin  # noqa: E402

_sockets = URLRouter(websocket_urlpatterns)

application = ProtocolTypeRouter({"http": _http, "websocket": SameOrigin(AuthMiddlewareStack(_sockets))})
