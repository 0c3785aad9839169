"""What a felt tells the page of a win: what each spot brought, and a banner from ten to one upwards."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.utils import translation

from tables.felt.private import Viewer, private_fragments
from tables.games.stud_poker.phases import Raise
from tables.queries.table import table_state
from tables.services.rounds import seating
from tests.house.kit import House
from tests.kit import article

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def settled(game: str, stakes: dict[str, int], *, throw: tuple[int, ...] = (), cards: str = "", **options: Any) -> Any:
    """What Ana's page is sent when a round is over: her paid spots, her banner or "", and her net result in cents."""
    house = House()
    if throw:
        house.throw(*throw)
    if cards:
        house.stack(cards)
    table = house.table(game=game, **options)
    ana = house.player("ana")
    house.attend(table, ana)
    house.until(table, "betting")
    before = house.balance(ana)
    for spot, credits in stakes.items():
        house.bet(ana, table, spot, credits)
    house.play_out(table)
    mine = private_fragments(table_state(table.pk), Viewer(ana.key, "Ana", house.balance(ana)))
    paid = json.loads(html.unescape(re.findall(r'data-paid="([^"]*)"', mine["wallet"])[0]) or "{}")
    return paid, banner_of(mine), house.balance(ana) - before


def banner_of(fragments: Mapping[str, str]) -> str:
    """What is shown large, or ""."""
    banner = re.findall(r'<p class="great".*?</p>', fragments["my-result"], re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", "".join(banner)).split()).replace(" credits", "")


def test_each_spot_says_what_it_brought_and_the_ledger_agrees() -> None:
    paid, banner, net = settled("roulette", {"red": 20, "black": 30, "straight_17": 10, "odd": 5}, throw=(17,))
    assert paid == {"red": [-20_00, 0], "black": [30_00, 0], "straight_17": [350_00, 0], "odd": [5_00, 0]}
    assert sum(one for one, _ in paid.values()) == net
    assert banner == "35 to 1 +350.00"


def test_a_stake_that_stays_says_so() -> None:
    paid, _, _ = settled("roulette", {"black": 30, "red": 10}, throw=(17,), auto_leave_winners=True)
    assert paid == {"black": [30_00, 1], "red": [-10_00, 0]}


@pytest.mark.parametrize(
    ("cards", "stakes", "banner"),
    [
        ("Ks 9c 9d Th", {"tie": 100}, ""),  # eight to one is told, and not large
        ("Ks 4c Kd 5h", {"player_pair": 10, "tie": 10, "banker": 10}, "11 to 1 +110.00"),
        ("Ks 4c Kd 5h", {"banker_pair": 10}, ""),
    ],
)
def test_a_banner_stands_from_ten_to_one_upwards(cards: str, stakes: dict[str, int], banner: str) -> None:
    paid, told, net = settled("baccarat", stakes, cards=cards)
    assert told == banner
    assert sum(one for one, _ in paid.values()) == net


ROYAL, OTHER_ROYAL, NO_PAIR = "As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "Ac Kd 4d 3s 2c"


@article("61/2004", "9(5)(9)", "10(5)")
def test_the_jackpot_and_the_most_that_a_raise_wins_are_named_where_no_odds_tell_them() -> None:
    house = House()
    table = house.table(game="stud_poker", max_ante=1_000_00, raise_payout_cap=14_000_00, min_ante=1_00)
    ana, rui = house.player("ana"), house.player("rui")
    for player, box in ((ana, 1), (rui, 2)):
        seating.sit(player.pk, table.pk, box, clock=house.clock)

    def banners(ante: int, *, jackpot: bool) -> tuple[str, str]:
        house.stack(f"{ROYAL} {OTHER_ROYAL} {NO_PAIR}")
        house.until(table, "betting")
        for player, box in ((ana, 1), (rui, 2)):
            house.bet(player, table, "ante", ante, box)
            if jackpot:
                house.bet(player, table, "jackpot", 25, box)
        house.until(table, "look_and_decide")
        for player in (ana, rui):
            house.decide(player, table, Raise)
        house.play_out(table)
        told = [banner_of(private_fragments(table_state(table.pk), Viewer(one.key, "", 0))) for one in (ana, rui)]
        return told[0], told[1]

    assert banners(50, jackpot=False) == ("100 to 1 +10,000.00",) * 2
    assert banners(100, jackpot=False) == ("Maximum win +14,000.00",) * 2
    assert banners(100, jackpot=True) == ("Jackpot +250,017.50",) * 2  # each half of 500,000 and twice 17.50
    assert banners(1_000, jackpot=True)[0].startswith("Jackpot")


def test_before_a_round_has_paid_nothing_is_said() -> None:
    house = House()
    table = house.table(game="roulette")
    ana = house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "red", 20)
    mine = private_fragments(table_state(table.pk), Viewer(ana.key, "Ana", house.balance(ana)))
    assert 'data-paid=""' in mine["wallet"] and "great" not in mine["my-result"]
