"""A transaction, a moment to read, and the lock order: lease → table → round → accounts by id (docs/concurrency.md)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

from casino import waits

DATABASE_AWAY = (OSError, InterfaceError, OperationalError, psycopg.OperationalError)
"""What the database raises when it is away, when a connection to it is lost, or when a wait for it was in vain; psycopg
itself where Django lets it, closing what was read row by row."""

_one_writer = threading.RLock()
"""SQLite takes one writer at a time and is unfair to those who wait; within a process we queue for it here."""


@contextmanager
def unit_of_work(*, slow: bool = False, part: bool = False) -> Iterator[None]:
    """Everything inside happens, or nothing. A `slow` one may take its time: it keeps no lock that a table needs. A
    `part` of another is undone with all of that, and never alone."""
    if connection.vendor == "sqlite":
        with _one_writer, transaction.atomic(savepoint=not part):
            yield
    else:
        with _ended_by_the_server(), transaction.atomic(savepoint=not part):
            if slow:
                waits.lift_for_transaction(connection)
            yield


@contextmanager
def _ended_by_the_server() -> Iterator[None]:
    """A transaction that did nothing for too long (`waits`), as of a process that was frozen, has lost its connection,
    whatever class the standard of SQL puts that error into."""
    try:
        yield
    except InternalError as error:
        if isinstance(error.__cause__, psycopg.errors.IdleInTransactionSessionTimeout):
            raise OperationalError(*error.args) from error
        raise


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment, whatever others write meanwhile; nobody waits for it. Writes nothing.

    Within a transaction, as in a test, it is that transaction.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Django's own transactions take the lock of the one writer at once; this one only reads.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            waits.lift_for_transaction(connection)
            yield
