"""What all tests share: a Redis of our own unless one is named, and a database that can be emptied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import connection, connections

from casino import catalogues
from casino.embedded import Valkey
from tables import announce, queries
from tables.models import guards


@pytest.fixture(scope="session", autouse=True)
def valkey() -> Iterator[None]:
    """The embedded Valkey, as in the embedded default; nothing where REDIS_URL names a Redis."""
    if not settings.EMBEDDED_VALKEY:
        yield
        return
    with Valkey(settings.EMBEDDED_DIR):
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_catalogues() -> None:
    """The languages as they stand in locale/, also where somebody runs one test without make."""
    catalogues.compile_stale()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The test database, and nobody in it when it is dropped.

    Channels' test client takes care that asgiref's thread never closes its connection; PostgreSQL would refuse.
    """
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(scope="session", autouse=True)
def emptying_passes_the_guards() -> Iterator[None]:
    """Between tests the database is emptied, which on SQLite means DELETE: the guards stand aside for just that."""
    if connection.vendor != "sqlite":
        yield
        return
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def guarded_flush(self: Any, sql_list: Any) -> None:
        with connection.schema_editor() as editor:
            guards.drop(editor)
        flush(self, sql_list)
        with connection.schema_editor() as editor:
            guards.create(editor)

    operations.execute_sql_flush = guarded_flush  # type: ignore[method-assign]
    yield
    operations.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    """Each test begins without folds of another's rounds, and without its event loop."""
    queries.folds.clear()
    announce.use_loop(None)
    yield
    announce.use_loop(None)


@pytest.fixture
def on_postgresql() -> bool:
    """Whether the tests run on PostgreSQL (real row locks) or on the embedded default."""
    return connection.vendor == "postgresql"
