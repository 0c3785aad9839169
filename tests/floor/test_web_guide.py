"""The guided first round on the web: the kiosks' own, for anybody, and nothing is at stake."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.felt.games import FELTS
from tables.games import GAMES
from tables.models import Account, RoundLog
from tests.house.kit import House

from .test_lobby import browser_of


@pytest.mark.parametrize("game", GAMES)
def test_it_has_the_steps_of_the_kiosks_and_leads_back_at_any_time(house: House, game: str) -> None:
    house.table("jade", game=game)
    ana = house.player("ana")
    before = Account.objects.get(player=ana).balance
    for browser in (Client(), browser_of(ana)):
        page = browser.get(f"/guide/{game}/?table=jade").content.decode()
        assert page.count("<template data-step") == len(FELTS[game].lesson.steps)
        assert re.findall(r'href="([^"]+)" (data-skip|data-begin)', page) == [
            ("/tables/jade/", "data-skip"),
            ("/tables/jade/", "data-begin"),
        ]
        assert "Demonstration · no real players" in page and "kiosk.js" not in page
    assert Account.objects.get(player=ana).balance == before and not RoundLog.objects.filter(version__gt=0).exists()


def test_it_leads_to_the_lobby_from_elsewhere_and_there_is_none_of_other_games(house: House) -> None:
    house.table("wheel", game="roulette")
    for asked in ("", "?table=wheel", "?table=//evil.example"):
        assert 'href="/?game=baccarat" data-skip' in Client().get(f"/guide/baccarat/{asked}").content.decode()
    assert Client().get("/guide/poker/").status_code == 404


def test_whoever_is_new_finds_it_in_the_lobby_and_everybody_at_the_table(house: House) -> None:
    table, ana = house.table("wheel", game="roulette"), house.player("ana")
    assert "/guide/roulette/" in Client().get("/").content.decode()
    browser = browser_of(ana)
    assert "/guide/roulette/" in browser.get("/").content.decode()
    house.until(table, "betting")
    house.bet(ana, table, "red", 10)
    house.play_out(table)
    assert "/guide/roulette/" not in browser.get("/").content.decode()
    assert browser.get("/tables/wheel/").content.decode().count('href="/guide/roulette/?table=wheel"') == 1
