"""How tasks are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

CANCEL_AGAIN_AFTER_S = 0.5
"""Seconds."""


async def cancel_and_wait(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel these tasks until they have ended.

    A client of Redis that is just connecting may swallow the first time, and one that takes leave may wait without end.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN_AFTER_S)
