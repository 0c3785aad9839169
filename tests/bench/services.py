"""A child process that calls the services as the doors do, and times them beside their own statements."""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Any

import django

django.setup()

from django.db import connection  # noqa: E402

from casino import garbage  # noqa: E402
from tables.base import announce  # noqa: E402
from tables.services.dealing.advance import advance  # noqa: E402

from . import growth, house, month  # noqa: E402
from .answering import answer_all  # noqa: E402
from .statements import RESTED, Recorder, Transaction, replayed, rest  # noqa: E402


def prepare(players: int, sessions: int) -> dict[str, Any]:
    told = house.prepared(players=players, sessions=sessions)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # not in the middle of a measurement
            cursor.execute("ANALYZE")
    _let_go()
    return told


def settlement(sizes: list[int], runs: int, players: list[int], replay_on: str) -> list[dict[str, Any]]:
    """Settle rounds of these numbers of bets, each by another bettor, half on each side."""
    table, recorder = house.BenchTable(), Recorder()
    for run in range(runs + 1):
        for size in sizes:
            label = f"{size}:{run}"
            with recorder.transaction("open"):
                round_id = table.fresh_round()
            bettors = players[:size]
            requests = table.requests(bettors[::2]) + table.requests(bettors[1::2], "banker")
            with recorder.transaction("bets"):
                table.place(round_id, requests)
            with recorder.transaction("deal"):
                table.until("result")
            with recorder.transaction("due"):
                log = table.round()
                assert log.due_at is not None
                table.clock.reach(log.due_at)
            with recorder.transaction(label):
                advance(table.pk, table.credentials, clock=table.clock)
            assert table.round().phase == "settled"
    raw = replayed(recorder.transactions, replay_on)
    _let_go()
    return [
        {
            "size": size,
            # The first of each size warms up: plans, caches, imports.
            "statements": sorted({len(one.statements) for one in _runs(recorder, size, runs)}),
            "seconds": [one.seconds for one in _runs(recorder, size, runs)],
            "raw": [raw[f"{size}:{run}"][0] for run in range(1, runs + 1)],
        }
        for size in sizes
    ]


def _runs(recorder: Recorder, size: int, runs: int) -> list[Transaction]:
    return [recorder.of(f"{size}:{run}")[0] for run in range(1, runs + 1)]


def bets(single: int, rested: int, bursts: int, burst: int, players: list[int], replay_on: str) -> dict[str, Any]:
    """One bet a transaction, one after the other and then each after a rest; bursts of `burst` bets a transaction. Each
    beside its own statements."""
    table, recorder = house.BenchTable(), Recorder()
    with recorder.transaction("open"):
        round_id = table.fresh_round()
    for i in range(single + 20):
        with recorder.transaction("warm" if i < 20 else "one"):
            table.place(round_id, table.requests([players[i % len(players)]]))
    with recorder.transaction("open"):
        round_id = table.fresh_round()
    for i in range(rested):
        rest()
        with recorder.transaction(RESTED):
            table.place(round_id, table.requests([players[i % len(players)]]))
    with recorder.transaction("open"):
        round_id = table.fresh_round()
    for i in range(bursts + 2):
        with recorder.transaction("warm" if i < 2 else "burst"):
            table.place(round_id, table.requests(players[:burst]))
    raw = replayed(recorder.transactions, replay_on)
    _let_go()
    ones, alone, many = recorder.of("one"), recorder.of(RESTED), recorder.of("burst")
    return {
        "statements": sorted({len(one.statements) for one in ones}),
        "seconds": [one.seconds for one in ones],
        "raw": raw["one"],
        "rested": [one.seconds for one in alone],
        "raw_rested": raw[RESTED],
        "burst": [one.seconds for one in many],
        "raw_burst": raw["burst"],
    }


def _let_go() -> None:
    """Leave nobody connected, so that the database can be copied."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]


def _announce_beside() -> None:
    """Announcements go out through a loop beside the services, as in every process of the house."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    announce.use_loop(loop)


if __name__ == "__main__":
    garbage.freeze()  # as every process of the house
    _announce_beside()
    answer_all({
        "prepare": prepare, "settlement": settlement, "bets": bets, "private_parts": growth.private_parts,
        "lobby_statements": growth.lobby_statements, "pit_page": growth.pit_page,
        "report_of_a_month": month.report_of_a_month,
    })  # fmt: skip
