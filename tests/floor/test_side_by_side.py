"""Several tables on one screen: which are shown, and that nobody else may show them in a frame."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.models import Realm, Table
from tests.house.kit import House

from .test_lobby import browser_of

FRAME = re.compile(r'<iframe src="([^"]+)"')


def policy(browser: Client, path: str) -> dict[str, str]:
    answer = browser.get(path)
    assert answer.status_code == 200
    return dict(rule.strip().split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split(";"))


@pytest.fixture
def floor(house: House) -> House:
    for slug in ("jade", "opal", "ruby", "teak", "onyx"):
        house.table(slug, game="roulette" if slug == "ruby" else "baccarat")
    house.table("garden", realm=Realm.KIOSKS)
    return house


def test_up_to_four_open_tables_of_the_floor_are_shown_each_once(floor: House) -> None:
    browser = browser_of(floor.player("ana"))
    Table.objects.filter(slug="teak").update(open=False)
    asked = "t=ruby&t=jade&t=ruby&t=teak&t=garden&t=nothing"
    page = browser.get(f"/side-by-side/?{asked}").content.decode()
    assert FRAME.findall(page) == ["/tables/ruby/beside/", "/tables/jade/beside/"]
    assert re.findall(r'value="(\w+)" checked', page) == ["jade", "ruby"]
    assert "10,000.00" in page and "data-played" in page and "data-check" in page  # one purse and one session for all
    Table.objects.update(open=True)
    page = browser.get("/side-by-side/?t=ruby&t=jade&t=opal&t=teak&t=onyx").content.decode()
    assert len(FRAME.findall(page)) == 4


def test_without_a_table_there_is_the_list_to_choose_from_for_strangers_too(floor: House) -> None:
    for browser in (Client(), browser_of(floor.player("ana"))):
        page = browser.get("/side-by-side/").content.decode()
        assert not FRAME.findall(page) and page.count('name="t"') == 5 and "Garden" not in page


def test_only_a_page_of_ours_shows_a_felt_in_a_frame_and_only_the_felt_made_for_it(floor: House) -> None:
    browser = browser_of(floor.player("ana"))
    framed = browser.get("/tables/jade/beside/")
    assert framed.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert policy(browser, "/tables/jade/beside/")["frame-ancestors"] == "'self'"
    assert policy(browser, "/side-by-side/?t=jade")["frame-src"] == "'self'"
    assert policy(browser, "/side-by-side/?t=jade")["frame-ancestors"] == "'none'"
    for path in ("/tables/jade/", "/"):
        assert browser.get(path).headers["X-Frame-Options"] == "DENY"
        assert policy(browser, path)["frame-ancestors"] == "'none'"
        assert "frame-src" not in policy(browser, path)
    assert browser.get("/tables/garden/beside/").status_code == 404


def test_what_the_page_around_it_has_is_not_in_a_frame_again(floor: House) -> None:
    browser = browser_of(floor.player("ana"))
    alone, framed = (browser.get(f"/tables/jade/{part}").content.decode() for part in ("", "beside/"))
    for once in ("data-chat ", "data-played", "leaving check", 'class="foot"', 'class="menu"'):
        assert once in alone and once not in framed, once
    assert 'target="_top"' in framed
    menu = alone[alone.index('class="menu__sheet"') :]
    assert '/side-by-side/?t=jade"' in menu and 'href="/tables/opal/"' in menu and 'href="/tables/ruby/"' not in menu


def test_what_repeats_bets_comes_only_when_it_is_asked_for(floor: House) -> None:
    browser = browser_of(floor.player("ana"))
    page = browser.get("/tables/jade/").content.decode()
    assert "data-rounds" not in page and "repeating.js" not in page
    part = browser.get("/repeating/").content.decode()
    assert re.findall(r'data-rounds="(\d+)"', part) == ["5", "10", "25"]
