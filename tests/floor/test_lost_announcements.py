"""An announcement is lost on its way: every screen comes to show what its page shows, and nobody waits for a beat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer

from tables.base import announce
from tables.base.announce import TableChanged
from tables.base.executor import in_database
from tables.games.contract.actions import Ready
from tables.live import hub
from tables.live.gaps import Gaps
from tables.live.hub import Hub
from tables.models import Player, Table
from tables.queries.table import TableState, table_state
from tables.services.players import chat
from tests.house.kit import House

from .kit import Client, Room


@pytest.fixture
def losing(live: Hub, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`losing(2)` loses the next two announcements of tables between the house and Redis. No beat finds it out."""
    monkeypatch.setattr(hub, "HEARTBEAT", timedelta(hours=1))
    announce.use_loop(None)  # as another process announces it
    layer: Any = get_channel_layer()
    send, left = layer.group_send, 0

    async def group_send(group: str, message: dict[str, Any]) -> None:
        nonlocal left
        if left and isinstance(announce.read(message), TableChanged):
            left -= 1
        else:
            await send(group, message)

    def lose(number: int) -> None:
        nonlocal left
        left = number

    monkeypatch.setattr(layer, "group_send", group_send)
    return lose


async def at_blackjack(house: House, live: Hub) -> tuple[Room, Player, Player, Client]:
    """Ana and rui have bet, each on a box; Ana's screen."""
    house.stack("Kd 2s 2d 9d 3h 3c 2c 4c")
    table: Table = await in_database(lambda: house.table("taipa", game="blackjack"))
    ana, rui = await in_database(house.player, "ana"), await in_database(house.player, "rui")
    room = Room(table, live)
    screen = await room.enter(ana)
    await room.enter(rui)
    await room.enter(None)
    await room.until_phase(house, "betting")
    for box, player in enumerate((ana, rui), start=1):
        await room.does(lambda player=player, box=box: house.bet(player, table, "main", 10, box))  # type: ignore[misc]
    return room, ana, rui, screen


async def test_what_somebody_sees_in_private_comes_though_the_next_announcement_names_others(
    house: House, live: Hub, losing: Callable[[int], None]
) -> None:
    room, ana, rui, screen = await at_blackjack(house, live)
    table = room.table
    losing(1)
    await in_database(lambda: house.bet(ana, table, "main", 20, 1))
    await room.does(lambda: house.bet(rui, table, "main", 30, 2))
    assert "30" in screen.screen["wallet"]


async def test_a_decision_is_seen_by_its_decider_though_its_announcement_was_lost(
    house: House, live: Hub, losing: Callable[[int], None]
) -> None:
    room, ana, rui, _ = await at_blackjack(house, live)
    table = room.table
    await room.until_phase(house, "early_window")
    await room.does(lambda: house.decide(ana, table, Ready))
    assert not any("choice--hit" in client.screen["decision"] for client in room.clients)
    losing(100)
    await in_database(lambda: house.decide(rui, table, Ready))
    while (await in_database(house.round, table)).next_house_step() is not None:
        await in_database(house.step, table)
    losing(0)
    await room.does(lambda: announce.table_changed(table.pk, players=()))  # a fill has come
    assert any("choice--hit" in client.screen["decision"] for client in room.clients)


async def test_the_last_announcement_is_missed_though_none_follows(
    house: House, live: Hub, losing: Callable[[int], None]
) -> None:
    room, ana, _, screen = await at_blackjack(house, live)
    losing(1)
    await room.does(lambda: house.bet(ana, room.table, "main", 20, 1))
    assert "30" in screen.screen["wallet"]


# ── What is missing ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def states(house: House) -> Callable[[Iterable[str]], list[TableState]]:
    """The states of a table after each of these changes, from the opening of a round on."""

    def of(changes: Iterable[str]) -> list[TableState]:
        table, ana = house.table(), house.player("ana")
        house.until(table, "betting")
        found = [table_state(table.pk, clock=house.clock)]
        for number, change in enumerate(changes):
            if change == "bet":
                house.bet(ana, table, "player", 10)
            else:
                house.clock.pass_(minutes=1)
                chat.speak(ana.pk, table.pk, f"ref-{number:08}", "hello", clock=house.clock)
            found.append(table_state(table.pk, clock=house.clock))
        return found

    return of


def said_of(before: TableState, after: TableState) -> TableChanged:
    """What is announced of the way from one state to the next."""
    version = after.table_version if after.table_version != before.table_version else 0
    round_id = after.round_id or 0
    return TableChanged(after.table_id, (), False, version, round_id, before.round_version, after.round_version)


async def test_a_change_that_is_announced_before_or_after_it_is_shown_leaves_no_gap(
    states: Callable[[Iterable[str]], list[TableState]],
) -> None:
    first, second, third = await in_database(states, ["bet", "said"])
    gaps = Gaps()
    gaps.show(None, first, to_all=False)
    gaps.hear(said_of(first, second))
    gaps.show(first, third, to_all=False)
    assert gaps.open == {(0, third.table_version)}
    gaps.hear(said_of(second, third))
    assert not gaps.open
    gaps.show(third, third, to_all=False)
    assert not gaps.open


async def test_a_change_that_is_announced_before_its_time_is_remembered(
    states: Callable[[Iterable[str]], list[TableState]],
) -> None:
    first, second, third = await in_database(states, ["bet", "bet"])
    gaps = Gaps()
    gaps.hear(said_of(second, third))
    gaps.show(first, second, to_all=False)
    assert gaps.open == {(second.round_id, second.round_version)}
    gaps.show(second, third, to_all=False)
    assert gaps.open == {(second.round_id, second.round_version)}
    gaps.show(third, third, to_all=True)
    assert not gaps.open
