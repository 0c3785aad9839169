"""How long a connection to PostgreSQL may wait, or let others wait. Set by us, whatever the server itself is set to.

A process that freezes in the middle of a transaction keeps its locks until the server ends its connection, and one
whose line has gone silent waits until its own system gives up. Both are hours by default.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

SERVING = ("floor", "deal", "auditor")
"""The commands of `manage.py` that players wait for. What an operator runs by hand takes the time that it needs."""

IDLE_IN_TRANSACTION_MS = 4_000
"""For so long a transaction may do nothing: then the server ends it, and whoever waits for its locks goes on."""

LOCK_MS = 5_000
"""For so long a statement waits for a lock: longer than a frozen process may keep it."""

STATEMENT_MS = 30_000
"""For so long a statement may take."""

SILENT_MS = 8_000
"""For so long what was sent may stay unanswered by the other end's system; then the connection is lost."""

_KEEPALIVES = {"keepalives_idle": 3, "keepalives_interval": 2, "keepalives_count": 2}
"""Seconds of silence, seconds between two questions whether the other end is there, and how many stay unanswered."""

_LIMITS = {
    "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_MS,
    "lock_timeout": LOCK_MS,
    "statement_timeout": STATEMENT_MS,
}


def of_connections(arguments: Sequence[str]) -> dict[str, Any]:
    """The parameters of a PostgreSQL connection in a process that was started with these arguments."""
    ours = {"connect_timeout": 5, "keepalives": 1, **_KEEPALIVES, "tcp_user_timeout": SILENT_MS}
    at_server = {f"tcp_{name}": value for name, value in _KEEPALIVES.items()} | {"tcp_user_timeout": SILENT_MS}
    if arguments[1:2] and arguments[1] in SERVING:
        at_server |= _LIMITS
    return ours | {"options": " ".join(f"-c {name}={value}" for name, value in at_server.items())}


@contextmanager
def lifted(connection: Any) -> Iterator[None]:
    """In here this connection takes the time that it needs, as long as it stays open: a migration does."""
    if connection.vendor != "postgresql":
        yield
        return
    _each(connection, "SET {} = 0")
    try:
        yield
    finally:
        if connection.is_usable():
            _each(connection, "RESET {}")


def lift_for_transaction(connection: Any) -> None:
    """Until its end the present transaction takes the time that it needs. It must keep no lock that a table needs."""
    if connection.vendor == "postgresql":
        _each(connection, "SET LOCAL {} = 0")


def _each(connection: Any, statement: str) -> None:
    with connection.cursor() as cursor:
        for name in _LIMITS:
            cursor.execute(statement.format(name))
