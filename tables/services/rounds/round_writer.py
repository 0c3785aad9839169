"""The writer of one round: the only place that adds entries to a log and moves the chips that go with them.

A round session stages what was done. `write` then writes the entries of the log, their transfers and the head of the
log with a number of statements that does not grow with them; and it announces the change once it is committed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypedDict

from django.conf import settings
from django.db import transaction

from tables.base import announce, sql
from tables.base.closed_cards import SEALED, hidden_in, sealed_line
from tables.base.timetable import Times, allowance, ends_at, whole_time
from tables.games.codec import action_json
from tables.games.contract.actions import HOUSE, Action
from tables.games.contract.round import Pace, Round
from tables.models import Account, LoggedAction, RoundLog
from tables.models.bettors import bettor_of, player_of
from tables.queries.folds import Folded, fold_cache, game_of
from tables.services.journal import alerts
from tables.services.money import jackpots, wallet
from tables.services.money.wallet import Posting, Reason


class Entry(TypedDict):
    """An entry of the log, as it is written: its place from 1, who acts, the action as JSON, and what the client called
    it."""

    seq: int
    by: str
    action: dict[str, Any]
    ref: str | None
    payload: str | None


MAX_NAMED_PLAYERS = 200
"""More players than this are not named one by one in an announcement."""


class RoundWriter:
    """What is to be written of one round in this transaction, which `began` as that."""

    def __init__(self, log: RoundLog, began: Round, times: Times, now: datetime) -> None:
        self._log = log
        self._began = began
        self._times = times
        self._now = now
        self._entries: list[Entry] = []
        self._postings: list[Posting] = []
        self._at_once = False
        self._house = wallet.house_of(log.table.realm)

    @property
    def staged(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._entries)

    def stage(
        self,
        action: Action,
        seq: int,
        ref: str | None,
        payload: str | None,
        postings: Sequence[Posting],
        *,
        closed: bool = False,
    ) -> None:
        """Keep an action and its chips for `write`; `closed` if it is a card that lies face down."""
        self._postings += postings
        line = action_json(action)
        if closed:
            line = sealed_line(self._log.pk, seq, line)
        self._entries.append({"seq": seq, "by": action.by, "action": line, "ref": ref, "payload": payload})
        self._at_once = action.at_once

    def write(self, folded: Folded, accounts: wallet.Locked | None) -> None:
        """Write what was staged and led to `folded`. `accounts` are those that the session has locked already."""
        if not self._entries:
            return
        log, round_ = self._log, folded.round
        if self._postings and accounts is None:
            accounts = wallet.lock(self._concerned())
        if self._postings:
            assert accounts is not None
            self._postings[:0] = self._forgiven(accounts)
            self._postings += self._reset(accounts, folded.version)
        before = (log.wait, log.due_at)
        update_head(log, round_, folded.version, self._times, self._now, at_once=self._at_once)
        if round_.over:
            log.turned = _turned(log, self._entries)
        with sql.sent_together():
            _insert(log, self._entries, self._now)  # a jackpot is locked: their ids are the order of its moves
            if self._postings:
                assert accounts is not None
                wallet.post(accounts, self._postings, at=self._now, log_id=log.pk)
            _save_head(log)
            if round_.over:
                _remember_who_played(log, round_)
        alerts.of_round(log, self._began, round_, [one["action"] for one in self._entries], self._postings, self._now)
        if is_full(log.version, round_):
            alerts.crowded(log, self._now)
        announce.players_changed(self._moved_for())
        for pool in {
            h[1] for posting in self._postings for h in (posting.debit, posting.credit) if h[0] == Account.Kind.JACKPOT
        }:
            announce.jackpot_changed(pool)
        transaction.on_commit(partial(fold_cache.keep, log.pk, folded))
        self._announce(round_, (log.wait, log.due_at) != before)

    def _announce(self, round_: Round, time_runs_anew: bool) -> None:
        """Announce what was done here.

        What somebody sees in private who has neither stake nor seat changes only with the phase, and when the table
        falls silent. While bets come in, what a bettor does changes only their own part.
        """
        acted = {entry["by"] for entry in self._entries}
        bettors = {player_of(by) for by in acted if by != HOUSE}
        if bettors:
            bettors |= self._moved_for()
        owes = time_runs_anew or HOUSE in acted
        players: set[int] | None = bettors
        if (self._began.phase, self._began.silence is None) != (round_.phase, round_.silence is None):
            players = None
        elif owes or round_.pace is not Pace.BETTING:
            here = {*round_.seats, *(stake.by for stake in round_.stakes())}
            here |= {*self._began.at_the_cut, *round_.at_the_cut}
            players = bettors | set(map(player_of, here))
        if players is not None and len(players) > MAX_NAMED_PLAYERS:
            players = None
        at_once = round_.next_house_step() is not None and self._log.due_at == self._now
        table, log, last = self._log.table_id, self._log.pk, self._entries[-1]["seq"]
        lines = (log, self._entries[0]["seq"] - 1, last)
        announce.table_changed(table, players=players, lobby=owes, due=owes, soon=at_once, lines=lines)

    def _moved_for(self) -> set[int]:
        """Whose chips somebody else has moved here: the house, or a bettor with whose stake theirs has come back."""
        return {
            number
            for posting in self._postings
            for kind, number in (posting.debit, posting.credit)
            if kind == Account.Kind.PLAYER and posting.by != bettor_of(number)
        }

    def _concerned(self) -> set[wallet.Holder]:
        """Whose chips the postings move; the house's too if a jackpot may be used up by them."""
        holders = {holder for posting in self._postings for holder in (posting.debit, posting.credit)}
        return holders | {self._house} if jackpots.taken(self._postings) else holders

    def _reset(self, accounts: wallet.Locked, version: int) -> list[Posting]:
        """What the house lays into the jackpot of this round if nothing is left of it."""
        if self._log.jackpot_id is None or not jackpots.taken(self._postings):
            return []
        pool = accounts.balances[wallet.jackpot(self._log.jackpot_id)]
        return jackpots.reset_of(self._log, version, self._postings, pool, self._house)

    def _forgiven(self, accounts: wallet.Locked) -> list[Posting]:
        """What the house gives those who have spent a prize that a void round takes back: just what they lack."""
        if not any(posting.reason is Reason.REVERSED for posting in self._postings):
            return []
        after: dict[wallet.Holder, int] = {}
        for posting in self._postings:
            for holder, amount in ((posting.debit, -posting.amount), (posting.credit, posting.amount)):
                if holder[0] == Account.Kind.PLAYER:
                    after[holder] = after.get(holder, accounts.balances[holder]) + amount
        float_ = wallet.float_of(self._log.table_id)
        return [
            Posting(f"forgiven:{self._log.pk}:{holder[1]}", float_, holder, -balance, Reason.FORGIVEN, HOUSE)
            for holder, balance in after.items()
            if balance < 0
        ]


