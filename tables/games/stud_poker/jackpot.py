"""The progressive jackpot: who wins what of it, and what is left (10; rulebook, section 5). Amounts in cents.

    award = awarded(options, opening, [(1, Rank.FLUSH), (5, Rank.STRAIGHT_FLUSH)])

`opening` is the pool when betting closed, this round's contributions included. Who takes part the caller knows: a box
with an accepted jackpot stake that did not fold (10(1), R8), whatever the dealer has (R7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tables.games.values.money import part, shares

from .hands import Rank
from .options import Options

TENTH = Fraction(1, 10)
"""Of the pool, for a straight flush (10(2)(2))."""

ARTICLES: Mapping[Rank, str] = {
    Rank.ROYAL_FLUSH: "10(2)(1)",
    Rank.STRAIGHT_FLUSH: "10(2)(2)",
    Rank.FOUR_OF_A_KIND: "10(2)(3)",
    Rank.FULL_HOUSE: "10(2)(4)",
    Rank.FLUSH: "10(2)(5)",
}
"""The hands that win of the jackpot, and the item that gives each its prize."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What one box receives: `amount`, of which `pool` comes out of the pool and the rest from the house."""

    box: int
    rank: Rank
    amount: int
    pool: int

    @property
    def house(self) -> int:
        return self.amount - self.pool


@dataclass(frozen=True, slots=True)
class Award:
    """What the jackpot does in one round: `prizes` in the order in which they are paid (10(4), 10(7)).

    `restart` is what the house lays down for an exhausted pool to begin anew (10(8)): the pool pays its parts of the
    prizes out of `opening`, receives `restart`, and is `closing`.
    """

    opening: int
    prizes: tuple[Prize, ...]
    restart: int

    @property
    def closing(self) -> int:
        return self.opening - sum(prize.pool for prize in self.prizes) + self.restart

    def of(self, box: int) -> Prize | None:
        """What this box has won."""
        return next((prize for prize in self.prizes if prize.box == box), None)


def contribution(options: Options) -> int:
    """What one fresh stake adds to the pool; one that was carried over adds nothing again (10(1), 11(1))."""
    return part(options.jackpot_stake, options.jackpot_contribution)


def fixed_sum(options: Options, rank: Rank) -> int:
    """What is posted for this hand (10(3))."""
    return {
        Rank.ROYAL_FLUSH: options.jackpot_fixed_royal_flush,
        Rank.STRAIGHT_FLUSH: options.jackpot_fixed_straight_flush,
        Rank.FOUR_OF_A_KIND: options.jackpot_fixed_four_of_a_kind,
        Rank.FULL_HOUSE: options.jackpot_fixed_full_house,
        Rank.FLUSH: options.jackpot_fixed_flush,
    }[rank]


def awarded(options: Options, opening: int, hands: Iterable[tuple[int, Rank]]) -> Award:
    """The prizes of one round for these boxes and their hands; hands below a flush win nothing."""
    winners = in_order_of_payment(hands)
    amounts = prizes_of(options, opening, winners)
    left = opening
    prizes = []
    for box, rank in winners:
        paid_by_pool = min(amounts[box], left) if reduces_pool(options, rank) else 0
        left -= paid_by_pool
        prizes.append(Prize(box, rank, amounts[box], paid_by_pool))
    return Award(opening, tuple(prizes), options.jackpot_minimum if left == 0 else 0)


def in_order_of_payment(hands: Iterable[tuple[int, Rank]]) -> list[tuple[int, Rank]]:
    """The winners from box 1 on (10(4)); where there is a royal flush, the straight flushes before all (10(7))."""
    winners = sorted((box, rank) for box, rank in hands if rank in ARTICLES)
    if any(rank is Rank.ROYAL_FLUSH for _, rank in winners):
        winners.sort(key=lambda winner: winner[1] is not Rank.STRAIGHT_FLUSH)
    return winners


def prizes_of(options: Options, opening: int, winners: Sequence[tuple[int, Rank]]) -> dict[int, int]:
    """What each winning box receives, in whole cents; it does not depend on the order but for odd cents."""
    prizes = {box: fixed_sum(options, rank) for box, rank in winners}
    straights = [box for box, rank in winners if rank is Rank.STRAIGHT_FLUSH]
    royals = [box for box, rank in winners if rank is Rank.ROYAL_FLUSH]
    for box in straights:
        prizes[box] = max(prizes[box], part(opening, TENTH))  # each of the same pool (10(6), R10)
    if royals:
        rest = opening - sum(prizes[box] for box in straights)  # the straight flushes were paid first (10(7), R12)
        shared = max(options.jackpot_fixed_royal_flush, rest)  # the higher of the two is divided (10(5), R13)
        prizes.update(zip(royals, shares(shared, len(royals)), strict=True))
    return prizes


def reduces_pool(options: Options, rank: Rank) -> bool:
    """Whether prizes for this hand come out of the pool: all of them, unless the house bears the fixed sums (R11)."""
    return options.fixed_prizes_reduce_pool or rank in (Rank.ROYAL_FLUSH, Rank.STRAIGHT_FLUSH)
