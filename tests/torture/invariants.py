"""What must hold whatever has happened (I1 to I15 of docs/assurance/faults.md): reckoned anew, and by the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tables.base import sql
from tables.models import Table
from tables.proof.audit import audit
from tables.queries.folds import fold_cache, round_of
from tests.house.kit import VAULT

SUMS = """
    SELECT account.id, account.kind, account.balance,
        COALESCE((SELECT SUM(amount) FROM tables_transfer WHERE credit_id = account.id), 0)
        - COALESCE((SELECT SUM(amount) FROM tables_transfer WHERE debit_id = account.id), 0)
    FROM tables_account account
"""
IN_ESCROW = """
    SELECT transfer.bet, SUM(CASE WHEN credit.kind = 'escrow' THEN amount ELSE -amount END)
    FROM tables_transfer transfer
    JOIN tables_account debit ON debit.id = debit_id JOIN tables_account credit ON credit.id = credit_id
    WHERE credit.kind = 'escrow' OR debit.kind = 'escrow' GROUP BY transfer.bet
"""


def faults(*, by_the_audit: bool = True) -> list[str]:
    """Everything that does not hold in this database now, each with its invariant."""
    found = [*_of_accounts(), *_of_bets()]
    if by_the_audit:
        found += [f"audit: {fault}" for fault in audit(VAULT).faults]
    return found


def _of_accounts() -> Iterator[str]:
    """I1, I2, I3."""
    accounts = sql.fetched(SUMS, [])
    if total := sum(balance for _, _, balance, _ in accounts):
        yield f"I1: all accounts together hold {total}"
    for pk, kind, balance, moved in accounts:
        if balance != moved:
            yield f"I2: account {pk} ({kind}) holds {balance}, and {moved} were moved to it"
        if balance < 0 and kind in ("player", "escrow", "jackpot"):
            yield f"I3: account {pk} ({kind}) holds {balance}"


def _of_bets() -> Iterator[str]:
    """I4 and I5: what was laid for each bet and not yet decided is what the present rounds say that lies there."""
    fold_cache.clear()  # what this process remembers is no witness
    lies: Counter[str] = Counter()
    for table in Table.objects.filter(round__isnull=False).select_related("round"):
        assert table.round is not None
        lies.update(dict(round_of(table.round).in_escrow()))
    laid = {bet: int(cents) for bet, cents in sql.fetched(IN_ESCROW, []) if cents}
    for bet in lies.keys() | laid.keys():
        if lies[bet] != laid.get(bet, 0):
            yield f"I4, I5: bet {bet}: {laid.get(bet, 0)} in escrow, {lies[bet]} on the layout"
