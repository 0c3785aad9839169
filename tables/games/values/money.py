"""Cents and odds. The only place in the house that rounds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

CREDIT = 100
"""Cents in a credit: every amount is an integer number of cents."""

DENOMINATIONS = (100_000, 10_000, 1_000, 500, 100, 50, 10, 5, 1)
"""The chips of the house, in credits."""


@dataclass(frozen=True, slots=True)
class Odds:
    """`win` to `stake`: 8 to 1 is `Odds(8)`, a half is `Odds(1, 2)`."""

    win: int
    stake: int = 1

    def prize(self, amount: int) -> int:
        """What a winning stake of `amount` cents wins, without the stake; exact on whole credits."""
        return amount * self.win // self.stake


def is_whole_credits(amount: int) -> bool:
    """Whether `amount` cents are a positive number of whole credits: all that chips can lay down."""
    return amount > 0 and amount % CREDIT == 0


def commission(prize: int, percent: int) -> int:
    """The commission on `prize` cents, rounded down to the cent in the bettor's favour (never needed on credits)."""
    return prize * percent // 100


def part(amount: int, of_it: Fraction) -> int:
    """This part of `amount` cents, rounded down to the cent."""
    return amount * of_it.numerator // of_it.denominator


def shares(amount: int, among: int) -> list[int]:
    """`amount` cents in equal shares; the cents that cannot be divided go one each to the first."""
    share, odd = divmod(amount, among)
    return [share + 1] * odd + [share] * (among - odd)
