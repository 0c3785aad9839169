"""What a service says to the database, written down, and said again without the service: the floor under its time.

The statements are taken from real calls, with their parameters, and replayed in the same transactions on a copy of
the database as it was before, by psycopg or sqlite3 alone. So a baseline cannot drift away from the code.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, sleep  # noqa: TID251 (to rest is what is measured)
from typing import Any

import psycopg
from django.db import connection

from .places import path_of

Replay = Callable[["Transaction"], float]
"""Replays one transaction and returns the seconds it took."""

_BEGIN = re.compile(r"\s*BEGIN", re.IGNORECASE)
_READS = re.compile(r"\s*SELECT|.*\bRETURNING\b", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Transaction:
    """One call of a service: its statements with their parameters, and what it took."""

    label: str
    statements: list[tuple[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


class Recorder:
    """Writes down what is said to the database inside `transaction`."""

    def __init__(self) -> None:
        self.transactions: list[Transaction] = []

    @contextmanager
    def transaction(self, label: str) -> Iterator[Transaction]:
        """One call of a service, which is one transaction."""
        here = Transaction(label)
        self.transactions.append(here)

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            assert not many, sql
            if not _BEGIN.match(sql):
                here.statements.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            begun = perf_counter()
            yield here
            here.seconds = perf_counter() - begun

    def of(self, label: str) -> list[Transaction]:
        """The transactions of this label, in their order."""
        return [one for one in self.transactions if one.label == label]


@contextmanager
def replaying(url: str) -> Iterator[Replay]:
    """A raw connection to the database at `url` on which transactions are replayed."""
    if url.startswith("sqlite"):
        with _on_sqlite(url) as replay:
            yield replay
    else:
        with _on_postgres(url) as replay:
            yield replay


@contextmanager
def _on_postgres(url: str) -> Iterator[Replay]:
    with psycopg.connect(url, autocommit=True) as raw:
        cursor = raw.cursor()

        def replay(transaction: Transaction) -> float:
            said = [(sql.encode(), params, _READS.match(sql)) for sql, params in transaction.statements]
            begun = perf_counter()
            with raw.transaction():
                for sql, params, reads in said:
                    cursor.execute(sql, params)
                    if reads:
                        cursor.fetchall()
            return perf_counter() - begun

        yield replay


@contextmanager
def _on_sqlite(url: str) -> Iterator[Replay]:
    raw = sqlite3.connect(path_of(url), isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA synchronous=FULL")
    raw.execute("PRAGMA foreign_keys=ON")

    def replay(transaction: Transaction) -> float:
        said = [(_question_marks(sql), params or ()) for sql, params in transaction.statements]
        begun = perf_counter()
        raw.execute("BEGIN IMMEDIATE")
        for sql, params in said:
            raw.execute(sql, params).fetchall()
        raw.execute("COMMIT")
        return perf_counter() - begun

    try:
        yield replay
    finally:
        raw.close()


def _question_marks(sql: str) -> str:
    return re.sub(r"(?<!%)%s", "?", sql).replace("%%", "%")


RESTED, REST_S = "rested", 0.12
"""The label of a transaction before which nothing happens for so many seconds, when it is done and when it is said
again: processors and caches have turned to something else by then, as before a bet that comes alone."""


def rest() -> None:
    """Do nothing for so long."""
    sleep(REST_S)


def replayed(transactions: Sequence[Transaction], url: str) -> dict[str, list[float]]:
    """Replay them all in order; the seconds of each, by label."""
    seconds: dict[str, list[float]] = {}
    with replaying(url) as replay:
        for one in transactions:
            if one.label == RESTED:
                rest()
            seconds.setdefault(one.label, []).append(replay(one))
    return seconds
