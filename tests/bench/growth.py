"""What is drawn in a house with many people, many tables or a long ledger, measured in a child process."""

from __future__ import annotations

from datetime import UTC, datetime
from time import perf_counter, thread_time
from typing import Any

from django.db import connection
from django.utils import translation

from tables.felt.private import PrivatePart, Viewer
from tables.live.boards import render_lobby, render_pit_table
from tables.models import Account, Table
from tables.models.bettors import bettor_of
from tables.pit.board import Buttons
from tables.queries.table import table_state

from . import house
from .places import SLUG
from .statements import Recorder

BETS_EACH = 5


def private_parts(players: list[int], runs: int) -> list[float]:
    """Seconds of CPU for the private part of one bettor at a settled Roulette, run by run; one before them draws the
    blanks."""
    table = house.BenchTable("roulette")
    found = []
    for _ in range(runs + 1):
        round_id, spots = table.fresh_round(), table.spots()
        for at in range(BETS_EACH):
            table.place(round_id, [
                request
                for number, player in enumerate(players)
                for request in table.requests([player], spots[(31 * number + 17 * at) % len(spots)])
            ])  # fmt: skip
        table.played_out()
        state = table_state(table.pk)
        with translation.override("en"):
            begun = thread_time()
            for player in players:
                who = Viewer(bettor_of(player), "Bettor", 100_000, None, (), True, ())
                PrivatePart.of(state, who).fragments()
            found.append((thread_time() - begun) / len(players))
    return found[1:]


def lobby_statements(sizes: list[int]) -> list[int]:
    """How many statements the lobby takes with so many tables."""
    found = []
    for size in sizes:
        there = Table.objects.count()
        Table.objects.bulk_create(
            Table(
                slug=f"bench-{at}", name=f"Bench {at}", game="baccarat", options={}, times={}, position=at, open=False
            )
            for at in range(there, size)
        )
        recorder = Recorder()
        with recorder.transaction("lobby") as lobby:
            render_lobby({"en"})
        found.append(len(lobby.statements))
    return found


def pit_page(sizes: list[int], runs: int) -> list[dict[str, Any]]:
    """Seconds for the pit's page of one table after so many transfers of its ledger, run by run."""
    table = Table.objects.get(slug=SLUG)
    escrow = Account.objects.get(kind=Account.Kind.ESCROW, table=table).pk
    wallet = Account.objects.filter(kind=Account.Kind.PLAYER).order_by("pk").values_list("pk", flat=True)[0]
    found, there = [], 0
    for size in sizes:
        _lay_and_take_back(wallet, escrow, there, size)
        there = size
        seconds = []
        for _ in range(runs + 1):
            begun = perf_counter()
            render_pit_table(SLUG, Buttons(), {"en"})
            seconds.append(perf_counter() - begun)
        found.append({"size": size, "seconds": seconds[1:]})
    return found


def _lay_and_take_back(wallet: int, escrow: int, first: int, last: int) -> None:
    """Bring the transfers of this table from `first` to `last`: every other one goes back, so no balance changes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE n(i) AS (SELECT %s + 1 UNION ALL SELECT i + 1 FROM n WHERE i < %s) "
            'INSERT INTO tables_transfer ("key", debit_id, credit_id, amount, reason, bet, "by", "at") '
            "SELECT 'bench:' || i, CASE i %% 2 WHEN 0 THEN %s ELSE %s END, CASE i %% 2 WHEN 0 THEN %s ELSE %s END, "
            "100, CASE i %% 2 WHEN 0 THEN 'withdraw' ELSE 'stake' END, '', 'p0', %s FROM n",
            [first, last, escrow, wallet, wallet, escrow, connection.ops.adapt_datetimefield_value(datetime.now(UTC))],
        )
        cursor.execute("ANALYZE")
