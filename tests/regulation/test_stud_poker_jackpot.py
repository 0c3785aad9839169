"""The progressive jackpot (10; rulebook, section 5): who wins what, who pays it, and what is left in the pool."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from tables.games.shared.options import read_options
from tables.games.stud_poker.hands import Rank
from tables.games.stud_poker.jackpot import Award, Prize, awarded, contribution, fixed_sum
from tables.games.stud_poker.options import Options
from tables.games.values.money import part, shares
from tests.kit import article

NAMES = {
    "RF": Rank.ROYAL_FLUSH,
    "SF": Rank.STRAIGHT_FLUSH,
    "4K": Rank.FOUR_OF_A_KIND,
    "FH": Rank.FULL_HOUSE,
    "FL": Rank.FLUSH,
    "ST": Rank.STRAIGHT,
    "1P": Rank.ONE_PAIR,
    "no": Rank.FIVE_ODD_CARDS,
}
MILLION = 1_000_000_00
WINNING = [NAMES[name] for name in ("RF", "SF", "4K", "FH", "FL")]


def award(opening: int, hands: str, **given: Any) -> Award:
    """What a pool of `opening` cents does for hands written `box name`, as in `"1 FL 5 SF"`."""
    words = hands.split()
    boxes = [(int(box), NAMES[name]) for box, name in zip(words[::2], words[1::2], strict=True)]
    return awarded(read_options(Options, given), opening, boxes)


def paid(opening: int, hands: str, **given: Any) -> list[tuple[int, int]]:
    """Boxes and amounts in the order of payment."""
    return [(prize.box, prize.amount) for prize in award(opening, hands, **given).prizes]


def helped(award: Award) -> int:
    """What the house adds to the prizes: a shortfall, and fixed sums that are not the pool's to pay (R11)."""
    return sum(prize.house for prize in award.prizes)


# ── What goes into the pool ─────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "10(1)")
@article("61/2004", "jackpot")
@pytest.mark.parametrize(
    ("stake", "of_it", "cents"),
    [
        (2_500, "7/10", 1_750),
        (2_500, "1/3", 833),
        (100, "2/3", 66),
        (2_500, "999/1000", 2_497),
        (2_500, "1", 2_500),
        (2_500, "0", 0),
        (123_456_789_00, "999999998/999999999", 123_456_788_87),
    ],
)
def test_a_part_of_each_stake_goes_into_the_pool_in_whole_cents(stake: int, of_it: str, cents: int) -> None:
    made = read_options(Options, {"jackpot_stake": stake, "jackpot_contribution": of_it})
    assert contribution(made) == cents


# ── The prizes ──────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "10(2)")
@article("61/2004", "10(2)(1)")
@article("61/2004", "10(2)(2)")
@article("61/2004", "10(2)(3)")
@article("61/2004", "10(2)(4)")
@article("61/2004", "10(2)(5)")
@pytest.mark.parametrize(
    ("opening", "hand", "prize"),
    [
        (MILLION, "RF", MILLION),
        (500_000_00, "RF", 500_000_00),
        (500_000_01, "RF", 500_000_01),
        (499_999_99, "RF", 500_000_00),
        (MILLION, "SF", 100_000_00),
        (500_000_00, "SF", 50_000_00),
        (500_000_09, "SF", 50_000_00),
        (500_000_10, "SF", 50_000_01),
        (499_999_99, "SF", 50_000_00),
        (300_000_00, "SF", 50_000_00),
        (MILLION, "4K", 12_500_00),
        (MILLION, "FH", 2_500_00),
        (MILLION, "FL", 1_250_00),
    ],
)
def test_the_prize_of_one_winner(opening: int, hand: str, prize: int) -> None:
    assert paid(opening, f"4 {hand}") == [(4, prize)]


@article("61/2004", "10(2)")
def test_less_than_a_flush_wins_nothing_and_touches_nothing() -> None:
    for rank in Rank:
        assert bool(awarded(Options(), MILLION, [(1, rank)]).prizes) == (rank in WINNING)
    assert award(MILLION, "1 ST 2 1P 3 no") == Award(MILLION, (), 0)
    assert award(MILLION, "").closing == MILLION


