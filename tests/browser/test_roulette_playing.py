"""Roulette in real browsers: numbers, edges and corners under a thumb, neighbours, bets by keyboard and by name, the
wheel that comes to rest."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import first
from tests.kit import neighbours

from .house import House, Table
from .kit import DESK, KIOSK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible
from .test_playing import shows_what_the_books_say


def at_roulette(house: House, **options: Any) -> Table:
    """A table at which the bell rings a second after the throw, and results stay for so many milliseconds."""
    return house.table(game="roulette", **{"late_seconds": 1, **options})


def lays_only(screen: Screen, kind: str) -> None:
    """Choose what a touch among the numbers lays."""
    label = screen.page.locator(f'.reach__one:has([value="{kind}"])')
    label.evaluate("one => one.scrollIntoView({ block: 'center' })")
    label.click()


def touches(screen: Screen, at: str, *, x: float, y: float) -> None:
    """Tap the number of this spot at that part of its cell, from its upper left corner."""
    spot = screen.spot(at)
    spot.evaluate("one => one.scrollIntoView({ block: 'center' })")  # not under the dock
    box = spot.bounding_box()
    assert box is not None
    screen.page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])


def test_a_thumb_lays_a_number_an_edge_a_corner_and_neighbours_and_sees_the_result(
    people: People, house: House
) -> None:
    table = at_roulette(house)
    ana = people.at(table, "Ana", screen=PHONE)
    number = int(ana.betting())
    (falls,) = house.ask("will_throw", table=table.id)
    expect(ana.page.locator('.reach [value="straight"]')).to_be_checked()  # a finger begins with single numbers
    ana.chip(10).click()
    touches(ana, "straight_17", x=0.5, y=0.5)
    ana.has("straight_17", 10)
    for kind, x, y, spot in (("split", 1, 0.5, "split_17_18"), ("split", 0.5, 1, "split_17_20"),
                             ("corner", 1, 1, "corner_17"), ("line", 0, 1, "line_16")):  # fmt: skip
        lays_only(ana, kind)
        touches(ana, "straight_17" if kind != "line" else "straight_16", x=x, y=y)
        ana.has(spot, 10)
    lays_only(ana, "race")
    expect(ana.page.locator(".race__cost")).to_contain_text("two neighbours on each side, 50 credits")
    ana.page.locator(f'[data-neighbours="{falls}"]').tap()
    for one in neighbours(falls, 2):
        ana.has(f"straight_{one}", 20 if one == 17 else 10)
    expect(ana.page.locator("#about")).to_contain_text(f"Neighbours of {falls}")
    ana.is_ready()
    expect(ana.page.locator("#cards .number")).to_have_text(str(falls))
    played = shows_what_the_books_say(ana, house, number)
    assert played["staked"] == 100_00
    expect(ana.page.locator("#my-result")).to_contain_text(f"Straight {falls}")
    expect(ana.page.locator("#my-result")).to_contain_text("art. 7(1)" if falls else "art. 8")
    lays_only(ana, "straight")
    expect(ana.page.locator(f'.board [data-cell="{falls}"]')).to_have_class(re.compile("is-number"))
    expect(ana.page.locator(".pocket.is-won")).to_have_attribute("data-pocket", str(falls))
    expect(ana.page.locator(".roads .last .came").first).to_contain_text(str(falls))


def test_a_script_that_fails_takes_nothing_of_the_others_with_it(people: People, house: House) -> None:
    """Although they come as one file: that of the racetrack stands behind that of the chat, which fails here."""
    table = at_roulette(house)
    ana = people.comes("Ana")
    ana.page.add_init_script("window.ResizeObserver = class { constructor() { throw new Error('no chat'); } };")
    ana.sits_down_at(table)
    ana.betting()
    ana.chip(10).click()
    ana.page.locator('[data-neighbours="17"]').click()
    for one in neighbours(17, 2):
        ana.has(f"straight_{one}", 10)
    assert set(people.watch.complaints) == {"uncaught: no chat"}
    people.watch.complaints.clear()


@pytest.mark.in_full
def test_everything_can_be_hit_by_a_thumb_and_nothing_lies_over_its_own_kind(people: People, house: House) -> None:
    """Each kind alone: what is in the middle of a spot is that spot, and it is as wide as a thumb."""
    table = at_roulette(house, zero_combinations="allowed")
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    for kind in ("straight", "split", "corner", "street", "line"):
        lays_only(ana, kind)
        found = ana.page.evaluate(HITS, f".board .spot--{kind}")
        assert found == {"small": [], "under": []}, kind
    fits_a_thumb(ana.page.locator(":is(.dozens, .halves) .spot"))
    assert ana.page.evaluate(HITS, ".columns .spot") == {"small": [], "under": []}
    lays_only(ana, "race")
    fits_a_thumb(ana.page.locator(".race button"))
    fits_a_thumb(ana.page.locator(".reach__one, .finder summary"))


HITS = """what => {
  const small = [], under = [];
  for (const spot of document.querySelectorAll(what)) {
    spot.scrollIntoView({ block: "center" });
    const box = spot.getBoundingClientRect();
    if (box.width < 43.5 || box.height < 31) small.push([spot.dataset.key, box.width, box.height]);
    const there = document.elementFromPoint(Math.max(1, box.left + box.width / 2), box.top + box.height / 2);
    if (there?.closest(".spot") !== spot) under.push([spot.dataset.key, there?.outerHTML.slice(0, 60)]);
  }
  return { small, under };
}"""


@pytest.mark.parametrize("language", first("pt-PT", "zh-HK", "en-GB"))
def test_a_phone_shows_all_numbers_and_all_beside_them_above_the_tray(
    people: People, house: House, language: str
) -> None:
    """Upright, while people bet: with nothing laid, and once something is; and nothing of the house covers a spot."""
    ana = people.at(at_roulette(house), "Ana", screen=PHONE, language=language)
    ana.betting()
    assert ana.page.evaluate(COVERED) == []
    ana.chip(10).click()
    ana.spot("straight_17").click()
    ana.has("straight_17", 10)
    assert ana.page.evaluate(COVERED) == []


COVERED = """() => [...document.querySelectorAll(".tableau .spot")].filter(spot => {
  const box = spot.getBoundingClientRect();
  const free = document.querySelector(".dock").getBoundingClientRect().top;
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.bottom > free + 1 || !there?.closest(".tableau");
}).map(spot => spot.dataset.key)"""
"""The spots that cannot be seen whole, or are covered."""


@pytest.mark.in_full
def test_a_bet_is_found_and_laid_by_the_keyboard_alone(people: People, house: House) -> None:
    table = at_roulette(house)
    ana = people.at(table, "Ana")
    keys = ana.page.keyboard
    ana.betting()
    keys.press("f")
    find = ana.page.locator("[data-find]")
    expect(find).to_be_focused()
    keys.type("17 20")
    expect(ana.page.locator(".finder__found")).to_have_text("7 bets")  # split, two corners, line, column, dozen, black
    keys.press("Enter")
    expect(ana.page.locator('[data-for="split_17_20"]')).to_be_focused()
    keys.press("Enter")
    ana.has("split_17_20", 1)
    expect(ana.page.locator('[data-for="split_17_20"] [data-own]')).to_have_text("1")
    keys.press("Escape")
    expect(find).to_be_hidden()

    ana.spot("straight_0").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):  # the edge of 0 is not sold; 2, the edge to 5, the corner
        keys.press(key)
    expect(ana.spot("corner_2")).to_be_focused()
    expect(ana.page.locator("#about")).to_contain_text("Corner 2, 3, 5, 6 8 to 1")
    assert ana.page.locator(".board .is-covered").evaluate_all("all => all.map(one => one.dataset.cell)") == list(
        "2356"
    )
    keys.press("Enter")
    ana.has("corner_2", 1)
    keys.press("u")
    ana.has("corner_2", 0)
    assert ana.spot("corner_2").get_attribute("tabindex") == "0", "Tab comes back to it"


@pytest.mark.in_full
def test_the_wheel_turns_alike_on_every_screen_and_rests_on_the_number(people: People, house: House) -> None:
    table = at_roulette(house, late_seconds=60)
    ana = people.at(table, "Ana", reduced_motion="no-preference")
    bea = people.at(table, "Bea", reduced_motion="no-preference")
    still = people.at(table)
    number = ana.betting()
    (falls,) = house.ask("will_throw", table=table.id)
    ana.stakes(10, "red")
    house.ask("says_that_time_is_over", table=table.id)
    rolling = "[data-ball-rolls]:not([hidden])"
    for screen in (ana, bea):
        expect(screen.page.locator(rolling)).to_have_count(1)
    still.phase("spinning")
    expect(still.page.locator("[data-ball-rolls]:not([hidden]), [data-ball-rests]:not([hidden])")).to_have_count(0)
    ana.watches(rolling, "#cards .number, .spin__words, #result > *, #my-result > *, .is-number, .all__end, #roads li")
    house.ask("says_that_time_is_over", table=table.id)
    for screen in (ana, bea, still):
        expect(screen.page.locator(".pocket.is-won")).to_have_attribute("data-pocket", str(falls))
        expect(screen.page.locator(rolling)).to_have_count(0)
    ana.was_told_nothing_early()
    expect(ana.page.locator("#result")).to_contain_text(f"Number {falls}")
    expect(ana.page.locator(".board .is-number")).to_have_count(1)
    expect(still.page.locator("#announcer")).to_contain_text(f"{falls} ")
    rests = {screen.page.locator("[data-ball-rests]").get_attribute("transform") for screen in (ana, bea, still)}
    assert len(rests) == 1
    assert {screen.page.locator("[data-plate]").get_attribute("transform") for screen in (ana, bea, still)} == {
        "rotate(0)"
    }
    assert int(number) and ana.page.locator("#cards").get_attribute("data-number") == str(falls)


@pytest.mark.in_full
def test_bets_are_taken_until_the_bell_and_a_null_spin_is_said(people: People, house: House) -> None:
    table = at_roulette(house, late_seconds=60)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    ana.betting()
    ana.stakes(10, "red")
    house.ask("says_that_time_is_over", table=table.id)
    ana.phase("spinning")
    expect(bea.rail).to_contain_text("Bets until the bell")
    bea.chip(5).click()
    touches(bea, "straight_8", x=0.5, y=0.5)
    bea.has("straight_8", 5)
    ana.sees("straight_8", 5)
    house.ask("nulls", table=table.id, reason="object")
    expect(bea.page.locator("#cards")).to_contain_text("Null spin: something fell onto the plate")
    expect(bea.page.locator("#cards")).to_contain_text("The bets stand")
    bea.has("straight_8", 5)
    expect(ana.page.locator('#cards[data-rolls="1"][data-spin$=".2"]')).to_have_count(1)
    house.ask("says_that_time_is_over", table=table.id)
    ana.phase("result", "settled")
    expect(ana.page.locator("#result")).to_contain_text("Null spin")


@pytest.mark.in_full
def test_it_is_accessible_and_fits_every_screen(people: People, house: House) -> None:
    """While people bet, with the list open, and with a result; in the three languages."""
    table = at_roulette(house)
    screens = [
        people.at(table, "Ana", screen=size, language=language)
        for size, language in ((DESK, "en-GB"), (PHONE, "zh-HK"), (KIOSK, "pt-PT"))
    ]
    for screen in screens:
        screen.betting()
        screen.chip(10).click()
        screen.page.evaluate("""keys => window.floor.lay(keys)""", ["straight_17", "split_17_20", "red", "sector9_1"])
        screen.has("red", 10)
        is_accessible(screen, "betting", seen_before=screen is not screens[1])
    screens[1].page.locator(".finder summary").click()
    is_accessible(screens[1], "with the list of all bets")
    screens[1].page.keyboard.press("Escape")
    for screen in screens:
        screen.is_ready()
    for screen in screens:
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        is_accessible(screen, "with a result", seen_before=screen is not screens[1])
