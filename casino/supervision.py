"""Background tasks that are never silently gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger(__name__)

RESTART_AFTER_S = 1.0
"""Seconds before a crashed task is started anew."""


async def supervised(name: str, make: Callable[[], Awaitable[None]]) -> None:
    """Runs `make()` until it returns or is cancelled. When it crashes, that is logged and it is made anew."""
    while True:
        try:
            await make()
            return
        except Exception:
            log.exception("a background task crashed and is started again", task=name)
            await asyncio.sleep(RESTART_AFTER_S)
