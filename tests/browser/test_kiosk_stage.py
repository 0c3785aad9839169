"""What passers-by see of a kiosk: the house, a coin that turns, what was won; all of it to be read from afar."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

from tables.felt.shared.drawing import amount, chips
from tests.extent import first, spread

from .house import House
from .kiosks import Device, enrolled, put_up
from .kit import KIOSK, KIOSK_LYING, People
from .test_kiosk_play import AT_REST, visiting
from .test_kiosk_screen import IDLE

pytestmark = pytest.mark.any_database

SEEN_FROM_AFAR = 140
"""Pixels that what turns is wide on an upright screen."""

GAMES = ["baccarat", "blackjack", "stud_poker", "three_card_baccarat", "roulette", "cussec"]
LANGUAGES = ["pt", "zh-hant", "en"]


def can_be_read(device: Device, what: str) -> None:
    """Expect all letters to be large, and nothing to be cut off or to stand over something else."""
    device.page.evaluate(AT_REST)
    assert device.unread() == [], what
    assert device.unseen() == [], what


def test_the_last_wins_are_told_without_a_name(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "baccarat")
    device, page = visit.device, visit.device.page
    device.betting()
    visit.lays(10, "player")
    house.stack(visit.table, "4s Kc 5d 7h")
    visit.is_ready()
    visit.result()
    visit.opens("done")
    visit.hand.taps(page.locator("#done .button--main"))
    device.attracts()
    wins = page.locator(".attract__wins")
    expect(wins).to_contain_text("百家樂")
    expect(wins).to_contain_text("+10.00")
    can_be_read(device, "with the last wins")
    assert "kiosk" not in wins.inner_text().lower()


def test_it_is_as_bright_as_the_hour_says(people: People, house: House) -> None:
    kiosk = house.kiosk(house.table())
    device = enrolled(people, house, kiosk, KIOSK)
    shade = "getComputedStyle(document.body, '::after').opacity"
    assert device.page.evaluate(shade) == "0"
    house.ask("dims", kiosk=kiosk.id, percent=40)
    expect(device.page.locator("html")).to_have_attribute("style", re.compile(r"--dim: 0\.6"))
    assert device.page.evaluate(shade) == "0.6"


def test_a_coin_turns_for_all_who_want_motion(people: People, house: House) -> None:
    device = enrolled(people, house, house.kiosk(house.table()), KIOSK)
    coin = device.page.locator(".coin")
    turning = "(one) => one.getAnimations().length"
    box = coin.bounding_box()
    assert box is not None and box["width"] > SEEN_FROM_AFAR
    assert coin.evaluate(turning) == 0
    device.page.emulate_media(reduced_motion="no-preference")
    assert coin.evaluate(turning) == 1


@pytest.mark.parametrize(("game", "language"), first(*spread(GAMES, LANGUAGES)))
def test_a_demonstration_can_be_read(people: People, house: House, game: str, language: str) -> None:
    """Each moment of a round dealt for nobody, upright and lying; nobody is told articles."""
    languages = sorted(LANGUAGES, key=lambda one: one != language)
    device = enrolled(people, house, house.kiosk(house.table(game=game), languages=languages), KIOSK, ours=True)
    page = device.page
    device.stands_still()  # its moments come when they are put there
    for size in (KIOSK, KIOSK_LYING):
        page.set_viewport_size(size["viewport"])
        for at in range(page.locator("template[data-frame]").count()):
            page.evaluate("at => floor.put(document.querySelectorAll('template[data-frame]')[at])", at)
            can_be_read(device, f"moment {at}")
            expect(page.locator(".article").filter(visible=True)).to_have_count(0)


RARE = {
    "three_card_baccarat": ([f"tie-{place}" for place in range(1, 8)], "table/_all.html", {"end": "won"}),
    "roulette": (["split_22_25", "split_23_26"], "table/_all_short.html", {}),
}
"""What seldom lies where there is little room: others' stakes on ties that win, and between two numbers."""


@pytest.mark.parametrize("game", RARE)
def test_what_seldom_lies_there_has_room(people: People, house: House, game: str) -> None:
    device = enrolled(people, house, house.kiosk(house.table(game=game), languages=["en"]), KIOSK, ours=True)
    device.stands_still()
    spots, template, what = RARE[game]
    won = "end" in what
    total = {"total": amount(500), "common": chips(500)} if won else {"total": "10"}
    lies = {"lies": True, "bettors": 1, "people": 1, "one": True, **total}
    for size in (KIOSK, KIOSK_LYING):
        device.page.set_viewport_size(size["viewport"])
        frames = "[...document.querySelectorAll('template[data-frame]')]"
        device.page.evaluate(f"{frames}.slice(0, {'undefined' if won else 8}).forEach((one) => floor.put(one))")
        for spot in spots:
            drawn = render_to_string(template, {"spot": spot, **lies, **what})
            device.page.locator(f"#all-{spot}").evaluate("(one, drawn) => { one.outerHTML = drawn; }", drawn)
        can_be_read(device, f"{size['viewport']}")


def test_whatever_else_a_screen_says_can_be_read(people: People, house: House) -> None:
    """Its code, the pit's message, out of service, refused, the question whether anybody is there, and back soon."""
    kiosk = house.kiosk(house.table(realm=1))
    new = put_up(people, house, kiosk, KIOSK).opens()
    expect(new.code).not_to_be_empty()
    can_be_read(new, "its code")
    device = enrolled(people, house, kiosk, KIOSK, ours=True)
    page = device.page
    house.ask("tells", kiosk=kiosk.id, what="show", say="The bar closes at two")
    device.lives(10)
    expect(page.locator("[data-message]")).to_have_text("The bar closes at two")
    can_be_read(device, "a message")
    device.is_touched()
    page.locator("#first [data-paper-close]").tap()
    device.lives(IDLE)
    expect(device.asks).to_be_visible()
    can_be_read(device, "the question")
    page.evaluate("document.querySelector('[data-still]').close()")
    page.evaluate("document.querySelector('[data-soon]').hidden = false")
    can_be_read(device, "back soon")
    refused = Device(page.context.new_page(), house, kiosk)  # which goes to the door by itself
    refused.goes("/kiosk/tables/no-such-table/")
    can_be_read(refused, "refused")
    refused.page.close()
    house.ask("tells", kiosk=kiosk.id, what="lock", say="it is being cleaned")
    device.opens()
    expect(page.locator(".shut")).to_be_visible()
    can_be_read(device, "out of service")
