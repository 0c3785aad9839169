"""Two people at one table play rounds to their end, and what their screens say is what the books say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House, Table
from .kit import DESK, PHONE, People, Screen, cents_of

A_SHOE: dict[str, Any] = {"dealing_device": "shoe", "burn_mode": "fixed_n", "burn_fixed_n": 1, "tie_policy": "return"}
"""A dealer deals from a shoe, and bettors hold the cards; a tie gives stakes back, so that rounds are alike."""


BACKS = """
() => {
  window.backs = [];
  const look = () => {
    for (const back of document.querySelectorAll("#cards .card__back")) {
      const [here, slot] = [back, back.closest(".slot")].map((one) => one.getBoundingClientRect());
      const middle = (box) => box.top + box.height / 2;
      if (here.width) window.backs.push(Math.abs(middle(here) - middle(slot)));
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Notes in each frame how far the back of a card that turns lies from the place of that card, in pixels."""


def shows_what_the_books_say(screen: Screen, house: House, round_id: int, *, carried: int = 0) -> dict[str, int]:
    """The bettor's result and balance on the screen, against the ledger; what the ledger says.

    What is carried over (cents) is neither lost nor returned.
    """
    screen.phase("settled")
    mine = screen.page.locator("#my-result[data-net]")
    expect(mine).to_be_visible()
    played: dict[str, int] = house.ask("played", round=round_id, player=screen.player)
    net = played["returned"] + carried - played["staked"]
    expect(mine).to_have_attribute("data-net", str(net))
    expect(mine).to_have_attribute("data-returned", str(played["returned"]))
    if net:
        assert cents_of(mine.locator(".my-result__headline .amount__number").inner_text()) == net
    screen.agrees_with_the_ledger()
    return played


def test_two_players_play_two_rounds_and_find_them_again(people: People, house: House, tmp_path: Path) -> None:
    table = house.table(**A_SHOE)
    ana = people.at(table, "Ana", screen=DESK, reduced_motion="no-preference")
    bea = people.at(table, "Bea", screen=PHONE, language="zh-HK", reduced_motion="no-preference")
    first = int(ana.betting())  # the first shoe is cut: with nobody seated, by the dealer
    assert int(bea.betting()) == first
    ana.sits(3)
    expect(bea.seat(3)).to_contain_text(ana.name)

    ana.stakes(50, "player")
    bea.sees("player", 50)
    expect(bea.everybodys("player").locator("[data-box='3']")).to_be_attached()
    bea.stakes(100, "banker")
    ana.sees("banker", 100)
    expect(ana.page.locator("#crowd")).to_contain_text(bea.name)
    expect(bea.wallet).to_have_attribute("data-balance", str(9_900_00))

    house.stack(table, "Ks 3c 2d Th 8s")
    ana.is_ready()
    expect(bea.seat(3).locator(".mark--ready")).to_be_visible()
    bea.is_ready()
    ana.phase("open_player")
    bea.phase("open_player")
    expect(ana.page.locator("#my-cards .card:not([data-card=''])")).to_have_count(2)
    dock, own = (ana.page.locator(one).bounding_box() for one in (".dock", "#my-cards"))
    assert dock is not None and own is not None and own["y"] >= dock["y"], "own cards lie over the felt"
    expect(bea.page.locator("#cards .card")).to_have_count(4)
    expect(bea.page.locator("#cards .card:not([data-card=''])")).to_have_count(0)
    expect(bea.seat(3).locator(".mark--hold")).to_be_visible()
    bea.page.evaluate(BACKS)
    bea.watches(".hands .is-revealing", ".hands__between span, .result__headline, #my-result > *, .all__end")
    ana.turns_until_the_result()
    rounds = {first: [shows_what_the_books_say(screen, house, first) for screen in (ana, bea)]}
    assert rounds[first] == [{"staked": 50_00, "returned": 0}, {"staked": 100_00, "returned": 195_00}]
    expect(ana.page.locator("#result")).to_contain_text("art. 9(4)")  # the bank stands on 3 against an 8
    expect(bea.page.locator("#my-result")).to_contain_text("5.00")  # the commission
    assert f"p{ana.player} turn" in house.ask("actions", round=first)

    bea.was_told_nothing_early()
    astray = bea.page.evaluate("window.backs")
    assert astray, "no card was seen to turn"
    assert max(astray) <= 2, "the back of a card that turns lies elsewhere than its face"

    second = int(ana.betting(not_in=str(first)))
    bea.betting(not_in=str(first))
    ana.deed("repeat").click()
    bea.deed("repeat").click()
    ana.has("player", 50)
    bea.has("banker", 100)
    bea.deed("double").click()
    bea.has("banker", 200)
    ana.sees("banker", 200)
    house.stack(table, "9s 2c Kd 3h")
    ana.is_ready()
    bea.is_ready()
    ana.turns_until_the_result()
    rounds[second] = [shows_what_the_books_say(screen, house, second) for screen in (ana, bea)]
    assert rounds[second] == [{"staked": 50_00, "returned": 100_00}, {"staked": 200_00, "returned": 0}]

    _are_found_in_the_history(ana, table, {number: played[0] for number, played in rounds.items()})
    _can_be_stepped_through(ana, second, house)
    record = _can_be_downloaded(ana, tmp_path)
    _replay_agrees(house, record, {f"p{ana.player}": rounds[second][0], f"p{bea.player}": rounds[second][1]})


def _are_found_in_the_history(screen: Screen, table: Table, rounds: dict[int, dict[str, int]]) -> None:
    """The list has just these rounds, the newest first, with what they took and gave."""
    screen.goes("/history/")
    rows = screen.page.locator("tbody tr")
    expect(rows).to_have_count(len(rounds))
    for row, (number, played) in zip(rows.all(), sorted(rounds.items(), reverse=True), strict=True):
        expect(row.get_by_role("link")).to_have_attribute("href", f"/rounds/{number}/")
        expect(row.get_by_role("link")).to_contain_text(table.name)
        staked, returned, net = (cents_of(cell.inner_text()) for cell in row.locator("td.num").all())
        assert (staked, returned) == (played["staked"], played["returned"])
        assert net == returned - staked


def _can_be_stepped_through(screen: Screen, round_id: int, house: House) -> None:
    """From the list into the round at its result, and step by step from its beginning; the last by the arrow key."""
    screen.page.locator("tbody tr").first.get_by_role("link").click()
    expect(screen.page).to_have_url(re.compile(rf"/rounds/{round_id}/$"))
    steps = len(house.ask("actions", round=round_id))
    progress = screen.page.locator(".steps progress")
    expect(progress).to_have_attribute("max", str(steps))
    expect(progress).to_have_attribute("value", str(steps))
    screen.page.get_by_role("link", name="To the beginning").click()
    for step in range(1, steps):
        screen.page.get_by_role("link", name="One step on").click()
        expect(progress).to_have_attribute("value", str(step))
    expect(screen.page.locator(".result__headline")).to_be_visible()
    screen.page.wait_for_load_state("load")  # the script that hears the keys is there
    screen.page.keyboard.press("ArrowRight")
    expect(progress).to_have_attribute("value", str(steps))
    expect(screen.page.locator("[data-step=on]")).to_have_count(0)
    expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
    screen.page.wait_for_load_state("load")
    screen.page.keyboard.press("ArrowLeft")
    expect(progress).to_have_attribute("value", str(steps - 1))


def _can_be_downloaded(screen: Screen, folder: Path) -> Path:
    """The record of the round that is open."""
    with screen.page.expect_download() as coming:
        screen.page.get_by_role("link", name="Download the record").click()
    file = folder / coming.value.suggested_filename
    coming.value.save_as(file)
    return file


def _replay_agrees(house: House, record: Path, played: dict[str, dict[str, int]]) -> None:
    """`manage.py replay` works out from the downloaded record what the ledger says."""
    replayed = house.manage("replay", str(record))
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    outcome: dict[str, Any] = json.loads(replayed.stdout)
    assert outcome["staked"] == {who: books["staked"] for who, books in played.items()}
    assert outcome["returned"] == {who: books["returned"] for who, books in played.items()}


def test_after_a_tie_a_stake_lies_on_and_may_be_taken_back(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    number = ana.betting()
    ana.stakes(100, "player")
    ana.stakes(50, "banker")
    ana.stakes(10, "tie")
    house.stack(table, "7s 7h Kd Kc")
    ana.is_ready()
    played = shows_what_the_books_say(ana, house, int(number), carried=150_00)
    assert played == {"staked": 160_00, "returned": 90_00}  # nine times the tie; the others lie on
    expect(ana.everybodys("tie")).to_have_class(re.compile("is-won"))
    expect(ana.everybodys("player")).to_have_class(re.compile("is-push"))
    ana.betting(not_in=number)
    ana.has("player", 100)
    expect(ana.own("player")).to_contain_text("carried")
    ana.page.locator(".sheet__open", has_text="My stakes").click()
    on_player = ana.page.locator(".my-stakes__what", has_text="Player")
    stake = ana.page.locator(".my-stakes__one").filter(has=on_player)
    stake.get_by_role("button", name="Take back").click()
    ana.has("player", 0)
    ana.has("banker", 50)
    ana.agrees_with_the_ledger()


def test_the_cut_is_offered_to_whoever_is_seated(people: People, house: House) -> None:
    table = house.table(**A_SHOE)
    login = house.newcomer("Ana")
    house.ask("seats", player=login.player, table=table.id, seat=2)  # before the first shoe: that is cut at once
    ana = people.at(table, login=login)
    rui = people.at(table, "Rui")
    ana.phase("cut")
    expect(rui.seat(2).locator(".mark--hold")).to_be_visible()
    expect(rui.page.locator("[data-cutter]")).to_be_hidden()
    slider = ana.page.locator("[data-cut-at]")
    slider.fill("200")
    rui.sits(5)  # a push must not take the slider back
    expect(ana.seat(5)).to_contain_text(rui.name)
    expect(slider).to_have_value("200")
    expect(ana.page.locator("[data-cut-says]")).to_have_text("200")
    ana.page.get_by_role("button", name="Cut", exact=True).click()
    ana.betting()
    expect(ana.page.locator("[data-cutter]")).to_be_hidden()
    assert f"p{ana.player} cut" in house.ask("actions", round=int(ana.betting()))


@pytest.mark.in_full
def test_a_shoe_that_is_retired_can_be_checked(people: People, house: House) -> None:
    table = house.table(**A_SHOE)
    ana = people.at(table, "Ana")
    number = ana.betting()
    shoe = house.ask("round", table=table.id)["shoe"]
    ana.goes(f"/shoes/{shoe}/")
    sealed = ana.page.locator(".hash").first.inner_text()
    expect(ana.page.locator(".checks")).to_have_count(0)
    ana.sits_down_at(table)
    house.ask("changes_the_shoe", table=table.id)
    ana.stakes(10, "tie")
    ana.is_ready()
    ana.has_seen(number)
    ana.page.get_by_role("button", name="Pass", exact=True).click()  # she is offered the cut of the next shoe
    ana.betting()
    ana.goes(f"/shoes/{shoe}/")
    expect(ana.page.locator(".hash").first).to_have_text(sealed)
    expect(ana.page.locator(".checks .notice--ok").first).to_be_visible()
    expect(ana.page.locator(".checks .notice--refused")).to_have_count(0)


@pytest.mark.in_full
def test_everybody_may_watch_and_the_lobby_shows_what_goes_on(people: People, house: House) -> None:
    table = house.table()
    guest = people.comes().goes("/")
    card = guest.page.locator(f"#table-{table.slug}")
    expect(card).to_contain_text("Waiting for players")
    ana = people.at(table, "Ana")
    first = ana.betting()
    expect(card.locator(".lobby-card__phase")).to_contain_text("Place your bets")
    ana.sits(1)
    expect(card).to_contain_text("6 of 7")
    ana.stakes(10, "player")
    house.stack(table, "9s 2c Kd 3h")
    ana.is_ready()
    ana.betting(not_in=first)
    expect(card.locator(".wins--player")).to_have_count(1)
    card.get_by_role("link").click()
    expect(guest.page.locator(".tray__join")).to_contain_text("You are watching.")
    guest.line("open")
    guest.sees("player", 0)
    expect(guest.seat(1)).to_contain_text(ana.name)


MOVED = """() => {
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) { window.moved += 1; return animate.apply(this, how); };
}"""
"""Count what scripts set in motion."""

MOVING = "document.getAnimations().filter(one => one.effect.getComputedTiming().activeDuration > 50).length"
"""What the stylesheets have in motion now."""


@pytest.mark.parametrize("wish", first("no-preference", "reduce"))
def test_things_move_for_those_who_want_it(people: People, house: House, wish: str) -> None:
    table = house.table()
    ana = people.at(table, "Ana", reduced_motion=wish)
    ana.betting()
    ana.page.evaluate(MOVED)
    ana.stakes(50, "player")
    ana.is_ready()
    expect(ana.page.locator("#my-result[data-net]")).to_be_visible()
    still = wish == "reduce"
    assert (ana.page.evaluate("window.moved") == 0) is still
    if still:
        assert ana.page.evaluate(MOVING) == 0
        assert ana.page.locator(".flying").count() == 0
