"""Stud Poker in real browsers: hands of one's own, choices that stay hidden, the jackpot, what is asked once more."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import CREDIT, PHONE, People, Screen
from .test_playing import shows_what_the_books_say

FACE_UP = ".card:not([data-card=''])"

FLUSH, PAIR, NOTHING, ACE_KING = "Ah Jh 9h 4h 3h", "8s 8d Qh 6c 2c", "Ts 9c 7d 4s 2d", "Ac Kd 8c 7h 5s"


def at_stud(house: House, **options: Any) -> Table:
    """A table with patience, whose results stay for so many milliseconds."""
    return house.table(game="stud_poker", **options)


def antes(screen: Screen, box: int, credits: int, *, jackpot: bool = False) -> None:
    """Lay an ante on the box of one's seat, and the jackpot stake if wanted."""
    screen.stakes(credits, f"ante-{box}")
    if jackpot:
        screen.spot(f"jackpot-{box}").click()
        screen.has(f"jackpot-{box}", 25)


def dealt(house: House, table: Table, cards: str, *people: Screen) -> None:
    """Everybody is ready, and these cards come from the shuffler: five to each box from the first, the dealer last."""
    house.stack(table, cards)
    for screen in people:
        screen.is_ready()


def cards_of(screen: Screen) -> list[str]:
    """The viewer's own cards, in the order of dealing."""
    expect(screen.page.locator(f"#my-cards {FACE_UP}")).to_have_count(5)
    return [card.get_attribute("data-card") or "" for card in screen.page.locator("#my-cards .card").all()]


@pytest.mark.in_full
def test_four_people_one_of_whom_hits_the_jackpot(people: People, house: House) -> None:
    """A royal flush takes it all; one folds, one loses, one wins. Nobody sees a choice before all have decided."""
    table = at_stud(house)
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", language="zh-HK")
    rui = people.at(table, "Rui", screen=PHONE, language="pt-PT")
    mei = people.at(table, "Mei", screen=PHONE)
    everybody = (ana, bea, rui, mei)
    number = int(ana.betting())
    for screen, box in zip(everybody, (1, 2, 5, 7), strict=True):
        screen.sits(box)
        antes(screen, box, 100, jackpot=screen is not rui)
    royal = "As Ks Qs Js Ts"
    dealt(house, table, f"{royal} 8h 8d Qh 6c 2c 9c 7d 5h 4c 2d Kh Kc 3h 3d 4s Jc Jd 9s 7h 5d", *everybody)
    assert cards_of(ana) == royal.split()
    assert cards_of(rui) == ["9c", "7d", "5h", "4c", "2d"]
    expect(ana.page.locator("#my-cards h3")).to_have_text("royal flush")
    expect(ana.page.locator("[data-reads-own]")).to_have_text(
        re.compile(r"royal flush, ace of spades, .*10 of spades$")
    )
    for screen in everybody:
        expect(screen.page.locator("#cards .bank .card")).to_have_count(5)
        expect(screen.page.locator(f"#cards .bank {FACE_UP}")).to_have_count(1)
        expect(screen.page.locator(f".boxed {FACE_UP}")).to_have_count(0)
        expect(screen.page.locator("#jackpot-meter .amount__number")).to_have_text(re.compile(r"500.052.50"))
    expect(mei.page.locator("#chat-lock")).to_contain_text("art. 12(2)")
    rui.clicks_anyway("jackpot-5")
    expect(rui.notice).to_contain_text("antes de distribuída a primeira carta art.º 6(3)")
    expect(rui.own("jackpot-5")).to_have_attribute("data-total", "0")

    ana.chooses("raise")
    expect(ana.page.locator("#decision .choice")).to_have_count(0)
    rui.chooses("fold")
    bea.chooses("raise")
    expect(mei.page.locator(".boxed.is-decided")).to_have_count(3)
    expect(mei.page.locator(".boxed.is-decides")).to_have_count(1)
    expect(mei.page.locator("[data-stake]")).to_have_count(0)
    expect(mei.page.locator(".boxed .card")).to_have_count(20)
    mei.chooses("raise")

    for screen in everybody:
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
        expect(screen.page.locator("#cards .bank.is-turned")).to_be_visible()
        for box, cards, end in ((1, 5, "won"), (2, 5, "lost"), (5, 0, None), (7, 5, "won")):
            expect(screen.page.locator(f"#box-{box} {FACE_UP}")).to_have_count(cards)
            if end:
                expect(screen.page.locator(f"#raise-{box}")).to_have_attribute("data-end", end)
        expect(screen.page.locator("#jackpot-meter .amount__number")).to_have_text(re.compile(r"500.000.00"))
    expect(ana.page.locator("#result")).to_contain_text("The dealer qualifies with one pair")
    expect(mei.page.locator("#result")).to_contain_text(f"Box 1, {ana.name}")
    played = {screen: shows_what_the_books_say(screen, house, number) for screen in everybody}
    assert played[ana]["returned"] == (200 + 200 + 20_000) * CREDIT + 500_052_50
    assert played[bea] == {"staked": 325 * CREDIT, "returned": 0}
    assert played[rui] == {"staked": 100 * CREDIT, "returned": 0}
    assert played[mei]["returned"] == (200 + 600) * CREDIT  # two pairs, 2 to 1


ASKED_AND_TOLD = """() => {
  document.querySelector("#decision [data-asks]").click();
  document.dispatchEvent(new CustomEvent("floor:news"));
}"""
"""It is asked, and a message comes while the answer rests."""


