"""What is worked out once for all who ask for it within a moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")

LOCKS = 64
"""Things that can be worked out at the same time."""

MOST = 1_000
"""Things that are kept; more are not there at a time."""


class Kept(Generic[T]):
    """So much is kept for so long, in this process. Of many who ask at once one works it out, and the others wait."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._found: dict[Hashable, tuple[float, T]] = {}
        self._locks = [Lock() for _ in range(LOCKS)]

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` made for this key, a moment ago or now. What it raises is raised, and nothing is kept."""
        seconds = self._seconds()
        if seconds <= 0:
            return make()
        with self._locks[hash(key) % LOCKS]:
            known = self._found.get(key)
            if known is not None and monotonic() < known[0]:
                return known[1]
            made = make()
            if len(self._found) >= MOST:
                self._found.clear()
            self._found[key] = monotonic() + seconds, made
            return made

    def clear(self) -> None:
        self._found.clear()
