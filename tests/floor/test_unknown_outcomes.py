"""The connection to the database is lost around a COMMIT: what the player reads is what is true, whatever it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connections

from tables.base.executor import in_database
from tables.live import outcomes
from tables.live.bursts import Bursts
from tables.models import LoggedAction, Seat
from tables.services.rounds import betting
from tables.services.rounds.betting import BetRequest
from tables.services.rounds.round_session import Accepted
from tests.house.processes import WITHIN

from .test_sockets import START, Line, Scene, live, logged_in, scene

__all__ = ["live", "scene"]


class Outage:
    """Loses the connection at the next COMMITs of what is asked over sockets: after them, or before."""

    def __init__(self, *, after: bool, times: int) -> None:
        self.after, self.left = after, times

    def commit(self, real: Callable[[Any], None]) -> Callable[[Any], None]:
        def lost(wrapper: Any) -> None:
            if not self.left or not wrapper.run_on_commit:  # whoever does something announces it
                return real(wrapper)
            self.left -= 1
            if self.after:
                real(wrapper)
            if wrapper.vendor == "postgresql":
                wrapper.connection.close()
            raise OperationalError("the connection was lost")

        return lost


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outage]:
    def begins(*, after: bool, times: int = 1) -> Outage:
        one = Outage(after=after, times=times)
        kind: Any = type(connections["default"])
        monkeypatch.setattr(kind, "_commit", one.commit(kind._commit))
        return one

    return begins


DEEDS: list[dict[str, Any]] = [
    {"do": "bet", "spot": "player", "amount": 10_000},
    {"do": "bets", "bets": [{"spot": "player", "amount": 5_000}, {"spot": "tie", "amount": 5_000}]},
    {"do": "undo"},
    {"do": "clear"},
    {"do": "lower", "bet": "", "amount": 2_000},
]


@pytest.mark.parametrize("after", [False, True], ids=["before COMMIT", "after COMMIT"])
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed["do"])
async def test_a_deed_whose_commit_was_not_answered_is_done_once_and_said_so(
    scene: Scene, outage: Callable[..., Outage], deed: dict[str, Any], after: bool
) -> None:
    if deed["do"] in ("undo", "clear", "lower"):
        await scene.line.bet(scene.log)
        bet = await in_database(lambda: LoggedAction.objects.get(action__do="bet").action["bet"])
        deed = {name: bet if name == "bet" else value for name, value in deed.items()}
    before = await in_database(LoggedAction.objects.count)
    one = outage(after=after)
    answer = await scene.line.say({"round": scene.log, "ref": "ref-of-this", **deed})
    assert not one.left
    assert 'data-kind="ok"' in answer and "ref-of-this" in answer
    assert await in_database(LoggedAction.objects.count) == before + len(deed.get("bets", " "))
    expected = {"undo": START, "clear": START, "lower": START - 8_000}.get(deed["do"], START - 10_000)
    assert await in_database(scene.house.balance, scene.ana) == expected


async def test_a_seat_whose_commit_was_not_answered_is_taken_and_said_so(
    scene: Scene, outage: Callable[..., Outage]
) -> None:
    outage(after=True)
    assert "You have seat 3" in await scene.line.say({"do": "sit", "ref": "ref-of-this", "seat": 3})
    assert await in_database(Seat.objects.count) == 1


async def test_while_the_database_stays_away_the_player_reads_that_it_is_looked_up_and_then_that_nobody_knows(
    scene: Scene, outage: Callable[..., Outage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "PAUSES_S", (0.0, 0.0, 0.0))
    one = outage(after=False, times=4)
    looks_up = await scene.line.bet(scene.log)
    assert "looking up whether this was done" in looks_up and 'data-ref=""' in looks_up
    unknown = await scene.line.notice()
    assert "cannot say yet" in unknown and "ref-00000001" in unknown
    assert not one.left
    await scene.nothing_changed()


@asynccontextmanager
async def stalled() -> AsyncIterator[None]:
    """The database does not answer anybody in here."""
    free = asyncio.Event()
    loop, began = asyncio.get_running_loop(), asyncio.Event()

    def stall() -> None:
        loop.call_soon_threadsafe(began.set)
        asyncio.run_coroutine_threadsafe(free.wait(), loop).result(WITHIN)

    stalls = [asyncio.create_task(in_database(stall)) for _ in range(settings.DATABASE_THREADS)]
    await began.wait()
    try:
        yield
    finally:
        free.set()
        await asyncio.gather(*stalls)


async def test_a_player_who_goes_while_the_database_stalls_takes_nobodys_answer_along(scene: Scene) -> None:
    """Ana asks first, and her socket ends: the others of her burst, and those who wait behind it, are answered."""
    rui = await in_database(scene.house.player, "rui")
    queue = Bursts(betting.place_many)
    async with stalled():
        first = asyncio.create_task(queue.do(scene.log, [BetRequest(scene.ana.pk, "ref-of-ana", "player", 10_000)]))
        await asyncio.sleep(0)  # her burst is on its way
        behind = asyncio.create_task(queue.do(scene.log, [BetRequest(rui.pk, "ref-of-rui", "banker", 10_000)]))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
    async with asyncio.timeout(WITHIN):
        assert await behind == [Accepted()]
    assert await in_database(scene.house.balance, rui) == START - 10_000


async def test_somebody_who_shares_a_burst_with_a_lost_socket_is_answered(scene: Scene) -> None:
    rui = await in_database(scene.house.player, "rui")
    line = Line(f"/ws/tables/{scene.table.slug}/?lang=en", await in_database(logged_in, rui))
    assert await line.open()
    queue = Bursts(betting.place_many)
    async with stalled():
        blocker = asyncio.create_task(queue.do(scene.log, [BetRequest(scene.ana.pk, "ref-first", "tie", 1_000)]))
        await asyncio.sleep(0)
        lost = asyncio.create_task(queue.do(scene.log, [BetRequest(scene.ana.pk, "ref-of-ana", "player", 10_000)]))
        shared = asyncio.create_task(queue.do(scene.log, [BetRequest(rui.pk, "ref-of-rui", "banker", 10_000)]))
        await asyncio.sleep(0)
        lost.cancel()
        blocker.cancel()
        await asyncio.wait([lost, blocker])
    async with asyncio.timeout(WITHIN):
        assert await shared == [Accepted()]
    await line.socket.disconnect()
