"""Kiosks in a test of pages and sockets: devices with a browser, enrolled as kiosks, and their lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from channels.testing import WebsocketCommunicator
from django.test import Client

from casino.asgi import application
from tables.models import Kiosk, Table
from tables.services.kiosk import kiosks
from tables.services.kiosk.kiosks import Setting
from tests.house.kiosk_kit import boss
from tests.house.processes import WITHIN

SCREEN = "0123456789abcdef"
LANGUAGES = ("zh-hant", "pt", "en")
CREDITS = 5_000 * 100
"""Cents that a visitor gets."""


def a_kiosk(*tables: Table, name: str = "Lobby", languages: Sequence[str] = LANGUAGES) -> Kiosk:
    """A kiosk that shows these tables; no screen is it yet."""
    setting = Setting(name, "by the stairs", [table.pk for table in tables], list(languages), CREDITS, 60)
    return kiosks.make(boss(), setting)


_numbers = count(1)


@dataclass
class Device:
    """A screen: its browser, its own id, and which use of a kiosk it remembers. Each has an address of its own, so that
    many of them are not too many for the house."""

    screen: str = SCREEN
    browser: Client = field(default_factory=Client)
    last_use: int | None = None

    def __post_init__(self) -> None:
        number = next(_numbers)
        self.browser.defaults["REMOTE_ADDR"] = f"198.18.{number // 250}.{number % 250}"

    def ask(self, said: object = None, **headers: str) -> Any:
        """What the house answers at the door."""
        return self.browser.post(
            "/kiosk/begin/",
            json.dumps(said if said is not None else {"screen": self.screen, "last_use": self.last_use}),
            content_type="application/json",
            headers={"origin": "http://testserver", "x-kiosk": "1", **headers},
        )

    def begin(self) -> dict[str, Any]:
        """Come in by the door; what the house says."""
        answer = self.ask()
        assert answer.status_code == 200, answer.content
        told: dict[str, Any] = answer.json()
        self.last_use = told.get("use", self.last_use)
        return told

    def copy(self) -> Device:
        """Another browser with the cookies of this one."""
        other = Device(self.screen, last_use=self.last_use)
        other.browser.cookies.load({name: one.value for name, one in self.browser.cookies.items()})
        return other

    def play(self, table: str = "", **said: str) -> Any:
        """Touch the screen."""
        return self.browser.post("/kiosk/play/", {"table": table, **said})

    def cookie(self, name: str) -> str:
        """What this cookie holds; nothing if it is not there."""
        return str(self.browser.cookies[name].value) if name in self.browser.cookies else ""

    def line(self, path: str = "/ws/kiosk/") -> Line:
        """A socket, as its pages open them."""
        return Line(path, {name: self.cookie(name) for name in ("sessionid", "kiosk") if self.cookie(name)})


def enrolled(kiosk: Kiosk, device: Device | None = None) -> Device:
    """A device that is this kiosk, and has begun."""
    device = device or Device()
    kiosks.enrol(boss(), kiosk.pk, device.begin()["code"])
    assert device.begin()["state"] == "begun"
    return device


def visited(kiosk: Kiosk, table: str = "", device: Device | None = None) -> Device:
    """A device at which somebody plays."""
    device = device or enrolled(kiosk)
    assert device.play(table).status_code == 303
    return device


class Line:
    """One socket to the real application."""

    def __init__(self, path: str, cookies: dict[str, str]) -> None:
        said = "; ".join(f"{name}={value}" for name, value in cookies.items())
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", said.encode())]
        self.socket = WebsocketCommunicator(application, path, headers)

    async def open(self) -> Line:
        opened, _ = await self.socket.connect(timeout=WITHIN)
        assert opened
        return self

    async def say(self, said: str | dict[str, Any]) -> None:
        await self.socket.send_to(text_data=said if isinstance(said, str) else json.dumps(said))

    async def here(self, showing: str = "attract") -> dict[str, Any]:
        """Say what is shown; what the line is told."""
        await self.say({"type": "here", "showing": showing})
        return await self.told()

    async def told(self) -> dict[str, Any]:
        """What the line is told next."""
        told: dict[str, Any] = json.loads(await self.socket.receive_from(timeout=WITHIN))
        return told

    async def until(self, wanted: dict[str, Any]) -> None:
        """Wait till the line is told just this; what was so before it may be told first."""
        while await self.told() != wanted:
            pass

    async def heard(self) -> str:
        """The next message of a table."""
        return str(await self.socket.receive_from(timeout=WITHIN))

    async def closed_with(self) -> int:
        """Wait for the house to close it; its code."""
        while True:
            message = await self.socket.receive_output(timeout=WITHIN)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def close(self) -> None:
        await self.socket.disconnect()
