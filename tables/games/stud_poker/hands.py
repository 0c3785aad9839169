"""Hands of five cards: their ten ranks, and how any two are compared (4, 8).

A value compares as the regulation does, so `value_of(a) > value_of(b)` says which hand is higher; `is_higher(a, b)`
says the same sooner, looking at suits only where they decide. Between hands of one deck no two are equal: where the
ranks of the cards do not decide, a suit does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from tables.games.values.cards import WEIGHTS, Card
from tables.games.values.words import Words, say

HAND = 5
"""Cards in a hand."""

SUIT_VALUES: Mapping[str, int] = {"s": 4, "h": 3, "c": 2, "d": 1}
"""Spades, hearts, clubs, diamonds from high to low (4(1))."""

CARD_VALUES: Mapping[str, int] = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
"""Two to ace from low to high (4(2))."""

ACE, KING, FIVE = CARD_VALUES["A"], CARD_VALUES["K"], CARD_VALUES["5"]


class Rank(StrEnum):
    """The ten ranks, from high to low: each is the item of article 8 that it stands at here."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three_of_a_kind"
    TWO_PAIRS = "two_pairs"
    ONE_PAIR = "one_pair"
    FIVE_ODD_CARDS = "five_odd_cards"


TITLES: Mapping[Rank, Words] = {
    Rank.ROYAL_FLUSH: say("royal flush"),
    Rank.STRAIGHT_FLUSH: say("straight flush"),
    Rank.FOUR_OF_A_KIND: say("four of a kind"),
    Rank.FULL_HOUSE: say("full house"),
    Rank.FLUSH: say("flush"),
    Rank.STRAIGHT: say("straight"),
    Rank.THREE_OF_A_KIND: say("three of a kind"),
    Rank.TWO_PAIRS: say("two pairs"),
    Rank.ONE_PAIR: say("one pair"),
    Rank.FIVE_ODD_CARDS: say("five odd cards"),
}

LOW_TO_HIGH: tuple[Rank, ...] = tuple(reversed(Rank))


class Value(NamedTuple):
    """What a hand is worth. Compared from left to right.

    `strength` the place of its rank, the lowest being 0; `keys` the card values that decide between hands of a rank,
    side cards that the articles ignore left out; `suit` the value of the suit that decides when those are equal too.
    """

    strength: int
    keys: tuple[int, ...]
    suit: int

    @property
    def rank(self) -> Rank:
        return LOW_TO_HIGH[self.strength]


class _Shape(NamedTuple):
    """What the ranks of five cards make: with suits mixed, and with one suit if that can be.

    Each by the suit that counts: with suits mixed the highest of the cards of rank `decider`.
    """

    decider: str
    mixed: Mapping[str, Value]
    suited: Mapping[str, Value] | None


ACE_KING = Value(0, (ACE, KING), 0)
"""What the dealer needs at least (9(1), R1): below every odd-card hand with both, above every one without."""

_STRENGTHS = {rank: strength for strength, rank in enumerate(LOW_TO_HIGH)}
_NAMES = {value: rank for rank, value in CARD_VALUES.items()}

_BY_COUNTS: Mapping[tuple[int, ...], tuple[Rank, int]] = {
    (4, 1): (Rank.FOUR_OF_A_KIND, 1),
    (3, 2): (Rank.FULL_HOUSE, 1),
    (3, 1, 1): (Rank.THREE_OF_A_KIND, 1),
    (2, 2, 1): (Rank.TWO_PAIRS, 3),
    (2, 1, 1, 1): (Rank.ONE_PAIR, 4),
    (1, 1, 1, 1, 1): (Rank.FIVE_ODD_CARDS, 5),
}
"""Cards of equal rank -> what they make, and how many of their ranks are ever looked at (8, R5)."""


def value_of(cards: Sequence[Card]) -> Value:
    """What five cards are worth (8)."""
    first, second, third, fourth, fifth = cards
    decider, mixed, suited = _shape_of(first.weight + second.weight + third.weight + fourth.weight + fifth.weight)
    suit = first.suit
    if suited and suit == second.suit == third.suit == fourth.suit == fifth.suit:
        return suited[suit]
    highest = ""
    for card in cards:
        if card.rank == decider and (not highest or SUIT_VALUES[card.suit] > SUIT_VALUES[highest]):
            highest = card.suit
    return mixed[highest]


