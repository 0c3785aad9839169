"""Sockets are counted by the address that everything else goes by."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator

from casino.asgi import application
from tables.base.executor import in_database
from tables.live import consumers, hub
from tables.live.hub import Hub
from tests.house.kit import House
from tests.house.processes import WITHIN

TOO_MANY = 4008


@pytest_asyncio.fixture
async def live(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    return live


async def opened(address: str) -> tuple[Any, bool]:
    """A socket to the lobby from there, and whether it may stay."""
    line: Any = WebsocketCommunicator(
        application, "/ws/lobby/?lang=en", [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    )
    line.scope["client"] = (address, 4711)
    assert (await line.connect())[0]
    told = await line.receive_output(timeout=WITHIN)
    assert told["type"] == "websocket.send" or told["code"] == TOO_MANY
    return line, told["type"] == "websocket.send"


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("192.0.2.1", "192.0.2.1", False),
        ("192.0.2.1", "192.0.2.2", True),
        ("2001:db8::1", "2001:db8::ffff:1", False),
        ("2001:db8::1", "2001:db8:0:1::1", True),
        ("::ffff:192.0.2.1", "192.0.2.1", False),
    ],
)
async def test_an_address_has_so_many_sockets_and_a_network_of_ipv6_is_one(
    live: Hub, house: House, settings: Any, caplog: pytest.LogCaptureFixture, first: str, second: str, together: bool
) -> None:
    await in_database(house.table)  # of which a line to the lobby hears at once
    settings.SOCKETS_PER_ADDRESS = 1
    one, stays = await opened(first)
    assert stays
    other, may = await opened(second)
    assert may is together
    assert ("too many sockets" in caplog.text) is not together
    for line in (one, other):
        await line.disconnect()
    again, stays = await opened(first)
    assert stays
    await again.disconnect()
