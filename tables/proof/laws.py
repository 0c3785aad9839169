"""The laws of what is done outside rounds: which chips move, how much, how often, and by whose deed. Reads only.

A transfer with fitting balances can be put into the ledger by whoever can write the database. It is found here, because
no deed of the house could have made it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Min, Q

from tables.base.calendar import macau_date
from tables.games import GAMES
from tables.games.contract.errors import OptionError
from tables.games.shared.alternatives import alternatives
from tables.models import (
    Account,
    Adjustment,
    ApprovalRequest,
    Authorisation,
    ChipOrder,
    Event,
    Review,
    RoundLog,
    Slip,
    Table,
    Transfer,
)
from tables.services.money.wallet import Reason
from tables.services.pit.authorisations import covering
from tables.services.players.people import COOL_DOWN, FIRST_CREDITS, NEARLY_BROKE, TOP_UP_TO


def faults() -> Iterator[str]:
    """Each transfer and appointment that no law allows or no deed ordered, and each deed that came to nothing."""
    moves, events = _moves(), _events()
    yield from _welcomes(moves)
    yield from _top_ups(moves)
    yield from _comps(moves, events)
    yield from _adjustments(moves, events)
    yield from _reviews(events)
    yield from _chip_orders(moves, events)
    yield from _openings(moves, events)
    yield from _requests(events)
    yield from _alternatives()
    yield from _authorisations(events)


@dataclass(frozen=True, slots=True)
class _Move:
    """A transfer of no round, and what its accounts are; amount in cents."""

    pk: int
    key: str
    reason: str
    amount: int
    debit_kind: str
    debit_player: int | None
    debit_table: int | None
    credit: int
    credit_kind: str
    credit_player: int | None
    credit_table: int | None


_Moves = Mapping[str, Sequence[_Move]]
"""The transfers of no round by their reason, each in order."""

_Events = Mapping[str, Sequence[Event]]
"""The events by their kind, each in order."""

OF_NO_LAW = (Reason.VISIT, Reason.CHECKOUT, Reason.COUNT)
"""Transfers of no round that have no law here: of them there are many."""

OF_DEEDS = (
    Event.Kind.COMP,
    Event.Kind.ADJUSTMENT_DECIDED,
    Event.Kind.REVIEW_RULED,
    Event.Kind.CHIPS_CONFIRMED,
    Event.Kind.TABLE_OPENED,
    Event.Kind.REQUEST_APPROVED,
    Event.Kind.ROLE,
    Event.Kind.AUTHORISATION_GIVEN,
    Event.Kind.OPTIONS_APPROVED,
)
"""The events that the laws here compare with what is stored."""


def _moves() -> _Moves:
    """All transfers of no round that have a law here, read once. Those of rounds are compared with their logs."""
    found: dict[str, list[_Move]] = defaultdict(list)
    moved = Transfer.objects.filter(log__isnull=True).exclude(reason__in=OF_NO_LAW).order_by("pk")
    for row in moved.values_list(
        "pk", "key", "reason", "amount", "debit__kind", "debit__player_id", "debit__table_id",
        "credit_id", "credit__kind", "credit__player_id", "credit__table_id",
    ).iterator():  # fmt: skip
        move = _Move(*row)
        found[move.reason].append(move)
    return found


def _events() -> _Events:
    """All events that are compared here, read once."""
    found: dict[str, list[Event]] = defaultdict(list)
    for event in Event.objects.filter(deed__in=OF_DEEDS).order_by("seq").iterator():
        found[event.deed].append(event)
    return found


def _welcomes(moves: _Moves) -> Iterator[str]:
    """A new player gets the first credits, and gets them once."""
    for given in moves[Reason.WELCOME]:
        if given.key != f"welcome:{given.credit_player}" or given.amount != FIRST_CREDITS:
            yield f"transfer {given.pk}: a welcome of {given.amount} under the key {given.key}"


def _top_ups(moves: _Moves) -> Iterator[str]:
    """Whoever is nearly broke gets what is missing to the first credits, and not again before an hour is over."""
    accounts = {given.credit: given.credit_player for given in moves[Reason.TOP_UP]}
    if not accounts:
        return
    topped = Transfer.objects.filter(log__isnull=True, reason=Reason.TOP_UP).values("credit")
    balances = dict.fromkeys(accounts, 0)
    last: dict[int, datetime] = {}
    moved = Transfer.objects.filter(Q(debit__in=topped) | Q(credit__in=topped)).order_by("pk")
    for pk, key, debit, credit, amount, reason, at in moved.values_list(
        "pk", "key", "debit_id", "credit_id", "amount", "reason", "at"
    ).iterator():
        if reason == Reason.TOP_UP and credit in balances:
            balance, before = balances[credit], last.get(credit)
            if balance >= NEARLY_BROKE or amount != TOP_UP_TO - balance:
                yield f"transfer {pk}: a top-up of {amount} to a player who had {balance}"
            if before is not None and at < before + COOL_DOWN:
                yield f"transfer {pk}: a top-up at {at.isoformat()}, and the one before at {before.isoformat()}"
            if not key.startswith(f"top-up:{accounts[credit]}:"):
                yield f"transfer {pk}: a top-up under the key {key}"
            last[credit] = at
        if credit in balances:
            balances[credit] += amount
        if debit in balances:
            balances[debit] -= amount


def _comps(moves: _Moves, events: _Events) -> Iterator[str]:
    """Each comp has the event that gave it, and each such event its comp."""
    given_by = {event.seq: event for event in events[Event.Kind.COMP]}
    for comp in moves[Reason.COMP]:
        seq = comp.key.removeprefix("comp:").partition(":")[0]
        event = given_by.pop(int(seq), None) if seq.isdecimal() else None
        given = None if event is None else (event.player_id, (event.after or {}).get("cents"))
        if given != (comp.credit_player, comp.amount):
            yield f"transfer {comp.pk}: a comp of {comp.amount} to player {comp.credit_player} that no event gave"
    for unpaid in given_by:
        yield f"event {unpaid} gave a comp, and nothing moved"


def _adjustments(moves: _Moves, events: _Events) -> Iterator[str]:
    """Each adjustment was asked for and approved, and moved just that."""
    approved = {f"adjustment:{one.pk}": one for one in Adjustment.objects.filter(state=Adjustment.State.APPROVED)}
    decided = {
        (event.after or {}).get("adjustment")
        for event in events[Event.Kind.ADJUSTMENT_DECIDED]
        if (event.after or {}).get("state") == Adjustment.State.APPROVED
    }
    for moved in moves[Reason.ADJUSTMENT]:
        asked = approved.pop(moved.key, None)
        to_player = moved.credit_kind == Account.Kind.PLAYER
        player, cents = (moved.credit_player, moved.amount) if to_player else (moved.debit_player, -moved.amount)
        if asked is None or (asked.player_id, asked.cents) != (player, cents) or asked.pk not in decided:
            yield f"transfer {moved.pk}: an adjustment of {cents} for player {player} that nobody approved"
    for key in approved:
        yield f"{key} was approved, and nothing moved"


def _reviews(events: _Events) -> Iterator[str]:
    """Each answer to a player has its event, and one that speaks of credits the approved adjustment that it names."""
    ruled = {(event.after or {}).get("review"): event.after or {} for event in events[Event.Kind.REVIEW_RULED]}
    answered = Review.objects.filter(outcome__isnull=False).select_related("adjustment")
    for review in answered.order_by("pk").iterator():
        event, asked = ruled.get(review.pk, {}), review.adjustment
        if (event.get("outcome"), event.get("adjustment")) != (review.outcome, review.adjustment_id):
            yield f"review {review.pk} is answered otherwise than the events say"
        if asked is not None and (asked.player_id, asked.log_id, asked.state) != (
            review.player_id, review.log_id, Adjustment.State.APPROVED,
        ):  # fmt: skip
            yield f"review {review.pk} speaks of adjustment {asked.pk}, which is of something else or not approved"


def _chip_orders(moves: _Moves, events: _Events) -> Iterator[str]:
    """Each fill and each credit was ordered and confirmed, and moved just that."""
    confirmed = {f"{one.kind}:{one.pk}": one for one in ChipOrder.objects.filter(state=ChipOrder.State.CONFIRMED)}
    told = {(event.before or {}).get("order") for event in events[Event.Kind.CHIPS_CONFIRMED]}
    for moved in (*moves[Reason.FILL], *moves[Reason.CREDIT]):
        order = confirmed.pop(moved.key, None)
        table = moved.credit_table if moved.reason == Reason.FILL else moved.debit_table
        if (
            order is None
            or (order.table_id, order.amount, order.kind) != (table, moved.amount, moved.reason)
            or order.pk not in told
        ):
            yield f"transfer {moved.pk}: a {moved.reason} of {moved.amount} at table {table} that nobody confirmed"
    for key in confirmed:
        yield f"{key} was confirmed, and nothing moved"
    for kind in ChipOrder.Kind.values:
        orders = ChipOrder.objects.filter(kind=kind, state=ChipOrder.State.CONFIRMED)
        slips = list(Slip.objects.filter(kind=kind).order_by("number").values_list("number", "order_id", "order__kind"))
        if [number for number, _, _ in slips] != list(range(1, len(slips) + 1)):
            yield f"the numbers of the {kind} slips have gaps"
        if {(pk, of) for _, pk, of in slips} != {(pk, kind) for pk in orders.values_list("pk", flat=True)}:
            yield f"not each confirmed {kind} has its slip, or a slip has none"


def _openings(moves: _Moves, events: _Events) -> Iterator[str]:
    """The mint makes just what tables and jackpots open with, each once; a table that opens again does so by an
    event."""
    opened = {move.key: move.amount for move in (*moves[Reason.FLOAT], *moves[Reason.SEED])}
    for made in moves[Reason.MINT]:
        if opened.get(made.key.removeprefix("mint:")) != made.amount or not made.key.startswith("mint:"):
            yield f"transfer {made.pk}: the mint made {made.amount} for {made.key}"
    again = Counter(event.table_id for event in events[Event.Kind.TABLE_OPENED] if set(event.after or {}) == {"float"})
    floats = Counter(
        move.credit_table for move in moves[Reason.FLOAT] if move.key != f"float:{move.credit_table}"
    )  # those that a table got after its first
    for table, times in floats.items():
        if times != again[table]:
            yield f"table {table} got a float again {times} times, and was opened again {again[table]} times"


def _requests(events: _Events) -> Iterator[str]:
    """What was approved is an event of whoever approved it, and no member of the staff appoints anybody without."""
    approved = {one.pk: one for one in ApprovalRequest.objects.filter(state=ApprovalRequest.State.APPROVED)}
    appointed: Counter[tuple[int | None, int | None, str]] = Counter(
        (one.asked_by_id, one.player_id, one.asked["role"])
        for one in approved.values()
        if one.kind == ApprovalRequest.Kind.APPOINT
    )
    decided = (*events[Event.Kind.REQUEST_APPROVED], *events[Event.Kind.ROLE])
    for event in sorted(decided, key=lambda event: event.seq):
        if event.deed == Event.Kind.ROLE:
            key = (event.by_id, event.player_id, str(event.after))
            if event.by_id is not None and event.after and not appointed[key]:
                yield f"event {event.seq}: player {event.player_id} became {event.after}, and no second person approved"
            appointed[key] -= 1
        else:
            request = approved.pop((event.after or {}).get("request", 0), None)
            if request is None or request.decided_by_id != event.by_id:
                yield f"event {event.seq} approved a request that was not approved so"
    for pk in approved:
        yield f"request {pk} was approved, and no event says so"


def _alternatives() -> Iterator[str]:
    """No table plays an alternative that is not authorised on that day, or that it was not opened with before that was
    asked."""
    given = list(Authorisation.objects.filter(state=Authorisation.State.GIVEN).order_by("pk"))
    rounds = RoundLog.objects.order_by().values_list("table", "game", "options").annotate(since=Min("started_at"))
    present = [(*one, None) for one in Table.objects.values_list("pk", "game", "options")]
    told = set()
    for table, game, options, since in (*rounds, *present):
        try:
            chosen = _chosen(game, json.dumps(options, sort_keys=True))
        except OptionError:
            yield f"table {table} has options that its game does not know"
            continue
        on_record = [
            one
            for one in given
            if (one.game, one.table_id) in ((game, None), (game, table))
            and (since is None or one.holds_from <= macau_date(since))
        ]
        for name, value in chosen.items():
            if covering(on_record, name, value) is None and (table, name, str(value)) not in told:
                told.add((table, name, str(value)))
                yield f"table {table} plays {name}: {value}, which no authorisation on record covers"


@lru_cache(maxsize=256)
def _chosen(game: str, options: str) -> Mapping[str, object]:
    """The alternatives among these options (JSON), worked out once: a table and its rounds mostly have the same."""
    return alternatives(GAMES[game], json.loads(options))


def _authorisations(events: _Events) -> Iterator[str]:
    """Each answer of the inspectorate that is on record was put there by a deed, and just so."""
    told = {(event.after or {}).get("authorisation"): event.after for event in events[Event.Kind.AUTHORISATION_GIVEN]}
    approved = {(event.after or {}).get("change") for event in events[Event.Kind.OPTIONS_APPROVED]}
    answers = Authorisation.objects.filter(state=Authorisation.State.GIVEN, basis=Authorisation.Basis.ANSWER)
    for one in answers.order_by("pk"):
        said = told.get(one.pk) or {}
        by_its_change = one.change_id is not None and one.change_id in approved
        if not by_its_change and (said.get("game"), said.get("options")) != (one.game, one.options):
            yield f"authorisation {one.pk} of {one.game} is on record by no deed"
