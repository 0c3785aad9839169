"""The squeeze: whoever holds the cards peels them, by mouse, finger or keys, and everybody sees the same bend."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.extent import first

from .house import House, Table
from .kit import KIOSK, KIOSK_LYING, PHONE, People, Screen
from .test_kiosk_play import visiting

SQUEEZED: dict[str, Any] = {
    "dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1, "squeeze": True,
    "squeeze_seconds": 30,
}  # fmt: skip


CARDS = "9h 3c 4d 5h 2s Kd"


def squeezed(house: House) -> Table:
    return house.table(**SQUEEZED)


def holds(screen: Screen, house: House, table: Table) -> None:
    """Somebody sits down, stakes on the Player, and holds its cards: the nine of hearts and the four of diamonds."""
    screen.betting()
    house.stack(table, CARDS)
    screen.sits(1)
    screen.stakes(100, "player")
    screen.is_ready()
    screen.phase("open_player")
    expect(screen.page.locator("[data-peel]")).to_have_count(2)


def peeler(screen: Screen, card: int) -> Locator:
    return screen.page.locator(f'[data-peel][data-card="{card}"]')


def bend(screen: Screen, card: int, hand: str = "player") -> Locator:
    """A card as it lies bent on the felt, for everybody."""
    return screen.page.locator(f'#cards .peel:has([data-key="hand-{hand}-{card}"])')


def lies(screen: Screen, card: int, edge: str, step: int, pips: int) -> None:
    """Expect a card on the felt to be bent so far, and to show so many pips."""
    expect(bend(screen, card)).to_have_attribute("data-edge", edge)
    expect(bend(screen, card)).to_have_attribute("data-step", str(step))
    expect(bend(screen, card).locator(".bend use")).to_have_count(pips)


def pulls(screen: Screen, card: int, across: float, along: float) -> None:
    """The mouse takes a card and pulls it, so many times its width to the left and its height upwards."""
    box = peeler(screen, card).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.8
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    screen.page.mouse.move(x - across * box["width"], y - along * box["height"], steps=8)


def drags(screen: Screen, card: Locator, along: float) -> None:
    """A finger takes a card and pulls it upwards, so many times its height."""
    fingers = screen.page.context.new_cdp_session(screen.page)
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
    for at in range(9):
        kind, point = "touchMove" if at else "touchStart", {"x": x, "y": y - box["height"] * along * at / 8}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_everybody_sees_the_same_bend_and_the_card_when_it_is_turned(people: People, house: House) -> None:
    table = squeezed(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE, language="zh-HK")
    holds(ana, house, table)
    expect(ana.page.locator(".peel")).to_have_count(0)
    pulls(ana, 0, 0, 0.47)
    lies(ana, 0, "short", 4, 2)
    lies(bea, 0, "short", 4, 2)
    expect(bend(bea, 0).locator('.bend use[href$="#pip-h"]')).to_have_count(2)
    expect(peeler(ana, 0).locator(".bend use")).to_have_count(2)
    ana.page.mouse.up()
    pulls(ana, 1, 0.72, 0)
    lies(bea, 1, "long", 7, 2)
    ana.page.mouse.up()
    lies(bea, 0, "short", 4, 2)
    pulls(ana, 0, 0, 1.6)
    expect(bea.page.locator('#cards [data-key="hand-player-0"]')).to_have_attribute("data-card", "9h")
    expect(peeler(ana, 0)).to_have_count(0)
    lies(bea, 1, "long", 7, 2)
    ana.page.mouse.up()
    ana.phase("open_player")
    pulls(ana, 1, 1.6, 0)
    expect(bea.page.locator('#cards [data-key="hand-player-1"]')).to_have_attribute("data-card", "4d")
    ana.page.mouse.up()
    expect(ana.page.locator(".peel")).to_have_count(0)


def test_a_card_is_peeled_and_turned_with_keys_and_keeps_the_focus(people: People, house: House) -> None:
    table = squeezed(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", language="pt-PT")
    holds(ana, house, table)
    peeler(ana, 0).focus()
    for step in range(1, 5):
        ana.page.keyboard.press("ArrowUp")
        expect(peeler(ana, 0).locator(".peel")).to_have_attribute("data-step", str(step))
    lies(bea, 0, "short", 4, 2)
    expect(peeler(ana, 0)).to_be_focused()
    expect(peeler(ana, 0)).to_have_accessible_name(re.compile("peeled from its short side: 2 pips of hearts"))
    expect(bend(bea, 0).locator(".card")).to_have_attribute("aria-label", re.compile("2 pintas de copas"))
    for key, edge in (("ArrowLeft", "long"), ("ArrowRight", "corner")):
        ana.page.keyboard.press(key)
        lies(bea, 0, edge, 1, 0)
        expect(peeler(ana, 0)).to_be_focused()
    ana.page.keyboard.press("Enter")
    expect(bea.page.locator('#cards [data-key="hand-player-0"]')).to_have_attribute("data-card", "9h")
    expect(peeler(ana, 1)).to_be_focused()
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator('#cards [data-key="hand-player-1"]')).to_have_attribute("data-card", "4d")


def test_a_finger_peels_and_the_page_does_not_move(people: People, house: House) -> None:
    table = squeezed(house)
    ana, bea = people.at(table, "Ana", screen=PHONE), people.at(table, "Bea")
    holds(ana, house, table)
    scrolled = ana.page.evaluate("scrollY")
    drags(ana, peeler(ana, 0), 0.65)
    lies(bea, 0, "short", 6, 2)
    lies(ana, 0, "short", 6, 2)
    assert ana.page.evaluate("scrollY") == scrolled
    ana.does_not_scroll_sideways()


@pytest.mark.in_full
def test_nothing_is_known_on_the_page_of_the_holder_before_the_card_is_turned(people: People, house: House) -> None:
    table = squeezed(house)
    ana = people.at(table, "Ana")
    holds(ana, house, table)
    assert not ana.page.locator("#my-cards [data-card]:not(button):not([data-card=''])").count()
    ana.page.get_by_role("button", name="Reveal the Player's cards").click()
    expect(ana.page.locator("#cards [data-key='hand-player-0']")).to_have_attribute("data-card", "9h")


MOVES = """() => {
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...about) {
    if (this.matches(".peel")) window.moved += 1;
    return animate.apply(this, about);
  };
}"""
"""From now on counts the bends that move."""


@pytest.mark.parametrize(("wish", "moved"), [("reduce", 0), ("no-preference", 2)])
@pytest.mark.in_full
def test_a_bend_moves_unless_one_wishes_that_nothing_does(people: People, house: House, wish: str, moved: int) -> None:
    table = squeezed(house)
    ana = people.at(table, "Ana", reduced_motion=wish)
    holds(ana, house, table)
    ana.page.evaluate(MOVES)
    peeler(ana, 0).focus()
    ana.page.keyboard.press("ArrowUp")
    lies(ana, 0, "short", 1, 0)
    assert ana.page.evaluate("moved") == moved  # on the felt, and in the hand


@pytest.mark.parametrize("held", first("upright", "lying"))
def test_a_visitor_of_a_kiosk_peels_by_touch(people: People, house: House, held: str) -> None:
    visit = visiting(people, house, KIOSK if held == "upright" else KIOSK_LYING, "baccarat", **SQUEEZED)
    screen = visit.device
    screen.betting()
    visit.sits(4)
    visit.lays(10, "player")
    house.stack(visit.table, CARDS)
    visit.is_ready()
    screen.phase("open_player")
    drags(screen, peeler(screen, 0), 0.65)
    lies(screen, 0, "short", 6, 2)
    if folder := os.environ.get("SHOTS"):
        screen.page.screenshot(path=f"{folder}/kiosk-{held}.png")
    visit.is_sound("peeled")
    drags(screen, peeler(screen, 0), 1.6)
    expect(screen.page.locator('#cards [data-key="hand-player-0"]')).to_have_attribute("data-card", "9h")
    drags(screen, peeler(screen, 1), 1.6)
    visit.result()
