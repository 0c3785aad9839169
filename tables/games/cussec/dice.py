"""Three dice and what they come to (CS-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

FACES = range(1, 7)
DICE = 3

Dice = tuple[int, ...]


def are_dice(thrown: Sequence[int]) -> bool:
    """Whether these are three numbers that dice can show."""
    return len(thrown) == DICE and all(face in FACES for face in thrown)


@dataclass(frozen=True, slots=True)
class Result:
    """The dice from the lowest to the highest, however they fell."""

    dice: Dice

    @classmethod
    def of(cls, thrown: Sequence[int]) -> Result:
        """What these three dice show."""
        return cls(tuple(sorted(thrown)))

    @property
    def total(self) -> int:
        return sum(self.dice)

    @property
    def triple(self) -> bool:
        """Whether all three are alike."""
        return self.dice[0] == self.dice[-1]

    @property
    def alike(self) -> bool:
        """Whether a number shows more than once."""
        return len(set(self.dice)) < DICE

    def shows(self, face: int) -> int:
        """How many dice show this number."""
        return self.dice.count(face)


RESULTS = tuple(Result(dice) for dice in combinations_with_replacement(FACES, DICE))
"""All 56 that can come, not all of them as likely."""
