"""A wallboard in a browser: enrolled by the pit, live, with nothing to do on it, as large as its screen; it takes up a
new version, comes back after an outage, and is gone when the pit unpairs it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import DESK, KIOSK_LYING, People, Screen
from .test_access import is_accessible
from .test_pit_door import PASSWORD

UHD: dict[str, Any] = {"viewport": {"width": 3840, "height": 2160}}

LANGUAGES = ("en", "zh-hant", "pt")

CUT = """() => [...document.querySelectorAll(".wall :is(h1, h2, dt, dd, time, .tag, .pit-table__phase)")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline")
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""
"""What is wider than its place."""


def keeps(screen: Screen, name: str) -> None:
    """Keep a picture, where they are wanted."""
    if folder := os.environ.get("SHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        screen.page.screenshot(path=f"{folder}/{name}.png")


def a_wallboard(people: People, house: House, boss: Screen, name: str, language: str = "en") -> Screen:
    """The pit makes one and types the code that its screen shows."""
    boss.goes("/pit/kiosks/")
    boss.page.get_by_role("link", name="Make a wallboard").click()
    boss.page.get_by_label("Name", exact=True).fill(name)
    boss.page.locator("#id_language").select_option(language)
    is_accessible(boss, "a new wallboard")
    boss.page.get_by_role("main").get_by_role("button", name="Create").click()
    wall = people.comes(screen=KIOSK_LYING)
    wall.page.goto(house.url + "/kiosk/")
    code = wall.page.locator("[data-code]")
    expect(code).to_have_text(re.compile("^[A-Z0-9]{3}-[A-Z0-9]{3}$"))
    boss.page.get_by_label("Code").fill(code.inner_text())
    boss.page.get_by_role("main").get_by_role("button", name="Enrol the screen").click()
    expect(wall.page.locator(".wall")).to_be_visible()
    return wall


def a_boss(people: People, house: House, name: str) -> Screen:
    number = house.ask("hires", name=name, role="pit_boss", password=PASSWORD)
    return people.comes(login=house.logged_in_member(number, name), screen=DESK)


@pytest.mark.in_full
def test_a_wallboard_stays_live_and_leads_nowhere(people: People, house: House) -> None:
    table = house.table()
    boss = a_boss(people, house, "brites1")
    wall = a_wallboard(people, house, boss, "Wall of the pit")
    wall.line("open")
    is_accessible(wall, "a wallboard")
    tile = wall.page.locator(f"#pit-table-{table.slug}")
    expect(tile).to_contain_text("open")
    wall.page.evaluate("window.stayed = true")
    boss.goes(f"/pit/tables/{table.slug}/").page.get_by_role("button", name="Pause after the round").click()
    expect(tile).to_contain_text("paused")
    later = house.table(game="cussec")
    expect(wall.page.locator(f"#pit-table-{later.slug}")).to_be_attached()  # in view when its turn comes
    house.ask("alarms", tables=[table.id])
    bets = wall.page.locator("#wall-alerts .pit-alarm").filter(has_text="Big bet")
    expect(bets).to_contain_text(table.name)
    assert wall.page.locator(".wall :is(a, button, form, input)").count() == 0
    for key in ("f", "/", "Tab", "Enter", "Alt+ArrowLeft"):
        wall.page.keyboard.press(key)
    wall.page.mouse.click(300, 300)
    assert wall.page.evaluate("window.stayed"), "it was pushed, and never loaded anew"
    boss.goes("/pit/kiosks/")
    shown = boss.page.locator(".pit-kiosk", has_text="Wall of the pit")
    expect(shown).to_contain_text("It shows the floor")

    # an older page takes up the version of the house
    wall.page.evaluate("performance.now = () => 100_000; document.body.dataset.version = 'older'")
    expect(wall.page.locator("body:not([data-version=older])")).to_be_visible()
    assert not wall.page.evaluate("window.stayed")
    expect(tile).to_contain_text("paused")

    boss.page.get_by_role("link", name="Wall of the pit").click()
    boss.page.locator("details", has=boss.page.get_by_text("Unpair the screen", exact=True)).locator("summary").click()
    boss.page.locator("#revoke_why").fill("the wall comes down")
    boss.page.get_by_role("main").get_by_role("button", name="Unpair", exact=True).click()
    expect(wall.page.locator(".wall .pit-table").first).to_be_hidden()
    expect(wall.page.locator("[data-code]")).to_have_text(re.compile("^[A-Z0-9]{3}-[A-Z0-9]{3}$"), timeout=30_000)


@pytest.mark.in_full
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wallboard_fits_its_screen(people: People, house: House, language: str) -> None:
    games = ("baccarat", "blackjack", "roulette", "cussec", "stud_poker", "three_card_baccarat")
    tables = [house.table(game=game) for game in games for _ in range(2)]
    house.ask("alarms", tables=[table.id for table in tables[:6]])
    boss = a_boss(people, house, f"wanda{LANGUAGES.index(language)}")
    wall = a_wallboard(people, house, boss, f"Wall {language}", language)
    for name, size in (("1080", KIOSK_LYING), ("2160", UHD)):
        wall.page.set_viewport_size(size["viewport"])
        wall.line("open")
        keeps(wall, f"wallboard-{language}-{name}")
        wall.does_not_scroll_sideways()
        assert wall.page.evaluate(CUT) == []
