"""How much of a matrix is walked through: all of it with ALL=1 (`make test-all`), else the part that is said here."""

from __future__ import annotations

import os
from itertools import cycle, islice, product
from typing import Any

EVERYTHING = os.environ.get("ALL") == "1"
"""Whether every combination counts: of games, sizes, languages and seeds, and axe at each size of a state."""


NIGHTLY = os.environ.get("NIGHTLY") == "1"
"""Whether what takes longer than a change may wait is done as often as it is promised (docs/assurance/faults.md)."""


def spread(*axes: list[Any]) -> list[tuple[Any, ...]]:
    """Combinations of these values: every one with ALL=1, otherwise as few as hold each value of each axis."""
    if EVERYTHING:
        return list(product(*axes))
    longest = max(map(len, axes))
    return list(zip(*(islice(cycle(axis), longest) for axis in axes), strict=True))


def times(many: int, *, share: int = 2) -> int:
    """So often with ALL=1, otherwise half as often, or another `share` of it."""
    return many if EVERYTHING else many // share


def nightly(many: int, otherwise: int) -> int:
    """So often with NIGHTLY=1, otherwise as often as is said."""
    return many if NIGHTLY else otherwise


def first(*values: Any, of_them: int = 1) -> list[Any]:
    """All of these values with ALL=1, otherwise the first, or the first few."""
    return list(values if EVERYTHING else values[:of_them])
