"""A pit boss with a tablet before a new screen: they make a kiosk, type the code that the screen shows, and tell it
this and that, all of which they see happen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from .house import House, Table
from .kit import KIOSK, People, Screen
from .test_access import fits_a_thumb
from .test_pit_door import PASSWORD, TABLET, is_accessible_on_all

KIOSKS = 1
"""The realm of the tables that visitors play at."""


@pytest.fixture
def table(house: House) -> Table:
    """A table of Roulette for visitors."""
    return house.table(game="roulette", realm=KIOSKS)


def a_boss(people: People, house: House, name: str) -> Screen:
    number = house.ask("hires", name=name, role="pit_boss", password=PASSWORD)
    return people.comes(login=house.logged_in_member(number, name), screen=TABLET)


def presses(boss: Screen, button: str) -> None:
    boss.page.get_by_role("main").get_by_role("button", name=button, exact=True).click()


def opens(boss: Screen, what: str) -> Locator:
    """Open one of the deeds that want a word more; the form in it."""
    deed = boss.page.locator("details", has=boss.page.get_by_text(what, exact=True))
    if deed.get_attribute("open") is None:
        deed.locator("summary").click()
    return deed


def makes(boss: Screen, name: str, table: Table) -> None:
    """Fill in the form for a kiosk that shows this table alone."""
    boss.goes("/pit/kiosks/")
    boss.page.get_by_role("link", name="Make a kiosk").click()
    boss.page.get_by_label("Name", exact=True).fill(name)
    boss.page.get_by_label("Place").fill("Hotel lobby, by the stairs")
    boss.page.get_by_label("Credits").fill("2500")
    for one in boss.page.locator("[name=tables]").all():
        one.uncheck()
    presses(boss, "Create")
    expect(boss.page.locator(".field__error")).to_have_text("Choose at least one table.")
    expect(boss.page.get_by_label("Place")).to_have_value("Hotel lobby, by the stairs")
    boss.page.get_by_label(f"{table.name} · Roulette").check()
    is_accessible_on_all(boss, "a new kiosk")
    boss.page.set_viewport_size(TABLET["viewport"])
    presses(boss, "Create")
    expect(boss.page).to_have_url(re.compile(r"/pit/kiosks/\d+/$"))


@pytest.mark.in_full
def test_a_pit_boss_makes_a_kiosk_and_enrols_its_screen(people: People, house: House, table: Table) -> None:
    people.watch.expects("status of 400")  # what is refused says so with its page
    boss, watcher = a_boss(people, house, "dulce"), a_boss(people, house, "elsa").goes("/pit/kiosks/")
    watcher.line("open")
    makes(boss, "Grand Lobby", table)
    boss.line("open")
    tile = boss.page.locator(".pit-kiosk")
    expect(tile).to_contain_text("not enrolled")
    watched = watcher.page.locator(".pit-kiosk", has_text="Grand Lobby")
    expect(watched).to_contain_text("not enrolled")

    device = people.comes(screen=KIOSK)
    device.page.goto(house.url + "/kiosk/")
    code = device.page.locator("[data-code]")
    expect(code).to_have_text(re.compile("^[A-Z0-9]{3}-[A-Z0-9]{3}$"))
    boss.page.get_by_label("Code").fill("AAA-AAA")
    presses(boss, "Enrol the screen")
    expect(boss.page.locator(".field__error")).to_have_text("No screen shows this code now.")
    expect(boss.page.get_by_label("Code")).to_have_value("AAA-AAA")
    boss.page.get_by_label("Code").fill(code.inner_text().lower())
    presses(boss, "Enrol the screen")
    expect(boss.page.locator(".notice--ok")).to_have_text("The screen starts within a few seconds.")
    expect(device.page).to_have_url(re.compile("/kiosk/attract/"))
    for one in (tile, watched):
        expect(one).to_have_class(re.compile("is-attract"))

    boss.page.get_by_label("Message").fill("Back at nine")
    presses(boss, "Show it")
    expect(device.page.get_by_text("Back at nine")).to_be_visible()
    expect(watched).to_contain_text("Back at nine")

    device.page.touchscreen.tap(KIOSK["viewport"]["width"] / 2, KIOSK["viewport"]["height"] / 2)
    for one in (tile, watched):
        expect(one).to_have_class(re.compile("is-play"))
        expect(one.get_by_role("link")).to_have_count(2)  # the kiosk's page, and the visitor's
    is_accessible_on_all(boss, "a kiosk")
    is_accessible_on_all(watcher, "the kiosks")
    touched = "button, summary, label.pit-check, .pit-kiosk a, input:not([type=checkbox])"
    fits_a_thumb(boss.page.locator(f"main :is({touched})"))
    boss.page.set_viewport_size(TABLET["viewport"])

    opens(boss, "Lock it").get_by_label("Why").fill("the glass is broken")
    presses(boss, "Lock")
    expect(watched).to_have_class(re.compile("is-locked"))
    expect(boss.page.get_by_role("button", name="Unlock")).to_be_visible()
    expect(boss.page.get_by_text("Lock it", exact=True)).to_be_hidden()
    presses(boss, "Unlock")
    expect(watched).to_have_class(re.compile("is-attract"))

    opens(boss, "Unpair the screen").get_by_label("Why").fill("it goes to another hotel")
    presses(boss, "Unpair")
    expect(code).to_have_text(re.compile("^[A-Z0-9]{3}-[A-Z0-9]{3}$"))
    expect(watched).to_contain_text("not enrolled")
    opens(boss, "Retire it").get_by_label("Why").fill("the fair is over")
    presses(boss, "Retire")
    expect(watched).to_contain_text("retired")
    expect(boss.page.get_by_role("button", name="Retire")).to_have_count(0)
    boss.page.get_by_role("link", name="All events").click()
    for words in ("Kiosk made", "Screen enrolled as a kiosk", "the glass is broken", "the fair is over", "dulce"):
        expect(boss.page.get_by_role("main")).to_contain_text(words)
