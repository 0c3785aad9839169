"""The 31 combinations of three cards, best first (article 5 and the annex)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.games.values.cards import Card, points
from tables.games.values.words import Words, say

BANKER = 0
"""The banker's place; the players' are numbered clockwise from 1."""

COURTS = "JQK"
"""A ten is no court card (T-A4)."""

THREE_COURTS = 1
"""The best rank."""


@dataclass(frozen=True, slots=True)
class Combination:
    """What three cards are worth: their points, how many are court cards, and the rank of the two, 1 the best."""

    points: int
    courts: int

    @property
    def rank(self) -> int:
        """1 to 31, as the annex lists them."""
        if self.courts == 3:
            return THREE_COURTS
        return 2 + 3 * (9 - self.points) + (2 - self.courts)

    @property
    def title(self) -> Words:
        """Its name."""
        return TITLES[self.rank - 1]


def points_of(rank: int) -> int | None:
    """The points of all combinations of this rank; None for three court cards, which are no number of points (T-A7)."""
    return None if rank == THREE_COURTS else 9 - (rank - 2) // 3


def combination(cards: Sequence[Card]) -> Combination:
    """The combination of three cards; suits do not matter."""
    assert len(cards) == 3, "a hand has three cards"
    return Combination(points(cards), sum(card.rank in COURTS for card in cards))


TITLES: tuple[Words, ...] = (
    say("three court cards"),
    say("nine with two court cards"),
    say("nine with one court card"),
    say("nine without a court card"),
    say("eight with two court cards"),
    say("eight with one court card"),
    say("eight without a court card"),
    say("seven with two court cards"),
    say("seven with one court card"),
    say("seven without a court card"),
    say("six with two court cards"),
    say("six with one court card"),
    say("six without a court card"),
    say("five with two court cards"),
    say("five with one court card"),
    say("five without a court card"),
    say("four with two court cards"),
    say("four with one court card"),
    say("four without a court card"),
    say("three with two court cards"),
    say("three with one court card"),
    say("three without a court card"),
    say("two with two court cards"),
    say("two with one court card"),
    say("two without a court card"),
    say("one with two court cards"),
    say("one with one court card"),
    say("one without a court card"),
    say("zero with two court cards"),
    say("zero with one court card"),
    say("zero without a court card"),
)
"""The names of the combinations by rank, as they stand within a sentence."""
