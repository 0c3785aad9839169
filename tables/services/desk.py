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
from tables.games.protocol import HOUSE, Action, Cut, Round, Tempo
from tables.models import LoggedAction, RoundLog, Shoe, Table, Transfer
from tables.timetable import Times, allowance, whole_time

from . import alerts, bulk, jackpots, wallet
from .bookkeeping import FORGIVEN, REVERSED, entries_of, player_id
from .wallet import Entry
from .work import unit_of_work

MAX_NAMED_PLAYERS = 200
"""More players than this are not named one by one in an announcement."""


class Desk:
    """A locked round, and what has been done to it in this transaction."""

    def __init__(self, log: RoundLog, times: Times, now: datetime) -> None:
        folded = queries.folded(log)
        self.log = log
        self.times = times
        self.now = now
        self.round: Round = folded.round
        self._began = folded.round
        self.version = folded.version
        self._refs = set(folded.refs)
        self._accounts: wallet.Locked | None = None
        self._lines: list[LoggedAction] = []
        self._entries: list[Entry] = []
        self._spent: dict[wallet.Holder, int] = {}
        self._at_once = False
        self._house = wallet.house_of(log.table.realm)

    @classmethod
    def opened(cls, log: RoundLog, round_: Round, table: Table, now: datetime) -> Desk:
        """Write the head of a round that begins now, and return its desk. Its log is still empty."""
        desk = cls.__new__(cls)
        desk.log, desk.times, desk.now, desk.round, desk.version = log, Times.of(table.times), now, round_, 0
        desk._refs, desk._accounts, desk._lines, desk._entries, desk._spent = set(), None, [], [], {}
        desk._at_once, desk._began, desk._house = False, round_, wallet.house_of(table.realm)
        desk._head()
        log.save()
        return desk

    @property
    def table_id(self) -> int:
        return self.log.table_id

    def knows(self, ref: str) -> bool:
        """Whether this deed has been done already."""
        return ref in self._refs

    def lock(self, players: Iterable[int]) -> None:
        """Lock the wallets of these players, who pay for what is done at this desk. Once, before anything is done."""
        assert self._accounts is None and not self._lines, "wallets are locked once, by id, before anything is done"
        self._accounts = wallet.lock([wallet.escrow(self.table_id), *map(wallet.player, players)])

    def lock_pool(self) -> int:
        """Lock the jackpot of this round, and what its stakes lie in; what is in it, in cents. Once, as `lock`."""
        assert self.log.jackpot_id is not None, "this table has no jackpot"
        assert self._accounts is None and not self._lines, "accounts are locked once, by id, before anything is done"
        jackpot = wallet.jackpot(self.log.jackpot_id)
        self._accounts = wallet.lock([wallet.escrow(self.table_id), wallet.float_of(self.table_id), jackpot])
        return self._accounts.balances[jackpot]

    def act(self, action: Action, ref: str | None = None) -> None:
        """Apply `action` and stage its line and its chips. Raises Refused, and then nothing has changed; it is
        `wallet.Short` if the chips do not suffice."""
        after = self.round.apply(action)
        seq = self.version + 1
        entries = entries_of(
            self.log.pk, self.table_id, seq, self.round, action, after,
            jackpot_id=self.log.jackpot_id, house=self._house,
        )  # fmt: skip
        if action.by != HOUSE and entries:
            self._check_balance(entries)
        self._entries += entries
        self._lines.append(
            LoggedAction(log=self.log, seq=seq, at=self.now, by=action.by, action=action_json(action), ref=ref)
        )
        if ref:
            self._refs.add(ref)
        if isinstance(action, Cut):
            self._remember_cut(action.position)
        self.round, self.version, self._at_once = after, seq, action.at_once

    def _remember_cut(self, position: int) -> None:
        """Where the shoe was cut, and with it where the white card lies."""
        assert self.log.shoe_id is not None
        shoe = Shoe.objects.select_for_update().get(pk=self.log.shoe_id)
        assert shoe.cut is None, "a shoe is cut once"
        shoe.cut = position
        shoe.save(update_fields=["cut"])

    # ── chips ───────────────────────────────────────────────────────────────────────────────────────────────

    def _check_balance(self, entries: Iterable[Entry]) -> None:
        assert self._accounts is not None, "a bettor moves chips only with their wallet locked"
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
        allowed = allowance(self.round, self.times, seconds=self._seconds)
        self.log.due_at = None if allowed is None else self.now + allowed
        self._save_clock()

    def _save_clock(self) -> None:
        self.log.save(update_fields=["wait_began_at", "due_at"])

    # ── writing ─────────────────────────────────────────────────────────────────────────────────────────────

    def write(self) -> None:
        """Write what was staged. Called once, as the desk is left."""
        if not self._lines:
            return
        if self._entries and self._accounts is None:
            self._accounts = wallet.lock(self._concerned())
        LoggedAction.objects.bulk_create(self._lines)  # with a jackpot locked: its lines are numbered as it was moved
        if self._entries:
            assert self._accounts is not None
            self._entries[:0] = self._forgiven(self._accounts)
            self._entries += self._reset(self._accounts)
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
        alerts.of_round(self.log, self._began, self.round, self._lines, self._entries, self.now)
        of_house = [entry for entry in self._entries if entry.by == HOUSE]
        announce.wallets_changed({h[1] for entry in of_house for h in (entry.debit, entry.credit) if h[0] == "player"})
        for pool in {h[1] for entry in self._entries for h in (entry.debit, entry.credit) if h[0] == "jackpot"}:
            announce.jackpot_changed(pool)
        folded = queries.Folded(self.version, self.round, frozenset(self._refs))
        transaction.on_commit(partial(queries.folds.keep, self.log.pk, folded))
        self._announce((self.log.wait, self.log.due_at) != before)

    def _announce(self, time_runs_anew: bool) -> None:
        """Tell of what was done here. What somebody sees in private who has neither stake nor seat changes only with
        the phase, and when the table falls silent; while bets come in, a bettor's own deed changes only their own."""
        bettors = {player_id(line.by) for line in self._lines if line.by != HOUSE}
        owes = time_runs_anew or any(line.by == HOUSE for line in self._lines)
        players: set[int] | None = bettors
        if (self._began.phase, self._began.silence is None) != (self.round.phase, self.round.silence is None):
            players = None
        elif owes or self.round.tempo is not Tempo.BETTING:
            here = {*self.round.seats, *(stake.by for stake in self.round.stakes())}
            players = bettors | set(map(player_id, here))
        if players is not None and len(players) > MAX_NAMED_PLAYERS:
            players = None
        at_once = self.round.due() is not None and self.log.due_at == self.now
        announce.table_changed(self.table_id, players=players, lobby=owes, soon=at_once)
        if owes:
            announce.nudge(self.table_id)

    def _concerned(self) -> set[wallet.Holder]:
        """Whose chips the entries move; the house's too if a jackpot may be used up by them."""
        holders = {holder for entry in self._entries for holder in (entry.debit, entry.credit)}
        return holders | {self._house} if jackpots.taken(self._entries) else holders

    def _reset(self, accounts: wallet.Locked) -> list[Entry]:
        """What the house lays into the jackpot of this round if nothing is left of it."""
        if self.log.jackpot_id is None or not jackpots.taken(self._entries):
            return []
        pool = accounts.balances[wallet.jackpot(self.log.jackpot_id)]
        return jackpots.reset_of(self.log, self.version, self._entries, pool, self._house)

    def _forgiven(self, accounts: wallet.Locked) -> list[Entry]:
        """What the house gives those who have spent a prize that a void round takes back: just what they lack."""
        if not any(entry.reason == REVERSED for entry in self._entries):
            return []
        after: dict[wallet.Holder, int] = {}
        for entry in self._entries:
            for holder, amount in ((entry.debit, -entry.amount), (entry.credit, entry.amount)):
                if holder[0] == "player":
                    after[holder] = after.get(holder, accounts.balances[holder]) + amount
        float_ = wallet.float_of(self.table_id)
        return [
            Entry(f"forgiven:{self.log.pk}:{holder[1]}", float_, holder, -balance, FORGIVEN, HOUSE)
            for holder, balance in after.items()
            if balance < 0
        ]

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
            restarted = log.due_at is not None and round_.due() is None
        allowed = allowance(round_, self.times, seconds=self._seconds, at_once=self._at_once)
        if restarted and allowed is not None:
            usual = log.wait_began_at + self._unhurried(allowed)
            if round_.hurried:  # saying "ready" once more does not prolong it
                log.due_at = min(usual, self.now + allowed, log.due_at or usual)
            else:
                log.due_at = usual
        if round_.over and log.settled_at is None:
            log.settled_at, log.void = self.now, round_.is_void
            log.result = queries.game_of(log).public_result(round_)

    def _unhurried(self, allowed: timedelta) -> timedelta:
        """The whole time of the present wait, were nobody ready early."""
        return whole_time(self.round, self.times, self._seconds) if self.round.hurried else allowed

    @property
    def _seconds(self) -> int | None:
        """How long the present phase is by an option of the game."""
        return queries.game_of(self.log).seconds(self.round)

    def _remember_who_played(self) -> None:
        """One row per bettor for their history: what this round took and gave, without stakes that were withdrawn.

        Whoever only took back what had been carried here played too: their wallet shows it.
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
            if reason == REVERSED:
                line[1] -= total
            elif debit is not None:
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
def round_desk(
    log_id: int, *, players: Iterable[int] | None = None, table: Table | None = None, clock: Clock = DATABASE_CLOCK
) -> Iterator[Desk]:
    """Lock the round (and the wallets of `players`), hand over its desk, write what was done.

    Whoever has its table locked already hands that over: it is not read again. Raises RoundLog.DoesNotExist for an
    unknown round.
    """
    with unit_of_work():
        rounds = RoundLog.objects.select_for_update(of=("self",))
        if table is None:
            log = rounds.select_related("table").get(pk=log_id)
        else:
            log = rounds.get(pk=log_id, table_id=table.pk)
            log.table = table
        now = clock.now()
        desk = Desk(log, Times.of(log.table.times), now)
        if players is not None:
            desk.lock(players)
        yield desk
        desk.write()
