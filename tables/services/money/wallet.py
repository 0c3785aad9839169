"""Where chips move. The only code that writes the ledger.

A posting moves chips from one account to another. The accounts of all that is posted together are locked in the
order of their ids; then one INSERT writes all transfers and one UPDATE all balances, however many there are. A key is
unique for ever, so that the same act cannot move money twice. All amounts are integer cents.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tables.base import sql
from tables.games.contract.errors import Refused
from tables.games.values.quick import quickly_made
from tables.games.values.words import Amount, say
from tables.models import Account, Realm, Transfer

Reason = Transfer.Reason

Holder = tuple[str, int]
"""An account by kind and owner: ("player", 7), ("escrow", 3), ("float", 3), ("jackpot", 1); house and mint by their
realm: ("house", 0), …"""


def house_of(realm: int) -> Holder:
    """The house, as it stands in this realm."""
    return (Account.Kind.HOUSE, realm)


def mint_of(realm: int) -> Holder:
    """Where the credits of this realm come from."""
    return (Account.Kind.MINT, realm)


HOUSE, MINT = house_of(Realm.FLOOR), mint_of(Realm.FLOOR)
"""Those of the floor, where people play with their own chips."""


def player(player_id: int) -> Holder:
    """The wallet of a player."""
    return (Account.Kind.PLAYER, player_id)


def escrow(table_id: int) -> Holder:
    """Where the stakes on a table's layout lie."""
    return (Account.Kind.ESCROW, table_id)


def float_of(table_id: int) -> Holder:
    """The chips of a table."""
    return (Account.Kind.FLOAT, table_id)


def jackpot(jackpot_id: int) -> Holder:
    """What lies in a progressive jackpot."""
    return (Account.Kind.JACKPOT, jackpot_id)


