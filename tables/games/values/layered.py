"""An immutable mapping that grows: for what each bet adds to thousands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

SMALL = 64
"""So many keys lie in the small layer at the most."""


class Layered(Mapping[K, V]):
    """A mapping that nobody changes, its keys in the order in which they came. The next one, with one key more, is made
    in a time that hardly grows with it.

    What came last lies in a small dictionary over a large one. The small one is copied for each key that comes, the
    large one, which many mappings share, once in `SMALL` keys. Whoever reads all of it has both put together first.
    """

    __slots__ = ("_layers",)

    _layers: tuple[dict[K, V], dict[K, V]]

    def __init__(self, items: Mapping[K, V]) -> None:
        """A mapping of these items, which must not change any more if they are a `dict`: it is not copied."""
        self._layers = (items if isinstance(items, dict) else dict(items), {})

    def having(self, key: K, value: V) -> Layered[K, V]:
        """The same, and this value for this key."""
        large, small = self._layers
        made: Layered[K, V] = Layered.__new__(Layered)
        if len(small) < SMALL:
            made._layers = (large, {**small, key: value})
        else:
            made._layers = ({**large, **small, key: value}, {})
        return made

    def whole(self) -> dict[K, V]:
        """All of it as one dictionary, not to be changed."""
        large, small = self._layers
        if small:
            large = {**large, **small}
            self._layers = (large, {})  # the same mapping, for whoever reads it next, on whatever thread
        return large

    def __getitem__(self, key: K) -> V:
        large, small = self._layers
        return small[key] if key in small else large[key]

    def of(self, keys: Iterable[K]) -> tuple[V, ...]:
        """The values of these keys. Raises KeyError."""
        large, small = self._layers
        return tuple([small[key] if key in small else large[key] for key in keys])

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V | T, /) -> V | T: ...
    def get(self, key: K, default: V | T | None = None, /) -> V | T | None:
        large, small = self._layers
        return small[key] if key in small else large.get(key, default)

    def __contains__(self, key: object) -> bool:
        large, small = self._layers
        return key in small or key in large

    def __iter__(self) -> Iterator[K]:
        return iter(self.whole())

    def __reversed__(self) -> Iterator[K]:
        return reversed(self.whole())

    def __len__(self) -> int:
        return len(self.whole())

    def __eq__(self, other: object) -> bool:
        return self.whole() == (other.whole() if isinstance(other, Layered) else other)

    def __repr__(self) -> str:
        return f"Layered({self.whole()!r})"
