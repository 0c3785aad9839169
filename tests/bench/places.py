"""Where the benchmarks run: databases of their own, made and dropped here, and the processes that use them.

Nothing of Django is imported: the bench itself is a client; the house runs in child processes.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

BASE = Path(__file__).resolve().parent.parent.parent


class BenchError(RuntimeError):
    """A benchmark cannot go on; says why."""


# ── Databases ───────────────────────────────────────────────────────────────────────────────────────────────


class Databases:
    """Databases of one kind that live as long as the bench. `name` is what the table calls the kind."""

    name: str

    def fresh(self) -> str:
        """The URL of a new, empty database."""
        raise NotImplementedError

    def copy(self, url: str) -> str:
        """The URL of a new database that is what `url` is now; nobody may be connected to that."""
        raise NotImplementedError

    def drop_all(self) -> None:
        """Drop everything that was made here."""
        raise NotImplementedError


class Postgres(Databases):
    """Beside the database of `url`, on its server; the role must be able to create databases."""

    name = "PostgreSQL"

    def __init__(self, url: str) -> None:
        self._url = url
        self._made: list[str] = []
        with psycopg.connect(url, connect_timeout=5, autocommit=True) as connection:
            row = connection.execute("SHOW server_version").fetchone()
            self.version = str(row[0]).split()[0] if row else "?"

    def fresh(self) -> str:
        return self._make("template0")

    def copy(self, url: str) -> str:
        return self._make(urlsplit(url).path.lstrip("/"))

    def _make(self, template: str) -> str:
        name = f"macau_floor_bench_{os.getpid()}_{len(self._made)}"
        self._made.append(name)
        with psycopg.connect(self._url, autocommit=True) as connection:
            make = sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8'")
            connection.execute(make.format(sql.Identifier(name), sql.Identifier(template)))
        parts = urlsplit(self._url)  # urlunsplit would leave out the slashes of an empty host
        return f"{parts.scheme}://{parts.netloc}/{name}" + (f"?{parts.query}" if parts.query else "")

    def drop_all(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as connection:
            while self._made:
                drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
                connection.execute(drop.format(sql.Identifier(self._made.pop())))


class Sqlite(Databases):
    """Files in one folder."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def fresh(self) -> str:
        self._made += 1
        return f"sqlite:///{self._folder / f'bench-{self._made}.sqlite3'}"

    def copy(self, url: str) -> str:
        made = self.fresh()
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                shutil.copyfile(path_of(url) + suffix, path_of(made) + suffix)
        return made

    def drop_all(self) -> None:
        for file in self._folder.glob("bench-*.sqlite3*"):
            file.unlink()


def path_of(url: str) -> str:
    """The file of an SQLite URL."""
    return url.removeprefix("sqlite:///")


# ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────

HOUSE_LIMITS = {
    "CONNECTIONS": "2000",
    "CONNECTIONS_PER_ADDRESS": "600",
    "REQUESTS_PER_ADDRESS": "50",
    "SOCKETS_PER_ADDRESS": "500",
    "SOCKETS_PER_PLAYER": "10",
}
"""What a house lets one address and one player have (casino.settings). The bench itself comes from one address, and is
let in with all its sockets."""

SLUG = "bench"
"""The table at which everybody is."""

# ── Processes ───────────────────────────────────────────────────────────────────────────────────────────────


class Child:
    """A process of the house, asked over its standard input and answering over its standard output, line by line.

    It ends when its input ends, so none outlives the bench.
    """

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=BASE,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,  # Ctrl-C is for the bench, which ends its children in order
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, do: str, *, within: float = 120, **what: Any) -> Any:
        """Have `do` done and return what came of it. Raises BenchError."""
        self.tell(do, **what)
        return self.answer(do, within=within)

    def tell(self, do: str, **what: Any) -> None:
        """Ask without waiting; `answer` must follow."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **what}) + "\n")

    def answer(self, do: str, *, within: float = 120) -> Any:
        """What the oldest question that has no answer yet brought. Raises BenchError."""
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], within)[0]:
            raise BenchError(f"{do}: no answer within {within} seconds")
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"{do}: the process has ended ({self._process.wait()})")
        told = json.loads(line)
        if "error" in told:
            raise BenchError(f"{do}: {told['error']}")
        return told["answer"]

    def stop_asking(self) -> None:
        """Close its input: it ends once it has answered."""
        with suppress(BrokenPipeError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def end(self) -> None:
        """Close its input and wait; kill it if it does not end."""
        self.stop_asking()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def child(module: str, environment: Mapping[str, str]) -> Iterator[Child]:
    """A child for as long as the block lasts."""
    made = Child(module, environment)
    try:
        yield made
    finally:
        made.end()


def environment(url: str, folder: Path, redis_url: str, **more: str) -> dict[str, str]:
    """The house's settings for the bench: this database, that Redis, and room for a thousand sockets from here."""
    return {
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "DATABASE_URL": url,
        "REDIS_URL": redis_url,
        "REDIS_PREFIX": f"bench-{os.getpid()}",
        "VAR_DIR": str(folder),
        "SECRET_KEY": "the bench signs with this and nobody else does, so it may stand here",
        "SHOE_KEY": "the bench seals with this",
        "DEALER_KEY": "the bench deals with this",
        "LOG_LEVEL": "WARNING",
        "DEBUG": "0",
        "HTTPS": "0",
        "PROXIES": "0",
        **dict.fromkeys(HOUSE_LIMITS, "100000"),
        "LINES_PER_ROUND": "10000000",
        "LINES_PER_PLAYER": "10000000",
        **more,
    }


def free_port() -> int:
    """A port on the loopback where nobody listens, below those that the kernel hands out by itself."""
    return free_ports(1)[0]


def free_ports(number: int) -> list[int]:
    """So many of them. Raises BenchError."""
    first = 20_000 + os.getpid() % 5_000
    found: list[int] = []
    for port in range(first, first + 200):
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == number:
            return found
    raise BenchError("no free port")


def wait_for_port(port: int, *, within: float = 20) -> None:
    """Until somebody listens there. Raises BenchError."""
    deadline = monotonic() + within
    while monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        select.select([], [], [], 0.02)
    raise BenchError(f"nobody listens on port {port}")
