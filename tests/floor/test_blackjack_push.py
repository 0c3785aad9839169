"""Blackjack: what was pushed equals what a fresh load would show, at each step of whole rounds, for every viewer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from django.test import Client as Browser

from tables.base.executor import in_database
from tables.games.blackjack.phases import (
    Claim,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Pass,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import Cut, Lower, Ready, Withdraw
from tables.live.hub import Hub
from tables.models import Played, Player, RoundLog, Table
from tables.services.rounds import seating
from tests.house.kit import House, void_round
from tests.kit import article

from .kit import Client, Room, fragments_in

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@dataclass
class Party:
    """A table with everybody who may look at it: ana sits at box 1 and decides there, rui and lee stand behind her,
    mei plays boxes of her own; somebody watches, and ana has a second screen in Chinese."""

    house: House
    room: Room
    table: Table
    ana: Player
    rui: Player
    lee: Player
    mei: Player

    @classmethod
    async def at(cls, house: House, live: Hub, **options: Any) -> Party:
        table = await in_database(lambda: house.table(game="blackjack", **options))
        people = [await in_database(house.player, name) for name in ("ana", "rui", "lee", "mei")]
        ana, rui, lee, mei = people
        room = Room(table, live)
        for player, language in ((ana, "en"), (rui, "pt"), (lee, "zh-hant"), (mei, "en"), (ana, "zh-hant")):
            await room.enter(player, language)
        await room.enter(None)
        await room.enter(None, "pt")
        await in_database(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
        return cls(house, room, table, ana, rui, lee, mei)

    async def bets(self, player: Player, spot: str, credits: int, box: int) -> None:
        await self.room.does(lambda: self.house.bet(player, self.table, spot, credits, box))

    async def decides(self, player: Player, kind: type[Any], **fields: Any) -> None:
        await self.room.does(lambda: self.house.decide(player, self.table, kind, **fields))

    async def serves(self) -> None:
        await self.room.until_asked(self.house)

    async def lets_time_pass(self) -> None:
        await self.room.does(lambda: self.house.step(self.table))

    async def pages_agree(self) -> None:
        """Every fragment on a screen stands in the page as its owner loads it, byte for byte."""
        for client in self.room.clients:
            html = await in_database(loaded, self.table, client)
            missing = [name for name, fragment in client.screen.items() if name != "live" and fragment not in html]
            assert missing == [], f"{client.player} ({client.language})"

    async def asks(self) -> tuple[str, ...]:
        """Who is asked now, by name."""
        round_: Any = await in_database(self.house.round, self.table)
        names = {player.key: player.username for player in (self.ana, self.rui, self.lee, self.mei)}
        return tuple(names[key] for key in round_.progress.asked.who) if round_.progress.asked else ()

    async def paid(self) -> dict[str, int]:
        """Cents that each has won or lost in the round, by name."""
        return await in_database(lambda: _nets(self.house.log(self.table)))


def _nets(log: RoundLog) -> dict[str, int]:
    lines = Played.objects.filter(log=log).select_related("player")
    return {line.player.username: line.returned - line.staked for line in lines}


@pytest_asyncio.fixture
async def party(house: House, live: Hub) -> Callable[..., Any]:
    async def come(cards: str, **options: Any) -> Party:
        house.stack(cards)
        return await Party.at(house, live, **options)

    return come


@article("56/2004", "2(1)(1)", "16(5)", "R17")
async def test_a_shared_box_is_cut_insured_split_doubled_and_bust(party: Callable[..., Any]) -> None:
    """Rui matches by hand and by preset, lee refuses and lets the time pass."""
    cards = "2c Kd 8s As Ad 8h Kc 3d 9c 8d Th 5c Kh 7c"  # cut by one card; one is burnt
    all_: Party = await party(cards, dealing_device="shoe", initial_burn="single")
    house, room, ana, rui, lee, mei = all_.house, all_.room, all_.ana, all_.rui, all_.lee, all_.mei
    await all_.room.until_phase(house, "cut")
    await all_.decides(ana, Cut, position=1)
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 50, 1)
    await all_.bets(ana, "main", 50, 1)
    await all_.bets(rui, "main", 100, 1)
    await all_.bets(lee, "main", 30, 1)
    await all_.bets(mei, "main", 200, 3)
    await all_.bets(rui, "any_pair", 10, 1)
    await all_.bets(lee, "over_13", 10, 3)
    await all_.bets(mei, "sevens", 10, 3)
    number = (await in_database(house.log, all_.table)).pk
    await all_.decides(mei, Withdraw, bet=await in_database(_bet_on, all_, "sevens"))
    await all_.decides(lee, Lower, bet=await in_database(_bet_on, all_, "over_13"), amount=100)
    await all_.decides(rui, Follow, doubles=True)
    for player in (ana, rui, lee, mei):
        await all_.decides(player, Ready)

    await room.until_phase(house, "early_window")
    assert await all_.asks() == ("ana", "rui", "lee", "mei")
    await all_.decides(rui, Insurance, box=1, amount=50_00)
    await all_.decides(mei, EvenMoney, box=3)
    for player in (ana, rui, lee):
        if player.username in await all_.asks():
            await all_.decides(player, Ready)
    await all_.serves()
    assert await all_.asks() == ("ana",)
    await all_.decides(ana, Split, box=1)
    assert await all_.asks() == ("rui", "lee")
    await all_.decides(rui, Match, box=1)
    await all_.decides(lee, Pass, box=1)
    await all_.serves()
    await all_.decides(ana, Double, box=1)  # 8-3; rui follows without being asked
    await all_.serves()
    assert await all_.asks() == ("lee",)
    await all_.lets_time_pass()
    await all_.serves()
    await all_.decides(ana, Split, box=1, hand=1)  # 8-8 again; lee has nothing there
    assert await all_.asks() == ("rui",)
    await all_.decides(rui, Match, box=1, hand=1)
    await all_.serves()
    await all_.decides(ana, Stand, box=1, hand=1)
    await all_.serves()
    await all_.decides(ana, Hit, box=1, hand=2)
    await room.until_over(house)
    assert number == (await in_database(house.log, all_.table)).pk
    # 20 doubled, 18 and 23 against 18; insurance lost; any pair 8-8, and again
    assert await all_.paid() == {"ana": 100_00, "rui": 100_00 - 50_00 + 220_00, "lee": 30_00 - 9_00, "mei": 200_00}
    await room.does(lambda: house.step(all_.table))


def _bet_on(party: Party, spot: str) -> str:
    return next(stake.bet for stake in party.house.round(party.table).stakes() if stake.spot == spot)


@article("56/2004", "15", "18(1)", "19(1)", "19(2)")
@pytest.mark.in_full
async def test_a_special_prize_claims_a_surrender_and_who_came_too_late(party: Callable[..., Any]) -> None:
    all_: Party = await party("Kd 6s 2c Td Tc 9d 8s 3h 6h 5d 7s 4s 5c 2d 9c 8c")
    house, room, ana, rui, lee, mei = all_.house, all_.room, all_.ana, all_.rui, all_.lee, all_.mei
    await room.until_phase(house, "betting")
    for player, box in ((ana, 1), (rui, 2), (lee, 2), (mei, 2), (mei, 3), (ana, 4)):
        await all_.bets(player, "main", 100, box)
    await all_.bets(ana, "under_13", 10, 2)
    await all_.decides(lee, Follow, claims=True)
    await room.until_phase(house, "early_window")
    await all_.decides(mei, Surrender, box=3)
    await all_.decides(rui, Ready)
    await all_.decides(ana, Hit, box=1)  # nobody else is asked any more
    await all_.serves()  # 6-8-7 of spades
    assert await all_.asks() == ("rui",)
    for _ in range(3):
        await all_.decides(rui, Hit, box=2)
        await all_.serves()
    assert await all_.asks() == ("mei",)  # lee has claimed unasked
    await all_.lets_time_pass()
    await all_.serves()
    await all_.decides(rui, Hit, box=2)
    await all_.serves()
    assert await all_.asks() == ("ana",)
    await all_.lets_time_pass()
    await room.until_over(house)
    assert await all_.paid() == {"ana": 300_00 + 10_00 - 100_00, "rui": -100_00, "lee": 50_00, "mei": -100_00 - 50_00}
    await room.does(lambda: house.step(all_.table))


@article("56/2004", "19(1)", "R10")
@pytest.mark.in_full
async def test_a_claim_by_the_decider_passes_the_decisions_on(party: Callable[..., Any]) -> None:
    all_: Party = await party("Kd 2c 9d 3h 4s 5c 2d Kc 8c", surrender_timing="own_first_decision")
    house, room, ana, rui, lee = all_.house, all_.room, all_.ana, all_.rui, all_.lee
    await room.until_phase(house, "betting")
    for player in (ana, rui, lee):
        await all_.bets(player, "main", 100, 1)
    await room.until_asked(house)
    await all_.lets_time_pass()
    await all_.serves()
    for _ in range(3):
        await all_.decides(ana, Hit, box=1)
        await all_.serves()
    assert await all_.asks() == ("rui", "lee")
    await all_.decides(ana, Claim, box=1)
    await all_.decides(rui, Pass, box=1)
    await all_.decides(lee, Claim, box=1)
    await all_.serves()
    assert await all_.asks() == ("rui",)
    await all_.decides(rui, Hit, box=1)
    await room.until_over(house)
    assert await all_.paid() == {"ana": 50_00, "lee": 50_00, "rui": -100_00}


@pytest.mark.in_full
async def test_cards_that_lie_face_down_and_the_hole_card(party: Callable[..., Any]) -> None:
    options = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1, "initial_burn": "single"}
    all_: Party = await party("2c Kd 9s As 6d Th 9h Kc 5d Ad Qh 5c Ts 4h", **options)
    house, room, ana, rui, lee, mei = all_.house, all_.room, all_.ana, all_.rui, all_.lee, all_.mei
    await room.until_phase(house, "cut")
    await all_.decides(ana, Cut, position=1)
    await room.until_phase(house, "betting")
    for player, box in ((ana, 1), (rui, 1), (mei, 2), (lee, 3), (ana, 3)):
        await all_.bets(player, "main", 100, box)
    await all_.bets(ana, "over_13", 10, 3)
    await room.until_phase(house, "early_window")
    await all_.decides(mei, EvenMoney, box=2)
    for player in (ana, rui, lee):
        await all_.decides(player, Ready)
    await all_.serves()
    await all_.decides(ana, Split, box=1)
    await all_.decides(rui, Pass, box=1)
    await all_.serves()
    await all_.decides(ana, Stand, box=1)
    await all_.serves()
    await all_.decides(ana, Hit, box=1, hand=1)
    await all_.serves()
    await all_.decides(lee, Hit, box=3)
    await room.until_over(house)
    assert (await all_.paid()).keys() == {"ana", "rui", "lee", "mei"}
    await room.does(lambda: house.step(all_.table))


@pytest.mark.in_full
async def test_a_void_after_a_prize_was_paid_and_people_who_come_and_go(party: Callable[..., Any]) -> None:
    all_: Party = await party("Kd 7s 9c 9d 7h 9h 7d")
    house, room, ana, rui, lee, mei = all_.house, all_.room, all_.ana, all_.rui, all_.lee, all_.mei
    table = all_.table
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 100, 1)
    await all_.bets(rui, "main", 100, 1)
    await all_.bets(mei, "main", 100, 2)
    await room.does(lambda: seating.sit(lee.pk, table.pk, 5, clock=house.clock))
    await room.until_phase(house, "early_window")
    await all_.decides(ana, Ready)
    await all_.decides(mei, Ready)
    await all_.serves()
    await all_.decides(ana, Double, box=1)
    await room.does(lambda: seating.connection_lost(table.pk, ana.pk, clock=house.clock))
    await all_.lets_time_pass()
    await all_.serves()
    assert await all_.asks() == ("mei",)
    await all_.decides(mei, Split, box=2)
    await room.does(lambda: seating.stand_up(lee.pk, table.pk, clock=house.clock))
    await room.does(lambda: void_round(house.log(table).pk, "cards mixed up", clock=house.clock))
    assert await all_.paid() == {"ana": 0, "rui": 0, "mei": 0}
    await room.until_phase(house, "betting")


async def test_a_page_is_made_of_what_was_pushed(party: Callable[..., Any]) -> None:
    """The page itself, as each of them loads it in their language."""
    all_: Party = await party("Kd 8s 9c 9d 8h 7h")
    house, room, ana, rui, mei = all_.house, all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 100, 1)
    await all_.bets(rui, "main", 100, 1)
    await all_.bets(mei, "main", 100, 2)
    await all_.pages_agree()
    await room.until_phase(house, "early_window")
    await all_.pages_agree()
    await all_.decides(mei, Ready)
    await all_.decides(ana, Split, box=1)
    await all_.pages_agree()


def loaded(table: Table, client: Client) -> str:
    """The table's page as this client's browser loads it."""
    browser = Browser(headers={"accept-language": client.language})
    if client.player is not None:
        browser.force_login(client.player, backend="django.contrib.auth.backends.ModelBackend")
    answer = browser.get(f"/tables/{table.slug}/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.in_full
async def test_a_bettor_who_loads_the_page_anew_in_each_language_is_shown_the_same(party: Callable[..., Any]) -> None:
    """Whoever comes into the middle of a turn is sent all of it."""
    all_: Party = await party("Kd 8s 9c 9d 8h 7h")
    house, room, ana, rui, mei = all_.house, all_.room, all_.ana, all_.rui, all_.mei
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 100, 1)
    await all_.bets(rui, "main", 100, 1)
    await all_.bets(mei, "main", 100, 2)
    await room.until_phase(house, "early_window")
    await all_.decides(mei, Ready)
    await all_.decides(ana, Split, box=1)
    for language in LANGUAGES:
        for player in (ana, rui, mei, None):
            await room.enter(player, language)
    await room.agree()
    await all_.decides(rui, Match, box=1)
    asked = {client.language: client.screen["decision"] for client in room.clients if client.player == ana}
    assert len(set(asked.values())) == 1, "nothing is asked of her now, in any language"


# ── The totals, as the bank calls them (6(5)) ───────────────────────────────────────────────────────────────


def _heard(client: Client) -> list[str]:
    """What a screen reader was given to read on this screen, one text for each time."""
    told = [fragments_in(message).get("announcer", "") for message in client.messages]
    return [unescape(one) for one in told if one]


def _called(client: Client) -> list[str]:
    """What the dealer's line calls on this screen."""
    return re.findall(r"<span>(Box \d: <b>\w+</b>)</span>", client.screen["cards"])


