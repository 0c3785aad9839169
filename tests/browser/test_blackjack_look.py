"""Blackjack to the eye: four hands and three bettors on a phone, nothing over anything, axe content at every moment."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import DESK, KIOSK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible
from .test_blackjack_playing import at_blackjack, dealt

pytestmark = pytest.mark.any_database

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in CSS pixels of the screen."""

SEEN = """() => {
  const rect = one => { const r = one.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const all = (root, what) => [...root.querySelectorAll(what)];
  const at = what => rect(document.querySelector(what));
  return {
    screen: [0, 0, innerWidth, innerHeight],
    bank: at(".bank__cards"), hands: at("#box-4 .hands"), dock: at(".dock"),
    each: all(document, "#box-4 .hand").map(hand => ({
      rect: rect(hand), points: rect(hand.querySelector(".points")),
      cards: all(hand, ".card").map(rect), stakes: all(hand, ".stake").map(rect),
      cut: all(hand, ".name").filter(name => name.scrollWidth > name.clientWidth).length,
      letters: Math.min(...all(hand, ".stake").map(one => parseFloat(getComputedStyle(one).fontSize))),
    })),
  };
}"""
"""Where everything lies on one screen, in one go."""


def shared(one: Rect, other: Rect) -> float:
    """The part of `one` that `other` lies over, from 0 to 1."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high) / ((one[2] - one[0]) * (one[3] - one[1]))


def lie_apart(rects: list[Rect], what: str) -> None:
    """Expect that none of them lies over another; a pixel is what rounding takes."""
    for at, one in enumerate(rects):
        for other in rects[at + 1 :]:
            assert shared(one, other) < 0.02, f"{what}: {one} and {other}"


def four_hands(people: People, house: House, sizes: list[dict[str, Any]]) -> tuple[Table, list[Screen]]:
    """Three bettors on box 4, the first decides; it has been split into four hands, of which the second was doubled."""
    table = at_blackjack(house)
    ana, bea, rui = (
        people.at(table, name, screen=size) for name, size in zip(("Ana", "Bea", "Rui"), sizes, strict=True)
    )
    ana.betting()
    ana.sits(4)
    bea.stakes(100, "main-4")
    rui.stakes(50, "main-4")
    ana.stakes(1000, "main-4")
    ana.stakes(100, "main-4")
    bea.stakes(5, "any_pair-4")
    dealt(house, table, "8s 6d 8h 8d 8c Tc 3d 9h 5c 2s 3s Qd Ts Kh", ana, bea, rui)
    for hands in (2, 3, 4):
        ana.chooses("split")
        for screen in (bea, rui):
            screen.chooses("match")
        expect(ana.page.locator("#box-4 .hand")).to_have_count(hands)
        expect(ana.hand(4).locator(".points")).to_be_visible()
    ana.chooses("stand")
    expect(ana.hand(4, 1).locator(".points")).to_have_text("11")
    ana.chooses("double")
    bea.chooses("match")
    rui.chooses("pass")
    expect(ana.hand(4, 2).locator(".points")).to_have_text("13")
    ana.chooses("hit")
    expect(ana.hand(4, 2).locator(".points")).to_have_text("15")
    ana.chooses("hit")
    expect(ana.hand(4, 2).locator(".points")).to_have_text("18")
    ana.chooses("stand")
    expect(ana.hand(4, 3).locator(".points")).to_have_text("18")
    return table, [ana, bea, rui]


def shows_four_hands_readably(screen: Screen) -> None:
    expect(screen.page.locator("#box-4 .hand").last).to_be_in_viewport(ratio=1)
    screen.does_not_scroll_sideways()
    seen = screen.page.evaluate(SEEN)
    assert [len(hand["stakes"]) for hand in seen["each"]] == [3, 3, 3, 3]
    lie_apart([seen["bank"], seen["hands"], seen["dock"]], "bank, hands, tray")
    lie_apart([hand["rect"] for hand in seen["each"]], "hands")
    for number, hand in enumerate(seen["each"]):
        assert shared(hand["rect"], seen["screen"]) > 0.99, f"hand {number} is not on the screen"
        lie_apart(hand["stakes"], f"stakes of hand {number}")
        for card in hand["cards"]:
            assert shared(hand["points"], card) < 0.3, f"a card hides the points of hand {number}"
        for stake in hand["stakes"]:
            assert shared(stake, hand["rect"]) > 0.98, f"a stake sticks out of hand {number}"
        assert hand["cut"] == 0, "a short name is cut off"
        assert hand["letters"] >= 11


@pytest.mark.in_full
def test_four_hands_and_three_bettors_can_be_read_on_every_screen(people: People, house: House) -> None:
    _, screens = four_hands(people, house, [PHONE, DESK, KIOSK])
    for screen in screens:
        shows_four_hands_readably(screen)
    ana = screens[0]
    for kind in ("hit", "stand", "double"):
        expect(ana.choice(kind)).to_be_in_viewport(ratio=1)
    fits_a_thumb(ana.page.locator("#decision .choice"))
    ana.chooses("stand")
    for screen in screens:
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        expect(screen.page.locator("#box-4 .stake[data-end='']")).to_have_count(0)
        screen.does_not_scroll_sideways()
        lie_apart([hand["rect"] for hand in screen.page.evaluate(SEEN)["each"]], "hands, at the end")
    is_accessible(ana, "the result of four hands on a phone")


@pytest.mark.in_full
def test_every_moment_of_a_round_is_accessible(people: People, house: House) -> None:
    """With a desk whoever decides, with a phone whoever stands behind them."""
    table = at_blackjack(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    both = (ana, bea)
    ana.betting()
    ana.sits(2)
    ana.stakes(50, "main-2", "main-3")
    bea.stakes(10, "main-2")
    bea.stakes(5, "over_13-3")
    for screen in both:
        is_accessible(screen, "betting", seen_before=screen is ana)
    fits_a_thumb(bea.page.locator(".box[data-box='2'] :is(.spot, .seat), .chip, .deed, .sheet__open"))
    dealt(house, table, "8s Tc Ah 8h Kc 3d 5c Ts 9h Qs", ana, bea)
    for screen in both:
        expect(screen.choice("insurance").first).to_be_in_viewport(ratio=1)
        fits_a_thumb(screen.page.locator("#decision .choice"))
    is_accessible(bea, "the early window")
    bea.chooses("insurance")  # nobody else is asked now: Ana may play at once
    expect(ana.choice("split")).to_be_in_viewport(ratio=1)
    is_accessible(ana, "his turn")
    ana.chooses("split")
    expect(bea.choice("match")).to_be_in_viewport(ratio=1)
    is_accessible(bea, "asked to match")
    bea.chooses("pass")
    for hand in (0, 1):
        expect(ana.hand(2, hand).locator(".points")).to_be_visible()
        ana.chooses("stand")
    expect(ana.hand(3)).to_be_visible()
    expect(ana.page.locator("#box-3 .is-acts")).to_be_visible()
    ana.chooses("stand")
    expect(ana.page.locator("#my-result[data-net]")).to_be_visible()
    is_accessible(ana, "the result")
