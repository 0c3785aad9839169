"""The exact odds of 3-Card Baccarat (rulebook, section 11), without replacement.

A round depends on the ranks of the 31 alone (a test holds the real round to it), so each pair of them is played once
with a bet on every spot, and counts as often as two hands of the pack come to it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any

import pytest

from tables.games.edges import Edge, edges_of
from tables.games.three_card_baccarat.bets import SPOTS
from tables.games.three_card_baccarat.edges import TIES
from tables.games.three_card_baccarat.hands import Combination, combination
from tables.games.values.cards import Card, card, pack
from tests.kit import article, options, returned

from .three_card_kit import SLUG, locked, play

KINDS = "KTA23456789"
"""Cards that count alike: K stands for every court card."""

STAKE = 100_00


def hand_of(kinds: str) -> tuple[Card, ...]:
    return tuple(card(f"{kind}s") for kind in kinds)


@cache
def in_pack(decks: int) -> Counter[str]:
    return Counter({kind: (12 if kind == "K" else 4) * decks for kind in KINDS})


@cache
def hands() -> dict[str, int]:
    """Every hand by its kinds, and its rank."""
    return {
        "".join(kinds): combination(hand_of("".join(kinds))).rank for kinds in combinations_with_replacement(KINDS, 3)
    }


def ways(kinds: str, left: Counter[str]) -> int:
    """How many hands of these kinds the cards that are left hold."""
    number = 1
    for kind, count in Counter(kinds).items():
        number *= comb(left[kind], count)
    return number


@cache
def frequencies(decks: int) -> Counter[tuple[int, int]]:
    """(banker's rank, place's rank) -> how many pairs of hands come to it."""
    found = Counter[tuple[int, int]]()
    for banker, rank in hands().items():
        once, left = ways(banker, in_pack(decks)), in_pack(decks) - Counter(banker)
        for place, other in hands().items():
            found[rank, other] += once * ways(place, left)
    return found


@cache
def returns() -> dict[tuple[int, int], dict[str, int | None]]:
    """(banker's rank, place's rank) -> what 100 on each spot returned, in cents; None if it is locked."""
    of_rank = {rank: " ".join(kinds) for kinds, rank in hands().items()}
    bets = [f"ana {name} {STAKE // 100}{' box 1' if spot.boxed else ''} as {name}" for name, spot in SPOTS.items()]
    found: dict[tuple[int, int], dict[str, int | None]] = {}
    for banker, first in of_rank.items():
        for place, second in of_rank.items():
            played = play(first, second, bets=bets)
            back: dict[str, int | None] = dict(returned(played))
            found[banker, place] = back | dict.fromkeys(locked(played))
    return found


def edge(decks: int, spot: str, *, decided: bool = False) -> Fraction:
    """What the house keeps of a stake a round; of a decided stake, if so asked."""
    kept = rounds = 0
    for ranks, count in frequencies(decks).items():
        back = returns()[ranks][spot]
        if back is None:
            back, count = STAKE, 0 if decided else count
        kept += count * (STAKE - back)
        rounds += count
    return Fraction(kept, rounds * STAKE)


def deviation(decks: int, spot: str) -> Fraction:
    """The variance of what the house keeps of a stake a round."""
    squares = rounds = 0
    for ranks, count in frequencies(decks).items():
        back = returns()[ranks][spot]
        squares += count * (0 if back is None else STAKE - back) ** 2
        rounds += count
    return Fraction(squares, rounds * STAKE**2) - edge(decks, spot) ** 2


@article("22/96/M", "1(1)")
@pytest.mark.parametrize("decks", range(1, 9))
def test_the_house_tells_what_the_hands_come_to(decks: int) -> None:
    ties = sum(count for (banker, place), count in frequencies(decks).items() if banker == place)
    assert TIES[decks] == ties
    assert edges_of(SLUG, options(SLUG, decks=decks)) == {
        spot: Edge(edge(decks, spot), deviation(decks, spot), exact=True) for spot in SPOTS
    }


def test_a_deck_holds_every_hand_once() -> None:
    assert frequencies(1).total() == comb(52, 3) * comb(49, 3)
    assert len(hands()) == 286


@article("22/96/M", "5(2)")
def test_of_22100_hands_220_are_three_court_cards() -> None:
    points = Counter[Any]()
    ranks = Counter[int]()
    for hand in combinations(pack(1), 3):
        what = combination(hand)
        points["courts" if what.courts == 3 else what.points] += 1
        ranks[what.rank] += 1
    assert points["courts"] == ranks[1] == 220
    assert {points[number] for number in (0, 2, 4, 6, 8)} == {2164}
    assert {points[number] for number in (1, 3, 5, 7, 9)} == {2212}
    assert set(ranks) == set(range(1, 32))
    by_banker = Counter[int]()
    for (banker, _), count in frequencies(1).items():
        by_banker[banker] += count
    assert by_banker == {rank: count * comb(49, 3) for rank, count in ranks.items()}


def test_the_ranks_are_in_the_order_of_the_article() -> None:
    """Three court cards, then the points, then the number of court cards."""
    possible = {Combination(0, 3)} | {Combination(points, courts) for points in range(10) for courts in range(3)}
    best_first = sorted(possible, key=lambda what: (what.courts == 3, what.points, what.courts), reverse=True)
    assert [what.rank for what in best_first] == list(range(1, 32))


EXACT = {
    "place": Fraction(306091, 12724075),
    "tie": Fraction(75284, 363545),
    "odd": Fraction(313, 22100),
    "even": Fraction(781, 22100),
    **{f"points_{odd}": Fraction(548, 5525) for odd in (1, 3, 5, 7, 9)},
    **{f"points_{even}": Fraction(656, 5525) for even in (0, 2, 4, 6, 8)},
    "three_figures": Fraction(54, 65),
}


@article("22/96/M", "9")
@pytest.mark.parametrize("spot", SPOTS)
def test_the_edge_of_every_bet_with_one_deck(spot: str) -> None:
    assert edge(1, spot) == EXACT[spot] == edges_of(SLUG, options(SLUG, decks=1))[spot].share


PERCENT = {
    "place": ("2.4056", "2.4040", "2.4028", "2.4026"),
    "tie": ("20.7083", "19.4013", "18.3447", "18.2027"),
    "odd": ("1.4163", "1.9582", "2.3022", "2.3443"),
    "even": ("3.5339", "2.9862", "2.6383", "2.5957"),
    "points_1": ("9.9186", "10.5259", "10.9156", "10.9635"),
    "points_0": ("11.8733", "11.4748", "11.2258", "11.1956"),
    "points_8": ("11.8733", "11.4748", "11.2258", "11.1956"),
    "three_figures": ("83.0769", "81.1053", "79.7763", "79.6094"),
}


@article("22/96/M", "10")
@pytest.mark.parametrize(("column", "decks"), [(0, 1), (1, 2), (2, 6), (3, 8)])
def test_the_edges_with_more_decks_and_a_fortieth_of_every_decided_place_stake(column: int, decks: int) -> None:
    assert {spot: f"{float(edge(decks, spot) * 100):.4f}" for spot in PERCENT} == {
        spot: row[column] for spot, row in PERCENT.items()
    }
    assert edge(decks, "place", decided=True) == Fraction(1, 40)


@article("22/96/M", "T-A7")
def test_t_a7_were_0_points_paid_on_three_court_cards_the_bet_would_cost_next_to_nothing() -> None:
    on_courts = Fraction(sum(count for (banker, _), count in frequencies(1).items() if banker == 1))
    gained = on_courts / frequencies(1).total() * 9
    assert f"{float((edge(1, 'points_0') - gained) * 100):.2f}" == "2.91"
    assert all(back["points_0"] == 0 for (banker, _), back in returns().items() if banker == 1)


def test_only_the_ranks_decide() -> None:
    """Any two hands of one rank are worth the same against any other: each is played once against a middling one."""
    for kinds, rank in hands().items():
        played = play("4 A T", " ".join(kinds), bets=["ana place 100 box 1 as place"])
        assert played.result()["places"] == {"1": rank}
        stays = locked(played).get("place")
        assert (None if stays else returned(played)["place"]) == returns()[hands()["TA4"], rank]["place"]
