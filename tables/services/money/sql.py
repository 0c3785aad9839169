"""Many rows in one statement, however many there are: they travel as one JSON parameter.

Django would split them on SQLite, where a statement has few parameters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

Parameter = str | int | datetime | None


def rows(columns: Mapping[str, str]) -> str:
    """A FROM item `row` over one JSON parameter: a row for each object, with these columns (name -> type)."""
    if connection.vendor == "postgresql":
        types = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        return f"jsonb_to_recordset(%s::jsonb) AS row({types})"
    fields = ", ".join(f"json_extract(value, '$.{name}') AS \"{name}\"" for name in columns)
    return f"(SELECT {fields} FROM json_each(%s)) AS row"  # noqa: S608 (names of columns, all ours)


def insert_numbers(table: str, columns: Sequence[str], values: Iterable[Mapping[str, int]]) -> None:
    """Insert rows of whole numbers, a mapping each."""
    if not (data := list(values)):
        return
    names = ", ".join(f'"{name}"' for name in columns)
    execute(
        f"INSERT INTO {table} ({names}) SELECT {names} FROM {rows(dict.fromkeys(columns, 'bigint'))}",  # noqa: S608
        [json.dumps(data)],
    )


def one_of(ids: Iterable[int]) -> tuple[str, str]:
    """To follow a column: that it is one of these ids, however many; and the parameter that says which."""
    if connection.vendor == "postgresql":
        return "= ANY(%s::bigint[])", "{" + ",".join(map(str, ids)) + "}"
    return "IN (SELECT value FROM json_each(%s))", json.dumps(list(ids))


def moment(at: datetime) -> str | datetime | None:
    """A moment as a parameter."""
    adapted: str | datetime | None = connection.ops.adapt_datetimefield_value(at)
    return adapted


def found(sql: str, parameters: Sequence[Parameter]) -> bool:
    """Whether this query finds anything."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchone() is not None


def fetched(sql: str, parameters: Sequence[Parameter]) -> list[tuple[Any, ...]]:
    """All rows of this query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def execute(sql: str, parameters: Sequence[Parameter]) -> None:
    """Run one statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
