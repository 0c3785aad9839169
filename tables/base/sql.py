"""Plain statements, for what each bet does: Django takes longer to build one than the database to run it.

Many rows are one statement, however many there are: they travel as one JSON parameter. Django would split them on
SQLite, where a statement has few parameters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from .clock import DATABASE_CLOCK, Clock

Parameter = str | int | datetime | list[str] | None
ModelT = TypeVar("ModelT", bound=Model)


@cache
def on_postgres() -> bool:
    """Whether the database is PostgreSQL, and not SQLite."""
    return connection.vendor == "postgresql"


@cache
def columns_of(model: type[Model], table: str) -> str:
    """The columns of a model to select from `table`, as `instance_of` takes them."""
    return ", ".join(f'{table}."{field.column}"' for field in model._meta.concrete_fields)


def instance_of(model: type[ModelT], values: Sequence[Any]) -> ModelT:
    """The instance whose columns (`columns_of`) have these values."""
    read, ours = list(values), _ours()
    for at, convert, column in _converters(model):
        read[at] = convert(read[at], column, ours)
    return model.from_db(ours.alias, _names_of(model), read)


@cache
def _names_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@cache
def _converters(model: type[Model]) -> list[tuple[int, Callable[..., Any], object]]:
    """What makes of a column's value in the database that of its field: where it stands, how, and the column."""
    found: list[tuple[int, Callable[..., Any], object]] = []
    for at, field in enumerate(model._meta.concrete_fields):
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


class _Prepared(psycopg.Cursor[tuple[Any, ...]]):
    """PostgreSQL parses and plans a statement once for each connection. Django's own cursors write the parameters into
    the text, and have every text planned anew."""

    def execute(self, query: Any, params: Any = None, **_: Any) -> Any:
        return super().execute(query, params, prepare=True)


def _cursor() -> CursorWrapper:
    """A cursor for statements that are the same each time, but for their parameters."""
    ours = _ours()
    if not on_postgres():
        return ours.cursor()
    ours.ensure_connection()
    cursor: Any = _Prepared(ours.connection)
    return ours.make_debug_cursor(cursor) if ours.queries_logged else ours.make_cursor(cursor)


def moment(at: datetime | None) -> str | datetime | None:
    """A moment, or none, as a parameter."""
    if on_postgres():
        return at
    adapted: str | datetime | None = connection.ops.adapt_datetimefield_value(at)
    return adapted


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


def locked(
    columns: str, source: str, which: str, values: Sequence[Parameter], *, of: str, clock: Clock
) -> tuple[tuple[Any, ...], datetime] | None:
    """The columns of the row that is found, if there is one, whose part `of` is locked from then on; and the time, read
    once the lock is there."""
    query = f"SELECT {columns} FROM {source} WHERE {which}"  # noqa: S608
    if on_postgres():
        query = f"{query} FOR UPDATE OF {of}"
    timed = on_postgres() and clock is DATABASE_CLOCK
    if timed:  # what stands outside is worked out for a row that is locked already
        query = f"SELECT locked.*, clock_timestamp() FROM ({query}) locked"  # noqa: S608
    rows = fetched(query, values)
    if not rows:
        return None
    return (rows[0][:-1], rows[0][-1]) if timed else (rows[0], clock.now())


def execute(sql: str, parameters: Sequence[Parameter]) -> None:
    """Run one statement that returns nothing."""
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
