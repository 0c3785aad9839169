"""What a process remembers of a round is what was committed, and never more."""

from __future__ import annotations

import contextlib

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tables.games.contract.round import Round
from tables.models import RoundLog
from tables.queries import folds
from tables.queries.folds import fold_cache, round_of
from tables.services.rounds import seating

from .kit import House


class CableCutError(Exception):
    """Something happened before COMMIT."""


def afresh(log: RoundLog) -> Round:
    """The round folded again from its first line, as a process that has just begun would see it."""
    fold_cache.clear()
    return round_of(log)


def test_lines_that_were_never_committed_are_forgotten(hall: House) -> None:
    table, (ana, rui, lin) = hall.table(), [hall.player(name) for name in ("ana", "rui", "lin")]
    hall.until(table, "betting")
    for seat, player in enumerate((ana, rui), start=1):
        seating.sit(player.pk, table.pk, seat, clock=hall.clock)
        seating.connection_lost(table.pk, player.pk, clock=hall.clock)
    with contextlib.suppress(CableCutError), transaction.atomic():
        seating.heartbeat(table.pk, [ana.pk, rui.pk], clock=hall.clock)
        assert len(hall.round(table).seats) == 2
        raise CableCutError
    assert hall.round(table).seats == {}
    for bets in (1, 2, 3):
        hall.bet(lin, table, "player", 10)
        assert (hall.round(table).seats, len(hall.round(table).in_escrow())) == ({}, bets)


def test_an_older_row_gives_the_round_as_it_was_then(hall: House) -> None:
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    before = hall.log(table)
    hall.bet(ana, table, "player", 10)
    assert len(hall.round(table).in_escrow()) == 1
    assert round_of(before).in_escrow() == {}
    assert len(hall.round(table).in_escrow()) == 1


@pytest.mark.in_full
def test_a_process_that_missed_some_lines_reads_only_those(hall: House) -> None:
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    behind = folds.folded(hall.log(table))
    for _ in range(3):
        hall.bet(ana, table, "player", 10)
    log = hall.log(table)
    fold_cache.clear()
    fold_cache.keep(log.pk, behind)
    with CaptureQueriesContext(connection) as statements:
        folded = folds.folded(log)
    assert len(statements) == 1 and f'"seq" > {behind.version}' in statements[0]["sql"]
    assert folded.round == afresh(log)
