"""The lobby as its reader finds it: their own tables first, and nothing of closed ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from tables.felt.games import FELTS
from tables.felt.lobby import lobby_fragments
from tables.felt.shared.lately import Lately
from tables.models import Player, Table
from tables.queries.lobby import lobby_cards
from tables.services.rounds import seating
from tests.house.kit import House

from .test_felt_blackjack import text_of

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


def test_a_login_without_a_wallet_sees_the_floor_with_nothing_to_bet(floor: Player) -> None:
    """`createsuperuser` makes such a login, as it knows of no ledger."""
    browser = browser_of(Player.objects.create_superuser("root", password="lotus and baize 1887"))
    assert ">0.00<" in part(MINE, browser.get("/").content.decode())
    for page in ("/tables/opal/", "/side-by-side/?t=opal", "/history/", "/account/", "/safely/"):
        assert browser.get(page).status_code == 200, page


def test_whoever_only_looks_on_has_nothing_of_their_own_there(floor: Player) -> None:
    page = Client().get("/").content.decode()
    assert 'id="mine"' not in page and "data-mine" not in page


def test_of_a_closed_table_there_is_nothing_but_the_place_of_its_card(floor: Player) -> None:
    page = Client().get("/").content.decode()
    assert '<article id="table-ruby" hidden' in page  # where its card comes once it is open
    assert "Ruby" not in page


# ── The last result and its streak ──────────────────────────────────────────────────────────────────────────


def won(winner: str) -> Mapping[str, Any]:
    return {"winner": winner, "player_pair": False, "banker_pair": False, "player": 7, "banker": 6}


def bank(total: int, *, blackjack: bool = False) -> Mapping[str, Any]:
    return {"bank_blackjack": blackjack, "bank": ["Ac", "Kd"], "bank_total": total}


VOID: Mapping[str, Any] = {"void": True}


@pytest.mark.parametrize(
    ("game", "results", "lately"),
    [
        ("baccarat", [won("player"), won("banker"), won("banker"), VOID], Lately("banker", "B", "Banker", 2)),
        ("baccarat", [won("banker"), won("tie"), won("banker")], Lately("banker", "B", "Banker", 2)),
        ("baccarat", [won("banker"), won("tie"), won("tie")], Lately("tie", "T", "Tie", 2)),
        ("roulette", [{"number": n} for n in (1, 2, 4, 35)], Lately("black", "35", "Black", 3)),
        ("roulette", [{"number": n} for n in (1, 0)], Lately("green", "0", "Green", 1)),
        ("cussec", [{"dice": [6, 6, 5]}, {"dice": [2, 5, 4]}, VOID], Lately("big", "11", "Big", 2)),
        ("cussec", [{"dice": [2, 5, 4]}, {"dice": [4, 4, 4]}], Lately("triple", "12", "Triple", 1)),
        ("blackjack", [bank(22), bank(25)], Lately("over", "25", "over 21", 2)),
        ("three_card_baccarat", [{"banker": 1}, {"banker": 2}, {"banker": 3}], Lately("odd", "9", "Odd", 2)),
        ("stud_poker", [{}], None),
        ("roulette", [], None),
    ],
)
def test_the_last_result_is_told_with_its_streak(
    game: str, results: list[Mapping[str, Any]], lately: Lately | None
) -> None:
    assert FELTS[game].lately(results) == lately


def test_a_card_tells_the_last_result_and_counts_from_two(house: House) -> None:
    wheel = house.table("wheel", game="roulette")
    house.throw(1, 17, 4)
    for told in ("1 Red", "17 Black", "4 Black ×2"):
        house.until(wheel, "betting")
        house.play_out(wheel)
        (card,) = lobby_fragments(lobby_cards(clock=house.clock)).values()
        assert f"Last result {told} Limits" in text_of(card)