@article("61/2004", "10(3)")
def test_the_fixed_sums_are_those_that_are_posted() -> None:
    posted = read_options(
        Options,
        {
            "jackpot_fixed_royal_flush": 9_000_00,
            "jackpot_fixed_straight_flush": 800_00,
            "jackpot_fixed_four_of_a_kind": 70_00,
            "jackpot_fixed_full_house": 6_00,
            "jackpot_fixed_flush": 50,
        },
    )
    assert [fixed_sum(posted, rank) for rank in WINNING] == [9_000_00, 800_00, 70_00, 6_00, 50]
    for rank in WINNING:
        (prize,) = awarded(posted, 100_00, [(1, rank)]).prizes
        assert prize.amount == fixed_sum(posted, rank)


# ── The worked examples ─────────────────────────────────────────────────────────────────────────────────────

EXAMPLES: dict[str, tuple[int, str, list[tuple[int, int]], int, int]] = {
    # example: opening, hands, prizes in the order of payment, closing, what the house adds
    "SP-19": (500_017_50, "2 FL", [(2, 1_250_00)], 498_767_50, 0),
    "SP-20": (MILLION, "2 SF 5 SF", [(2, 100_000_00), (5, 100_000_00)], 800_000_00, 0),
    "SP-21": (MILLION, "1 RF 5 SF", [(5, 100_000_00), (1, 900_000_00)], 500_000_00, 0),
    "SP-22": (MILLION + 1, "3 RF 6 RF", [(3, 500_000_01), (6, 500_000_00)], 500_000_00, 0),
    "SP-23": (300_000_00, "4 RF", [(4, 500_000_00)], 500_000_00, 200_000_00),
    "SP-23b": (300_000_00, "4 SF", [(4, 50_000_00)], 250_000_00, 0),
    "SP-24": (MILLION, "1 FL 3 4K 7 FH", [(1, 1_250_00), (3, 12_500_00), (7, 2_500_00)], 983_750_00, 0),
    "SP-25": (MILLION, "1 FL 6 FL 2 RF", [(1, 1_250_00), (2, MILLION), (6, 1_250_00)], 500_000_00, 2_500_00),
    "SP-26": (MILLION, "2 RF", [(2, MILLION)], 500_000_00, 0),
}


@article("61/2004", "10(5)")
@article("61/2004", "10(6)")
@article("61/2004", "10(7)")
@article("61/2004", "10(8)")
@article("61/2004", "R10")
@article("61/2004", "R11")
@article("61/2004", "R12")
@article("61/2004", "R13")
@article("61/2004", "R19")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_worked_examples(example: str) -> None:
    opening, hands, prizes, closing, by_the_house = EXAMPLES[example]
    found = award(opening, hands)
    assert [(prize.box, prize.amount) for prize in found.prizes] == prizes
    assert (found.closing, helped(found)) == (closing, by_the_house)


@article("61/2004", "R11")
def test_the_house_may_bear_the_fixed_sums() -> None:
    kept = award(MILLION, "1 FL 3 4K 7 FH", fixed_prizes_reduce_pool=False)
    assert kept.closing == MILLION
    assert helped(kept) == 16_250_00
    mixed = award(MILLION, "1 FL 2 RF 3 SF 6 FL", fixed_prizes_reduce_pool=False)
    assert [(prize.box, prize.pool, prize.house) for prize in mixed.prizes] == [
        (3, 100_000_00, 0),
        (1, 0, 1_250_00),
        (2, 900_000_00, 0),
        (6, 0, 1_250_00),
    ]
    assert award(300_000_00, "4 SF", fixed_prizes_reduce_pool=False).closing == 250_000_00, (
        "its fixed sum is the pool's"
    )


@article("61/2004", "10(7)")
@article("61/2004", "R12")
def test_a_royal_flush_wins_what_the_straight_flushes_have_left_or_the_fixed_sum() -> None:
    assert paid(MILLION, "1 SF 2 RF 7 SF") == [(1, 100_000_00), (7, 100_000_00), (2, 800_000_00)]
    assert paid(540_000_00, "1 RF 2 SF") == [(2, 54_000_00), (1, 500_000_00)]
    assert helped(award(540_000_00, "1 RF 2 SF")) == 14_000_00


@article("61/2004", "10(5)")
@article("61/2004", "R13")
def test_odd_cents_go_one_each_to_the_royal_flushes_in_the_order_of_payment() -> None:
    assert paid(MILLION + 2, "7 RF 2 RF 5 RF") == [(2, 333_333_34), (5, 333_333_34), (7, 333_333_34)]
    assert paid(MILLION + 3, "7 RF 2 RF 5 RF") == [(2, 333_333_35), (5, 333_333_34), (7, 333_333_34)]
    assert paid(MILLION + 4, "7 RF 2 RF 5 RF") == [(2, 333_333_35), (5, 333_333_35), (7, 333_333_34)]
    assert paid(100_00, "1 RF 2 RF 3 RF")[0] == (1, 166_666_67), "the fixed sum is divided, not given to each"


