"""The gaming day and its shifts, in Macau's time: it begins with the first shift, and ends as the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from tables.base.calendar import MACAU, macau_date

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Shift:
    """A part of a gaming day: from `since` until `until`, which is no longer in it."""

    day: date
    since: datetime
    until: datetime


def checked(hours: Sequence[int]) -> tuple[int, ...]:
    """The hours at which shifts begin, in their order. Raises ValueError unless each comes after the one before, within
    one day."""
    found = tuple(hours)
    if not found or list(found) != sorted(set(found)) or not 0 <= found[0] <= found[-1] < 24:
        raise ValueError(f"shifts begin at full hours, one after the other, within a day: {found}")
    return found


def shifts_of(day: date, hours: Sequence[int]) -> list[Shift]:
    """The shifts of a gaming day, in their order; the last lasts until the first of the next day."""
    begins = [datetime.combine(day, time(hour), MACAU) for hour in hours]
    ends = [*begins[1:], begins[0] + _DAY]
    return [Shift(day, since, until) for since, until in zip(begins, ends, strict=True)]


def gaming_day(moment: datetime, hours: Sequence[int]) -> date:
    """The gaming day in which this moment lies."""
    day = macau_date(moment)
    return day if moment.astimezone(MACAU).hour >= hours[0] else day - _DAY


def shifts_before(moment: datetime, hours: Sequence[int], back: int = 0) -> Shift:
    """The shift in which this moment lies, or the one that was so many shifts before it."""
    day = gaming_day(moment, hours)
    present = sum(shift.since <= moment for shift in shifts_of(day, hours)) - 1
    days, which = divmod(present - back, len(hours))
    return shifts_of(day + days * _DAY, hours)[which]
