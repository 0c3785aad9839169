"""A PostgreSQL of one's own, in a folder, that can be made to die."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.places import free_port

WITHIN = 120.0
"""Seconds that one of its programs may take."""


def _program(name: str) -> str | None:
    """A program of a PostgreSQL server: that of the PATH, else the newest where Debian keeps them."""
    debians = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda one: int(one.parts[-3]))
    return shutil.which(name) or (str(debians[-1]) if debians else None)


def available() -> bool:
    """Whether the programs of a PostgreSQL server are on this machine."""
    return bool(_program("initdb") and _program("pg_ctl"))


class Server:
    """A PostgreSQL in a folder, run by somebody who is not root."""

    def __init__(self, folder: Path, owner: str) -> None:
        self.folder, self.owner, self.port = folder / "data", owner, free_port()

    def run(self, *command: str, check: bool = True) -> int:
        as_other = {"user": self.owner, "group": pwd.getpwnam(self.owner).pw_gid} if os.getuid() == 0 else {}
        done = subprocess.run(
            [_program(command[0]) or command[0], *command[1:]],
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=WITHIN,
            **as_other,
        )  # type: ignore[call-overload]
        assert not check or done.returncode == 0, command
        return int(done.returncode)

    def make(self) -> None:
        self.run("initdb", "-D", str(self.folder), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -p {self.port}"
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def ends(self) -> None:
        """In order: connections are cut off, and nothing is lost."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "fast", "stop")

    def dies(self) -> None:
        """No checkpoint, no farewell: what is not in the log of the server is lost."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-m", "immediate", "stop")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"


@contextmanager
def own_server() -> Iterator[Server]:
    """One that runs, in a folder that is gone afterwards."""
    owner = getpass.getuser()
    if os.getuid() == 0:
        owner = next((one.pw_name for one in pwd.getpwall() if one.pw_name == "postgres"), "nobody")
    with tempfile.TemporaryDirectory(prefix="macau-", dir="/tmp") as folder:
        if os.getuid() == 0:
            shutil.chown(folder, owner)
        one = Server(Path(folder), owner)
        one.make()
        one.start()
        try:
            yield one
        finally:
            one.run("pg_ctl", "-D", str(one.folder), "-m", "immediate", "stop", check=False)
