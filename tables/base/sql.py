"""Plain statements, for what each bet does: Django takes longer to build one than the database to run it.

Many rows are one statement, however many there are: they travel as one JSON parameter. Django would split them on
SQLite, where a statement has few parameters.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model
from psycopg.adapt import AdaptersMap
from psycopg.types.datetime import TimestamptzLoader

from .clock import DATABASE_CLOCK, Clock

Parameter = str | int | datetime | list[str] | None
ModelT = TypeVar("ModelT", bound=Model)


@cache
def on_postgres() -> bool:
    """Whether the database is PostgreSQL, and not SQLite."""
    return connection.vendor == "postgresql"


@cache
def columns_of(model: type[Model], table: str, without: tuple[str, ...] = ()) -> str:
    """The columns of a model to select from `table`, as `instance_of` takes them; `without` those that are long."""
    return ", ".join(f'{table}."{field.column}"' for field in _fields_of(model, without))


def instance_of(model: type[ModelT], values: Sequence[Any], without: tuple[str, ...] = ()) -> ModelT:
    """The instance whose columns (`columns_of`) have these values. What it is `without` is read when asked for."""
    read, ours = list(values), _ours()
    for at, convert, column in _converters(model, without):
        read[at] = convert(read[at], column, ours)
    return model.from_db(ours.alias, _names_of(model, without), read)


def number_of(model: type[Model], without: tuple[str, ...] = ()) -> int:
    """How many columns `columns_of` names."""
    return len(_names_of(model, without))


def _fields_of(model: type[Model], without: tuple[str, ...]) -> list[Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if field.attname not in without]


@cache
def _names_of(model: type[Model], without: tuple[str, ...]) -> list[str]:
    return [field.attname for field in _fields_of(model, without)]


@cache
def _converters(model: type[Model], without: tuple[str, ...]) -> list[tuple[int, Callable[..., Any], object]]:
    """What makes of a column's value in the database that of its field: where it stands, how, and the column."""
    found: list[tuple[int, Callable[..., Any], object]] = []
    for at, field in enumerate(_fields_of(model, without)):
        column: Any = field.get_col(model._meta.db_table)
        converters = [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]
        found += [(at, convert, column) for convert in converters]
    return found


@contextmanager
def sent_together() -> Iterator[None]:
    """The statements inside, which return nothing, go to PostgreSQL together and are waited for once, at the end; what
    one of them raises is raised there."""
    if on_postgres():
        ours = _ours()
        with ours.wrap_database_errors, ours.connection.pipeline():
            yield
    else:
        yield


def rows(columns: Mapping[str, str]) -> str:
    """A FROM item `row` over one JSON parameter: a row for each object, with these columns (name -> type)."""
    if on_postgres():
        types = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        return f"jsonb_to_recordset(%s::jsonb) AS row({types})"
    fields = ", ".join(f"json_extract(value, '$.{name}') AS \"{name}\"" for name in columns)
    return f"(SELECT {fields} FROM json_each(%s)) AS row"  # noqa: S608 (names of columns, all ours)


def one_of(ids: Iterable[int]) -> tuple[str, str]:
    """To follow a column: that it is one of these ids, however many; and the parameter that says which."""
    if on_postgres():
        return "= ANY(%s::bigint[])", "{" + ",".join(map(str, ids)) + "}"
    return "IN (SELECT value FROM json_each(%s))", json.dumps(list(ids))


def one_of_texts(texts: Iterable[str]) -> tuple[str, Parameter]:
    """As `one_of`, of texts."""
    if on_postgres():
        return "= ANY(%s::text[])", list(texts)
    return "IN (SELECT value FROM json_each(%s))", json.dumps(list(texts))


def _ours() -> BaseDatabaseWrapper:
    """The connection of this thread. Django's `connection` looks it up anew for each of its attributes."""
    ours: BaseDatabaseWrapper = connections[DEFAULT_DB_ALIAS]
    return ours


class _Marked(sqlite3.Cursor):
    """As Django's, which looks for the marks of every statement anew."""

    def execute(self, query: str, params: Any = ()) -> Any:
        return super().execute(_question_marks(query), params)


