"""The proof that no cent was lost or invented. Reads everything, changes nothing.

The same function runs in `manage.py audit` and after every scenario test. All of it is read in one snapshot, so that a
house that deals meanwhile is in order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import Count, F, Sum

from tables.base import archive_files
from tables.base.archive_files import ArchiveError
from tables.base.chance import Vault
from tables.base.transactions import snapshot
from tables.models import (
    Account,
    Archive,
    Event,
    Jackpot,
    Lease,
    Player,
    Realm,
    RoundLog,
    SealedThrow,
    Shoe,
    TableDay,
    Transfer,
)
from tables.queries import statistics
from tables.queries.archived import folder
from tables.queries.round_figures import NOTHING
from tables.services.dealing.enrolment import is_signed_lease
from tables.services.journal import events
from tables.services.money import jackpots, wallet
from tables.services.money.wallet import Reason

from . import laws, sealed
from .anchors import Anchors
from .rounds import Left, Move, faults_of, holders_of_accounts


@dataclass(slots=True)
class Report:
    """What was looked at, and everything that does not agree. Empty faults mean that the house is in order."""

    accounts: int = 0
    transfers: int = 0
    rounds: int = 0
    shoes: int = 0
    throws: int = 0
    anchors: int = 0
    days: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.faults


def audit(vault: Vault | None = None, anchors: Anchors | None = None) -> Report:
    """Check ledger, logs and shoes against each other. With the dealers' vault, what is still sealed is checked too;
    with the anchors, that nothing of the past was written anew."""
    if anchors is not None:
        anchors.read()  # before the database: what is anchored later is not in this snapshot
    with snapshot():
        return _audit(vault, anchors)


def _audit(vault: Vault | None, anchors: Anchors | None) -> Report:
    report = Report()
    lying: dict[int, int] = {}
    moves: list[Move] = []
    report.faults += _balances(report)
    report.faults += _of_no_round()
    report.faults += _rounds(report, lying, moves)
    report.faults += _escrows(lying)
    report.faults += _jackpots(moves)
    report.shoes, report.throws = Shoe.objects.count(), SealedThrow.objects.count()
    report.faults += sealed.faults(vault)
    report.faults += _leases()
    report.faults += _archives()
    report.faults += _days(report)
    report.faults += events.faults()
    report.faults += laws.faults()
    if anchors is not None:
        report.anchors = anchors.count()
        report.faults += anchors.faults()
    return report


OF_NO_ROUND = {
    (Reason.WELCOME, Account.Kind.MINT, Account.Kind.PLAYER),
    (Reason.TOP_UP, Account.Kind.MINT, Account.Kind.PLAYER),
    (Reason.VISIT, Account.Kind.MINT, Account.Kind.PLAYER),
    (Reason.CHECKOUT, Account.Kind.PLAYER, Account.Kind.MINT),
    (Reason.MINT, Account.Kind.MINT, Account.Kind.HOUSE),
    (Reason.FLOAT, Account.Kind.HOUSE, Account.Kind.FLOAT),
    (Reason.FILL, Account.Kind.HOUSE, Account.Kind.FLOAT),
    (Reason.CREDIT, Account.Kind.FLOAT, Account.Kind.HOUSE),
    (Reason.COUNT, Account.Kind.FLOAT, Account.Kind.HOUSE),
    (Reason.COUNT, Account.Kind.HOUSE, Account.Kind.FLOAT),
    (Reason.SEED, Account.Kind.HOUSE, Account.Kind.JACKPOT),
    (Reason.COMP, Account.Kind.HOUSE, Account.Kind.PLAYER),
    (Reason.ADJUSTMENT, Account.Kind.HOUSE, Account.Kind.PLAYER),
    (Reason.ADJUSTMENT, Account.Kind.PLAYER, Account.Kind.HOUSE),
}
"""What moves chips outside a round: reason, from, to (docs/money.md)."""

OF_ONE_REALM: Mapping[str, Realm] = {
    Reason.WELCOME: Realm.FLOOR,
    Reason.TOP_UP: Realm.FLOOR,
    Reason.VISIT: Realm.KIOSKS,
    Reason.CHECKOUT: Realm.KIOSKS,
}
"""… and what does so only in one realm."""


def moves_by_law(reason: str, debit: str, credit: str, realm: int) -> bool:
    """Whether some deed moves chips so outside of rounds: why, from and to what kind of account, in which realm."""
    return (reason, debit, credit) in OF_NO_ROUND and realm == OF_ONE_REALM.get(reason, realm)


def _balances(report: Report) -> Iterator[str]:
    """Each balance is the sum of its transfers; all of a realm together are nothing, and no chip leaves it."""
    sums: Counter[int] = Counter()
    for pk, total in Transfer.objects.values_list("credit").annotate(total=Sum("amount")):
        sums[pk] += total
    for pk, total in Transfer.objects.values_list("debit").annotate(total=Sum("amount")):
        sums[pk] -= total
    whole: Counter[Realm] = Counter()
    people = {pk: (name, kiosk) for pk, name, kiosk in Player.objects.values_list("pk", "name", "kiosk_id")}
    for account in Account.objects.select_related("table__jackpot", "jackpot"):
        report.accounts += 1
        realm = Realm(account.realm)
        whole[realm] += account.balance
        owner, of_owner = _owner_of(account, people) or ("", realm)
        if of_owner != realm:
            yield f"{account} is of {realm.name}, its owner {owner} is not"
        if account.table is not None and account.table.jackpot is not None and account.table.jackpot.realm != realm:
            yield f"{account} is of {realm.name}, the jackpot {account.table.jackpot} is not"
        if account.balance != sums[account.pk]:
            yield f"{account} holds {account.balance}, its transfers sum to {sums[account.pk]}"
        if account.balance < 0 and account.kind in ("player", "escrow", "jackpot"):
            yield f"{account} is in debt: {account.balance}"
    for realm, sum_ in whole.items():
        if sum_:
            yield f"all balances of {realm.name} sum to {sum_}, not to 0"
    for transfer in Transfer.objects.exclude(debit__realm=F("credit__realm")):
        yield f"{transfer} moved {transfer.amount} from one realm to another"
    report.transfers = Transfer.objects.count()


def _owner_of(account: Account, people: Mapping[int, tuple[str, int | None]]) -> tuple[str, Realm] | None:
    """The name of an account's owner, and the realm that they play in. Of people an audit reads nothing else."""
    if account.player_id is not None:
        name, kiosk = people[account.player_id]
        return name, Realm.FLOOR if kiosk is None else Realm.KIOSKS
    place = account.table or account.jackpot
    return None if place is None else (str(place), Realm(place.realm))


