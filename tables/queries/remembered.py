"""What was worked out of rounds that are over, which never change: kept in memory, the latest asked for longest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """Something of each of the last rounds that were asked for, by the id of the round."""

    SIZE = 20_000

    def __init__(self) -> None:
        self._found: OrderedDict[int, T] = OrderedDict()
        self._lock = Lock()

    def of(self, logs: Iterable[int]) -> dict[int, T]:
        """What is remembered of these rounds; those that are not are left out."""
        with self._lock:
            return {pk: one for pk in logs if (one := self._found.get(pk)) is not None}

    def keep(self, found: Mapping[int, T]) -> None:
        """Remember this, and forget what was kept first if it becomes too much."""
        with self._lock:
            self._found.update(found)
            while len(self._found) > self.SIZE:
                self._found.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()
