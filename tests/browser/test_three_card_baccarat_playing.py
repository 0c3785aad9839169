"""3-Card Baccarat in real browsers: several places, stakes that a tie locks, cards that one alone sees, the look."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import KIOSK, PHONE, People, Screen
from .test_access import fits_a_thumb, is_accessible
from .test_blackjack_look import lie_apart
from .test_playing import shows_what_the_books_say

FACE_UP = ".card:not([data-card=''])"


def at_three_card(house: House, **options: Any) -> Table:
    """A table at which nobody's time runs out, whose results stay for so many milliseconds."""
    return house.table(game="three_card_baccarat", **options)


def looks(screen: Screen, *hand: str) -> None:
    """Expect the bettor to be asked, and shown these cards of their place; for a burnt one another of its rank."""
    expect(screen.page.locator(f"#my-cards {FACE_UP}")).to_have_count(3)
    shown = [card.get_attribute("data-card") or "" for card in screen.page.locator("#my-cards .card").all()]
    assert [card[0] for card in shown] == [card[0] for card in hand]
    expect(screen.choice("ready")).to_be_visible()


def ended(screen: Screen, place: int, how: str) -> None:
    """Expect a place to be open and to say in a word how it ended."""
    expect(screen.page.locator(f"#place-{place} {FACE_UP}")).to_have_count(3)
    expect(screen.page.locator(f"#place-{place} .tag")).to_have_text(how)


@pytest.mark.in_full
def test_a_tie_locks_stakes_which_are_raised_and_win_in_the_next_round(people: People, house: House) -> None:
    """Ana plays two places, Bea a third, and Rui stands behind Ana."""
    table = at_three_card(house, standing_bets=True)
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", screen=KIOSK, language="pt-PT")
    rui = people.at(table, "Rui", screen=PHONE)
    first = ana.betting()
    ana.sits(2)
    bea.sits(5)
    ana.stakes(100, "place-2", "place-3")
    rui.stakes(50, "place-2")
    rui.stakes(10, "tie-2")
    bea.stakes(500, "place-5")
    bea.stakes(10, "points_9", "three_figures")
    ana.chip(50).click()
    ana.page.keyboard.press("o")
    ana.has("odd", 50)
    rui.sees("place-2", 150)
    expect(rui.page.locator("#place-2")).to_contain_text(ana.name)

    # to places 2, 3 and 5 and the banker, card by card: 2 and the banker have nine with two court cards
    house.stack(table, "Qs Kh 2c Ks 9h Js 5d 9c Kd Qd 9s Qc")
    for screen in (ana, bea, rui):
        screen.is_ready()
    looks(ana, "Qs", "9h", "Kd")
    looks(bea, "2c", "5d", "9s")
    expect(ana.page.locator("#my-cards")).to_contain_text("nine with two court cards")
    expect(rui.page.locator("#my-cards .card")).to_have_count(0)
    expect(rui.choice("ready")).to_have_count(0)
    for screen in (ana, bea, rui):
        expect(screen.page.locator(".hand .card")).to_have_count(9)
        expect(screen.page.locator(f".hand {FACE_UP}")).to_have_count(0)
        expect(screen.page.locator(f"#cards .bank {FACE_UP}")).to_have_count(0)
    ana.page.keyboard.press("Enter")
    expect(rui.seat(2).locator(".mark--ready")).to_be_visible()
    expect(rui.page.locator("#cards")).to_contain_text(f"The dealer waits for {bea.name}")
    bea.chooses("ready")

    for screen in (ana, rui):
        ended(screen, 2, "tie")
        ended(screen, 3, "wins")
        ended(screen, 5, "loses")
        expect(screen.page.locator("#cards .bank .points")).to_have_text("9")
    round_ = int(first)
    assert shows_what_the_books_say(ana, house, round_, carried=100_00) == {
        "staked": 250_00,
        "returned": 195_00 + 97_50,
    }
    assert shows_what_the_books_say(bea, house, round_) == {"staked": 520_00, "returned": 90_00}
    assert shows_what_the_books_say(rui, house, round_, carried=50_00) == {"staked": 60_00, "returned": 210_00}
    expect(ana.page.locator("#my-result")).to_contain_text("− commission 5.00")
    expect(ana.page.locator("#my-result")).to_contain_text("art. 7(2)")

    second = ana.betting(not_in=first)
    rui.betting(not_in=first)
    for screen in (ana, bea, rui):
        expect(screen.page.locator("#place-2 .boxed__locked")).to_contain_text("150")
    ana.stakes(50, "place-2")
    ana.has("place-2", 150)
    expect(ana.own("place-2")).to_contain_text("100 locked")
    expect(ana.page.locator("#my-result")).to_contain_text("150.00 plays")
    ana.page.locator(".sheet > summary").first.click()
    lines = ana.page.locator(".my-stakes__one")
    expect(lines.nth(0).locator("button")).to_have_count(0)  # what is locked stays
    expect(lines.nth(1).get_by_role("button", name="Take back")).to_be_visible()
    ana.page.locator(".sheet > summary").first.click()

    house.stack(table, "3c 9d 7d Kc 6c Ts Jd")  # one is burnt; place 2 and the banker: nine against three
    for screen in (ana, bea, rui):
        screen.is_ready()
    looks(ana, "9d", "Kc", "Ts")
    ana.chooses("ready")
    ended(rui, 2, "wins")
    played = shows_what_the_books_say(ana, house, int(second), carried=-100_00)  # which was staked in the first round
    assert played == {"staked": 50_00, "returned": 292_50}
    assert shows_what_the_books_say(rui, house, int(second), carried=-50_00) == {"staked": 0, "returned": 97_50}


