"""What a process announces it hears at once, others through Redis; nobody hears it twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer

from tables.base import announce
from tables.base.announce import JackpotChanged
from tables.base.executor import in_database
from tables.base.tasks import cancel_and_wait
from tables.live import hub
from tables.live.hub import Hub
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import Room


async def test_screens_of_the_process_that_takes_a_bet_show_it_though_redis_is_away(
    house: House, live: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a beat nor a look at the versions of all tables is what shows it."""

    async def away(group: str, message: dict[str, Any]) -> None:
        raise ConnectionError("Redis is away")

    await live.stop()
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))
    monkeypatch.setattr(hub, "LOOK_INTERVAL_S", 3600.0)
    monkeypatch.setattr(get_channel_layer(), "group_send", away)
    await live.start()
    table, ana = await in_database(house.table), await in_database(house.player, "ana")
    room = Room(table, live)
    screen, looker = await room.enter(ana), await room.enter(None)
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(ana, table, "player", 100))
    assert "100" in screen.screen["my-stakes"]
    assert looker.messages


async def test_what_a_process_announces_it_hears_once_and_others_hear_it_too(live: Hub) -> None:
    here, there = _Ear(), _Ear()
    here.listener.begin()
    try:
        async with asyncio.TaskGroup() as listening:
            tasks = [listening.create_task(await ear.listens()) for ear in (here, there)]
            for jackpot in (1, 2):
                await _announce(jackpot)
            assert await here.heard_until(2) == [1, 2]
            announce.use_loop(None)
            await _announce(3)  # as another process does: it comes behind the others, on both channels
            assert await here.heard_until(3) == [3]
            assert await there.heard_until(3) == [1, 2, 3]
            await cancel_and_wait(tasks)
    finally:
        here.listener.end()


class _Ear:
    """Hears of jackpots."""

    def __init__(self) -> None:
        self.jackpots: asyncio.Queue[int] = asyncio.Queue()
        self.listener = announce.Listener(self._hear)

    def _hear(self, said: announce.Announcement) -> None:
        if isinstance(said, JackpotChanged):
            self.jackpots.put_nowait(said.jackpot)

    async def listens(self) -> Any:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(announce.FLOOR, channel)
        return self.listener.listen(layer, channel)

    async def heard_until(self, last: int) -> list[int]:
        heard: list[int] = []
        async with asyncio.timeout(WITHIN):
            while last not in heard:
                heard.append(await self.jackpots.get())
        return heard


async def _announce(jackpot: int) -> None:
    await in_database(announce.jackpot_changed, jackpot)
