"""One transaction, and the lock order: lease → table → round → accounts by id (docs/concurrency.md)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

_one_writer = threading.RLock()
"""SQLite takes one writer at a time and is unfair to those who wait; within a process we queue for it here."""


@contextmanager
def unit_of_work() -> Iterator[None]:
    """Everything inside happens, or nothing."""
    if connection.vendor == "sqlite":
        with _one_writer, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield
