"""A pit boss at work while two people play: opens a table, changes an option, rules a misdeal, and closes."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .house import House, Table
from .kit import DESK, PHONE, People, Screen
from .test_pit_door import PASSWORD, TABLET, is_accessible_on_all

OPENED = {"Name": "Lilac", "Name in its address": "lilac", "Float": "50000"}


def opens_a_table(boss: Screen, like: Table) -> None:
    """Fill in the form: 3-Card Baccarat with the options of a table that there is."""
    boss.goes("/pit/tables/new/")
    for label, said in OPENED.items():
        boss.page.get_by_label(label, exact=True).fill(said)
    boss.page.get_by_label("Game", exact=True).select_option("three_card_baccarat")
    boss.page.get_by_label("Options and times").select_option(like.slug)
    boss.page.get_by_role("button", name="Open the table").click()
    expect(boss.page).to_have_url(re.compile("/pit/tables/lilac/$"))
    expect(boss.page.locator(".notice--ok")).to_contain_text("Lilac is open.")


def changes_an_option(boss: Screen) -> None:
    """Standing bets at Lilac: no article wants leave for it, so it holds from the next shoe or round."""
    boss.page.get_by_role("link", name="Options and their changes").click()
    boss.page.locator("[name=standing_bets]").select_option("true")
    boss.page.locator("[name=why]").fill("the crowd asks for it")
    boss.page.get_by_role("button", name="Draft", exact=True).click()
    expect(boss.page.get_by_role("main")).to_contain_text("No article requires an authorisation")
    boss.page.get_by_role("button", name="Adopt").click()


def approves(people: People, house: House, number: int) -> None:
    """The second pit boss, whose id this is, sees what waits, and approves it with a code."""
    second = people.comes(login=house.logged_in_member(number, "lidia1"), screen=TABLET).goes("/pit/approvals/")
    expect(second.page.get_by_role("main")).to_contain_text("two places were skipped")
    is_accessible_on_all(second, "what waits for a second person")
    second.page.set_viewport_size(TABLET["viewport"])
    second.page.get_by_label("The code that your app shows").fill(house.ask("code", player=number))
    second.page.get_by_role("button", name="Approve").click()
    expect(second.page.locator(".notice--ok")).to_contain_text("Approved, and done.")


def test_a_pit_boss_opens_a_table_changes_an_option_and_rules_while_two_play(people: People, house: House) -> None:
    like = house.table(game="three_card_baccarat")
    number = house.ask("hires", name="helena1", role="pit_boss", password=PASSWORD)
    boss = people.comes(login=house.logged_in_member(number, "helena1"), screen=TABLET)
    opens_a_table(boss, like)
    changes_an_option(boss)

    table = Table(house.ask("table", slug="lilac"), "lilac", "Lilac")
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE, language="pt-PT")
    first = ana.betting()
    ana.sits(1)
    bea.sits(2)
    ana.stakes(100, "place-1")
    bea.stakes(50, "place-2")
    ana.is_ready()
    bea.is_ready()
    expect(ana.page.locator("#my-cards .card")).to_have_count(3)

    boss.goes("/pit/tables/lilac/")
    is_accessible_on_all(boss, "a table that is played")
    boss.page.set_viewport_size(TABLET["viewport"])
    boss.page.locator(".pit-freeze").click()
    expect(boss.page.locator("#pit-table-lilac")).to_contain_text("Frozen since")
    expect(boss.page.locator("#pit-alerts")).to_contain_text("Round frozen")
    expect(ana.page.locator("#rail")).to_contain_text("The pit looks at this round")
    expect(ana.page.locator("#rail")).to_have_attribute("data-ends-at", "")
    boss.page.get_by_role("link", name="Rule on an irregularity").click()
    expect(boss.page.get_by_role("heading", level=1)).to_have_text("Irregularities")
    is_accessible_on_all(boss, "what may be ruled")
    boss.page.set_viewport_size(TABLET["viewport"])
    wrong = boss.page.locator(".rule-list__one", has_text=re.compile("cannot be put right|order is lost", re.I)).first
    wrong.get_by_role("link").first.click()
    expect(boss.page.locator("#preview")).to_contain_text(ana.name)
    expect(boss.page.locator("#preview")).to_contain_text("2(4)")
    lidia = house.ask("hires", name="lidia1", role="pit_boss", password=PASSWORD)  # else nobody could approve it
    boss.page.get_by_label("Reason").fill("two places were skipped")
    boss.page.get_by_role("button", name="Rule", exact=True).click()
    expect(boss.page.locator(".notice--ok")).to_contain_text("A second person must approve it.")
    expect(ana.page.locator("#rail")).to_contain_text("The pit looks at this round")
    approves(people, house, lidia)

    for screen, words in ((ana, "The pit has ruled"), (bea, "2(4)")):
        screen.phase("void")
        expect(screen.page.get_by_role("main")).to_contain_text(words)
        screen.agrees_with_the_ledger()
        assert screen.balance == 10_000_00
    second = ana.betting(not_in=first)
    played = house.ask("played", round=int(first), player=ana.player)
    assert played == {"staked": 100_00, "returned": 100_00}
    assert house.ask("options", round=int(second))["standing_bets"] is True

    boss.goes("/pit/")
    expect(boss.page.locator("#pit-alerts")).to_contain_text("Lilac")
    is_accessible_on_all(boss, "the floor")
    for size in (DESK, TABLET):
        boss.page.set_viewport_size(size["viewport"])
        boss.goes("/pit/rounds/").does_not_scroll_sideways()
    boss.goes("/pit/events/")
    for deed in ("Table opened", "New options in force", "Ruling on an irregularity", "helena1"):
        expect(boss.page.get_by_role("main")).to_contain_text(deed)
