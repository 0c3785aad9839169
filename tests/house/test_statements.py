"""The plain statements of a bet: they read what Django reads, and are written whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, models

from tables.base.transactions import unit_of_work
from tables.models import LoggedAction, RoundLog, Table
from tables.services.money import sql
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
            with locked_round(pk, table=given, clock=hall.clock) as session:
                assert values(session.log) == values(log)
                assert values(session.log.table) == values(log.table)
    assert log.result is not None
    with pytest.raises(RoundLog.DoesNotExist), locked_round(pk, table=Table(pk=table.pk + 1), clock=hall.clock):
        pass  # it is another table's


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
