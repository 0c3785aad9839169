"""Seats, as two people see them who want the same one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible


def test_two_click_the_same_seat_and_the_other_is_told(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.comes("Bea")
    slow = bea.slow_to_hear()
    bea.sits_down_at(table)
    ana.betting()
    bea.betting()
    slow.hold()  # on Bea's screen the seat stays free for a moment longer
    ana.sits(4)
    expect(bea.seat(4)).not_to_contain_text(ana.name)
    bea.seat(4).click()
    slow.go_on()
    expect(bea.notice).to_contain_text("Seat 4 has just been taken.")
    expect(bea.seat(4)).to_contain_text(ana.name)
    expect(bea.seat(4)).not_to_have_class(re.compile("is-mine"))
    expect(bea.page.locator("#my-seat")).to_contain_text("Not seated")
    assert house.ask("sitting", table=table.id) == {"4": ana.player}
    bea.sits(5)  # and may still choose another
    assert house.ask("sitting", table=table.id) == {"4": ana.player, "5": bea.player}


@pytest.mark.in_full
def test_both_click_at_the_same_moment_and_one_has_it(people: People, house: House) -> None:
    table = house.table()
    both = [people.at(table, name) for name in ("Ana", "Bea")]
    for screen in both:
        screen.betting()
    at = both[0].page.evaluate("Date.now() + 700")
    for screen in both:
        screen.page.evaluate(
            "at => { setTimeout(() => document.querySelector('.seat[data-seat=\"1\"]').click(), at - Date.now()) }", at
        )
    for screen in both:
        expect(screen.seat(1).locator(".is-taken")).to_be_visible()
    sitting = house.ask("sitting", table=table.id)
    (winner,) = [screen for screen in both if screen.player == sitting["1"]]
    (loser,) = [screen for screen in both if screen is not winner]
    expect(winner.seat(1)).to_have_class(re.compile("is-mine"))
    expect(loser.seat(1)).to_contain_text(winner.name)
    expect(loser.page.locator("#my-seat")).to_contain_text("Not seated")
    assert sitting == {"1": winner.player}


@pytest.mark.in_full
def test_a_seat_is_left_and_free_again_for_all(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.sits(2)
    expect(bea.seat(2)).to_contain_text(ana.name)
    ana.page.get_by_role("button", name="Stand up").click()
    expect(bea.seat(2).locator(".is-free")).to_be_visible()
    expect(ana.page.locator("#my-seat")).to_contain_text("Not seated")


def with_a_hand(people: People, house: House, screen: dict[str, Any]) -> tuple[Screen, Locator, Locator]:
    """Ana has to decide on a hand of Stud Poker: her button to stand up, and the question."""
    table = house.table(game="stud_poker")
    ana = people.at(table, "Ana", screen=screen)
    ana.betting()
    ana.sits(2)
    ana.stakes(100, "ante-2")
    ana.is_ready()
    expect(ana.choice("raise")).to_be_enabled()
    return ana, ana.page.locator("#my-seat button"), ana.page.get_by_role("dialog", name="Leave your seat?")


def has_folded(ana: Screen) -> None:
    expect(ana.page.locator("#my-seat")).to_contain_text("Not seated")
    ana.phase("dealer_reveal", "compare", "jackpot", "result", "settled")
    expect(ana.page.locator("#decision .choice")).to_have_count(0)


@pytest.mark.in_full
def test_leaving_with_a_hand_is_asked_first_and_answered_by_keys(people: People, house: House) -> None:
    """61/2004, 6(4): it folds at once. While it is asked no key decides."""
    ana, stands_up, asked = with_a_hand(people, house, DESK)
    stands_up.press("Enter")
    expect(asked).to_contain_text("Your hand folds at once, and your ante is lost. art. 6(4)")
    expect(asked.get_by_role("button", name="Keep my seat")).to_be_focused()
    is_accessible(ana, "asked whether to leave the seat")
    for choice in ("raise", "fold"):
        ana.page.keyboard.press(ana.choice(choice).get_attribute("aria-keyshortcuts") or "")
    ana.page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(ana.choice("raise")).to_be_enabled()
    expect(stands_up).to_be_focused()
    ana.page.keyboard.press("Enter")
    goes = asked.get_by_role("button", name="Stand up")
    expect(goes).not_to_have_attribute("aria-disabled", "true")
    goes.press("Enter")
    expect(asked).to_be_hidden()
    has_folded(ana)


def test_leaving_with_a_hand_is_asked_first_and_answered_by_touch(people: People, house: House) -> None:
    ana, stands_up, asked = with_a_hand(people, house, PHONE)
    stands_up.tap()
    fits_a_thumb(asked.locator("button"))
    asked.get_by_role("button", name="Keep my seat").tap()
    expect(asked).to_be_hidden()
    expect(ana.page.locator("#my-seat")).to_have_attribute("data-seat", "2")
    stands_up.tap()
    goes = asked.get_by_role("button", name="Stand up")
    expect(goes).not_to_have_attribute("aria-disabled", "true")
    goes.tap()
    has_folded(ana)


@pytest.mark.in_full
def test_who_closes_his_page_keeps_his_seat_and_finds_it_again(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.sits(2)
    ana.goes("/history/")
    expect(bea.seat(2).locator(".mark--away")).to_be_visible()
    expect(bea.seat(2)).to_contain_text(ana.name)
    ana.sits_down_at(table)
    expect(bea.seat(2).locator(".mark--away")).to_have_count(0)
    expect(ana.seat(2)).to_have_class(re.compile("is-mine"))
