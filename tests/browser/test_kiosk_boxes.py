"""Upright kiosks at their fullest: no box is cut off unseen, and no text stands over another."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.extent import first

from .house import House
from .kit import KIOSK, People
from .test_kiosk_play import Visit, visiting

pytestmark = pytest.mark.any_database


def stands_apart(visit: Visit, what: str) -> None:
    wrong = visit.device.unseen()
    assert wrong == [], (what, *wrong)


def roulette(visit: Visit) -> None:
    """The last numbers, from the first result on."""
    visit.lays(1, "red")
    visit.is_ready()
    visit.result()
    visit.device.betting()
    page = visit.device.page
    expect(page.locator(".history .came").first).to_be_visible()
    stands_apart(visit, "the second round")
    for kind in ("split", "race"):
        page.locator(f".reach__one:has([value={kind}])").tap()
        stands_apart(visit, kind)


def baccarat(visit: Visit) -> None:
    """A line for each bet of the result."""
    visit.lays(5, "player", "tie")
    visit.lays(10, "banker_pair", "player_pair")
    visit.device.house.stack(visit.table, "4s Kc 5d 7h")
    visit.is_ready()
    visit.result()
    expect(visit.device.page.locator(".my-result__line")).to_have_count(4)
    stands_apart(visit, "the result of four bets")


def blackjack(visit: Visit) -> None:
    """Whom the bank waits for, over what is printed."""
    visit.sits(3)
    visit.lays(5, "main-3", "main-5")
    visit.device.house.stack(visit.table, "2c 3d 6h 9c 8s")  # no blackjack: there is something to decide
    visit.is_ready()
    expect(visit.device.page.locator("#decision .choice").first).to_be_visible()
    stands_apart(visit, "early decisions")


@pytest.mark.parametrize("play", first(blackjack, roulette, baccarat))
def test_nothing_is_cut_off_or_overlaid(people: People, house: House, play: Callable[[Visit], None]) -> None:
    times = {"result": 1500} if play is roulette else {}
    visit = visiting(people, house, KIOSK, play.__name__, language="pt", times=times)
    visit.device.betting()
    play(visit)
