"""The house that the browsers of these tests visit: real processes on a database of their own."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from psycopg import sql

from tests import databases
from tests.floor.test_server import free_port

BASE = Path(__file__).resolve().parent.parent.parent

WITHIN = 240.0
"""Seconds that a process of the house may take to answer on a machine that has five times the work it can do."""

AGES = 600_000
QUICK = {"cut": AGES, "betting": AGES, "decision": AGES, "beat": 60, "result": AGES, "hurry": 60}
"""A pace for tests: nothing happens because time has passed, however busy the machine. People say that they are ready,
and a result stays until somebody expects the next round (`Screen.betting`)."""

LOWEST = 100
"""Cents: at the tables under test one credit is enough."""

BY_MACHINE: Mapping[str, Mapping[str, Any]] = {
    "baccarat": {"dealing_device": "auto_machine", "min_bet": LOWEST},
    "blackjack": {"dealing_device": "auto_shuffler", "min_bet": LOWEST},
    "stud_poker": {"shuffle_method": "shuffler", "min_ante": LOWEST},
    "three_card_baccarat": {"min_bet": LOWEST},
    "roulette": {"min_bet": LOWEST, "betting_seconds": 120},
    "cussec": {"min_bet": LOWEST, "betting_seconds": 120},
}
"""What each game calls the machine that deals; 3-Card Baccarat has none, and its dealer cuts while nobody sits;
Roulette and Cussec have no cards."""


class HouseError(AssertionError):
    """The house did not do what it should have; the message has what it said."""


@dataclass(frozen=True)
class Table:
    """A table under test."""

    id: int
    slug: str
    name: str

    @property
    def path(self) -> str:
        return f"/tables/{self.slug}/"


@dataclass(frozen=True)
class Kiosk:
    """A kiosk under test."""

    id: int
    name: str


@dataclass(frozen=True)
class Login:
    """A player and the cookie of their login."""

    player: int
    name: str
    cookie: str
    session: str


class Talking:
    """A process that tells what it does by lines."""

    def __init__(self, *arguments: str, environment: Mapping[str, str], log: Path, listens: bool = False) -> None:
        self._log = log
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=BASE,
                env=dict(environment),
                stdin=subprocess.PIPE if listens else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C ends the tests, and they end this
            )
        self._said = b""

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def line(self) -> str:
        """The next line that it says. Raises HouseError with all that it has logged if there is none."""
        out: IO[bytes] | None = self.process.stdout
        assert out is not None
        deadline = time.monotonic() + WITHIN
        while b"\n" not in self._said:
            ready, _, _ = select.select([out], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(out.fileno(), 65536) if ready else b""
            if not piece:
                raise HouseError(f"it says nothing more. Its log:\n{self._log.read_text(errors='replace')[-6000:]}")
            self._said += piece
        line, _, self._said = self._said.partition(b"\n")
        return line.decode()

    def says(self, what: str) -> None:
        """Wait until it has said a line with this in it."""
        while what not in self.line():
            pass

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        if self.alive:
            self.process.send_signal(number)

    def end(self) -> None:
        """Ask it to end, and see to it that it does."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class House:
    """`manage.py floor`, as `make run` starts it, and a clerk beside it."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log"
        self.arranged = folder / "arranged"
        self.arranged.mkdir()
        self._database_url = database_url
        self._floor: Talking | None = None
        self._clerk: Talking | None = None
        self._tables = 0
        self._kiosks = 0
        self._people = 0

    @property
    def environment(self) -> dict[str, str]:
        """Settings as somebody would give them, and none of those that the tests themselves run with."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "REDIS_URL") if name in os.environ}
        return kept | {
            "DJANGO_SETTINGS_MODULE": "tests.browser.settings",
            "VAR_DIR": str(self.folder / "var"),
            "TMPDIR": str(self.folder),
            "PORT": str(self.port),
            "DATABASE_URL": self._database_url,
            "REDIS_PREFIX": f"browser-{os.getpid()}",
            "SECRET_KEY": "the browser tests sign with this and nobody else does, so it may stand here",
            "SHOE_KEY": "the browser tests seal with this",
            "DEALER_KEY": "the browser tests deal with this",
            "LOG_LEVEL": "WARNING",
            "ARRANGED_PACKS": str(self.arranged),
            "PYTHONFAULTHANDLER": "1",
        }

    # ── its processes ───────────────────────────────────────────────────────────────────────────────────────

    def open(self) -> None:
        """Open, or open again after a sudden death. Does nothing while it is open."""
        if self._floor is None or not self._floor.alive:
            self._floor = Talking("manage.py", "floor", environment=self.environment, log=self.log)
            self._floor.says("is open")
        if self._clerk is None or not self._clerk.alive:
            self._clerk = Talking("-m", "tests.browser.clerk", environment=self.environment, log=self.log, listens=True)
            self._clerk.says("ready")

    def die(self) -> None:
        """Server, dealer and Valkey end at once, without a word to anybody."""
        assert self._floor is not None
        self._floor.process.kill()
        self._floor.process.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server neither answers nor hangs up."""
        assert self._floor is not None
        self._floor.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._floor.signal(signal.SIGCONT)

    def another_clerk(self) -> None:
        """The clerk whose line to the database was cut goes, and another one comes."""
        assert self._clerk is not None
        self._clerk.end()
        self.open()

    @property
    def server_pid(self) -> int:
        """The process of the server and the dealer."""
        assert self._floor is not None
        return self._floor.process.pid

    def close(self) -> None:
        for process in (self._clerk, self._floor):
            if process is not None:
                process.end()

    def manage(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """What `manage.py` with these arguments, and these settings besides, says, and its exit code."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE,
            env=self.environment | settings,
            capture_output=True,
            text=True,
            check=False,
            timeout=WITHIN,
        )

    def troubles(self) -> str:
        """What its processes have complained of: nothing at all is expected."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    # ── the clerk ───────────────────────────────────────────────────────────────────────────────────────────

    def ask(self, do: str, **about: Any) -> Any:
        """Have the clerk do something; its answer."""
        assert self._clerk is not None
        self._clerk.tell(json.dumps({"do": do, **about}))
        answer = json.loads(self._clerk.line())
        if "failed" in answer:
            raise HouseError(answer["failed"])
        return answer["is"]

    def table(
        self, *, game: str = "baccarat", times: Mapping[str, int] | None = None, realm: int = 0, **options: Any
    ) -> Table:
        """A new table: a machine deals at it (no cut, and in Baccarat no burn) unless the options say otherwise."""
        self._tables += 1
        slug, name = f"test-{self._tables}", f"Test {self._tables}"
        chosen = {**BY_MACHINE[game], **options}
        pace = {**QUICK, **(times or {})}
        number = self.ask("opens", slug=slug, name=name, game=game, options=chosen, times=pace, realm=realm)
        return Table(number, slug, name)

    def kiosk(
        self,
        *tables: Table,
        languages: Sequence[str] = ("zh-hant", "pt", "en"),
        credits: int = 1_000_00,
        idle_seconds: int = 60,
    ) -> Kiosk:
        """A new kiosk with these tables, which no screen is yet; credits in cents."""
        self._kiosks += 1
        name = f"Kiosk {self._kiosks}"
        setting = {"languages": list(languages), "credits": credits, "idle_seconds": idle_seconds}
        return Kiosk(self.ask("makes_a_kiosk", name=name, tables=[table.id for table in tables], **setting), name)

    def stack(self, table: Table, cards: str) -> None:
        """These cards come next, in the order in which they leave the shoe."""
        self.ask("stacks", table=table.id, text=cards)

    def newcomer(self, name: str) -> Login:
        """A new player, logged in. Of two with one name the second is called otherwise."""
        self._people += 1
        told = self.ask("welcomes", name=f"{name}{self._people}")
        return Login(told["player"], f"{name}{self._people}", told["cookie"], told["session"])

    def logged_in_member(self, member: int, name: str) -> Login:
        """A login of a member of the staff that is open."""
        told = self.ask("opens_the_pit", player=member)
        return Login(member, name, told["cookie"], told["session"])


COUNTED = itertools.count(1)
"""The databases of this process: a house of a module's own stands beside the one of all."""


@contextmanager
def database() -> Iterator[str]:
    """The URL of a database in which nothing is yet, gone afterwards: a copy on the server of DATABASE_URL; if none is
    named, SQLite's ("")."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith(("postgres:", "postgresql:", "psql:", "pgsql:")):
        yield ""
        return
    plain = f"browser_macau_floor_{os.getpid()}_{next(COUNTED)}"
    name = sql.Identifier(plain)
    template = sql.Identifier(databases.template())
    with databases.server() as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, template))
        try:
            yield databases.url_of(plain)
        finally:
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))


@contextmanager
def house(migrated: Path | None = None) -> Iterator[House]:
    """A house that is open. In a short folder: the socket of its Valkey lies in it.

    With a copy of the SQLite database `migrated` it need not make its own, and opens sooner.
    """
    with tempfile.TemporaryDirectory(prefix="macau-browser-") as folder, database() as url:
        house = House(Path(folder), url)
        if migrated is not None and not url:
            (house.folder / "var").mkdir(mode=0o700)
            shutil.copy(migrated, house.folder / "var" / "floor.sqlite3")
        try:
            house.open()
            yield house
        finally:
            house.close()