def is_higher(one: Sequence[Card], other: Sequence[Card]) -> bool:
    """Whether the first of two hands of five cards is higher than the second (4, 8)."""
    mine, its = _place_of(one), _place_of(other)
    return value_of(one) > value_of(other) if mine == its else mine > its


def _place_of(cards: Sequence[Card]) -> int:
    """A number that is higher for the higher of two hands, and the same where only a suit decides."""
    first, second, third, fourth, fifth = cards
    counts = first.weight + second.weight + third.weight + fourth.weight + fifth.weight
    suit = first.suit
    try:
        if suit == second.suit and suit == third.suit and suit == fourth.suit and suit == fifth.suit:
            return _SUITED_PLACES[counts]
        return _MIXED_PLACES[counts]
    except KeyError:
        _, mixed, suited = _shape_of(counts)
        _MIXED_PLACES[counts] = _numbered(mixed)
        if suited:
            _SUITED_PLACES[counts] = _numbered(suited)
        return _place_of(cards)


_MIXED_PLACES: dict[int, int] = {}
_SUITED_PLACES: dict[int, int] = {}
"""By the sum of the weights, with suits mixed and with one suit: filled as hands come up, 7,462 in all."""


def _numbered(values: Mapping[str, Value]) -> int:
    """The number of values that are equal but for their suits: strength and keys, as digits to the base of fifteen."""
    strength, keys, _ = next(iter(values.values()))
    number = strength
    for place in range(HAND):
        number = number * (ACE + 1) + (keys[place] if place < len(keys) else 0)
    return number


def rank_of(cards: Sequence[Card]) -> Rank:
    """Which of the ten ranks five cards are of (8)."""
    return value_of(cards).rank


def qualifies(cards: Sequence[Card]) -> bool:
    """Whether the dealer may open the bettors' hands with these five cards: ace-king, or any better hand (9(1), R1)."""
    return value_of(cards) >= ACE_KING


@cache
def _shape_of(counts: int) -> _Shape:
    """What these ranks make, `counts` being the sum of their weights. There are 6,175 such sums."""
    groups = sorted(((counts // WEIGHTS[rank] % 5, value) for rank, value in CARD_VALUES.items()), reverse=True)
    rank, looked_at = _BY_COUNTS[tuple(size for size, _ in groups if size)]
    keys = tuple(value for _, value in groups[:looked_at])
    if rank is not Rank.FIVE_ODD_CARDS:
        # the cards of a three or a four lie in one hand only, so no suit is needed
        return _Shape(_NAMES[keys[0]], _values(rank, keys, suits=rank in (Rank.TWO_PAIRS, Rank.ONE_PAIR)), None)
    top = _top_of_sequence(keys)
    if top is None:
        return _Shape(_NAMES[keys[0]], _values(rank, keys), _values(Rank.FLUSH, keys))
    if top == ACE:
        return _Shape("A", _values(Rank.STRAIGHT, (top,)), _values(Rank.ROYAL_FLUSH, ()))
    return _Shape(_NAMES[top], _values(Rank.STRAIGHT, (top,)), _values(Rank.STRAIGHT_FLUSH, (top,)))


def _values(rank: Rank, keys: tuple[int, ...], *, suits: bool = True) -> Mapping[str, Value]:
    """A hand of this rank and with these keys, by the suit that counts, if one does."""
    strength = _STRENGTHS[rank]
    return {name: Value(strength, keys, value if suits else 0) for name, value in SUIT_VALUES.items()}


def _top_of_sequence(values: tuple[int, ...]) -> int | None:
    """The highest card if five different ones, high to low, are in sequence: in 5-4-3-2-A the five (4(3), R4)."""
    if values[0] - values[-1] == HAND - 1:
        return values[0]
    return FIVE if values[0] == ACE and values[1] == FIVE else None
