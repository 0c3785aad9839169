"""The menu of a tile on the floor: the most frequent deeds with two clicks, by the keyboard too, on a phone too, and in
the dense list; the red button stays in sight there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible
from .test_pit_door import PASSWORD


def a_boss(people: People, house: House, name: str, screen: dict[str, Any] = DESK) -> Screen:
    number = house.ask("hires", name=name, role="pit_boss", password=PASSWORD)
    return people.comes(login=house.logged_in_member(number, name), screen=screen)


@pytest.mark.in_full
def test_deeds_by_the_keyboard_alone_and_back_to_the_same_view(people: People, house: House) -> None:
    table = house.table()
    page = a_boss(people, house, "palmira1").goes("/pit/?view=list&game=baccarat").page
    tile, menu = page.locator(f"#pit-table-{table.slug}"), page.locator("[data-tile-menu]")
    opener = page.locator(f"#pit-deeds-{table.slug}")
    opener.focus()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("heading")).to_have_text(table.name)
    expect(menu.get_by_role("button", name="Open the table")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_role("button", name="Pause after the round").focus()
    page.keyboard.press("Enter")
    expect(tile).to_contain_text("paused")
    expect(page).to_have_url(re.compile(r"/pit/\?view=list&game=baccarat$"))
    opener.click()
    menu.get_by_role("button", name="Go on").click()
    expect(tile).not_to_contain_text("paused")


@pytest.mark.in_full
def test_what_can_be_done_follows_how_the_table_stands(people: People, house: House) -> None:
    table = house.table()
    boss = a_boss(people, house, "palmira2")
    page = boss.goes("/pit/").page
    opener, menu = page.locator(f"#pit-deeds-{table.slug}"), page.locator("[data-tile-menu]")
    opener.click()
    expect(menu).to_be_visible()
    is_accessible(boss, "the menu of a tile")
    menu.locator("[name=credits]").fill("5000")
    menu.get_by_label("Reason").fill("it runs low")
    menu.get_by_role("button", name="Ask for a fill").click()
    expect(page.locator(".notice--ok")).to_contain_text("A second person must confirm it.")
    expect(page).to_have_url(re.compile("/pit/$"))
    opener.click()
    menu.get_by_role("button", name="Close after the round").click()
    folded = page.locator(".pit-folded", has=page.locator(f"#pit-table-{table.slug}.is-closed"))
    expect(page.locator(f"#pit-table-{table.slug}")).to_have_class(re.compile("is-closed"))
    page.reload()
    folded.locator("summary").click()
    opener.click()
    expect(menu.get_by_role("button", name="Pause after the round")).to_be_hidden()
    menu.get_by_label("Float, in credits").fill("50000")
    menu.get_by_role("button", name="Open the table").click()
    expect(page.locator(f"#pit-table-{table.slug}")).to_have_class(re.compile("is-open"))


@pytest.mark.in_full
@pytest.mark.parametrize("view", ["", "?view=list"], ids=["tiles", "list"])
def test_a_round_is_frozen_with_one_touch_on_a_phone(people: People, house: House, view: str) -> None:
    table = house.table(times={"betting": 600_000})
    ana = people.at(table, "Ana")
    ana.betting()
    boss = a_boss(people, house, f"palmira3{'l' if view else 't'}", PHONE)
    page = boss.goes(f"/pit/{view}").page
    button = page.locator(f"#pit-freeze-{table.slug}")
    expect(button).to_be_visible()
    fits_a_thumb(page.locator(f"#pit-table-{table.slug} :is(.pit-freeze, .pit-table__deeds)"))
    boss.does_not_scroll_sideways()
    button.tap()
    expect(page.locator(f"#pit-table-{table.slug}")).to_contain_text("Frozen since")
    page.locator(f"#pit-release-{table.slug}").tap()
    expect(page.locator(f"#pit-table-{table.slug}")).not_to_contain_text("Frozen since")
