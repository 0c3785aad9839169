"""`manage.py auditor`: audits the house while it deals, in a process of its own. Start one, or several: one audits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

from django.core.management.base import BaseCommand

from casino import garbage
from tables.base import announce
from tables.live.auditor import Auditor
from tables.management.fitness import refuse_unless_fit


class Command(BaseCommand):
    help = (
        "Look at the books again and again while the house deals (AUDIT_INTERVAL_S), until SIGTERM or Ctrl-C. A table "
        "of which something does not agree begins no new round, and the pit is alerted."
    )

    def handle(self, *_args: object, **_options: object) -> None:
        os.umask(0o077)
        refuse_unless_fit()
        asyncio.run(self._audit())

    async def _audit(self) -> None:
        loop = asyncio.get_running_loop()
        announce.use_loop(loop)
        garbage.freeze()
        auditing = asyncio.create_task(Auditor().run(), name="auditor")
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, auditing.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await auditing
