"""Accounts: signed up, logged in and out, guests who stay, and those who run out; also without any script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House
from .kit import PHONE, People, Screen

PASSWORD = "lanterns over the harbour"

LOBBY = re.compile(r"^http://[^/]+/$")


@pytest.fixture(params=first(True, False), ids=first("with scripts", "without scripts"))
def somebody(people: People, request: pytest.FixtureRequest) -> Screen:
    """Who is not logged in, with a browser that runs scripts or one that does not."""
    return people.comes(java_script_enabled=request.param)


def presses(screen: Screen, button: str) -> None:
    """A button of the page itself, not of its menu."""
    screen.page.get_by_role("main").get_by_role("button", name=button, exact=True).click()


def test_an_account_is_opened_left_and_entered_again(somebody: Screen) -> None:
    name, shown = f"rui.{id(somebody)}", f"Carmo {id(somebody)}"
    somebody.goes("/accounts/signup/")
    somebody.page.get_by_label("Username").fill(name)
    somebody.page.get_by_label("Name at the tables").fill(shown)
    somebody.page.get_by_label("Password", exact=True).fill(PASSWORD)
    somebody.page.get_by_label("Password again").fill("lanterns over the sea")
    presses(somebody, "Sign up")
    expect(somebody.page.locator(".field__error")).to_have_text("You must type the same password each time.")
    somebody.page.get_by_label("Password", exact=True).fill(PASSWORD)
    somebody.page.get_by_label("Password again").fill(PASSWORD)
    presses(somebody, "Sign up")
    expect(somebody.page).to_have_url(LOBBY)
    expect(somebody.page.locator(".bar__name")).to_have_text(shown)

    somebody.goes("/account/")
    expect(somebody.page.locator(".balance")).to_contain_text("10,000.00")
    somebody.page.get_by_role("main").get_by_role("link", name="Log out").click()
    presses(somebody, "Log out")
    expect(somebody.page).to_have_url(LOBBY)
    expect(somebody.page.locator(".bar__name")).to_have_count(0)

    somebody.goes("/accounts/login/?next=/history/")
    somebody.page.get_by_label("Username").fill(name)
    somebody.page.get_by_label("Password").fill("guessed")
    presses(somebody, "Log in")
    expect(somebody.page.get_by_role("main").locator(".notice--refused")).to_contain_text("Wrong user name or password")
    expect(somebody.page.get_by_label("Username")).to_have_value(name)
    somebody.page.get_by_label("Password").fill(PASSWORD)
    presses(somebody, "Log in")
    expect(somebody.page).to_have_url(re.compile("/history/$"))
    expect(somebody.page.locator(".bar__name")).to_have_text(shown)


def test_a_guest_plays_with_one_click_and_keeps_what_he_has(somebody: Screen) -> None:
    somebody.goes("/")
    presses(somebody, "Play as a guest")
    expect(somebody.page).to_have_url(LOBBY)
    guest = somebody.page.locator(".bar__name").inner_text()
    assert guest.startswith("guest-")

    somebody.goes("/accounts/login/")  # they are warned first: nobody could come back to a guest's credits
    expect(somebody.page.get_by_role("main")).to_contain_text("nobody can come back")
    somebody.page.get_by_role("main").get_by_role("link", name="Keep this account").click()
    name, shown = f"lena.{id(somebody)}", f"Jade {id(somebody)}"
    somebody.page.get_by_label("Username").fill(name)
    somebody.page.get_by_label("Name at the tables").fill(shown)
    somebody.page.get_by_label("Password", exact=True).fill(PASSWORD)
    somebody.page.get_by_label("Password again").fill(PASSWORD)
    presses(somebody, "Keep it")
    expect(somebody.page).to_have_url(re.compile("/account/$"))
    expect(somebody.page.get_by_role("heading", level=1)).to_have_text(shown)
    expect(somebody.page.locator(".notice--ok")).to_contain_text("This account is yours now")
    expect(somebody.page.locator("tbody tr")).to_have_count(1)  # the first credits, and no second ones
    expect(somebody.page.locator(".balance")).to_contain_text("10,000.00")


def test_a_guest_at_a_table_is_one_click_away_from_a_stake(people: People, house: House) -> None:
    table = house.table()
    screen = people.at(table, screen=PHONE)
    screen.betting()
    screen.clicks_anyway("player")
    expect(screen.notice).to_contain_text("Play as a guest or log in to take part.")
    screen.page.locator(".tray__join").get_by_role("button", name="Play as a guest").click()
    expect(screen.page).to_have_url(re.compile(table.path))
    screen.line("open")
    screen.betting()
    screen.stakes(50, "player")
    screen.sees("player", 50)


@pytest.mark.in_full
def test_who_is_nearly_broke_gets_more_and_not_twice(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    ana.stakes(1_000, "player")
    for total in (2_000, 4_000, 8_000):
        ana.deed("double").click()
        ana.has("player", total)
    ana.stakes(1_000, "player")
    ana.stakes(500, "player")
    ana.stakes(10, "player")
    ana.agrees_with_the_ledger()
    account = ana.another_tab().goes("/account/")
    presses(account, "Ask for more")
    expect(account.page.locator(".notice--ok")).to_be_visible()
    expect(account.page.locator(".balance")).to_contain_text("10,000.00")
    expect(ana.wallet).to_have_attribute("data-balance", str(10_000_00))  # their table has heard of it
    ana.agrees_with_the_ledger()

    token = account.page.locator("input[name=csrfmiddlewaretoken]").first.input_value()
    answer = account.page.request.post(
        f"{house.url}/top-up/", form={"csrfmiddlewaretoken": token}, headers={"referer": f"{house.url}/account/"}
    )
    assert "More credits are for those with less than 500.00." in answer.text()
    ana.deed("double").click()
    ana.has("player", 19_020)
    account.goes("/account/")
    expect(account.page.get_by_role("main")).to_contain_text("You may ask again at")
    assert account.page.get_by_role("button", name="Ask for more").count() == 0


@pytest.mark.in_full
def test_the_lobby_and_the_history_work_without_scripts(people: People, house: House) -> None:
    table = house.table(min_bet=777_00)
    screen = people.comes("Ana", java_script_enabled=False).goes("/")
    screen.page.get_by_label("Minimum up to").select_option("1")
    screen.page.get_by_role("button", name="Show").click()
    expect(screen.page.locator(f"#table-{table.slug}")).to_be_hidden()
    expect(screen.page.locator("#table-harbour")).to_be_visible()
    screen.page.locator("#table-harbour").get_by_role("link").click()
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Harbour")
    expect(screen.page.locator("noscript .notice")).to_be_visible()
    screen.goes("/history/")
    expect(screen.page.get_by_role("main")).to_contain_text("You have not played a round yet.")


@pytest.mark.in_full
def test_what_a_tab_remembers_goes_with_the_login(people: People) -> None:
    """Whoever sits at this screen next learns nothing of who was there; what the browser prefers stays."""
    screen = people.comes()
    screen.goes("/")
    screen.page.get_by_role("main").get_by_role("button", name="Play as a guest").first.click()
    expect(screen.page.locator(".bar__name")).to_have_count(1)
    screen.page.evaluate(
        "sessionStorage.setItem('floor.last.taipa.p7', '[1]'); localStorage.setItem('floor.sound', 'on')"
    )
    screen.goes("/accounts/logout/")
    presses(screen, "Leave and lose it")
    expect(screen.page.locator(".bar__name")).to_have_count(0)
    screen.page.wait_for_load_state()  # the page's scripts have run
    kept, preferred = screen.page.evaluate("[Object.keys(sessionStorage), localStorage.getItem('floor.sound')]")
    assert "floor.session" in kept and "floor.last.taipa.p7" not in kept
    assert preferred == "on"
