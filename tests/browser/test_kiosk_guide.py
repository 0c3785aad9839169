"""The guided first round at a kiosk: by itself or by touches, on both screens, and then the table."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Locator, expect

from tables.felt.formatting import text_of
from tables.felt.games import FELTS
from tables.felt.shared.lesson import GUIDE_S
from tests.extent import first, spread

from .house import House, Table
from .kiosks import Device, enrolled, place_of, visited
from .kit import KIOSK, People
from .test_access import is_accessible
from .test_kiosk_screen import KIOSKS, SCREENS

pytestmark = pytest.mark.any_database

EDGE = 4
"""Pixels that the ring may be off."""


def guided(
    people: People, house: House, size: dict[str, Any], game: str, *, ours: bool = False
) -> tuple[Device, Table]:
    """A visitor who is shown how this game goes, and its table; with `ours` no time passes by itself."""
    table = house.table(game=game, realm=KIOSKS)
    device = visited(people, house, house.kiosk(table), size, f"/kiosk/guide/{game}/", ours=ours)
    if ours:
        device.stands_still()
    expect(device.page.locator(".guided__way .is-now")).to_have_count(1)
    device.is_heard()
    return device, table


def step(device: Device) -> int:
    """Which step is shown, from 0."""
    now = device.page.evaluate(
        "[...document.querySelectorAll('.guided__way li')].findIndex((one) => one.classList.contains('is-now'))"
    )
    return int(now)


def touched(device: Device, target: Locator) -> None:
    box = target.bounding_box()
    assert box is not None
    device.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def is_pointed_at(device: Device, selector: str) -> None:
    """Expect the ring to go round what is meant, and that to be on the screen whole."""
    beside = device.page.evaluate(
        """(selector) => {
          const { left, top, width, height } = document.querySelector("[data-ring-at]").style;
          const ring = new DOMRect(...[left, top, width, height].map(parseFloat));
          const meant = document.querySelector(selector).getBoundingClientRect();
          const over = [meant.top, meant.left, innerHeight - meant.bottom, innerWidth - meant.right];
          const before = [meant.left - ring.left, meant.top - ring.top];
          const after = [ring.right - meant.right, ring.bottom - meant.bottom];
          return meant.width && meant.height ? [...over, ...before, ...after] : [];
        }""",
        selector,
    )
    assert beside and min(beside) >= -EDGE, f"{selector}: {beside}"


@pytest.mark.parametrize(("game", "held"), first(*spread(list(FELTS), list(SCREENS))))
def test_a_touch_leads_from_step_to_step_and_then_to_the_table(
    people: People, house: House, game: str, held: str
) -> None:
    device, table = guided(people, house, SCREENS[held], game, ours=True)
    lesson = FELTS[game].lesson
    felt = device.page.locator(".stage")
    for at, one in enumerate(lesson.steps):
        assert step(device) == at
        with translation.override(device.page.locator("html").get_attribute("lang")):
            expect(device.page.locator("#guide-says")).to_contain_text(text_of(one.words))
        for size in sorted(SCREENS, key=lambda size: size == held):  # its own comes last, and stays
            device.page.set_viewport_size(SCREENS[size]["viewport"])
            expect(device.page.locator(".guided__foot")).to_be_in_viewport(ratio=1)
            device.page.clock.run_for(600)
            is_pointed_at(device, one.at)
        if at < len(lesson.steps) - 1:
            expect(device.page.locator("[data-begin]")).to_be_hidden()
            touched(device, felt)
    device.page.clock.resume()
    is_accessible(device, f"guided through {game}")
    touched(device, felt)  # nothing comes after the last
    assert step(device) == len(lesson.steps) - 1
    touched(device, device.page.locator("[data-begin]"))
    device.is_at(table)


@pytest.mark.in_full
def test_it_goes_by_itself_and_waits_at_its_end(people: People, house: House) -> None:
    device, _ = guided(people, house, KIOSK, "baccarat", ours=True)
    device.lives(20)
    assert 2 <= step(device) <= 5
    device.lives(GUIDE_S - 20)
    assert step(device) == len(FELTS["baccarat"].lesson.steps) - 1
    expect(device.page.locator("[data-begin]")).to_be_visible()
    expect(device.asks).to_be_hidden()


@pytest.mark.in_full
def test_it_can_be_skipped(people: People, house: House) -> None:
    table = house.table(game="cussec", realm=KIOSKS)
    device = visited(people, house, house.kiosk(table), KIOSK, place_of(table))
    touched(device, device.page.locator("[data-first-time] a"))
    expect(device.page.locator("[data-guide]")).to_be_visible()
    touched(device, device.page.locator("[data-skip]"))
    device.is_at(table)


@pytest.mark.in_full
def test_a_demonstration_goes_on_and_begins_again(people: People, house: House) -> None:
    table = house.table(game="roulette", realm=KIOSKS)
    device = enrolled(people, house, house.kiosk(table), KIOSK)
    counted = device.page.evaluate(
        """() => {
          const frames = [...document.querySelectorAll("template[data-frame]")];
          const long = (at) => at % (frames.length - 1) === 0; // the first and the last
          frames.forEach((frame, at) => (frame.dataset.milliseconds = long(at) ? "3000" : "150"));
          return frames.length;
        }"""
    )
    assert counted > 5
    rail = device.page.locator("#rail")
    expect(rail).to_have_attribute("data-phase", "settled")
    expect(rail).to_have_attribute("data-phase", "betting")
