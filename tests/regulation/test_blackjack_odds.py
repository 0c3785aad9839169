"""The exact odds of Blackjack (rulebook, section 11): cards without replacement, through the rules themselves.

Suits matter to the sevens alone, and ranks count for all else; so each pair of ranks (and of suits, for the sevens) is
put on the table once, and weighed with the number of ways in which it can be dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Any

import pytest

from tables.games.blackjack.bank import must_draw
from tables.games.blackjack.hands import best, is_blackjack
from tables.games.blackjack.options import MARKET_2009, REGULATION_FULL
from tables.games.edges import Edge, edges_of
from tables.games.values.cards import RANKS, SUITS, Card, card
from tests.bench.simulation import simulated
from tests.kit import article, options

from .blackjack_kit import back, played, playing

DECKS = (1, 6, 8)
SIDES = ("any_pair", "over_13", "under_13")
STAKE = 100_00


def ways(decks: int, first: str, second: str) -> int:
    """In how many ways two cards of these ranks can be dealt."""
    return 4 * decks * (4 * decks - (first == second))


def chance(decks: int, pays: dict[tuple[str, str], int]) -> Fraction:
    """The expectation of a figure of the first two cards."""
    return Fraction(sum(ways(decks, *ranks) * value for ranks, value in pays.items()), perm(52 * decks, 2))


@cache
def side_returns(spot: str) -> dict[tuple[str, str], int]:
    """Ranks of the first two cards -> what 100 credits on a side bet return; no card more comes to the box."""
    bets = ("x main 100 box 1", f"x {spot} 100 box 1", "…")
    return {
        (one, two): back(playing(f"{one}s Td {two}h", *bets, any_pair_after_split="first_two_cards_only"))[f"x {spot}"]
        for one, two in product(RANKS, repeat=2)
    }


def edge(decks: int, spot: str) -> Fraction:
    """Expected loss per unit staked on a side bet that the first two cards decide."""
    return 1 - chance(decks, side_returns(spot)) / STAKE


def told(**given: Any) -> Mapping[str, Edge]:
    """What the house tells of the edge of each spot."""
    return edges_of("blackjack", options("blackjack", **given))


def exactly_told(decks: int, spot: str, **given: Any) -> Edge:
    """What it tells of a bet that pays one odds alone, if it is as the first two cards here say."""
    edge_told = told(decks=decks, **given)[spot]
    wins = chance(decks, won(spot))
    prize = max(side_returns(spot).values()) // STAKE - 1
    assert edge_told == Edge(edge(decks, spot), (1 + prize) ** 2 * wins * (1 - wins), exact=True)
    return edge_told


def won(spot: str) -> dict[tuple[str, str], int]:
    return {ranks: int(returns > 0) for ranks, returns in side_returns(spot).items()}


@article("56/2004", "10(1)")
@pytest.mark.parametrize(("decks", "rounded"), [(1, "0.048265"), (6, "0.047489"), (8, "0.047451")])
def test_the_chance_of_a_blackjack(decks: int, rounded: str) -> None:
    found = chance(
        decks, {(a, b): int(is_blackjack([card(f"{a}s"), card(f"{b}h")])) for a, b in product(RANKS, repeat=2)}
    )
    assert f"{float(found):.6f}" == rounded
    assert {6: Fraction(192, 4043), 8: Fraction(256, 5395)}.get(decks, found) == found


@article("56/2004", "13(1)(1)")
@article("56/2004", "14(1)")
@pytest.mark.parametrize(
    ("decks", "rounded", "per_cent"), [(1, "0.058824", "29.41"), (6, "0.073955", "11.254"), (8, "0.074699", "10.361")]
)
def test_any_pair_on_the_first_two_cards(decks: int, rounded: str, per_cent: str) -> None:
    found = chance(decks, won("any_pair"))
    assert f"{float(found):.6f}" == rounded
    assert {6: Fraction(23, 311), 8: Fraction(31, 415)}.get(decks, found) == found
    assert edge(decks, "any_pair") == 1 - 12 * found
    assert exactly_told(decks, "any_pair", any_pair_after_split="first_two_cards_only").share == 1 - 12 * found
    assert f"{float(100 * edge(decks, 'any_pair')):.{len(per_cent) - 3}f}" == per_cent


@article("56/2004", "13(3)")
@article("56/2004", "14(3)")
@pytest.mark.parametrize(
    ("spot", "figures"),
    [
        ("over_13", {1: ("0.466063", "6.787"), 6: ("0.467227", "6.555"), 8: ("0.467285", "6.543")}),
        ("under_13", {1: ("0.449472", "10.106"), 6: ("0.449666", "10.067"), 8: ("0.449676", "10.065")}),
    ],
)
@pytest.mark.parametrize("decks", DECKS)
def test_over_and_under_13(spot: str, figures: dict[int, tuple[str, str]], decks: int) -> None:
    found = chance(decks, won(spot))
    assert (f"{float(found):.6f}", f"{float(100 * exactly_told(decks, spot).share):.3f}") == figures[decks]
    exactly = {
        ("over_13", 6): Fraction(1889, 4043),
        ("over_13", 8): Fraction(2521, 5395),
        ("under_13", 6): Fraction(1818, 4043),
        ("under_13", 8): Fraction(2426, 5395),
    }
    assert exactly.get((spot, decks), found) == found


@article("56/2004", "R13")
def test_exactly_13_loses_both_ways() -> None:
    over, under = won("over_13"), won("under_13")
    for decks, rounded in ((1, "0.084465"), (6, "0.083107"), (8, "0.083040")):
        thirteen = chance(decks, {ranks: 1 - over[ranks] - under[ranks] for ranks in over})
        assert f"{float(thirteen):.6f}" == rounded
    assert not any(over[ranks] and under[ranks] for ranks in over)


# ── Sevens ──────────────────────────────────────────────────────────────────────────────────────────────────

OTHER = card("2c")
"""Stands for every card that is no seven."""


def sevens_ends(decks: int) -> Iterator[tuple[int, int, int]]:
    """Ways, number of sevens in a row (0 if the first two are not), and what 100 return; a third card always comes."""
    for first, second in product(SUITS, repeat=2):
        pair = decks * (decks - (first == second))
        for third in (*SUITS, None):
            left = 48 * decks if third is None else decks - (first == third) - (second == third)
            if pair * left > 0:
                drawn = OTHER if third is None else Card("7", third)
                yield pair * left, 2 + (third is not None), sevens_returns(Card("7", first), Card("7", second), drawn)


@cache
def sevens_returns(first: Card, second: Card, third: Card) -> int:
    round_ = playing(f"{first} 9d {second} {third}", "x main 100 box 1", "x sevens 100 box 1", "x hit 1", decks=8)
    return back(round_)["x sevens"]


@article("56/2004", "13(2)")
@article("56/2004", "14(2)")
@pytest.mark.parametrize(
    ("decks", "two", "suited", "unsuited", "per_cent"),
    [
        (1, "0.0045249", "0.0000e+00", "1.810e-04", "68.78"),
        (6, "0.0056888", "1.5957e-05", "3.8777e-04", "34.15"),
        (8, "0.0057461", "1.8804e-05", "3.9758e-04", "31.46"),
    ],
)
def test_the_sevens(decks: int, two: str, suited: str, unsuited: str, per_cent: str) -> None:
    ends = list(sevens_ends(decks))
    all_ways = perm(52 * decks, 3)
    assert f"{sum(count for count, _, _ in ends) / all_ways:.7f}" == two
    three = Counter[bool]()
    for count, sevens, returns in ends:
        if sevens == 3:
            three[returns == 5001 * STAKE] += count
    assert f"{three[True] / all_ways:.4e}" == suited
    digits = len(unsuited.split("e")[0]) - 2
    assert f"{three[False] / all_ways:.{digits}e}" == unsuited
    lost = 1 - Fraction(sum(count * returns for count, _, returns in ends), STAKE * all_ways)
    assert f"{float(100 * lost):.2f}" == per_cent
    squares = [(all_ways - sum(count for count, _, _ in ends)) * STAKE**2]
    squares += [count * (returns - STAKE) ** 2 for count, _, returns in ends]
    assert told(decks=decks)["sevens"] == Edge(lost, Fraction(sum(squares), STAKE**2 * all_ways) - lost**2, exact=True)


# ── Any pair after splits ───────────────────────────────────────────────────────────────────────────────────


def further_pairs(
    equal: int, left: int, free: int, pending: int = 2, so_far: int = 0, of: Callable[[int], int] = int
) -> Fraction:
    """How many more pairs are to be expected of `pending` split hands that still get their second card, with `equal`
    cards of their rank among `left`; the first `free` pairs are split again, each into two such hands. (Or what is to
    be expected `of` their number.)"""
    if not pending:
        return Fraction(of(so_far))
    chance = Fraction(equal, left)
    split = free > 0
    more = pending + 1 if split else pending - 1
    after = further_pairs(equal - 1, left - 1, free - split, more, so_far + 1, of) if equal else Fraction(0)
    return chance * after + (1 - chance) * further_pairs(equal, left - 1, free, pending - 1, so_far, of)


def test_every_pair_turns_any_pair_to_the_bettors_favour() -> None:
    """Up to four hands, but aces are split once only (R27)."""
    extra = (12 * further_pairs(22, 310, free=2) + further_pairs(22, 310, free=0)) / 13
    assert f"{float(extra):.5f}" == "0.16185"
    won_by_bettor = Fraction(23, 311) * (12 + 11 * extra) - 1
    assert f"{float(100 * won_by_bettor):.2f}" == "1.91"
    assert told()["any_pair"].share == -won_by_bettor


@article("56/2004", "R14")
@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize(
    ("given", "free", "of_aces"),
    [
        ({}, 2, 0),
        ({"max_split_hands": 6}, 4, 0),
        ({"resplit_aces": True}, 2, 2),
        ({"resplit_allowed": False}, 0, 0),
        ({"resplit_allowed": False, "split_rank_rule": "same_value"}, 0, 0),
    ],
)
def test_what_the_house_tells_of_every_pair(decks: int, given: dict[str, Any], free: int, of_aces: int) -> None:
    """The mean and the variance by the number of pairs after the first: by each way in which the cards can come."""
    pair = Fraction(4 * decks - 1, 52 * decks - 1)

    def expected(of: Callable[[int], int]) -> Fraction:
        each = [further_pairs(4 * decks - 2, 52 * decks - 2, many, of=of) for many in (free, of_aces)]
        return pair * (12 * each[0] + each[1]) / 13

    assert expected(lambda pairs: 1) == pair
    mean = expected(lambda pairs: 11 * (1 + pairs)) - (1 - pair)
    squares = expected(lambda pairs: (11 * (1 + pairs)) ** 2) + (1 - pair)
    assert told(decks=decks, **given)["any_pair"] == Edge(-mean, squares - mean**2, exact=True)


@article("56/2004", "R8")
def test_nothing_is_told_of_any_pair_where_nobody_has_counted() -> None:
    assert "any_pair" not in told(split_rank_rule="same_value")
    assert "any_pair" in told(split_rank_rule="same_value", any_pair_after_split="first_two_cards_only")
    assert "any_pair" in told(max_split_hands=12)
    assert "any_pair" not in told(max_split_hands=13)
    assert "any_pair" not in told(side_bets_offered=["sevens"])


# ── Insurance, and the bank's final totals ──────────────────────────────────────────────────────────────────


@article("56/2004", "12(2)")
@pytest.mark.parametrize(("decks", "per_cent"), [(1, "5.88"), (6, "7.395"), (8, "7.470")])
def test_insurance_when_only_the_ace_is_known(decks: int, per_cent: str) -> None:
    paid = sum((4 * decks - (rank == "A")) * insurance_returns(rank) for rank in RANKS)
    lost = 1 - Fraction(paid, 50_00 * (52 * decks - 1))
    assert f"{float(100 * lost):.{len(per_cent) - 2}f}" == per_cent


@cache
def insurance_returns(second: str) -> int:
    """What 50 of insurance return if this is the bank's second card; the main stake is lost over 21 before."""
    round_ = played(f"Ts Ad 6h Kc {second}c", "x main 100 box 1", "x insurance 1 50", "x hit 1")
    return back(round_)["x main"]


