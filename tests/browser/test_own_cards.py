"""A hand that its bettor alone sees, squeezed: face down until it is turned, and nobody hears of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House, Table
from .kit import DESK, PHONE, People, Screen
from .test_stud_poker_playing import FLUSH, PAIR, antes, dealt

FACES = "#my-cards .card[data-card]:not([data-card=''])"
PEELERS = "#my-cards [data-peel=own]"


def squeezes(screen: Screen) -> None:
    """Switch it on in the menu."""
    screen.page.locator(".menu summary").filter(visible=True).first.click()
    screen.page.get_by_role("button", name="Squeeze my cards").click()
    screen.page.keyboard.press("Escape")


def has_a_hand(screen: Screen, house: House) -> Table:
    table = house.table(game="stud_poker")
    screen.sits_down_at(table)
    screen.betting()
    screen.sits(1)
    antes(screen, 1, 100)
    squeezes(screen)
    dealt(house, table, f"{FLUSH} {PAIR}", screen)
    expect(screen.page.locator(PEELERS)).to_have_count(5)
    return table


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
def test_a_hand_is_peeled_and_turned_card_by_card(people: People, house: House, size: dict[str, Any]) -> None:
    ana = people.comes("Ana", screen=size)
    sent: list[str] = []
    ana.page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(str(text))))
    has_a_hand(ana, house)
    page = ana.page
    expect(page.locator(FACES)).to_have_count(0)
    expect(page.locator("#my-cards h3")).not_to_contain_text("flush")
    expect(page.locator("[data-reads-own]")).not_to_contain_text("hearts")
    expect(page.locator(PEELERS).first).to_be_visible()

    first = page.locator(f"{PEELERS}[data-card='0']")
    box = first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - box["height"] * 0.55, steps=6)
    expect(first.locator(".peel")).to_have_attribute("data-edge", "short")
    expect(first.locator(".peel")).to_have_attribute("data-step", "5")
    expect(first.locator(".bend use")).to_be_attached()
    page.mouse.move(x, y - box["height"] * 1.5, steps=6)
    page.mouse.up()
    expect(page.locator(FACES)).to_have_count(1)
    expect(page.locator("[data-reads-own]")).to_contain_text("hearts")
    for left in (3, 2, 1, 0):  # the others by key; the hand is named once all of it is seen
        page.locator(PEELERS).first.focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(f"{PEELERS} .peel[data-edge=long]").first).to_be_attached()
        page.keyboard.press("Enter")
        expect(page.locator(PEELERS)).to_have_count(left)
    expect(page.locator("#my-cards h3")).to_have_text("flush")
    assert not [text for text in sent if json.loads(text)["do"] in ("peel", "turn")]
    ana.chooses("raise")
    expect(page.locator("#rail[data-phase=result], #rail[data-phase=settled]")).to_be_visible()


def test_a_choice_may_be_made_unseen_and_then_the_hand_lies_open(people: People, house: House) -> None:
    ana = people.comes("Ana")
    has_a_hand(ana, house)
    ana.chooses("raise")
    expect(ana.page.locator(PEELERS)).to_have_count(0)
    expect(ana.page.locator("#rail[data-phase=result], #rail[data-phase=settled]")).to_be_visible()
    ana.agrees_with_the_ledger()