def test_folding_a_prize_is_asked_once_more_and_everything_goes_by_keys(people: People, house: House) -> None:
    table = at_stud(house)
    login = house.newcomer("Ana")
    house.ask("seats", player=login.player, table=table.id, seat=3)
    ana = people.at(table, login=login)
    keys = ana.page.keyboard
    number = ana.betting()
    keys.press("+")
    expect(ana.page.locator("[name=chip]:checked")).to_have_value("10000")
    for pressed, net in ((("f", "k", "f", "Escape", "r"), 1_100 + 1_250 - 25), (("told", "f"), -125)):
        house.stack(table, f"{FLUSH} {ACE_KING}")
        keys.press("3")
        ana.has("ante-3", 100)
        expect(ana.page.locator("[data-costs='3']")).to_have_text("A raise will cost 200")
        keys.press("j")
        ana.has("jackpot-3", 25)
        before = ana.balance
        keys.press("Enter")
        for key in pressed:
            sure, fold = ana.choice("sure"), ana.choice("fold")
            asked = sure.is_visible()
            if asked:
                expect(ana.page.locator("#sure-words")).to_contain_text("loses its prize of the jackpot")
                expect(ana.choice("raise")).to_be_visible()
                expect(sure).to_be_enabled()  # not at once: a finger may be coming down
            else:
                expect(fold).to_be_visible()
            if key == "told":
                expect(ana.page.locator("#decision [aria-disabled]")).to_have_count(0)  # what rests changes by itself
                ana.page.evaluate(ASKED_AND_TOLD)
            else:
                keys.press(key)
            if key in ("k", "Escape"):
                expect(sure).to_be_hidden()
                expect(fold).to_be_focused()
            elif key in ("f", "told") and not asked:
                expect(sure).to_be_visible()
                expect(fold).to_be_hidden()
                expect(ana.choice("keep")).to_be_focused()
        number = ana.betting(not_in=number)
        expect(ana.wallet).to_have_attribute("data-balance", str(before + (net + 125) * CREDIT))
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_a_raise_that_the_balance_does_not_cover(people: People, house: House) -> None:
    """Said beside the ante before it is placed; and they may only fold."""
    table = at_stud(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    number = int(ana.betting())
    ana.sits(1)
    bea.sits(2)
    costs = ana.page.locator("[data-costs='1']")
    ana.stakes(1000, "ante-1", "ante-1", "ante-1")
    expect(costs).to_have_text("6,000 would be left: too little for the raise of 8,000")
    ana.chip(1).click()
    expect(costs).to_have_text("A raise will cost 6,000")
    ana.chip(1000).click()
    ana.stakes(1000, "ante-1")  # they are warned, not hindered
    expect(costs).to_have_text("6,000 is left: too little for the raise of 8,000")
    antes(bea, 2, 100)
    dealt(house, table, f"{FLUSH} {PAIR} {ACE_KING}", ana, bea)
    expect(ana.choice("fold")).to_be_visible()
    expect(ana.choice("raise")).to_be_hidden()
    expect(ana.page.locator("#decision")).to_contain_text("Your balance does not cover a raise of 8,000")
    expect(bea.choice("raise")).to_be_visible()
    ana.page.keyboard.press("r")
    ana.chooses("fold")
    expect(bea.page.locator(".boxed.is-decided")).to_have_count(1)  # the house has heard it
    house.ask("says_that_time_is_over", table=table.id)
    for screen in (ana, bea):
        expect(screen.page.locator("#box-2 .tag--attention")).to_have_text("automatic")
        expect(screen.page.locator("#box-1 .tag--attention")).to_have_count(0)
    assert shows_what_the_books_say(ana, house, number) == {"staked": 4_000 * CREDIT, "returned": 0}
    assert shows_what_the_books_say(bea, house, number) == {"staked": 100 * CREDIT, "returned": 0}


@pytest.mark.in_full
def test_one_bettor_a_box_who_sits_there_and_a_jackpot_stake_that_a_void_round_carries_over(
    people: People, house: House
) -> None:
    table = at_stud(house)
    ana, bea, kai = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE), people.at(table)
    number = ana.betting()
    ana.sits(2)
    bea.clicks_anyway("ante-2")
    expect(bea.notice).to_contain_text("Take a seat to bet here")
    ana.clicks_anyway("ante-5")
    expect(ana.notice).to_contain_text("art. 6(1)")
    ana.spot("jackpot-2").click()
    expect(ana.notice).to_contain_text("The jackpot stake needs an ante art. 10(1)")
    kai.clicks_anyway("ante-3")
    expect(kai.notice).to_contain_text("Play as a guest or log in")
    antes(ana, 2, 100, jackpot=True)
    house.stack(table, f"{FLUSH} {ACE_KING}")
    ana.is_ready()
    expect(ana.choice("raise")).to_be_visible()
    house.ask("voids", table=table.id, reason="cards mixed up")
    for screen in (ana, bea, kai):
        expect(screen.page.locator("#result")).to_contain_text("jackpot stakes stay for the next round")
        expect(screen.page.locator(f"#cards .bank {FACE_UP}")).to_have_count(1)
        expect(screen.page.locator(f".boxed {FACE_UP}")).to_have_count(0)
    number = ana.betting(not_in=number)
    expect(bea.page.locator("#box-2")).to_contain_text("Carried jackpot stake: live with an ante")
    ana.has("jackpot-2", 25)
    antes(ana, 2, 100)
    expect(kai.page.locator("#box-2")).to_contain_text("Carried jackpot stake: live ruling R14")
    dealt(house, table, f"{FLUSH} {ACE_KING}", ana)
    ana.chooses("raise")
    played = shows_what_the_books_say(ana, house, int(number))
    assert played == {"staked": 300 * CREDIT, "returned": (200 + 1_200 + 1_250) * CREDIT}
