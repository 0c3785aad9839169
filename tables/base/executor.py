"""Where database work of the sockets and dealers runs: a bounded set of threads, as large as the pool.

SQLite gets one thread: several writers in a process would only wait for each other, unfairly. On PostgreSQL a few of
them draw what is seen, and the others do what is to be done: neither a bet nor a dealer's lease waits behind a hundred
tables that are to be drawn.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import connection

from . import announce

P = ParamSpec("P")
R = TypeVar("R")


SWITCH_INTERVAL_S = 0.001
"""Seconds after which a thread that computes lets another go on. Python's own 5 ms are long for an event loop that
shares the interpreter with these threads: every socket would wait them out at every rendering."""


DRAWING_THREADS = 2
"""So many of the threads draw. More would compute no faster, as they share one interpreter with the event loop."""


@cache
def executor(*, draws: bool = False) -> ThreadPoolExecutor:
    """The threads of this process for database work; those that draw what is seen, if there are several."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    if draws and settings.DATABASE_THREADS == 1:
        return executor()
    drawing = min(DRAWING_THREADS, settings.DATABASE_THREADS - 1)
    number, name = (drawing, "drawing") if draws else (settings.DATABASE_THREADS - drawing, "database")
    return ThreadPoolExecutor(number, thread_name_prefix=name)


async def in_database(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `work` on one of the database threads and wait for what it returns or raises."""
    return await _on(executor(), partial(work, *args, **kwargs))


async def drawn(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """As `in_database`, for work that reads a table and draws what is seen of it."""
    return await _on(executor(draws=True), partial(work, *args, **kwargs))


async def _on(threads: ThreadPoolExecutor, work: Callable[[], R]) -> R:
    """Whoever waits here for what was done goes on before it is announced, which takes as long as a statement."""
    loop, held = asyncio.get_running_loop(), announce.Held()
    doing = threads.submit(copy_context().run, held.during, partial(lending_connection, work))
    done = asyncio.wrap_future(doing, loop=loop)
    doing.add_done_callback(lambda _: held.send(loop))  # behind that of `done`
    return await done


def lending_connection(work: Callable[[], R]) -> R:
    """Do this in a thread that stays. A pooled connection goes back at once; SQLite's stays with its thread unless it
    has failed."""
    try:
        return work()
    finally:
        if connection.vendor == "postgresql":
            connection.close()
        elif connection.errors_occurred:
            connection.close_if_unusable_or_obsolete()
