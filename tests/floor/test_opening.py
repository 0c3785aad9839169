"""The whole house in one process, as `make run` opens it: a process of its own, on an empty folder."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from casino.embedded import Valkey
from tests.extent import first, spread
from tests.house.processes import WITHIN

from .test_server import free_port

BASE = Path(__file__).resolve().parent.parent.parent


class House:
    def __init__(self, folder: Path) -> None:
        self.folder = folder / "var"
        self.temporary = folder
        self.port = free_port()
        self.said: list[str] = []
        self.more: dict[str, str] = {}

    @property
    def environment(self) -> dict[str, str]:
        """No settings but where to write and listen."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return kept | {"VAR_DIR": str(self.folder), "TMPDIR": str(self.temporary), "PORT": str(self.port), **self.more}

    @asynccontextmanager
    async def opened(self, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "manage.py",
            *arguments,
            cwd=BASE,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def says(self, process: asyncio.subprocess.Process, what: str) -> str:
        assert process.stdout is not None
        async with asyncio.timeout(WITHIN):
            while True:
                line = (await process.stdout.readline()).decode()
                assert line, "it ended:\n" + "".join(self.said)
                self.said.append(line)
                if what in line:
                    return line

    async def ends(self, process: asyncio.subprocess.Process) -> int:
        assert process.stdout is not None
        async with asyncio.timeout(WITHIN):
            self.said.append((await process.stdout.read()).decode())
            return await process.wait()

    async def asks(self, path: str) -> tuple[int, bytes]:
        def ask() -> tuple[int, bytes]:
            with urllib.request.urlopen(f"http://localhost:{self.port}{path}", timeout=WITHIN) as answer:
                return answer.status, answer.read()

        return await asyncio.to_thread(ask)


@pytest.fixture
def house() -> Iterator[House]:
    """On an empty folder; a short one, since the embedded Valkey's socket will lie in it."""
    with TemporaryDirectory(prefix="macau-") as folder:
        yield House(Path(folder))


@pytest.fixture(scope="module")
def prepared(migrated: Path | None) -> Iterator[House]:
    """On a folder in which all has been made ready."""
    with TemporaryDirectory(prefix="macau-") as folder:
        ready = House(Path(folder))
        if migrated is not None:
            ready.folder.mkdir(mode=0o700)
            shutil.copy(migrated, ready.folder / "floor.sqlite3")
        command = [sys.executable, "manage.py", "floor", "--prepare"]
        told = subprocess.run(command, cwd=BASE, env=ready.environment, capture_output=True, text=True, timeout=WITHIN)
        assert told.returncode == 0, told
        yield ready


@pytest.fixture
def ready_house(house: House, prepared: House) -> House:
    """On a folder of its own in which all has been made ready."""
    shutil.copytree(prepared.folder, house.folder)
    return house


def embedded_at(line: str) -> Path:
    """Where `Valkey  started on …` says that it runs."""
    return Path(line.rsplit(" on ", 1)[1].strip()).parent


@pytest.mark.in_full
async def test_it_opens_on_nothing_and_ends_in_order(house: House) -> None:
    async with house.opened("floor") as process:
        valkey = Valkey(embedded_at(await house.says(process, "Valkey")))
        assert f"http://localhost:{house.port}/" in await house.says(process, "is open")
        assert await house.asks("/healthz") == (200, b"ok\n")
        status, state = await house.asks("/readyz")
        assert (status, json.loads(state)) == (200, {"database": True, "redis": True})
        assert valkey.answers()
        process.send_signal(signal.SIGINT)
        assert await house.ends(process) == 0, house.said
        assert not valkey.answers()
    assert "Traceback" not in "".join(house.said)
    assert {key.stat().st_mode & 0o777 for key in house.folder.glob("*-key")} == {0o600}


@pytest.mark.in_full
async def test_a_second_one_takes_another_port_or_says_why_not(ready_house: House) -> None:
    house = ready_house
    async with house.opened("floor") as first:
        await house.says(first, "is open")
        async with house.opened("floor") as second:
            assert "Choose another with PORT" in await house.says(second, "Nobody can listen")
            assert await house.ends(second) == 1


@pytest.mark.in_full
async def test_after_sudden_death_it_opens_again(ready_house: House) -> None:
    house = ready_house
    async with house.opened("floor") as process:
        line = await house.says(process, "Valkey")
        await house.says(process, "is open")
        process.kill()
        await process.wait()
    async with house.opened("floor") as process:
        assert await house.says(process, "Valkey") == line  # started, not joined: the old one has no owner
        await house.says(process, "is open")
        assert (await house.asks("/readyz"))[0] == 200


@pytest.mark.in_full
async def test_pages_and_dealer_may_be_processes_of_their_own(ready_house: House) -> None:
    house = ready_house
    async with house.opened("floor", "--no-dealer") as pages:
        await house.says(pages, "is open")
        async with house.opened("deal", "--name", "ana") as dealer:
            await house.says(dealer, "table taken")
            dealer.send_signal(signal.SIGTERM)
            assert await house.ends(dealer) == 0, house.said
        pages.send_signal(signal.SIGTERM)
        assert await house.ends(pages) == 0, house.said


@pytest.mark.parametrize(
    ("command", "missing"), first(*spread(["deal", "floor"], ["SHOE_KEY", "SECRET_KEY", "DEALER_KEY"]))
)
async def test_for_real_no_key_is_made_up(house: House, missing: str, command: str) -> None:
    keys = {"SECRET_KEY": "s" * 50, "SHOE_KEY": "k" * 50, "DEALER_KEY": "d" * 50} | {missing: ""}
    house.more = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", **keys}
    async with house.opened(command) as dealer:
        assert await house.ends(dealer) == 1
    assert missing in "".join(house.said)
    assert not list(house.folder.glob("*-key"))
