"""The bank's hand: what it must do (6(1), R4), and what it shows."""

from __future__ import annotations

from collections.abc import Sequence

from tables.games.values.cards import Card

from .hands import best, is_ten

STANDS_ON = 17
"""The bank may not draw on this or more, a soft 17 included (6(1), R4)."""


def must_draw(cards: Sequence[Card]) -> bool:
    """Whether the bank must take one more card: 16 or less, aces counted as they make 17 to 21."""
    return best(cards) < STANDS_ON


def shows_ace(up: Card) -> bool:
    return up.rank == "A"


def may_have_blackjack(up: Card) -> bool:
    """Whether the open card lets the bank have a blackjack: an ace, a ten or a court card (10(3))."""
    return shows_ace(up) or is_ten(up)
