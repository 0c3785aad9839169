"""What must be true before the house opens, and while it is open: said in one line if it is not."""

from __future__ import annotations

import asyncio
import os
import signal

import structlog
from django.core.management.base import CommandError

from casino.health import pending_migrations
from tables.base.executor import in_database
from tables.proof import anchors, selfcheck
from tables.proof.anchors import RestoredError

log = structlog.get_logger(__name__)


def refuse_unless_fit() -> None:
    """Raises CommandError unless the house is as it must be, and its database the one that was anchored last.

    A program does not run on a database of before it, in which columns or triggers would be missing. The other way
    about it does: in a rolling upgrade processes of before run beside the new ones.
    """
    if lacks := pending_migrations():
        raise CommandError(
            f"The database is older than this program: it lacks {lacks[0]}"
            f"{f' and {len(lacks) - 1} more' if len(lacks) > 1 else ''}. Run manage.py floor --prepare first."
        )
    if found := list(selfcheck.faults()):
        more = f" (and {len(found) - 1} more: manage.py selfcheck)" if len(found) > 1 else ""
        raise CommandError(f"The house does not open, it has failed its self-check: {found[0]}{more}.")
    kept = anchors.of_settings()
    if kept is None:
        return
    try:
        kept.check_start()
    except RestoredError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"{error.filename or 'The anchors'} cannot be read: {error.strerror or error}") from error


async def end_when_unfit() -> None:
    """Check the house every day. When it fails, say so and end this process in order, as SIGTERM does.

    Whoever starts it again is told at once why it does not open.
    """
    while True:
        await asyncio.sleep(selfcheck.INTERVAL_S)
        if found := await in_database(_faults):
            log.critical("the house has failed its self-check, and closes", faults=found[:10])
            os.kill(os.getpid(), signal.SIGTERM)
            return


def _faults() -> list[str]:
    if found := list(selfcheck.faults()):
        selfcheck.tell_the_pit(found)
    return found
