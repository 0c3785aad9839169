"""Which socket is which."""

from __future__ import annotations

from typing import Any

from django.urls import path

from .consumers import JackpotSocket, KioskSocket, LobbySocket, PitKiosksSocket, PitSocket, TableSocket

_table: Any = TableSocket.as_asgi()  # to Django's types a view; Channels' router hands it sockets
_lobby: Any = LobbySocket.as_asgi()
_jackpot: Any = JackpotSocket.as_asgi()
_pit: Any = PitSocket.as_asgi()
_pit_kiosks: Any = PitKiosksSocket.as_asgi()

_kiosk: Any = KioskSocket.as_asgi()

websocket_urlpatterns = [
    path("ws/tables/<slug:slug>/", _table),
    path("ws/lobby/", _lobby),
    path("ws/jackpots/<slug:slug>/", _jackpot),
    path("ws/kiosk/", _kiosk),
    path("ws/pit/", _pit),
    path("ws/pit/tables/<slug:slug>/", _pit),
    path("ws/pit/kiosks/", _pit_kiosks),
    path("ws/pit/kiosks/<int:kiosk_id>/", _pit_kiosks),
]
