"""A round that is held: while a void of it waits for a second person, nobody decides anything in it and no card falls.

A hold ends by itself, so that a round goes on if no second person is there; and each round is held once.
"""

from __future__ import annotations

from datetime import timedelta

from tables.base.clock import Clock
from tables.models import Event, Player, RoundLog, Table
from tables.services.journal import events
from tables.services.rounds.round_session import locked_round

from .locked_table import lock_table, present_round, save_table

HELD_FOR = timedelta(minutes=10)
"""A second person has so long to decide; then the round goes on, and is played to its end."""


def hold(by: Player, table_id: int, why: str, clock: Clock) -> RoundLog | None:
    """Hold the present round of a table, in the transaction of the request. None if no stake lies in a round there, or
    it was held before."""
    table = lock_table(table_id)
    log = present_round(table)
    if log is None or log.settled_at is not None or log.held_until is not None or _was_held(log):
        return None
    with locked_round(log.pk, clock=clock) as session:
        if session.round.over or not session.round.stakes():
            return None
        until = session.now + HELD_FOR
        session.hold(until)
    _changed(table)
    after = {"until": until.isoformat()}
    events.record(
        Event.Kind.ROUND_HELD, by=by.pk, table=table.pk, log=log.pk, why=why.strip(), after=after, clock=clock
    )
    return session.log


def release(by: Player, log_id: int, clock: Clock) -> None:
    """The round goes on, if it is still held; in the transaction of the decision."""
    table_id = RoundLog.objects.values_list("table_id", flat=True).get(pk=log_id)
    table = lock_table(table_id)
    with locked_round(log_id, clock=clock) as session:
        if session.log.held_until is None or session.round.over:
            return
        session.release()
    _changed(table)
    events.record(Event.Kind.ROUND_RELEASED, by=by.pk, table=table.pk, log=log_id, clock=clock)


def _was_held(log: RoundLog) -> bool:
    return Event.objects.filter(log=log, deed=Event.Kind.ROUND_HELD).exists()


def _changed(table: Table) -> None:
    save_table(table)
