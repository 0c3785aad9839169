"""The tables that `make run` opens: each game brings its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tables.games.values.money import CREDIT


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table of the demonstration floor: its options as JSON, its times in milliseconds, the jackpot it shares."""

    slug: str
    name: str
    options: Mapping[str, object]
    times: Mapping[str, int] = field(default_factory=dict)
    jackpot: str | None = None


def in_cents(number: int) -> int:
    """Cents in so many credits."""
    return number * CREDIT
