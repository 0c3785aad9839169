"""Amounts are whole cents, whatever is worked out from them; what cannot be divided is rounded as it says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.games.values.money import CREDIT, Odds, commission, is_whole_credits, part, shares

amounts = st.integers(0, 10**9)


@given(amounts, st.integers(0, 100))
def test_a_commission_is_whole_cents_and_never_above_its_percentage(prize: int, percent: int) -> None:
    fee = commission(prize, percent)
    assert type(fee) is int
    assert fee * 100 <= prize * percent < (fee + 1) * 100


def test_five_per_cent_of_every_prize_up_to_ten_thousand_credits_leaves_nothing_over() -> None:
    """What the bettor gets and what the house keeps are the whole prize, and what is below a cent is the bettor's."""
    for prize in range(1, 10_001):
        for cents in (prize, prize * CREDIT):
            fee = commission(cents, 5)
            assert fee == int(Fraction(cents) * 5 / 100)
            assert 0 <= Fraction(cents) * 5 / 100 - fee < 1


@given(amounts, st.integers(0, 1000), st.integers(1, 100))
def test_a_prize_is_whole_cents_and_never_above_its_odds(amount: int, win: int, stake: int) -> None:
    prize = Odds(win, stake).prize(amount)
    assert type(prize) is int
    assert prize * stake <= amount * win < (prize + 1) * stake


@given(amounts, st.fractions(0, 1, max_denominator=100))
def test_a_part_is_whole_cents_and_never_above_it(amount: int, of_it: Fraction) -> None:
    cents = part(amount, of_it)
    assert type(cents) is int
    assert cents <= amount * of_it < cents + 1


@given(amounts, st.integers(1, 20))
def test_shares_are_whole_cents_the_larger_ones_first_and_add_up(amount: int, among: int) -> None:
    divided = shares(amount, among)
    assert len(divided) == among
    assert {type(share) for share in divided} == {int}
    assert sum(divided) == amount
    assert divided == sorted(divided, reverse=True)
    assert divided[0] - divided[-1] <= 1


@pytest.mark.parametrize(
    ("amount", "whole"),
    [(-CREDIT, False), (0, False), (1, False), (99, False), (CREDIT, True), (150, False), (200, True)],
)
def test_chips_lay_down_positive_whole_credits(amount: int, whole: bool) -> None:
    assert is_whole_credits(amount) is whole
