"""The last result of a table, and its streak: what its line in the lobby says of what has happened there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

Ended = tuple[str, str]
"""What kind of an end a round has had, and the sign that stands for it."""


@dataclass(frozen=True, slots=True)
class Lately:
    """How the last round ended, and how many in a row have ended like it.

    `kind` says how it is drawn, `sign` stands for it (a number, a letter); `words` name the kind, and are empty where
    the sign says all: then nobody counts it.
    """

    kind: str
    sign: str
    words: str
    times: int

    @classmethod
    def of(cls, ends: Sequence[Ended], words: Mapping[str, str]) -> Lately | None:
        """From all ends, the newest last; None if there is none. `words`: kind -> its name."""
        if not ends:
            return None
        kind, sign = ends[-1]
        streak = sum(1 for _ in takewhile(lambda end: end[0] == kind, reversed(ends)))
        return cls(kind, sign, words[kind], streak)