def _insert(log: RoundLog, entries: Sequence[Entry], at: datetime) -> None:
    """Append these entries to the log, in their order."""
    columns = {"seq": "bigint", "by": "text", "action": "jsonb", "ref": "text", "payload": "text"}
    sql.execute(
        'INSERT INTO "tables_loggedaction" (log_id, "at", seq, "by", action, ref, payload) '  # noqa: S608
        f'SELECT %s, %s, row.seq, row."by", row.action, row.ref, row.payload FROM {sql.rows(columns)}',
        [log.pk, sql.moment(at), json.dumps(entries)],
    )


def _save_head(log: RoundLog) -> None:
    """Store the head of the log as `update_head` has left it."""
    sql.execute(
        'UPDATE "tables_roundlog" SET version = %s, phase = %s, wait = %s, wait_began_at = %s, due_at = %s, '
        "settled_at = %s, void = %s, result = %s, turned = %s, peeled = %s, peeled_at = %s WHERE id = %s",
        [
            log.version,
            log.phase,
            log.wait,
            sql.moment(log.wait_began_at),
            sql.moment(log.due_at),
            sql.moment(log.settled_at),
            log.void,
            None if log.result is None else json.dumps(log.result),
            None if log.turned is None else json.dumps(log.turned),
            None if log.peeled is None else json.dumps(log.peeled),
            sql.moment(log.peeled_at),
            log.pk,
        ],
    )


