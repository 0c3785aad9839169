"""The page of a jackpot on a large screen: all of it is seen, it is live, and it looks after itself."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import KIOSK, PHONE, People, Screen
from .test_access import is_accessible
from .test_line import GONE

WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}

FIGURE = ".board__figure"


def shows(screen: Screen, table: Table, query: str = "?lang=en") -> Screen:
    """The page of this table's own jackpot, live."""
    screen.goes(f"/jackpots/{table.slug}/{query}")
    screen.line("open")
    return screen


def test_it_fits_every_screen(house: House, people: People) -> None:
    screen = shows(people.comes(screen=PHONE), house.table(game="stud_poker"))
    expect(screen.page.locator(FIGURE)).to_contain_text("500,000.00")
    for size in (PHONE, WALL, KIOSK):
        screen.page.set_viewport_size(size["viewport"])
        is_accessible(screen, seen_before=size is not PHONE)
        figure = screen.page.locator(FIGURE).bounding_box()
        width = size["viewport"]["width"]
        assert figure is not None and figure["width"] <= width and figure["height"] > width / 14
        if size is not PHONE:
            high, seen = screen.page.evaluate("[document.documentElement.scrollHeight, window.innerHeight]")
            assert high <= seen, f"{high} high on a screen of {seen}"


@pytest.mark.in_full
def test_it_is_live_and_comes_back_by_itself(house: House, people: People) -> None:
    """A stake shows without a click; when the house was gone and is back, the page is loaded anew."""
    table = house.table(game="stud_poker")
    wall = shows(people.comes(screen=WALL), table)
    ana = people.at(table, "Ana")
    ana.sits(1)
    ana.betting()
    ana.stakes(100, "ante-1")
    ana.spot("jackpot-1").click()
    ana.has("jackpot-1", 25)
    ana.is_ready()
    expect(wall.page.locator(FIGURE)).to_contain_text("500,017.50")
    expect(ana.page.locator("#jackpot-meter")).to_contain_text("500,017.50")

    wall.page.evaluate("document.documentElement.dataset.before = 'yes'")
    people.watch.expects(*GONE)
    house.die()
    wall.line("closed")
    house.open()
    expect(wall.page.locator("html")).not_to_have_attribute("data-before", "yes")
    wall.line("open")
    expect(wall.page.locator(FIGURE)).to_contain_text("500,017.50")


@pytest.mark.in_full
def test_it_shows_one_language_after_the_other(house: House, people: People) -> None:
    table = house.table(game="stud_poker")
    screen = people.comes(screen=WALL, language="pt-PT", clock=True)
    shows(screen, table, "")
    seen = []
    for _ in range(3):
        shown = screen.page.locator(f"{FIGURE}:visible")
        expect(shown).to_have_count(1)
        seen.append(shown.locator("xpath=..").get_attribute("lang"))
        screen.page.clock.run_for(12_000)
    assert seen == ["pt", "en", "zh-hant"]


def test_its_name_on_a_card_in_the_lobby_leads_to_it(house: House, people: People) -> None:
    table = house.table(game="stud_poker")
    screen = people.comes()
    screen.goes("/")
    screen.page.locator(f"#table-{table.slug} .meter__name").click()
    expect(screen.page).to_have_url(re.compile(f"/jackpots/{table.slug}/$"))
