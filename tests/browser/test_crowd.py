"""Demonstration bettors at the tables of an open house: over its sockets, by its rules, under names of their own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import People


@pytest.mark.in_full
def test_a_crowd_sits_bets_and_decides_and_everybody_sees_who_they_are(people: People, house: House) -> None:
    blackjack, roulette = house.table(game="blackjack"), house.table(game="roulette")
    before = house.troubles()
    watching = people.comes().goes(f"/tables/{blackjack.slug}/")
    said = house.manage(
        *("crowd", "6", "--table", blackjack.slug, "--table", roulette.slug, "--rounds", "5", "--seed", "7"),
        *("--port", str(house.port)),
        CROWD="1",
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("6 bettors, demo-1 to demo-6, at 2 tables")
    assert "They have gone. Rounds bet in, all added up: 5" in said.stdout
    for table in (blackjack, roulette):
        watching.goes(f"/tables/{table.slug}/")
        expect(watching.page.locator(".rail__round")).to_contain_text(re.compile("Round [1-9]"))
    dice = house.table(game="cussec")
    again = house.manage("crowd", "2", "--table", dice.slug, "--rounds", "1", "--port", str(house.port), CROWD="1")
    assert "2 bettors, demo-1 to demo-2" in again.stdout, "those who were here before come again"
    assert "Traceback" not in house.troubles().removeprefix(before)


@pytest.mark.in_full
@pytest.mark.parametrize(
    ("arguments", "asked", "why"),
    [
        (["3"], "0", "has not asked for a crowd"),
        (["0"], "1", "1 to 500 bettors, and not 0"),
        (["3", "--table", "nowhere"], "1", "no open table nowhere"),
        (["1", "--port", "9"], "1", "http://127.0.0.1:9 does not answer"),
    ],
)
def test_no_crowd_comes_where_none_is_wanted(house: House, arguments: list[str], asked: str, why: str) -> None:
    said = house.manage("crowd", *arguments, CROWD=asked)
    assert said.returncode == 1
    assert why in said.stderr and said.stderr.count("\n") == 1
