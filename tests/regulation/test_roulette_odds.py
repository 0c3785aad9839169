"""The exact odds of Roulette (rulebook, sections 5 and 12): all 37 numbers, each as likely as any other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from tables.games.edges import Edge, edges_of
from tables.games.roulette.bets import SPOTS, ZERO_COMBINATIONS, Sectors, covers
from tables.games.roulette.wheel import BLACK, RED, WHEEL
from tests.kit import article, view_for

from .roulette_kit import ROULETTE, opened, options, play

TABLES: dict[str, dict[str, Any]] = {
    "usual": {},
    "layout_blocks": {"sector_definition": "layout_blocks"},
    "zero": {"zero_combinations": "allowed", "sector_definition": "off"},
}
SPOTS_SOLD = {"usual": 158, "layout_blocks": 155, "zero": 157}


@article("60/2004", "7")
@pytest.mark.parametrize("table", TABLES)
def test_every_bet_costs_exactly_a_37th(table: str) -> None:
    """The round itself is played, with a bet on every spot that is sold, once for each number."""
    sold = [spot.name for spot in view_for(opened(**TABLES[table]), None).spots]
    assert len(sold) == SPOTS_SOLD[table]
    edges = edges_of("roulette", options(**TABLES[table]))
    returns: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    for number in range(37):
        spin = play(number, *(f"ana {spot} 100" for spot in sold), **TABLES[table])
        returns.update({payout.spot: payout.returned for payout in spin.payouts()})
        squares.update({payout.spot: (payout.returned - payout.stake) ** 2 for payout in spin.payouts()})
    assert {1 - Fraction(returns[spot], 37 * 100_00) for spot in sold} == {Fraction(1, 37)}
    assert edges == {
        spot: Edge(Fraction(1, 37), Fraction(squares[spot], 37 * 100_00**2) - Fraction(1, 37**2), exact=True)
        for spot in sold
    }


@article("60/2004", "7(1)")
@article("60/2004", "7(2)")
@pytest.mark.parametrize(
    ("family", "spots", "numbers", "odds"),
    [
        ("straight", 37, 1, 35),
        ("split", 57, 2, 17),
        ("street", 12, 3, 11),
        ("corner", 22, 4, 8),
        ("line", 11, 6, 5),
        ("sector9", 4, 9, 3),
        ("sector12", 3, 12, 2),
        ("column", 3, 12, 2),
        ("dozen", 3, 12, 2),
        ("low_high", 2, 18, 1),
        ("odd_even", 2, 18, 1),
        ("red_black", 2, 18, 1),
    ],
)
def test_each_family_has_its_spots_its_numbers_and_its_odds(family: str, spots: int, numbers: int, odds: int) -> None:
    mine = [spot for spot in view_for(opened(), None).spots if spot.family == family]
    assert len(mine) == spots
    assert len({spot.covers for spot in mine}) == spots
    for spot in mine:
        assert (len(set(spot.covers)), spot.odds[0].win, spot.odds[0].stake) == (numbers, odds, 1)
        assert (36 // numbers - 1) == odds and 36 % numbers == 0


def test_what_divides_the_36_numbers_divides_them_exactly() -> None:
    for names in (
        ["red", "black"],
        ["odd", "even"],
        ["low", "high"],
        ["dozen_small", "dozen_middle", "dozen_big"],
        [f"column_{n}" for n in (1, 2, 3)],
        [f"street_{n}" for n in range(1, 37, 3)],
        [f"sector12_{n}" for n in (1, 2, 3)],
        [f"sector9_{n}" for n in (1, 2, 3, 4)],
    ):
        for sectors in (Sectors.WHEEL_ARCS, Sectors.LAYOUT_BLOCKS):
            assert sorted(n for name in names for n in covers(sectors, name)) == list(range(1, 37))


@article("60/2004", "R-A13")
def test_nothing_is_rounded_since_all_odds_are_whole() -> None:
    assert {odds.stake for spot in ROULETTE.spots.values() for odds in spot.odds} == {1}
    spin = play(17, "ana straight_17 1", "ana corner_13 1", "ana low 1")
    assert [payout.returned for payout in spin.payouts()] == [36_00, 9_00, 2_00]


@article("60/2004", "1(4)")
def test_red_and_black_stand_alternately_on_the_wheel() -> None:
    assert {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36} == RED
    assert set(range(1, 37)) - RED == BLACK
    ring = [number in RED for number in WHEEL[1:]]
    assert all(one != other for one, other in pairwise(ring))


@article("60/2004", "8")
def test_on_zero_only_stakes_that_cover_it_win() -> None:
    covering = {name for name in SPOTS if 0 in covers(Sectors.WHEEL_ARCS, name)}
    assert covering == {"straight_0", *ZERO_COMBINATIONS}
