"""The desk of one round: the only place where lines are added to a log and their chips are moved.

    with round_desk(log_id, players=[7]) as desk:
        desk.act(PlaceBet(...), ref="…")

Inside, the round is locked, folded and its time read. Leaving writes all lines, transfers and the head of the log
with a number of statements that does not grow with them, and tells those who listen once it is committed.
A Refused raised by `act` leaves everything as it was before that act.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Q, Sum

from tables import announce, queries
from tables.clock import DATABASE_CLOCK, Clock
from tables.games.codec import action_json
from tables.games.protocol import HOUSE, Action, Round
from tables.models import LoggedAction, RoundLog, Table, Transfer
from tables.timetable import Times, allowance

from . import bulk, wallet
from .bookkeeping import entries_of, player_id
from .wallet import Entry
from .work import unit_of_work


class Desk:
    """A locked round, and what has been done to it in this transaction."""

    def __init__(self, log: RoundLog, times: Times, now: datetime, accounts: wallet.Locked | None) -> None:
        folded = queries.folded(log)
        self.log = log
        self.times = times
        self.now = now
        self.round: Round = folded.round
        self.version = folded.version
        self._refs = set(folded.refs)
        self._accounts = accounts
        self._lines: list[LoggedAction] = []
        self._entries: list[Entry] = []
        self._spent: dict[wallet.Holder, int] = {}
        self.nudges = False

    @classmethod
    def opened(cls, log: RoundLog, round_: Round, table: Table, now: datetime) -> Desk:
        """Write the head of a round that begins now, and return its desk. Its log is still empty."""
        desk = cls.__new__(cls)
        desk.log, desk.times, desk.now, desk.round, desk.version = log, Times.of(table.times), now, round_, 0
        desk._refs, desk._accounts, desk._lines, desk._entries, desk._spent = set(), None, [], [], {}
        desk._head()
        log.save()
        return desk

    @property
    def table_id(self) -> int:
        return self.log.table_id

    def knows(self, ref: str) -> bool:
        """Whether this deed has been done already."""
        return ref in self._refs

    def act(self, action: Action, ref: str | None = None) -> None:
        """Apply `action` and stage its line and its chips. Raises Refused, and then nothing has changed."""
        after = self.round.apply(action)
        seq = self.version + 1
        entries = entries_of(self.log.pk, self.table_id, seq, self.round, action, after)
        if action.by != HOUSE and entries:
            self._check_balance(entries)
        self._entries += entries
        self._lines.append(
            LoggedAction(log=self.log, seq=seq, at=self.now, by=action.by, action=action_json(action), ref=ref)
        )
        if ref:
            self._refs.add(ref)
        self.round, self.version = after, seq

    # ── chips ───────────────────────────────────────────────────────────────────────────────────────────────

    def _check_balance(self, entries: Iterable[Entry]) -> None:
        assert self._accounts is not None, "a bettor moves chips only with his wallet locked"
        spent = dict(self._spent)
        for entry in entries:
            for holder, amount in ((entry.debit, entry.amount), (entry.credit, -entry.amount)):
                if holder[0] == "player":
                    spent[holder] = spent.get(holder, 0) + amount
                    balance = self._accounts.balances.get(holder, 0)  # staff have no wallet
                    if amount > 0 and spent[holder] > balance:
                        raise wallet.short_of(amount, balance - self._spent.get(holder, 0))
        self._spent = spent

    # ── time ────────────────────────────────────────────────────────────────────────────────────────────────

    def stop_clock(self) -> None:
        """Nobody is here: the round waits, however long, till somebody comes."""
        self.log.due_at = None
        self._save_clock()

    def restart_clock(self) -> None:
        """Somebody is here again: the present wait begins now."""
        self.log.wait_began_at = self.now
        allowed = allowance(self.round, self.times)
        self.log.due_at = None if allowed is None else self.now + allowed
        self._save_clock()

    def _save_clock(self) -> None:
        self.log.save(update_fields=["wait_began_at", "due_at"])

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────────────

    def write(self) -> None:
        """Write what was staged. Called once, as the desk is left."""
        if not self._lines:
            return
        LoggedAction.objects.bulk_create(self._lines)
        if self._entries:
            if self._accounts is None:
                self._accounts = wallet.lock({h for entry in self._entries for h in (entry.debit, entry.credit)})
            wallet.post(self._accounts, self._entries, at=self.now, log_id=self.log.pk)
        before = (self.log.wait, self.log.due_at)
        self._head()
        self.log.save(
            update_fields=[
                "version", "phase", "wait", "wait_began_at", "due_at", "settled_at", "void", "result",
            ]
        )  # fmt: skip
        if self.round.over:
            self._remember_who_played()
            announce.wallets_changed({h[1] for e in self._entries for h in (e.debit, e.credit) if h[0] == "player"})
        folded = queries.Folded(self.version, self.round, frozenset(self._refs))
        transaction.on_commit(partial(queries.folds.keep, self.log.pk, folded))
        bettors = [player_id(line.by) for line in self._lines if line.by != HOUSE]
        if (self.log.wait, self.log.due_at) != before or len(bettors) < len(self._lines):
            announce.table_changed(self.table_id)
            announce.nudge(self.table_id)
        else:
            announce.table_changed(self.table_id, players=bettors)

    def _head(self) -> None:
        """Bring the cached head of the log up to date, and set its clock."""
        log, round_ = self.log, self.round
        log.version = self.version
        log.phase = str(round_.phase)
        wait = f"{round_.wait}:{'due' if round_.due() is not None else ''}"
        if wait != log.wait:
            log.wait, log.wait_began_at = wait, self.now
            log.due_at = None
            restarted = True
        else:
            restarted = log.due_at is not None
        allowed = allowance(round_, self.times)
        if restarted and allowed is not None:
            usual = log.wait_began_at + self._unhurried(allowed)
            if round_.hurried:  # who says once more that he is ready does not prolong it
                log.due_at = min(usual, self.now + allowed, log.due_at or usual)
            else:
                log.due_at = usual
        if round_.over and log.settled_at is None:
            log.settled_at, log.void, log.result = self.now, round_.is_void, round_.result()

    def _unhurried(self, allowed: timedelta) -> timedelta:
        """The whole time of the present wait, were nobody ready early."""
        if not self.round.hurried:
            return allowed
        return timedelta(milliseconds=getattr(self.times, str(self.round.tempo)))

    def _remember_who_played(self) -> None:
        """One line a bettor for his history: what this round took and gave him, fresh stakes withdrawn again left out.

        Whoever did no more than take back what had been carried here played too: his wallet tells of it.
        """
        bettors = {player_id(payout.by) for payout in self.round.payouts()}
        lines = {bettor: [0, 0] for bettor in bettors}
        carried = [stake["bet"] for stake in self.log.opening.get("carried", ())]
        moved = (
            Transfer.objects.filter(log_id=self.log.pk)
            .filter(Q(debit__kind="player") | Q(credit__kind="player"))
            .annotate(of_carried=ExpressionWrapper(Q(bet__in=carried), BooleanField()))
            .values_list("debit__player_id", "credit__player_id", "reason", "of_carried")
            .annotate(total=Sum("amount"))
        )
        for debit, credit, reason, of_carried, total in moved:
            line = lines.setdefault(credit if debit is None else debit, [0, 0])
            if debit is not None:
                line[0] += total
            elif reason == "withdraw" and not of_carried:
                line[0] -= total
            else:
                line[1] += total
        bulk.insert_numbers(
            "tables_played",
            ("log_id", "player_id", "staked", "returned"),
            (
                {"log_id": self.log.pk, "player_id": pk, "staked": paid, "returned": got}
                for pk, (paid, got) in lines.items()
                if pk in bettors or paid or got
            ),
        )


@contextmanager
def round_desk(log_id: int, *, players: Iterable[int] | None = None, clock: Clock = DATABASE_CLOCK) -> Iterator[Desk]:
    """Lock the round (and the wallets of `players`), hand over its desk, write what was done.

    Raises RoundLog.DoesNotExist for an unknown round.
    """
    with unit_of_work():
        log = RoundLog.objects.select_for_update(of=("self",)).select_related("table").get(pk=log_id)
        now = clock.now()
        accounts = None
        if players is not None:
            accounts = wallet.lock([wallet.escrow(log.table_id), *map(wallet.player, players)])
        desk = Desk(log, Times.of(log.table.times), now, accounts)
        yield desk
        desk.write()
