"""Blackjack in real browsers: shared boxes, decisions by mouse and by key, what happens to whoever says nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from .house import House, Table
from .kit import PHONE, People, Screen
from .test_playing import shows_what_the_books_say

FACE_UP = ".card:not([data-card=''])"


def at_blackjack(house: House, **options: Any) -> Table:
    """A table with patience, whose results stay for so many milliseconds."""
    return house.table(game="blackjack", **options)


def dealt(house: House, table: Table, cards: str, *people: Screen) -> None:
    """Everybody is ready, and these cards come: to the boxes from the first, the bank, the boxes again, …"""
    house.stack(table, cards)
    for screen in people:
        screen.is_ready()


def matches(house: House, number: int) -> list[str]:
    """Who matched what others did in a round, and who did not."""
    return [line for line in house.ask("actions", round=number) if line.endswith((" match", " pass"))]


@pytest.mark.in_full
def test_three_people_at_one_box_play_a_split_that_one_matches_and_one_refuses(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", language="zh-HK")
    rui = people.at(table, "Rui", screen=PHONE)
    number = int(ana.betting())
    ana.sits(2)
    bea.stakes(100, "main-2")
    rui.stakes(50, "main-2")
    ana.stakes(100, "main-2")
    rui.sees("main-2", 250)
    expect(rui.page.locator("#box-2 .boxed__decider")).to_contain_text(f"Decision: {ana.name}")
    expect(rui.page.locator("#box-2 .boxed__decider")).to_contain_text("art. 20(1)(2)")

    dealt(house, table, "8s 9d 8h Tc 3c 9c Td", ana, bea, rui)
    expect(ana.choice("split")).to_contain_text("100")
    expect(ana.choice("surrender")).to_be_visible()
    expect(bea.choice("hit")).to_have_count(0)
    ana.chooses("split")

    for screen, cost in ((bea, "100"), (rui, "50")):
        expect(screen.choice("match").locator(".choice__cost")).to_contain_text(cost)
        expect(screen.choice("pass")).to_be_visible()
        expect(screen.page.locator("#decision")).to_contain_text(ana.name)
    expect(rui.choice("match")).to_contain_text("else your stake stays on the first hand")
    expect(rui.page.locator("#decision")).to_contain_text("Whoever does not match stays on the first hand")
    expect(ana.page.locator("#decision .choice")).to_have_count(0)
    bea.chooses("match")
    expect(bea.page.locator("#decision .choice")).to_have_count(0)
    rui.chooses("pass")

    expect(ana.choice("stand")).to_be_visible()  # 18 on the first hand
    for screen in (ana, bea, rui):
        expect(screen.page.locator("#box-2 .hand")).to_have_count(2)
        expect(screen.hand(2, 0).locator(".stake")).to_have_count(3)
        expect(screen.hand(2, 1).locator(".stake")).to_have_count(2)
        expect(screen.stake_of(rui, 2, 1)).to_have_count(0)
    ana.chooses("stand")
    expect(ana.hand(2, 1).locator(".points")).to_have_text("11")
    ana.chooses("hit")
    expect(ana.hand(2, 1).locator(".points")).to_have_text("20")
    ana.chooses("stand")

    played = {screen: shows_what_the_books_say(screen, house, number) for screen in (ana, bea, rui)}
    assert played[ana] == played[bea] == {"staked": 200_00, "returned": 200_00}  # 18 loses to 19, and 20 wins
    assert played[rui] == {"staked": 50_00, "returned": 0}
    for screen in (ana, bea, rui):
        expect(screen.stake_of(rui, 2, 0)).to_have_attribute("data-end", "lost")
        expect(screen.stake_of(bea, 2, 1)).to_have_attribute("data-end", "won")
    assert matches(house, number) == [f"p{bea.player} match", f"p{rui.player} pass"]


def test_a_finger_already_on_its_way_presses_no_choice_that_has_just_come(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea")
    ana.betting()
    ana.stakes(100, "main-1")
    bea.stakes(100, "main-2")
    dealt(house, table, "Tc 9c As 5h 8h 2s Kd", ana, bea)
    expect(ana.choice("ready")).to_be_visible()
    expect(ana.choice("stand")).to_have_count(0)
    ana.page.evaluate(
        """() => document.addEventListener("floor:news", () => {
             const stand = document.querySelector("#decision .choice--stand");
             if (!stand || window.pressed) return;
             window.pressed = true;
             stand.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
           })"""
    )
    bea.chooses("ready")  # now ana alone is asked, and may begin
    ana.chooses("hit")
    assert ana.page.evaluate("window.pressed")
    expect(ana.hand(1, 0).locator(".points")).to_have_text("17")


@pytest.mark.in_full
def test_a_player_alone_plays_by_the_keyboard(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana = people.at(table, "Ana")
    keys = ana.page.keyboard
    number = ana.betting()
    cents = 10_000_00
    for cards, pressed, net in (
        ("Tc As 9h 7s", "i s", 10_00 - 5_00),  # insured against an ace; 19 against 18
        ("Tc Kd 6h", "u", -5_00),  # half comes back
        ("5c 9d 4h 2c 9s Kh", "h h s", 10_00),  # 9, 11, 20 against 19
        ("6c 6d 5h Tc Ts Kh", "d", 20_00),  # doubled, 21 against 26
        ("8c 6d 8h Tc 3c 9c Ts Qh", "p s h s", 20_00),  # 18 and 20 against 26
    ):
        house.stack(table, cards)
        keys.press("+")
        keys.press("+")
        expect(ana.page.locator("[name=chip]:checked")).to_have_value("1000")
        keys.press("1")
        ana.has("main-1", 10)
        keys.press("Enter")
        for key in pressed.upper().split():
            expect(ana.page.locator(f'#decision [aria-keyshortcuts="{key}"]')).to_be_visible()
            expect(ana.page.locator("#decision [aria-disabled]")).to_have_count(0)  # what rests changes by itself
            asked = ana.page.locator("#decision").inner_html()
            keys.press(key.lower())
            expect(ana.page.locator("#decision")).not_to_have_js_property("innerHTML", asked)
        cents += net
        number = ana.betting(not_in=number)
        expect(ana.wallet).to_have_attribute("data-balance", str(cents))
        keys.press("-")
        keys.press("-")
    ana.agrees_with_the_ledger()


@pytest.mark.in_full
def test_who_says_nothing_stands_and_it_is_marked(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    number = int(ana.betting())
    ana.stakes(50, "main-3")
    bea.stakes(50, "main-1")
    dealt(house, table, "Tc 5s 9d Td 6h 8c", ana, bea)
    bea.choice("ready").click()
    expect(ana.page.locator("#decision")).to_contain_text("No answer: no insurance and no surrender")
    house.ask("says_that_time_is_over", table=table.id)  # of the window: Ana has not answered
    expect(bea.choice("stand")).to_be_visible()
    bea.chooses("stand")
    expect(ana.choice("hit")).to_be_visible()
    expect(ana.page.locator("#decision")).to_contain_text("The hand stands")
    house.ask("says_that_time_is_over", table=table.id)
    for screen in (ana, bea):
        expect(screen.hand(3).locator(".tag--attention")).to_have_text("automatic")
        expect(screen.page.locator("#box-1 .tag--attention")).to_have_count(0)
    expect(ana.page.locator("#decision .choice")).to_have_count(0)
    assert shows_what_the_books_say(ana, house, number) == {"staked": 50_00, "returned": 0}
    assert "house stand" in house.ask("actions", round=number)


@pytest.mark.in_full
def test_whoever_follows_matches_by_himself_this_round_and_the_next(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    number = ana.betting()
    ana.sits(4)
    bea.betting()
    bea.page.locator("[data-presets] summary").click()
    doubles = bea.page.get_by_role("button", name="Follow doubles")
    doubles.click()
    expect(doubles).to_have_attribute("aria-pressed", "true")
    expect(bea.page.get_by_role("button", name="Follow splits")).to_have_attribute("aria-pressed", "false")
    bea.page.keyboard.press("Escape")
    for _ in range(2):  # it is remembered
        ana.stakes(50, "main-4")
        bea.stakes(10, "main-4")
        expect(ana.page.locator("#box-4 .bettor", has_text=bea.name)).to_contain_text("follows without being asked")
        dealt(house, table, "6c 9d 5h Tc 8c", ana, bea)
        ana.chooses("double")
        expect(ana.stake_of(bea, 4)).to_contain_text("20")
        expect(bea.stake_of(bea, 4)).to_have_attribute("data-end", "won")
        assert matches(house, int(number)) == [f"p{bea.player} match"]
        before, number = number, ana.betting(not_in=number)
        bea.betting(not_in=before)
    bea.agrees_with_the_ledger()


@pytest.mark.in_full
def test_one_player_plays_several_boxes_one_after_the_other(people: People, house: House) -> None:
    table = at_blackjack(house)
    ana = people.at(table, "Ana")
    number = int(ana.betting())
    ana.stakes(50, "main-1", "main-4", "main-7")
    ana.clicks_anyway("main-2")
    expect(ana.notice).to_contain_text("art. 3(2)")
    ana.has("main-2", 0)
    ana.stakes(5, "any_pair-4")
    dealt(house, table, "Tc 9s 6c 9d 9h 9c 5h Kc Ts", ana)
    for box, kind, shown in ((1, "stand", "19"), (4, "stand", "18"), (7, "double", "11")):
        expect(ana.hand(box).locator(".points")).to_have_text(shown)
        button = ana.page.locator(f'#decision [data-send*=\'"do": "{kind}", "box": {box}\']')
        expect(button).to_be_visible()
        button.click()
    played = shows_what_the_books_say(ana, house, number)
    # 19 is a tie, 18 loses, and 21 doubled wins; the pair pays 11 to 1
    assert played == {"staked": 205_00, "returned": 50_00 + 200_00 + 60_00}
    ends = {box: ana.stake_of(ana, box).get_attribute("data-end") for box in (1, 4, 7)}
    assert ends == {1: "push", 4: "lost", 7: "won"}


@pytest.mark.in_full
def test_the_cut_of_a_shoe_is_offered_and_made(people: People, house: House) -> None:
    table = at_blackjack(house, dealing_device="shoe", initial_burn="one_per_deck")
    login = house.newcomer("Ana")
    house.ask("seats", player=login.player, table=table.id, seat=2)
    ana = people.at(table, login=login)
    rui = people.at(table, "Rui", screen=PHONE)
    ana.phase("cut")
    expect(rui.page.locator("[data-cutter]")).to_be_hidden()
    expect(rui.page.locator("#cards")).to_contain_text(f"{ana.name} is offered the cut")
    slider = ana.page.locator("[data-cut-at]")
    slider.fill("120")
    rui.sits(5)  # a push must not take the slider back
    expect(ana.seat(5)).to_contain_text(rui.name)
    expect(slider).to_have_value("120")
    ana.page.get_by_role("button", name="Cut", exact=True).click()
    number = int(ana.betting())
    assert f"p{ana.player} cut" in house.ask("actions", round=number)
    expect(ana.page.locator("[data-burnt]")).to_have_attribute("data-burnt", "6")
    expect(ana.page.locator(f".discard {FACE_UP}")).to_have_count(0)
    assert house.ask("actions", round=number).count("house card") == 6


@pytest.mark.in_full
def test_cards_that_lie_face_down_are_seen_by_the_bettors_of_the_box_alone(people: People, house: House) -> None:
    table = at_blackjack(house, dealing_device="metal_box", decks=1, deal_procedure=1)
    ana, bea = people.at(table, "Ana"), people.at(table, "Bea", screen=PHONE)
    ana.betting()
    ana.stakes(50, "main-1")
    bea.stakes(50, "main-2")
    dealt(house, table, "5c 9s 7d 6h 9c Td Kc", ana, bea)
    ana.choice("ready").click()
    bea.choice("ready").or_(bea.choice("stand")).first.click()
    expect(ana.choice("double")).to_be_visible()
    expect(ana.page.locator(f"#my-cards {FACE_UP}")).to_have_count(2)
    expect(ana.page.locator("#my-cards")).to_contain_text("11")
    expect(bea.page.locator("#my-cards")).to_contain_text("18")
    for screen in (ana, bea):
        expect(screen.page.locator(".hand .card")).to_have_count(4)
        expect(screen.page.locator(f".hand {FACE_UP}")).to_have_count(0)
        expect(screen.page.locator("#cards .bank .card")).to_have_count(2)
        expect(screen.page.locator(f"#cards .bank {FACE_UP}")).to_have_count(1)
    ana.chooses("double")
    bea.chooses("stand")
    for screen in (ana, bea):  # 21 and 18 against 17, all of them turned
        expect(screen.page.locator(f".hand {FACE_UP}")).to_have_count(5)
        expect(screen.page.locator(f"#cards .bank {FACE_UP}")).to_have_count(2)
        expect(screen.page.locator("#my-cards .card")).to_have_count(0)
