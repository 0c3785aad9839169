"""Upright kiosks: nothing is written so small that it cannot be read from two metres, in any state of any game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.extent import first, spread

from .house import House
from .kiosks import Device
from .kit import KIOSK, People
from .test_kiosk_play import GAMES, SHEETS, Visit, visiting

LANGUAGES = ["pt", "zh-hant", "en"]


class Reading(Visit):
    """A visitor who reads whatever is written, and goes on; `small` is what they could not read, and where."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.device, visit.table)
        self.small: dict[str, str] = {}

    def is_sound(self, what: str, *, seen_before: bool = False) -> None:
        for one in self.device.unread():
            self.small.setdefault(one, what)


@pytest.mark.parametrize(("game", "language"), first(*spread(list(GAMES), LANGUAGES), of_them=2))
def test_everything_can_be_read(people: People, house: House, game: str, language: str) -> None:
    """The offer to be shown, a round and all its states, the sheets, the rules, the other games, the guided round."""
    visit = Reading(visiting(people, house, KIOSK, game, language=language, knows=False))
    page = visit.device.page
    offered = page.locator("[data-first-time]")
    visit.is_sound("the offer to be shown")
    visit.hand.taps(offered.locator("button"))
    expect(offered).to_be_hidden()
    if game != "three_card_baccarat":  # whose dealer waits for whoever sits to cut
        visit.device.betting()
    visit.is_sound("betting")
    GAMES[game](visit)
    visit.result()
    visit.is_sound("the result")
    for sheet in SHEETS:
        visit.opens(sheet)
        visit.is_sound(sheet)
    for path in (f"rules/{game}", "choose", f"guide/{game}"):
        page.goto(f"{house.url}/kiosk/{path}/")
        visit.is_sound(path)
    guided(visit)
    assert visit.small == {}


def guided(visit: Reading) -> None:
    steps = visit.device.page.locator(".guided__way li")
    for step in range(steps.count()):
        expect(steps.nth(step)).to_have_class(re.compile("is-now|is-done"))  # it goes on by itself too
        visit.is_sound(f"step {step} of the guide")
        if step + 1 < steps.count():
            visit.device.page.locator("[data-on]").dispatch_event("click")


def test_what_is_too_small_is_found(people: People, house: House) -> None:
    device: Device = visiting(people, house, KIOSK, "baccarat").device
    device.page.locator(".foot__play").evaluate("(one) => one.style.fontSize = '27px'")
    assert any("foot__play" in one for one in device.unread())
