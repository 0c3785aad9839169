"""The proof that no cent was lost or invented. Reads everything, changes nothing.

The same function runs in `manage.py audit`, after every scenario test, and in the pit.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from django.db.models import Count, F, Max, Q, Sum

from tables.base.chance import (
    KEYED,
    SCHEME,
    UNLABELLED,
    Label,
    OpenedPack,
    OpenedThrow,
    Vault,
    commitment_to,
    leaf,
    made_throw,
    places_dealt,
    seed_commitment,
)
from tables.base.closed_cards import SEALED, card_of
from tables.base.proof_format import checked_reveals
from tables.games import GAMES
from tables.games.codec import action_from
from tables.games.contract.actions import DrawCard, Meter, Seal, Unseal
from tables.games.contract.errors import Refused
from tables.games.contract.game import Throw
from tables.games.contract.round import Round
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, cards
from tables.models import (
    Account,
    Jackpot,
    Lease,
    LoggedAction,
    Player,
    Realm,
    RoundLog,
    SealedThrow,
    Shoe,
    Table,
    TableDay,
    Transfer,
)
from tables.models.bettors import player_of
from tables.queries import statistics
from tables.queries.chat import said_in_silence
from tables.queries.folds import entries_of, game_of, line_of, opened_round
from tables.services.dealing.enrolment import is_signed_lease
from tables.services.dealing.shoes import label_of
from tables.services.dealing.throws import label_of_throw, opened_throw
from tables.services.journal import events
from tables.services.money import jackpots, wallet
from tables.services.money.postings import postings_of
from tables.services.money.wallet import Holder, Posting, Reason

from . import laws
from .anchors import Anchors


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
    report = Report()
    lying: dict[int, int] = {}
    moves: list[_Move] = []
    report.faults += _balances(report)
    report.faults += _of_no_round()
    report.faults += _rounds(report, lying, moves)
    report.faults += _escrows(lying)
    report.faults += _jackpots(moves)
    report.faults += _sealed_twice()
    report.faults += _shoes(report, vault)
    report.faults += _throws(report, vault)
    report.faults += _leases()
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

IMPOSSIBLE = (Refused, AssertionError, ValueError, LookupError, TypeError)
"""What folding or opening raises when the stored thing is not what was written."""


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
        if (reason, debit, credit) not in OF_NO_ROUND or realm != OF_ONE_REALM.get(reason, realm):
            yield f"{reason} of {total} from {debit} to {credit}: {count} such transfers, which no deed makes"
    welcomed = (
        moved.filter(reason__in=(Reason.WELCOME, Reason.VISIT))
        .values_list("credit")
        .annotate(count=Count("pk"))
        .order_by()
    )
    for account, count in welcomed.filter(count__gt=1):
        yield f"player {account} was welcomed {count} times"


def _rounds(report: Report, lying: dict[int, int], moves: list[_Move]) -> Iterator[str]:
    """Each log folds to what its head says, and moved exactly the chips that its lines move.

    Notes in `lying` what is left on the layout of each table, and in `moves` which lines concern a jackpot.
    """
    owners = Account.objects.values_list("pk", "kind", "player_id", "table_id", "jackpot_id", "realm")
    holders = {owner[0]: wallet.holder(*owner[1:]) for owner in owners}
    carried: dict[int, dict[str, int]] = defaultdict(dict)
    for log in RoundLog.objects.select_related("table").order_by("table_id", "number").iterator():
        report.rounds += 1
        left = _Left(carried[log.table_id], moves)
        yield from _round(log, holders, left)
        carried[log.table_id], lying[log.table_id] = left.carried, left.lying


@dataclass(frozen=True, slots=True)
class _Move:
    """One line of a log that reads a jackpot or moves something into it or out of it. Lines are numbered in the order
    in which they had the jackpot to themselves, so `number` puts those of all its tables in theirs."""

    number: int
    log: RoundLog
    seq: int
    meter: int | None
    postings: tuple[Posting, ...]


@dataclass(slots=True)
class _Left:
    """What one round leaves: the stakes carried to the next, by bet, and all that lies on the layout, in cents; and
    what it did to its jackpot."""

    carried: dict[str, int]
    moves: list[_Move]
    lying: int = 0


def _round(log: RoundLog, holders: dict[int, Holder], left: _Left) -> Iterator[str]:
    name = f"round {log.pk}"
    lines = list(LoggedAction.objects.filter(log=log).order_by("seq"))
    if [line.seq for line in lines] != list(range(1, log.version + 1)):
        yield f"{name}: the log has lines {[line.seq for line in lines]}, its head says {log.version}"
        return
    carried, left.carried = left.carried, {}
    expected: dict[str, tuple[Holder, Holder, int]] = {}
    seq = 0
    try:
        round_ = opened_round(log)
        if dict(round_.in_escrow()) != carried:
            yield f"{name} opens with {dict(round_.in_escrow())} carried, the one before left {carried}"
        for line in lines:
            seq = line.seq
            action = action_from(game_of(log), line_of(log, seq, line.action))
            after: Round = round_.apply(action)
            postings = postings_of(
                log.pk, log.table_id, seq, round_, action, after,
                jackpot_id=log.jackpot_id, house=wallet.house_of(log.table.realm),
            )  # fmt: skip
            expected |= {posting.key: (posting.debit, posting.credit, posting.amount) for posting in postings}
            pooled = tuple(posting for posting in postings if "jackpot" in (posting.debit[0], posting.credit[0]))
            if pooled or isinstance(action, Meter):
                meter = action.pool if isinstance(action, Meter) else None
                left.moves.append(_Move(line.pk, log, seq, meter, pooled))
            round_ = after
    except IMPOSSIBLE as error:
        yield f"{name}: line {seq} cannot stand: {type(error).__name__} {error}"
        return
    yield from _closed_cards(log, lines)
    left.lying = sum(round_.in_escrow().values())
    for said in said_in_silence(log):
        yield f"{name}: behind line {said.version} somebody talked when nobody might (chat line {said.pk})"
    found = {
        key: (holders[debit], holders[credit], amount)
        for key, debit, credit, amount in Transfer.objects.filter(log=log)
        .exclude(reason__in=(Reason.FORGIVEN, Reason.RESET))
        .values_list("key", "debit_id", "credit_id", "amount")
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
        left.carried = dict(round_.in_escrow())
        yield from _payouts(log, round_, carried)
    yield from _forgiven(log, round_)


def _closed_cards(log: RoundLog, lines: Sequence[LoggedAction]) -> Iterator[str]:
    """Once a round is over, the cards that stand sealed in its log stand beside it in clear, no more and no less; with
    the key that sealed them they are the same."""
    sealed = {str(line.seq): line.action[SEALED] for line in lines if SEALED in line.action}
    turned = log.turned or {}
    if log.settled_at is not None and turned.keys() != sealed.keys():
        yield f"round {log.pk}: the lines {sorted(sealed)} are sealed, and {sorted(turned)} were turned"
    for seq in sealed.keys() & turned.keys():
        try:
            card = card_of(log.pk, int(seq), sealed[seq])
        except ValueError:
            continue  # the key of that day is gone: the pack shows whether the card was this one
        if card != turned[seq]:
            yield f"round {log.pk}: the card in line {seq} is {card}, and was turned as {turned[seq]}"


def _payouts(log: RoundLog, round_: Round, carried: dict[str, int]) -> Iterator[str]:
    """What each bettor got back is what the rules say, whichever way the postings were cut; and all that was laid down
    for a bet is decided."""
    owed: Counter[int] = Counter()
    decided: Counter[str] = Counter()
    for payout in round_.payouts():
        owed[player_of(payout.by)] += payout.returned
        decided[payout.bet] += payout.stake
    paid: Counter[int] = Counter()
    laid = Counter(carried)
    moved = Transfer.objects.filter(log=log).exclude(reason__in=(Reason.FORGIVEN, Reason.RESET))
    for bet, key, debit, credit, amount in moved.values_list(
        "bet", "key", "debit__player_id", "credit__player_id", "amount"
    ):
        sign = (credit is not None) - (debit is not None)
        if key.startswith("settle:"):
            paid[credit or debit or 0] += sign * amount
        else:
            laid[bet] -= sign * amount
    del paid[0]  # what moved between layout, float and house
    if +owed != +paid:
        yield f"round {log.pk} owes {dict(+owed)} and paid {dict(+paid)}"
    for bet in sorted(laid.keys() | decided.keys()):
        if laid[bet] != decided[bet]:
            yield f"round {log.pk}: {laid[bet]} was laid down for bet {bet}, and {decided[bet]} of it decided"


def _forgiven(log: RoundLog, round_: Round) -> Iterator[str]:
    """The house forgives only in a void round, from the float of its table, and just what somebody lacked who had
    spent a prize that was taken back: then nothing was left in their wallet."""
    moved = Transfer.objects.filter(log=log)
    forgiven = list(moved.filter(reason=Reason.FORGIVEN).select_related("debit", "credit"))
    if not forgiven:
        return
    last = moved.aggregate(last=Max("pk"))["last"]
    taken_back = set(moved.filter(reason=Reason.REVERSED).values_list("debit_id", flat=True))
    for given in forgiven:
        who = given.credit
        wallet = Transfer.objects.filter(pk__lte=last).filter(Q(debit=who) | Q(credit=who))
        left = sum(amount if credit == who.pk else -amount for credit, amount in wallet.values_list("credit", "amount"))
        if (
            not round_.is_void
            or who.pk not in taken_back
            or (given.debit.kind, given.debit.table_id) != (Account.Kind.FLOAT, log.table_id)
            or left
        ):
            yield f"round {log.pk}: {given.key} forgave {given.amount} to {who}, who did not lack it"


def _escrows(lying: dict[int, int]) -> Iterator[str]:
    """What lies in escrow is what lies on the layouts."""
    for account in Account.objects.filter(kind=Account.Kind.ESCROW).select_related("table"):
        there = lying.get(account.table_id or 0, 0)
        if there != account.balance:
            yield f"table {account.table}: {there} on the layout, {account.balance} in escrow"


def _jackpots(moves: list[_Move]) -> Iterator[str]:
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


def _sealed_twice() -> Iterator[str]:
    """Nothing is sealed twice: each commitment and each sealed text is that of one pack or of one throw."""
    shoes = Shoe.objects.order_by("pk").only("commitment", "sealed").iterator()
    throws = SealedThrow.objects.order_by("pk").only("log_id", "number", "commitment", "sealed").iterator()
    both: Iterator[Shoe | SealedThrow] = chain(shoes, throws)
    seen: dict[str | bytes, str] = {}
    for one in both:
        name = f"shoe {one.pk}" if isinstance(one, Shoe) else f"round {one.log_id}: throw {one.number}"
        if (first := seen.setdefault(one.commitment, name)) != name:
            yield f"{name} has the commitment of {first}"
        if (first := seen.setdefault(hashlib.sha256(one.sealed).digest(), name)) != name:
            yield f"{name} has the sealed text of {first}"


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
        if shoe.scheme == SCHEME:
            yield from _dealt_from(shoe, name)
        try:
            pack = _opened(shoe, vault)
        except IMPOSSIBLE as error:
            yield f"{name} cannot be read: {error}"
            continue
        if shoe.leaves is not None:
            yield from _by_card(name, shoe, drawn)
        if pack is None:
            continue
        if not pack.is_committed(shoe.commitment, shoe.leaves):
            yield f"{name}: its order is not the one that was committed to"
        if drawn != list(pack.dealt_order(shoe.cut or 0)[: len(drawn)]):
            yield f"{name}: the cards in the logs are not in its order"


def _dealt_from(shoe: Shoe, name: str) -> Iterator[str]:
    """The rounds of a shoe were opened with its commitment."""
    for number, opening in RoundLog.objects.filter(shoe=shoe).order_by("number").values_list("pk", "opening"):
        if opening.get("commitment") != shoe.commitment:
            yield f"{name}: round {number} was opened with another commitment"


def _by_card(name: str, shoe: Shoe, drawn: list[Card]) -> Iterator[str]:
    """The leaves are those that were committed to, and what was opened of them is what was dealt, no more and no less.

    This needs no key.
    """
    assert shoe.leaves is not None
    if commitment_to(shoe.leaves) != shoe.commitment:
        yield f"{name}: its leaves are not the ones that were committed to"
    if shoe.opened is None:
        return
    opened = shoe.opened.get("cards", [])
    if shoe.opened.keys() != {"cards"} or [card for _salt, card in opened] != [str(card) for card in drawn]:
        yield f"{name}: the cards that were opened are not the ones in the logs"
        return
    for place, (salt, card) in zip(places_dealt(shoe.decks, shoe.cut or 0, len(opened)), opened, strict=True):
        if shoe.leaves[place - 1] != leaf(label_of(shoe), place, salt, card):
            yield f"{name}: the card at place {place} is not the one that was committed to"


def _drawn(shoe: Shoe) -> Iterator[Card]:
    """The cards of this shoe in the logs, in order."""
    for log in RoundLog.objects.filter(shoe=shoe).order_by("number"):
        for data, *_ in entries_of(log):
            action = action_from(game_of(log), data)
            if isinstance(action, DrawCard):
                yield action.card


def _opened(shoe: Shoe, vault: Vault | None) -> OpenedPack | None:
    """Its order: as published, or as the dealers' key shows it; None for those who have no key."""
    if shoe.opened is not None and shoe.leaves is None:
        return OpenedPack(label_of(shoe), shoe.opened["salt"], cards(shoe.opened["order"]))
    return vault.open(label_of(shoe), shoe.sealed) if vault is not None else None


