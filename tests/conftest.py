"""What all tests share: a Redis of our own unless one is named, and a database that can be emptied."""

from __future__ import annotations

import fcntl
import gc
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.signals import setting_changed
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate
from django.test.client import ClientHandler
from django.utils import translation
from pytest_django import DjangoDbBlocker

from casino import catalogues
from casino.embedded import Valkey
from casino.settings import BASE_DIR
from tables.base import announce
from tables.felt.newest import newest_states
from tables.queries import ratings, statistics
from tables.queries.folds import fold_cache

from . import databases
from . import settings as settings_of_tests
from .extent import EVERYTHING
from .house.kit import undone

sys.dont_write_bytecode = False
"""Also where the environment asks for it: else every worker of every run compiles all tests anew, with what pytest
makes of their asserts, which is more work than all else until the first of them begins."""


gc.set_threshold(50_000, 20, 20)
"""Python's own 700 would look through all that Django and pytest keep again and again: a seventh of all the work."""


hypothesis.settings.register_profile(
    "mutants", phases=[hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate]
)
"""For `tests.mutants`: that a law is broken is enough there, and no simple case that breaks it is looked for."""

RULES = tuple(f"tests/{folder}/" for folder in ("fairness", "laws", "playthroughs", "records", "regulation"))
"""No test there starts a process of a house; some ask for the database."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the rules: they come to the same on every database. Other modules that do say so themselves."""
    asks = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    if item.nodeid.startswith(RULES) and not asks and item.get_closest_marker("django_db") is None:
        item.add_marker(pytest.mark.any_database)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without ALL=1 what is marked `in_full` is left out, and two of three cases of what has many; the rest is put in
    order for the workers."""
    if not EVERYTHING:
        left_out = left_to_all(items)
        if left_out:
            config.hook.pytest_deselected(items=list(left_out))
            items[:] = [item for item in items if item not in left_out]
    in_order_for_the_workers(items)


MANY = 5
"""So many cases of a test all run without ALL=1; of more, each third. Those of the rules cost nothing, and all run."""


def left_to_all(items: list[pytest.Item]) -> dict[pytest.Item, None]:
    """What runs with ALL=1 alone."""
    left_out = {item: None for item in items if item.get_closest_marker("in_full")}
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.nodeid.startswith(("tests/floor/", "tests/house/")):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for each in cases.values():
        if len(each) > MANY:
            left_out |= {item: None for number, item in enumerate(each) if number % 3}
    return left_out


def in_order_for_the_workers(items: list[pytest.Item]) -> None:
    """Of several workers every second one begins with browsers, which wait more than they compute; the others compute.

    Each worker gets a share of the list that begins where the one before ends, and takes from the ends of the others'
    when it has nothing left: so what is long stands first, and what is left in the end is short.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    long = deque(item for item in items if "tests/browser/" in item.nodeid)
    rest = deque(item for item in items if "tests/browser/" not in item.nodeid)
    whole, ordered = len(items), list[pytest.Item]()
    for worker in range(workers):
        ends = len(ordered) + (whole - len(ordered)) // (workers - worker)
        if worker % 2 == 0:
            lanes = (workers - worker + 1) // 2
            for _ in range(min(-(-len(long) // lanes), ends - len(ordered))):
                ordered.append(long.popleft())
        while len(ordered) < ends:
            ordered.append((rest or long).popleft())
    assert not long and not rest
    items[:] = ordered


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: it is not looked through again, nor written to in processes of a test."""
    gc.collect()
    gc.freeze()


def pytest_configure() -> None:
    """mutmut runs pytest several times in one process: each run needs the folder that the one before has removed."""
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def pytest_unconfigure() -> None:
    settings_of_tests.tidy()
    if connection.vendor == "postgresql" and settings_of_tests.WORKER == "alone":
        databases.forget_template()


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
def migrated(request: pytest.FixtureRequest) -> Path | None:
    """A new SQLite database of this code, to be copied: one worker migrates it for all, and for later runs.

    With any other code, or other versions of what is installed, it is made anew. None where pytest keeps nothing
    (`-p no:cacheprovider`).
    """
    cache = getattr(request.config, "cache", None)
    if cache is None:
        return None
    code = hashlib.sha256((BASE_DIR / "requirements-dev.txt").read_bytes())
    for path in sorted(path for folder in ("casino", "tables") for path in (BASE_DIR / folder).rglob("*.py")):
        code.update(f"{path.relative_to(BASE_DIR)} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    folder: Path = cache.mkdir("migrated")
    kept = folder / f"{code.hexdigest()}.sqlite3"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            for old in folder.glob("*.sqlite3"):
                old.unlink()
            with tempfile.TemporaryDirectory() as var:
                command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
                environment = os.environ | {"VAR_DIR": var, "DATABASE_URL": ""}
                subprocess.run(command, cwd=BASE_DIR, env=environment, check=True)
                shutil.move(Path(var) / "floor.sqlite3", kept)
    return kept


@pytest.fixture(scope="session")
def django_db_keepdb(
    request: pytest.FixtureRequest, django_db_keepdb: bool, django_db_modify_db_settings: None
) -> bool:
    """Whether the database is there already: a copy of one that has been migrated. PostgreSQL makes its copy itself."""
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = databases.template()
        return django_db_keepdb
    migrated: Path | None = request.getfixturevalue("migrated")
    if migrated is None:
        return django_db_keepdb
    shutil.copy(migrated, connection.settings_dict["TEST"]["NAME"])  # each worker's has a name of its own
    return True


ITS_TRIGGERS = {
    "sqlite": "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid",
    "postgresql": "SELECT relname, tgname, NULL FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
    " WHERE NOT tgisinternal",
}
GUARDS = list[tuple[str, str, str]]()
"""The guards of the test database: of each its table, its name and what makes it anew."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database, and nobody in it when it is dropped.

    Channels' test client takes care that asgiref's thread never closes its connection; PostgreSQL would refuse.
    """
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(ITS_TRIGGERS[connection.vendor])
        GUARDS[:] = cursor.fetchall()
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(scope="session", autouse=True)
def emptying_is_cheap() -> Iterator[None]:
    """Between tests rows are deleted where there are any, and the guards of those tables stand aside for just that.

    Django would empty every table: on PostgreSQL that makes all their files anew. What it lists of its own in two of
    them, and would list anew each time, stays.
    """
    operations = type(connection.ops)
    sql_flush = operations.sql_flush
    stays = {kind._meta.db_table for kind in (ContentType, Permission)}

    def sql_of_what_is_there(
        self: Any, style: Any, tables: Sequence[str], *, reset_sequences: bool = False, allow_cascade: bool = False
    ) -> list[str]:
        tables = [table for table in tables if table not in stays]
        if reset_sequences:
            emptying = sql_flush(self, style, tables, reset_sequences=True, allow_cascade=allow_cascade)
        else:
            rows = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables)  # noqa: S608
            with self.connection.cursor() as cursor:
                cursor.execute(rows)
                tables = [table for (table,) in cursor.fetchall()]
            emptying = [f"DELETE FROM {table}" for table in tables]  # noqa: S608
        aside = [guard for guard in GUARDS if guard[0] in tables]
        if self.connection.vendor == "sqlite":
            before = [f"DROP TRIGGER {name}" for _, name, _ in aside]
            after = [made_by for _, _, made_by in aside]
        else:
            guarded = sorted({table for table, *_ in aside})
            before = [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in guarded]
            after = [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in guarded]
            after[:0] = ["SET CONSTRAINTS ALL IMMEDIATE"] if guarded else []
        return [*before, *emptying, *after]

    operations.sql_flush = sql_of_what_is_there  # type: ignore[method-assign]
    yield
    operations.sql_flush = sql_flush  # type: ignore[method-assign]


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


@pytest.fixture(scope="session", autouse=True)
def folds_are_kept() -> Iterator[None]:
    """In a test that is undone nothing is ever committed, and no fold would be kept: every deed would fold its whole
    round anew, as no house does. So the end of a transaction of the house counts as its commit, for folds alone."""
    wrapper = BaseDatabaseWrapper
    on_commit, release = wrapper.on_commit, wrapper.savepoint_commit

    def is_of_the_test(self: Any) -> bool:
        return bool(self.atomic_blocks) and self.atomic_blocks[-1]._from_testcase

    def keeps(func: Any) -> bool:
        return isinstance(func, partial) and func.func == fold_cache.keep

    def on_commit_or_now(self: Any, func: Any, robust: bool = False) -> None:
        if keeps(func) and is_of_the_test(self):
            func()
        else:
            on_commit(self, func, robust)

    looked: tuple[list[Any], int] = ([], 0)  # what waits for a commit that never comes grows all through a test

    def release_and_keep(self: Any, sid: str) -> None:
        nonlocal looked
        release(self, sid)
        if is_of_the_test(self):
            waiting = self.run_on_commit
            new = waiting[looked[1] if waiting is looked[0] else 0 :]
            due = [entry for entry in new if keeps(entry[1])]
            for entry in due:
                waiting.remove(entry)
                entry[1]()
            looked = (waiting, len(waiting))

    wrapper.on_commit = on_commit_or_now  # type: ignore[method-assign]
    wrapper.savepoint_commit = release_and_keep  # type: ignore[method-assign]
    yield
    wrapper.on_commit = on_commit  # type: ignore[method-assign]
    wrapper.savepoint_commit = release  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    """Each test begins without folds and figures of another's rounds, its event loop or its last reader's language."""
    translation.deactivate()
    fold_cache.clear()
    newest_states.clear()
    statistics.remembered.clear()
    ratings.remembered.clear()
    announce.use_loop(None)
    yield
    announce.use_loop(None)


@pytest.fixture(scope="module")
def lasting_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database for a module whose tests all begin with the same evening, which a fixture of the module plays once.

    What a test does after that is undone by its `db`, as always. No test of such a module may ask for more.
    """
    with django_db_blocker.unblock(), undone():
        yield


@pytest.fixture
def on_postgresql() -> bool:
    """Whether the tests run on PostgreSQL (real row locks) or on the embedded default."""
    return connection.vendor == "postgresql"
