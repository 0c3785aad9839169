"""Stud Poker: what was pushed equals what a fresh load would show, at each step of whole rounds, for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from django.conf import settings
from django.test import Client as Browser

from tables.base.executor import in_database
from tables.games.contract.actions import Lower, Ready, Withdraw
from tables.games.stud_poker.phases import Fold, Raise
from tables.live.hub import Hub
from tables.models import Played, Player, RoundLog, Table
from tables.services.rounds import seating
from tests.house.kit import House, void_round
from tests.kit import article

from .kit import Client, Room

LANGUAGES = [code for code, _ in settings.LANGUAGES]

BOXES = {"ana": 1, "rui": 3, "mei": 7}


@dataclass
class Party:
    """A table with everybody who may look at it: ana, rui and mei sit at boxes 1, 3 and 7, lee stands, somebody
    watches, and ana has a second screen in Chinese."""

    house: House
    room: Room
    table: Table
    people: Mapping[str, Player]

    @classmethod
    async def at(cls, house: House, live: Hub, **options: Any) -> Party:
        table = await in_database(lambda: house.table(game="stud_poker", **options))
        people = {name: await in_database(house.player, name) for name in ("ana", "rui", "mei", "lee")}
        room = Room(table, live)
        for name, language in (("ana", "en"), ("rui", "pt"), ("mei", "zh-hant"), ("lee", "en"), ("ana", "zh-hant")):
            await room.enter(people[name], language)
        await room.enter(None)
        for name, box in BOXES.items():
            await in_database(lambda n=name, b=box: seating.sit(people[n].pk, table.pk, b, clock=house.clock))  # type: ignore[misc]
        return cls(house, room, table, people)

    async def stakes(self, **antes: int) -> None:
        for name, credits in antes.items():
            await self.bets(name, "ante", credits)

    async def bets(self, name: str, spot: str, credits: int = 25) -> None:
        player, box = self.people[name], BOXES[name]
        await self.room.does(lambda: self.house.bet(player, self.table, spot, credits, box))

    async def does(self, name: str, kind: type[Any], **fields: Any) -> None:
        await self.room.does(lambda: self.house.decide(self.people[name], self.table, kind, **fields))

    async def goes_to(self, *phases: str) -> None:
        await self.room.until_phase(self.house, *phases)

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


def loaded(table: Table, client: Client) -> str:
    """The table's page as this client's browser loads it."""
    browser = Browser(headers={"accept-language": client.language})
    if client.player is not None:
        browser.force_login(client.player, backend="django.contrib.auth.backends.ModelBackend")
    answer = browser.get(f"/tables/{table.slug}/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest_asyncio.fixture
async def party(house: House, live: Hub) -> Callable[..., Any]:
    async def come(*shoes: str, **options: Any) -> Party:
        for cards in shoes:
            house.stack(cards)
        return await Party.at(house, live, **options)

    return come


FLUSH, PAIR, NOTHING = "Ah Jh 9h 4h 3h", "8s 8d Qh 6c 2c", "Ts 9c 7d 4s 2d"
ACE_KING, LOW = "Ac Kd 8c 7h 5s", "Qs Jd 9s 7h 5d"


@article("61/2004", "3(2)", "6(5)", "6(7)", "6(8)", "7(2)", "time")
async def test_all_decide_at_the_same_time_and_the_jackpot_is_won(party: Callable[..., Any]) -> None:
    """Rui folds, mei lets her time pass; ana's flush is opened and wins of the jackpot."""
    all_: Party = await party(f"{FLUSH} {PAIR} {NOTHING} {ACE_KING}")
    await all_.goes_to("betting")
    await all_.stakes(ana=100, rui=200, mei=300)
    await all_.bets("ana", "jackpot")
    await all_.bets("mei", "jackpot")
    await all_.bets("rui", "ante", 100)
    await all_.bets("rui", "jackpot")
    await all_.does("rui", Withdraw, bet=await in_database(_bet_on, all_, "jackpot", "rui"))
    await all_.does("rui", Lower, bet=await in_database(_bet_on, all_, "ante", "rui"), amount=100_00)
    await all_.pages_agree()
    for name in BOXES:
        await all_.does(name, Ready)
    await all_.goes_to("look_and_decide")
    await all_.pages_agree()
    await all_.does("rui", Fold)
    await all_.does("ana", Raise)
    await all_.pages_agree()
    await all_.room.does(lambda: all_.house.step(all_.table))  # the time is over: mei folds
    await all_.goes_to("settled")
    assert await all_.paid() == {"ana": 100_00 + 1_000_00 + 1_250_00 - 25_00, "rui": -200_00, "mei": -325_00}
    await all_.pages_agree()
    await all_.goes_to("betting")


