"""Cussec: what was pushed equals what a fresh load would show, at each step of whole rounds, to everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.contract.actions import Lower, Move, Ready, Withdraw
from tables.live.hub import Hub
from tables.services.rounds import seating
from tests.house.kit import House, null_throw, void_round
from tests.kit import article, view_for

from . import test_roulette_push as roulette
from .kit import Client, Room, fragments_in


@dataclass
class Party(roulette.Party):
    """Ana sits, rui and mei stand, somebody watches; ana has a second screen in Chinese."""

    @classmethod
    async def at(cls, house: House, live: Hub, *dice: int, **options: Any) -> Party:
        house.throw(*dice, least=1)
        table = await in_database(lambda: house.table(game="cussec", **options))
        ana, rui, mei = [await in_database(house.player, name) for name in ("ana", "rui", "mei")]
        room = Room(table, live)
        for player, language in ((ana, "en"), (rui, "pt"), (mei, "en"), (ana, "zh-hant"), (None, "pt")):
            await room.enter(player, language)
        await in_database(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
        return cls(house, room, table, ana, rui, mei)


@article("57/2004", "presses")
async def test_a_shake_that_was_too_short_and_then_the_dice(house: House, live: Hub) -> None:
    all_ = await Party.at(house, live, 1, 1, 1, 6, 2, 3)
    room, ana, rui, mei = all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "shake")
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("big", 10), ("total_11", 20), ("big", 5))
    await all_.bets(rui, ("big", 100), ("small", 50), ("single_3", 10))
    await all_.bets(mei, ("four_2356", 40), ("odd", 30))
    await all_.pages_agree()
    await room.does(lambda: null_throw(house.log(all_.table).pk, "presses", clock=house.clock))
    await room.until_phase(house, "betting")
    await all_.decides(rui, Withdraw, bet=await all_.bet_on(rui, "small"))
    await all_.decides(mei, Lower, bet=await all_.bet_on(mei, "odd"), amount=10_00)
    await all_.decides(ana, Move, bet=await all_.bet_on(ana, "total_11"), spot="pair_2_6")
    for player in (ana, rui, mei):
        await all_.decides(player, Ready)
    await room.until_phase(house, "no_more_bets")
    refusal = await in_database(house.refused, lambda: house.bet(ana, all_.table, "big", 10))
    assert refusal.article == "closed"
    await room.until_over(house)
    await all_.pages_agree()
    assert await all_.paid() == {"ana": 15_00 + 20 * 500, "rui": 100_00 + 10_00, "mei": 40 * 700 + 20_00}
    await room.until_phase(house, "betting")
    await all_.pages_agree()


@article("57/2004", "C-A9", "stays", "void")
@pytest.mark.in_full
async def test_cocked_dice_after_the_bell_stakes_that_stay_and_a_void_round(house: House, live: Hub) -> None:
    options = {"shake_timing": "after_betting", "cocked_dice": "reshake_bets_stand", "auto_leave_winners": True}
    all_ = await Party.at(house, live, 5, 5, 6, 4, 4, 4, **options)
    room, ana, rui, mei = all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("any_triple", 10), ("big", 10))
    await all_.bets(rui, ("total_12", 10))
    await room.until_phase(house, "no_more_bets")
    await room.does(lambda: null_throw(house.log(all_.table).pk, "cocked", clock=house.clock))
    await room.until_phase(house, "shake_after")
    await room.until_over(house)
    await all_.pages_agree()
    assert await all_.paid() == {"ana": 24 * 10_00 - 20_00, "rui": 6 * 10_00 - 10_00}
    await room.until_phase(house, "betting")
    left: Any = await in_database(house.round, all_.table)
    assert {(stake.spot, stake.carried) for stake in left.stakes()} == {("any_triple", True), ("total_12", True)}
    await all_.bets(mei, ("pair_1_2", 10))
    await room.does(lambda: void_round(house.log(all_.table).pk, "the lamp is broken", clock=house.clock))
    await all_.pages_agree()
    await room.until_phase(house, "betting")


async def test_dice_that_nothing_can_be_read_from_give_every_stake_back(house: House, live: Hub) -> None:
    all_ = await Party.at(house, live, 2, 2, 2)
    await all_.room.until_phase(house, "betting")
    await all_.bets(all_.ana, ("triple_2", 10))
    await all_.bets(all_.rui, ("small", 100))
    await all_.room.until_phase(house, "no_more_bets")
    await all_.room.does(lambda: null_throw(house.log(all_.table).pk, "stacked", clock=house.clock))
    await all_.room.until_over(house)
    await all_.pages_agree()
    assert await all_.paid() == {"ana": 0, "rui": 0}


async def test_a_push_tells_of_what_has_changed_alone(house: House, live: Hub) -> None:
    """One more bet concerns one spot of 56, and the uncovered dice those that are lit."""
    all_ = await Party.at(house, live, 1, 2, 6)
    room, ana, rui = all_.room, all_.ana, all_.rui
    await room.until_phase(house, "betting")
    await all_.bets(ana, ("small", 10), ("double_4", 10))
    watching, hers = all_.screen_of(None), all_.screen_of(ana)
    for client in room.clients:
        client.messages.clear()
    await all_.bets(rui, ("small", 100))

    def told(client: Client) -> set[str]:
        return {name for message in client.messages for name in fragments_in(message)} - {"live", "rail", "crowd"}

    assert told(watching) == told(hers) == {"all-small"}
    assert all(len(message) < 3_000 for message in watching.messages)

    await room.until_phase(house, "no_more_bets")
    for client in room.clients:
        client.messages.clear()
    await room.until_over(house)
    spots = {name for name in told(watching) if name.startswith("all-")}
    won = {spot.key for spot in view_for((await in_database(house.round, all_.table)), None).spots if spot.end == "won"}
    assert spots == {f"all-{key}" for key in won}, "what lost is sent to nobody once more"
