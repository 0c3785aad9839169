"""What became of a deed when the database did not answer.

A connection may be lost between COMMIT and its answer: then the deed is done, or it is not, and nobody knows. Its ref
tells. So the deed is asked for again under the same ref, in a new transaction: it takes the lock of its round after
the lost one has gone, is answered as before if it was done, and is done now if it was not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from tables.base.transactions import DATABASE_AWAY

R = TypeVar("R")

log = structlog.get_logger(__name__)

PAUSES_S = (0.0, 0.2, 0.5, 1.0, 2.0, 2.0, 2.0, 4.0, 4.0)
"""Seconds before each further time that a deed is asked for, while the database does not answer."""


class Unknown(Exception):  # noqa: N818
    """The database has not answered: the deed may be done, or not."""


async def of_deed(deed: Callable[[], Awaitable[R]], look_up: Callable[[], Awaitable[None]], *, again: bool) -> R:
    """Have a deed done, and what came of it. Raises what it raises, Unknown if the database stays away.

    `again`: it is done once however often it is asked for. `look_up` is called once if the answer takes longer.
    """
    for attempt, pause_s in enumerate((*PAUSES_S, None) if again else (None,)):
        try:
            return await deed()
        except DATABASE_AWAY as error:
            log.warning("the database has not answered a deed", attempt=attempt, error=str(error))
            if pause_s is None:
                raise Unknown from error
            if attempt == 1:
                await look_up()
            await asyncio.sleep(pause_s)
    raise AssertionError("the last attempt has returned or raised")
