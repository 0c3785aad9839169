"""The one clock that decides: the database's, read when asked (after the lock), never before."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from django.db import connection


class Clock(Protocol):
    """Tells the time. Services take one, so that tests can pass their own."""

    def now(self) -> datetime:
        """The present moment, with its time zone."""


class DatabaseClock:
    """The database's own clock: `clock_timestamp()`, not the start of the transaction.

    SQLite lives on this machine, so its clock is the machine's.
    """

    def now(self) -> datetime:
        if connection.vendor != "postgresql":
            return datetime.now(UTC)
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            (now,) = cursor.fetchone()
        assert isinstance(now, datetime)
        return now


DATABASE_CLOCK = DatabaseClock()
