"""The lobby as its reader finds it: their own tables first, and nothing of closed ones."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.models import Player, Table
from tables.services.rounds import seating
from tests.house.kit import House

MINE = re.compile(r'<section id="mine".*?</section>', re.DOTALL)


def browser_of(player: Player) -> Client:
    browser = Client()
    browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def order(page: str) -> list[str]:
    return re.findall(r'id="table-(\w+)" class="lobby-card"', page)


def part(pattern: re.Pattern[str], page: str) -> str:
    (found,) = pattern.findall(page)
    assert isinstance(found, str)
    return found


@pytest.fixture
def floor(house: House) -> Player:
    """Three tables, one of them closed, and somebody with a seat at the one that stands last."""
    ana = house.player("ana")
    jade, opal, ruby = (house.table(slug, game="roulette") for slug in ("jade", "opal", "ruby"))
    house.until(jade, "betting")
    Table.objects.filter(pk=ruby.pk).update(open=False)
    seating.sit(ana.pk, opal.pk, 3, clock=house.clock)
    return ana


def test_ones_own_table_comes_first_is_marked_and_leads_back(floor: Player) -> None:
    page = browser_of(floor).get("/").content.decode()
    assert order(page) == ["opal", "jade"]
    mine = part(MINE, page)
    assert "10,000.00" in mine and 'href="/tables/opal/"' in mine and "Back to Opal" in mine
    marks = dict(re.findall(r'data-mine="(\w+)">(.*?)</p>', page, re.DOTALL))
    assert {slug: mark.strip() for slug, mark in marks.items()} == {"opal": "Your seat: 3", "jade": ""}


def test_it_is_asked_for_anew_by_itself(floor: Player, house: House) -> None:
    browser = browser_of(floor)
    assert part(MINE, browser.get("/mine/").content.decode()) == part(MINE, browser.get("/").content.decode())
    seating.stand_up(floor.pk, Table.objects.get(slug="opal").pk, clock=house.clock)
    assert "Back to" not in browser.get("/mine/").content.decode()
    assert Client().get("/mine/").content == b""


def test_whoever_only_looks_on_has_nothing_of_their_own_there(floor: Player) -> None:
    page = Client().get("/").content.decode()
    assert 'id="mine"' not in page and "data-mine" not in page


def test_of_a_closed_table_there_is_nothing_but_the_place_of_its_card(floor: Player) -> None:
    page = Client().get("/").content.decode()
    assert '<article id="table-ruby" hidden' in page  # where its card comes once it is open
    assert "Ruby" not in page
