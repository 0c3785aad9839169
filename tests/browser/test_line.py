"""The line to the house: when it is down the page says so, takes no bet, and comes back by itself with the truth."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .house import House
from .kit import PHONE, People, Screen

GONE = (
    r"WebSocket connection to .* failed",
    r"ERR_CONNECTION_(REFUSED|RESET)|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE",
    r"\[object Event\] \(.*/htmx-2",
)
"""What Chromium and htmx write into the console when nobody answers."""

LOST = "Connection lost. No bets are taken; reconnecting…"


def says_that_it_is_down(screen: Screen) -> None:
    """In words and by its light; the felt is grey and nothing on it can be pressed."""
    expect(screen.page.locator("[data-lost]")).to_be_visible()
    expect(screen.page.locator("[data-lost]")).to_have_text(LOST)
    screen.line("closed")
    expect(screen.page.locator("#floor")).to_have_class(re.compile("is-down"))
    expect(screen.spot("player")).to_have_attribute("aria-disabled", "true")
    expect(screen.deed("ready")).to_have_attribute("aria-disabled", "true")


def clicks_in_vain(screen: Screen, spot: str) -> None:
    """A bet clicked while the line is down is refused there and then."""
    screen.clicks_anyway(spot)
    expect(screen.notice).to_have_text("Connection lost.")


def is_whole_again(screen: Screen) -> None:
    screen.line("open")
    expect(screen.page.locator("[data-lost]")).to_be_hidden()
    expect(screen.page.locator("#floor")).not_to_have_class(re.compile("is-down"))
    expect(screen.notice).to_have_count(0)


def test_the_house_dies_and_the_round_goes_on_where_it_was(people: People, house: House) -> None:
    people.watch.expects(*GONE)
    table = house.table(dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=1)
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", screen=PHONE)
    number = ana.betting()
    bea.betting()
    ana.sits(1)
    ana.stakes(50, "player")
    bea.stakes(10, "banker")
    ana.sees("banker", 10)

    house.die()
    for screen in (ana, bea):
        says_that_it_is_down(screen)
        clicks_in_vain(screen, "banker")

    house.open()
    for screen in (ana, bea):
        is_whole_again(screen)
        assert screen.betting() == number
        expect(screen.spot("player")).to_have_attribute("aria-disabled", "false")
        screen.sees("player", 50)
        screen.sees("banker", 10)
    ana.has("player", 50)
    bea.has("banker", 10)
    expect(ana.seat(1)).to_have_class(re.compile("is-mine"))

    bea.stakes(5, "tie")  # what is said now arrives, and nothing that was said meanwhile does
    assert house.ask("stakes", table=table.id) == {
        f"{ana.player} player": 50_00,
        f"{bea.player} banker": 10_00,
        f"{bea.player} tie": 5_00,
    }
    ana.is_ready()
    bea.is_ready()
    ana.phase("open_player")

    house.die()  # with cards on the felt that nobody has seen yet
    says_that_it_is_down(ana)
    house.open()
    is_whole_again(ana)
    is_whole_again(bea)
    ana.phase("open_player")
    assert ana.rail.get_attribute("data-round") == number
    expect(ana.page.locator("#cards .card")).to_have_count(4)
    ana.turns_until_the_result()
    for screen in (ana, bea):
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        played = house.ask("played", round=int(number), player=screen.player)
        expect(screen.page.locator("#my-result")).to_have_attribute("data-returned", str(played["returned"]))
    done = house.ask("actions", round=int(number))
    assert done.count(f"p{bea.player} bet") == 2
    assert done.count(f"p{ana.player} bet") == 1


def test_a_browser_that_goes_offline_says_so_and_sends_nothing_later(people: People, house: House) -> None:
    people.watch.expects(*GONE)
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.betting()
    bea.betting()
    ana.page.context.set_offline(True)
    says_that_it_is_down(ana)
    clicks_in_vain(ana, "player")
    ana.deed("ready").dispatch_event("click")
    bea.stakes(10, "banker")
    ana.sees("banker", 0)  # nothing on a felt that is down is taken for the truth
    ana.page.evaluate("for (const one of document.querySelectorAll('#all-tie, #all-banker')) one.wasThere = true")
    ana.page.context.set_offline(False)
    is_whole_again(ana)
    ana.sees("banker", 10)
    # the whole felt has come, and of it was put in its place what is new
    kept = "['tie', 'banker'].map((spot) => Boolean(document.getElementById(`all-${spot}`).wasThere))"
    assert ana.page.evaluate(kept) == [True, False]
    ana.stakes(5, "player")
    assert house.ask("stakes", table=table.id) == {f"{ana.player} player": 5_00, f"{bea.player} banker": 10_00}
    expect(ana.wallet).to_have_attribute("data-ready", "0")


@pytest.mark.in_full
def test_a_house_that_falls_silent_is_noticed(people: People, house: House) -> None:
    """The line neither answers nor ends; the page's own watch finds out."""
    people.watch.expects(*GONE, r"WebSocket is closed before the connection is established")
    table = house.table()
    ana = people.comes("Ana", clock=True)
    ana.sits_down_at(table)
    ana.betting()
    with house.frozen():
        ana.page.clock.fast_forward(30_000)
        says_that_it_is_down(ana)
        clicks_in_vain(ana, "player")
    is_whole_again(ana)
    assert house.ask("stakes", table=table.id) == {}


@pytest.mark.in_full
def test_a_gap_in_what_was_pushed_is_made_whole(people: People, house: House) -> None:
    table = house.table()
    ana = people.comes("Ana")
    line = ana.slow_to_hear()
    ana.sits_down_at(table)
    bea = people.at(table, "Bea")
    ana.betting()
    bea.betting()
    line.hold()
    bea.stakes(10, "banker")
    ana.sees("banker", 0)
    line.lose()
    bea.stakes(5, "tie")
    ana.sees("tie", 5)
    ana.sees("banker", 10)


@pytest.mark.in_full
def test_logging_out_closes_the_line_of_the_other_tab(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    other = ana.another_tab().goes("/accounts/logout/")
    other.page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(ana.page.locator(".tray__join")).to_contain_text("You are watching.")
    ana.line("open")
    expect(ana.wallet).not_to_have_attribute("data-me", re.compile("."))


@pytest.mark.in_full
def test_the_lobby_too_says_that_the_line_is_down(people: People, house: House) -> None:
    people.watch.expects(*GONE)
    table = house.table()
    screen = people.comes().goes("/")
    words = screen.page.locator("[data-line-words]")
    expect(words).to_have_text("Connected")
    house.die()
    expect(words).to_have_text("Connection lost")
    house.open()
    expect(words).to_have_text("Connected")
    people.at(table, "Ana").betting()
    expect(screen.page.locator(f"#table-{table.slug}")).to_contain_text("Place your bets")
