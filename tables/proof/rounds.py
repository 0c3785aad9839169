"""One stored round: whether its log folds to what its head says, and moved exactly the chips that its lines move.

`audit` looks at every round so, in order; `running_audit` at those that are new. Reads only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tables.base.archive_files import ArchiveError
from tables.base.closed_cards import SEALED, hidden_in
from tables.games.codec import action_from
from tables.games.contract.actions import Meter
from tables.games.contract.round import Round
from tables.models import Account, LoggedAction, RoundLog, Transfer
from tables.queries.archived import lines_of
from tables.queries.chat import said_in_silence
from tables.queries.folds import game_of, line_of, opened_round
from tables.services.money import wallet
from tables.services.money.postings import postings_of
from tables.services.money.wallet import Holder, Posting, Reason

from . import payouts
from .sealed import IMPOSSIBLE


def holders_of_accounts() -> dict[int, Holder]:
    """Who holds each account, by its id."""
    owners = Account.objects.values_list("pk", "kind", "player_id", "table_id", "jackpot_id", "realm")
    return {owner[0]: wallet.holder(*owner[1:]) for owner in owners}


@dataclass(frozen=True, slots=True)
class Move:
    """One line of a log that reads a jackpot or moves something into it or out of it. Lines are numbered in the order
    in which they had the jackpot to themselves, so `number` puts those of all its tables in theirs."""

    number: int
    log: RoundLog
    seq: int
    meter: int | None
    postings: tuple[Posting, ...]


@dataclass(slots=True)
class Left:
    """What one round leaves, in cents by bet: the stakes carried to the next (None: of the round before that is not
    known), and all that lies on the layout (None: that cannot be said); and what it did to its jackpot."""

    carried: dict[str, int] | None
    moves: list[Move] = field(default_factory=list)
    lying: dict[str, int] | None = None


def faults_of(log: RoundLog, holders: Mapping[int, Holder], left: Left) -> Iterator[str]:
    """What does not agree in this round. `left` says what the one before carried to it, and then what it leaves."""
    name = f"round {log.pk}"
    try:
        lines = lines_of(log)
    except ArchiveError as error:
        yield f"{name}: {error}"
        left.carried = None
        return
    if [line.seq for line in lines] != list(range(1, log.version + 1)):
        yield f"{name}: the log has lines {[line.seq for line in lines]}, its head says {log.version}"
        return
    carried, left.carried = left.carried, {}
    expected: dict[str, tuple[Holder, Holder, int]] = {}
    seq = 0
    try:
        round_ = opened_round(log)
        if carried is None:
            carried = dict(round_.in_escrow())
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
                left.moves.append(Move(line.pk, log, seq, meter, pooled))
            round_ = after
    except IMPOSSIBLE as error:
        yield f"{name}: line {seq} cannot stand: {type(error).__name__} {error}"
        return
    yield from _closed_cards(log, lines)
    left.lying = dict(round_.in_escrow())
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
        yield from payouts.of_round(log, round_, carried)
    yield from payouts.forgiven(log, round_)


def _closed_cards(log: RoundLog, lines: Sequence[LoggedAction]) -> Iterator[str]:
    """Once a round is over, the cards that stand sealed in its log stand beside it in clear, no more and no less; with
    the key that sealed them they are the same."""
    sealed = {str(line.seq): line.action[SEALED] for line in lines if SEALED in line.action}
    turned = log.turned or {}
    if log.settled_at is not None and turned.keys() != sealed.keys():
        yield f"round {log.pk}: the lines {sorted(sealed)} are sealed, and {sorted(turned)} were turned"
    for seq in sealed.keys() & turned.keys():
        try:
            card = hidden_in(log.pk, int(seq), sealed[seq])
        except ValueError:
            continue  # the key of that day is gone: the pack shows whether the card was this one
        if card != turned[seq]:
            yield f"round {log.pk}: the card in line {seq} is {card}, and was turned as {turned[seq]}"
