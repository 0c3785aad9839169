"""The proof that no cent was lost or invented. Reads everything, changes nothing.

The same function runs in `manage.py audit`, after every scenario test, and in the pit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import Count, Sum

from . import queries
from .chance import OpenedPack, Vault
from .games.cards import Card, cards
from .games.codec import action_from
from .games.protocol import DrawCard, Refused, Round
from .models import Account, LoggedAction, RoundLog, Shoe, Transfer
from .services.bookkeeping import entries_of, player_id
from .services.wallet import Holder


@dataclass(slots=True)
class Report:
    """What was looked at, and everything that does not agree. Empty faults mean that the house is in order."""

    accounts: int = 0
    transfers: int = 0
    rounds: int = 0
    shoes: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.faults


def audit(vault: Vault | None = None) -> Report:
    """Check ledger, logs and shoes against each other. With the dealers' vault, shoes in use are checked too."""
    report = Report()
    lying: dict[int, int] = {}
    report.faults += _balances(report)
    report.faults += _of_no_round()
    report.faults += _rounds(report, lying)
    report.faults += _escrows(lying)
    report.faults += _shoes(report, vault)
    return report


OF_NO_ROUND = {
    ("welcome", Account.Kind.MINT, Account.Kind.PLAYER),
    ("top-up", Account.Kind.MINT, Account.Kind.PLAYER),
    ("mint", Account.Kind.MINT, Account.Kind.HOUSE),
    ("float", Account.Kind.HOUSE, Account.Kind.FLOAT),
}
"""What moves chips outside a round: reason, from, to (docs/money.md)."""

IMPOSSIBLE = (Refused, AssertionError, ValueError, LookupError, TypeError)
"""What folding or opening raises when the stored thing is not what was written."""


def _balances(report: Report) -> Iterator[str]:
    """Each balance is the sum of its transfers; all together are nothing."""
    sums: Counter[int] = Counter()
    for pk, total in Transfer.objects.values_list("credit").annotate(total=Sum("amount")):
        sums[pk] += total
    for pk, total in Transfer.objects.values_list("debit").annotate(total=Sum("amount")):
        sums[pk] -= total
    whole = 0
    for account in Account.objects.all():
        report.accounts += 1
        whole += account.balance
        if account.balance != sums[account.pk]:
            yield f"{account} holds {account.balance}, its transfers sum to {sums[account.pk]}"
        if account.balance < 0 and account.kind in (Account.Kind.PLAYER, Account.Kind.ESCROW):
            yield f"{account} is in debt: {account.balance}"
    if whole:
        yield f"all balances sum to {whole}, not to 0"
    report.transfers = Transfer.objects.count()


def _of_no_round() -> Iterator[str]:
    """Outside rounds chips move only for the reasons that there are, and nobody is welcomed twice."""
    moved = Transfer.objects.filter(log__isnull=True)
    kinds = moved.values_list("reason", "debit__kind", "credit__kind")
    for reason, debit, credit, count, total in kinds.annotate(count=Count("pk"), total=Sum("amount")).order_by():
        if (reason, debit, credit) not in OF_NO_ROUND:
            yield f"{reason} of {total} from {debit} to {credit}: {count} such transfers, which no deed makes"
    welcomed = moved.filter(reason="welcome").values_list("credit").annotate(count=Count("pk")).order_by()
    for account, count in welcomed.filter(count__gt=1):
        yield f"player {account} was welcomed {count} times"


def _rounds(report: Report, lying: dict[int, int]) -> Iterator[str]:
    """Each log folds to what its head says, and moved exactly the chips that its lines move.

    Notes in `lying` what is left on the layout of each table.
    """
    holders = {
        pk: (kind, player or table or 0)
        for pk, kind, player, table in Account.objects.values_list("pk", "kind", "player_id", "table_id")
    }
    carried: dict[int, dict[str, int]] = defaultdict(dict)
    for log in RoundLog.objects.order_by("table_id", "number").iterator():
        report.rounds += 1
        left = _Left(carried[log.table_id])
        yield from _round(log, holders, left)
        carried[log.table_id], lying[log.table_id] = left.carried, left.lying


@dataclass(slots=True)
class _Left:
    """What one round leaves: the stakes carried to the next, by bet, and all that lies on the layout. In cents."""

    carried: dict[str, int]
    lying: int = 0


