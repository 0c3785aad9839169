"""Real processes for tests: forked from this one, so that they begin at once; each with a database line of its own.

    told = together(partial(bet, ana), partial(bet, ana))      # they begin at the same moment; what each returned
    dealer = Process(deal); ...; dealer.kill(); dealer.wait()

A process is heard of only through what its work returns (something that pickles) and through the database.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NoReturn, TypeVar

from django.db import connection, connections

from tables.base import announce
from tables.base.executor import executor
from tables.felt.newest import newest_states
from tables.queries.folds import fold_cache

T = TypeVar("T")

WITHIN = 120.0
"""Seconds after which something that should have happened is not waited for any more; on a busy machine even what is
quick may take long, and a test that passes never waits for this."""

_inherited: list[object] = []  # what belongs to the parent: never used here, and never closed either


class WorkError(AssertionError):
    """The work of another process raised; its traceback is the message."""


class Process(Generic[T]):
    """`work` in a process of its own. With a `gate`, it connects to the database and then waits to be let through."""

    def __init__(self, work: Callable[[], T], *, gate: Gate | None = None) -> None:
        if connection.vendor == "sqlite":
            connections.close_all()  # SQLite's lines may not be carried into another process
        self._from, into = os.pipe()
        self._status: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._from)
            _live(work, into, gate)
        os.close(into)

    def kill(self) -> None:
        """End it at once, wherever it is."""
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Ask it to end in order."""
        if self._status is None:
            os.kill(self.pid, signal.SIGTERM)

    @property
    def alive(self) -> bool:
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = status
        return self._status is None

    def say_where(self) -> None:
        """Have it write what each of its threads does to standard error, where a failing test shows it."""
        if self.alive:
            os.kill(self.pid, signal.SIGUSR1)
            threading.Event().wait(0.5)  # until that is written

    def wait(self) -> bool:
        """Wait until it has ended; whether it ended by itself, and not by being killed."""
        if self._status is None:
            # Its end of the pipe closes when it ends: waiting for that needs no looking again and again.
            assert select.select([self._from], [], [], WITHIN)[0], f"process {self.pid} does not end"
            _, self._status = os.waitpid(self.pid, 0)
        return os.WIFEXITED(self._status)

    def told(self) -> T:
        """What its work returned. Raises WorkError with its traceback if that raised."""
        heard = bytearray()
        deadline = time.monotonic() + WITHIN
        while select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))[0]:
            piece = os.read(self._from, 65536)
            if not piece:
                break
            heard += piece
        else:
            raise AssertionError(f"process {self.pid} says nothing")
        assert self.wait(), f"process {self.pid} was killed"
        fine, value = pickle.loads(bytes(heard))  # noqa: S301 (our own child wrote it)
        if not fine:
            raise WorkError(value)
        result: T = value
        return result

    def clean_up(self) -> None:
        self.kill()
        self.wait()
        os.close(self._from)


class Gate:
    """Holds processes until all have come to it."""

    def __init__(self) -> None:
        self._ready, self._say_ready = os.pipe()
        self._open, self._opener = os.pipe()

    def pass_(self) -> None:
        """In a process: come to the gate, and go through when it opens."""
        os.write(self._say_ready, b".")
        os.close(self._opener)
        os.read(self._open, 1)  # the gate opens when the parent closes its end

    def open(self, number: int) -> None:
        """Open it once so many processes stand before it."""
        come = 0
        while come < number:
            assert select.select([self._ready], [], [], WITHIN)[0], f"{number - come} processes never came"
            come += len(os.read(self._ready, number - come))
        for end in (self._opener, self._open, self._ready, self._say_ready):
            os.close(end)


def together(*works: Callable[[], T]) -> list[T]:
    """Run each in a process of its own, all beginning at the same moment; what each returned, in order."""
    gate = Gate()
    with running(*works, gate=gate) as processes:
        gate.open(len(processes))
        return [process.told() for process in processes]


@contextmanager
def running(*works: Callable[[], T], gate: Gate | None = None) -> Iterator[list[Process[T]]]:
    """Processes that are gone when the block is left."""
    processes: list[Process[T]] = []
    try:
        for work in works:
            processes.append(Process(work, gate=gate))  # noqa: PERF401 (if one cannot begin, the others must end)
        yield processes
    except BaseException:
        for process in processes:
            process.say_where()
        raise
    finally:
        for process in processes:
            process.clean_up()


