"""Which changes of a table were announced, and which of those that are shown were not.

An announcement may be lost, and the next may name other players only: everybody would then be at the newest version,
and some with a private part of before. Each announcement says which changes it tells of, so a lost one leaves a gap.
"""

from __future__ import annotations

from tables.base.announce import TableChanged
from tables.queries.table import TableState

_Change = tuple[int, int]
"""(round, line), or (0, version of the table)."""


class Gaps:
    """Changes of one table that were shown, and of which nobody has said yet for whom they are."""

    def __init__(self) -> None:
        self._announced: set[_Change] = set()
        self.open: set[_Change] = set()

    def hear(self, said: TableChanged) -> None:
        """Something was announced, perhaps of what is shown already."""
        told = {(said.round, line) for line in range(said.since + 1, said.line + 1)} if said.round else set()
        if said.version:
            told.add((0, said.version))
        self._announced |= told - self.open
        self.open -= told

    def show(self, before: TableState | None, state: TableState, *, to_all: bool) -> None:
        """The newest state is shown now. What has changed since the one `before` needs an announcement, unless
        everybody is shown it (`to_all`)."""
        if to_all or before is None or before.round_id != state.round_id:
            self.open.clear()
        else:
            changed = {(0, version) for version in range(before.table_version + 1, state.table_version + 1)}
            lines = range(before.round_version + 1, state.round_version + 1)
            changed |= {(state.round_id or 0, line) for line in lines}
            self.open |= changed - self._announced
        self._announced = {change for change in self._announced if _is_to_come(change, state)}


def _is_to_come(change: _Change, state: TableState) -> bool:
    """Whether this state does not show the change yet."""
    of, at = change
    if not of:
        return at > state.table_version
    return change > (state.round_id or 0, state.round_version)
