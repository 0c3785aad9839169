"""Browsers contribute to packs and throws by themselves: a link is offered, revealed in time, and the next follows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tables.base.proof_format import fits

from .house import House, Table
from .kit import KIOSK, PHONE, People
from .test_kiosk_play import visiting


def lists_of(house: House, table: Table) -> list[dict[str, Any]]:
    """The lists that were published with links in them."""
    return [one for one in house.ask("links", table=table.id) if one["offered"]]


@pytest.mark.in_full
def test_each_pack_has_the_links_of_those_who_played(people: People, house: House) -> None:
    table = house.table(game="baccarat")
    ana = people.at(table, "Ana")
    rui = people.at(table, "Rui", screen=PHONE)
    first = ana.betting()
    ana.stakes(100, "player")
    rui.stakes(100, "banker")
    ana.is_ready()
    rui.is_ready()
    for round_ in range(2):
        house.ask("changes_the_shoe", table=table.id)
        first = ana.betting(not_in=first)
        (*_, last) = lists_of(house, table)
        keys = [f"p{one.player}" for one in (ana, rui)]
        assert [bettor for bettor, _ in last["offered"]] == keys, round_
        assert [bettor for bettor, _ in last["revealed"]] == keys, round_
        assert all(fits(link, of) for (_, link), (_, of) in zip(last["offered"], last["revealed"], strict=True))
        rui.betting()
        ana.stakes(100, "player")
        rui.stakes(100, "banker")
        ana.is_ready()
        rui.is_ready()
    one, two = lists_of(house, table)
    assert [of for _, of in one["revealed"]] == [link for _, link in two["offered"]], "the next of the same chains"
    kept = json.loads(ana.page.evaluate(f"sessionStorage.getItem('floor.links.{table.slug}.p{ana.player}')"))
    assert kept["at"] == 2 and kept["number"] == two["number"]
    expect(ana.page.locator("#notice .notice")).to_have_count(0)


REFUSES = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
}"""


def test_a_browser_that_refuses_storage_plays_and_adds_links_all_the_same(people: People, house: House) -> None:
    """As one does that blocks cookies and other data. What it would remember lasts as long as the page."""
    table = house.table(game="roulette", late_seconds=1)
    ana = people.comes("Ana")
    ana.page.add_init_script(REFUSES)
    ana.sits_down_at(table)
    number = ana.betting()
    for _ in range(2):
        ana.stakes(10, "red")
        ana.is_ready()
        number = ana.betting(not_in=number)
    published, *_ = lists_of(house, table)
    assert [bettor for bettor, _ in published["revealed"]] == [f"p{ana.player}"]
    ana.page.get_by_role("button", name="Repeat").first.click()
    ana.has("red", 10)


@pytest.mark.in_full
def test_a_throw_has_the_links_of_the_round_before(people: People, house: House) -> None:
    table = house.table(game="roulette", late_seconds=1)
    ana = people.at(table, "Ana")
    round_ = ana.betting()
    for _ in range(3):
        ana.stakes(10, "red")
        ana.is_ready()
        round_ = ana.betting(not_in=round_)
    lists = lists_of(house, table)
    assert len(lists) >= 2 and [bettor for bettor, _ in lists[0]["revealed"]] == [f"p{ana.player}"]


@pytest.mark.in_full
def test_a_visitor_of_a_kiosk_contributes_like_everybody(people: People, house: House) -> None:
    visit = visiting(people, house, KIOSK, "baccarat")
    device, table = visit.device, visit.table
    before = device.betting()
    visit.lays(5, "player")
    visit.is_ready()
    visit.result()
    house.ask("changes_the_shoe", table=table.id)
    device.betting(not_in=before)
    (last,) = lists_of(house, table)
    assert last["revealed"] and [bettor for bettor, _ in last["revealed"]] == [f"p{visit.visitor}"]
    lasting = device.page.evaluate("Object.keys(localStorage)")
    assert not [name for name in lasting if "links." in name], "the chain ends with the visit"
