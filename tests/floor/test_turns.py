"""Nobody's many requests keep others from being answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from channels.testing import HttpCommunicator
from django.conf import settings

from casino import turns
from casino.asgi import application
from casino.turns import BURST_S, MOST_WAITING, Turns
from tests.house.processes import WITHIN


class Slow:
    """An application whose answers wait until they may go."""

    def __init__(self) -> None:
        self.working: list[str] = []
        self.most = 0
        self.go, self._came = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.working.append(scope["client"][0])
        self.most = max(self.most, len(self.working))
        self._came.set()
        await self.go.wait()
        self.working.remove(scope["client"][0])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def at_work(self, requests: int) -> None:
        """Wait until so many are being answered."""
        while len(self.working) < requests:
            self._came.clear()
            await self._came.wait()


@pytest.fixture(autouse=True)
def refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "REFUSE_AFTER_S", 0.0)


async def asked(doors: Turns, address: str, kind: str = "http") -> int:
    """The status of the answer."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await doors({"type": kind, "client": [address, 4711]}, None, send)
    return int(sent[0]["status"])


@pytest.fixture
def standing_still(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock; the test moves it."""
    now = [1_000.0]
    monkeypatch.setattr(turns, "monotonic", lambda: now[0])
    return now


async def test_one_address_waits_for_itself_and_not_others_for_it() -> None:
    slow = Slow()
    doors = Turns(slow, at_once=4, at_once_per_address=2, per_second=1_000)
    flood = [asyncio.create_task(asked(doors, "192.0.2.1")) for _ in range(20)]
    other = asyncio.create_task(asked(doors, "198.51.100.7"))
    async with asyncio.timeout(WITHIN):
        await slow.at_work(3)
        assert sorted(slow.working) == ["192.0.2.1", "192.0.2.1", "198.51.100.7"]
        slow.go.set()
        assert await other == 200
        assert await asyncio.gather(*flood) == [200] * 20


async def test_no_more_are_made_at_once_than_the_house_can() -> None:
    slow = Slow()
    doors = Turns(slow, at_once=3, at_once_per_address=2, per_second=1_000)
    crowd = [asyncio.create_task(asked(doors, f"192.0.2.{n}")) for n in range(50)]
    async with asyncio.timeout(WITHIN):
        await slow.at_work(3)
        slow.go.set()
        await asyncio.gather(*crowd)
    assert slow.most == 3


async def test_too_many_a_second_are_refused_in_three_languages_and_noted_once(
    standing_still: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    slow = Slow()
    slow.go.set()
    doors = Turns(slow, at_once=4, at_once_per_address=2, per_second=10)
    assert [await asked(doors, "2001:db8::1") for _ in range(10 * BURST_S)] == [200] * 10 * BURST_S
    assert [await asked(doors, f"2001:db8::{n}") for n in range(2, 9)] == [429] * 7, "a network of IPv6 is one address"
    assert await asked(doors, "2001:db8:0:1::1") == 200
    assert caplog.text.count("too many requests from one address") == 1
    standing_still[0] += 1
    assert [await asked(doors, "2001:db8::1") for _ in range(11)] == [200] * 10 + [429]
    assert len(turns.WORDS.splitlines()) == 3


async def test_a_queue_has_an_end() -> None:
    slow = Slow()
    doors = Turns(slow, at_once=4, at_once_per_address=2, per_second=1_000)
    queue = [asyncio.create_task(asked(doors, "192.0.2.1")) for _ in range(MOST_WAITING)]
    async with asyncio.timeout(WITHIN):
        await slow.at_work(2)
        assert await asked(doors, "192.0.2.1") == 429
        slow.go.set()
        assert await asyncio.gather(*queue) == [200] * MOST_WAITING
        assert await asked(doors, "192.0.2.1") == 200


async def test_addresses_that_have_gone_quiet_are_forgotten(
    standing_still: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MOST_ADDRESSES", 10)
    slow = Slow()
    slow.go.set()
    doors = Turns(slow, at_once=4, at_once_per_address=2, per_second=10)
    for n in range(10):
        await asked(doors, f"192.0.2.{n}")
    standing_still[0] += BURST_S
    await asked(doors, "198.51.100.7")
    assert list(doors._lines) == ["198.51.100.7"]


async def test_sockets_pass() -> None:
    slow = Slow()
    slow.go.set()
    assert await asked(Turns(slow, at_once=1, at_once_per_address=1, per_second=0), "192.0.2.1", "websocket") == 200


async def test_the_house_itself_answers_nobody_too_often(
    standing_still: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "BURST_S", 2 / settings.REQUESTS_PER_ADDRESS)

    async def status() -> int:
        request: Any = HttpCommunicator(application, "GET", "/healthz", headers=[(b"host", b"localhost")])
        request.scope["client"] = ["198.51.100.77", 4711]
        return int((await request.get_response(timeout=WITHIN))["status"])

    assert [await status() for _ in range(4)] == [200, 200, 429, 429]