def _leases() -> Iterator[str]:
    """Whoever runs a table has taken it with the key that they are enrolled by."""
    for lease in Lease.objects.exclude(owner="").select_related("dealer").order_by("table_id"):
        if not is_signed_lease(lease):
            yield f"table {lease.table_id} is run by {lease.owner}, whom no enrolled dealer's key has signed for"


def _days(report: Report) -> Iterator[str]:
    """What was summed up of each table and day is what the ledger and the logs say."""
    statistics.remembered.clear()
    for day in TableDay.objects.order_by("day").values_list("day", flat=True).distinct():
        report.days += 1
        wanted = statistics.of_rounds_on(day)
        kept = {row.table_id: statistics.kept_figures(row) for row in TableDay.objects.filter(day=day)}
        for pk in sorted(kept.keys() | wanted.keys()):
            found, right = kept.get(pk, statistics.NOTHING), wanted.get(pk, statistics.NOTHING)
            if found != right:
                wrong = [name for name in statistics.KEPT if getattr(found, name) != getattr(right, name)]
                yield f"table {pk} on {day}: {', '.join(wrong)} are not what the ledger sums to"


def _throws(report: Report, vault: Vault | None) -> Iterator[str]:
    """Each throw that a log was opened with is the one that was committed to before, and none lies closed behind it.

    What is opened needs no key.
    """
    present = set(Table.objects.values_list("round", flat=True))
    sealed: dict[int, list[SealedThrow]] = defaultdict(list)
    for one in SealedThrow.objects.select_related("log").order_by("log", "number").iterator():
        sealed[one.log_id].append(one)
        report.throws += 1
    throwing = [game.slug for game in GAMES.values() if game.throws]
    logs = RoundLog.objects.filter(Q(game__in=throwing) | Q(pk__in=sealed.keys()))
    for log in logs.order_by("pk").iterator():
        name = f"round {log.pk}"
        try:
            game = game_of(log)
            throw = game.throw(read_options(game.options, log.options))
            seals, counted = _committed(log)
            found, committed = sealed[log.pk], [seal.commitment for seal in seals]
            if [(one.number, one.commitment) for one in found] != list(enumerate(committed, start=1)):
                yield f"{name}: its throws are sealed as {[one.commitment for one in found]}, its log says {committed}"
                continue
            for one, seal in zip(found, seals, strict=True):
                if (one.seed_commitment or "") != seal.seed_commitment:
                    yield f"{name}: throw {one.number} has another seed than its log says"
            for one in found:
                yield from _throw(one, throw, counted.get(one.number), vault)
                if one.opened is None and log.settled_at is not None and log.pk not in present:
                    yield f"{name}: throw {one.number} was never opened"
        except IMPOSSIBLE as error:
            yield f"{name}: its throws cannot be read: {type(error).__name__} {error}"


