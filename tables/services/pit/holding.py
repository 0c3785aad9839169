"""A round whose clock stands: nobody decides anything in it, and no card falls.

It is *held* while a void of it waits for a second person. A hold ends by itself, so that a round goes on if no second
person is there; and each round is held once. It is *frozen* while the pit looks: until somebody of the pit releases it
or rules on it, and a day at most. In both cases the wait that stood begins anew, so that nobody loses time.
"""

from __future__ import annotations

from datetime import timedelta

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Alert, ApprovalRequest, Event, Player, RoundLog, Table
from tables.services.journal import alerts, events
from tables.services.rounds.round_session import RoundSession, locked_round

from .locked_table import lock_table, present_round, save_table

HELD_FOR = timedelta(minutes=10)
"""A second person has so long to decide; then the round goes on, and is played to its end."""

FROZEN_FOR = timedelta(days=1)
"""A round is frozen for so long at most: what lies in it is not kept from its bettors for ever."""


# ── Freezing ────────────────────────────────────────────────────────────────────────────────────────────────


def freeze(by: Player, table_id: int, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> RoundLog:
    """Freeze the present round of a table while the pit looks. Needs no reason: a round is over in seconds.

    Raises Refused, if no round is being played there or it is frozen already.
    """
    demand(by, Right.RULE)
    with unit_of_work():
        table = lock_table(table_id)
        log = present_round(table)
        if log is None or log.settled_at is not None:
            raise _no_round()
        with locked_round(log.pk, clock=clock) as session:
            if session.round.over:
                raise _no_round()
            if session.log.frozen_at is not None:
                raise Refused("", say("This round is frozen already."))
            session.freeze(session.now + FROZEN_FOR)
        _changed(table)
        about = {"round": log.number, "by": str(by)}
        alerts.raise_alert(
            Alert.Kind.FROZEN, alerts.frozen_key(log.pk), at=session.now, table=table.pk, log=log.pk, about=about
        )
        events.record(Event.Kind.ROUND_FROZEN, by=by.pk, table=table.pk, log=log.pk, why=why.strip(), clock=clock)
        return session.log


def thaw(by: Player, table_id: int, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """Release the present round of a table, which is frozen: it goes on. Raises Refused, also while a void of it waits
    for a second person."""
    demand(by, Right.RULE)
    with unit_of_work():
        table = lock_table(table_id)
        log = present_round(table)
        if log is None or log.settled_at is not None or log.frozen_at is None:
            raise Refused("", say("No round is frozen at this table."))
        if ApprovalRequest.objects.filter(log=log, state=ApprovalRequest.State.WAITING).exists():
            raise Refused("", say("A void of this round waits for a second person. Decide on it first."))
        with locked_round(log.pk, clock=clock) as session:
            session.release()
        _changed(table)
        ended(by, session, clock, why)


def ended(by: Player, session: RoundSession, clock: Clock, why: str = "") -> None:
    """A round that was frozen goes on, or is over: whoever did that has taken note of it. In their transaction."""
    log = session.log
    alerts.settle(alerts.frozen_key(log.pk), by, session.now)
    events.record(Event.Kind.ROUND_RELEASED, by=by.pk, table=log.table_id, log=log.pk, why=why.strip(), clock=clock)


def _no_round() -> Refused:
    return Refused("", say("No round is being played at this table."))


# ── Holding ─────────────────────────────────────────────────────────────────────────────────────────────────


def hold(by: Player, table_id: int, why: str, clock: Clock) -> RoundLog | None:
    """Hold the present round of a table, in the transaction of the request. The round itself if it is frozen; None if
    no stake lies in a round there, or it was held before."""
    table = lock_table(table_id)
    log = present_round(table)
    if log is None or log.settled_at is not None:
        return None
    if log.frozen_at is not None:
        return log
    if log.held_until is not None or _was_held(log):
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
    """The round goes on, if it is still held and not frozen; in the transaction of the decision."""
    table_id = RoundLog.objects.values_list("table_id", flat=True).get(pk=log_id)
    table = lock_table(table_id)
    with locked_round(log_id, clock=clock) as session:
        if session.log.held_until is None or session.log.frozen_at is not None or session.round.over:
            return
        session.release()
    _changed(table)
    events.record(Event.Kind.ROUND_RELEASED, by=by.pk, table=table.pk, log=log_id, clock=clock)


def _was_held(log: RoundLog) -> bool:
    return Event.objects.filter(log=log, deed=Event.Kind.ROUND_HELD).exists()


def _changed(table: Table) -> None:
    save_table(table)
