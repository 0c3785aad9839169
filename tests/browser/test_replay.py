"""A round seen again opens on its result, and goes from step to step by itself or by hand without loading the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.extent import first

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import is_accessible
from .test_pit_door import PASSWORD, TABLET

STAYS = "window.stays = 1"
"""Something of the page that a new one would not have."""


def _replays(people: People, house: House, **about: object) -> tuple[Screen, int, int]:
    """Somebody at the replay of a round of Baccarat that they have won, its number and its last step."""
    table = house.table()
    ana = people.at(table, "Ana")
    log = ana.betting()
    house.stack(table, "9s 2c Kd 3h")
    ana.stakes(100, "player")
    ana.is_ready()
    ana.has_seen(log)
    return ana, int(log), len(house.ask("actions", round=int(log)))


def _progress(screen: Screen) -> Locator:
    return screen.page.locator(".steps progress")


def _button(screen: Screen) -> Locator:
    return screen.page.get_by_role("button", name="Play by itself")


def test_a_replay_opens_on_its_result_and_plays_by_itself(people: People, house: House) -> None:
    ana, log, last = _replays(people, house)
    ana.goes(f"/rounds/{log}/")
    page, progress = ana.page, _progress(ana)
    expect(progress).to_have_attribute("value", str(last))
    expect(page.locator(".result__headline")).to_be_visible()
    expect(_button(ana)).to_be_visible()
    page.evaluate(STAYS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.resource_type))
    _button(ana).click()
    expect(progress).to_have_attribute("value", "0")
    expect(_button(ana)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".replay__now")).to_contain_text("The round begins.")
    expect(_button(ana)).to_be_focused()
    expect(page.locator(".replay__now")).to_contain_text(f"{ana.name} stakes 100.00 on Player")
    expect(page.locator("#cards [data-card]").first).to_be_visible()
    expect(progress).to_have_attribute("value", str(last), timeout=60_000)
    expect(_button(ana)).to_have_attribute("aria-pressed", "false")
    expect(page).to_have_url(re.compile(rf"\?step={last}$"))
    assert page.evaluate("window.stays") == 1
    assert set(asked) - {"other"} == {"fetch"}, "a step is the page of that step, and nothing else"  # other: the icon


@pytest.mark.in_full
def test_a_replay_goes_by_hand_by_key_and_pauses(people: People, house: House) -> None:
    ana, log, last = _replays(people, house)
    ana.goes(f"/rounds/{log}/")
    page, progress = ana.page, _progress(ana)
    expect(_button(ana)).to_be_visible()
    page.evaluate(STAYS)
    page.get_by_role("link", name="One step back").click()
    expect(progress).to_have_attribute("value", str(last - 1))
    page.keyboard.press("ArrowLeft")
    expect(progress).to_have_attribute("value", str(last - 2))
    page.keyboard.press("End")  # with a link in focus it is the browser's
    expect(progress).to_have_attribute("value", str(last - 2))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    expect(progress).to_have_attribute("value", "0")
    expect(page.get_by_role("link", name="One step back")).to_have_count(0)
    page.keyboard.press("End")
    expect(progress).to_have_attribute("value", str(last))
    page.keyboard.press("Space")
    expect(progress).to_have_attribute("value", "1")
    page.keyboard.press("Space")
    expect(_button(ana)).to_have_attribute("aria-pressed", "false")
    page.locator(".replay__phases a").last.click()
    expect(page.locator(".replay__phases a").last).to_have_attribute("aria-current", "true")
    page.locator(".log__seq").first.click()
    expect(page.locator(".log__line").last).to_have_attribute("aria-current", "step")
    assert page.evaluate("window.stays") == 1
    page.reload()
    expect(progress).not_to_have_attribute("value", str(last))  # it is at the step that was looked at


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
def test_a_replay_can_be_pressed_and_read(people: People, house: House, size: dict[str, object]) -> None:
    ana, log, _last = _replays(people, house)
    screen = people.comes(login=ana.login, screen=size).goes(f"/rounds/{log}/")
    expect(_button(screen)).to_be_visible()
    for link in screen.page.locator(".log__seq, .steps .button").all():
        box = link.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 24, (link, box)
    screen.does_not_scroll_sideways()
    width = screen.page.evaluate("innerWidth")
    screen.page.set_viewport_size({"width": width, "height": 1600})  # so high that no line is half under the tray
    is_accessible(screen, "a replay")


@pytest.mark.in_full
def test_a_step_that_cannot_be_fetched_is_loaded_as_its_link_would_be(people: People, house: House) -> None:
    ana, log, last = _replays(people, house)
    people.watch.expects("status of 500")
    ana.goes(f"/rounds/{log}/")
    expect(_button(ana)).to_be_visible()
    ana.page.evaluate(STAYS)
    ana.page.route("**/*step=*", lambda route: route.fulfill(status=500) if _fetches(route) else route.continue_())
    ana.page.get_by_role("link", name="One step back").click()
    expect(_progress(ana)).to_have_attribute("value", str(last - 1))
    assert ana.page.evaluate("window.stays") is None


def _fetches(route: Route) -> bool:
    return route.request.resource_type == "fetch"


@pytest.mark.in_full
def test_a_replay_goes_by_its_links_without_scripts(people: People, house: House) -> None:
    ana, log, last = _replays(people, house)
    plain = people.comes(login=ana.login, java_script_enabled=False).goes(f"/rounds/{log}/")
    expect(_progress(plain)).to_have_attribute("value", str(last))
    expect(_button(plain)).to_have_count(0)
    plain.page.get_by_role("link", name="To the beginning").click()
    expect(_progress(plain)).to_have_attribute("value", "0")
    plain.page.get_by_role("link", name="One step on").click()
    expect(_progress(plain)).to_have_attribute("value", "1")


@pytest.mark.in_full
def test_the_pit_steps_through_a_round_as_somebody_saw_it(people: People, house: House) -> None:
    ana, log, last = _replays(people, house)
    boss = people.comes(
        login=house.logged_in_member(house.ask("hires", name="olga1", role="pit_boss", password=PASSWORD), "olga1"),
        screen=TABLET,
    ).goes(f"/pit/rounds/{log}/")
    expect(_progress(boss)).to_have_attribute("value", str(last))
    expect(_button(boss)).to_be_visible()
    boss.page.evaluate(STAYS)
    boss.page.get_by_role("link", name="One step back").click()
    expect(_progress(boss)).to_have_attribute("value", str(last - 1))
    assert boss.page.evaluate("window.stays") == 1
    boss.page.get_by_label("Seen by").get_by_role("link", name=ana.name).last.click()
    expect(_progress(boss)).to_have_attribute("value", str(last - 1))
    expect(boss.page).to_have_url(re.compile(rf"/as/p{ana.player}/\?step={last - 1}$"))
