"""Hands of cards: their points, and what the regulation calls by name (8, 10(1), 13, 15, 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tables.games.values.cards import RANKS, Card
from tables.games.values.quick import quickly_made

from .options import SplitRank

LIMIT = 21
"""More than this is over."""

VALUES = {rank: min(at, 10) for at, rank in enumerate(RANKS, start=1)}
"""Points of a card, an ace counting 1 (8)."""


def points(cards: Sequence[Card]) -> tuple[int, bool]:
    """The best total, and whether it is soft: an ace counts 11 in it (8, R31)."""
    total = 0
    ace = False
    for card in cards:
        total += VALUES[card.rank]
        ace = ace or card.rank == "A"
    return (total + 10, True) if ace and total <= LIMIT - 10 else (total, False)


def best(cards: Sequence[Card]) -> int:
    """The best total alone."""
    return points(cards)[0]


def is_blackjack(cards: Sequence[Card]) -> bool:
    """An ace with a ten or court card, and nothing more (10(1)). That it was dealt so the caller knows (10(6))."""
    return len(cards) == 2 and best(cards) == LIMIT


def is_ten(card: Card) -> bool:
    """A ten or court card."""
    return VALUES[card.rank] == 10


def may_pair(cards: Sequence[Card], rule: SplitRank) -> bool:
    """Whether two cards are a pair that may be split (16(1), R8)."""
    if len(cards) != 2:
        return False
    one, other = cards
    if rule is SplitRank.SAME_VALUE:
        return VALUES[one.rank] == VALUES[other.rank]
    return one.rank == other.rank


def is_special(cards: Sequence[Card]) -> bool:
    """6-7-8 of one suit in any order, or three sevens: exactly three cards (15, R12)."""
    if len(cards) != 3:
        return False
    ranks = sorted(card.rank for card in cards)
    return ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len({card.suit for card in cards}) == 1)


@quickly_made
@dataclass(frozen=True, slots=True)
class Laid:
    """One bettor's stake on one hand, in cents: `amount`, and as much again in `doubled` if they doubled."""

    amount: int
    doubled: int = 0
    claimed: bool = False

    @property
    def total(self) -> int:
        return self.amount + self.doubled


@quickly_made
@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a box.

    `serial` never changes and is used once in a box; a split ends one and begins two. `stakes` bettor -> what they have
    on it. `owed` while the dealer owes it a card that was asked for; `stood` by whom it was ended (HOUSE: their time
    was over).
    """

    serial: int
    stakes: Mapping[str, Laid]
    cards: tuple[Card, ...] = ()
    split: bool = False
    doubled: bool = False
    owed: bool = False
    stood: str | None = None
    total: int = field(init=False, compare=False, repr=False)
    """What follows from the cards: asked for often, worked out once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", points(self.cards)[0])

    @property
    def is_blackjack(self) -> bool:
        return self.total == LIMIT and len(self.cards) == 2 and not self.split

    @property
    def is_over(self) -> bool:
        """Over 21 (7(2))."""
        return self.total > LIMIT

    @property
    def is_split_ace(self) -> bool:
        return self.split and self.cards[0].rank == "A"