@lru_cache(512)
def _question_marks(query: str) -> str:
    """A statement of ours as SQLite reads it."""
    return re.sub(r"(?<!%)%s", "?", query).replace("%%", "%")


class _Prepared(psycopg.Cursor[tuple[Any, ...]]):
    """PostgreSQL parses and plans a statement once for each connection. Django's own cursors write the parameters into
    the text, and have every text planned anew."""

    prepares = True

    @property
    def adapters(self) -> AdaptersMap:
        return _adapters()

    def execute(self, query: Any, params: Any = None, **_: Any) -> Any:
        return super().execute(query, params, prepare=self.prepares)


@cache
def _adapters() -> AdaptersMap:
    """How values are read: as Django does, but for moments, which it reads in Python, and psycopg faster than that. Our
    connections are in UTC, and so is either."""
    ours = AdaptersMap(_ours().connection.adapters)
    ours.register_loader("timestamptz", TimestamptzLoader)
    return ours


class _Logged(_Prepared):
    """Where statements are logged: of one that is prepared Django finds no text."""

    prepares = False


def _cursor() -> CursorWrapper:
    """A cursor for statements that are the same each time, but for their parameters."""
    ours = _ours()
    ours.ensure_connection()
    logged = ours.queries_logged
    of_postgres = _Logged if logged else _Prepared
    cursor: Any = of_postgres(ours.connection) if on_postgres() else _Marked(ours.connection)
    return ours.make_debug_cursor(cursor) if logged else ours.make_cursor(cursor)


def moment(at: datetime | None) -> str | datetime | None:
    """A moment, or none, as a parameter."""
    return at if at is None or on_postgres() else _adapted(at)


@lru_cache(64)  # of one bet, four are asked for several times
def _adapted(at: datetime) -> str:
    return str(connection.ops.adapt_datetimefield_value(at))


def found(sql: str, parameters: Sequence[Parameter]) -> bool:
    """Whether this query finds anything."""
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchone() is not None


def fetched(sql: str, parameters: Sequence[Parameter]) -> list[tuple[Any, ...]]:
    """All rows of this query."""
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def fetched_at(
    columns: str, source: str, parameters: Sequence[Parameter], *, clock: Clock
) -> tuple[list[tuple[Any, ...]], datetime]:
    """These columns of all rows that are found, and the time."""
    if not (on_postgres() and clock is DATABASE_CLOCK):
        return fetched(f"SELECT {columns} FROM {source}", parameters), clock.now()  # noqa: S608
    rows = fetched(f"SELECT {columns}, clock_timestamp() FROM {source}", parameters)  # noqa: S608
    return ([row[:-1] for row in rows], rows[0][-1]) if rows else ([], clock.now())


def locked_row(
    columns: str, source: str, which: str, values: Sequence[Parameter], *, of: str
) -> tuple[Any, ...] | None:
    """The columns of the row that is found, if there is one, whose part `of` is locked from then on."""
    rows = fetched(_locking(columns, source, which, of), values)
    return rows[0] if rows else None


def locked(
    columns: str, source: str, which: str, values: Sequence[Parameter], *, of: str, clock: Clock
) -> tuple[tuple[Any, ...], datetime] | None:
    """As `locked_row`; and the time, read once the lock is there."""
    if not (on_postgres() and clock is DATABASE_CLOCK):
        row = locked_row(columns, source, which, values, of=of)
        return None if row is None else (row, clock.now())
    query = _locking(columns, source, which, of)  # what stands outside is worked out for a row that is locked already
    rows = fetched(f"SELECT locked.*, clock_timestamp() FROM ({query}) locked", values)  # noqa: S608
    return (rows[0][:-1], rows[0][-1]) if rows else None


def _locking(columns: str, source: str, which: str, of: str) -> str:
    query = f"SELECT {columns} FROM {source} WHERE {which}"  # noqa: S608
    return f"{query} FOR UPDATE OF {of}" if on_postgres() else query


def execute(sql: str, parameters: Sequence[Parameter]) -> None:
    """Run one statement that returns nothing."""
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