def bank_ends(first: str, decks: int = 6) -> dict[str, Fraction]:
    """Where a bank that shows this card ends, and how likely: the tree that 6(1) spans."""
    left = dict.fromkeys(RANKS, 4 * decks)
    left[first] -= 1
    ends: dict[str, Fraction] = {}

    def walk(hand: tuple[Card, ...], size: int, likely: Fraction) -> None:
        if len(hand) >= 2 and not must_draw(hand):
            total = best(hand)
            name = "blackjack" if is_blackjack(hand) else "over" if total > 21 else str(total)
            ends[name] = ends.get(name, Fraction(0)) + likely
            return
        for rank in RANKS[:10]:  # tens and court cards are one
            count = left[rank] if rank != "T" else sum(left[each] for each in "TJQK")
            if count:
                taken = rank if rank != "T" else next(each for each in "TJQK" if left[each])
                left[taken] -= 1
                walk((*hand, card(f"{rank}s")), size - 1, likely * Fraction(count, size))
                left[taken] += 1

    walk((card(f"{first}s"),), 52 * decks - 1, Fraction(1))
    return ends


FINAL = {
    "2": ".139656 .134389 .130020 .124019 .118413 – .353504",
    "3": ".134296 .130539 .125226 .120817 .114928 – .374194",
    "4": ".130556 .124062 .121272 .116441 .111866 – .395805",
    "5": ".121843 .122437 .117575 .111793 .107945 – .418406",
    "6": ".165707 .106194 .106431 .101551 .097276 – .422842",
    "7": ".369208 .137931 .078428 .078682 .073816 – .261936",
    "8": ".128940 .359955 .128723 .069219 .069470 – .243693",
    "9": ".120310 .117348 .351854 .120368 .060877 – .229242",
    "T": ".111914 .111669 .111945 .340014 .034817 .077170 .212471",
    "K": ".111914 .111669 .111945 .340014 .034817 .077170 .212471",
    "A": ".130017 .130822 .130594 .130910 .053504 .308682 .115473",
}


