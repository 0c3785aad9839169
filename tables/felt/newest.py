"""What everybody sees of a table, drawn once for its newest state and each language: whoever comes to the page or to
the socket, and every push, takes it from here.

Kept is what all may see, and the state that it was drawn from; nothing of any viewer. So the page and the pushes show
the very same.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock

from tables.base.calendar import macau_date
from tables.queries.table import TableState

from .public import dealer_at, public_fragments
from .shared.fragments import Fragments
from .shared.rendering import active_language

MOST_TABLES = 256
"""So many tables are kept, the last ones asked for."""


@dataclass(frozen=True, slots=True)
class _Newest:
    """A state, and what everybody sees of it: by language, day of Macau and dealer, which time alone may change."""

    state: TableState
    drawn: dict[tuple[str, date, str], Fragments] = field(default_factory=dict)


class NewestStates:
    """The newest states of the tables that somebody has looked at in this process. Safe to use from several threads."""

    def __init__(self) -> None:
        self._tables: OrderedDict[int, _Newest] = OrderedDict()
        self._lock = Lock()

    def get(self, table_id: int) -> TableState | None:
        """The state of this table that was drawn last: `before` for reading it anew (`table_state`)."""
        newest = self._tables.get(table_id)
        return newest.state if newest is not None else None

    def fragments(self, state: TableState) -> Fragments:
        """What everybody sees of this state, in the active language. Not to be changed."""
        newest = self._of(state)
        key = active_language(), macau_date(state.now), dealer_at(state)
        if (found := newest.drawn.get(key)) is None:
            found = newest.drawn[key] = public_fragments(state)
        return found

    def _of(self, state: TableState) -> _Newest:
        with self._lock:
            newest = self._tables.get(state.table_id)
            if newest is None or not _alike(newest.state, state):
                newest = self._tables[state.table_id] = _Newest(state)
            self._tables.move_to_end(state.table_id)
            while len(self._tables) > MOST_TABLES:
                self._tables.popitem(last=False)
            return newest

    def clear(self) -> None:
        with self._lock:
            self._tables.clear()


def _alike(one: TableState, other: TableState) -> bool:
    """Whether two states of a table are the same but for the moment at which they were read."""
    return one is other or (one.version == other.version and replace(one, now=other.now) == other)


newest_states = NewestStates()