_Opening = tuple[str, tuple[int, ...]]
"""What opens a throw: its salt and its numbers."""


def _committed(log: RoundLog) -> tuple[list[Seal], dict[int, _Opening]]:
    """The commitments that stand in a log, in order; and by their number those throws that it was opened with."""
    committed: list[Seal] = []
    counted: dict[int, _Opening] = {}
    game = game_of(log)
    lines = LoggedAction.objects.filter(log=log, action__do__in=(Seal.do, Unseal.do), seq__lte=log.version)
    for data in lines.order_by("seq").values_list("action", flat=True):
        match action_from(game, data):
            case Seal() as seal:
                committed.append(seal)
            case Unseal(values=values, salt=salt):
                counted[len(committed)] = (salt, values)
    return committed, counted


def _throw(one: SealedThrow, throw: Throw | None, counted: _Opening | None, vault: Vault | None) -> Iterator[str]:
    """One sealed throw: what the log was opened with, what is published of it, and what the vault holds."""
    name = f"round {one.log_id}: throw {one.number}"
    label = label_of_throw(one)
    published = None if one.opened is None else (one.opened["salt"], tuple(one.opened["values"]))
    if counted is not None and counted != published:
        yield f"{name} is in the log as {counted[1]}, and was published as {published and published[1]}"
    openings = {
        where: None if opening is None else OpenedThrow(label, *opening)
        for where, opening in (("log", counted), ("page", published))
    }
    if one.scheme != UNLABELLED and one.table_id != one.log.table_id:
        yield f"{name} was sealed for another table"
    if vault is not None:
        try:
            openings["vault"] = opened_throw(one, vault)
        except ValueError as error:
            yield f"{name} cannot be read: {error}"
    if one.scheme == KEYED and throw is not None:
        yield from _made_from(one, label, throw, openings.get("vault"), published)
    for where, opened in openings.items():
        if opened is None:
            continue
        if opened.commitment != one.commitment:
            yield f"{name}: what the {where} has of it is not what was committed to"
        if throw is None or len(opened.values) != throw.count or not all(map(throw.allows, opened.values)):
            yield f"{name}: {opened.values} in the {where} is nothing that could be thrown"


def _made_from(
    one: SealedThrow, label: Label, throw: Throw, sealed: OpenedThrow | None, published: _Opening | None
) -> Iterator[str]:
    """A throw that was made from a key: its links fit, its seed is the one committed to, and what is published of it
    follows from both."""
    name = f"round {one.log_id}: throw {one.number}"
    try:
        checked_reveals(one.offered or (), one.revealed or ())
    except (TypeError, ValueError) as error:
        yield f"{name}: its links do not fit: {error}"
        return
    seeds = {"vault": sealed.seed if sealed is not None else None, "page": (one.opened or {}).get("seed")}
    for where, seed in seeds.items():
        if seed is not None and seed_commitment(label, seed) != one.seed_commitment:
            yield f"{name}: the seed in the {where} is not the one that was committed to"
    if published is not None:
        if seeds["page"] is None:
            yield f"{name} was published without its seed"
            return
        made = made_throw(label, throw, seeds["page"], one.revealed or ())
        if published != (made.salt, made.values):
            yield f"{name}: seed and links give {made.values}, and {published[1]} was published"