class InsufficientFunds(Refused):
    """Whoever pays has not enough chips for it."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Posting:
    """`amount` cents from `debit` to `credit`, for `reason`, by whom, under a key that is used once."""

    key: str
    debit: Holder
    credit: Holder
    amount: int
    reason: Reason
    by: str
    bet: str = ""


class Locked:
    """Accounts locked for the rest of the transaction, with their balances as they will be after it."""

    def __init__(self, rows: Mapping[Holder, tuple[int, int]]) -> None:
        self.ids = {holder: pk for holder, (pk, _) in rows.items()}
        self.balances = {holder: balance for holder, (_, balance) in rows.items()}


def lock(holders: Iterable[Holder]) -> Locked:
    """Lock these accounts, in the order of their ids. Raises KeyError later for one that does not exist."""
    wanted = set(holders)
    which: list[str] = []
    values: list[sql.Parameter] = []
    for kind, column in _OWNED_BY.items():
        owners = [owner for of, owner in wanted if of == kind]
        if owners:
            one_of, ids = sql.one_of(owners)
            which.append(f"(kind = '{kind}' AND {column} {one_of})")
            values.append(ids)
    if not which:
        return Locked({})
    rows = sql.fetched(
        "SELECT id, kind, player_id, table_id, jackpot_id, realm, balance FROM tables_account "  # noqa: S608
        f"WHERE {' OR '.join(which)} ORDER BY id{_for_update()}",
        values,
    )
    return Locked(
        {holder(kind, player, table, pool, realm): (pk, cents) for pk, kind, player, table, pool, realm, cents in rows}
    )


_OWNED_BY = {
    Account.Kind.PLAYER: "player_id", Account.Kind.ESCROW: "table_id", Account.Kind.FLOAT: "table_id",
    Account.Kind.JACKPOT: "jackpot_id", Account.Kind.HOUSE: "realm", Account.Kind.MINT: "realm",
}  # fmt: skip
"""The column that says whose an account of each kind is."""


def _for_update() -> str:
    """How rows are locked; a transaction of SQLite has locked them all."""
    return " FOR UPDATE" if sql.on_postgres() else ""


def holder(kind: str, player: int | None, table: int | None, jackpot: int | None, realm: int) -> Holder:
    """What an account with these owners is called."""
    return (kind, player or table or jackpot or realm)


def post(accounts: Locked, postings: Sequence[Posting], *, at: datetime, log_id: int | None = None) -> None:
    """Move the postings' chips between locked accounts.

    Raises Refused (nothing moved) if a player's wallet would fall below zero, AssertionError if an escrow or a
    jackpot would.
    """
    if not postings:
        return
    change: defaultdict[Holder, int] = defaultdict(int)
    for posting in postings:
        assert type(posting.amount) is int, posting
        assert posting.amount > 0, posting
        change[posting.debit] -= posting.amount
        change[posting.credit] += posting.amount
    for holder, delta in change.items():
        if delta < 0 and holder[0] == Account.Kind.PLAYER and accounts.balances[holder] + delta < 0:
            raise short_of(-delta, accounts.balances[holder])
        assert holder[0] not in (Account.Kind.ESCROW, Account.Kind.JACKPOT) or accounts.balances[holder] + delta >= 0, (
            f"the {holder[0]} holds less than it must give"
        )
    _insert(accounts, postings, at, log_id)
    _update({accounts.ids[holder]: delta for holder, delta in change.items() if delta})
    for holder, delta in change.items():
        accounts.balances[holder] += delta


def short_of(needed: int, balance: int) -> InsufficientFunds:
    """The refusal of somebody who has `balance` and would need `needed` cents."""
    return InsufficientFunds(
        "balance",
        say("This takes %(needed)s and you have %(balance)s.", needed=Amount(needed), balance=Amount(balance)),
    )


def open_player(player_id: int, realm: int = Realm.FLOOR) -> Account:
    """The wallet of a new player, empty."""
    return Account.objects.create(kind=Account.Kind.PLAYER, player_id=player_id, realm=realm)


def open_house(realm: int = Realm.FLOOR) -> None:
    """House and mint of a realm, if they are not there yet."""
    for kind in (Account.Kind.HOUSE, Account.Kind.MINT):
        Account.objects.get_or_create(kind=kind, realm=realm)


def open_table(table_id: int, realm: int = Realm.FLOOR) -> None:
    """Escrow and float of a new table, empty."""
    open_house(realm)
    for kind in (Account.Kind.ESCROW, Account.Kind.FLOAT):
        Account.objects.get_or_create(kind=kind, table_id=table_id, realm=realm)


def open_jackpot(jackpot_id: int, realm: int = Realm.FLOOR) -> None:
    """The account of a new jackpot, empty."""
    open_house(realm)
    Account.objects.create(kind=Account.Kind.JACKPOT, jackpot_id=jackpot_id, realm=realm)


def mint(postings: Sequence[Posting], *, at: datetime) -> None:
    """Move what comes from or goes through the mint and the house; locks what it needs."""
    post(lock(holder for posting in postings for holder in (posting.debit, posting.credit)), postings, at=at)


def balance_of(player_id: int) -> int:
    """A player's balance in cents; 0 for a login without a wallet (one that `createsuperuser` made)."""
    return Account.objects.filter(player_id=player_id).values_list("balance", flat=True).first() or 0


# ── Two statements, whatever the number of postings ──────────────────────────────────────────────────────────


def _insert(accounts: Locked, postings: Sequence[Posting], at: datetime, log_id: int | None) -> None:
    columns = {
        "key": "text", "debit": "bigint", "credit": "bigint", "amount": "bigint", "reason": "text", "bet": "text",
        "by": "text",
    }  # fmt: skip
    rows = [
        {
            "key": posting.key,
            "debit": accounts.ids[posting.debit],
            "credit": accounts.ids[posting.credit],
            "amount": posting.amount,
            "reason": posting.reason,
            "bet": posting.bet,
            "by": posting.by,
        }
        for posting in postings
    ]
    names = ", ".join(f'row."{name}"' for name in columns)
    sql.execute(
        'INSERT INTO tables_transfer ("key", debit_id, credit_id, amount, reason, bet, "by", log_id, "at") '  # noqa: S608
        f"SELECT {names}, %s, %s FROM {sql.rows(columns)}",
        [log_id, sql.moment(at), json.dumps(rows)],
    )


def _update(deltas: Mapping[int, int]) -> None:
    rows = [{"id": pk, "delta": delta} for pk, delta in deltas.items()]
    source = sql.rows({"id": "bigint", "delta": "bigint"})
    sql.execute(
        f"UPDATE tables_account SET balance = balance + row.delta FROM {source} WHERE tables_account.id = row.id",  # noqa: S608
        [json.dumps(rows)],
    )