def _of_no_round() -> Iterator[str]:
    """Outside rounds chips move only for the reasons that there are, each where it belongs, and nobody is welcomed
    twice."""
    moved = Transfer.objects.filter(log__isnull=True)
    kinds = moved.values_list("reason", "debit__kind", "credit__kind", "debit__realm")
    for reason, debit, credit, realm, count, total in kinds.annotate(count=Count("pk"), total=Sum("amount")).order_by():
        if not moves_by_law(reason, debit, credit, realm):
            yield f"{reason} of {total} from {debit} to {credit}: {count} such transfers, which no deed makes"
    welcomed = (
        moved.filter(reason__in=(Reason.WELCOME, Reason.VISIT))
        .values_list("credit")
        .annotate(count=Count("pk"))
        .order_by()
    )
    for account, count in welcomed.filter(count__gt=1):
        yield f"player {account} was welcomed {count} times"


def _rounds(report: Report, lying: dict[int, int], moves: list[Move]) -> Iterator[str]:
    """Each log folds to what its head says, and moved exactly the chips that its lines move.

    Notes in `lying` what is left on the layout of each table, and in `moves` which lines concern a jackpot.
    """
    holders = holders_of_accounts()
    carried: dict[int, dict[str, int] | None] = defaultdict(dict)
    for log in RoundLog.objects.select_related("table").order_by("table_id", "number").iterator():
        report.rounds += 1
        left = Left(carried[log.table_id], moves)
        yield from faults_of(log, holders, left)
        carried[log.table_id], lying[log.table_id] = left.carried, sum((left.lying or {}).values())


def _escrows(lying: dict[int, int]) -> Iterator[str]:
    """What lies in escrow is what lies on the layouts."""
    for account in Account.objects.filter(kind=Account.Kind.ESCROW).select_related("table"):
        there = lying.get(account.table_id or 0, 0)
        if there != account.balance:
            yield f"table {account.table}: {there} on the layout, {account.balance} in escrow"


