"""The wheel: 37 pockets, their order and their colours (article 1, R-A7)."""

from __future__ import annotations

from enum import StrEnum

# fmt: off
WHEEL = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)
# fmt: on
"""The pockets clockwise: the European order."""

NUMBERS = range(37)
"""One to each pocket, zero included (1(3))."""

RED = frozenset(WHEEL[1::2])
BLACK = frozenset(WHEEL[2::2])
"""The numbers other than zero stand alternately on red and black (1(4))."""


class Colour(StrEnum):
    RED = "red"
    BLACK = "black"
    GREEN = "green"  # zero has neither of the two (1(5), R-A8)


def colour_of(number: int) -> Colour:
    """The colour of a pocket."""
    if number in RED:
        return Colour.RED
    return Colour.BLACK if number in BLACK else Colour.GREEN