@article("56/2004", "6(1)")
@article("56/2004", "R4")
@pytest.mark.parametrize("first", FINAL)
def test_what_the_bank_ends_with_by_its_first_card(first: str) -> None:
    ends = bank_ends(first)
    assert sum(ends.values()) == 1
    for name, figure in zip(("17", "18", "19", "20", "21", "blackjack", "over"), FINAL[first].split(), strict=True):
        assert (f"{float(ends[name]):.6f}"[1:] if name in ends else "–") == figure, name


@article("56/2004", "8")
def test_in_that_tree_a_ten_stands_for_the_court_cards() -> None:
    for court in "JQK":
        for other in RANKS:
            assert best([card(f"{court}s"), card(f"{other}h")]) == best([card("Ts"), card(f"{other}h")])


# ── The whole game ──────────────────────────────────────────────────────────────────────────────────────────

PLAIN: dict[str, Any] = {"special_prize_offered": False, "five_card_claim_offered": False}
"""The regulation to the letter, without its two extras."""

PUBLISHED: list[tuple[Mapping[str, Any], str]] = [
    (MARKET_2009, "0.167"),
    ({**MARKET_2009, "resplit_aces": True}, "0.099"),
    (PLAIN, "0.191"),
    ({**PLAIN, "resplit_aces": True}, "0.121"),
    ({**PLAIN, "double_loss_on_bank_blackjack": "all"}, "0.267"),
    ({**PLAIN, "special_prize_offered": True}, "0.120"),
    ({**PLAIN, "five_card_claim_offered": True}, "-0.516"),
    (REGULATION_FULL, "-0.581"),
    ({"decks": 8}, "-0.565"),
    ({**PLAIN, "double_rule": "eleven_only"}, "0.957"),
    ({**PLAIN, "decks": 8}, "0.210"),
    ({**PLAIN, "decks": 1}, "-0.255"),
]


