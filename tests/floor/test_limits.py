"""What is shown as limits is, per bet, what holds; never the minimum of one bet and the maximum of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tables.models import Realm
from tests.house.kit import House

from .kiosk_kit import a_kiosk, visited
from .test_pit_options import text_of

pytestmark = pytest.mark.django_db

DIFFERENT: dict[str, Any] = {
    "min_bet": {"player": 10_00, "banker": 10_00, "tie": 5_00, "player_pair": 5_00, "banker_pair": 5_00},
    "max_bet": {
        "player": 5_000_00, "banker": 5_000_00, "tie": 500_00, "player_pair": 500_00, "banker_pair": 500_00,
        "lucky_six": 500_00,
    },
}  # fmt: skip
STRAIGHT: dict[str, Any] = {
    "min_bet": {"straight": 1_00, "red_black": 10_00},
    "max_bet": {
        "straight": 200_00, "split": 400_00, "street": 600_00, "corner": 800_00, "line": 1_200_00,
        "sector9": 1_800_00, "sector12": 5_000_00, "column": 5_000_00, "dozen": 5_000_00, "low_high": 5_000_00,
        "odd_even": 5_000_00, "red_black": 5_000_00,
    },
}  # fmt: skip


@pytest.fixture
def house(db: None) -> Iterator[House]:
    house = House()
    yield house
    house.in_order()


def page(path: str, client: Client | None = None) -> str:
    return text_of((client or Client()).get(path).content.decode())


def visible(path: str) -> str:
    """What of the page is not hidden."""
    html = Client().get(path).content.decode()
    return text_of(re.sub(r"<(p|li)[^>]* hidden>.*?</\1>", "", html, flags=re.DOTALL))


def test_the_rail_names_the_main_bet_and_the_house_rules_tell_of_each(house: House) -> None:
    house.table("jade", **DIFFERENT)
    felt = page("/tables/jade/")
    assert "10–5,000 Player · Banker" in felt and " 5–5,000" not in felt
    assert "Limits: Player · Banker house rule 10–5,000" in felt
    assert "Limits: Tie · Player pair · Banker pair house rule 5–500" in felt
    house.table("wheel", game="roulette", **STRAIGHT)
    felt = page("/tables/wheel/")
    assert "1–200 Straight up" in felt
    assert "Limits: Split 1, 2 … Split 33, 36 house rule 1–400" in felt
    assert "Limits: Red · Black house rule 10–5,000" in felt


def test_where_all_are_alike_one_line_says_so(house: House) -> None:
    house.table("dice", game="cussec", min_bet=2_00, max_bet=300_00)
    assert "Limits: every bet house rule 2–300" in page("/tables/dice/")


def test_the_lobby_shows_and_filters_by_the_main_bet(house: House) -> None:
    house.table("jade", **DIFFERENT)
    lobby = page("/")
    assert re.search(r"Limits: Player · Banker \D*10 – 5,000 credits", lobby)
    assert 'data-least="1000"' in Client().get("/").content.decode()
    for up_to, shown in ((5, False), (9, False), (10, True)):
        assert ("No table matches this choice." in visible(f"/?limit={up_to}")) != shown


def test_a_main_bet_that_is_not_sold_is_not_named(house: House) -> None:
    outside = ["column", "dozen", "low_high", "odd_even", "red_black"]
    house.table("wheel", game="roulette", enabled_bets=outside, min_bet=5_00, max_bet=900_00)
    felt = page("/tables/wheel/")
    assert "Straight up" not in felt and "5–900 Column 1" in felt


def test_the_kiosk_says_the_same(house: House) -> None:
    table = house.table("camoes", realm=Realm.KIOSKS, **DIFFERENT)
    device = visited(a_kiosk(table))
    for path in ("/kiosk/choose/", "/kiosk/tables/camoes/"):
        assert "10–5,000 閒家 · 莊家" in page(path, device.browser)
