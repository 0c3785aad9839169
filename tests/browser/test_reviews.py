"""A review is asked for with a thumb, and its answer is read on the same page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import PHONE, People
from .test_access import fits_a_thumb, is_accessible
from .test_pit_door import PASSWORD, TABLET


@pytest.mark.in_full
def test_a_player_asks_on_a_phone_and_reads_the_answer_there(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=PHONE)
    log = ana.betting()
    house.stack(table, "9s 2c Kd 3h")
    ana.stakes(100, "banker")
    ana.is_ready()
    ana.has_seen(log)
    ana.goes("/history/")
    ana.page.get_by_role("main").get_by_role("link", name=table.name).click()
    ana.page.get_by_text("Ask for a review").tap()
    ana.page.get_by_label("What is it about?").select_option("payment")
    ana.page.get_by_label("What happened?").fill("I had the banker.")
    fits_a_thumb(ana.page.locator("#review").locator("summary, select, textarea, button"))
    is_accessible(ana, "asking for a review")
    ana.does_not_scroll_sideways()
    ana.page.get_by_role("button", name="Send it to the pit").tap()
    expect(ana.page).to_have_url(re.compile(f"/rounds/{log}/#review$"))
    panel = ana.page.locator("#review")
    expect(panel).to_contain_text("review: asked for")

    boss = people.comes(
        login=house.logged_in_member(house.ask("hires", name="inês", role="pit_boss", password=PASSWORD), "inês"),
        screen=TABLET,
    ).goes("/pit/")
    alert = boss.page.locator("a", has_text=f"{ana.name}, round 1").first  # in the bar at the foot, which may be closed
    boss.goes(alert.get_attribute("href") or "")
    expect(boss.page.get_by_role("main")).to_contain_text("I had the banker.")
    is_accessible(boss, "a review in the pit")
    boss.does_not_scroll_sideways()
    boss.page.get_by_label("What the player reads").first.fill("The bank had 5, and you 9.")
    boss.page.get_by_role("button", name="Send the answer").click()
    expect(boss.page.locator(".notice--ok")).to_contain_text("The player reads your answer.")

    ana.goes("/")
    ana.page.get_by_role("link", name="The pit has answered your review").tap()
    expect(panel).to_contain_text("The bank had 5, and you 9.")
    expect(panel).to_contain_text("Answered by the pit boss")
    is_accessible(ana, "an answer")
