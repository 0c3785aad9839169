"""Where database work of the sockets and dealers runs: a bounded set of threads, as large as the pool.

SQLite gets one thread: several writers in a process would only wait for each other, unfairly.
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

P = ParamSpec("P")
R = TypeVar("R")


SWITCH_INTERVAL_S = 0.001
"""Seconds after which a thread that computes lets another go on. Python's own 5 ms are long for an event loop that
shares the interpreter with these threads: every socket would wait them out at every rendering."""


@cache
def executor() -> ThreadPoolExecutor:
    """The threads of this process for database work."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="database")


async def in_database(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `work` on one of the database threads and wait for what it returns or raises."""
    call = partial(copy_context().run, lending_connection, partial(work, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(executor(), call)


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
