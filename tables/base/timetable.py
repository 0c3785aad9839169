"""How long things take, and what is due when. Pure: no clock is read here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from tables.games.contract.actions import HOUSE, Draw, Step
from tables.games.contract.round import Pace, Round
from tables.games.values.words import Words, say

SEAT_HELD_FOR = timedelta(seconds=120)
"""How long a seat is held for somebody whose line dropped."""

AWAY_AFTER = timedelta(seconds=30)
"""A line not heard of for so long has dropped."""

HEARTBEAT = timedelta(seconds=10)
"""How often a web process says who is at its tables."""

ATTENDED_FOR = timedelta(seconds=45)
"""How long a table counts as attended after it was last heard that somebody is there."""

LINKS_WITHIN = timedelta(seconds=2)
"""How long a fresh pack waits for the links of bettors who have offered one (docs/proof.md, 3)."""

ROUNDS_WITHOUT_BET = 3
"""After so many rounds without a bet a seat is given up."""


PEELED_FOR = timedelta(seconds=30)
"""However a holder peels, the dealer opens the next of their cards so long after it could be turned."""

LEAST: Mapping[str, int] = {"cut": 3_000, "betting": 5_000, "decision": 5_000, "beat": 100, "result": 1_000}
"""The shortest times that the pit may set, in milliseconds: in less nobody can bet, decide or read what came."""

NEXT = "next"
"""Under this name a table's JSON holds the times of its next round, if they will be others."""


@dataclass(frozen=True, slots=True)
class Times:
    """The times of one table, in milliseconds: a field for each pace, and `hurry` for when everybody is ready."""

    cut: int = 8_000
    betting: int = 18_000
    decision: int = 10_000
    beat: int = 900
    result: int = 7_000
    hurry: int = 1_200

    @classmethod
    def of(cls, data: Mapping[str, object]) -> Times:
        """The times that a table's JSON gives now, the rest by default. Raises ValueError for anything else."""
        known, given = {field.name for field in fields(cls)}, dict[str, int]()
        for name, value in data.items():
            if name == NEXT:
                continue
            if name not in known:
                raise ValueError(f"no such time: {name}")
            if type(value) is not int or not 0 <= value <= 3_600_000:
                raise ValueError(f"{name} must be 0 to 3,600,000 milliseconds")
            given[name] = value
        return cls(**given)


def in_seconds(ms: int) -> Words | str:
    """So many milliseconds in seconds; where they are no whole number, with the decimal mark of the reader's language:
    "18", "0.9"."""
    whole, rest = divmod(ms, 1000)
    return say("%(whole)s.%(rest)s", whole=str(whole), rest=f"{rest:03}".rstrip("0")) if rest else str(whole)


def of_next_round(data: Mapping[str, object]) -> dict[str, object]:
    """The JSON of a table's times when its next round begins."""
    then = data.get(NEXT, data)
    assert isinstance(then, Mapping), f"no times: {then}"
    return dict(then)


def whole_time(round_: Round, times: Times, seconds: int | None = None) -> timedelta:
    """How long people have in this phase, or the result stays: by an option of the game if it says, else by the table.

    `seconds` is that option (`Game.seconds`).
    """
    if seconds is not None:
        return timedelta(seconds=seconds)
    match round_.pace:
        case Pace.CUT:
            wait = times.cut
        case Pace.BETTING:
            wait = times.betting
        case Pace.DECISION:
            wait = times.decision
        case Pace.BEAT:
            wait = times.beat
        case Pace.RESULT | Pace.OVER:
            wait = times.result
    return timedelta(milliseconds=wait)


def ends_at(began: datetime, allowed: timedelta, peeled_at: datetime | None) -> datetime:
    """When a wait is over that began then: so long afterwards, or after a holder has last peeled a card further, which
    prolongs it by `PEELED_FOR` in all at the most."""
    if peeled_at is None:
        return began + allowed
    return max(began + allowed, min(peeled_at + allowed, began + PEELED_FOR))


def allowance(
    round_: Round, times: Times, *, seconds: int | None = None, at_once: bool = False, full: bool = False
) -> timedelta | None:
    """How long the house waits, from the moment this wait began, before it acts; None if there is nothing to do.

    Between two of its own steps lies a beat. `at_once` comes the card that somebody has just asked for, and what a
    bettor wanted done in their name. A round that is `full` closes as early as one in which all are ready.
    """
    match round_.next_house_step():
        case Draw() if at_once:
            return timedelta()
        case Step(action) if action.by != HOUSE:
            return timedelta()
        case Draw() | Step():
            return timedelta(milliseconds=times.beat)
        case None:
            pass
    whole = whole_time(round_, times, seconds)
    return min(whole, timedelta(milliseconds=times.hurry)) if round_.closes_early or full else whole
