"""Whoever asks for the whole felt again and again gets it once a second, and once more when that is over."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator

from casino.asgi import application
from tables.base.executor import in_database
from tables.live import consumers, hub, sockets
from tables.live.hub import Hub
from tests.house.kit import House
from tests.house.processes import WITHIN

ASKED = 11


@pytest_asyncio.fixture
async def live(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """The consumers' own hub is this test's."""
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    return live


def stranger(path: str) -> Any:
    return WebsocketCommunicator(application, path, [(b"host", b"localhost"), (b"origin", b"http://localhost")])


async def wholes_until_refused(line: Any) -> int:
    """How many whole felts come before the answer to something that nobody understands."""
    await line.send_to(text_data='{"do": "nonsense"}')
    found = 0
    while True:
        text = str(await line.receive_from(timeout=WITHIN))
        if "was not understood" in text:
            return found
        found += 'data-base="*"' in text


@pytest.mark.parametrize("path", ["/ws/tables/taipa/?lang=en", "/ws/lobby/?lang=en"])
async def test_a_flood_of_resyncs_is_answered_twice(house: House, live: Hub, path: str) -> None:
    await in_database(lambda: house.table("taipa"))
    line = stranger(path)
    assert (await line.connect())[0]
    assert 'data-base="*"' in str(await line.receive_from(timeout=WITHIN))
    for _ in range(ASKED):
        await line.send_to(text_data='{"do": "resync"}')
    for _ in range(2):  # at once, and a second later for all the others
        assert 'data-base="*"' in str(await line.receive_from(timeout=WITHIN))
    assert await wholes_until_refused(line) == 0
    await line.disconnect()


async def test_what_is_asked_for_once_in_a_while_comes_at_once(
    house: House, live: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "RESYNC_INTERVAL_S", 0.0)
    await in_database(lambda: house.table("taipa"))
    line = stranger("/ws/tables/taipa/?lang=en")
    assert (await line.connect())[0]
    await line.receive_from(timeout=WITHIN)
    for _ in range(3):
        await line.send_to(text_data='{"do": "resync"}')
        assert 'data-base="*"' in str(await line.receive_from(timeout=WITHIN))
    await line.disconnect()
