"""Macau's calendar: its date at a moment, when its days begin, and its working days. Pure: no clock is read here.

The regulations want an authorisation for a choice of the house asked for three working days before the planned date.
From that date we step back three working days, leaving out Saturdays, Sundays and Macau's public holidays; the request
is dated on or before the day that is reached. The planned date itself may be any day: tables are open on all of them.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import holidays

MACAU = ZoneInfo("Asia/Macau")


def macau_date(moment: datetime) -> date:
    """The date in Macau at this moment."""
    return moment.astimezone(MACAU).date()


def midnight(day: date) -> datetime:
    """When this day begins in Macau."""
    return datetime.combine(day, time.min, MACAU)


def day_begun(moment: datetime) -> datetime:
    """When the day of Macau began in which this moment lies."""
    return midnight(macau_date(moment))


def months_later(moment: datetime, months: int) -> datetime:
    """The same time so many months later, on the last day of a month that has no such day."""
    there = moment.astimezone(MACAU)
    years, month = divmod(there.month - 1 + months, 12)
    last = monthrange(there.year + years, month + 1)[1]
    return there.replace(year=there.year + years, month=month + 1, day=min(there.day, last))


AHEAD = 3
"""Working days between the request and what it asks for."""

_DAY = timedelta(days=1)


def is_working_day(day: date) -> bool:
    """Monday to Friday, and no public holiday in Macau."""
    return day.weekday() < 5 and day not in _holidays(day.year)


def latest_filing(planned: date) -> date:
    """The last day on which a request for something that is to hold from `planned` on may be dated."""
    day, left = planned, AHEAD
    while left:
        day -= _DAY
        left -= is_working_day(day)
    return day


def earliest_adoption(submitted: date) -> date:
    """The first day from which something may hold that was asked for on `submitted`."""
    day = submitted + AHEAD * _DAY
    while latest_filing(day) < submitted:
        day += _DAY
    return day


@lru_cache(maxsize=16)
def _holidays(year: int) -> frozenset[date]:
    return frozenset(holidays.country_holidays("MO", years=year))
