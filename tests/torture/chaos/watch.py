"""Looks at the whole house in one snapshot every 200 ms, until its input ends; then it says what it has found.

python -m tests.torture.chaos.watch
"""

from __future__ import annotations

import json
import select
import sys
from collections import Counter
from time import monotonic
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from tables.base.transactions import DATABASE_AWAY, snapshot  # noqa: E402
from tables.proof.running_audit import RunningAudit  # noqa: E402
from tests.bench.answering import own_output  # noqa: E402

EVERY_S = 0.2

NEGATIVE = "SELECT id, kind, balance FROM tables_account WHERE balance < 0 AND kind IN ('player', 'escrow', 'jackpot')"
WHOLE = "SELECT realm, sum(balance) FROM tables_account GROUP BY realm HAVING sum(balance) <> 0"
STALE = """
    SELECT table_id, due_at FROM tables_roundlog log
    JOIN tables_table ON tables_table.id = table_id AND round_id = log.id
    WHERE settled_at IS NULL AND due_at < now() - interval '60 seconds'
"""
SEATS = "SELECT table_id, number FROM tables_seat GROUP BY table_id, number HAVING count(*) > 1"


class Watch:
    """What one process has seen: I1 to I5, I8, I9 (of rounds that are over), I11 (of events), I12 and I15."""

    def __init__(self) -> None:
        self.audit = RunningAudit()
        self.snapshots = self.unreadable = 0
        self.epochs: dict[int, int] = {}
        self.violations: Counter[str] = Counter()

    def look(self) -> None:
        """Once. What cannot be read is no snapshot."""
        try:
            with snapshot():
                found = [f"{fault.finding}: {fault.text}" for fault in self.audit.look()] + self._more()
        except DATABASE_AWAY:
            self.unreadable += 1
            connection.close()
            connection.close_pool()  # type: ignore[attr-defined]  # all of it may have been cut off
            return
        self.snapshots += 1
        self.violations.update(found)

    def _more(self) -> list[str]:
        found = [f"I3: account {pk} ({kind}) holds {balance}" for pk, kind, balance in self._rows(NEGATIVE)]
        found += [f"I1: realm {realm} sums to {total}" for realm, total in self._rows(WHOLE)]
        found += [f"I8: the round at table {table} is overdue since {due}" for table, due in self._rows(STALE)]
        found += [f"I12: seat {seat} of table {table} is taken twice" for table, seat in self._rows(SEATS)]
        for table, epoch in self._rows("SELECT table_id, epoch FROM tables_lease"):
            if epoch < self.epochs.get(table, 0):
                found.append(f"I15: the lease of table {table} went back from {self.epochs[table]} to {epoch}")
            self.epochs[table] = epoch
        return found

    @staticmethod
    def _rows(text: str) -> list[Any]:
        with connection.cursor() as cursor:
            cursor.execute(text)
            return list(cursor.fetchall())


def main() -> None:
    out, watch = own_output(), Watch()
    due = monotonic()
    while not select.select([sys.stdin], [], [], max(0.0, due - monotonic()))[0]:
        due = max(due + EVERY_S, monotonic())
        watch.look()
    told = {
        "snapshots": watch.snapshots,
        "unreadable": watch.unreadable,
        "rounds": watch.audit.rounds,
        "violations": [f"{text} ({times} times)" for text, times in watch.violations.items()],
    }
    out.write(json.dumps({"answer": told}) + "\n")


if __name__ == "__main__":
    main()
