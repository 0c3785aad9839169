"""Hands of five cards (4, 8, 9(1)): their ranks, how any two compare, and that an evaluator that is not ours agrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement, cycle, pairwise, permutations, product
from math import comb, prod

import pytest
from pokerkit import StandardHighHand

from tables.games.stud_poker.bets import RAISE_ARTICLES
from tables.games.stud_poker.hands import (
    ACE_KING,
    CARD_VALUES,
    LOW_TO_HIGH,
    SUIT_VALUES,
    TITLES,
    Rank,
    Value,
    is_higher,
    qualifies,
    rank_of,
    value_of,
)
from tables.games.stud_poker.options import Options
from tables.games.stud_poker.settling import raise_odds, raise_prize
from tables.games.values.cards import RANKS, SUITS, Card, cards, pack
from tables.games.values.money import Odds
from tests.kit import article

Hand = tuple[Card, ...]


def value(text: str) -> Value:
    return value_of(cards(text))


def rank(text: str) -> Rank:
    return rank_of(cards(text))


# ── Suits and ranks ─────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "4(1)")
def test_spades_then_hearts_then_clubs_then_diamonds() -> None:
    assert sorted(SUITS, key=lambda suit: -SUIT_VALUES[suit]) == list("shcd")
    flushes = [value(" ".join(f"{rank}{suit}" for rank in "KJ984")) for suit in "shcd"]
    assert flushes == sorted(flushes, reverse=True) and len(set(flushes)) == 4


@article("61/2004", "4(2)")
def test_ace_king_queen_down_to_the_two() -> None:
    assert sorted(RANKS, key=lambda rank: -CARD_VALUES[rank]) == list("AKQJT98765432")
    pairs = [value(f"{rank}s {rank}h {odd}") for rank, odd in zip("AKQJT98765432", _odd_cards(), strict=True)]
    assert pairs == sorted(pairs, reverse=True) and len(set(pairs)) == 13


def _odd_cards() -> Iterator[str]:
    """Three odd cards for a pair of each rank, each time higher than before: they must not matter."""
    for rank in "AKQJT98765432":
        low = [other for other in "23456789TJQKA" if other != rank]
        yield " ".join(f"{each}{suit}" for each, suit in zip(low[:3] if rank > "9" else low[-3:], "dcd", strict=True))


@article("61/2004", "4(3)")
@article("61/2004", "R4")
def test_in_5_4_3_2_a_the_ace_is_the_lowest_and_the_five_the_highest_card() -> None:
    wheel = value("5s 4h 3d 2c Ad")
    assert wheel.rank is Rank.STRAIGHT and wheel.keys == (5,)
    assert wheel < value("6d 5d 4s 3c 2d") and wheel < value("As Kd Qh Jc Tc")
    assert value("5s 4h 3d 2c Ad") > value("5h 4s 3s 2s As"), "the suit of the five, not of the ace"
    assert value("5s 4s 3s 2s As").keys == (5,) and rank("5s 4s 3s 2s As") is Rank.STRAIGHT_FLUSH


@article("61/2004", "8(6)")
def test_an_ace_is_high_or_low_and_nothing_between() -> None:
    for text in ("Qs Ks As 2h 3s", "Ks As 2h 3s 4s", "Js Qs Ks Ah 2s"):
        assert rank(text) is Rank.FIVE_ODD_CARDS


# ── The ten ranks ───────────────────────────────────────────────────────────────────────────────────────────

EXAMPLES = {
    Rank.ROYAL_FLUSH: "Ad Kd Qd Jd Td",
    Rank.STRAIGHT_FLUSH: "Ks Qs Js Ts 9s",
    Rank.FOUR_OF_A_KIND: "2s 2h 2c 2d 3s",
    Rank.FULL_HOUSE: "2s 2h 2c 3d 3s",
    Rank.FLUSH: "7d 5d 4d 3d 2d",
    Rank.STRAIGHT: "5s 4h 3d 2c Ad",
    Rank.THREE_OF_A_KIND: "2s 2h 2c 3d 4s",
    Rank.TWO_PAIRS: "2s 2h 3c 3d 4s",
    Rank.ONE_PAIR: "2s 2h 3c 4d 5s",
    Rank.FIVE_ODD_CARDS: "2s 3h 4c 5d 7s",
}
"""Low ones of each rank, so that each must beat a high one of the next."""

HIGH = {
    Rank.STRAIGHT_FLUSH: "Ks Qs Js Ts 9s",
    Rank.FOUR_OF_A_KIND: "As Ah Ac Ad Ks",
    Rank.FULL_HOUSE: "As Ah Ac Kd Ks",
    Rank.FLUSH: "As Ks Qs Js 9s",
    Rank.STRAIGHT: "As Kh Qc Jd Ts",
    Rank.THREE_OF_A_KIND: "As Ah Ac Kd Qs",
    Rank.TWO_PAIRS: "As Ah Kc Kd Qs",
    Rank.ONE_PAIR: "As Ah Kc Qd Js",
    Rank.FIVE_ODD_CARDS: "As Kh Qc Jd 9s",
}


@article("61/2004", "8")
def test_there_are_ten_ranks_and_each_beats_the_best_of_the_next() -> None:
    assert len(Rank) == 10 and tuple(Rank) == tuple(EXAMPLES) == LOW_TO_HIGH[::-1]
    for higher, lower in zip(EXAMPLES, HIGH, strict=False):
        assert value(EXAMPLES[higher]) > value(HIGH[lower]), (higher, lower)
    assert {each: rank(text) for each, text in EXAMPLES.items()} == {each: each for each in Rank}
    assert {each: rank(text) for each, text in HIGH.items()} == {each: each for each in HIGH}
    assert {str(TITLES[each]).replace(" ", "_") for each in Rank} == {each.value for each in Rank}


@pytest.mark.parametrize("text", EXAMPLES.values())
def test_the_order_in_which_cards_came_does_not_matter(text: str) -> None:
    assert len({value_of(order) for order in permutations(cards(text))}) == 1


ORDERED = [
    # the rulebook's vectors: left beats right
    ("As Kd Jh 8c 3d", "Ah Ks Jd 8d 3c"),
    ("Ac Kd Jh 8d 3c", "Ad Ks Js 8s 3h"),
    ("Ks Kd Qh 7c 4d", "Kh Kc Qs 7d 4s"),
    ("As Ac 9d 9c Jh", "Ah Ad 9s 9h Jc"),
    ("Ts Td 6c 6d 9h", "Th Tc 6s 6h 5s"),
    ("5s 4h 3d 2c Ad", "5h 4s 3s 2s As"),
    ("6d 5d 4s 3c 2d", "5s 4s 3d 2c As"),
    ("Ah Jh 9h 4h 3h", "Ac Jc 9c 4c 3c"),
    ("Kd Qd 9d 4d 3d", "Ks Qs 9s 4s 2s"),
    ("3s 3h 3d 4s 4h", "2s 2h 2d As Ah"),
    ("5s 4s 3s 2s As", "5h 4h 3h 2h Ah"),
    ("6d 5d 4d 3d 2d", "5s 4s 3s 2s As"),
    # and of each key what the vectors leave out
    ("2s 2h 2c 2d 3s", "As Ah Ac Kd Ks"),
    ("3s 3h 3c 3d 2s", "2s 2h 2c 2d As"),
    ("3s 3h 3d 2s 4h", "2c 2h 2d As Kh"),
    ("Ts Td 6c 6d 2h", "Th Tc 5s 5h As"),
    ("Td Tc 2c 2d 3h", "9s 9h 8s 8h As"),
    ("3d 3c 2c 4d 5h", "2s 2h As Kh Qs"),
    ("9d 9c 5c 3d 2h", "9s 9h 4s 3h 2s"),
    ("9d 9c 5c 4d 2h", "9s 9h 5s 3h 2s"),
    ("9d 9c 5c 4d 3h", "9s 9h 5s 4h 2s"),
    ("8d 4c 3c 2d 5h", "7s 5h 4s 3h 2s"),
    ("8d 7c 3c 2d 4h", "8s 6h 5s 4d 3h"),
    ("8d 6c 5c 2d 3h", "8s 6h 4s 3d 2h"),
    ("8d 6c 5c 4d 2h", "8s 6h 5s 3d 2s"),
    ("8d 6c 5c 4d 3h", "8s 6h 5s 4h 2s"),
    ("9d 8c 7c 6d 5h", "8s 7h 6s 5s 4s"),
    ("9s 8c 7c 6d 5h", "9h 8s 7s 6s 5s"),
    ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th"),
]


@article("61/2004", "8(5)")
@article("61/2004", "8(8)")
@article("61/2004", "8(9)")
@article("61/2004", "8(10)")
@article("61/2004", "R3")
@article("61/2004", "R21")
@pytest.mark.parametrize(("higher", "lower"), ORDERED)
def test_which_of_two_hands_is_higher(higher: str, lower: str) -> None:
    assert value(higher) > value(lower)
    assert not value(lower) >= value(higher)


@article("61/2004", "8(1)")
@article("61/2004", "R18")
def test_royal_flushes_are_compared_by_their_suit_alone() -> None:
    assert value("Ad Kd Qd Jd Td") == (9, (), SUIT_VALUES["d"])
    royals = [value(" ".join(f"{rank}{suit}" for rank in "AKQJT")) for suit in "shcd"]
    assert royals == sorted(royals, reverse=True) and len(set(royals)) == 4


@article("61/2004", "8(2)")
def test_a_straight_flush_is_compared_by_its_top_card_and_then_its_suit() -> None:
    found = [
        value(" ".join(f"{rank}{suit}" for rank in run)) for run in ("KQJT9", "6543" + "2", "5432A") for suit in "shcd"
    ]
    assert found == sorted(found, reverse=True) and len(set(found)) == 12
    assert {each.rank for each in found} == {Rank.STRAIGHT_FLUSH}


@article("61/2004", "8(3)")
@article("61/2004", "8(4)")
@article("61/2004", "8(7)")
@article("61/2004", "R5")
@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("9s 9h 9c 9d As", "9s 9h 9c 9d 2d"),
        ("9s 9h 9c As Ad", "9s 9h 9c 2s 2d"),
        ("9s 9h 9c As Kd", "9s 9h 9c 3s 2d"),
        ("9s 9h 9c As Kd", "9h 9c 9d As Kd"),
    ],
)
def test_beside_four_or_three_of_a_rank_nothing_is_looked_at(high: str, low: str) -> None:
    assert value(high) == value(low)
    assert value(high).keys == (9,) and value(high).suit == 0


# ── Two hands of one deck never tie ─────────────────────────────────────────────────────────────────────────


def suited_ways(text: str) -> Iterator[Hand]:
    """Every hand with these ranks."""
    by_rank = {rank: combinations(SUITS, text.count(rank)) for rank in dict.fromkeys(text)}
    for suits in product(*by_rank.values()):
        yield tuple(Card(rank, suit) for rank, those in zip(by_rank, suits, strict=True) for suit in those)


@article("61/2004", "R3")
@article("61/2004", "R21")
@pytest.mark.parametrize(
    ("ranks", "pairs"),
    [
        ("AAKQJ", 5_184),  # 14,826,240 in all 2,860 such
        ("22345", 5_184),
        ("77A62", 5_184),
        ("TT669", 216),  # 185,328 in 858
        ("33224", 216),
        ("5432A", 123_456),  # 1,234,500 straights, 54 straight flushes and 6 royals in 10
        ("AKQJT", 123_456),
    ],
)
def test_hands_of_equal_ranks_are_decided_by_a_suit(ranks: str, pairs: int) -> None:
    hands = [(frozenset(hand), value_of(hand)) for hand in suited_ways(ranks)]
    found = 0
    for (one, its), (other, others) in combinations(hands, 2):
        if its[:2] == others[:2] and one.isdisjoint(other):
            found += 1
            assert its != others
    assert found == pairs


@article("61/2004", "8")
@pytest.mark.parametrize("ranks", ["AAKQJ", "TT669"])
def test_the_quick_comparison_says_the_same_where_suits_decide(ranks: str) -> None:
    for one, other in combinations(suited_ways(ranks), 2):
        assert is_higher(one, other) == (value_of(one) > value_of(other))
        assert is_higher(other, one) == (value_of(other) > value_of(one))


@article("61/2004", "8")
def test_the_quick_comparison_says_the_same_of_all_classes_of_hands() -> None:
    for lower, higher in pairwise(sorted(classes(), key=value_of)):
        decided = value_of(higher) > value_of(lower)
        assert is_higher(higher, lower) == decided
        assert not is_higher(lower, higher)


# ── Qualifying ──────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "9(1)")
@article("61/2004", "R1")
@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("Ac Kh 4d 3s 2c", True),
        ("As Qd Jh Tc 9s", False),
        ("Kd Qd Jh Tc 8s", False),
        ("As 6d 4h 3c 2s", False),
        ("As Kd Qh Jc 9s", True),
        ("2s 2h 3c 5d 8c", True),
        ("As Kd Qh Jc Ts", True),
        ("5s 4h 3d 2c Ad", True),
        ("7d 5d 4d 3d 2d", True),
        ("2s 2h 2c 2d 3s", True),
    ],
)
def test_the_dealer_qualifies_with_ace_king_or_any_better_hand(text: str, does: bool) -> None:
    assert qualifies(cards(text)) == does
    assert (value(text) >= ACE_KING) == does


# ── An evaluator that is not ours ───────────────────────────────────────────────────────────────────────────

KEPT_RANKS = {
    "High card": Rank.FIVE_ODD_CARDS,
    "One pair": Rank.ONE_PAIR,
    "Two pair": Rank.TWO_PAIRS,
    "Three of a kind": Rank.THREE_OF_A_KIND,
    "Straight": Rank.STRAIGHT,
    "Flush": Rank.FLUSH,
    "Full house": Rank.FULL_HOUSE,
    "Four of a kind": Rank.FOUR_OF_A_KIND,
    "Straight flush": Rank.STRAIGHT_FLUSH,
}


@cache
def classes() -> Mapping[Hand, int]:
    """A hand of each of the 7,462 classes that poker knows (its ranks, and whether it is of one suit), and how many
    hands there are of it: together every hand of the deck."""
    found: dict[Hand, int] = {}
    for ranks in combinations_with_replacement(RANKS, 5):
        counts = Counter(ranks)
        if max(counts.values()) > len(SUITS):
            continue
        mixed = tuple(Card(rank, suit) for rank, suit in zip(ranks, cycle(SUITS)))
        found[mixed] = prod(comb(len(SUITS), count) for count in counts.values())
        if len(counts) == 5:
            found[mixed] -= len(SUITS)
            found[tuple(Card(rank, SUITS[0]) for rank in ranks)] = len(SUITS)
    return found


def kept(hand: Hand) -> StandardHighHand:
    return StandardHighHand("".join(map(str, hand)))


def test_it_calls_every_class_of_hands_by_the_same_name() -> None:
    assert len(classes()) == 7_462
    for hand in classes():
        ours = rank_of(hand)
        royal = ours is Rank.ROYAL_FLUSH
        assert KEPT_RANKS[kept(hand).entry.label.value] is (Rank.STRAIGHT_FLUSH if royal else ours)


def test_it_orders_them_as_we_do_but_for_side_cards_that_the_articles_ignore() -> None:
    ordered = sorted(classes(), key=lambda hand: kept(hand).entry.index)
    assert len({kept(hand).entry.index for hand in ordered}) == 7_462
    for lower, higher in pairwise(ordered):
        below, above = value_of(lower)[:2], value_of(higher)[:2]
        if below == above:
            assert rank_of(lower) in (Rank.FOUR_OF_A_KIND, Rank.FULL_HOUSE, Rank.THREE_OF_A_KIND)
            assert below[1][0] in [
                CARD_VALUES[rank] for rank, many in Counter(c.rank for c in lower).items() if many > 2
            ]
        else:
            assert below < above


# ── Every hand of the deck ──────────────────────────────────────────────────────────────────────────────────

COUNTS = {
    Rank.ROYAL_FLUSH: 4,
    Rank.STRAIGHT_FLUSH: 36,
    Rank.FOUR_OF_A_KIND: 624,
    Rank.FULL_HOUSE: 3_744,
    Rank.FLUSH: 5_108,
    Rank.STRAIGHT: 10_200,
    Rank.THREE_OF_A_KIND: 54_912,
    Rank.TWO_PAIRS: 123_552,
    Rank.ONE_PAIR: 1_098_240,
    Rank.FIVE_ODD_CARDS: 1_302_540,
}


@cache
def all_hands() -> tuple[Counter[Value], Mapping[Value, int]]:
    """How many of the 2,598,960 hands have each value, and the cards (as bits) that all hands of this value hold."""
    deck = pack(1)
    hands = combinations(deck, 5)
    held = map(sum, combinations([1 << at for at in range(len(deck))], 5))
    counts: Counter[Value] = Counter()
    common: dict[Value, int] = {}
    for worth, cards_held in zip(map(value_of, hands), held, strict=True):
        counts[worth] += 1
        common[worth] = common.get(worth, cards_held) & cards_held
    return counts, common


@pytest.mark.in_full
@article("61/2004", "8")
def test_how_many_of_all_hands_are_of_each_rank() -> None:
    counts, _ = all_hands()
    found: Counter[Rank] = Counter()
    for worth, many in counts.items():
        found[worth.rank] += many
    assert found == COUNTS
    assert found.total() == 2_598_960


@pytest.mark.in_full
@article("61/2004", "9(1)")
def test_how_many_of_all_hands_qualify() -> None:
    counts, _ = all_hands()
    ace_king = sum(many for worth, many in counts.items() if worth.strength == 0 and worth >= ACE_KING)
    assert ace_king == 167_280
    assert sum(many for worth, many in counts.items() if worth >= ACE_KING) == 1_463_700


@pytest.mark.in_full
def test_how_many_classes_there_are_when_ignored_cards_are_left_out() -> None:
    counts, _ = all_hands()
    by_class: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for worth, many in counts.items():
        by_class[worth[:2]] += many
    assert len(by_class) == 6_331
    expected: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for hand, many in classes().items():
        expected[value_of(hand)[:2]] += many
    assert by_class == expected, "what a hand is worth but for the suit, its class says"


@pytest.mark.in_full
@article("61/2004", "R3")
@article("61/2004", "R21")
def test_no_two_hands_of_one_deck_are_worth_the_same() -> None:
    """Hands of one value share a card, so that a deck cannot give both; or each has three or more of one rank."""
    _, common = all_hands()
    for worth, shared in common.items():
        in_one_hand_only = worth.rank in (Rank.FULL_HOUSE, Rank.THREE_OF_A_KIND)
        assert bool(shared) != in_one_hand_only, worth
        assert worth.suit or in_one_hand_only or worth.rank is Rank.FOUR_OF_A_KIND


# ── What a raise wins with each of them ─────────────────────────────────────────────────────────────────────


@article("61/2004", "9(5)(1)")
@article("61/2004", "9(5)(2)")
@article("61/2004", "9(5)(3)")
@article("61/2004", "9(5)(4)")
@article("61/2004", "9(5)(5)")
@article("61/2004", "9(5)(6)")
@article("61/2004", "9(5)(7)")
@article("61/2004", "9(5)(8)")
@article("61/2004", "9(5)(9)")
@pytest.mark.parametrize(
    ("hand", "odds", "item"),
    [
        (Rank.FIVE_ODD_CARDS, 1, 1),
        (Rank.ONE_PAIR, 1, 1),
        (Rank.TWO_PAIRS, 2, 2),
        (Rank.THREE_OF_A_KIND, 3, 3),
        (Rank.STRAIGHT, 4, 4),
        (Rank.FLUSH, 5, 5),
        (Rank.FULL_HOUSE, 7, 6),
        (Rank.FOUR_OF_A_KIND, 20, 7),
        (Rank.STRAIGHT_FLUSH, 50, 8),
        (Rank.ROYAL_FLUSH, 100, 9),
    ],
)
def test_what_a_raise_of_200_wins(hand: Rank, odds: int, item: int) -> None:
    assert raise_prize(Options(), hand, 200_00) == odds * 200_00
    assert raise_odds(Options(), hand) == Odds(odds)
    assert RAISE_ARTICLES[hand] == f"9(5)({item})"


@article("61/2004", "9(5)(9)")
@article("61/2004", "R20")
def test_a_royal_flush_pays_what_the_house_has_chosen_and_50_to_1_under_the_older_order() -> None:
    assert raise_prize(Options(royal_flush_odds=50), Rank.ROYAL_FLUSH, 200_00) == 10_000_00
    assert raise_prize(Options(royal_flush_odds=63), Rank.ROYAL_FLUSH, 200_00) == 12_600_00
    assert raise_prize(Options(edition="69/2003"), Rank.ROYAL_FLUSH, 200_00) == 10_000_00
    assert raise_prize(Options(royal_flush_odds=50), Rank.STRAIGHT_FLUSH, 200_00) == 10_000_00


@article("61/2004", "9(5)(7)")
@article("61/2004", "9(5)(8)")
@article("61/2004", "9(5)(9)")
@article("61/2004", "R6")
def test_the_cap_is_on_the_winnings_of_three_hands_and_no_others() -> None:
    posted = Options(raise_payout_cap=140_000_00)
    capped = {Rank.FOUR_OF_A_KIND, Rank.STRAIGHT_FLUSH, Rank.ROYAL_FLUSH}
    for hand in Rank:
        uncapped = raise_odds(posted, hand).prize(20_000_00)
        assert raise_prize(posted, hand, 20_000_00) == (140_000_00 if hand in capped else uncapped)
    assert raise_prize(posted, Rank.FULL_HOUSE, 20_000_00) == 140_000_00, "as much as the cap, and never capped"
    assert raise_prize(posted, Rank.FOUR_OF_A_KIND, 6_999_00) == 139_980_00
