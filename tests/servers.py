"""`python -m tests.servers COMMAND …`: runs a command where a PostgreSQL and a Redis answer.

They are those of CI_DATABASE_URL and CI_REDIS_URL (whose role must be able to create databases), else those of this
machine. Where this machine's do not answer, servers of the command's own are started, and ended after it. The
command finds them in DATABASE_URL and REDIS_URL, and its status is the status of this.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import psycopg
import redis

from tests.bench.places import free_port
from tests.house import database_server

MACHINES_DATABASE = "postgresql://postgres@127.0.0.1:5432/postgres"
MACHINES_REDIS = "redis://127.0.0.1:6379/0"
WITHIN = 10.0
"""Seconds that a server has to answer."""


def _database_version(url: str) -> str:
    with psycopg.connect(url, connect_timeout=int(WITHIN)) as connection:
        row = connection.execute("SELECT current_setting('server_version')").fetchone()
        assert row
        return str(row[0])


def _redis_version(url: str) -> str:
    with redis.Redis.from_url(url, socket_connect_timeout=WITHIN) as client:
        return str(client.info("server")["redis_version"])


@contextmanager
def _database() -> Iterator[str]:
    """The URL of a PostgreSQL that answers."""
    named = os.environ.get("CI_DATABASE_URL")
    try:
        print("PostgreSQL", _database_version(named or MACHINES_DATABASE), flush=True)
    except psycopg.Error as error:
        if named:
            sys.exit(f"PostgreSQL cannot be reached (CI_DATABASE_URL): {error}")
        if not database_server.available():
            sys.exit("No PostgreSQL answers, and there is none to start. Debian: apt-get install postgresql")
        with database_server.own_server() as server:
            print("PostgreSQL", _database_version(server.url), "of our own: the machine's does not answer", flush=True)
            yield server.url
        return
    yield named or MACHINES_DATABASE


@contextmanager
def _redis() -> Iterator[str]:
    """The URL of a Redis that answers."""
    named = os.environ.get("CI_REDIS_URL")
    try:
        print("Redis", _redis_version(named or MACHINES_REDIS), flush=True)
    except redis.RedisError as error:
        if named:
            sys.exit(f"Redis cannot be reached (CI_REDIS_URL): {error}")
        if not (program := shutil.which("redis-server")):
            sys.exit("No Redis answers, and there is none to start. Debian: apt-get install redis-server")
        with _own_redis(program) as url:
            print("Redis", _redis_version(url), "of our own: the machine's does not answer", flush=True)
            yield url
        return
    yield named or MACHINES_REDIS


@contextmanager
def _own_redis(program: str) -> Iterator[str]:
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    with tempfile.TemporaryDirectory() as folder:
        settings = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", folder]
        with subprocess.Popen([program, *settings], stdout=subprocess.DEVNULL) as server:
            try:
                ends = monotonic() + WITHIN
                while True:
                    try:
                        _redis_version(url)
                        break
                    except redis.RedisError as error:
                        if monotonic() > ends:
                            sys.exit(f"{program} was started and does not answer: {error}")
                yield url
            finally:
                server.terminate()


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with _database() as database_url, _redis() as redis_url:
        there = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
        return subprocess.run(sys.argv[1:], env=os.environ | there, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
