"""The personal colours of the bettors: chips of one colour are one bettor's, and good at this table alone."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

COLOURS = 24
"""So many bettors have a colour of their own; those who come later share."""


def colour_for(colours: Mapping[str, int], who: str) -> int:
    """The colour of a bettor, or that which they would get: the same every round, unless somebody has it already."""
    if who in colours:
        return colours[who]
    wanted = crc32(who.encode()) % COLOURS
    if len(colours) >= COLOURS:
        return wanted
    taken = set(colours.values())
    free = ((wanted + step) % COLOURS for step in range(COLOURS))
    return next((colour for colour in free if colour not in taken), wanted)


def coloured(colours: Mapping[str, int], who: str) -> Mapping[str, int]:
    """With a colour for this bettor too."""
    return {**colours, who: colour_for(colours, who)}