@pytest.mark.parametrize(("given", "per_cent"), PUBLISHED)
def test_the_edge_of_the_main_bet_is_the_published_one(given: Mapping[str, Any], per_cent: str) -> None:
    main = told(**given)["main"]
    assert f"{float(100 * main.share):.3f}" == per_cent
    assert not main.exact


@pytest.mark.parametrize(
    "given",
    [
        {"decks": 4},
        {"special_prize_mode": "bonus"},
        {"max_split_hands": 5},
        {"resplit_allowed": False},
        {**MARKET_2009, "double_loss_on_bank_blackjack": "all"},
        {**MARKET_2009, "decks": 8},
    ],
)
def test_nothing_is_told_of_the_main_bet_where_nothing_was_published(given: Mapping[str, Any]) -> None:
    assert "main" not in told(**given)


@pytest.mark.parametrize(
    "given",
    [
        {"insurance_max_fraction": "1"},
        {"dealing_device": "auto_shuffler"},
        {"surrender_timing": "own_first_decision"},
        {"split_rank_rule": "same_value"},
        {**PLAIN, "special_prize_mode": "bonus"},
    ],
)
def test_what_no_basic_strategy_minds_changes_nothing(given: Mapping[str, Any]) -> None:
    extras = {name: value for name, value in given.items() if name in PLAIN}
    assert told(**given)["main"] == told(**extras)["main"]


def test_a_round_deviates_as_far_as_a_simulation_of_it() -> None:
    """So the standard error that stands beside the rulebook's figures is one of rounds, not of something else."""
    found = simulated(50_000, "deviation").deviation
    assert abs(found - float(told(**MARKET_2009)["main"].variance) ** 0.5) < 0.02
