"""What all tests share: a Redis of our own unless one is named, and a database that can be emptied."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.core.signals import setting_changed
from django.db import OperationalError, connection, connections
from django.db.models.signals import post_migrate
from django.test.client import ClientHandler
from django.utils import translation

from casino import catalogues
from casino.embedded import Valkey
from tables import announce, figures, queries
from tables.models import guards
from tests import settings as settings_of_tests

sys.dont_write_bytecode = False
"""Also where the environment asks for it: else every worker of every run compiles all tests anew, with what pytest
makes of their asserts, which is more work than all else until the first of them begins."""


def pytest_unconfigure() -> None:
    settings_of_tests.tidy()


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
    if connection.vendor == "sqlite":
        post_migrate.disconnect(create_contenttypes)
        post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(scope="session", autouse=True)
def emptying_passes_the_guards() -> Iterator[None]:
    """Between tests the database is emptied, which on SQLite means DELETE: the guards stand aside for just that.

    What Django itself lists there, and would list anew each time, stays: that takes ten times as long as the rest.
    """
    if connection.vendor != "sqlite":
        yield
        return
    operations = type(connection.ops)
    flush = operations.execute_sql_flush
    stays = connection.ops.sql_flush(no_style(), [kind._meta.db_table for kind in (ContentType, Permission)])

    def guarded_flush(self: Any, sql_list: Any) -> None:
        with connection.schema_editor() as editor:
            guards.drop(editor, guards.GUARDED)
        flush(self, [sql for sql in sql_list if sql not in stays])
        with connection.schema_editor() as editor:
            guards.create(editor, guards.GUARDED)

    operations.execute_sql_flush = guarded_flush  # type: ignore[method-assign]
    yield
    operations.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def emptying_goes_on() -> Iterator[None]:
    """A hub that has ended leaves a thread reading what it was told; on PostgreSQL the emptying may meet its locks.

    Then one of the two is refused. The reading ends either way, and the emptying begins again.
    """
    operations = type(connection.ops)
    flush = operations.execute_sql_flush

    def flush_in_the_end(self: Any, sql_list: Any) -> None:
        try:
            flush(self, sql_list)
        except OperationalError:
            flush(self, sql_list)

    if connection.vendor == "postgresql":
        operations.execute_sql_flush = flush_in_the_end  # type: ignore[method-assign]
    yield
    operations.execute_sql_flush = flush  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def one_chain_of_middleware() -> Iterator[None]:
    """Django's test clients share one, as all requests to a server do; changed settings make it anew.

    Each of the many clients would otherwise look through all static files again.
    """
    load = ClientHandler.load_middleware
    loaded: dict[str, Any] = {}

    def load_once(self: ClientHandler, is_async: bool = False) -> None:
        if not loaded:
            load(self, is_async)
            loaded.update(vars(self))
        for name in ("_view_middleware", "_template_response_middleware", "_exception_middleware", "_middleware_chain"):
            setattr(self, name, loaded[name])

    def forget(**_: Any) -> None:
        loaded.clear()

    setting_changed.connect(forget)
    ClientHandler.load_middleware = load_once  # type: ignore[assignment, method-assign]
    yield
    ClientHandler.load_middleware = load  # type: ignore[method-assign]
    setting_changed.disconnect(forget)


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    """Each test begins without folds and figures of another's rounds, its event loop or its last reader's language."""
    translation.deactivate()
    queries.folds.clear()
    figures.remembered.clear()
    announce.use_loop(None)
    yield
    announce.use_loop(None)


@pytest.fixture
def on_postgresql() -> bool:
    """Whether the tests run on PostgreSQL (real row locks) or on the embedded default."""
    return connection.vendor == "postgresql"
