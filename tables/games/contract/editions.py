"""The editions of a regulation, and the days on which each held. Pure: the day is always told.

A regulation's next edition takes the place of the one before: an edition holds from its first day until the day before
the first day of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Day: TypeAlias = str
"""A day of Macau as ISO 8601 writes it, "2004-05-18": so written, days sort as they follow each other."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of a regulation: its name and the first day on which it holds.

    `exact` is false where the first day is not public: `since` is then the earliest day that it can have been. Without
    `since` the edition is known and its first day is not: it never holds by itself.
    """

    name: str
    since: Day | None
    exact: bool = True


def edition_on(editions: Sequence[Edition], day: Day) -> Edition:
    """The edition that holds on this day; before the first of them, the oldest. They stand oldest first."""
    held = [edition for edition in editions if edition.since is not None and edition.since <= day]
    return held[-1] if held else editions[0]


def edition_after(editions: Sequence[Edition], day: Day) -> Edition | None:
    """The edition that is the next to come into force after this day, if its first day is known."""
    return next((edition for edition in editions if edition.since is not None and edition.since > day), None)


def replaced_on(editions: Sequence[Edition], name: str) -> Day | None:
    """The first day on which the edition of that name holds no more; None if no later one has a first day."""
    names = [edition.name for edition in editions]
    later = (edition.since for edition in editions[names.index(name) + 1 :] if edition.since is not None)
    return next(later, None)
