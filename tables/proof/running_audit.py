"""The audit of a house that deals: what is new since it looked last, table by table, all of one moment. Reads only.

`audit` reads everything, at night. This one remembers up to where it has come: the sum of each account's transfers and
the last round of each table that agreed. So a look costs what has happened since, not what there is. What a look finds
is of one table wherever it can be: that one stops (`tables.services.pit.books`), the others deal on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q, QuerySet, Sum

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import snapshot
from tables.models import Account, EventHead, Lease, RoundLog, Table, Transfer
from tables.services.dealing.enrolment import is_signed_lease
from tables.services.journal import events
from tables.services.money.wallet import Holder

from .audit import moves_by_law
from .rounds import Left, faults_of, holders_of_accounts

BACK = timedelta(days=1)
"""A first look begins with the rounds that ended within so long: what is older is the nightly audit's."""

ROUNDS_AT_ONCE = 200
"""So many rounds are looked at in one look at the most; the next goes on there. No look is long."""

SETTLED_AFTER = timedelta(minutes=1)
"""A transfer so old is summed up for good: by then no transaction that began before it can still write."""

ACCOUNTS_BY_ID = 500
"""If more accounts have moved than so many, all are read."""


class Finding(StrEnum):
    """What can be found; `tables.services.journal.alert_words` says it in words."""

    ROUND = "round"
    LAYOUT = "layout"
    BALANCE = "balance"
    REALM = "realm"
    OUTSIDE = "outside"
    LEASE = "lease"
    EVENTS = "events"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not agree. `key` stays the same as long as it is the same fault; `table` is the one that it
    is of, and `log` its round. `text` is for the log of the process: of a round that is played it says no more than
    that, since what lies there may be secret."""

    finding: Finding
    key: str
    text: str
    table: int | None = None
    log: int | None = None


@dataclass(slots=True)
class _TableState:
    """Up to which round a table agreed, what that one left to the next by bet (None: not known), and what of it lies on
    the layout."""

    number: int
    carried: dict[str, int] | None = None


@dataclass(slots=True)
class RunningAudit:
    """What one process remembers from look to look. `rounds` counts those that were looked at, for good."""

    clock: Clock = DATABASE_CLOCK
    rounds: int = 0
    _sums: Counter[int] = field(default_factory=Counter)
    _summed: int | None = None
    _seen: int = 0
    _events: tuple[int, str] | None = None
    _tables: dict[int, _TableState] = field(default_factory=dict)

    def look(self) -> list[Fault]:
        """Everything that does not agree now, in one snapshot."""
        with snapshot():
            now = self.clock.now()
            first = self._summed is None
            fresh = self._sum_up(now - SETTLED_AFTER)
            found = [*self._outside(), *self._balances(fresh, all_of_them=first), *self._rounds(now)]
            found += self._leases()
            found += self._chain_of_events()
            self._seen = max(self._seen, Transfer.objects.order_by("-pk").values_list("pk", flat=True).first() or 0)
        return found

    # ── accounts ────────────────────────────────────────────────────────────────────────────────────────────

    def _sum_up(self, until: datetime) -> Counter[int]:
        """Add what has settled to the sums, and return what came after it, by account."""
        if self._summed is None:
            newest = Transfer.objects.order_by("-pk").values_list("pk", "at").iterator()
            self._summed = next((pk for pk, at in newest if at <= until), 0)
            before = Transfer.objects.filter(pk__lte=self._summed)
            for sign, side in ((1, "credit"), (-1, "debit")):
                for pk, total in before.values_list(side).annotate(total=Sum("amount")).order_by():
                    self._sums[pk] += sign * total
            self._seen = self._summed
        fresh: Counter[int] = Counter()
        rows = Transfer.objects.filter(pk__gt=self._summed).order_by("pk")
        for pk, debit, credit, amount, at in rows.values_list("pk", "debit_id", "credit_id", "amount", "at").iterator():
            if at <= until and not fresh:
                self._summed, sums = pk, self._sums
            else:
                sums = fresh
            sums[debit] -= amount
            sums[credit] += amount
        return fresh

    def _balances(self, fresh: Counter[int], *, all_of_them: bool) -> Iterator[Fault]:
        """Each balance that may have moved is the sum of its transfers, and all of a realm together are nothing."""
        for realm, total in Account.objects.values_list("realm").annotate(total=Sum("balance")).order_by():
            if total:
                all_of_them = True
                yield Fault(Finding.REALM, f"realm:{realm}:{total}", f"all balances of realm {realm} sum to {total}")
        accounts = Account.objects.order_by("pk")
        if not all_of_them and len(fresh) <= ACCOUNTS_BY_ID:
            accounts = accounts.filter(Q(pk__in=list(fresh)) | ~Q(kind=Account.Kind.PLAYER))
        for account in accounts:
            if account.balance == self._sums[account.pk] + fresh[account.pk]:
                continue
            exact = _sum_of(account)  # what was summed up too early is mended
            self._sums[account.pk] = exact - fresh[account.pk]
            if account.balance != exact:
                text = f"{account} holds {account.balance}, its transfers sum to {exact}"
                key = f"balance:{account.pk}:{account.balance - exact}"
                for table in _tables_of(account):
                    yield Fault(Finding.BALANCE, f"{key}:{table or ''}", text, table)

    def _outside(self) -> Iterator[Fault]:
        """What has moved outside of rounds since the last look moved for a reason that there is."""
        moved = Transfer.objects.filter(pk__gt=self._seen, log__isnull=True).select_related("debit", "credit")
        for transfer in moved.order_by("pk"):
            debit, credit = transfer.debit, transfer.credit
            if not moves_by_law(transfer.reason, debit.kind, credit.kind, debit.realm):
                text = f"transfer {transfer.pk}: {transfer.reason} from {debit} to {credit}, which no deed makes"
                yield Fault(Finding.OUTSIDE, f"outside:{transfer.pk}", text, debit.table_id or credit.table_id)

    # ── rounds ──────────────────────────────────────────────────────────────────────────────────────────────

    def _rounds(self, now: datetime) -> Iterator[Fault]:
        """Each round that has ended since, and the present one of each table, with what lies in escrow there."""
        holders, left = holders_of_accounts(), ROUNDS_AT_ONCE
        escrows = dict(Account.objects.filter(kind=Account.Kind.ESCROW).values_list("table_id", "balance"))
        touched = self._moved_again()
        for table in Table.objects.select_related("round").order_by("pk"):
            state, present = self._state_of(table, now), table.round
            runs = present is not None and present.settled_at is None
            ended: Iterable[RoundLog] = ()
            if present is None or present.number > state.number + runs:  # else nothing has ended here since
                since = RoundLog.objects.filter(table=table, number__gt=state.number, settled_at__isnull=False)
                ended = since.order_by("number").select_related("table")[:left]
            for log in (*touched.get(table.pk, ()), *ended):
                carried, faults = _of_round(log, holders, state.carried if log.number == state.number + 1 else None)
                yield from faults
                if log.number > state.number:
                    self.rounds, left = self.rounds + 1, left - 1
                if log.number >= state.number:
                    state.number, state.carried = log.number, carried
            lying = state.carried
            if present is not None and present.number > state.number + runs:
                continue  # there are rounds before it that were not looked at yet
            if present is not None and runs:
                present.table = table
                lying, faults = _of_round(present, holders, state.carried)
                yield from faults
            if lying is not None and sum(lying.values()) != escrows.get(table.pk, 0):
                apart = escrows.get(table.pk, 0) - sum(lying.values())
                text = f"table {table}: {sum(lying.values())} on the layout, {escrows.get(table.pk, 0)} in escrow"
                yield Fault(Finding.LAYOUT, f"layout:{table.pk}:{apart}", text, table.pk, table.round_id)

    def _state_of(self, table: Table, now: datetime) -> _TableState:
        """What is remembered of this table; a first look begins behind the rounds that ended a day ago."""
        if table.pk not in self._tables:
            older = RoundLog.objects.filter(table=table, settled_at__lte=now - BACK).order_by("-number")
            number = older.values_list("number", flat=True).first() or 0
            self._tables[table.pk] = _TableState(number, {} if number == 0 else None)
        return self._tables[table.pk]

    def _moved_again(self) -> dict[int, list[RoundLog]]:
        """Rounds by table that agreed before, and for which something has moved since."""
        moved = Transfer.objects.filter(pk__gt=self._seen, log__isnull=False).values_list("log_id", flat=True)
        again: dict[int, list[RoundLog]] = {}
        logs = RoundLog.objects.filter(pk__in=moved, settled_at__isnull=False).select_related("table")
        for log in logs.order_by("table_id", "number"):
            state = self._tables.get(log.table_id)
            if state is not None and log.number <= state.number:
                again.setdefault(log.table_id, []).append(log)
        return again

    # ── the rest ────────────────────────────────────────────────────────────────────────────────────────────

    def _leases(self) -> Iterator[Fault]:
        for lease in Lease.objects.exclude(owner="").select_related("dealer").order_by("table_id"):
            if not is_signed_lease(lease):
                text = f"table {lease.table_id} is run by {lease.owner}, whom no enrolled dealer's key has signed for"
                yield Fault(Finding.LEASE, f"lease:{lease.table_id}:{lease.epoch}", text, lease.table_id)

    def _chain_of_events(self) -> Iterator[Fault]:
        """The events that are new follow those of before; the first look begins at the end of the chain."""
        head = EventHead.objects.values_list("seq", "digest").first() or (0, "")
        for text in events.faults(head if self._events is None else self._events):
            yield Fault(Finding.EVENTS, f"events:{head[0]}", text)
        self._events = head


def _of_round(
    log: RoundLog, holders: dict[int, Holder], carried: dict[str, int] | None
) -> tuple[dict[str, int] | None, list[Fault]]:
    """What lies on the layout after this round, by bet (None if that cannot be said), and whether it agrees."""
    left = Left(carried)
    texts = list(faults_of(log, holders, left))
    if not texts:
        return left.lying, []
    text = texts[0] if log.settled_at is not None else f"round {log.pk}: log and ledger do not agree"
    return left.lying, [Fault(Finding.ROUND, f"round:{log.pk}", text, log.table_id, log.pk)]


def _sum_of(account: Account) -> int:
    """What all transfers of an account sum to, in cents."""

    def total(moved: QuerySet[Transfer]) -> int:
        return moved.aggregate(total=Sum("amount"))["total"] or 0

    return total(Transfer.objects.filter(credit=account)) - total(Transfer.objects.filter(debit=account))


def _tables_of(account: Account) -> Iterable[int | None]:
    """The tables that have to do with an account: its own, or those of its jackpot; none of a player and the house."""
    if account.jackpot_id is None:
        return (account.table_id,)
    return Table.objects.filter(jackpot_id=account.jackpot_id).order_by("pk").values_list("pk", flat=True)
