"""The exact edges of Cussec (rulebook, section 11): every bet against all 216 throws, played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tables.games.cussec.bets import FAMILIES, SPOTS
from tables.games.edges import Edge, edges_of
from tests.kit import options, returned

from .cussec_kit import play

THROWS = [" ".join(map(str, dice)) for dice in product(range(1, 7), repeat=3)]

STAKE = 1_00

EDGES: dict[str, tuple[int, str]] = {
    **dict.fromkeys(("big", "small", "odd", "even"), (105, "1/36")),
    **dict.fromkeys(("total_4", "total_17"), (3, "7/24")),
    **dict.fromkeys(("total_5", "total_16"), (6, "17/36")),
    **dict.fromkeys(("total_6", "total_15"), (10, "11/36")),
    **dict.fromkeys(("total_7", "total_14"), (15, "7/72")),
    **dict.fromkeys(("total_8", "total_13"), (21, "1/8")),
    **dict.fromkeys(("total_9", "total_12"), (25, "41/216")),
    **dict.fromkeys(("total_10", "total_11"), (27, "1/8")),
    **{f"double_{face}": (16, "1/3") for face in range(1, 7)},
    **{f"triple_{face}": (1, "65/216") for face in range(1, 7)},
    "any_triple": (6, "11/36"),
    **{f"pair_{a}_{b}": (30, "1/6") for a in range(1, 7) for b in range(a + 1, 7)},
    **{f"single_{face}": (75 + 15 + 1, "17/216") for face in range(1, 7)},
    **dict.fromkeys(("four_1234", "four_2345", "four_2356", "four_3456"), (24, "1/9")),
}
"""Throws that win, and what the house keeps of a stake in the long run."""


@cache
def all_throws() -> dict[str, Counter[int]]:
    """Spot -> how often each amount comes back of a credit, over every throw."""
    back: dict[str, Counter[int]] = {spot: Counter() for spot in SPOTS}
    for shown in THROWS:
        for bet, cents in returned(play(shown, *(f"ana {spot} 1 as {spot}" for spot in SPOTS))).items():
            back[bet][cents] += 1
    return back


@cache
def told() -> Mapping[str, Edge]:
    """What the house tells of the edge of each spot."""
    return edges_of("cussec", options("cussec"))


def test_there_are_56_spots_in_the_families_of_the_record() -> None:
    assert list(EDGES) == list(SPOTS) or set(EDGES) == set(SPOTS)
    assert len(SPOTS) == 56 and len(THROWS) == 216
    families = Counter(spot.family for spot in SPOTS.values())
    assert families == {"": 5, "total": 14, "double": 6, "triple": 6, "pair": 15, "single": 6, "four": 4}
    assert {family.value for family in FAMILIES} == set(families) - {""}


@pytest.mark.parametrize("spot", EDGES)
def test_the_house_keeps_what_the_rulebook_says(spot: str) -> None:
    wins, edge = EDGES[spot]
    back = all_throws()[spot]
    assert sum(back.values()) == 216
    assert sum(times for cents, times in back.items() if cents) == wins
    assert 1 - Fraction(sum(cents * times for cents, times in back.items()), 216 * STAKE) == Fraction(edge)
    squares = sum((cents - STAKE) ** 2 * times for cents, times in back.items())
    assert told()[spot] == Edge(Fraction(edge), Fraction(squares, 216 * STAKE**2) - Fraction(edge) ** 2, exact=True)


@pytest.mark.parametrize("face", range(1, 7))
def test_a_single_number_shows_once_twice_or_three_times(face: int) -> None:
    assert all_throws()[f"single_{face}"] == {0: 125, 2_00: 75, 3_00: 15, 4_00: 1}