def _turned(log: RoundLog, entries: Sequence[Entry]) -> dict[str, str] | None:
    """The cards that stand sealed in the log of a round, these entries with it, by line; None in a game without
    cards."""
    if log.shoe_id is None:
        return None
    lines = LoggedAction.objects.filter(log_id=log.pk, action__has_key=SEALED).order_by("seq")
    sealed = [*lines.values_list("seq", "action"), *((one["seq"], one["action"]) for one in entries)]
    found = {str(seq): hidden_in(log.pk, seq, action[SEALED]) for seq, action in sealed if SEALED in action}
    return found or None


def update_head(
    log: RoundLog, round_: Round, version: int, times: Times, now: datetime, *, at_once: bool = False
) -> None:
    """Bring the cached head of the log up to date, and set its clock. `at_once`: the next card comes without a wait."""
    log.version = version
    if log.phase != str(round_.phase):
        log.phase, log.peeled, log.peeled_at = str(round_.phase), None, None
    wait = f"{round_.wait}:{'due' if round_.next_house_step() is not None else ''}"
    if wait != log.wait:
        log.wait, log.wait_began_at = wait, now
        log.due_at = None
        restarted = True
    else:
        restarted = log.due_at is not None and round_.next_house_step() is None
    allowed = time_allowed(log, round_, times, at_once=at_once)
    if restarted and allowed is not None:
        if round_.closes_early or is_full(version, round_):  # saying "ready" once more does not prolong it
            usual = log.wait_began_at + whole_time(round_, times, game_of(log).seconds(round_))
            log.due_at = min(usual, now + allowed, log.due_at or usual)
        else:
            log.due_at = ends_at(log.wait_began_at, allowed, log.peeled_at)
    if round_.over and log.settled_at is None:
        log.settled_at, log.void = now, round_.is_void
        log.result = game_of(log).public_result(round_)


def time_allowed(log: RoundLog, round_: Round, times: Times, *, at_once: bool = False) -> timedelta | None:
    """How long the round waits as it is now; None without end. An option of the game may say how long a phase takes."""
    full = is_full(log.version, round_)
    return allowance(round_, times, seconds=game_of(log).seconds(round_), at_once=at_once, full=full)


def is_full(version: int, round_: Round) -> bool:
    """Whether so much has been written in this round that its betting closes now."""
    return version >= settings.LINES_PER_ROUND and round_.pace is Pace.BETTING


def _remember_who_played(log: RoundLog, round_: Round) -> None:
    """One row per bettor for their history: what this round took and gave, without stakes that were withdrawn.

    Whoever only took back what had been carried here played too: their wallet shows it.
    """
    bettors = {player_of(payout.by) for payout in round_.payouts()}
    of_carried, carried = sql.one_of_texts([stake["bet"] for stake in log.opening.get("carried", ())])
    lays = f"moved.reason <> '{Reason.REVERSED}'"
    takes_back = f"moved.reason = '{Reason.WITHDRAW}' AND NOT moved.bet {of_carried}"
    debits, credits_ = (
        f"SELECT own.player_id, 0, CASE WHEN {is_of_stake} THEN {cents} ELSE 0 END, "  # noqa: S608
        f"CASE WHEN {is_of_stake} THEN 0 ELSE -({cents}) END FROM tables_transfer moved "
        f"JOIN tables_account own ON own.id = moved.{side}_id WHERE moved.log_id = %s AND own.player_id IS NOT NULL"
        for side, cents, is_of_stake in (("debit", "moved.amount", lays), ("credit", "-moved.amount", takes_back))
    )
    paid = f"SELECT player_id, 1 AS paid, 0 AS staked, 0 AS returned FROM {sql.rows({'player_id': 'bigint'})}"  # noqa: S608
    sql.execute(
        "INSERT INTO tables_played (log_id, player_id, staked, returned) "  # noqa: S608
        f"SELECT %s, player_id, SUM(staked), SUM(returned) FROM ({paid} UNION ALL {debits} UNION ALL {credits_}) parts "
        "GROUP BY player_id HAVING MAX(paid) = 1 OR SUM(staked) <> 0 OR SUM(returned) <> 0",
        [log.pk, json.dumps([{"player_id": pk} for pk in bettors]), log.pk, carried, carried, log.pk],
    )
