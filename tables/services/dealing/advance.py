"""The one thing that is due at a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tables.base import sql
from tables.base.announce import NO_LINE, Line
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    Cut,
    Draw,
    HouseStep,
    Leave,
    Meter,
    Step,
    Void,
    VoidReason,
)
from tables.games.contract.round import Pace
from tables.models import RoundLog, Table
from tables.models.bettors import bettor_of, player_of
from tables.services.money.wallet import InsufficientFunds
from tables.services.pit import editions
from tables.services.rounds import budget
from tables.services.rounds.round_session import RoundSession, locked_round

from .closing import close_table, is_to_close
from .leases import DealerCredentials, hold_lease
from .repeated_voids import pauses_after_voids
from .rounds import begin_round, close_round, count_change, count_idle, links_awaited_until
from .shoes import draw_card, shoe_of
from .throws import open_throw, open_uncounted, seal_throw


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `advance` did: whether anything, when to look again (None: when nudged), and which line of which round was
    the last that it knew."""

    acted: bool
    look_at: datetime | None
    seen: Line = NO_LINE


_ACTED = Outcome(True, None)


# ── The one thing that is due ───────────────────────────────────────────────────────────────────────────────


def may_be_due(tables: Iterable[int], *, clock: Clock = DATABASE_CLOCK) -> set[int]:
    """Those of these tables that `advance` might find something to do at; at the others there is nothing.

    Reads all of them at once, and locks none.
    """
    now = clock.now()
    ordered = Q(paused=True) | Q(halted=True) | ~Q(closing="")  # a round that nobody is in is left unplayed at once
    under_way = Q(round__isnull=False, round__settled_at=None)
    waits = Q(round__due_at__gt=now) | Q(round__held_until__gt=now, round__settled_at=None)
    possible = (waits & under_way & ordered) | (~waits & (under_way | ~Q(closing="") | Q(attended_until__gt=now)))
    return set(Table.objects.filter(possible, pk__in=tables).values_list("pk", flat=True))


def advance(table_id: int, credentials: DealerCredentials, *, clock: Clock = DATABASE_CLOCK) -> Outcome:
    """Do the one thing that is due at this table, if anything is. Raises StaleLease."""
    with unit_of_work():
        now = hold_lease(table_id, credentials, clock)
        table = _locked_table(table_id, clock)
        log = table.round
        attended = table.attended_until is not None and table.attended_until > now
        if log is None or log.settled_at is not None:
            if log is not None and log.due_at is not None and now < log.due_at:
                return Outcome(False, log.due_at)
            if table.open and is_to_close(table, log):
                close_table(table, credentials, now, clock)
                return Outcome(True, None)
            if not (table.open and attended) or table.begins_no_round:
                return Outcome(False, None)
            if log is not None and log.void and pauses_after_voids(table, clock):
                return Outcome(True, None)
            if (until := links_awaited_until(table, now)) is not None:
                return Outcome(False, until)
            return Outcome(True, begin_round(table, credentials, now, clock))
        with locked_round(log.pk, table=table, clock=clock) as session:
            if session.round.over:  # somebody ended it while its row was waited for
                return Outcome(True, None)
            outcome = _go_on(session, table, credentials, attended)
        look_at = session.log.due_at if outcome.acted else outcome.look_at  # what was done set the clock anew
        return Outcome(outcome.acted, look_at, (log.pk, session.version))


def _locked_table(table_id: int, clock: Clock) -> Table:
    """The table, whose row is locked, with its present round as it is now."""
    columns = f"{sql.columns_of(Table, 'own')}, {sql.columns_of(RoundLog, 'log')}"
    source = '"tables_table" own LEFT JOIN "tables_roundlog" log ON log.id = own.round_id'
    found = sql.locked(columns, source, "own.id = %s", [table_id], of="own", clock=clock)
    if found is None:
        raise Table.DoesNotExist
    row, own = found[0], sql.number_of(Table)
    table = sql.instance_of(Table, row[:own])
    table.round = sql.instance_of(RoundLog, row[own:]) if table.round_id is not None else None
    return table


