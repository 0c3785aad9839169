"""What a bet costs, worked out from all of its ends: what the house keeps of it, and how far a round deviates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .money import Odds


@dataclass(frozen=True, slots=True)
class Edge:
    """Of one credit that lies staked on a spot in a round: what the house keeps of it on average (`share`, 1/37 say;
    less than nothing where the bettor has the better of it), and the `variance` of what it keeps.

    A stake that stays for another round counts again there, and a push keeps nothing; what grows out of a stake (by
    doubling, say) does not count, though what becomes of it does. `exact` if all ends were enumerated; where the bettor
    has decisions, they take those that are best for this bet. Else it is a published figure, of the best strategy.
    """

    share: Fraction
    variance: Fraction
    exact: bool = True


LOST = Fraction(-1)
"""What the bettor wins of a credit when it is lost."""

PUSH = Fraction(0)
"""The win when the stake is returned, or stays for another round."""


def won(odds: Odds, percent: int = 0) -> Fraction:
    """What a bettor wins of a credit at these odds, less a commission of so many per cent."""
    return Fraction(odds.win, odds.stake) * Fraction(100 - percent, 100)


def edge_of(ends: Iterable[tuple[Fraction, int | Fraction]], *, exact: bool = True) -> Edge:
    """The edge of a bet by all of its ends: what the bettor wins of a credit, and how likely it is: as the number of
    ways, or as a chance."""
    ways = mean = squares = Fraction(0)
    for net, many in ends:
        ways += many
        mean += net * many
        squares += net * net * many
    mean /= ways
    return Edge(-mean, squares / ways - mean * mean, exact)
