"""Which socket is which."""

from __future__ import annotations

from typing import Any

from django.urls import path

from .consumers import LobbySocket, TableSocket

_table: Any = TableSocket.as_asgi()  # to Django's types a view; Channels' router hands it sockets
_lobby: Any = LobbySocket.as_asgi()

websocket_urlpatterns = [
    path("ws/tables/<slug:slug>/", _table),
    path("ws/lobby/", _lobby),
]
