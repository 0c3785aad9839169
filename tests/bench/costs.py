"""What a round costs: CPU of the house and of its database, statements, bytes. Run in a child process by `scale`."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from . import house  # noqa: E402
from .answering import answer_all  # noqa: E402
from .statements import Recorder  # noqa: E402

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def prepare(players: int) -> list[int]:
    there: list[int] = house.prepared(players=players, sessions=0)["players"]
    if connection.vendor == "postgresql":
        _do("ANALYZE")
    return there


def rounds(number: int, bets: int, burst: int, players: list[int]) -> dict[str, Any]:
    """So many rounds of Baccarat with so many bets each, which come in bursts: what one of them took."""
    table = house.BenchTable()
    table.fresh_round()  # what is made once is made
    table.until("settled")
    before = _bytes()
    recorder, bet_s, round_s = Recorder(), 0.0, 0.0
    database = _database_cpu()
    for _ in range(number):
        begun = process_time()
        with recorder.transaction("round"):
            round_id = table.fresh_round()
        opened = process_time()
        for at in range(0, bets, burst):
            some = players[at : at + burst]
            with recorder.transaction("bets"):
                table.place(round_id, table.requests(some[::2]))
                table.place(round_id, table.requests(some[1::2], "banker"))
        placed = process_time()
        with recorder.transaction("round"):
            table.until("settled")
        bet_s += placed - opened
        round_s += opened - begun + process_time() - placed
    after = _bytes()
    said = {label: sum(len(one.statements) for one in recorder.of(label)) for label in ("round", "bets")}
    return {
        "bets": bets,
        "burst": burst,
        "bet_cpu_ms": 1000 * bet_s / number,
        "round_cpu_ms": 1000 * round_s / number,
        "database_cpu_ms": 1000 * (_database_cpu() - database) / number,
        "bet_statements": said["bets"] / number,
        "round_statements": said["round"] / number,
        "stored": {name: (after[name] - before[name]) / number for name in after if after[name] > before[name]},
    }


def _bytes() -> dict[str, int]:
    """What each table holds with its indexes; of SQLite nothing is asked."""
    if connection.vendor != "postgresql":
        return {}
    found = _do(
        "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relname ~ '^tables_'"
    )
    return dict(found)


def _database_cpu() -> float:
    """Seconds of CPU of the database's process that serves this one; on SQLite they are this process's own."""
    if connection.vendor != "postgresql":
        return 0.0
    ((backend,),) = _do("SELECT pg_backend_pid()")
    fields = Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def _do(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


if __name__ == "__main__":
    answer_all({"prepare": prepare, "rounds": rounds})
