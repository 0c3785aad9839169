"""The keys of the pit: places and deeds by a letter, the sheet of them, the search; and no key while somebody types."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .house import House
from .kit import DESK, People
from .test_pit_door import PASSWORD


def test_a_letter_opens_a_place_and_does_a_deed(people: People, house: House) -> None:
    table = house.table()
    number = house.ask("hires", name="celeste1", role="pit_boss", password=PASSWORD)
    page = people.comes(login=house.logged_in_member(number, "celeste1"), screen=DESK).goes("/pit/").page
    page.keyboard.press("s")  # on the floor no key pauses a table
    page.keyboard.press("/")
    expect(page).to_have_url(re.compile("/pit/search/$"))
    expect(page.locator("input[name=q]")).to_be_focused()
    page.keyboard.type(table.slug)  # letters that are typed are no keys
    page.keyboard.press("Enter")
    page.locator(".hits a", has_text=table.name).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(table.name)
    page.wait_for_load_state()  # keys are heard once its scripts are there
    page.keyboard.press("?")
    sheet = page.locator("[data-keys]")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("Pause after the round")
    expect(sheet).to_contain_text("Reports")
    page.keyboard.press("s")  # while the sheet is read no key does anything
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator(f"#pit-table-{table.slug}")).to_contain_text("open")
    page.keyboard.press("s")
    expect(page.locator(f"#pit-table-{table.slug}")).to_contain_text("paused")
    expect(page.get_by_role("main")).to_contain_text("The table pauses.")
    page.wait_for_load_state()
    page.keyboard.press("t")
    expect(page).to_have_url(re.compile("/pit/reports/"))
    page.wait_for_load_state()
    page.locator("[data-menu] > summary").click()
    page.locator("[data-toggle=keys]").click()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("/pit/reports/"))
