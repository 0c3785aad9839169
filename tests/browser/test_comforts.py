"""What makes the floor pleasant: limits at a long press, a filter, switches, the clock, coming back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import PHONE, People

pytestmark = pytest.mark.any_database


@pytest.mark.in_full
def test_a_long_press_tells_the_limits_and_stakes_nothing(people: People, house: House) -> None:
    table = house.table(min_bet=10_00, max_bet=500_00)
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    spot = ana.spot("banker")
    box = spot.bounding_box()
    assert box is not None
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    touch = ana.page.context.new_cdp_session(ana.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    expect(spot).to_have_class(re.compile("is-pressed"))
    expect(spot.locator(".spot__limits")).to_be_visible()
    expect(spot.locator(".spot__limits")).to_have_text("10 – 500")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(spot).not_to_have_class(re.compile("is-pressed"))
    ana.chip(10).tap()
    ana.spot("player").tap()
    ana.has("player", 10)
    assert house.ask("stakes", table=table.id) == {f"{ana.player} player": 10_00}


def test_the_lobby_filters_at_once(people: People, house: House) -> None:
    dear = house.table(min_bet=5_000_00)
    screen = people.comes().goes("/")
    limit = screen.page.get_by_label("Minimum up to")
    limit.select_option("1")
    expect(screen.page.locator(f"#table-{dear.slug}")).to_be_hidden()
    expect(screen.page.locator("#table-harbour")).to_be_visible()
    expect(screen.page).to_have_url(re.compile(r"/\?limit=1$"))
    screen.page.reload()
    expect(limit).to_have_value("1")
    expect(screen.page.locator(f"#table-{dear.slug}")).to_be_hidden()
    limit.select_option("5000")
    expect(screen.page.locator(f"#table-{dear.slug}")).to_be_visible()


def test_a_table_that_opens_is_in_the_lobby_at_once(people: People, house: House) -> None:
    people.watch.expects("htmx:oobErrorNoTarget")  # the page that was made before the table was
    screen = people.comes().goes("/")
    expect(screen.page.locator("[data-line-words]")).to_have_text("Connected")
    new = house.table()
    expect(screen.page.locator(f"#table-{new.slug}")).to_contain_text(new.name)


def test_what_moves_in_the_lobby_moves_no_card_until_somebody_asks(people: People, house: House) -> None:
    table, other = house.table(), house.table()
    ana = people.comes("Ana").goes("/")
    page = ana.page
    expect(page.locator("[data-line-words]")).to_have_text("Connected")
    order = "[...document.querySelectorAll('.lobby-card')].map((card) => card.id)"
    before = page.evaluate(order)
    expect(page.locator("#mine")).to_contain_text("10,000.00")
    at_table = ana.another_tab().sits_down_at(other)
    at_table.sits(2)
    expect(page.locator(f"#table-{other.slug} .lobby-card__numbers")).to_contain_text("Players1")
    assert page.evaluate(order) == before
    page.get_by_role("button", name="Sort anew").click()
    sorted_ = page.evaluate(order)
    assert sorted_.index(f"table-{other.slug}") < sorted_.index(f"table-{table.slug}")
    page.reload()
    assert page.evaluate(order)[0] == f"table-{other.slug}"
    expect(page.locator(f"[data-mine={other.slug}]")).to_have_text("Your seat: 2")
    at_table.betting()
    house.stack(other, "Kc 4s 7h 5d")  # seven against nine: the stake is gone, during the round and after it
    at_table.stakes(10, "player")
    at_table.is_ready()
    expect(page.locator("#mine")).to_contain_text("9,990.00")  # asked for by itself, as the round goes on there
    page.get_by_role("link", name=f"Back to {other.name}").click()
    expect(page).to_have_url(re.compile(other.path))


@pytest.mark.in_full
def test_switches_are_remembered(people: People, house: House) -> None:
    screen = people.at(house.table(), "Ana")
    for switch in ("Sound", "Four-colour cards"):
        screen.page.locator(".menu summary").filter(visible=True).first.click()
        button = screen.page.get_by_role("button", name=switch)
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        screen.page.keyboard.press("Escape")
        expect(button).to_be_hidden()
    expect(screen.page.locator("html")).to_have_attribute("data-suits", "four")
    screen.page.reload()
    screen.line("open")
    expect(screen.page.locator("html")).to_have_attribute("data-suits", "four")
    screen.page.locator(".menu summary").filter(visible=True).first.click()
    expect(screen.page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    screen.betting()
    screen.stakes(1, "player")  # with a sound, which nothing complains of


def test_the_clock_strikes_every_ten_minutes_of_a_session(people: People) -> None:
    screen = people.comes("Ana", clock=True)
    screen.goes("/history/")
    clock = screen.page.locator("[data-clock]")
    expect(clock).to_have_class(re.compile("is-striking"))  # the session starts
    screen.page.clock.run_for(5_000)
    expect(clock).not_to_have_class(re.compile("is-striking"))
    screen.page.clock.run_for(9 * 60_000)
    expect(clock).not_to_have_class(re.compile("is-striking"))
    screen.page.clock.run_for(56_000)
    expect(clock).to_have_class(re.compile("is-striking"))


@pytest.mark.in_full
def test_who_comes_back_by_the_browsers_own_button_finds_the_truth(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.betting()
    ana.stakes(5, "player")
    ana.page.locator(".rail__back").click()
    expect(ana.page).to_have_url(re.compile(r"^http://[^/]+/$"))
    bea.stakes(50, "banker")
    ana.page.go_back()
    ana.line("open")
    ana.has("player", 5)
    ana.sees("banker", 50)
    ana.stakes(5, "player")


@pytest.mark.in_full
def test_two_tabs_of_one_player_agree(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    other = ana.another_tab().sits_down_at(table)
    ana.betting()
    other.betting()
    ana.sits(3)
    expect(other.seat(3)).to_have_class(re.compile("is-mine"))
    other.stakes(50, "player")
    ana.has("player", 50)
    ana.deed("undo").click()
    other.has("player", 0)
    ana.agrees_with_the_ledger()
    other.agrees_with_the_ledger()


def test_what_breaks_the_policy_would_be_noticed(people: People) -> None:
    """The watch over all these tests is awake: it hears what the Content-Security-Policy forbids, and errors."""
    screen = people.comes().goes("/accounts/login/")
    with screen.page.expect_console_message():
        screen.page.evaluate("document.body.setAttribute('style', 'color: red')")
    with screen.page.context.expect_event("weberror"):
        screen.page.evaluate("setTimeout(() => { throw new Error('broken') })")
    policy, broken = people.watch.complaints
    assert "Content Security Policy" in policy
    assert "broken" in broken
    people.watch.complaints.clear()
