"""Macau's calendar: its date at a moment, and when its days begin. Pure: no clock is read here."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

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
