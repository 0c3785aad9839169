"""Playing cards, written as the record writes them: rank `A23456789TJQK` and suit `shdc`, as in `As` or `Td`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

RANKS = "A23456789TJQK"
SUITS = "shdc"

WEIGHTS = {rank: 5**place for place, rank in enumerate(RANKS)}
"""The sum of the weights of up to four cards of each rank is a digit to the base of five for each of them."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card; equal cards of several decks are equal."""

    rank: str
    suit: str
    weight: int = field(init=False, compare=False, repr=False)
    """Its rank as a number: added up for a hand they tell how many cards of each rank there are (`WEIGHTS`)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", WEIGHTS[self.rank])

    def __str__(self) -> str:
        return self.rank + self.suit


@cache
def card(text: str) -> Card:
    """The card that `text` names. Raises ValueError for anything else."""
    if len(text) == 2 and text[0] in RANKS and text[1] in SUITS:
        return Card(text[0], text[1])
    raise ValueError(f"not a card: {text!r}")


def cards(texts: str | Iterable[str]) -> tuple[Card, ...]:
    """Cards from `"As Td"` or from an iterable of such names."""
    return tuple(card(text) for text in (texts.split() if isinstance(texts, str) else texts))


def pack(decks: int) -> tuple[Card, ...]:
    """`decks` × 52 cards, unshuffled, in a fixed order."""
    return tuple(card(rank + suit) for _ in range(decks) for suit in SUITS for rank in RANKS)


POINTS = {rank: min(pips, 10) % 10 for pips, rank in enumerate(RANKS, start=1)}
"""Court cards and tens count zero, other cards their pips, the ace one: as every kind of baccarat counts."""


def points(hand: Sequence[Card]) -> int:
    """The points of a hand in baccarat, 0 to 9."""
    total = 0
    for card in hand:
        total += POINTS[card.rank]
    return total % 10


def is_pair(hand: Sequence[Card]) -> bool:
    """Whether the first two cards have the same rank; colour and suit do not matter."""
    return len(hand) >= 2 and hand[0].rank == hand[1].rank


@dataclass(frozen=True, slots=True)
class CardView:
    """One card on the felt. `face` None: its back. `exposed`: it came out face up by mistake."""

    face: Card | None
    exposed: bool = False
