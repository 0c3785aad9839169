"""Without a mouse: every deed has its key, and what others do never takes the focus away or what is being entered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import is_accessible, opens_the_menu


def tabs_to(screen: Screen, selector: str) -> None:
    """Press Tab until the focus is there. Fails if it never comes."""
    for _ in range(60):
        if screen.page.locator(f"{selector}:focus").count():
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
@pytest.mark.in_full
def test_the_sheet_of_keys_says_what_each_does_and_none_stakes_while_it_is_read(
    people: People, house: House, size: dict[str, object]
) -> None:
    ana = people.at(house.table(), "Ana", screen=size)
    ana.betting()
    page, sheet = ana.page, ana.page.locator("[data-keys]")
    page.keyboard.press("?")
    expect(sheet).to_be_visible()
    spots = sheet.locator("[data-keys-of=spots] > div")
    first = page.locator(".spot[aria-keyshortcuts='1']")
    expect(spots.first).to_contain_text("1")
    expect(spots).to_have_count(page.locator(".spot[aria-keyshortcuts]").count())
    expect(sheet.locator("[data-keys-of=deeds]")).to_contain_text("Undo")
    expect(sheet.locator("section").filter(has_text="Your decision")).to_be_hidden()
    is_accessible(ana, "the sheet of keys")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("2")  # what is heard again; the first was not
    expect(page.locator(".own.is-staked")).to_have_count(1)
    expect(first.locator(".own")).not_to_have_class(re.compile("is-staked"))
    opens_the_menu(page)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("button", name="Show the keys").click()
    expect(sheet).to_contain_text("They are switched off in the menu.")
    sheet.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(sheet).to_be_hidden()


@pytest.mark.parametrize("game", first("blackjack", "baccarat", "roulette"))
def test_a_link_skips_what_stands_before_the_bets(people: People, house: House, game: str) -> None:
    ana = people.at(house.table(game=game), "Ana")
    ana.betting()
    for _ in range(2):
        ana.page.keyboard.press("Tab")
    skip = ana.page.get_by_role("link", name="Skip to the bets")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    ana.page.keyboard.press("Enter")
    ana.page.keyboard.press("Tab")
    expect(ana.page.locator("#bets :focus")).to_have_count(1)


def test_a_stake_is_placed_and_taken_back_and_the_focus_stays(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.betting()
    bea.betting()
    tabs_to(ana, ".spot--player")
    ana.page.keyboard.press("Enter")
    ana.has("player", 1)
    ana.page.keyboard.press("Space")
    ana.has("player", 2)
    bea.stakes(50, "player")  # changes what lies in the very spot that has the focus
    ana.sees("player", 52)
    expect(ana.spot("player")).to_be_focused()
    ana.page.keyboard.press("u")
    ana.has("player", 1)
    expect(ana.spot("player")).to_be_focused()
    ana.page.keyboard.press("u")
    ana.has("player", 0)
    bea.sees("player", 50)
    ana.page.keyboard.press("u")
    expect(ana.notice).to_contain_text("You have no stake to take back.")


def test_every_deed_has_its_key(people: People, house: House) -> None:
    table = house.table(tie_policy="return")
    ana = people.at(table, "Ana")
    number = ana.betting()
    keys = ana.page.keyboard
    keys.press("+")
    expect(ana.page.locator("[name=chip]:checked")).to_have_value("500")
    keys.press("2")
    ana.has("banker", 5)
    keys.press("+")
    keys.press("-")
    keys.press("-")
    keys.press("3")
    ana.has("tie", 1)
    keys.press("d")
    ana.has("banker", 10)
    ana.has("tie", 2)
    keys.press("c")
    ana.has("banker", 0)
    ana.has("tie", 0)
    keys.press("1")
    ana.has("player", 1)
    keys.press("Enter")
    ana.betting(not_in=number)
    keys.press("r")
    ana.has("player", 1)


def test_a_chip_is_chosen_by_arrow_keys(people: People, house: House) -> None:
    ana = people.at(house.table(), "Ana")
    ana.betting()
    ana.page.locator("[name=chip]:checked").focus()
    ana.page.keyboard.press("ArrowRight")
    ana.page.keyboard.press("ArrowRight")
    expect(ana.page.locator("[name=chip]:checked")).to_have_value("1000")
    ana.page.keyboard.press("1")
    ana.has("player", 10)
    expect(ana.page.locator("[name=chip]:checked")).to_be_focused()


@pytest.mark.in_full
def test_keys_can_be_switched_off(people: People, house: House) -> None:
    ana = people.at(house.table(), "Ana")
    ana.betting()
    tabs_to(ana, ".menu summary")
    ana.page.keyboard.press("Enter")
    switch = ana.page.get_by_role("button", name="Keyboard shortcuts")
    switch.focus()
    ana.page.keyboard.press("Enter")
    expect(switch).to_have_attribute("aria-pressed", "false")
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator(".menu summary").first).to_be_focused()
    ana.page.keyboard.press("1")
    ana.stakes(5, "tie")  # heard after it, and nothing else was
    ana.has("player", 0)
    ana.page.reload()
    ana.line("open")
    ana.page.keyboard.press("1")
    ana.stakes(5, "tie")
    ana.has("player", 0)


@pytest.mark.in_full
def test_a_menu_stays_open_and_focused_while_the_table_goes_on(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    bea.betting()
    ana.stakes(5, "player")
    ana.page.locator(".sheet__open", has_text="My stakes").click()
    lower = ana.page.get_by_role("button", name="Take back")
    lower.focus()
    bea.stakes(50, "banker")
    ana.sees("banker", 50)
    expect(lower).to_be_focused()
    ana.page.keyboard.press("Enter")
    ana.has("player", 0)
    expect(ana.page.locator("#my-stakes")).to_contain_text("You have no stake on the layout.")


@pytest.mark.parametrize("path", ["/", "table"])
@pytest.mark.in_full
def test_the_content_can_be_skipped_to(people: People, house: House, path: str) -> None:
    screen = people.comes("Ana").goes(house.table().path if path == "table" else path)
    screen.page.keyboard.press("Tab")
    expect(screen.page.locator(".skip").first).to_be_focused()
    screen.page.keyboard.press("Enter")
    expect(screen.page.locator("#main")).to_be_focused()