def _round(log: RoundLog, holders: dict[int, Holder], left: _Left) -> Iterator[str]:
    name = f"round {log.pk}"
    lines = list(LoggedAction.objects.filter(log=log).order_by("seq"))
    if [line.seq for line in lines] != list(range(1, log.version + 1)):
        yield f"{name}: the log has lines {[line.seq for line in lines]}, its head says {log.version}"
        return
    carried, left.carried = left.carried, {}
    expected = {}
    seq = 0
    try:
        round_ = queries.opened(log)
        if dict(round_.held()) != carried:
            yield f"{name} opens with {dict(round_.held())} carried, the one before left {carried}"
        for line in lines:
            seq = line.seq
            action = action_from(queries.game_of(log), line.action)
            after: Round = round_.apply(action)
            for entry in entries_of(log.pk, log.table_id, seq, round_, action, after):
                expected[entry.key] = (entry.debit, entry.credit, entry.amount)
            round_ = after
    except IMPOSSIBLE as error:
        yield f"{name}: line {seq} cannot stand: {type(error).__name__} {error}"
        return
    left.lying = sum(round_.held().values())
    found = {
        key: (holders[debit], holders[credit], amount)
        for key, debit, credit, amount in Transfer.objects.filter(log=log).values_list(
            "key", "debit_id", "credit_id", "amount"
        )
    }
    for key in expected.keys() - found.keys():
        yield f"{name}: {key} was never paid: {expected[key]}"
    for key in found.keys() - expected.keys():
        yield f"{name}: {key} moved {found[key]} without a line that orders it"
    for key in expected.keys() & found.keys():
        if expected[key] != found[key]:
            yield f"{name}: {key} moved {found[key]} instead of {expected[key]}"
    if round_.over != (log.settled_at is not None) or str(round_.phase) != log.phase:
        yield f"{name}: its head says {log.phase}, its log {round_.phase}"
    if round_.over:
        left.carried = dict(round_.held())
        yield from _payouts(log, round_)


def _payouts(log: RoundLog, round_: Round) -> Iterator[str]:
    """What each bettor got back at the end is what the rules say, whichever way the entries were cut."""
    owed: Counter[int] = Counter()
    for payout in round_.payouts():
        owed[player_id(payout.by)] += payout.returned
    paid: Counter[int] = Counter()
    settled = Transfer.objects.filter(log=log, key__startswith="settle:", credit__kind=Account.Kind.PLAYER)
    for player, total in settled.values_list("credit__player_id").annotate(total=Sum("amount")):
        paid[player] += total
    if +owed != +paid:
        yield f"round {log.pk} owes {dict(+owed)} and paid {dict(+paid)}"


def _escrows(lying: dict[int, int]) -> Iterator[str]:
    """What lies in escrow is what lies on the layouts."""
    for account in Account.objects.filter(kind=Account.Kind.ESCROW).select_related("table"):
        there = lying.get(account.table_id or 0, 0)
        if there != account.balance:
            yield f"table {account.table}: {there} on the layout, {account.balance} in escrow"


def _shoes(report: Report, vault: Vault | None) -> Iterator[str]:
    """The cards in the logs are the sealed ones, in their order."""
    for shoe in Shoe.objects.order_by("pk").iterator():
        report.shoes += 1
        name = f"shoe {shoe.pk}"
        try:
            drawn = list(_drawn(shoe))
        except IMPOSSIBLE as error:
            yield f"{name}: the lines of its cards cannot be read: {error}"
            continue
        if len(drawn) != shoe.dealt:
            yield f"{name}: {shoe.dealt} cards have left it, the logs have {len(drawn)}"
        try:
            pack = _opened(shoe, vault)
        except IMPOSSIBLE as error:
            yield f"{name} cannot be read: {error}"
            continue
        if pack is None:
            continue
        if pack.commitment != shoe.commitment:
            yield f"{name}: its order is not the one that was committed to"
        if drawn != list(pack.dealt_order(shoe.cut or 0)[: len(drawn)]):
            yield f"{name}: the cards in the logs are not in its order"


def _drawn(shoe: Shoe) -> Iterator[Card]:
    """The cards of this shoe in the logs, in order."""
    for log in RoundLog.objects.filter(shoe=shoe).order_by("number"):
        for data, _ in queries.lines_of(log):
            action = action_from(queries.game_of(log), data)
            if isinstance(action, DrawCard):
                yield action.card


def _opened(shoe: Shoe, vault: Vault | None) -> OpenedPack | None:
    """Its order: as published, or as the dealers' key shows it; None for those who have no key."""
    if shoe.opened is not None:
        return OpenedPack(shoe.opened["salt"], cards(shoe.opened["order"]))
    return vault.open(bytes(shoe.sealed)) if vault is not None else None
