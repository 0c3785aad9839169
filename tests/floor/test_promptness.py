"""A card that was asked for is on every screen with the wish for it, and nobody waits an interval for it;
and what is done does not wait behind what is drawn."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest
from django.conf import settings

from tables.base.executor import drawn, in_database
from tables.games.blackjack.phases import Hit
from tables.games.contract.actions import Ready
from tables.live import feeds
from tables.live.hub import Hub
from tables.models import Player, Table
from tests.house.kit import House
from tests.house.processes import WITHIN

from .kit import Room


async def asked(house: House, live: Hub) -> tuple[Room, Player]:
    """Ana is asked to play five against a nine; rui looks on."""
    house.stack("Kd 2s 9d 3h 2c")
    table: Table = await in_database(lambda: house.table("taipa", game="blackjack"))
    ana, rui = await in_database(house.player, "ana"), await in_database(house.player, "rui")
    room = Room(table, live)
    await room.enter(ana)
    await room.enter(rui)
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(ana, table, "main", 10, 1))
    await room.until_phase(house, "early_window")
    await room.does(lambda: house.decide(ana, table, Ready))
    return room, ana


async def test_a_hit_and_its_card_are_one_push(house: House, live: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    room, ana = await asked(house, live)
    monkeypatch.setattr(feeds, "PUSH_WAIT_S", WITHIN)
    before = [len(client.messages) for client in room.clients]
    await in_database(lambda: house.decide(ana, room.table, Hit, box=1))
    await in_database(house.advance, room.table)
    await room.agree()
    assert [len(client.messages) for client in room.clients] == [number + 1 for number in before]


async def test_a_hit_is_seen_though_no_dealer_answers(house: House, live: Hub) -> None:
    room, ana = await asked(house, live)
    await room.does(lambda: house.decide(ana, room.table, Hit, box=1))
    await room.does(lambda: house.advance(room.table))


@pytest.mark.skipif(settings.DATABASE_THREADS == 1, reason="one thread does everything on SQLite")
async def test_a_deed_does_not_wait_behind_what_is_drawn() -> None:
    """As many tables are to be drawn as there are threads, and a bet or a lease is there at once."""
    done = Event()
    drawings = [asyncio.create_task(drawn(done.wait, WITHIN)) for _ in range(settings.DATABASE_THREADS)]
    await asyncio.sleep(0)  # they are all asked for first
    await in_database(done.set)
    assert all(await asyncio.gather(*drawings)), "the deed came when the drawing was given up"
