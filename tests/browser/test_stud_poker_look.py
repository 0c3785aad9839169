"""Stud Poker to the eye: the three spaces of each box in their order, own cards on every screen, axe content."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House
from .kiosks import place_of, visited
from .kit import DESK, KIOSK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible
from .test_blackjack_look import lie_apart, shared
from .test_stud_poker_playing import ACE_KING, FLUSH, PAIR, antes, at_stud, dealt

pytestmark = pytest.mark.any_database

SEEN = """() => {
  const rect = one => { const r = one.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const all = (root, what) => [...root.querySelectorAll(what)].filter(one => one.checkVisibility()).map(rect);
  return {
    screen: [0, 0, innerWidth, innerHeight],
    bank: all(document, ".bank__cards .card"), dock: all(document, ".dock"), own: all(document, "#my-cards .card"),
    posted: all(document, "#roads"), meter: all(document, "#jackpot-meter"),
    boxes: [...document.querySelectorAll(".box:has(.own.is-staked, .all__sum)")].map(box => ({
      rect: rect(box), hand: all(box, ".hand"),
      spaces: all(box, ".boxed, .spot--jackpot, .spot--ante, .raise, .seat"),
    })),
  };
}"""
"""Where everything lies on one screen, in one go."""


def lies_in_order(screen: Screen, what: str) -> dict[str, Any]:
    """Expect each box to have, from the dealer outward, hand, jackpot, ante, raise and seat, none over another."""
    screen.does_not_scroll_sideways()
    seen: dict[str, Any] = screen.page.evaluate(SEEN)
    assert len(seen["boxes"]) == 3, what
    for box in seen["boxes"]:
        assert len(box["spaces"]) == 5, what
        lie_apart(box["spaces"], f"{what}: the spaces of a box")
        tops = [space[1] for space in box["spaces"]]
        assert tops == sorted(tops), f"{what}: {tops}"
        for space in (*box["spaces"], *box["hand"]):
            assert shared(space, box["rect"]) > 0.98, f"{what}: something sticks out of its box"
    lie_apart([box["rect"] for box in seen["boxes"]], f"{what}: boxes")
    lie_apart([*seen["bank"], *seen["dock"]], f"{what}: the dealer's cards and the tray")
    assert len(seen["posted"]) == len(seen["meter"]) == 1, f"{what}: what is posted is not there (10(3))"
    return seen


def shows_own_cards(screen: Screen, what: str) -> None:
    """Expect the five cards side by side, whole, and large enough to be read at arm's length."""
    seen = lies_in_order(screen, what)
    assert len(seen["own"]) == 5, what
    lie_apart(seen["own"], f"{what}: own cards")
    for card in seen["own"]:
        assert shared(card, seen["screen"]) > 0.99, f"{what}: an own card is cut off"
        assert card[2] - card[0] >= 44, f"{what}: an own card is too small"


@pytest.mark.in_full
def test_every_moment_is_in_order_and_accessible_on_every_screen(people: People, house: House) -> None:
    table = at_stud(house)
    ana, bea, rui = (
        people.at(table, name, screen=size) for name, size in (("Ana", DESK), ("Bea", PHONE), ("Rui", KIOSK))
    )
    everybody = {"desk": ana, "phone": bea, "kiosk": rui}
    ana.betting()
    for screen, box in ((ana, 2), (bea, 1), (rui, 6)):
        screen.sits(box)
        antes(screen, box, 100, jackpot=True)
    rui.sees("ante-1", 100)
    for size, screen in everybody.items():
        lies_in_order(screen, f"betting, {size}")
    is_accessible(bea, "betting")
    fits_a_thumb(bea.page.locator(".box[data-box='1'] :is(.spot, .seat), .chip, .deed, .sheet__open"))

    dealt(house, table, f"{FLUSH} {PAIR} Ts 9c 7d 4s 2d {ACE_KING}", ana, bea, rui)
    for size, screen in everybody.items():
        for kind in ("raise", "fold"):
            expect(screen.choice(kind)).to_be_in_viewport(ratio=1)
        fits_a_thumb(screen.page.locator("#decision .choice"))
        shows_own_cards(screen, f"decision, {size}")
        is_accessible(screen, f"decision, {size}", seen_before=screen is not bea)
    bea.chooses("fold")
    for kind in ("raise", "keep", "sure"):
        expect(bea.choice(kind)).to_be_in_viewport(ratio=1)
    expect(bea.choice("sure")).to_be_enabled()
    fits_a_thumb(bea.page.locator("#decision .choice"))
    is_accessible(bea, "asked once more")
    bea.chooses("raise")
    ana.chooses("raise")
    expect(rui.page.locator(".boxed.is-decided")).to_have_count(2)
    is_accessible(rui, "the others have decided")
    rui.chooses("fold")
    for size, screen in everybody.items():
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        lies_in_order(screen, f"result, {size}")
    is_accessible(bea, "result, phone")
    is_accessible(ana, "result, desk", seen_before=True)


SUMS = ("500,000", "50,000", "12,500", "2,500", "1,250")
"""The fixed sums of 10(2), as they are posted by default."""


def posts_its_sums(screen: Screen, what: str) -> None:
    """Expect the five sums to be shown, with the share of the jackpot that two hands may win in their place (10(3))."""
    shown: list[str] = screen.page.locator("#roads td:last-child").evaluate_all(
        "cells => cells.filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.innerText)"
    )
    sums = [" ".join(text.split()) for text in shown if text.strip()]
    assert sums == [f"{SUMS[0]} or 100 %", f"{SUMS[1]} or 10 %", *SUMS[2:]], f"{what}: {sums}"
    seen = screen.page.evaluate(SEEN)
    assert len(seen["posted"]) == 1, what
    for other in screen.page.locator("#my-result, .result__headline, .seat, .dock").all():
        if other.is_visible() and (box := other.bounding_box()) is not None:
            rect = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
            assert shared(seen["posted"][0], rect) < 0.02, f"{what}: {other} lies over what is posted"


@pytest.mark.in_full
def test_the_sums_stay_posted_on_an_upright_kiosk_while_a_result_stands(people: People, house: House) -> None:
    table = house.table(game="stud_poker", realm=1)
    device = visited(people, house, house.kiosk(table), KIOSK, place_of(table), language="en", knows="stud_poker")
    device.betting()
    device.sits(3)
    device.lays(100, "ante-3")
    device.insists(device.spot("jackpot-3"), device.own("jackpot-3"), "data-total", "2500")
    posts_its_sums(device, "betting")
    house.stack(table, f"{FLUSH} {ACE_KING}")
    device.insists(device.deed("ready"), device.rail, "data-betting", "0")
    expect(device.choice("raise")).to_be_visible()
    posts_its_sums(device, "decision")
    device.chooses("raise")
    expect(device.page.locator("#my-result[data-net]")).to_be_visible()
    posts_its_sums(device, "result")
    is_accessible(device, "result with what is posted")


def test_a_phone_lying_on_its_side_posts_the_shares_too(people: People, house: House) -> None:
    table = at_stud(house)
    ana = people.at(table, "Ana", screen=PHONE | {"viewport": {"width": 844, "height": 390}})
    ana.betting()
    shown: list[str] = ana.page.locator("#roads td:last-child").evaluate_all("all => all.map(one => one.innerText)")
    assert [" ".join(text.split()) for text in shown[:2]] == ["500,000 or 100 %", "50,000 or 10 %"]
    ana.does_not_scroll_sideways()
