"""The house that is tormented: a PostgreSQL, a Redis, processes that serve and that deal, all of them real and ours."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from casino.embedded import Valkey, end_with_parent
from tests.bench.places import BASE, environment, free_ports
from tests.house import database_server
from tests.house.database_server import Server

WEBS, DEALERS = 2, 2

UP_WITHIN_S = 90.0
"""A process that is started serves within so long, on however busy a machine."""


class Kept:
    """A process that is started again whenever it has ended, as whoever runs a house sees to."""

    def __init__(self, name: str, command: list[str], environment: Mapping[str, str], log: Path, ready: str) -> None:
        """`ready` is in the line by which it says that it is up."""
        self.name = name
        self.up = asyncio.Event()
        self.ends = 0
        self._command, self._environment, self._log, self._ready = command, environment, log, ready
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def begin(self) -> None:
        self._keeping = asyncio.get_running_loop().create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                cwd=BASE,
                env={**os.environ, **self._environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                limit=1 << 20,
                start_new_session=True,
                preexec_fn=end_with_parent if sys.platform == "linux" else None,
            )
            assert self._process.stdout is not None
            with self._log.open("ab") as log:
                async for line in self._process.stdout:
                    log.write(line)
                    if self._ready in line.decode(errors="replace"):
                        self.up.set()
            await self._process.wait()
            self.up.clear()
            self.ends += 1

    def signal(self, number: signal.Signals) -> None:
        """Send it this; nothing if it has just ended."""
        if number in (signal.SIGKILL, signal.SIGTERM):
            self.up.clear()
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def end(self) -> None:
        """Ask it to end, and see to it that it does; nobody starts it again."""
        if self._keeping is None:
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        if self._process is None or self._process.returncode is not None:
            return
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self.signal(signal.SIGKILL)
            await self._process.wait()


class Topology:
    """All of it. Where the programs of a PostgreSQL server are there, the server is our own and can die; else it is a
    database of our own on the server of DATABASE_URL, from which everybody can be cut off."""

    def __init__(self, folder: Path, server: Server | None, url: str, valkey: Valkey, broken: str = "") -> None:
        self.folder, self.server, self.url, self.valkey = folder, server, url, valkey
        self.ports = free_ports(WEBS)
        self.environment = environment(
            url,
            folder,
            f"unix://{valkey.socket}",
            LOG_LEVEL="INFO",
            BROKEN=broken,
            TMPDIR=str(folder),
            LINES_PER_ADDRESS="100000000",
            SEATS_PER_ADDRESS="100000",
            SEATS_PER_PLAYER="100",
        )
        manage = [sys.executable, *(["-m", "tests.torture.chaos.broken_house"] if broken else ["manage.py"])]
        self.webs = [
            self._kept(f"web-{at}", [*manage, "floor", "--no-dealer", "--port", str(port)], "is open")
            for at, port in enumerate(self.ports)
        ]
        self.dealers = [
            self._kept(f"dealer-{at}", [*manage, "deal", "--name", f"dealer-{at}"], "dealer begins")
            for at in range(DEALERS)
        ]

    def _kept(self, name: str, command: list[str], ready: str) -> Kept:
        return Kept(name, command, self.environment, self.folder / f"{name}.log", ready)

    async def open(self) -> None:
        """Start everything, and wait until pages are served."""
        for one in (*self.webs, *self.dealers):
            one.begin()
        async with asyncio.timeout(UP_WITHIN_S):
            for one in (*self.webs, *self.dealers):
                await one.up.wait()

    async def close(self) -> None:
        await asyncio.gather(*(one.end() for one in (*self.webs, *self.dealers)))

    # ── the database ────────────────────────────────────────────────────────────────────────────────────────

    async def database_restarts(self, *, dies: bool, away_s: float) -> None:
        """It ends, or dies as if its machine had, and is back after so long."""
        await asyncio.to_thread(self._database_goes, dies)
        await asyncio.sleep(away_s)
        await asyncio.to_thread(self._database_comes)

    def _database_goes(self, dies: bool) -> None:
        if self.server is not None:
            self.server.dies() if dies else self.server.ends()
            return
        self._let_in(False)
        self.cut_off(1.0)

    def _database_comes(self) -> None:
        if self.server is not None:
            self.server.start()
        else:
            self._let_in(True)

    def _let_in(self, may: bool) -> None:
        name = sql.Identifier(urlsplit(self.url).path.lstrip("/"))
        with psycopg.connect(urlsplit(self.url)._replace(path="/postgres").geturl(), autocommit=True) as boss:
            boss.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(name, sql.SQL(str(may).lower())))

    def cut_off(self, share: float) -> None:
        """This share of all connections to the database is ended, wherever they are."""
        with psycopg.connect(self._elsewhere(), autocommit=True) as boss:
            boss.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND pid <> pg_backend_pid() AND pid %% 100 < %s",
                (urlsplit(self.url).path.lstrip("/"), int(share * 100)),
            )

    def _elsewhere(self) -> str:
        return urlsplit(self.url)._replace(path="/template1" if self.server is not None else "/postgres").geturl()

    # ── Redis ───────────────────────────────────────────────────────────────────────────────────────────────

    async def redis_dies(self, away_s: float) -> None:
        assert self.valkey.pid is not None
        os.kill(self.valkey.pid, signal.SIGKILL)
        await asyncio.sleep(away_s)
        self.valkey.stop()
        await asyncio.to_thread(self.valkey.start)

    async def redis_is_told(self, *words: str) -> None:
        """One command."""
        reader, writer = await asyncio.open_unix_connection(self.valkey.socket)
        writer.write(f"*{len(words)}\r\n".encode() + b"".join(f"${len(w)}\r\n{w}\r\n".encode() for w in words))
        await reader.readline()
        writer.close()


@contextmanager
def topology(folder: Path, given: str, broken: str = "") -> Iterator[Topology]:
    """One that is not open yet; `given`: the database to use if there can be no server of our own."""
    with ExitStack() as stack:
        server = stack.enter_context(database_server.own_server()) if database_server.available() else None
        valkey = stack.enter_context(Valkey(folder / "valkey"))
        yield Topology(folder, server, server.url if server else given, valkey, broken)


async def until(condition: Callable[[], bool], within_s: float) -> bool:
    """Wait until it holds; whether it did in time."""
    deadline = monotonic() + within_s
    while not condition():
        if monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True
