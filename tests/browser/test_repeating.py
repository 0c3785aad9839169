"""The last bets for several rounds: the page lays them, counts them on the button that stops, and stops by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.extent import first

from .house import House, Table
from .kit import DESK, PHONE, People, Screen

LOSES = "2c 4d 2h 5d"
"""The Player has 4, the Banker a natural 9."""


def repeats(screen: Screen, rounds: int, *, loss: int) -> None:
    """Choose so many rounds and the loss at which it stops."""
    screen.page.locator("[data-favourites] > summary").click()
    screen.page.get_by_label("Stop at a loss of").fill(str(loss))
    screen.page.locator(f'[data-rounds="{rounds}"]').click()


def button_says(screen: Screen, words: str) -> None:
    expect(screen.deed("repeat")).to_have_text(words)


def is_played(screen: Screen, house: House, table: Table, cards: str) -> str:
    """The round that runs, with these cards, to its end; the next one."""
    house.stack(table, cards)
    round_ = screen.betting()
    screen.is_ready()
    return screen.betting(not_in=round_)


@pytest.mark.parametrize("screen", first(PHONE, DESK), ids=first("phone", "desk"))
def test_the_same_stakes_lie_again_each_round_until_somebody_stops(
    people: People, house: House, screen: dict[str, object]
) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=screen)
    ana.betting()
    ana.stakes(10, "player", "tie")
    repeats(ana, 5, loss=1000)
    button_says(ana, "Stop · 4")
    for left in ("3", "2"):
        is_played(ana, house, table, LOSES)
        ana.has("player", 10)
        ana.has("tie", 10)
        button_says(ana, f"Stop · {left}")
    ana.deed("repeat").click()
    button_says(ana, "Repeat")
    is_played(ana, house, table, LOSES)
    ana.agrees_with_the_ledger()
    assert house.ask("stakes", table=table.id) == {}


def test_it_stops_before_a_round_that_could_pass_the_loss(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    ana.stakes(10, "player")
    repeats(ana, 25, loss=25)
    is_played(ana, house, table, LOSES)
    ana.has("player", 10)  # 10 lost: 20 are not more than 25
    is_played(ana, house, table, LOSES)
    expect(ana.notice).to_contain_text("your limit of loss")
    button_says(ana, "Repeat")
    assert house.ask("stakes", table=table.id) == {}


def test_the_loss_is_what_is_typed_while_the_sheet_is_still_coming(people: People, house: House) -> None:
    """It proposes one, but not to whoever is already in the field: their figures would stand behind it."""
    ana = people.at(house.table(), "Ana")
    ana.betting()
    ana.stakes(10, "player")
    loss = ana.page.get_by_label("Stop at a loss of")

    def comes_late(script: Route) -> None:
        loss.focus()
        script.continue_()

    ana.page.route(re.compile(r"/js/repeating"), comes_late)
    ana.page.locator("[data-favourites] > summary").click()
    expect(ana.page.locator("[data-repeats-sum]")).to_have_text("10 a round")
    ana.page.keyboard.type("25")
    expect(loss).to_have_value("25")
    ana.page.locator('[data-rounds="5"]').click()
    button_says(ana, "Stop · 4")


def test_it_stops_when_the_house_refuses_and_the_reason_stays(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    ana.stakes(10, "player")
    repeats(ana, 10, loss=1000)
    house.ask("is_to_check", player=ana.player)
    is_played(ana, house, table, LOSES)
    button_says(ana, "Repeat")
    expect(ana.page.locator("#notice")).to_have_attribute("data-kind", re.compile("refused|info"))
    assert house.ask("stakes", table=table.id) == {}


@pytest.mark.in_full
def test_it_stops_when_the_line_is_lost_and_does_not_go_on_by_itself(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    ana.betting()
    ana.stakes(10, "player")
    repeats(ana, 10, loss=1000)
    ana.page.evaluate("window.dispatchEvent(new Event('offline'))")
    button_says(ana, "Repeat")
    ana.page.evaluate("window.dispatchEvent(new Event('online'))")
    ana.line("open")
    expect(ana.notice).to_contain_text("the connection was lost")  # also once it is back
