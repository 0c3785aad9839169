"""How long things take, and what is due when. Pure: no clock is read here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta

from .games.protocol import Round, Tempo

SEAT_HELD_FOR = timedelta(seconds=120)
"""How long a seat is held for somebody whose line dropped."""

AWAY_AFTER = timedelta(seconds=30)
"""A line not heard of for so long has dropped."""

HEARTBEAT = timedelta(seconds=10)
"""How often a web process says who is at its tables."""

ATTENDED_FOR = timedelta(seconds=45)
"""How long a table counts as attended after it was last heard that somebody is there."""

ROUNDS_WITHOUT_BET = 3
"""After so many rounds without a bet a seat is given up."""


@dataclass(frozen=True, slots=True)
class Times:
    """The pace of one table, in milliseconds: a field for each tempo, and `hurry` for when everybody is ready."""

    cut: int = 8_000
    betting: int = 18_000
    decision: int = 10_000
    beat: int = 900
    result: int = 7_000
    hurry: int = 1_200

    @classmethod
    def of(cls, data: Mapping[str, int]) -> Times:
        """The times that a table's JSON gives, the rest by default. Raises ValueError for anything else."""
        known = {field.name for field in fields(cls)}
        for name, value in data.items():
            if name not in known:
                raise ValueError(f"no such time: {name}")
            if type(value) is not int or not 0 <= value <= 3_600_000:
                raise ValueError(f"{name} must be 0 to 3,600,000 milliseconds")
        return cls(**data)


def allowance(round_: Round, times: Times) -> timedelta | None:
    """How long the house waits, from the moment this wait began, before it acts; None if there is nothing to do."""
    if round_.due() is not None:
        return timedelta(milliseconds=times.beat)
    match round_.tempo:
        case Tempo.CUT:
            wait = times.cut
        case Tempo.BETTING:
            wait = times.betting
        case Tempo.DECISION:
            wait = times.decision
        case Tempo.BEAT:
            wait = times.beat
        case Tempo.RESULT | Tempo.OVER:
            wait = times.result
    return timedelta(milliseconds=min(wait, times.hurry) if round_.hurried else wait)
