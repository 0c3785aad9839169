"""Many rows in one statement, however many there are: they travel as one JSON parameter.

Django would split them on SQLite, where a statement has few parameters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import connection


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


def execute(sql: str, parameters: Sequence[str | int | datetime | None]) -> None:
    """Run one statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
