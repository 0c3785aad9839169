"""3-Card Baccarat: what was pushed equals what a fresh load would show, at each step of whole rounds, to everybody."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from tables.base.executor import in_database
from tables.games.contract.actions import Cut, Decline, Lower, Move, Ready, Withdraw
from tables.live.hub import Hub
from tables.models import Departure, Played, Player, RoundLog, Table
from tables.services.rounds import seating
from tests.house import deeds
from tests.house.kit import House, void_round
from tests.kit import article

from .kit import Client, Room
from .test_blackjack_push import loaded


@dataclass
class Party:
    """Ana sits at place 1 and mei at place 2, rui stands, somebody watches; ana has a second screen in Chinese."""

    house: House
    room: Room
    table: Table
    ana: Player
    mei: Player
    rui: Player

    @classmethod
    async def at(cls, house: House, live: Hub, cards: str, **options: Any) -> Party:
        house.stack(cards)
        table = await in_database(lambda: house.table(game="three_card_baccarat", standing_bets=True, **options))
        ana, mei, rui = [await in_database(house.player, name) for name in ("ana", "mei", "rui")]
        room = Room(table, live)
        for player, language in ((ana, "en"), (mei, "pt"), (rui, "en"), (ana, "zh-hant"), (None, "zh-hant")):
            await room.enter(player, language)
        for place, player in enumerate((ana, mei), start=1):
            await in_database(lambda p=place, w=player: seating.sit(w.pk, table.pk, p, clock=house.clock))  # type: ignore[misc]
        return cls(house, room, table, ana, mei, rui)

    async def bets(self, player: Player, spot: str, credits: int, box: int | None = None) -> None:
        await self.room.does(lambda: self.house.bet(player, self.table, spot, credits, box))

    async def decides(self, player: Player, kind: type[Any], **fields: Any) -> None:
        await self.room.does(lambda: self.house.decide(player, self.table, kind, **fields))

    async def pages_agree(self) -> None:
        """Every fragment on a screen stands in the page as its owner loads it, byte for byte."""
        for client in self.room.clients:
            html = await in_database(loaded, self.table, client)
            missing = [name for name, fragment in client.screen.items() if name != "live" and fragment not in html]
            assert missing == [], f"{client.player} ({client.language})"

    async def paid(self) -> dict[str, int]:
        """Cents that each has won or lost in the round, by name."""
        return await in_database(lambda: _nets(self.house.log(self.table)))


def _nets(log: RoundLog) -> dict[str, int]:
    lines = Played.objects.filter(log=log).select_related("player")
    return {line.player.username: line.returned - line.staked for line in lines}


def _bet_on(party: Party, spot: str, box: int | None = None) -> str:
    stakes = party.house.round(party.table).stakes()
    return next(stake.bet for stake in stakes if (stake.spot, stake.box) == (spot, box) and not stake.carried)


@article("22/96/M", "2(1)", "2(2)", "2(3)", "4(2)", "7(2)")
async def test_a_tie_locks_a_stake_that_is_raised_and_decided_in_the_next_round(house: House, live: Hub) -> None:
    """Ana plays two places; what is locked survives the round, and plays with what is added."""
    first = "Qs 2c 9h Kd 3h 2h Qc 4h 3s Ad Qd 2d"  # places 1, 2 and 3, then the banker: six with one court card ties
    second = "Ad 9d 7d Kc 6c Ts Jd"  # one is burnt; place 1 and the banker: nine against three
    burnt = "2d Kh 2s"  # cut by one card, and two are burnt
    all_ = await Party.at(house, live, f"{burnt} {first} {second}", decks=2)
    room, ana, mei, rui = all_.room, all_.ana, all_.mei, all_.rui
    await room.until_phase(house, "cut")
    await all_.decides(ana, Decline)
    await all_.decides(mei, Cut, position=1)
    await room.until_phase(house, "betting")
    await all_.bets(ana, "place", 100, 1)
    await all_.bets(ana, "place", 40, 3)
    await all_.bets(mei, "place", 200, 2)
    await all_.bets(rui, "place", 10, 1)
    await all_.bets(rui, "even", 10)
    await all_.bets(mei, "tie", 10, 1)
    await all_.bets(ana, "points_5", 5)
    await all_.bets(rui, "points_0", 5)
    await all_.bets(ana, "three_figures", 5)
    await all_.decides(rui, Lower, bet=await in_database(_bet_on, all_, "even"), amount=100)
    await all_.decides(ana, Move, bet=await in_database(_bet_on, all_, "points_5"), spot="points_0")
    await all_.decides(ana, Withdraw, bet=await in_database(_bet_on, all_, "three_figures"))
    await all_.pages_agree()
    for player in (ana, mei, rui):
        await all_.decides(player, Ready)
    await room.until_phase(house, "look")
    await all_.decides(mei, Ready)
    await all_.decides(ana, Ready)
    await room.until_over(house)
    ended: Any = await in_database(house.round, all_.table)
    locked = {(stake.by, stake.box) for stake in ended.carried()}
    assert locked == {(ana.key, 1), (rui.key, 1)}, ended.result()
    assert await all_.paid() == {
        "ana": -100_00 + 38_00 - 5_00,  # what is locked counts when it is staked; place 3 wins, less commission
        "mei": -200_00 + 200_00,  # place 2 loses, and the tie on place 1 pays 20 to 1
        "rui": -10_00 + 8_55 - 5_00,
    }

    await room.until_phase(house, "betting")
    await all_.pages_agree()
    await all_.bets(ana, "place", 50, 1)
    refusal = await in_database(house.refused, lambda: house.decide(ana, all_.table, Withdraw, bet=_locked(all_)))
    assert refusal.article == "7(2)"
    await room.does(lambda: seating.stand_up(mei.pk, all_.table.pk, clock=house.clock))
    await room.until_phase(house, "look")
    await room.does(lambda: seating.connection_lost(all_.table.pk, ana.pk, clock=house.clock))
    await room.until_over(house)
    assert (await all_.paid())["ana"] == 292_50 - 50_00
    await room.does(lambda: house.step(all_.table))


def _locked(party: Party) -> str:
    return next(stake.bet for stake in party.house.round(party.table).stakes() if stake.carried)


@article("22/96/M", "2(4)", "8(1)", "8(3)", "T-A11")
@pytest.mark.in_full
async def test_three_court_cards_a_void_round_and_a_bet_that_goes_with_anothers(house: House, live: Hub) -> None:
    """From the box: the banker's three court cards lock odd; then the deal cannot be put right."""
    all_ = await Party.at(house, live, "2c 3c 8s Kh 2h Qs 4c Jd")  # cut by one, one is burnt; place 1 and the banker
    room, ana, mei, rui = all_.room, all_.ana, all_.mei, all_.rui
    await room.until_phase(house, "cut")
    await all_.decides(ana, Cut, position=1)
    await room.until_phase(house, "betting")
    await all_.bets(ana, "place", 100, 1)
    await all_.bets(mei, "odd", 40)
    await all_.bets(mei, "place", 30, 5)
    await all_.bets(rui, "tie", 10, 5)
    its_screen = room.clients[2].screen
    assert 'data-total="1000"' in its_screen["own-tie-5"] and "9,990" in its_screen["wallet"]
    placed = await in_database(lambda: next(one.bet for one in house.round(all_.table).stakes() if one.box == 5))
    await all_.decides(mei, Withdraw, bet=placed)
    assert 'data-total="1000"' not in its_screen["own-tie-5"] and "10,000" in its_screen["wallet"]
    await room.until_over(house)
    assert await all_.paid() == {"ana": -100_00, "mei": -40_00}
    await room.until_phase(house, "betting")
    await all_.bets(mei, "odd", 20)
    await all_.bets(mei, "place", 30, 2)
    await room.until_phase(house, "look")
    await room.does(lambda: void_round(house.log(all_.table).pk, "cards mixed up", clock=house.clock))
    await all_.pages_agree()
    ended: Any = await in_database(house.round, all_.table)
    assert [(stake.spot, stake.amount) for stake in ended.carried()] == [("odd", 40_00)]
    await room.until_phase(house, "betting")


