"""A phone that is turned while somebody decides: what they decide on stays in sight, and the cards have their room."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import PHONE, People
from .test_blackjack_playing import at_blackjack, dealt

pytestmark = pytest.mark.any_database


@pytest.mark.in_full
def test_the_box_that_is_decided_stays_in_sight_when_a_phone_is_turned_and_turned_back(
    people: People, house: House
) -> None:
    table = at_blackjack(house)
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    ana.sits(5)
    ana.stakes(100, "main-5")
    dealt(house, table, "9h 7d 8s", ana)
    expect(ana.choice("stand")).to_be_visible()
    box = ana.page.locator("li[data-box='5']")
    expect(box).to_be_in_viewport(ratio=0.9)
    for width, height in ((844, 390), (390, 844)):
        ana.page.set_viewport_size({"width": width, "height": height})
        expect(box).to_be_in_viewport(ratio=0.9 if height > width else 0.01)


@pytest.mark.in_full
def test_half_of_a_phone_on_its_side_is_left_to_the_felt_while_somebody_decides(people: People, house: House) -> None:
    table = house.table(game="stud_poker")
    ana = people.at(table, "Ana", screen={**PHONE, "viewport": {"width": 844, "height": 390}}, language="pt-PT")
    ana.betting()
    ana.sits(2)
    ana.stakes(1_000, "ante-2")
    ana.is_ready()
    expect(ana.choice("raise")).to_be_visible()
    dock = ana.page.locator(".dock").bounding_box()
    assert dock is not None and dock["height"] <= 390 / 2, dock
    expect(ana.page.get_by_text("As minhas apostas", exact=True)).to_be_visible()


LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}

IN_SIGHT = """
() => {
  const [top, bottom] = [".rail", ".dock"].map((one) => document.querySelector(one).getBoundingClientRect());
  const spots = [...document.querySelectorAll(".spot[data-spot]")].map((one) => one.getBoundingClientRect());
  const seen = spots.filter((one) => one.top >= top.bottom - 1 && one.bottom <= bottom.top + 1);
  return seen.length / spots.length;
}
"""
"""The share of all spots that lie between rail and dock."""


@pytest.mark.parametrize("game", ["baccarat", "roulette", "cussec"])
def test_a_phone_on_its_side_shows_four_fifths_of_all_spots(people: People, house: House, game: str) -> None:
    ana = people.at(house.table(game=game), "Ana", screen=LYING, language="pt-PT")
    ana.betting()
    assert ana.page.evaluate(IN_SIGHT) >= 0.8
    ana.does_not_scroll_sideways()


@pytest.mark.in_full
def test_nothing_is_squashed_on_the_narrowest_phone_and_at_twice_the_size(people: People, house: House) -> None:
    ana = people.at(house.table(game="stud_poker"), "Ana", language="pt-PT")
    for width, height in ((320, 640), (768, 1024), (720, 450)):
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.does_not_scroll_sideways()
        for chip in ana.page.locator(".chip").all():
            box = chip.bounding_box()
            assert box is not None and abs(box["width"] - box["height"]) <= 1, (width, box)