def _jackpots(moves: list[Move]) -> Iterator[str]:
    """Each jackpot, line by line in the order of time: its meter showed what was in it when betting closed, and the
    house laid down what was lacking and the minimum when nothing was left, and at no other time."""
    pools = dict.fromkeys(Jackpot.objects.values_list("pk", flat=True), 0)
    seeds = Transfer.objects.filter(log__isnull=True, credit__kind=Account.Kind.JACKPOT)
    for seeded, amount in seeds.values_list("credit__jackpot_id", "amount"):
        pools[seeded or 0] += amount
    due: dict[str, tuple[int | None, int]] = {}
    for move in sorted(moves, key=lambda move: move.number):
        pk = move.log.jackpot_id
        if pk is None:
            yield f"round {move.log.pk}: line {move.seq} concerns a jackpot, and the table has none"
            continue
        if move.meter not in (None, pools[pk]):
            yield f"round {move.log.pk}: the meter showed {move.meter}, {pools[pk]} was in the jackpot"
        resets = jackpots.reset_of(move.log, move.seq, move.postings, pools[pk], wallet.house_of(move.log.table.realm))
        due |= {reset.key: (pk, reset.amount) for reset in resets}
        jackpot = wallet.jackpot(pk)
        for posting in (*move.postings, *resets):
            pools[pk] += posting.amount if posting.credit == jackpot else -posting.amount
    found = {
        key: (pk if debit == Account.Kind.HOUSE else None, amount)
        for key, debit, pk, amount in Transfer.objects.filter(reason=Reason.RESET).values_list(
            "key", "debit__kind", "credit__jackpot_id", "amount"
        )
    }
    for key in sorted(due.keys() | found.keys()):
        if due.get(key) != found.get(key):
            yield f"{key}: the house laid down {found.get(key)}, and should have {due.get(key)} (jackpot, cents)"
    for account in Account.objects.filter(kind=Account.Kind.JACKPOT).select_related("jackpot"):
        if account.balance != pools[account.jackpot_id or 0]:
            yield f"jackpot {account.jackpot}: {pools[account.jackpot_id or 0]} by its lines, {account.balance} in it"


def _leases() -> Iterator[str]:
    """Whoever runs a table has taken it with the key that they are enrolled by."""
    for lease in Lease.objects.exclude(owner="").select_related("dealer").order_by("table_id"):
        if not is_signed_lease(lease):
            yield f"table {lease.table_id} is run by {lease.owner}, whom no enrolled dealer's key has signed for"


def _archives() -> Iterator[str]:
    """Each file of archived rounds is there as it was written, and as the event says that told of it."""
    told = {(event.after or {}).get("file"): event.after for event in Event.objects.filter(deed=Event.Kind.ARCHIVED)}
    for one in Archive.objects.order_by("pk"):
        said = {"file": one.name, "sha256": one.sha256, "rounds": one.rounds, "lines": one.lines}
        if told.pop(one.name, None) != said:
            yield f"{one.name} is not the archive that the events tell of"
        try:
            archive_files.check(folder() / one.name, one.sha256)
        except ArchiveError as error:
            yield f"archive: {error}"
    for name in told:
        yield f"the events tell of the archive {name}, and there is none"


def _days(report: Report) -> Iterator[str]:
    """What was summed up of each table and day is what the ledger and the logs say."""
    statistics.remembered.clear()
    for day in TableDay.objects.order_by("day").values_list("day", flat=True).distinct():
        report.days += 1
        try:
            wanted = statistics.of_rounds_on(day)
        except ArchiveError as error:
            yield f"the sums of {day} cannot be worked out again: {error}"
            continue
        kept = {row.table_id: statistics.kept_figures(row) for row in TableDay.objects.filter(day=day)}
        for pk in sorted(kept.keys() | wanted.keys()):
            found, right = kept.get(pk, NOTHING), wanted.get(pk, NOTHING)
            if found != right:
                wrong = [name for name in statistics.KEPT if getattr(found, name) != getattr(right, name)]
                yield f"table {pk} on {day}: {', '.join(wrong)} are not what the ledger sums to"
