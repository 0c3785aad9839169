"""What the house keeps of each bet in 3-Card Baccarat, of a stake a round: exact, without replacement (rulebook,
section 11).

A stake that is locked counts again in the next round. Of a place stake that is decided at last the house keeps a
fortieth, whatever the number of decks: place and banker have the same chances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from tables.games.values.cards import POINTS
from tables.games.values.expectation import LOST, PUSH, Edge, edge_of, won

from .bets import COMMISSION_PERCENT, EVEN, ODD, PLACE, POINTS_SPOTS, SPOTS, THREE_FIGURES, TIE, WITH_COMMISSION
from .betting import is_sold
from .hands import COURTS
from .options import HAND, Options

TIES: Mapping[int, int] = {
    1: 15_373_920,
    2: 1_164_752_880,
    3: 14_029_321_680,
    4: 81_052_201_760,
    5: 314_392_403_200,
    6: 949_263_213_200,
    7: 2_412_755_021_040,
    8: 5_408_142_579_520,
}
"""By the number of decks (1(1)): how many pairs of the banker's hand and a place's are of the same rank. There are too
many kinds of pairs to look at all of them whenever somebody asks; the tests do."""


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of each spot that is sold."""
    return {spot: _edge(options.decks, spot) for spot in SPOTS if is_sold(options, spot)}


@cache
def _edge(decks: int, spot: str) -> Edge:
    prize = won(SPOTS[spot].odds[0], COMMISSION_PERCENT if spot in WITH_COMMISSION else 0)
    if spot in (PLACE, TIE):
        pairs = comb(52 * decks, HAND) * comb(52 * decks - HAND, HAND)
        ties = TIES[decks]
        if spot == TIE:
            return edge_of([(prize, ties), (LOST, pairs - ties)])
        better = (pairs - ties) // 2  # with the two hands exchanged the other one wins
        return edge_of([(prize, better), (PUSH, ties), (LOST, better)])
    hands = _bankers(decks)
    return edge_of((_net(spot, winner, prize), many) for winner, many in hands.items())


def _net(spot: str, winner: str, prize: Fraction) -> Fraction:
    """What a bet on the banker's hand wins if it is `winner` that the hand belongs to."""
    if spot in (ODD, EVEN):
        if winner == THREE_FIGURES:
            return PUSH
        return prize if spot == (EVEN, ODD)[POINTS_SPOTS.index(winner) % 2] else LOST
    return prize if spot == winner else LOST


@cache
def _bankers(decks: int) -> Mapping[str, int]:
    """The number that the banker's hand comes to, by its spot -> how many hands come to it (8(2), T-A7)."""
    held = Counter(POINTS.values())
    found = Counter[str]()
    for values in combinations_with_replacement(sorted(held), HAND):
        ways = prod(comb(4 * decks * held[value], many) for value, many in Counter(values).items())
        found[POINTS_SPOTS[sum(values) % 10]] += ways
    courts = comb(4 * decks * len(COURTS), HAND)
    found[POINTS_SPOTS[0]] -= courts
    found[THREE_FIGURES] += courts
    return found
