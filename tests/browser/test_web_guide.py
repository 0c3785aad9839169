"""The guided first round on the web: what is spoken of is in view and ringed, and it is left at any time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House
from .kit import DESK, PHONE, People
from .test_access import is_accessible

pytestmark = pytest.mark.any_database

INSIDE = """ring => {
  const box = ring.getBoundingClientRect();
  const foot = document.querySelector(".guided__foot").getBoundingClientRect();
  return box.width > 0 && box.top >= 0 && box.top < foot.top && box.right <= window.innerWidth;
}"""


@pytest.mark.parametrize(
    ("game", "size"),
    first(("roulette", PHONE), ("stud_poker", PHONE), ("cussec", PHONE), ("baccarat", DESK)),
    ids=first("roulette-phone", "stud-phone", "cussec-phone", "baccarat-desk"),
)
def test_each_step_shows_what_it_speaks_of_and_the_last_leads_to_the_table(
    people: People, house: House, game: str, size: dict[str, Any]
) -> None:
    table = house.table(game=game)
    ana = people.comes("Ana", screen=size).goes(f"/guide/{game}/?table={table.slug}")
    page, begin = ana.page, ana.page.locator("[data-begin]")
    steps = page.locator("template[data-step]").count()
    for step in range(1, steps + 1):
        expect(page.locator("#guide-says")).to_contain_text(f"Step {step} of {steps}")
        expect(page.locator("[data-ring-at]")).to_be_visible()
        assert page.locator("[data-ring-at]").evaluate(INSIDE), step
        if step in (1, steps):
            is_accessible(ana, f"step {step}", seen_before=step > 1)
        if step < steps:
            page.locator("[data-on]").click()
    begin.click()
    expect(page).to_have_url(re.compile(f"{table.path}$"))
    assert house.ask("balance", player=ana.player) == 10_000_00


def test_it_is_left_at_any_time(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.page.locator(".menu summary").filter(visible=True).first.click()
    ana.page.locator(".menu__sheet").get_by_role("link", name="Guided round").click()
    expect(ana.page.locator("#guide-says")).to_contain_text("Step 1")
    ana.page.locator("[data-skip]").click()
    ana.line("open")
    expect(ana.page).to_have_url(re.compile(f"{table.path}$"))
