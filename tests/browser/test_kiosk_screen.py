"""The screen of a kiosk: how it becomes one, what it shows while nobody plays, and what is left of who has played."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.extent import first

from .house import House, Table
from .kiosks import DOOR, Device, enrolled, put_up
from .kit import KIOSK, KIOSK_LYING, PHONE, People, Screen
from .test_access import is_accessible

SCREENS = {"upright": KIOSK, "lying": KIOSK_LYING}

UPRIGHT = pytest.mark.parametrize("size", first(KIOSK, KIOSK_LYING), ids=first("upright", "lying"))
LYING = pytest.mark.parametrize("size", first(KIOSK_LYING, KIOSK), ids=first("lying", "upright"))
"""What a screen does, and not how it looks: on one of the two, with ALL=1 on both."""

KIOSKS = 1
"""The realm of their tables."""

IDLE = 60
"""Seconds without a touch, after which these kiosks ask."""

ASKED = 15
"""Seconds that somebody has to answer."""


@pytest.fixture
def table(house: House) -> Table:
    """A table of Baccarat for visitors."""
    return house.table(realm=KIOSKS)


# ── It becomes a kiosk ──────────────────────────────────────────────────────────────────────────────────────


@LYING
def test_a_screen_becomes_a_kiosk_by_its_code(people: People, house: House, table: Table, size: dict[str, Any]) -> None:
    kiosk = house.kiosk(table)
    device = put_up(people, house, kiosk, size).opens()
    expect(device.code).to_have_text(re.compile("^[A-Z0-9]{3}-[A-Z0-9]{3}$"))
    is_accessible(device, "with its code")
    device.has_its_worker()
    code = device.code.inner_text()
    device.page.reload()
    expect(device.code).to_have_text(code)

    house.ask("confirms", kiosk=kiosk.id, code=code)
    device.attracts()
    (token,) = [one for one in device.page.context.cookies() if one["name"] == "kiosk"]
    assert token["httpOnly"]
    assert token["sameSite"] == "Strict"
    assert device.stored()["local"] == ["kiosk.screen"]
    assert device.page.evaluate("history.length") <= 2  # Chromium's own empty page, and ours

    first = device.use
    device.opens().attracts()  # it is switched off and on: nobody has to confirm it again
    assert device.use == first + 1
    assert device.state["alerts"] == []


@pytest.mark.in_full
def test_it_can_be_installed(people: People, house: House, table: Table) -> None:
    can_be_installed(enrolled(people, house, house.kiosk(table), KIOSK).page)
    can_be_installed(people.comes(screen=PHONE).goes("/").page)


def can_be_installed(page: Page) -> None:
    """The browser offers to install what this page belongs to, as an app of its own."""
    chrome = page.context.new_cdp_session(page)
    manifest = chrome.send("Page.getAppManifest")
    assert urlsplit(manifest["url"]).path.endswith(".webmanifest")
    assert manifest["errors"] == []
    faults = {one["errorId"] for one in chrome.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert faults <= {"in-incognito"}  # as all windows of these tests are


# ── Between visitors ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_what_is_played_on_the_floor_is_shown_live(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    ana.sits(2)
    device = enrolled(people, house, house.kiosk(table), KIOSK)
    expect(device.page.locator("[data-live-table]")).to_be_visible()
    ana.stakes(50, "player")
    device.sees("player", 50)
    expect(device.page.locator(".attract__felt")).to_contain_text(ana.name)
    for size in SCREENS.values():
        device.page.set_viewport_size(size["viewport"])
        is_accessible(device, "live", seen_before=size is KIOSK_LYING)
        shows_all_of_it(device)


GAMES = first("stud_poker", "cussec", "baccarat", "blackjack", "three_card_baccarat", "roulette")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.in_full
def test_where_nobody_plays_a_demonstration_is_shown(people: People, house: House, game: str) -> None:
    device = enrolled(people, house, house.kiosk(house.table(game=game)), KIOSK)
    for size in (KIOSK, KIOSK_LYING):
        device.page.set_viewport_size(size["viewport"])
        device.is_heard().opens().attracts()
        expect(device.page.locator("#floor[data-demonstration]")).to_be_visible()
        expect(device.page.locator("[data-live-table]")).to_have_count(0)
        is_accessible(device, "a demonstration", seen_before=size is KIOSK_LYING)
        shows_all_of_it(device)
        expect(device.page.locator("#demonstration-says")).not_to_be_empty()  # it goes on
        shows_all_of_it(device)


FELT = """() => {
  const felt = document.querySelector("#floor .felt");
  const { top, height } = document.querySelector(".attract__felt").getBoundingClientRect();
  const boxes = [...felt.querySelectorAll("*")].map((one) => one.getBoundingClientRect());
  return {
    cut: Math.max(felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth),
    fills: (Math.max(...boxes.filter((box) => box.width > 1).map((box) => box.bottom)) - top) / height,
  };
}"""
"""How many pixels of the felt are cut off, and how much of its place it fills, from 0 to 1."""


def shows_all_of_it(device: Device) -> None:
    """Expect the felt to fill its place, nothing to stick out, and the invitation in three languages to be there."""
    shown = device.page.evaluate(FELT)
    assert shown["cut"] <= 1, shown
    assert shown["fills"] > 0.9, shown
    for part in (".attract__head", ".attract__felt .layout", ".foot"):
        expect(device.page.locator(part).first).to_be_in_viewport(ratio=0.97)
    invitations = device.page.locator(".invite [lang]")
    expect(invitations).to_have_count(3)
    for one in invitations.all():
        expect(one).to_be_in_viewport(ratio=1)


@pytest.mark.in_full
def test_one_table_follows_the_other(people: People, house: House) -> None:
    first, second = house.table(), house.table(game="roulette")
    device = enrolled(people, house, house.kiosk(first, second), KIOSK, ours=True)
    placed = set()
    for shown in (second, first, second, first):
        placed.add(device.page.locator("body").get_attribute("data-wander"))
        device.lives(35)
        device.page.clock.run_for(6_000)
        expect(device.page.locator(".attract__table")).to_have_text(shown.name)
        device.attracts()
    assert len(placed) == 4  # nothing is burnt into the screen
    assert device.page.evaluate("history.length") <= 2
    assert device.state["visitors"] == []


def test_the_pit_is_heard_at_once(people: People, house: House, table: Table) -> None:
    kiosk = house.kiosk(table)
    device = enrolled(people, house, kiosk, KIOSK)
    house.ask("tells", kiosk=kiosk.id, what="show", say="The bar closes at two")
    expect(device.page.locator("[data-message]")).to_have_text("The bar closes at two")
    is_accessible(device, "with a message")

    house.ask("tells", kiosk=kiosk.id, what="lock", say="it is being cleaned")
    expect(device.page.locator(".shut .spoken__one")).to_have_count(3)
    expect(device.invitation).to_have_count(0)
    expect(device.page.locator("[data-message]")).to_have_text("The bar closes at two")
    is_accessible(device, "out of service")
    house.ask("tells", kiosk=kiosk.id, what="unlock")
    expect(device.invitation).to_be_visible()

    use = device.use
    house.ask("tells", kiosk=kiosk.id, what="restart")
    expect(device.page.locator("body")).to_have_attribute("data-use", str(use + 1))
    device.attracts()

    house.ask("tells", kiosk=kiosk.id, what="retire", say="it goes home")
    expect(device.code).to_be_visible()
    assert [one for one in device.page.context.cookies() if one["name"] == "kiosk"] == []


def gives(device: Device, other: Screen, *names: str) -> None:
    """Copy these cookies of a device onto another one."""
    for one in device.page.context.cookies():
        if one["name"] in names:
            other.page.context.add_cookies([{"name": one["name"], "value": one["value"], "url": device.house.url}])


@pytest.mark.in_full
def test_a_second_use_ends_the_first_and_the_pit_is_told(people: People, house: House, table: Table) -> None:
    kiosk = house.kiosk(table)
    first = enrolled(people, house, kiosk, KIOSK, ours=True)
    first.is_touched().is_at(table)
    visitor = first.state["visitor"]
    assert visitor is not None
    first.stands_still()
    asks: list[str] = []
    first.page.on("request", lambda one: asks.append(one.url) if one.is_navigation_request() else None)
    second = people.comes(screen=KIOSK)
    gives(first, second, "kiosk", "sessionid")
    screen = first.page.evaluate("localStorage.getItem('kiosk.screen')")
    second.page.add_init_script(f"localStorage.setItem('kiosk.screen', '{screen}')")
    other = Device(second.page, house, kiosk).opens().attracts()
    expect(first.soon).to_be_visible()
    assert first.state["visitor"] is None
    assert first.state["alerts"] == ["kiosk_twice"]
    use = other.use
    while first.state["showing"] != "attract":
        other.is_heard()
    first.page.clock.run_for(11_000)
    expect(first.page).to_have_url(house.url + DOOR)
    assert asks[0] == house.url + DOOR, "it was somewhere before the other could be heard of"
    expect(first.soon).to_be_visible()  # the two do not end each other for ever
    assert other.attracts().use == use == first.state["use"]

    other.page.close()
    first.page.clock.resume()
    first.attracts()


@pytest.mark.in_full
def test_a_token_is_no_good_on_another_screen(people: People, house: House, table: Table) -> None:
    kiosk = house.kiosk(table)
    first = enrolled(people, house, kiosk, KIOSK)
    use = first.use
    thief = people.comes(screen=KIOSK)
    gives(first, thief, "kiosk")
    expect(Device(thief.page, house, kiosk).opens().code).to_be_visible()
    assert first.state["alerts"] == ["kiosk_twice"]
    assert first.state["use"] == use
    first.attracts()


# ── A visitor ───────────────────────────────────────────────────────────────────────────────────────────────


@LYING
@pytest.mark.in_full
def test_a_storm_of_touches_makes_one_visitor(people: People, house: House, table: Table, size: dict[str, Any]) -> None:
    device = enrolled(people, house, house.kiosk(table), size)
    device.page.evaluate(
        """() => {
          const buttons = [...document.querySelectorAll(".invite button")];
          for (let touch = 0; touch < 60; touch++) buttons[touch % buttons.length].click();
        }"""
    )
    device.is_at(table)
    box = size["viewport"]
    for touch in range(20):
        device.page.touchscreen.tap(box["width"] * (touch % 5 + 1) / 6, box["height"] - 4)  # where nothing is
    state = device.state
    assert state["visitors"] == [state["visitor"]]
    assert house.ask("balance", player=state["visitor"]) == 1_000_00


@pytest.mark.in_full
def test_a_touch_chooses_the_language(people: People, house: House, table: Table) -> None:
    device = enrolled(people, house, house.kiosk(table), KIOSK)
    expect(device.page.locator("html")).to_have_attribute("lang", "zh-hant")
    device.page.locator(".invite [lang=pt]").tap()
    device.is_at(table)
    expect(device.page.locator("html")).to_have_attribute("lang", "pt")


OF_THE_PAGE = ("floor.session", "floor.ended", "htmx-current-path-for-history")
"""What the page between visitors writes down for itself: since when its clock has run, and where htmx is."""


@pytest.mark.in_full
@UPRIGHT
def test_whoever_does_not_answer_is_gone_without_a_trace(
    people: People, house: House, table: Table, size: dict[str, Any]
) -> None:
    device = enrolled(people, house, house.kiosk(table), size, ours=True)
    before = device.session
    device.page.locator(".invite [lang=pt]").tap()
    device.is_at(table)
    page, visitor = device.page, device.state["visitor"]
    knows_how_it_goes(device)
    device.betting()
    device.sits(3)
    device.lays(5, "player")
    page.evaluate("localStorage.setItem('floor.suits', 'on'); sessionStorage.setItem('floor.last', 'something')")
    assert house.ask("sitting", table=table.id) == {"3": visitor}

    device.lives(IDLE)
    expect(device.asks).to_be_visible()
    expect(page.locator("[data-still-left]")).to_have_text(re.compile("^(1[0-5]|[1-9])$"))
    is_accessible(device, "asked whether anybody is there")
    page.locator("[data-still-yes]").tap()
    expect(device.asks).to_be_hidden()
    device.has("player", 5)
    assert device.state["visitor"] == visitor

    device.lives(IDLE)
    expect(device.asks).to_be_visible()
    device.lives(ASKED - 5)
    page.clock.run_for(6_000)
    device.attracts()
    kept = device.stored()
    assert kept["local"] == ["kiosk.screen"]
    assert set(kept["session"]) <= {"kiosk.use", "kiosk.began", *OF_THE_PAGE}
    assert device.session["value"] != before["value"]
    assert {one["name"] for one in page.context.cookies()} <= {"kiosk", "sessionid", "csrftoken"}
    assert page.evaluate("caches.keys()") == ["kiosk-shell"]
    assert page.evaluate("history.length") <= 2
    expect(page.locator("html")).to_have_attribute("lang", "zh-hant")
    assert house.ask("sitting", table=table.id) == {}
    state = device.state
    assert state["visitor"] is None
    assert house.ask("balance", player=visitor) == 0
    assert state["alerts"] == []

    page.go_back()  # where there was nothing before: Chromium's own empty page
    assert page.url == "about:blank"
    page.go_forward()
    device.attracts()
    device.is_touched()  # the next one is another
    assert device.state["visitor"] != visitor
    expect(page.locator("html")).to_have_attribute("lang", "zh-hant")
    device.has("player", 0)


def knows_how_it_goes(device: Device) -> None:
    """Who is offered to be shown how it goes, says that they know."""
    device.page.locator("#first [data-paper-close]").tap()
    expect(device.page.locator("#first")).to_be_hidden()


# ── It stays what it is ─────────────────────────────────────────────────────────────────────────────────────


@UPRIGHT
@pytest.mark.in_full
def test_nothing_scrolls_zooms_selects_or_leads_away(
    people: People, house: House, table: Table, size: dict[str, Any]
) -> None:
    device = enrolled(people, house, house.kiosk(table), size)
    stays_as_it_is(device, size)
    device.is_touched()
    device.is_at(table)
    stays_as_it_is(device, size)


def stays_as_it_is(device: Device, size: dict[str, Any]) -> None:
    page, url = device.page, device.page.url
    chrome = page.context.new_cdp_session(page)
    middle = {"x": size["viewport"]["width"] / 2, "y": size["viewport"]["height"] / 2}
    page.evaluate(
        """() => {
          window.guarded = [];
          for (const name of ["contextmenu", "selectstart", "dragstart"])
            window.addEventListener(name, event => window.guarded.push([name, event.defaultPrevented]));
        }"""
    )
    chrome.send("Input.synthesizePinchGesture", {**middle, "scaleFactor": 2, "gestureSourceType": "touch"})
    for way in (-400, 400):
        chrome.send(
            "Input.synthesizeScrollGesture", {**middle, "yDistance": way, "speed": 3000, "gestureSourceType": "touch"}
        )
    page.keyboard.press("Control++")
    page.keyboard.press("Control+a")
    page.locator("h1").first.click(button="right", force=True, position={"x": 2, "y": 2})
    page.locator("h1").first.dispatch_event("selectstart")
    page.locator("h1").first.dispatch_event("dragstart")
    page.keyboard.press("Alt+ArrowLeft")
    assert page.url == url
    assert page.evaluate("[scrollX, scrollY, visualViewport.scale, devicePixelRatio]") == [0, 0, 1, 1]
    assert page.evaluate("String(getSelection())") == ""
    assert all(prevented for _, prevented in page.evaluate("window.guarded"))
    assert len(page.evaluate("window.guarded")) >= 3
    tall, screen = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
    assert tall <= screen
