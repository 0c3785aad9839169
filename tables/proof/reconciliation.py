"""Works out a stored round again from its public record, and compares it with the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.games.codec import opening_from
from tables.games.record import outcome_of
from tables.models import Account, RoundLog, Transfer
from tables.queries.history import record_of_log


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """The record of a round, its outcome, and where the ledger differs from it (nothing, if all is well)."""

    record: Mapping[str, object]
    outcome: Mapping[str, object]
    faults: tuple[str, ...]


@dataclass(slots=True)
class _Moved:
    """Cents that one round moved, by bet: from the wallet as a stake, and more of it once betting had closed; back when
    withdrawn, when betting closed, and when the house paid. What it forgave is no payment."""

    staked: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)
    withdrawn: Counter[str] = field(default_factory=Counter)
    trimmed: Counter[str] = field(default_factory=Counter)
    returned: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, log: RoundLog) -> _Moved:
        moved = cls()
        rows = Transfer.objects.filter(log=log).values_list("bet", "debit__kind", "credit__kind", "reason", "amount")
        for bet, debit, credit, reason, amount in rows:
            if reason == Transfer.Reason.REVERSED:
                moved.returned[bet] -= amount
            elif debit == Account.Kind.PLAYER:
                (moved.more if reason == Transfer.Reason.MORE else moved.staked)[bet] += amount
            elif credit == Account.Kind.PLAYER and bet:
                kinds = {str(Transfer.Reason.WITHDRAW): moved.withdrawn, str(Transfer.Reason.TRIM): moved.trimmed}
                kinds.get(reason, moved.returned)[bet] += amount
        return moved


def reconcile(log: RoundLog) -> Reconciliation:
    """Play the round's record and hold its outcome against the ledger. Raises ValueError if the round is not over."""
    record = record_of_log(log)
    outcome = outcome_of(record)
    return Reconciliation(record, outcome, tuple(_differences(log, record, outcome)))


def _differences(log: RoundLog, record: Mapping[str, Any], outcome: Mapping[str, Any]) -> Iterator[str]:
    moved = _Moved.of(log)
    lay = Counter({stake.bet: stake.amount for stake in opening_from(log.opening).carried})
    lay += moved.staked
    lay.subtract(moved.withdrawn)
    bets = {bet["id"]: bet for bet in record["bets"]}
    staked: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    void = outcome["result"] == {"void": True}
    seen = set()
    for paid in outcome["bets"]:
        bet = paid["id"]
        seen.add(bet)
        amount, by = bets[bet]["amount"], bets[bet]["by"]
        # What was trimmed stands in a record as a stake that came back, or (see record_of) not at all.
        if amount == lay[bet]:
            back = moved.trimmed[bet] + moved.returned[bet]
        elif amount == lay[bet] - moved.trimmed[bet]:
            back = moved.returned[bet]
        else:
            yield f"bet {bet}: the record has {amount} on the layout, the ledger {lay[bet]}"
            continue
        # A record leaves out what was staked for cards that a void stopped (see record_of): it came back, as the rest.
        left_out = back - paid["returned"] if void else 0
        if back != paid["returned"] and not 0 < left_out <= moved.more[bet]:
            yield f"bet {bet}: {paid['returned']} returns by the rules, {back} by the ledger"
        staked[by] += (0 if bets[bet].get("carried") else amount) + moved.more[bet] - left_out
        returned[by] += back - left_out
    for bet in lay.keys() - seen:
        # Taken down when betting closed, or given back because the round was void before it did.
        back = moved.trimmed[bet] + moved.returned[bet]
        if back != lay[bet] or moved.more[bet]:
            yield f"bet {bet}: not accepted by the rules; {lay[bet]} lay there by the ledger and {back} came back"
    for who in sorted({*outcome["staked"], *staked, *returned}):
        for name, by_ledger in (("staked", staked), ("returned", returned)):
            if outcome[name].get(who, 0) != by_ledger[who]:
                yield f"{who}: {name} {outcome[name].get(who, 0)} by the rules, {by_ledger[who]} by the ledger"
