"""Roulette: what was pushed equals what a fresh load would show, at each step of whole rounds, to everybody; and a push
is no larger than what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.contract.actions import Lower, Move, Ready, Withdraw
from tables.live.hub import Hub
from tables.models import Played, Player, RoundLog, Table
from tables.services.rounds import seating
from tests.house.kit import House, null_throw, void_round
from tests.kit import article, view_for

from .kit import Client, Room, fragments_in
from .test_blackjack_push import loaded


@dataclass
class Party:
    """Ana sits, rui and mei stand, somebody watches; ana has a second screen in Chinese."""

    house: House
    room: Room
    table: Table
    ana: Player
    rui: Player
    mei: Player

    @classmethod
    async def at(cls, house: House, live: Hub, *numbers: int, **options: Any) -> Party:
        house.throw(*numbers)
        table = await in_database(lambda: house.table(game="roulette", **options))
        ana, rui, mei = [await in_database(house.player, name) for name in ("ana", "rui", "mei")]
        room = Room(table, live)
        for player, language in ((ana, "en"), (rui, "pt"), (mei, "en"), (ana, "zh-hant"), (None, "pt")):
            await room.enter(player, language)
        await in_database(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
        return cls(house, room, table, ana, rui, mei)

    async def bets(self, player: Player, *bets: tuple[str, int]) -> None:
        for spot, credits in bets:
            await self.room.does(lambda s=spot, c=credits: self.house.bet(player, self.table, s, c))  # type: ignore[misc]

    async def decides(self, player: Player, kind: type[Any], **fields: Any) -> None:
        await self.room.does(lambda: self.house.decide(player, self.table, kind, **fields))

    async def bet_on(self, player: Player, spot: str) -> str:
        stakes = await in_database(lambda: self.house.round(self.table).stakes())
        return next(stake.bet for stake in stakes if (stake.by, stake.spot) == (player.key, spot))

    async def pages_agree(self) -> None:
        """Every fragment on a screen stands in the page as its owner loads it, byte for byte."""
        for client in self.room.clients:
            html = await in_database(loaded, self.table, client)
            missing = [name for name, fragment in client.screen.items() if name != "live" and fragment not in html]
            assert missing == [], f"{client.player} ({client.language})"

    async def paid(self) -> dict[str, int]:
        """Cents that each has won or lost in the round, by name."""
        return await in_database(lambda: _nets(self.house.log(self.table)))

    def screen_of(self, player: Player | None) -> Client:
        return next(client for client in self.room.clients if client.player == player)


def _nets(log: RoundLog) -> dict[str, int]:
    lines = Played.objects.filter(log=log).select_related("player")
    return {line.player.username: line.returned - line.staked for line in lines}


@article("60/2004", "7", "R-A9", "R-A10")
async def test_bets_until_the_bell_a_null_spin_and_the_number(house: House, live: Hub) -> None:
    all_ = await Party.at(house, live, 4, 17)
    room, ana, rui, mei = all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("straight_17", 10), ("split_17_20", 20), ("straight_17", 5))
    await all_.bets(rui, ("straight_17", 100), ("red", 50), ("corner_13", 10))
    await all_.bets(mei, ("sector9_1", 40), ("even", 30))
    await all_.pages_agree()
    await all_.decides(rui, Withdraw, bet=await all_.bet_on(rui, "red"))
    await all_.decides(mei, Lower, bet=await all_.bet_on(mei, "even"), amount=10_00)
    await all_.decides(ana, Move, bet=await all_.bet_on(ana, "split_17_20"), spot="column_2")
    for player in (ana, rui, mei):
        await all_.decides(player, Ready)
    await room.until_phase(house, "spinning")
    await all_.bets(mei, ("straight_0", 5))  # the ball rolls, and the bell has not rung
    await all_.pages_agree()
    await room.does(lambda: null_throw(house.log(all_.table).pk, "object", clock=house.clock))
    await room.until(house, lambda round_: bool(round_.thrown))  # type: ignore[attr-defined]
    await room.until_phase(house, "no_more_bets")
    refusal = await in_database(house.refused, lambda: house.bet(ana, all_.table, "red", 10))
    assert refusal.article == "closed"
    await room.until_phase(house, "result")
    await room.until_over(house)
    await all_.pages_agree()
    assert await all_.paid() == {
        "ana": 15 * 3500 + 20 * 200,
        "rui": 100 * 3500 + 10 * 800,
        "mei": 40 * 300 - 20_00 - 5_00,
    }
    await room.until_phase(house, "betting")
    await all_.pages_agree()


@article("60/2004", "R-A9", "R-A12", "void")
@pytest.mark.in_full
async def test_stakes_that_stay_a_reopened_throw_and_a_void_round(house: House, live: Hub) -> None:
    options = {"bets_close": "before_throw", "null_spin_bets": "reopen", "auto_leave_winners": True}
    all_ = await Party.at(house, live, 0, 9, 3, zero_combinations="allowed", **options)
    room, ana, rui, mei = all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("trio_0_1_2", 10), ("dozen_big", 10))
    await room.until_phase(house, "no_more_bets")
    await room.does(lambda: null_throw(house.log(all_.table).pk, "jumped", clock=house.clock))
    await room.until_phase(house, "betting")
    await all_.bets(rui, ("red", 10))
    await room.until_over(house)
    assert await all_.paid() == {"ana": -20_00, "rui": 0}  # the prize is as much as stays on its spot
    await room.until_phase(house, "betting")
    carried: Any = await in_database(house.round, all_.table)
    assert [(stake.spot, stake.carried) for stake in carried.stakes()] == [("red", True)]
    await all_.bets(mei, ("split_0_3", 10))
    await room.does(lambda: void_round(house.log(all_.table).pk, "the wheel stopped", clock=house.clock))
    await all_.pages_agree()
    await room.until_phase(house, "betting")


async def test_a_push_tells_of_what_has_changed_alone(house: House, live: Hub) -> None:
    """On a layout of 158 spots: one more bet concerns one of them, and of the bettor's own the same one."""
    all_ = await Party.at(house, live, 17)
    room, ana, rui, mei = all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("straight_17", 10), ("red", 10))
    watching, hers, his = all_.screen_of(None), all_.screen_of(ana), all_.screen_of(rui)
    for client in room.clients:
        client.messages.clear()
    await all_.bets(rui, ("straight_17", 100))

    def told(client: Client) -> set[str]:
        return {name for message in client.messages for name in fragments_in(message)} - {"live", "rail", "crowd"}

    assert told(watching) == told(hers) == {"all-straight_17"}
    assert {"all-straight_17", "own-straight_17", "wallet"} <= told(his) <= {
        "all-straight_17", "own-straight_17", "wallet", "my-stakes", *_rows(his),
    }  # fmt: skip
    assert all(len(message) < 3_000 for message in watching.messages)

    await all_.bets(mei, *((f"straight_{number}", 1) for number in range(0, 37, 4)))
    await room.until_phase(house, "no_more_bets")
    for client in room.clients:
        client.messages.clear()
    await room.until_over(house)
    spots = {name for name in told(watching) if name.startswith("all-")}
    won = {spot.key for spot in view_for((await in_database(house.round, all_.table)), None).spots if spot.end == "won"}
    assert spots == {f"all-{key}" for key in won}, "what lost is sent to nobody once more"


def _rows(client: Client) -> set[str]:
    """The lines of the list of one's own stakes, if each is a fragment."""
    return {name for name in client.screen if name.startswith("my-stake")}
