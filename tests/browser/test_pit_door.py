"""The door of the pit: name, password and code; the lock of a login that nobody is at; and a code to go on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import is_accessible

TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
PASSWORD = "lanterns over the harbour"


def is_accessible_on_all(screen: Screen, what: str) -> None:
    for size in (PHONE, DESK, TABLET):
        screen.page.set_viewport_size(size["viewport"])
        screen.page.evaluate("scrollTo(0, 0)")  # what has been scrolled under the bar is no fault
        is_accessible(screen, what, seen_before=size is not PHONE)


def presses(screen: Screen, button: str) -> None:
    screen.page.get_by_role("main").get_by_role("button", name=button, exact=True).click()


def types(screen: Screen, code: str, button: str) -> None:
    screen.page.get_by_label("Code", exact=True).fill(code)
    presses(screen, button)


def test_a_member_logs_in_with_a_code_is_locked_and_comes_back(people: People, house: House) -> None:
    boss = house.ask("hires", name="bela1", role="pit_boss", password=PASSWORD)
    screen = people.comes(screen=TABLET).goes("/pit/events/")
    screen.page.get_by_label("Username").fill("bela1")
    screen.page.get_by_label("Password").fill(PASSWORD)
    presses(screen, "Log in")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Your code")
    is_accessible_on_all(screen, "the code")
    types(screen, "123", "Log in")
    expect(screen.page.locator(".field__error")).to_have_text("That code is wrong or has expired.")
    types(screen, house.ask("code", player=boss), "Log in")
    expect(screen.page).to_have_url(re.compile("/pit/events/$"))
    expect(screen.page.locator(".bar__name")).to_contain_text("pit boss")

    tab = screen.another_tab().goes("/pit/events/?before=999")
    house.ask("goes_away", player=boss)
    screen.page.mouse.click(5, 5)  # too late to be a word from them; each tab is told, and goes by itself
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Locked")
    is_accessible_on_all(screen, "locked")
    expect(tab.page.get_by_role("heading", level=1)).to_have_text("Locked")
    types(tab, house.ask("code", player=boss), "Go on")
    expect(tab.page).to_have_url(re.compile(r"/pit/events/\?before=999$"))
    screen.goes("/pit/events/")
    expect(screen.page).to_have_url(re.compile("/pit/events/$"))


@pytest.mark.in_full
def test_a_page_of_the_pit_leaves_by_itself_when_the_time_is_over(people: People, house: House) -> None:
    """The browser's own clock is set forward; the house's, by the clerk."""
    boss = house.ask("hires", name="rita1", role="cage", password=PASSWORD)
    login = house.logged_in_member(boss, "rita1")
    screen = people.comes(login=login, screen=TABLET, clock=True)
    screen.goes("/pit/events/")
    screen.page.clock.run_for(290_000)
    expect(screen.page).to_have_url(re.compile("/pit/events/$"))
    house.ask("goes_away", player=boss)
    screen.page.clock.run_for(20_000)
    expect(screen.page).to_have_url(re.compile("/pit/locked/"))


@pytest.mark.in_full
def test_a_new_member_sets_up_his_second_factor(people: People, house: House) -> None:
    house.ask("hires", name="nuno1", role="surveillance", password=PASSWORD, factor=False)
    screen = people.comes(screen=TABLET).goes("/accounts/login/")
    screen.page.get_by_label("Username").fill("nuno1")
    screen.page.get_by_label("Password").fill(PASSWORD)
    presses(screen, "Log in")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Your password")
    is_accessible_on_all(screen, "the password once more")
    screen.page.get_by_label("Password", exact=True).fill(PASSWORD)
    presses(screen, "Go on")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Set up your second factor")
    expect(screen.page.locator("svg.qr")).to_be_visible()
    is_accessible_on_all(screen, "the second factor")
    secret = screen.page.locator(".factor__key").inner_text()
    screen.page.get_by_label("The code that the app shows").fill(house.ask("code_of_key", secret=secret))
    presses(screen, "Set it up")
    expect(screen.page.locator(".codes li")).to_have_count(10)
    is_accessible_on_all(screen, "recovery codes")
    screen.page.get_by_role("main").get_by_role("link", name="To the pit").click()
    expect(screen.page).to_have_url(re.compile("/pit/$"))
    screen.goes("/account/")
    expect(screen.page.get_by_role("main")).to_contain_text("Staff do not play")
    is_accessible_on_all(screen, "the account of staff")


@pytest.mark.in_full
def test_a_shift_manager_appoints_on_a_tablet(people: People, house: House) -> None:
    manager = house.ask("hires", name="graca1", role="shift_manager", password=PASSWORD)
    house.ask("welcomes", name="Tiago")
    screen = people.comes(login=house.logged_in_member(manager, "graca1"), screen=TABLET).goes("/pit/staff/")
    is_accessible_on_all(screen, "the staff")
    screen.page.get_by_label("Username").fill("tiago")
    screen.page.get_by_label("Role").select_option("cage")
    screen.page.locator("section form.form").get_by_label("Why").fill("first night")
    presses(screen, "Appoint")
    expect(screen.page.locator(".notice--refused")).to_contain_text("with a password of their own")