def test_what_ones_own_cards_come_to_is_told_once_they_lie_there(people: People, house: House) -> None:
    table = at_three_card(house)
    ana = people.at(table, "Ana", reduced_motion="no-preference")
    ana.betting()
    ana.sits(6)
    ana.stakes(100, "place-6")
    house.stack(table, "3c 9d 7d Kc 6c Ts")
    ana.watches("#my-cards .is-revealing", "#my-cards :is(h3 > b, .my-cards__why, .points)")
    ana.is_ready()
    looks(ana, "3c", "7d", "6c")
    expect(ana.page.locator("#my-cards .points")).to_be_visible()
    ana.was_told_nothing_early()


@pytest.mark.in_full
def test_the_cut_is_offered_at_a_place_and_who_has_none_reads_why_he_may_not_bet(people: People, house: House) -> None:
    table = at_three_card(house, decks=1)
    login = house.newcomer("Ana")
    house.ask("seats", player=login.player, table=table.id, seat=3)
    ana, rui = people.at(table, login=login), people.at(table, "Rui", screen=PHONE)
    ana.phase("cut")
    expect(rui.page.locator("#cards")).to_contain_text(f"{ana.name} is offered the cut")
    expect(rui.page.locator("[data-cutter]")).to_be_hidden()
    ana.page.locator("[data-cut-at]").fill("40")
    ana.page.get_by_role("button", name="Cut", exact=True).click()
    first = ana.betting()
    assert f"p{ana.player} cut" in house.ask("actions", round=int(first))
    expect(ana.page.locator("[data-burnt]")).to_have_attribute("data-burnt", "1")
    expect(rui.page.locator("#decision")).to_contain_text("Only bettors who occupy a place may bet here")
    rui.clicks_anyway("place-3")
    expect(rui.notice).to_contain_text("art. 4(2)")
    rui.has("place-3", 0)
    rui.sits(4)  # and now they may
    expect(rui.page.locator("#decision")).to_be_hidden()
    rui.stakes(10, "place-4")
    ana.clicks_anyway("tie-2")  # there is no place bet
    expect(ana.notice).to_contain_text("art. 8(3)")
    ana.has("tie-2", 0)
    house.stack(table, "9c 2d 9d 3d Kc Ts")
    for screen in (ana, rui):
        screen.is_ready()
    looks(rui, "9c", "9d", "Kc")
    expect(ana.page.locator("#my-cards .card")).to_have_count(0)
    rui.chooses("ready")
    ana.has_seen(first)
    ana.phase("cut")  # from the box one round is dealt (3(2))


SEEN = """() => {
  const rect = one => { const r = one.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const all = what => [...document.querySelectorAll(what)].filter(one => one.checkVisibility()).map(rect);
  const parts = box => [".boxed", ".spot--tie", ".spot--place", ".seat"].map(what => rect(box.querySelector(what)));
  return {
    rows: [".bank__cards", ".board", ".boxes"].map(what => rect(document.querySelector(what))),
    board: all(".board .spot"),
    places: [...document.querySelectorAll(".box")].map(parts),
    hands: [...document.querySelectorAll(".boxed .hand")].map(hand =>
      [rect(hand), rect(hand.closest(".boxed"))]),
  };
}"""
"""Where everything lies on one screen, in one go."""


def lies_in_order(screen: Screen, what: str) -> None:
    """Expect that nothing lies over anything, and that no hand has grown out of its room."""
    seen = screen.page.evaluate(SEEN)
    lie_apart(seen["rows"], f"{what}: bank, board, places")
    lie_apart(seen["board"], f"{what}: the board")
    for parts in seen["places"]:
        lie_apart(parts, f"{what}: a place")
    for hand, room in seen["hands"]:
        assert hand[3] <= room[3] + 1, f"{what}: a hand of {hand} in a room of {room}"
    screen.does_not_scroll_sideways()


@pytest.mark.in_full
def test_every_moment_of_a_round_is_accessible_and_nothing_lies_over_anything(people: People, house: House) -> None:
    table = at_three_card(house)
    ana, bea = people.at(table, "Ana", screen=PHONE), people.at(table, "Bea")
    rui = people.at(table, screen=KIOSK)
    every = (ana, bea, rui)
    ana.betting()
    ana.sits(3)
    bea.sits(1)
    ana.stakes(100, "place-3", "place-1", "odd", "points_4")
    bea.stakes(10, "place-1", "tie-1", "tie-3", "three_figures", "even", "points_4", "points_0")
    ana.sees("place-1", 110)
    before = bea.spot("place-3").bounding_box()
    for screen in every:
        lies_in_order(screen, "betting")
    for screen in (ana, rui):
        is_accessible(screen, "betting", seen_before=screen is rui)
    fits_a_thumb(ana.page.locator(".box[data-box='3'] :is(.spot, .seat), .board .spot, .chip, .deed, .sheet__open"))
    house.stack(table, "3c 7d Kc 4c 3d Qd 6d Td Jd")
    for screen in (ana, bea):
        screen.is_ready()
    looks(ana, "7d", "3d", "Td")
    looks(bea, "3c", "4c", "6d")
    fits_a_thumb(ana.page.locator("#decision button"))
    for screen in every:
        lies_in_order(screen, "the look")
    for screen in (ana, bea):
        is_accessible(screen, "the look", seen_before=screen is bea)
    assert bea.spot("place-3").bounding_box() == before, "it has moved when the cards came"
    for screen in (ana, bea):
        screen.chooses("ready")
    for screen in every:
        ended(screen, 1, "loses")
        ended(screen, 3, "loses")
        screen.phase("settled")
        lies_in_order(screen, "the result")
    for screen in (ana, bea):
        is_accessible(screen, "the result", seen_before=screen is bea)
    expect(ana.page.locator("#my-result")).to_be_in_viewport()
