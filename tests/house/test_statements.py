"""The plain statements of a bet: they read what Django reads, and are written whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, models

from tables.base import sql
from tables.base.transactions import unit_of_work
from tables.models import LoggedAction, RoundLog, Table
from tables.queries import table as readings
from tables.queries.jackpots import pool_of
from tables.services.pit.opening import open_jackpot
from tables.services.rounds.round_session import locked_round

from .kit import House


def values(row: models.Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def send(statements: list[str]) -> None:
    with unit_of_work(), sql.sent_together():
        for statement in statements:
            sql.execute(statement, [])


def test_a_locked_round_is_read_as_django_reads_it(hall: House) -> None:
    """Every value of it and of its table: JSON, moments, what is empty."""
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 10)
    for pk in (hall.log(table).pk, hall.play_out(table).pk):
        log = RoundLog.objects.select_related("table").get(pk=pk)
        for given in (None, log.table):
            with unit_of_work(), locked_round(pk, table=given, clock=hall.clock) as session:
                assert values(session.log) == values(log)
                assert values(session.log.table) == values(log.table)
    assert log.result is not None
    another = Table(pk=table.pk + 1)
    with pytest.raises(RoundLog.DoesNotExist), unit_of_work(), locked_round(pk, table=another, clock=hall.clock):
        pass


def test_a_table_whose_felt_is_shown_is_read_as_django_reads_it(hall: House) -> None:
    """With its round, its shoe and its jackpot, where it has them: every value that is read."""
    open_jackpot("lisboa", "Lisboa", 1_000_000_00, clock=hall.clock)
    cards, dice = hall.table(dealing_device="shoe"), hall.table("dice", game="cussec")
    progressive = hall.table("stud", game="stud_poker", jackpot="lisboa")
    hall.table("empty")
    for table in (cards, dice, progressive):
        hall.step(table)
    for slug in Table.objects.values_list("slug", flat=True):
        row, _ = readings._row_of("own.slug = %s", [slug], hall.clock)
        table, pool = readings._read(row)
        stored = Table.objects.select_related("round", "shoe", "jackpot__account").get(slug=slug)
        assert values(table) == values(stored)
        assert (table.round is None) == (stored.round is None) and (table.shoe is None) == (stored.shoe is None)
        if table.round is not None and stored.round is not None:
            assert values(table.round) == values(stored.round)
        if table.shoe is not None and stored.shoe is not None:
            for name in readings._OF_SHOE:
                assert getattr(table.shoe, name) == getattr(stored.shoe, name)
        assert pool == pool_of(stored)
    assert readings.table_state(progressive.pk, clock=hall.clock).pool is not None
    assert readings.table_state(cards.pk, clock=hall.clock).shoe_number == 1


def test_a_table_that_is_as_it_was_is_not_worked_out_anew(hall: House) -> None:
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    first = readings.table_state(table.pk, clock=hall.clock)
    hall.clock.pass_(seconds=1)
    again = readings.table_state(table.pk, before=first, clock=hall.clock)
    assert again == replace(first, now=hall.clock.now()) and again.round is first.round
    hall.bet(ana, table, "player", 10)
    after = readings.table_state(table.pk, before=again, clock=hall.clock)
    assert after == readings.table_state(table.pk, clock=hall.clock) != again
    versions = readings.versions_of([table.pk])
    assert versions == {table.pk: after.version}


def test_what_is_sent_together_is_written_whole_or_not_at_all(hall: House) -> None:
    """Whichever of the statements fails: the database's own error comes, nothing of it stays, and the connection is as
    good as before."""
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    hall.bet(ana, table, "player", 10)
    before = hall.log(table)
    columns = 'log_id, seq, "at", "by", action'
    again = f"INSERT INTO tables_loggedaction ({columns}) SELECT {columns} FROM tables_loggedaction"  # noqa: S608
    rename = "UPDATE tables_table SET name = 'Elsewhere'"
    for statements in ([again, rename], [rename, again]):
        with pytest.raises(IntegrityError):
            send(statements)
        assert not Table.objects.filter(name="Elsewhere").exists()
        assert values(hall.log(table)) == values(before)
    hall.bet(ana, table, "player", 10)
    assert LoggedAction.objects.filter(log=before).count() == before.version + 1


@pytest.mark.postgresql
def test_each_connection_plans_a_statement_once(hall: House) -> None:
    """What every bet says is known to PostgreSQL from the first one on."""
    table, ana = hall.table(), hall.player("ana")
    hall.until(table, "betting")
    for _ in range(2):
        hall.bet(ana, table, "player", 10)
    planned = sql.fetched("SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements", [])
    for said in ("FOR UPDATE OF log", 'INSERT INTO "tables_loggedaction"', "UPDATE tables_account SET balance"):
        assert [times for text, times in planned if said in text and times > 1], said
