"""The page of a game's rules: complete, in three languages, and as they hold at the table that is named."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tables.felt.formatting import percent_of
from tables.felt.rules import anchor
from tables.games import GAMES
from tables.games.edges import edges_of
from tables.models import Realm
from tests.house.kit import House

pytestmark = pytest.mark.django_db


def page(path: str, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "pt", "zh-hant"])
def test_every_article_stands_on_the_page_once_and_ours_apart(game: str, language: str) -> None:
    html = page(f"/rules/{game}/", language)
    regulation, ours = html.split('aria-labelledby="ours"')
    for number, article in GAMES[game].articles.items():
        here, there = (regulation, ours) if article.law else (ours, regulation)
        assert here.count(f'id="{anchor(number)}"') == 1, number
        assert there.count(f'id="{anchor(number)}"') == 0, number
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_that_is_sold_has_its_price(game: str) -> None:
    html = page(f"/rules/{game}/")
    for spot, edge in edges_of(game, GAMES[game].options()).items():
        assert percent_of(edge.share, decimals=4) in html, spot


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_told_in_pictures(game: str) -> None:
    html = page(f"/rules/{game}/")
    assert html.count("rulebook__picture") >= 2
    assert "hx-swap-oob" not in html


def test_at_a_table_they_are_those_of_its_options() -> None:
    house = House()
    table = house.table("jade", commission_mode="no_commission_six_half", lucky_six=True, max_bet=777_00)
    html = page(f"/rules/baccarat/?table={table.slug}")
    assert table.name in html
    assert "Lucky 6" in html.split('id="bets"')[1].split("</table>")[0]
    assert "1.4581%" in html  # the Banker without commission, 8 decks (rulebook, section 11)
    assert "777" in html
    assert "Lucky 6" not in page("/rules/baccarat/").split('id="bets"')[1].split("</table>")[0]


def test_of_the_round_that_is_played_nothing_is_told() -> None:
    house = House()
    table = house.table("jade")
    before = page("/rules/baccarat/?table=jade").split("<main")[1].split("</main>")[0]
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "player", 100)
    house.play_out(table)
    assert before in page("/rules/baccarat/?table=jade")


def test_what_there_is_not_has_no_page(client: Client) -> None:
    house = House()
    house.table("jade")
    house.table("camoes", realm=Realm.KIOSKS)
    for path in ("/rules/faro/", "/rules/baccarat/?table=amber", "/rules/roulette/?table=jade"):
        assert client.get(path).status_code == 404, path
    assert client.get("/rules/baccarat/?table=camoes").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_finds_its_article(game: str) -> None:
    html = page(f"/rules/{game}/")
    cited = re.findall(r'data-rule="([^"]+)"', html)
    assert cited
    for rule in cited:
        where, place = rule.split("/#")
        assert where == game
        assert f'id="{place}"' in html, rule


def test_lobby_and_table_lead_there(client: Client) -> None:
    house = House()
    house.table("jade")
    lobby = client.get("/").content.decode()
    assert 'href="/rules/baccarat/"' in lobby
    assert 'href="/rules/baccarat/?table=jade"' in client.get("/tables/jade/").content.decode()
