"""What was pushed equals what a fresh load would show: after every action, for every kind of viewer."""

from __future__ import annotations

from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.baccarat import Turn
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import Cut, Decline
from tables.live.hub import Hub
from tables.models import Player, Table
from tables.services.rounds import seating
from tests.house import deeds
from tests.house.kit import House, void_round

from .kit import Room


async def a_room(house: House, live: Hub, **options: Any) -> tuple[Room, Player, Player]:
    """A table with ana seated, rui standing, somebody who only watches, and ana's second screen in Chinese."""
    table: Table = await in_database(lambda: house.table(**options))
    ana, rui = await in_database(house.player, "ana"), await in_database(house.player, "rui")
    room = Room(table, live)
    await room.enter(ana)
    await room.enter(rui, "pt")
    await room.enter(None)
    await room.enter(ana, "zh-hant")
    await in_database(lambda: seating.sit(ana.pk, table.pk, 3, clock=house.clock))
    return room, ana, rui


@pytest.mark.parametrize(
    "cards",
    ["4s Kc 5d 7h", "Ks 3c 2d Th Ts 9h", "As 2c Ad 3h 4s 7d"],
    ids=["a natural", "a tie with six cards", "third cards"],
)
async def test_each_action_of_a_machine_round(house: House, live: Hub, cards: str) -> None:
    house.stack(cards)
    room, ana, rui = await a_room(house, live)
    table = room.table
    await room.until_phase(house, "betting")
    for deed in (
        lambda: house.bet(ana, table, "player", 100, 3),
        lambda: house.bet(rui, table, "banker", 50),
        lambda: house.bet(ana, table, "tie", 10, 3),
        lambda: house.bet(rui, table, "banker_pair", 10),
        lambda: house.refused(lambda: house.bet(rui, table, "player", 1_000_000)),
        lambda: deeds.ready(ana.pk, house.log(table).pk, house.ref(), clock=house.clock),
    ):
        await room.does(deed)
    await room.until_over(house)
    await room.does(lambda: house.step(table))


async def test_each_action_of_a_round_with_a_ceremony_and_a_holder(house: House, live: Hub) -> None:
    room, ana, rui = await a_room(house, live, dealing_device="shoe", demo_rounds=1, burn_mode="by_first_card")
    table = room.table
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(ana, table, "player", 100, 3))
    await room.does(lambda: house.bet(rui, table, "banker", 50))
    await room.until_phase(house, "open_player")
    await room.does(lambda: house.decide(ana, table, Turn, hand=Hand.PLAYER))
    await room.until_over(house)


@pytest.mark.in_full
async def test_the_cut_goes_on_to_those_who_have_staked_standing(house: House, live: Hub) -> None:
    """55/2004, 2(1): the page of a standing bettor offers it when the seated one has passed."""
    room, ana, rui = await a_room(house, live, dealing_device="shoe")
    table, its_screen = room.table, room.clients[1].screen
    await room.until_phase(house, "betting")
    await room.does(lambda: house.bet(rui, table, "banker", 50))
    await room.until_over(house)
    await in_database(lambda: Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True))
    await room.until_phase(house, "cut")
    assert "data-cut-from" not in its_screen["decision"]
    await room.does(lambda: house.decide(ana, table, Decline))
    assert "data-cut-from" in its_screen["decision"]
    await room.does(lambda: house.decide(rui, table, Cut, position=99))
    assert "data-cut-from" not in its_screen["decision"]
    assert "Rui" in room.clients[0].screen["cards"]


async def test_seats_voids_and_a_table_that_falls_asleep(house: House, live: Hub) -> None:
    room, ana, rui = await a_room(house, live)
    table = room.table
    await room.until_phase(house, "betting")
    await room.does(lambda: seating.sit(rui.pk, table.pk, 5, clock=house.clock))
    await room.does(lambda: house.bet(rui, table, "player", 20, 5))
    await room.does(lambda: seating.connection_lost(table.pk, rui.pk, clock=house.clock))
    await room.does(lambda: seating.stand_up(ana.pk, table.pk, clock=house.clock))
    await room.does(lambda: void_round(house.log(table).pk, "cards mixed up", clock=house.clock))
    await room.until_phase(house, "betting")


async def test_a_client_that_missed_something_is_made_whole(house: House, live: Hub) -> None:
    room, _, _ = await a_room(house, live)
    table = room.table
    await in_database(house.until, table, "betting")
    await room.agree()
    client = room.clients[0]
    client.screen.clear()
    assert room.feed is not None
    room.feed.send_whole(client.socket)
    await room.agree()
    assert 'data-base="*"' in client.messages[-1]


async def test_what_everybody_sees_is_pushed_once_for_a_language(house: House, live: Hub) -> None:
    """Of two who only watch in one language, both are sent the very same string."""
    room, _, rui = await a_room(house, live)
    table = room.table
    one, other = await room.enter(None), await room.enter(None)
    await in_database(house.until, table, "betting")
    await room.agree()
    await in_database(lambda: house.bet(rui, table, "banker", 50))
    await room.agree()
    assert one.messages[-1] is other.messages[-1]
    assert "all-banker" in one.messages[-1]
