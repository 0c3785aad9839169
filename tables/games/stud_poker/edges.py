"""What the house keeps of the ante in Stud Poker: exact, by the best strategy (rulebook, section 12).

All pairs of hands and all open cards of the dealer stand here by what becomes of the ante; the tests count them. Best
play raises a pair or better always, below ace-king never, and with ace-king where that loses less than the ante; the
odds of a royal flush change nothing of it.

The jackpot stake has no figure: it returns what the meter makes of it, by the default sums from 42 per cent at the
least pool to more than itself; and what the house lays down for a pool that begins anew depends on when that will be.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tables.games.values.expectation import LOST, Edge, edge_of, won

from .bets import ANTE, CAPPED, EVEN, RAISE_STAKE
from .hands import Rank
from .options import Options
from .settling import raise_odds

RAISED = Fraction(RAISE_STAKE.win, RAISE_STAKE.stake)
"""Antes that lie on a raise."""

FOLDED = 9_523_042_201_530
UNQUALIFIED = 4_532_495_783_970
"""Raised, and the dealer does not qualify: the ante wins, the raise is returned (9(2))."""
BEATEN = 2_726_735_417_142
BEATS: Mapping[Rank, int] = {
    Rank.ROYAL_FLUSH: 16_759_770,
    Rank.STRAIGHT_FLUSH: 156_929_990,
    Rank.FOUR_OF_A_KIND: 2_832_435_800,
    Rank.FULL_HOUSE: 16_624_475_280,
    Rank.FLUSH: 21_857_028_590,
    Rank.STRAIGHT: 43_811_688_600,
    Rank.THREE_OF_A_KIND: 234_242_908_320,
    Rank.TWO_PAIRS: 488_013_066_000,
    Rank.ONE_PAIR: 2_324_816_452_800,
    Rank.FIVE_ODD_CARDS: 18_585_369_408,
}
"""Raised, and higher than a dealer who qualifies, by the bettor's hand (9(5)); suits break ties (4)."""


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of the ante, with all that comes of its raise; the maximum of what a raise wins (R6) left aside.

    It is exact where no ante that the table takes can come to that maximum.
    """
    ends = [(LOST, FOLDED), (won(EVEN), UNQUALIFIED), (LOST - RAISED, BEATEN)]
    ends += [(won(EVEN) + RAISED * won(raise_odds(options, rank)), many) for rank, many in BEATS.items()]
    highest = max(raise_odds(options, rank).prize(RAISE_STAKE.prize(options.max_ante)) for rank in CAPPED)
    return {ANTE: edge_of(ends, exact=highest <= options.raise_payout_cap)}
