"""The database that a part is run on: all that is in it, kept, and brought back to what it was."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, connections

from tables.base import sql
from tables.felt.newest import newest_states
from tables.queries.folds import fold_cache

SWEPT_EVERY = 50
"""After so many restorations dead rows are swept out: each row that is put back is looked for among all of its kind."""

State = Mapping[str, Any]
"""What is in each table: two states are equal if every row is."""


class Place:
    """One database of this process."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            names = connection.introspection.table_names(cursor)
        self.tables = sorted(name for name in names if name != "django_migrations")

    def state(self) -> State:
        """Everything that is committed now."""
        raise NotImplementedError

    def keep(self, name: str) -> None:
        """Remember under this name all that is there now."""
        raise NotImplementedError

    def restore(self, name: str) -> None:
        """Make it again what it was when it was kept last under this name. Nobody else may be using it."""
        self._restore(name)
        fold_cache.clear()  # the same versions of the same rounds may come again with other lines
        newest_states.clear()

    def _restore(self, name: str) -> None:
        raise NotImplementedError


class SqlitePlace(Place):
    """A file: copied and put back."""

    def __init__(self) -> None:
        super().__init__()
        self._file = Path(str(settings.DATABASES["default"]["NAME"]))

    def state(self) -> State:
        with connection.cursor() as cursor:
            found = {}
            for table in self.tables:
                cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')  # noqa: S608
                found[table] = cursor.fetchall()
            return found

    def keep(self, name: str) -> None:
        connections.close_all()  # the last one to go writes everything into the file itself
        shutil.copyfile(self._file, self._file.with_suffix(f".{name}"))

    def _restore(self, name: str) -> None:
        connections.close_all()
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self._file}{suffix}").unlink()
        shutil.copyfile(self._file.with_suffix(f".{name}"), self._file)


class PostgresPlace(Place):
    """Copies of its tables in schemas beside them. Only a superuser may write past the guards and the foreign keys."""

    def __init__(self) -> None:
        super().__init__()
        with connection.cursor() as cursor:
            cursor.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'")
            self._sequences = [name for (name,) in cursor.fetchall()]
        self._restored, self._put_back = 0, set[str]()
        self._kept: dict[str, dict[str, Any]] = {}
        self._numbers: dict[str, list[tuple[str, int, bool]]] = {}

    def state(self) -> State:
        each = (
            f"SELECT '{table}', md5(string_agg(row::text, '|' ORDER BY row::text)) FROM public.\"{table}\" row"  # noqa: S608
            for table in self.tables
        )
        return dict(sql.fetched(" UNION ALL ".join(each), []))

    def keep(self, name: str) -> None:
        now = dict(self.state())
        with connection.cursor() as cursor:
            if name not in self._kept:
                copies = (f'CREATE UNLOGGED TABLE {name}."{t}" AS TABLE public."{t}";' for t in self.tables)
                cursor.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}; {''.join(copies)}")
            else:
                changed = [table for table in self.tables if now[table] != self._kept[name][table]]
                cursor.execute("".join(_copied(table, "public", name) for table in changed) or "SELECT 1")
            self._kept[name] = now
            numbers = (f"SELECT '{each}', last_value, is_called FROM public.\"{each}\"" for each in self._sequences)  # noqa: S608
            cursor.execute(" UNION ALL ".join(numbers))
            self._numbers[name] = cursor.fetchall()

    def _restore(self, name: str) -> None:
        now, kept = self.state(), self._kept[name]
        changed = [table for table in self.tables if now[table] != kept[table]]
        tables = "".join(_copied(table, name, "public") for table in changed)
        numbers = "".join(f"SELECT setval('public.\"{each}\"', {at}, {on});" for each, at, on in self._numbers[name])
        with connection.cursor() as cursor:
            cursor.execute(f"BEGIN; SET LOCAL session_replication_role = replica; {tables}{numbers} COMMIT")
            self._restored += 1
            self._put_back.update(changed)
            if self._restored % SWEPT_EVERY == 0:
                cursor.execute("VACUUM " + ", ".join(f'public."{table}"' for table in sorted(self._put_back)))
                self._put_back.clear()


def _copied(table: str, source: str, target: str) -> str:
    return f'DELETE FROM {target}."{table}"; INSERT INTO {target}."{table}" TABLE {source}."{table}";'  # noqa: S608


def here() -> Place:
    """That of this process."""
    return PostgresPlace() if connection.vendor == "postgresql" else SqlitePlace()