def _bet_on(party: Party, spot: str, name: str) -> str:
    stakes = party.house.round(party.table).stakes()
    return next(stake.bet for stake in stakes if stake.spot == spot and stake.by == party.people[name].key)


@article("61/2004", "R7", "R14")
@pytest.mark.in_full
async def test_a_jackpot_stake_goes_through_a_void_round_a_round_without_ante_and_one_that_is_played(
    party: Callable[..., Any],
) -> None:
    """Then the dealer does not qualify, and the hand that wins of the jackpot is opened all the same."""
    all_: Party = await party(f"{PAIR} {NOTHING} {LOW}", f"{NOTHING} {LOW}", f"{FLUSH} {PAIR} {LOW}")
    house, table, room = all_.house, all_.table, all_.room
    await all_.goes_to("betting")
    await all_.stakes(ana=100, rui=100)
    await all_.bets("ana", "jackpot")
    await all_.goes_to("look_and_decide")
    await all_.does("ana", Raise)
    await room.does(lambda: void_round(house.log(table).pk, "cards mixed up", clock=house.clock))
    assert await all_.paid() == {"ana": -25_00, "rui": 0}
    await all_.goes_to("betting")
    await all_.stakes(rui=100)
    await all_.goes_to("look_and_decide")
    await all_.does("rui", Raise)
    await all_.goes_to("settled")
    await all_.goes_to("betting")
    await all_.stakes(ana=100, rui=100)
    await all_.goes_to("look_and_decide")
    for name in ("ana", "rui"):
        await all_.does(name, Raise)
    await all_.goes_to("settled")
    assert await all_.paid() == {"ana": 100_00 + 1_250_00, "rui": 100_00}
    await all_.pages_agree()


@article("61/2004", "3(1)", "7(1)")
@pytest.mark.in_full
async def test_in_turn_from_the_shoe_with_people_who_come_and_go(party: Callable[..., Any]) -> None:
    """And a box whose bettor leaves in mid-round: they fold at once (6(4))."""
    hands = [PAIR.split(), NOTHING.split(), FLUSH.split(), ACE_KING.split()]
    shoe = " ".join(card for cards in zip(*hands, strict=True) for card in cards)
    all_: Party = await party(f"3c {shoe}", shuffle_method="manual_shoe", decision_mode="in_turn")
    house, table, room, people = all_.house, all_.table, all_.room, all_.people
    await all_.goes_to("betting")
    await all_.stakes(ana=100, rui=100, mei=100)
    await all_.bets("mei", "jackpot")
    await all_.goes_to("look_and_decide")
    await room.does(lambda: seating.sit(people["lee"].pk, table.pk, 5, clock=house.clock))
    await all_.does("ana", Raise)
    await room.does(lambda: seating.stand_up(people["rui"].pk, table.pk, clock=house.clock))
    await all_.does("mei", Raise)
    await all_.goes_to("settled")
    assert await all_.paid() == {"ana": 300_00, "rui": -100_00, "mei": 100_00 + 1_000_00 + 1_250_00 - 25_00}
    for language in LANGUAGES:  # whoever comes now is sent all of it
        await room.enter(people["ana"], language)
        await room.enter(None, language)
    await room.agree()
