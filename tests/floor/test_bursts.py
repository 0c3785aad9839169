"""What arrives together is done together, each with an answer of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer, channel_layers, get_channel_layer

from tables.base import announce
from tables.live.bursts import MAX_TOGETHER, Bursts
from tests.house.processes import WITHIN

from .test_unknown_outcomes import stalled


class Counted:
    """Doubles numbers, and remembers which came together."""

    def __init__(self) -> None:
        self.bursts: list[tuple[int, int]] = []

    def __call__(self, about: int, numbers: list[int]) -> list[int]:
        self.bursts.append((about, len(numbers)))
        return [2 * number for number in numbers]


async def answers(queue: Bursts[int, int], *asked: tuple[int, list[int]]) -> list[list[int]]:
    """What is asked one after the other, each in a turn of the loop of its own."""
    tasks = []
    for about, numbers in asked:
        tasks.append(asyncio.create_task(queue.do(about, numbers)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # a task that waits for nobody has begun to work
    return list(await asyncio.gather(*tasks))


async def test_the_first_waits_for_those_who_come_a_moment_later_and_only_about_the_same(db: None) -> None:
    counted = Counted()
    found = await answers(Bursts(counted, gathers_s=0.05), (3, [1]), (3, [2, 5]), (4, [7]), (3, [9]))
    assert found == [[2], [4, 10], [14], [18]]
    assert sorted(counted.bursts) == [(3, 4), (4, 1)]


async def test_where_nobody_is_waited_for_the_first_is_done_at_once(db: None) -> None:
    counted = Counted()
    assert await answers(Bursts(counted), (3, [1]), (3, [2]), (3, [5])) == [[2], [4], [10]]
    assert counted.bursts[0] == (3, 1) and sum(number for _, number in counted.bursts) == 3


@pytest.mark.parametrize("gathers_s", [0, 0.05])
async def test_a_transaction_has_so_many_at_most(db: None, gathers_s: float) -> None:
    counted = Counted()
    (found,) = await answers(Bursts(counted, gathers_s=gathers_s), (3, list(range(MAX_TOGETHER + 1))))
    assert found == [2 * number for number in range(MAX_TOGETHER + 1)]
    assert counted.bursts == [(3, MAX_TOGETHER), (3, 1)]


async def test_what_was_asked_for_together_shares_a_transaction_if_it_fits_into_one(db: None) -> None:
    counted, half = Counted(), MAX_TOGETHER // 2 + 1
    found = await answers(Bursts(counted, gathers_s=0.05), *((3, [number] * half) for number in (1, 2)), (3, [5]))
    assert found == [[2] * half, [4] * half, [10]]
    assert counted.bursts == [(3, half), (3, half + 1)]


@pytest.mark.parametrize("gathers_s", [0, 60])
async def test_when_the_house_closes_nobody_waits_for_ever(db: None, gathers_s: float) -> None:
    """Neither who is waited with, nor who waits behind a burst under way."""
    queue = Bursts(Counted(), gathers_s=gathers_s)
    async with stalled():
        asked = [asyncio.create_task(queue.do(3, [number])) for number in (1, 2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        queue._working[3].cancel()
        async with asyncio.timeout(WITHIN):
            found = await asyncio.gather(*asked, return_exceptions=True)
    assert [str(each) for each in found] == ["the house closes"] * 2


class Heard(InMemoryChannelLayer):
    """Notes what it is given in the order in which that happens, beside what else is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.notes = asyncio.Queue[object]()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        await self.notes.put(message["type"])


@pytest.fixture
def heard() -> Iterator[Heard]:
    before: Any = get_channel_layer()
    layer = Heard()
    channel_layers.set("default", layer)
    yield layer
    channel_layers.set("default", before)


async def test_whoever_asked_is_answered_before_others_are_told(transactional_db: None, heard: Heard) -> None:
    """And others are told, in the order in which it was done, even if it failed in the end."""

    def tells(about: int, numbers: list[int]) -> list[int]:
        announce.pit_changed()
        announce.nudge(about)
        return [number // about for number in numbers]

    queue = Bursts(tells)
    for about, answer in ((1, [6]), (0, "ZeroDivisionError")):
        try:
            await heard.notes.put(await queue.do(about, [6]))
        except ZeroDivisionError as error:
            await heard.notes.put(type(error).__name__)
        async with asyncio.timeout(WITHIN):
            assert [await heard.notes.get() for _ in range(3)] == [answer, "pit.changed", "table.due"]
