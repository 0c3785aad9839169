"""Nudges: what a dealer has heard may be due, but for what they have seen already, as their own steps are announced to
them too."""

from __future__ import annotations

import sys

from tables.base.announce import NO_LINE, Line

_WHATEVER: Line = (sys.maxsize, 0)
"""Later than any line: what no line tells of was never seen."""


class Nudges:
    """Of each table the last line that somebody's nudge told of, and the last that was seen there."""

    def __init__(self) -> None:
        self._heard: dict[int, Line] = {}
        self._seen: dict[int, Line] = {}

    def hear(self, table: int, line: Line = NO_LINE) -> None:
        """Something may be due at this table: because of this line, or for another reason."""
        reason = _WHATEVER if line == NO_LINE else line
        self._heard[table] = max(reason, self._heard.get(table, NO_LINE))

    def see(self, table: int, line: Line) -> None:
        """All that was due at this table up to this line has been done, or has its time."""
        self._seen[table] = max(line, self._seen.get(table, NO_LINE))

    def take(self, table: int) -> bool:
        """Whether something was heard that was not seen yet. It is forgotten: whoever takes it looks."""
        return self._heard.pop(table, NO_LINE) > self._seen.get(table, NO_LINE)
