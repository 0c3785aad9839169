"""A reality check comes between rounds, stays until it is read, and says what the ledger says."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .house import House
from .kit import PHONE, People, cents_of
from .test_access import fits_a_thumb, is_accessible


def test_a_check_waits_for_the_round_and_for_its_reader(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=PHONE)
    dialog, strip = ana.page.locator("[data-check]"), ana.page.locator("[data-played]")
    round_ = ana.betting()
    before = ana.balance
    ana.stakes(100, "banker")
    expect(strip).to_have_text(re.compile(r"0:0\d\s*·.*−100"))
    house.ask("is_to_check", player=ana.player)
    ana.goes(table.path)
    ana.has("banker", 100)
    expect(dialog).to_be_hidden()
    ana.is_ready()
    ana.has_seen(round_)
    expect(dialog).to_be_visible()
    ana.page.keyboard.press("Escape")
    ana.page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    said = dialog.locator("dd")
    assert cents_of(said.nth(2).inner_text()) == 100_00
    assert cents_of(said.nth(3).inner_text().replace("−", "-")) == ana.balance - before
    fits_a_thumb(dialog.locator(".button"))
    is_accessible(ana, "a reality check")
    dialog.get_by_role("button").tap()
    expect(dialog).to_be_hidden()
    ana.betting()
    ana.stakes(100, "player")
