"""Which socket is which."""

from __future__ import annotations

from typing import Any

from django.urls import path

from .consumers import (
    FloorSocket,
    JackpotSocket,
    KioskSocket,
    LobbySocket,
    PitBarSocket,
    PitKiosksSocket,
    PitSocket,
    TableSocket,
)
from .wallboard import WallboardSocket


def _app(consumer: type[FloorSocket]) -> Any:
    """To Django's types a view; Channels' router hands it sockets."""
    return consumer.as_asgi()


websocket_urlpatterns = [
    path("ws/tables/<slug:slug>/", _app(TableSocket)),
    path("ws/lobby/", _app(LobbySocket)),
    path("ws/jackpots/<slug:slug>/", _app(JackpotSocket)),
    path("ws/kiosk/", _app(KioskSocket)),
    path("ws/kiosk/wallboard/", _app(WallboardSocket)),
    path("ws/pit/", _app(PitSocket)),
    path("ws/pit/bar/", _app(PitBarSocket)),
    path("ws/pit/tables/<slug:slug>/", _app(PitSocket)),
    path("ws/pit/kiosks/", _app(PitKiosksSocket)),
    path("ws/pit/kiosks/<int:kiosk_id>/", _app(PitKiosksSocket)),
]
