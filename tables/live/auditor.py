"""The auditor: the books of a house that deals are looked at again and again, and a table of which something does not
agree stops. One process audits at a time; another takes over when it is not heard of."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import connection

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.proof.running_audit import Fault, RunningAudit
from tables.services.journal import auditing
from tables.services.pit.books import stop_for

log = structlog.get_logger(__name__)

MISSED_LOOKS = 6
"""After so many paces without a look another process may take over."""

LEAST_LEASE_S = 60.0
"""A look may take so long, whatever the pace."""


class Auditor:
    """Audits in a thread of its own, so that nothing else of this process waits for a look."""

    def __init__(
        self, name: str = "auditor", *, interval_s: float | None = None, clock: Clock = DATABASE_CLOCK
    ) -> None:
        self.name = f"{name}@{socket.gethostname()}:{os.getpid()}"
        self._interval_s = settings.AUDIT_INTERVAL_S if interval_s is None else interval_s
        self._clock = clock
        self._lease = timedelta(seconds=max(LEAST_LEASE_S, MISSED_LOOKS * self._interval_s))
        self._audit: RunningAudit | None = None
        self._found: dict[str, Fault] = {}

    async def run(self) -> None:
        """Audit until cancelled."""
        log.info("auditor begins", auditor=self.name, interval_s=self._interval_s)
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, thread_name_prefix="auditor") as thread:
            try:
                while True:
                    try:
                        await loop.run_in_executor(thread, _with_a_connection, self.look)
                    except Exception:
                        log.exception("the house could not be audited", auditor=self.name)
                    await asyncio.sleep(self._interval_s)
            finally:
                with contextlib.suppress(Exception):
                    await asyncio.shield(
                        loop.run_in_executor(thread, _with_a_connection, lambda: auditing.release(self.name))
                    )

    def look(self) -> list[Fault]:
        """Look once, and stop what does not agree, if it is this process that audits. Returns what does not agree."""
        if not auditing.take(self.name, self._lease, clock=self._clock):
            self._audit = None  # what another has looked at meanwhile is not known here
            return []
        if self._audit is None:
            self._audit = RunningAudit(self._clock)
        faults = self._audit.look()
        self._found |= {fault.key: fault for fault in faults}
        for key, fault in list(self._found.items()):  # one that could not be told yet is told at the next look
            if stop_for(fault.finding, key, table_id=fault.table, log_id=fault.log, clock=self._clock):
                log.critical("the books do not agree", table=fault.table, what=fault.finding, fault=fault.text)
            del self._found[key]
        auditing.looked(self.name, clock=self._clock)
        return faults


def _with_a_connection(work: Callable[[], object]) -> None:
    try:
        work()
    finally:
        connection.close()
