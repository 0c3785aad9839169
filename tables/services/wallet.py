"""Where chips move. The only code that writes the ledger.

A posting is a list of entries, each from one account to another. Its accounts are locked in the order of their
ids; then one INSERT writes all transfers and one UPDATE all balances, however many entries there are. A key is
unique for ever, so that the same deed cannot move money twice. All amounts are integer cents.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, models

from tables.games.protocol import Refused
from tables.games.words import Amount, say
from tables.models import Account, Realm

from . import bulk

Holder = tuple[str, int]
"""An account by kind and owner: ("player", 7), ("escrow", 3), ("float", 3), ("jackpot", 1); house and mint by their
realm: ("house", 0), …"""


def house_of(realm: int) -> Holder:
    """The house, as it stands in this realm."""
    return ("house", realm)


def mint_of(realm: int) -> Holder:
    """Where the credits of this realm come from."""
    return ("mint", realm)


HOUSE, MINT = house_of(Realm.FLOOR), mint_of(Realm.FLOOR)
"""Those of the floor, where people play with their own chips."""


def player(player_id: int) -> Holder:
    """The wallet of a player."""
    return ("player", player_id)


def escrow(table_id: int) -> Holder:
    """Where the stakes on a table's layout lie."""
    return ("escrow", table_id)


def float_of(table_id: int) -> Holder:
    """The chips of a table."""
    return ("float", table_id)


def jackpot(jackpot_id: int) -> Holder:
    """What lies in a progressive jackpot."""
    return ("jackpot", jackpot_id)


class Short(Refused):
    """He has not the chips for it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`amount` cents from `debit` to `credit`, for `reason`, by whom, under a key that is used once."""

    key: str
    debit: Holder
    credit: Holder
    amount: int
    reason: str
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
    players = [owner for kind, owner in wanted if kind == "player"]
    tables = [(kind, owner) for kind, owner in wanted if kind in ("escrow", "float")]
    jackpots = [owner for kind, owner in wanted if kind == "jackpot"]
    singles = [(kind, realm) for kind, realm in wanted if kind in ("house", "mint")]
    which = models.Q(pk__in=())
    if players:
        which |= models.Q(player_id__in=players)
    for kind, table_id in tables:
        which |= models.Q(kind=kind, table_id=table_id)
    if jackpots:
        which |= models.Q(jackpot_id__in=jackpots)
    for kind, realm in singles:
        which |= models.Q(kind=kind, realm=realm)
    rows = (
        Account.objects.select_for_update()
        .filter(which)
        .order_by("pk")
        .values_list("pk", "kind", "player_id", "table_id", "jackpot_id", "realm", "balance")
    )
    return Locked(
        {holder(kind, player, table, pool, realm): (pk, cents) for pk, kind, player, table, pool, realm, cents in rows}
    )


def holder(kind: str, player: int | None, table: int | None, jackpot: int | None, realm: int) -> Holder:
    """What an account with these owners is called."""
    return (kind, player or table or jackpot or realm)


def post(accounts: Locked, entries: Sequence[Entry], *, at: datetime, log_id: int | None = None) -> None:
    """Move the entries' chips between locked accounts.

    Raises Refused (nothing moved) if a player's wallet would fall below zero, AssertionError if an escrow or a
    jackpot would.
    """
    if not entries:
        return
    change: defaultdict[Holder, int] = defaultdict(int)
    for entry in entries:
        assert type(entry.amount) is int, entry
        assert entry.amount > 0, entry
        change[entry.debit] -= entry.amount
        change[entry.credit] += entry.amount
    for holder, delta in change.items():
        if delta < 0 and holder[0] == "player" and accounts.balances[holder] + delta < 0:
            raise short_of(-delta, accounts.balances[holder])
        assert holder[0] not in ("escrow", "jackpot") or accounts.balances[holder] + delta >= 0, (
            f"the {holder[0]} holds less than it must give"
        )
    _insert(accounts, entries, at, log_id)
    _update({accounts.ids[holder]: delta for holder, delta in change.items() if delta})
    for holder, delta in change.items():
        accounts.balances[holder] += delta


def short_of(needed: int, balance: int) -> Short:
    """The refusal of somebody who has `balance` and would need `needed` cents."""
    return Short(
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


def mint(entries: Sequence[Entry], *, at: datetime) -> None:
    """Move what comes from or goes through the mint and the house; locks what it needs."""
    post(lock(holder for entry in entries for holder in (entry.debit, entry.credit)), entries, at=at)


def balance_of(player_id: int) -> int:
    """A player's balance in cents."""
    return Account.objects.values_list("balance", flat=True).get(player_id=player_id)


# ── Two statements, whatever the number of entries ──────────────────────────────────────────────────────────


def _insert(accounts: Locked, entries: Sequence[Entry], at: datetime, log_id: int | None) -> None:
    columns = {
        "key": "text", "debit": "bigint", "credit": "bigint", "amount": "bigint", "reason": "text", "bet": "text",
        "by": "text",
    }  # fmt: skip
    rows = [
        {
            "key": entry.key,
            "debit": accounts.ids[entry.debit],
            "credit": accounts.ids[entry.credit],
            "amount": entry.amount,
            "reason": entry.reason,
            "bet": entry.bet,
            "by": entry.by,
        }
        for entry in entries
    ]
    names = ", ".join(f'row."{name}"' for name in columns)
    bulk.execute(
        'INSERT INTO tables_transfer ("key", debit_id, credit_id, amount, reason, bet, "by", log_id, "at") '  # noqa: S608
        f"SELECT {names}, %s, %s FROM {bulk.rows(columns)}",
        [log_id, connection.ops.adapt_datetimefield_value(at), json.dumps(rows)],
    )


def _update(deltas: Mapping[int, int]) -> None:
    rows = [{"id": pk, "delta": delta} for pk, delta in deltas.items()]
    source = bulk.rows({"id": "bigint", "delta": "bigint"})
    bulk.execute(
        f"UPDATE tables_account SET balance = balance + row.delta FROM {source} WHERE tables_account.id = row.id",  # noqa: S608
        [json.dumps(rows)],
    )
