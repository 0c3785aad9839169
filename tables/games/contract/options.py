"""House options, as far as those of all games are alike."""

from __future__ import annotations

from typing import Protocol


class TableOptions(Protocol):
    """What the house has chosen at a table of whichever game: a frozen dataclass that can be hashed."""

    @property
    def edition(self) -> str:
        """The edition of the regulation."""

    @property
    def seats(self) -> int:
        """The seats of the table."""

    def __hash__(self) -> int: ...
