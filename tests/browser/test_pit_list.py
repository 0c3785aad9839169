"""The floor as a dense list: with nine alerts open a small screen still shows the tables, and nothing is cut off."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import DESK, PHONE, People
from .test_pit_door import PASSWORD

pytestmark = pytest.mark.any_database

TABLET: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True}

SEEN = """() => {
  const bar = document.querySelector("[data-alarms]").getBoundingClientRect();
  const rows = [...document.querySelectorAll(".pit-tables > li:not([hidden]) > .pit-table")];
  return rows.filter((row) => {
    const box = row.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= bar.top;
  }).length;
}"""
"""How many tables stand above the bar of the alerts, whole."""


@pytest.mark.parametrize(("screen", "least"), [(TABLET, 6), (PHONE, 3)], ids=["tablet", "phone"])
@pytest.mark.in_full
def test_the_tables_are_seen_though_nine_alerts_are_open(
    people: People, house: House, screen: dict[str, Any], least: int
) -> None:
    tables = [house.table(game="roulette") for _ in range(9)]
    house.ask("alarms", tables=[table.id for table in tables])
    number = house.ask("hires", name=f"lista-{least}", role="pit_boss", password=PASSWORD)
    boss = people.comes(login=house.logged_in_member(number, f"lista-{least}"), screen=screen)
    boss.goes("/pit/")
    tiles = boss.page.evaluate(SEEN)
    boss.page.locator("[data-view]").select_option("list")
    expect(boss.page.locator("[data-floor]")).to_have_class("pit-floor is-list")
    seen = boss.page.evaluate(SEEN)
    assert seen >= least and seen > tiles
    width = boss.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0, "it rolls sideways"
    assert "view=list" in boss.page.url, "it stays so when it is loaded again"
    boss.page.reload()
    expect(boss.page.locator("[data-floor]")).to_have_class("pit-floor is-list")


BESIDE = """(link) => {
  const badge = link.querySelector(".pit-count").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents([...link.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  return badge.left - range.getBoundingClientRect().right;
}"""
"""How many pixels lie between a word of the bar and its badge."""


@pytest.mark.parametrize("screen", [TABLET, DESK], ids=["tablet", "desk"])
@pytest.mark.in_full
def test_a_badge_of_two_digits_covers_no_word(people: People, house: House, screen: dict[str, Any]) -> None:
    tables = [house.table(game="roulette") for _ in range(12)]
    house.ask("alarms", tables=[table.id for table in tables])
    name = f"marca-{screen['viewport']['width']}"
    number = house.ask("hires", name=name, role="pit_boss", password=PASSWORD)
    boss = people.comes(login=house.logged_in_member(number, name), screen=screen)
    boss.goes("/pit/")
    floor = boss.page.locator(".pit-nav a", has=boss.page.locator("#pit-count-alerts"))
    expect(floor.locator(".pit-count")).to_have_text(re.compile(r"^\s*\d\d\b"))
    assert floor.evaluate(BESIDE) >= 0


TORN = """() => [...document.querySelectorAll(".pit-tables > li:not([hidden]) .pit-table__facts dd")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1;
}).map((one) => one.textContent.trim())"""
"""The figures of tables that stand on more than one line."""


@pytest.mark.parametrize("width", [390, 820, 1024, 1440])
@pytest.mark.in_full
def test_no_figure_of_the_list_is_torn(people: People, house: House, width: int) -> None:
    table = house.table(max_bet=1_000_000_00)
    ana = people.at(table, "Ana")
    ana.betting()
    ana.stakes(100, "tie")
    house.stack(table, "4c 4d 4h 4s")  # pays eight to one: the house has won -800.0 %
    ana.is_ready()
    ana.phase("settled")
    name = f"linha-{width}"
    number = house.ask("hires", name=name, role="pit_boss", password=PASSWORD)
    boss = people.comes(
        login=house.logged_in_member(number, name), screen={"viewport": {"width": width, "height": 900}}
    )
    boss.goes("/pit/?view=list")
    expect(boss.page.locator("[data-floor]")).to_have_class("pit-floor is-list")
    assert boss.page.evaluate(TORN) == []
