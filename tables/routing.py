"""Which socket is which."""

from __future__ import annotations

from django.urls import path

from .consumers import LobbySocket, TableSocket

websocket_urlpatterns = [
    path("ws/tables/<slug:slug>/", TableSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
]
