"""Seats, as two people see them who want the same one."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .house import House
from .kit import People


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
    expect(bea.page.locator("#my-seat")).to_contain_text("Standing")
    assert house.ask("sitting", table=table.id) == {"4": ana.player}
    bea.sits(5)  # and may still choose another
    assert house.ask("sitting", table=table.id) == {"4": ana.player, "5": bea.player}


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
    expect(loser.page.locator("#my-seat")).to_contain_text("Standing")
    assert sitting == {"1": winner.player}


def test_a_seat_is_left_and_free_again_for_all(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea")
    ana.sits(2)
    expect(bea.seat(2)).to_contain_text(ana.name)
    ana.page.get_by_role("button", name="Stand up").click()
    expect(bea.seat(2).locator(".is-free")).to_be_visible()
    expect(ana.page.locator("#my-seat")).to_contain_text("Standing")


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
