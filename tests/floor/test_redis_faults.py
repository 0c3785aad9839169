"""Redis is away, slow, emptied or unruly: money moves all the same, and every screen comes to show it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
import redis
from channels.layers import channel_layers, get_channel_layer
from django.conf import settings
from django.utils.module_loading import import_string

from tables.base.executor import in_database
from tables.live import consumers
from tables.live.hub import Hub
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import Room
from .test_sockets import START, Line, Scene, live, scene

__all__ = ["live", "scene"]


async def a_night(house: House, floor: Hub) -> None:
    """Two play a round of Baccarat from the first bet to the pay, and a third looks on."""
    table = await in_database(house.table)
    ana, rui = [await in_database(house.player, name) for name in ("ana", "rui")]
    room = Room(table, floor)
    for who in (ana, rui, None):
        await room.enter(who)
    await room.until_phase(house, "betting")
    for player, spot in ((ana, "player"), (rui, "banker"), (ana, "tie")):
        await room.does(lambda player=player, spot=spot: house.bet(player, table, spot, 10))  # type: ignore[misc]
    await room.until_over(house)
    assert (await in_database(house.log, table)).settled_at is not None


@pytest.fixture
def nobody_there() -> Iterator[None]:
    """The address of Redis leads nowhere, from the start of the process on."""
    configuration: dict[str, Any] = settings.CHANNEL_LAYERS["default"]
    before: Any = get_channel_layer()
    layer = import_string(configuration["BACKEND"])(**(configuration["CONFIG"] | {"hosts": ["redis://127.0.0.1:1/0"]}))
    channel_layers.set("default", layer)
    yield
    channel_layers.set("default", before)


@pytest.mark.in_full
async def test_a_house_that_begins_without_redis_shows_every_change(
    nobody_there: None, house: House, live: Hub
) -> None:
    """Each process looks for itself, with one query for all tables; nothing is heard of any other."""
    await a_night(house, live)


async def test_no_bet_waits_for_a_redis_that_does_not_answer(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    layer: Any = get_channel_layer()
    asked = asyncio.Event()

    async def never(group: str, message: dict[str, Any]) -> None:
        asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(layer, "group_send", never)
    assert "Placed." in await scene.line.bet(scene.log)
    async with asyncio.timeout(WITHIN):
        await asked.wait()
    assert "Placed." in await scene.line.bet(scene.log, spot="banker")
    assert await in_database(scene.house.balance, scene.ana) == START - 20_000


@pytest.mark.skipif(not settings.EMBEDDED_VALKEY, reason="empties the whole Redis: only one of our own")
async def test_a_redis_that_was_emptied_goes_on_as_if_nothing_had_been(house: House, live: Hub) -> None:
    """Nothing that anybody is shown or owns is kept there; who listens goes on listening."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.set("macau:something", "else")

    class Emptied(House):
        """Redis is emptied before each step of the dealer."""

        def step(self, table: Any) -> Any:
            client.flushall()
            return super().step(table)

    emptied = Emptied()
    await a_night(emptied, live)
    await in_database(emptied.in_order)


@pytest.fixture
def unruly(live: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every announcement comes three times, and each one after the next."""
    layer: Any = get_channel_layer()
    send = layer.group_send
    waiting: list[tuple[str, dict[str, Any]]] = []

    async def group_send(group: str, message: dict[str, Any]) -> None:
        waiting.append((group, message))
        for _ in range(3):
            for one in reversed(waiting[-2:]):
                await send(*one)
        del waiting[:-1]

    monkeypatch.setattr(layer, "group_send", group_send)


async def test_announcements_that_come_thrice_and_in_another_order_change_nothing(
    house: House, live: Hub, unruly: None
) -> None:
    await a_night(house, live)


# ── Lines that come and go (C12) ────────────────────────────────────────────────────────────────────────────


@pytest_asyncio.fixture
async def flapping(scene: Scene, settings: Any) -> AsyncIterator[Scene]:
    settings.SOCKETS_PER_PLAYER = 2
    yield scene


async def test_a_line_that_comes_and_goes_sixty_times_is_one_line(flapping: Scene) -> None:
    """Of each tab one socket lives; whatever is cut off frees its place at once, also in the middle of joining."""
    for number in range(60):
        line = Line(f"/ws/tables/{flapping.table.slug}/?lang=en", flapping.session)
        assert await line.open(), number
        await line.socket.disconnect()
    assert consumers._per_player[flapping.ana.pk] == 1
    assert "Placed." in await flapping.line.bet(flapping.log)