@article("61/2004", "10(4)")
@article("61/2004", "10(7)")
def test_payment_goes_from_box_1_on_but_straight_flushes_come_before_a_royal_flush() -> None:
    def order(hands: str) -> list[int]:
        return [prize.box for prize in award(MILLION, hands).prizes]

    assert order("7 FL 6 4K 5 SF 4 FH 3 FL 2 SF 1 FL") == [1, 2, 3, 4, 5, 6, 7]
    assert order("7 SF 6 4K 5 RF 4 FH 3 RF 2 SF 1 FL") == [2, 7, 1, 3, 4, 5, 6]


@article("61/2004", "10(8)")
@article("61/2004", "R11")
def test_an_exhausted_pool_pays_what_it_has_in_the_order_of_payment() -> None:
    poor = award(2_000_00, "1 FL 2 FL 3 FL")
    assert [(prize.pool, prize.house) for prize in poor.prizes] == [(1_250_00, 0), (750_00, 500_00), (0, 1_250_00)]
    assert (helped(poor), poor.restart, poor.closing) == (1_750_00, 500_000_00, 500_000_00)


@article("61/2004", "10(8)")
@article("61/2004", "R19")
@pytest.mark.parametrize(
    ("opening", "closing"),
    [(1_250_00, 700_00), (1_250_01, 1), (1_249_99, 700_00), (0, 700_00), (1_950_00, 700_00), (1_900_00, 650_00)],
)
def test_a_pool_restarts_only_when_nothing_is_left(opening: int, closing: int) -> None:
    assert award(opening, "3 FL", jackpot_minimum=700_00).closing == closing


def test_what_a_box_has_won_can_be_asked() -> None:
    found = award(MILLION, "1 FL 5 SF 6 1P")
    assert found.of(5) == Prize(5, Rank.STRAIGHT_FLUSH, 100_000_00, 100_000_00)
    assert found.of(6) is None and found.of(2) is None


# ── What holds for every round ──────────────────────────────────────────────────────────────────────────────


@article("61/2004", "10(7)")
@pytest.mark.parametrize("opening", [0, 1, 40_000_07, 333_333_33, 500_000_00, MILLION + 1, 7 * MILLION + 13])
@pytest.mark.parametrize("reduce", [True, False])
def test_every_cent_is_accounted_for_and_the_order_changes_no_amount(opening: int, reduce: bool) -> None:
    """All rounds of up to three winners, checked against section 5 in other words."""
    options = read_options(Options, {"fixed_prizes_reduce_pool": reduce})
    for boxes in ((1, 2), (3, 1, 6)):
        for ranks in product(WINNING, repeat=len(boxes)):
            found = awarded(options, opening, zip(boxes, ranks, strict=True))
            straights = [prize for prize in found.prizes if prize.rank is Rank.STRAIGHT_FLUSH]
            royals = [prize for prize in found.prizes if prize.rank is Rank.ROYAL_FLUSH]
            assert {prize.amount for prize in straights} <= {max(50_000_00, opening // 10)}
            if royals:
                rest = opening - sum(prize.amount for prize in straights)
                assert sum(prize.amount for prize in royals) == max(500_000_00, rest)
                assert max(p.amount for p in royals) - min(p.amount for p in royals) <= 1
            for prize in found.prizes:
                if prize not in straights and prize not in royals:
                    assert prize.amount == fixed_sum(options, prize.rank)
                assert prize.pool >= 0 and prize.house >= 0
            out = sum(p.amount for p in found.prizes if reduce or p in straights or p in royals)
            assert found.closing == (opening - out if opening > out else 500_000_00)
            assert sum(p.pool for p in found.prizes) == min(opening, out)
            assert bool(found.restart) == (opening <= out)


# ── Cents ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_part_is_rounded_down_and_shares_come_out_whole() -> None:
    assert [part(amount, Fraction(1, 10)) for amount in (0, 9, 10, 19)] == [0, 0, 1, 1]
    for amount, among in combinations(range(12), 2):
        if amount:
            whole = shares(among, amount)
            assert sum(whole) == among and sorted(whole, reverse=True) == whole and whole[0] - whole[-1] <= 1