@article("22/96/M", "8(3)", "T-A9")
async def test_whoever_has_nothing_left_on_the_table_is_told_why_their_tie_went_back(house: House, live: Hub) -> None:
    """Rui stands and had that tie alone; it goes back when ana takes the last stake of the place away."""
    all_ = await Party.at(house, live, "2d Kh 2s", decks=2)
    await all_.room.until_phase(house, "betting")
    await all_.bets(all_.ana, "place", 10, 1)
    await all_.bets(all_.rui, "tie", 5, 1)
    bet, log = await in_database(lambda: (_bet_on(all_, "place", 1), house.log(all_.table).pk))
    await all_.room.does(lambda: deeds.withdraw(all_.ana.pk, log, house.ref(), bet, clock=house.clock))
    (screen,) = (client.screen for client in all_.room.clients if client.player == all_.rui)
    assert "A tie bet needs a place bet on its place" in screen["my-result"]


@article("22/96/M", "2(1)", "cut")
async def test_whoever_closes_their_last_page_is_not_waited_for_at_the_cut(house: House, live: Hub) -> None:
    table = await in_database(lambda: house.table(game="three_card_baccarat", decks=2, standing_bets=True))
    ana, rui = [await in_database(house.player, name) for name in ("ana", "rui")]
    await in_database(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
    pages = [Client(rui, "en", table.game, asyncio.Event()) for _ in range(2)]
    for page in pages:
        page.socket.attends = False  # the house is told by the test who is there
        feed = await live.join_table(page.socket, table.pk)
    await in_database(lambda: house.until(table, "betting"))
    for player in (ana, rui):
        await in_database(lambda who=player: house.bet(who, table, "place", 10, 1))  # type: ignore[misc]
    await live.leave_table(pages[0].socket, feed)
    assert not await in_database(Departure.objects.exists)
    await live.leave_table(pages[1].socket, feed)
    assert await in_database(lambda: Departure.objects.get().player) == rui
    await in_database(lambda: Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True))
    await in_database(lambda: house.play_out(table))
    round_ = await in_database(lambda: house.until(table, "cut"))
    assert round_.at_the_cut == (ana.key,)
