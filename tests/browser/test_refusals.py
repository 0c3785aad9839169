"""What is refused says why, by which article, next to the spot; and changes nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House, Table
from .kit import DESK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible


def is_refused(screen: Screen, spot: str, *says: str) -> None:
    """Click the spot, and expect a refusal that says this, near the spot and on the screen."""
    before = screen.own(spot).get_attribute("data-total")
    screen.spot(spot).click()
    for words in says:
        expect(screen.notice).to_contain_text(words)
    expect(screen.spot(spot)).to_have_class(re.compile("is-refused"))
    expect(screen.own(spot)).to_have_attribute("data-total", before or "")
    stands_next_to(screen, spot)


def stands_next_to(screen: Screen, spot: str) -> None:
    said, there = screen.notice.bounding_box(), screen.spot(spot).bounding_box()
    size = screen.page.viewport_size
    assert said and there and size
    assert said["x"] >= 0 and said["x"] + said["width"] <= size["width"]
    assert said["y"] >= 0 and said["y"] + said["height"] <= size["height"]
    above = there["y"] - (said["y"] + said["height"])
    below = said["y"] - (there["y"] + there["height"])
    assert max(above, below) <= 24, f"{max(above, below)} px away from the spot"
    assert said["x"] <= there["x"] + there["width"] and there["x"] <= said["x"] + said["width"]


@pytest.fixture
def table(house: House) -> Table:
    """A table where a stake can be too small, too large, and no multiple of the minimum."""
    least = {"player": 20_00, "banker": 20_00, "tie": 5_00, "player_pair": 5_00, "banker_pair": 5_00}
    return house.table(min_bet=least, max_bet={"player": 500_00, "tie": 100_00})


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
def test_it_says_why_next_to_the_spot(people: People, table: Table, size: dict[str, object]) -> None:
    ana = people.at(table, "Ana", screen=size)
    ana.betting()
    ana.chip(10).click()
    is_refused(ana, "player", "20.00", "house rule")
    ana.chip(50).click()
    is_refused(ana, "banker", "multiple", "note 1")
    ana.chip(500).click()
    is_refused(ana, "tie", "100.00", "house rule")
    ana.chip(50).click()
    ana.spot("player").click()  # what is accepted takes the refusal away
    ana.has("player", 50)
    expect(ana.notice).to_have_count(0)


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
def test_a_stake_over_the_maximum_offers_the_most_that_is_allowed(
    people: People, table: Table, size: dict[str, object]
) -> None:
    ana = people.at(table, "Ana", screen=size)
    ana.betting()
    ana.chip(50).click()
    ana.stakes(50, "player")
    ana.chip(500).click()
    is_refused(ana, "player", "450.00", "house rule")
    offer = ana.notice.get_by_role("button", name="Place 450")
    fits_a_thumb(offer)
    is_accessible(ana, "an offer")
    offer.click()
    ana.has("player", 500)
    expect(ana.notice).to_have_count(0)
    is_refused(ana, "player", "you may still add 0", "house rule")  # nothing is left to offer
    expect(ana.notice.get_by_role("button", name="Place")).to_have_count(0)


def test_no_offer_is_made_that_would_be_refused_itself(people: People, house: House) -> None:
    table = house.table(min_bet=100, max_bet={"player": 50_000_00})
    ana = people.at(table, "Ana")
    ana.betting()
    ana.page.evaluate("document.querySelector('.chip input:checked').value = 6000000")  # a chip that is too large
    ana.spot("player").click()
    expect(ana.notice).to_contain_text("50,000")  # of which she has a fifth
    expect(ana.notice.get_by_role("button", name="Place")).to_have_count(0)


@pytest.mark.in_full
def test_more_than_he_has(people: People, house: House) -> None:
    ana = people.at(house.table(), "Ana")
    ana.betting()
    ana.stakes(1_000, "player")
    for total in (2_000, 4_000, 8_000):
        ana.deed("double").click()
        ana.has("player", total)
    ana.stakes(1_000, "banker")
    ana.stakes(500, "tie")
    ana.chip(1_000).click()
    is_refused(ana, "player", "you have 500.00")
    ana.deed("double").click()
    expect(ana.notice).to_contain_text("Your balance does not cover this.")
    ana.has("player", 8_000)
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_a_click_on_a_refusal_is_no_bet(people: People, table: Table, house: House) -> None:
    ana = people.at(table, "Ana")
    ana.betting()
    ana.chip(10).click()
    is_refused(ana, "player", "20.00")
    ana.chip(50).click()
    expect(ana.notice).to_have_count(0)  # another chip is an answer to it
    is_refused(ana, "banker", "multiple")
    ana.notice.locator("p").click()  # it lies over another spot
    expect(ana.notice).to_have_count(0)
    ana.chip(10).click()
    is_refused(ana, "player", "20.00")
    ana.notice.get_by_role("button", name="Close").click()
    expect(ana.notice).to_have_count(0)
    ana.chip(50).click()
    ana.stakes(50, "tie")
    assert house.ask("stakes", table=table.id) == {f"{ana.player} tie": 50_00}


@pytest.mark.in_full
def test_a_stake_that_leans_on_another(people: People, house: House) -> None:
    """A pair bet needs a main bet: the one that it leans on cannot be taken away under it."""
    ana = people.at(house.table(), "Ana")
    ana.betting()
    ana.stakes(5, "player", "player_pair")
    ana.deed("clear").click()
    ana.has("player", 0)
    ana.has("player_pair", 0)
    ana.agrees_with_the_ledger()


def test_after_the_bell_nothing_is_taken(people: People, house: House) -> None:
    """Who has not yet heard that betting is closed is told so by the house."""
    table = house.table()
    ana = people.comes("Ana")
    line = ana.slow_to_hear()
    ana.sits_down_at(table)
    bea = people.at(table, "Bea")
    ana.betting()
    bea.betting()
    bea.stakes(10, "banker")
    ana.sees("banker", 10)
    line.hold()
    bea.is_ready()
    bea.phase("result", "settled")
    ana.spot("player").click()
    line.go_on()
    expect(ana.page.locator("#notice")).to_have_attribute("data-kind", "refused")
    ana.has("player", 0)
    ana.agrees_with_the_ledger()
