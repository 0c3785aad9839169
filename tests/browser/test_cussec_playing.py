"""Cussec in real browsers: dice under a cover, every spot under a thumb, by keyboard and by name, and what is lit."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kit import view_for
from tests.regulation.cussec_kit import play

from .house import House, Table
from .kit import DESK, KIOSK, PHONE, People
from .test_access import fits_a_thumb, is_accessible
from .test_blackjack_look import lie_apart
from .test_fonts import IN_VIEW
from .test_playing import shows_what_the_books_say


def at_dice(house: House, **options: Any) -> Table:
    """A table whose results stay for so many milliseconds."""
    return house.table(game="cussec", **options)


def laid(dice: tuple[int, ...]) -> tuple[str, ...]:
    """Spots that win and lose when these dice are uncovered."""
    low, *_, high = sorted(dice)
    return "big", "small", f"total_{max(4, min(17, sum(dice)))}", f"single_{low}", f"double_{high}", f"pair_{PAIR}"


PAIR = "1_6"


def test_dice_lie_covered_while_people_bet_and_what_they_show_is_lit(people: People, house: House) -> None:
    """Ana plays on a phone, Bea at a desk in Portuguese; what the dice will be, the books alone know."""
    table = at_dice(house)
    ana, bea = people.at(table, "Ana", screen=PHONE), people.at(table, "Bea", language="pt-PT")
    number = ana.betting()
    dice = tuple(house.ask("will_throw", table=table.id))
    spots = laid(dice)
    ana.stakes(10, *spots)
    bea.stakes(100, "small")
    for spot in spots:
        ana.has(spot, 10)
    ana.sees("small", 110)
    expect(bea.everybodys("small")).to_contain_text("110")
    expect(ana.page.locator("#cards .shake__dice")).to_have_count(0)
    sealed = ana.page.locator("#cards .seal").text_content() or ""
    for screen in (ana, bea):
        screen.is_ready()
    for screen in (ana, bea):
        drawn = screen.page.locator("#cards .shake__dice use")
        expect(drawn).to_have_count(3)
        shown = [int(one.get_attribute("href")[-1]) for one in drawn.all()]  # type: ignore[index]
        assert tuple(shown) == dice
        expect(screen.page.locator("#cards .shake__total b")).to_have_text(str(sum(dice)))
    played = shows_what_the_books_say(ana, house, int(number))
    ended = play(" ".join(map(str, dice)), *(f"p1 {spot} 10" for spot in spots))
    assert played == {"staked": 60_00, "returned": sum(payout.returned for payout in ended.payouts())}
    lit = {spot.key for spot in view_for(ended, None).spots if spot.end == "won"}
    found = bea.page.locator(".spot:has(.all.is-won)").evaluate_all("all => all.map(one => one.dataset.key)")
    assert set(found) == lit
    opened = ana.page.locator("#cards .seal")
    expect(opened).to_contain_text("Opened")
    assert (opened.text_content() or "").split()[-1] == sealed.split()[-1], "the seal that was there before the bets"
    expect(ana.page.locator(".roads .thrown__one").first).to_contain_text(str(sum(dice)))


HITS = """() => {
  const small = [], under = [];
  for (const spot of document.querySelectorAll(".tableau .spot")) {
    spot.scrollIntoView({ block: "center" });
    const box = spot.getBoundingClientRect();
    if (Math.min(box.width, box.height) < 43.5) small.push([spot.dataset.key, box.width, box.height]);
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (there?.closest(".spot") !== spot) under.push([spot.dataset.key, there?.outerHTML.slice(0, 60)]);
  }
  return { small, under };
}"""

RECTS = """() => [...document.querySelectorAll(".tableau .spot")].map(one => {
  const r = one.getBoundingClientRect(), y = Math.round(scrollY);
  return [r.left, r.top + y, r.right, r.bottom + y].map(Math.round);
})"""
"""Where each spot lies on the page, wherever it is scrolled to."""


def test_on_an_upright_phone_every_spot_lies_above_the_tray(people: People, house: House) -> None:
    table = at_dice(house)
    for language in ("pt-PT", "zh-HK", "en-GB"):
        ana = people.at(table, "Ana", screen=PHONE, language=language)
        ana.betting()
        assert ana.page.evaluate(IN_VIEW) == [56, 56], language
        ana.stakes(10, "four_3456" if language == "pt-PT" else "four_1234")
        assert ana.page.evaluate(IN_VIEW) == [56, 56], f"{language}, staked"


@pytest.mark.in_full
def test_every_spot_fits_a_thumb_lies_apart_and_stays_where_it_is_when_chips_come(people: People, house: House) -> None:
    table = at_dice(house)
    screens = [
        people.at(table, "Ana", screen=size, language=language)
        for size, language in ((PHONE, "zh-HK"), (DESK, "en-GB"), (KIOSK, "pt-PT"))
    ]
    for screen in screens:
        screen.betting()
        assert screen.page.evaluate(HITS) == {"small": [], "under": []}
        before = screen.page.evaluate(RECTS)
        lie_apart(before, "the layout")
        assert len(before) == 56
        keys = screen.page.locator(".tableau .spot").evaluate_all("all => all.map(one => one.dataset.key)")
        screen.chip(100).click()
        screen.page.evaluate("keys => window.floor.lay(keys)", keys)
        screen.has(keys[-1], 100)
        assert screen.page.evaluate(RECTS) == before, "it has moved when the chips came"
        assert screen.page.evaluate(HIDDEN) == [], "an amount is cut off"
        screen.page.evaluate("scrollTo(0, 0)")  # the rail lies over what is scrolled under it
        is_accessible(screen, "betting", seen_before=screen is not screens[0])
    phone = screens[0]
    fits_a_thumb(phone.page.locator(".finder summary, .chat__toggle"))
    fits_a_thumb(screens[1].page.locator(".finder summary, .seal a"))
    phone.page.locator(".finder summary").click()
    is_accessible(phone, "with the list of all bets")
    phone.page.keyboard.press("Escape")
    for screen in screens:
        screen.is_ready()
    for screen in screens:
        screen.phase("settled")
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        expect(screen.page.locator(".tableau .spot > .won").first).to_be_visible()
        assert screen.page.evaluate(CLIPPED) == [], "what is won is cut off"
        is_accessible(screen, "the result", seen_before=screen is not screens[0])


CLIPPED = """() => [...document.querySelectorAll(".tableau .spot")]
  .filter(spot => spot.scrollWidth > spot.clientWidth + 2).map(spot => [spot.dataset.key, spot.scrollWidth])"""

HIDDEN = """() => [...document.querySelectorAll(".tableau .own__total")].filter(one => {
  const own = one.getBoundingClientRect(), spot = one.closest(".spot").getBoundingClientRect();
  return own.left < spot.left || own.right > spot.right || own.bottom > spot.bottom;
}).map(one => one.textContent)"""


@pytest.mark.in_full
def test_a_bet_is_found_and_laid_by_the_keyboard_alone(people: People, house: House) -> None:
    ana = people.at(at_dice(house), "Ana")
    keys = ana.page.keyboard
    ana.betting()
    keys.press("f")
    expect(ana.page.locator("[data-find]")).to_be_focused()
    keys.type("3 5")
    expect(ana.page.locator(".finder__found")).to_have_text("4 bets")  # the pair, and three sets of four numbers
    keys.press("Enter")
    expect(ana.page.locator('[data-for="pair_3_5"]')).to_be_focused()
    keys.press("Enter")
    ana.has("pair_3_5", 1)
    keys.press("Escape")
    for key, spot in {"b": "big", "o": "odd", "4": "single_4", "a": "any_triple"}.items():
        keys.press(key)
        ana.has(spot, 1)
    ana.spot("total_9").focus()
    keys.press("ArrowRight")
    expect(ana.spot("total_10")).to_be_focused()
    expect(ana.page.locator("#about")).to_contain_text("Total 10 6 to 1 Stake 1–1,000,000")
    keys.press("ArrowDown")
    expect(ana.page.locator(".field--pair .spot:focus")).to_have_count(1)
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(ana.page.locator(".field--total .own.is-staked")).to_have_count(1)
    assert ana.page.locator('.field--total .spot[tabindex="0"]').count() == 1, "Tab comes to each field once"


@pytest.mark.in_full
def test_cocked_dice_are_shaken_again_after_the_bell_and_the_shaker_jumps(people: People, house: House) -> None:
    table = house.table(
        game="cussec", times={"beat": 2_000}, shake_timing="after_betting", cocked_dice="reshake_bets_stand"
    )
    ana = people.at(table, "Ana", reduced_motion="no-preference")
    ana.betting()
    expect(ana.page.locator("#cards")).to_contain_text("The dice are shaken after the bell")
    expect(ana.page.locator("#cards .seal")).to_have_count(0)
    ana.page.evaluate("""() => document.addEventListener("animationstart", event => {
      if (event.animationName === "jump") document.body.dataset.jumped = "1";
    })""")
    ana.stakes(10, "big")
    ana.is_ready()
    expect(ana.page.locator("body")).to_have_attribute("data-jumped", "1")
    ana.phase("no_more_bets")
    ana.watches(
        ".shake.is-revealing .die", ".shake__total, .rail__round .tag, .result__headline, #my-result > *, .all__end"
    )
    house.ask("nulls", table=table.id, reason="cocked")
    expect(ana.page.locator("#cards")).to_contain_text("The bets stand, and the dice are shaken again")
    expect(ana.rail).to_contain_text("Shaken again")
    ana.phase("settled")
    ana.has("big", 10)
    expect(ana.page.locator("#result")).to_contain_text("A die is cocked")
    ana.was_told_nothing_early()
    expect(ana.page.locator("#cards .shake__dice")).to_be_visible()
    expect(ana.page.locator(".shaker__cover")).to_have_css("opacity", "0")


@pytest.mark.in_full
def test_a_round_of_cocked_dice_is_void_and_says_so(people: People, house: House) -> None:
    table = house.table(game="cussec", times={"beat": 8_000})
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    ana.stakes(10, "big")
    ana.is_ready()
    ana.phase("no_more_bets")
    house.ask("nulls", table=table.id, reason="cocked")
    expect(ana.page.locator("#cards")).to_contain_text("A die is cocked: the throw does not count")
    house.ask("says_that_time_is_over", table=table.id)
    expect(ana.page.locator("#result")).to_contain_text("The round is void")
    expect(ana.page.locator("#my-result")).to_contain_text(re.compile("10.00 is returned.*C-A10"))
    expect(ana.page.locator("#cards .shake__dice")).to_have_count(0)
    ana.agrees_with_the_ledger()