@article("56/2004", "6(5)")
async def test_all_totals_are_called_from_the_left_before_the_first_box_decides(party: Callable[..., Any]) -> None:
    all_: Party = await party("Kd 6s 2c 9d 8s 3h", surrender_timing="own_first_decision")
    house, room, ana, mei = all_.house, all_.room, all_.ana, all_.mei
    screen = room.clients[0]
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 100, 1)
    await all_.bets(mei, "main", 100, 3)
    await room.until_phase(house, "player_turns")
    assert await all_.asks() == ("ana",)
    assert _called(screen) == ["Box 1: <b>14</b>", "Box 3: <b>5</b>"]
    (call,) = [text for text in _heard(screen) if "points: 5." in text]
    assert call.index("points: 14.") < call.index("points: 5.") < call.index("Box 1, decision: Ana.")
    await all_.decides(ana, Stand, box=1)
    assert _called(screen) == [] and "Box 3, decision: Mei." in _heard(screen)[-1]


@article("56/2004", "6(5)")
async def test_while_all_are_asked_at_once_the_totals_are_heard_once_and_stay_in_sight(
    party: Callable[..., Any],
) -> None:
    all_: Party = await party("Kd 6s 2c Td 8s 3h")
    house, room, ana, mei = all_.house, all_.room, all_.ana, all_.mei
    screen = room.clients[0]
    await room.until_phase(house, "betting")
    await all_.bets(ana, "main", 100, 1)
    await all_.bets(mei, "main", 100, 3)
    await room.until_phase(house, "early_window")
    assert "points: 14." in _heard(screen)[-1] and "points: 5." in _heard(screen)[-1]
    await all_.decides(mei, Ready)
    assert "Waiting for Ana" in _heard(screen)[-1] and "points" not in _heard(screen)[-1]
    assert _called(screen) == ["Box 1: <b>14</b>", "Box 3: <b>5</b>"]
    await all_.decides(ana, Ready)
    assert "Box 1, decision: Ana." in _heard(screen)[-1] and "points: 5." not in _heard(screen)[-1]
    assert _called(screen) == []