def until(condition: Callable[[], object], what: str = "", *, within: float = WITHIN) -> None:
    """Wait until `condition()` holds. Fails if that takes too long."""
    deadline = time.monotonic() + within
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what or condition}"
        pause.wait(0.005)


class Flag:
    """Raised by one process and seen by another. Made before both."""

    def __init__(self) -> None:
        self._seen, self._raised = os.pipe()

    def raise_(self) -> None:
        os.write(self._raised, b"!")

    @property
    def up(self) -> bool:
        return bool(select.select([self._seen], [], [], 0)[0])

    def wait(self) -> None:
        assert select.select([self._seen], [], [], WITHIN)[0], "the flag was never raised"


# ── In the process ──────────────────────────────────────────────────────────────────────────────────────────


def _live(work: Callable[[], Any], into: int, gate: Gate | None) -> NoReturn:
    """All of a forked process's life; nothing of the parent's test is ever gone on with."""
    try:
        _end_with_parent()
        _leave_to_the_parent()
        faulthandler.register(signal.SIGUSR1, file=2)
        if gate is not None:
            connection.ensure_connection()
            gate.pass_()
        said = (True, work())
    except BaseException:
        said = (False, traceback.format_exc())
    try:
        with os.fdopen(into, "wb") as out:
            pickle.dump(said, out)
    finally:
        os._exit(0)


def _leave_to_the_parent() -> None:
    """Make everything that must not be shared with the parent anew: lines, pool, threads, loop, handlers."""
    _inherited.append(connections["default"])
    pools = getattr(type(connections["default"]), "_connection_pools", {})
    _inherited.append(dict(pools))
    pools.clear()
    del connections["default"]
    _inherited.append(executor)
    executor.cache_clear()
    announce.use_loop(None)
    fold_cache.clear()
    newest_states.clear()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def _end_with_parent() -> None:
    """Linux: the kernel ends this process when the tests end, however they do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1 is PR_SET_PDEATHSIG


# ── Where a process dies ────────────────────────────────────────────────────────────────────────────────────


class Tripwire:
    """Kills this very process at the `at`-th point of its database work, or at the `side`-th side of a COMMIT.

    Points are: before each statement (BEGIN and SAVEPOINT where they are statements), before COMMIT, and right
    after it. The last two are its sides. Both are counted from 1, and whichever comes first kills; 0 never comes.
    """

    def __init__(self, at: int = 0, *, side: int = 0) -> None:
        self._left, self._sides_left = at, side

    def strung(self, work: Callable[[], T]) -> T:
        """Do `work` over this tripwire."""
        line: Any = connection
        commit = line._commit

        def guarded() -> None:
            self._step(side=True)
            commit()
            self._step(side=True)

        line._commit = guarded
        with connection.execute_wrapper(self._before_statement):
            return work()

    def _before_statement(self, execute: Any, sql: Any, parameters: Any, many: Any, context: Any) -> Any:
        self._step()
        return execute(sql, parameters, many, context)

    def _step(self, *, side: bool = False) -> None:
        self._left -= 1
        self._sides_left -= side
        if not self._left or (side and not self._sides_left):
            os.kill(os.getpid(), signal.SIGKILL)


class Halt:
    """Stops this process before the `nth` statement that contains `text`, raises `halted`, and goes on at `go`."""

    def __init__(self, text: str, *, nth: int = 1) -> None:
        self.halted, self.go = Flag(), Flag()
        self._text, self._left = text, nth

    def within(self, work: Callable[[], T]) -> T:
        """Do `work`, stopping there."""
        with connection.execute_wrapper(self):
            return work()

    def __call__(self, execute: Any, sql: Any, parameters: Any, many: Any, context: Any) -> Any:
        self._left -= self._text in str(sql)
        if not self._left:
            self._left = -1
            self.halted.raise_()
            self.go.wait()
        return execute(sql, parameters, many, context)


def waiting_for_locks() -> int:
    """How many lines to this PostgreSQL wait for a lock now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()"
        )
        (waiting,) = cursor.fetchone()
    return int(waiting)
