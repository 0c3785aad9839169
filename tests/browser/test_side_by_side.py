"""Several tables on one screen: each is played as it is alone, with one purse, and calls when it wants a decision."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, expect

from tests.extent import first

from .house import House, Table
from .kit import DESK, PHONE, People, Screen
from .test_access import is_accessible


def felt(screen: Screen, table: Table) -> FrameLocator:
    return screen.page.frame_locator(f'iframe[src="{table.path}beside/"]')


def open_(screen: Screen, *tables: Table) -> None:
    screen.goes("/side-by-side/?" + "&".join(f"t={table.slug}" for table in tables))
    for table in tables:
        expect(felt(screen, table).locator("[data-line]").first).to_have_attribute("data-line", "open")


@pytest.mark.parametrize("size", first(DESK, PHONE), ids=first("desk", "phone"))
def test_bets_at_two_tables_come_from_one_purse_and_the_one_that_wants_a_decision_calls(
    people: People, house: House, size: dict[str, Any]
) -> None:
    baccarat, stud = house.table(), house.table(game="stud_poker")
    ana = people.comes("Ana", screen=size)
    open_(ana, baccarat, stud)
    purse = ana.page.locator("[data-purse]")
    tab = ana.page.locator(f'[data-tab="{stud.slug}"]')
    first, second = felt(ana, baccarat), felt(ana, stud)
    expect(first.locator("#rail")).to_have_attribute("data-betting", "1")
    first.locator('.chip:has(input[value="1000"])').click()
    first.locator('.spot[data-key="player"]').click()
    expect(purse).to_contain_text("9,990")
    if size is PHONE:
        expect(ana.page.locator(f'[data-table="{stud.slug}"]')).to_have_css("visibility", "hidden")
        tab.click()
    second.locator('.seat[data-seat="1"]').click()
    expect(second.locator('.seat[data-seat="1"]')).to_have_class(re.compile("is-mine"))
    second.locator('.chip:has(input[value="1000"])').click()
    second.locator('.spot[data-key="ante-1"]').click()
    expect(purse).to_contain_text("9,980")
    expect(first.locator("#wallet")).to_have_attribute("data-balance", "998000")
    if size is PHONE:
        ana.page.locator(f'[data-tab="{baccarat.slug}"]').click()
        expect(tab.locator("[data-calls]")).to_be_hidden()
    is_accessible(ana, seen_before=size is PHONE)
    house.ask("says_that_time_is_over", table=stud.id)
    calls = tab if size is PHONE else ana.page.locator(f'[data-table="{stud.slug}"]')
    expect(calls).to_have_class(re.compile("is-calling"))
    expect(calls.locator("[data-calls]").first).to_be_visible()
    expect(ana.page).to_have_title(re.compile(f"^● Your turn: {stud.name}$"))
    expect(ana.page.locator("[data-called]")).to_contain_text(stud.name)
    if size is PHONE:
        tab.click()
    expect(second.locator("#decision .choice--fold")).to_be_enabled()
    second.locator("#decision .choice--raise").click()
    expect(calls).not_to_have_class(re.compile("is-calling"))
    expect(ana.page).to_have_title(re.compile("^Several tables"))


def test_no_more_than_four_can_be_chosen_and_a_table_leads_out_of_its_frame(people: People, house: House) -> None:
    tables = [house.table() for _ in range(5)]
    ana = people.comes("Ana")
    open_(ana, *tables[:4])
    ana.page.get_by_text("Choose tables").click()
    fifth = ana.page.get_by_label(tables[4].name, exact=True)
    expect(fifth).to_be_disabled()
    ana.page.get_by_label(tables[3].name, exact=True).uncheck()
    expect(fifth).to_be_enabled()
    ana.page.keyboard.press("Escape")
    felt(ana, tables[1]).locator(".rail__back").click()
    expect(ana.page).to_have_url(re.compile(f"{tables[1].path}$"))


@pytest.mark.in_full
def test_a_stranger_who_plays_as_a_guest_comes_back_to_all_of_them(people: People, house: House) -> None:
    tables = [house.table(), house.table()]
    somebody = people.comes()
    open_(somebody, *tables)
    felt(somebody, tables[1]).get_by_role("button", name="Play as a guest").click()
    expect(somebody.page.locator("[data-purse]")).to_contain_text("10,000")
    expect(somebody.page.locator("iframe")).to_have_count(2)
