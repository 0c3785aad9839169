"""What a visitor of a kiosk may choose for themselves, and what closes by itself while a round runs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.extent import first

from .house import House
from .kiosks import Device
from .kit import KIOSK, People
from .test_access import is_accessible
from .test_kiosk_play import GAMES, Visit, visiting

pytestmark = pytest.mark.any_database

REACH = 1_000
"""Pixels above the lower edge of the screen that somebody in a wheelchair can reach."""

ABOVE = """(reach) =>
  [...document.querySelectorAll(".ways :is(a, button), .games .game, .felt :is(.table-cards, .dealing, .outcome)")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height)
    .filter((one) => one.getBoundingClientRect().top < innerHeight - reach - 1)
    .map((one) => one.className + one.textContent.trim().slice(0, 20))"""
"""Ways, games, cards and result that are out of reach."""

UNREACHED = """(reach) => {
  window.reached ??= new Set();
  const far = [];
  for (const one of document.querySelectorAll(":is(.floor, .lower) :is(button, a[href], .spot, .seat, .chip)")) {
    const { top, bottom, height } = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true }) || !height) continue;
    if (bottom <= innerHeight + 1 && (top + bottom) / 2 >= innerHeight - reach) reached.add(one);
    if (!reached.has(one)) far.push(`${one.className} ${one.textContent.trim().slice(0, 20)}`);
  }
  return far;
}"""
"""What can be touched and was out of reach each time that this was asked."""

UP_AGAIN = """async (reach) => {
  const above = %s;
  for (const end = Date.now() + 5000; Date.now() < end && !above(reach).length;) {
    await new Promise((next) => requestAnimationFrame(next));
  }
  return above(reach);
}"""
"""The same once the page has moved back."""


def chosen(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "['lower', 'large', 'contrast'].filter((name) => name in document.documentElement.dataset)"
    )
    return found


def chooses(visit: Visit, name: str) -> None:
    visit.opens("display")
    switch = visit.device.page.locator(f"#display [data-toggle={name}]")
    visit.hand.taps(switch)
    expect(switch).to_have_attribute("aria-pressed", "true")
    visit.hand.taps(visit.device.page.locator("#display [data-paper-close]"))
    expect(visit.device.page.locator("#display")).to_be_hidden()


@pytest.mark.parametrize("game", first("roulette", *(game for game in GAMES if game != "roulette")))
def test_the_upper_half_is_brought_down(people: People, house: House, game: str) -> None:
    visit = visiting(people, house, KIOSK, game, language="pt")
    page = visit.device.page
    lower = page.locator("[data-toggle=lower]")
    assert page.evaluate(ABOVE, REACH) != []
    assert page.evaluate(UNREACHED, REACH) != []
    visit.hand.taps(lower)
    expect(page.locator("html")).to_have_attribute("data-lower", "")
    assert page.evaluate(ABOVE, REACH) == []
    assert page.evaluate(UNREACHED, REACH) == []  # each spot and deed is in one half or the other
    visit.opens("house-rules")
    box = page.locator("#house-rules").bounding_box()
    assert box is not None and box["y"] >= KIOSK["viewport"]["height"] - REACH
    is_accessible(visit.device, "brought down")
    visit.hand.taps(page.locator(".ways a").first)  # it stays so on the next page
    expect(page.locator(".games .game")).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("data-lower", "")
    assert page.evaluate(ABOVE, REACH) == []
    visit.hand.taps(lower)
    expect(page.locator("html[data-lower]")).to_have_count(0)
    assert page.evaluate(UP_AGAIN % ABOVE, REACH) != []


def test_what_was_chosen_goes_with_whoever_chose_it(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "baccarat")
    device, page = visit.device, visit.device.page
    for name in ("large", "contrast", "sound"):
        chooses(visit, name)
        is_accessible(device, name)
    visit.hand.taps(page.locator("[data-toggle=lower]"))
    assert chosen(page) == ["lower", "large", "contrast"]
    visit.hand.taps(page.locator("[data-paper-open=done]"))
    visit.hand.taps(page.locator("#done .button--main"))
    device.attracts()
    assert chosen(page) == []
    device.is_touched()
    device.is_at(visit.table)
    assert chosen(page) == []
    assert page.locator("[data-toggle=sound]").get_attribute("aria-pressed") == "false"


def test_what_covers_a_round_closes_by_itself(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "baccarat", ours=True)
    device, page = visit.device, visit.device.page
    device.betting()
    visit.opens("house-rules")
    device.lives(10)
    expect(page.locator("#house-rules")).to_be_visible()
    device.lives(25)
    expect(page.locator("#house-rules")).to_be_hidden()
    closes_after_a_round(device)


def closes_after_a_round(device: Device) -> None:
    """What is read of an article lies over the felt too."""
    page = device.page
    page.locator("#article-card").evaluate("(card) => card.showPopover()")
    device.lives(5)
    expect(page.locator("#article-card")).to_be_hidden()  # nobody has touched the screen since
