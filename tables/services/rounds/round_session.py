"""The session of one round: the only way to act in a round that is stored.

    with locked_round(log_id, players=[7]) as session:
        session.act(PlaceBet(...), ref="…")

Inside, the round is locked and folded, and its time is read. `act` asks the rules and stages what follows; a Refused
leaves everything as it was before that act. Leaving writes all of it (`round_writer`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime

from tables.base import sql
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import message_of, used_for_another
from tables.base.timetable import Times, ends_at
from tables.base.transactions import unit_of_work
from tables.games.contract.actions import HOUSE, Action, Cut, DrawCard
from tables.games.contract.errors import Refused
from tables.games.contract.round import Round
from tables.games.contract.view import cards_in
from tables.games.shared.squeeze import Peel, peels_json
from tables.models import Account, RoundLog, Shoe, Table
from tables.models.bettors import bettor_of, player_of
from tables.queries import folds
from tables.queries.folds import Folded
from tables.services.money import wallet
from tables.services.money.postings import postings_of
from tables.services.money.wallet import Posting

from .refusals import Refusals
from .round_writer import RoundWriter, is_full, time_allowed, update_head


@dataclass(frozen=True, slots=True)
class Accepted:
    """Done; `repeated` if it had been done before and nothing was done now."""

    repeated: bool = False


Answer = Accepted | Refused


class RoundSession:
    """A locked round, and what has been done to it in this transaction."""

    def __init__(self, log: RoundLog, folded: Folded, times: Times, now: datetime) -> None:
        self.log = log
        self.times = times
        self.now = now
        self.round: Round = folded.round
        self.version = folded.version
        self.lines = dict(folded.lines)
        self._refs, self._chance = folded.refs, folded.chance
        self._accounts: wallet.Locked | None = None
        self._spent: dict[wallet.Holder, int] = {}
        self._house = wallet.house_of(log.table.realm)
        self._writer = RoundWriter(log, folded.round, times, now)
        self.refusals = Refusals(log)

    @property
    def table_id(self) -> int:
        return self.log.table_id

    @property
    def is_full(self) -> bool:
        """Whether betting closes early because so much has been written in this round."""
        return is_full(self.version, self.round)

    def once(self, ref: str, payload: str, deed: Callable[[], None]) -> Answer:
        """Have `deed` done, if nothing was done or refused under this ref: if something was, that is the answer once
        more. What it asks is told by its `payload` (`refs.digest`)."""
        asked = self._refs.get(message_of(ref))
        if asked is not None and asked != payload:
            return used_for_another(ref)
        if ref in self._refs:
            return Accepted(repeated=True)
        if (refused := self.refusals.of(ref, payload)) is not None:
            return refused
        began = self.version
        try:
            deed()
        except Refused as refusal:
            if self.version != began:
                raise  # a part of it is staged: all of it is undone
            self.refusals.add(ref, payload, refusal)
            return refusal
        return Accepted()

    def lock(self, players: Iterable[int]) -> None:
        """Lock the wallets of these players, who pay for what is done here. Once, before anything is done."""
        self._lock([wallet.escrow(self.table_id), *map(wallet.player, players)])

    def lock_pool(self) -> int:
        """Lock the jackpot of this round, and what its stakes lie in; what is in it, in cents. Once, as `lock`."""
        assert self.log.jackpot_id is not None, "this table has no jackpot"
        jackpot = wallet.jackpot(self.log.jackpot_id)
        return self._lock([wallet.escrow(self.table_id), wallet.float_of(self.table_id), jackpot]).balances[jackpot]

    def _lock(self, holders: list[wallet.Holder]) -> wallet.Locked:
        assert self._accounts is None and not self._writer.staged, "accounts are locked once, by id, and first of all"
        self._accounts = wallet.lock(holders)
        return self._accounts

    def takes(self, action: Action) -> bool:
        """Whether this could be done as things stand, rules and chips. Nothing is staged."""
        spent = self._spent
        try:
            after = self.round.apply(action)
            self._check_balance(self._postings(action, after))
        except Refused:
            return False
        finally:
            self._spent = spent
        return True

    def act(self, action: Action, ref: str | None = None, payload: str | None = None) -> None:
        """Apply `action` and stage its entry of the log, with the digest of what was asked under its ref, and its
        chips. Raises Refused, and then nothing has changed; it is `wallet.InsufficientFunds` if the chips do not
        suffice."""
        action = folds.by_itself(action)
        after = self.round.apply(action)
        seq = self.version + 1
        postings = self._postings(action, after)
        if action.by != HOUSE and postings:
            self._check_balance(postings)
        closed = isinstance(action, DrawCard) and self._lies_closed(action, after)
        self._writer.stage(action, seq, ref, payload, postings, closed=closed)
        self.lines[action.by] = self.lines.get(action.by, 0) + 1
        if ref:
            self._refs = folds.with_ref(self._refs, ref, payload or "")
        if isinstance(action, Cut):
            self._remember_cut(action.position)
        self.round, self.version, self._chance = after, seq, self._chance.then(action)

    def _postings(self, action: Action, after: Round) -> list[Posting]:
        return postings_of(
            self.log.pk, self.table_id, self.version + 1, self.round, action, after,
            jackpot_id=self.log.jackpot_id, house=self._house,
        )  # fmt: skip

    def _lies_closed(self, draw: DrawCard, after: Round) -> bool:
        """Whether this card, drawn just now, is one that not everybody sees: the very card, not one like it."""
        if draw.exposed:
            return False
        shown = cards_in(folds.game_of(self.log).view(after, None))
        return all(card is not draw.card for card in shown)

    def _remember_cut(self, position: int) -> None:
        """Where the shoe was cut, and with it where the white card lies."""
        assert self.log.shoe_id is not None
        shoe = Shoe.objects.select_for_update().get(pk=self.log.shoe_id)
        assert shoe.cut is None, "a shoe is cut once"
        shoe.cut = position
        shoe.save(update_fields=["cut"])

    def write(self) -> None:
        """Write what was staged and what was refused. Called once, at the end."""
        self.refusals.write(over=self.round.over, now=self.now)
        self._writer.write(Folded(self.version, self.round, self._refs, self.lines, self._chance), self._accounts)

    # ── chips ───────────────────────────────────────────────────────────────────────────────────────────────

    def _check_balance(self, postings: Iterable[Posting]) -> None:
        assert self._accounts is not None, "a bettor moves chips only with their wallet locked"
        spent = dict(self._spent)
        for posting in postings:
            for holder, amount in ((posting.debit, posting.amount), (posting.credit, -posting.amount)):
                if holder[0] == Account.Kind.PLAYER:
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
        allowed = time_allowed(self.log, self.round, self.times)
        self.log.due_at = None if allowed is None else self.now + allowed
        self._save_clock()

    def peel(self, peels: Mapping[str, Peel], *, further: bool) -> None:
        """The cards are peeled so far now; `further` if more is uncovered than before, which prolongs the wait."""
        self.log.peeled = peels_json(peels)
        if further:
            allowed = time_allowed(self.log, self.round, self.times)
            assert allowed is not None, "somebody is waited for"
            self.log.peeled_at = self.now
            self.log.due_at = ends_at(self.log.wait_began_at, allowed, self.now)
        self.log.save(update_fields=["peeled", "peeled_at", "due_at"])

    def hold(self, until: datetime) -> None:
        """Till then nobody decides anything here and the dealer does nothing: the pit waits for a second person."""
        self.log.held_until = until
        self.stop_clock()

    def freeze(self, until: datetime) -> None:
        """The same while the pit looks: only the pit lets the round go on before that moment."""
        self.log.frozen_at = self.now
        self.hold(until)

    def release(self) -> None:
        """The round goes on, and the present wait begins anew."""
        self.log.held_until = self.log.frozen_at = None
        self.restart_clock()

    @property
    def is_held(self) -> bool:
        """Whether the pit holds this round now."""
        return self.log.held_until is not None and self.now < self.log.held_until

    def _save_clock(self) -> None:
        self.log.save(update_fields=["wait_began_at", "due_at", "held_until", "frozen_at"])


def opened_session(log: RoundLog, round_: Round, table: Table, now: datetime) -> RoundSession:
    """Write the head of a round that begins now, whose log is still empty, and return its session."""
    times = Times.of(table.times)
    update_head(log, round_, 0, times, now)
    log.save()
    return RoundSession(log, Folded(0, round_), times, now)


@contextmanager
def locked_round(
    log_id: int,
    *,
    players: Iterable[int] | None = None,
    changing: int | None = None,
    table: Table | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Iterator[RoundSession]:
    """Lock the round (and the wallets of `players`, or of the player who is `changing` their stakes and of all whose
    stakes may come back with those), hand over its session, write what was done.

    Whoever has its table locked already, in a transaction, hands that over: it is not read again, and all is written in
    that transaction. Raises RoundLog.DoesNotExist for an unknown round.
    """
    with unit_of_work() if table is None else nullcontext():
        log, now = _locked_log(log_id, table, clock)
        session = RoundSession(log, folds.folded(log), Times.of(log.table.times), now)
        if changing is not None:
            players = {changing, *map(player_of, session.round.leaning(bettor_of(changing)))}
        if players is not None:
            session.lock(players)
        yield session
        session.write()


def _locked_log(log_id: int, table: Table | None, clock: Clock) -> tuple[RoundLog, datetime]:
    """The round, whose row is locked, with its table, which is read as well unless it is handed over; and the time,
    read once the lock is there."""
    columns, source, which, values = sql.columns_of(RoundLog, "log"), '"tables_roundlog" log', "log.id = %s", [log_id]
    if table is None:
        columns += f", {sql.columns_of(Table, 'own')}"
        source += ' JOIN "tables_table" own ON own.id = log.table_id'
    else:
        which += " AND log.table_id = %s"
        values.append(table.pk)
    found = sql.locked(columns, source, which, values, of="log", clock=clock)
    if found is None:
        raise RoundLog.DoesNotExist
    row, now = found
    own = sql.number_of(RoundLog)
    log = sql.instance_of(RoundLog, row[:own])
    log.table = table or sql.instance_of(Table, row[own:])
    return log, now