def _go_on(session: RoundSession, table: Table, credentials: DealerCredentials, attended: bool) -> Outcome:
    """What is done in a round under way; when to look again if it is nothing."""
    round_, log = session.round, session.log
    if session.is_held:
        return Outcome(False, log.held_until)
    if log.held_until is not None:
        session.release()
        count_change(table)
        return _ACTED
    if _is_left_unplayed(session, table, attended):
        reason = VoidReason.TABLE_PAUSES if table.begins_no_round else VoidReason.TABLE_CLOSES
        return _leave_unplayed(session, table, credentials, reason)
    if log.due_at is None:
        if not attended and not round_.in_escrow():
            return Outcome(False, None)
        if _is_of_another_edition(session, table):
            return _leave_unplayed(session, table, credentials, VoidReason.NEW_EDITION)
        session.restart_clock()
        count_change(table)
        return _ACTED
    if session.now < log.due_at:
        return Outcome(False, log.due_at)
    due = round_.next_house_step()
    if due is None:
        if round_.pace is Pace.BETTING and not round_.in_escrow() and not (attended and GAMES[log.game].dealt_unstaked):
            if attended and _is_of_another_edition(session, table):
                return _leave_unplayed(session, table, credentials, VoidReason.NEW_EDITION)
            if attended and budget.used_up(session):
                return _leave_unplayed(session, table, credentials, VoidReason.FULL)
            if attended:
                for player in count_idle(table, session, since=log.wait_began_at):
                    session.act(Leave(bettor_of(player)))
                session.restart_clock()
            else:
                session.stop_clock()
            count_change(table)
            return _ACTED
        due = round_.on_timeout()
    assert due is not None, f"round {log.pk} waits for nobody in {round_.phase}"
    _do(session, due, table, credentials)
    if session.round.over:
        close_round(session, table, credentials)
    return _ACTED


def _is_left_unplayed(session: RoundSession, table: Table, attended: bool) -> bool:
    """Whether the table pauses or closes, and nobody has staked in the present round or could still want it dealt."""
    round_ = session.round
    if (
        not (table.begins_no_round or table.closing == Table.Closing.AFTER_ROUND)
        or round_.pace is not Pace.BETTING
        or round_.in_escrow()
    ):
        return False
    if not attended:
        return True
    is_over = session.log.due_at is not None and session.now >= session.log.due_at and round_.next_house_step() is None
    return is_over and not GAMES[session.log.game].dealt_unstaked


def _is_of_another_edition(session: RoundSession, table: Table) -> bool:
    """Whether another edition of the regulation has come into force while the layout lay open and empty: the round,
    which would be dealt on a later day than its own, is not played."""
    round_ = session.round
    return (
        round_.pace is Pace.BETTING
        and not round_.in_escrow()
        and editions.is_new(table, session.log.edition, session.now)
    )


def _leave_unplayed(session: RoundSession, table: Table, credentials: DealerCredentials, reason: VoidReason) -> Outcome:
    """The round is void; a shoe that was made ready for it is shuffled again, with its ceremony."""
    session.act(Void(reason=reason))
    open_uncounted(session.log, credentials.vault)
    if session.log.opening.get("ceremony"):
        table.fresh_shoe_due = True
        table.save(update_fields=["fresh_shoe_due"])
    return _ACTED


def _do(session: RoundSession, due: HouseStep, table: Table, credentials: DealerCredentials) -> None:
    match due:
        case Step(action, otherwise):
            _step(session, action, otherwise)
        case Draw(Chance.CUT):
            size = shoe_of(session).decks * 52
            session.act(Cut(HOUSE, 1 + credentials.chance.below(size - 1)))
        case Draw(Chance.CARD):
            draw_card(session, table, credentials)
        case Draw(Chance.SEAL):
            seal_throw(session, table, credentials)
        case Draw(Chance.OPEN):
            open_throw(session, credentials)
        case Draw(Chance.POOL):
            session.act(Meter(pool=session.lock_pool()))


def _step(session: RoundSession, action: Action, otherwise: Action | None) -> None:
    """The action that the house owes; in a bettor's name, and from their wallet, if they asked for it beforehand."""
    if action.by == HOUSE:
        session.act(action)
        return
    session.lock([player_of(action.by)])
    try:
        session.act(action)
    except InsufficientFunds:
        assert otherwise is not None, f"{action.do} in the name of {action.by} can be neither done nor left"
        session.act(otherwise)


def void_after_error(
    table_id: int, credentials: DealerCredentials, error: str, *, clock: Clock = DATABASE_CLOCK
) -> None:
    """An exception in a round (`error` is its name) is an irrecoverable mistake: void it, give the stakes back once.

    The next round begins with a fresh shoe, in case the fault is in this one.
    """
    with unit_of_work():
        hold_lease(table_id, credentials, clock)
        table = Table.objects.select_for_update().get(pk=table_id)
        if table.round_id is None:
            return
        with locked_round(table.round_id, table=table, clock=clock) as session:
            if not session.round.over:
                session.act(Void(reason=VoidReason.ERROR, remark=error))
                table.fresh_shoe_due = True
                table.save(update_fields=["fresh_shoe_due"])
