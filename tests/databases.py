"""Databases of the tests on a PostgreSQL: one is migrated in each run, and all others are copies of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from casino.settings import BASE_DIR

from .settings import RUN_OF_ALL

TEMPLATE = f"test_macau_floor_{RUN_OF_ALL}_template"


def url_of(name: str) -> str:
    """The URL of the database with this name, on the server of DATABASE_URL."""
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


@contextmanager
def server() -> Iterator[psycopg.Connection[Any]]:
    """A connection to the server of DATABASE_URL, on which each statement is committed at once."""
    given = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(given._replace(scheme="postgresql")), autocommit=True) as connection:
        yield connection


def template() -> str:
    """The name of a database of this code in which nothing is yet. Of a run's workers the first migrates it."""
    with server() as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [TEMPLATE])  # until this connection closes
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(TEMPLATE)))
            command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            environment = os.environ | {"DATABASE_URL": url_of(TEMPLATE)}
            subprocess.run(command, cwd=BASE_DIR, env=environment, check=True)
    return TEMPLATE


def forget_template() -> None:
    """Drop it, if it was made. For the end of a run, when no worker copies it any more."""
    with suppress(psycopg.OperationalError), server() as connection:  # a server that has gone keeps what it has
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(TEMPLATE)))
