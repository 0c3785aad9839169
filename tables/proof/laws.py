"""The laws of what moves chips outside rounds: how much, how often, and by whose deed. Reads only.

A transfer with fitting balances can be put into the ledger by whoever can write the database. It is found here, because
no deed of the house could have made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q

from tables.models import Account, Adjustment, ChipOrder, Event, Transfer
from tables.services.money.wallet import Reason
from tables.services.players.people import COOL_DOWN, FIRST_CREDITS, NEARLY_BROKE, TOP_UP_TO


def faults() -> Iterator[str]:
    """Each transfer outside rounds that no law allows or no deed ordered, and each deed that moved nothing."""
    yield from _welcomes()
    yield from _top_ups()
    yield from _comps()
    yield from _adjustments()
    yield from _chip_orders()
    yield from _openings()


def _welcomes() -> Iterator[str]:
    """A new player gets the first credits, and gets them once."""
    for given in Transfer.objects.filter(reason=Reason.WELCOME).select_related("credit").iterator():
        if given.key != f"welcome:{given.credit.player_id}" or given.amount != FIRST_CREDITS:
            yield f"transfer {given.pk}: a welcome of {given.amount} under the key {given.key}"


def _top_ups() -> Iterator[str]:
    """Whoever is nearly broke gets what is missing to the first credits, and not again before an hour is over."""
    given = Transfer.objects.filter(reason=Reason.TOP_UP)
    accounts = dict(Account.objects.filter(pk__in=given.values("credit")).values_list("pk", "player_id"))
    balances = dict.fromkeys(accounts, 0)
    last: dict[int, datetime] = {}
    moved = Transfer.objects.filter(Q(debit__in=accounts) | Q(credit__in=accounts)).order_by("pk")
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


def _comps() -> Iterator[str]:
    """Each comp has the event that gave it, and each such event its comp."""
    events = {event.seq: event for event in Event.objects.filter(deed=Event.Kind.COMP)}
    for comp in Transfer.objects.filter(reason=Reason.COMP).select_related("credit").order_by("pk"):
        seq = comp.key.removeprefix("comp:")
        event = events.pop(int(seq), None) if seq.isdecimal() else None
        given = None if event is None else (event.player_id, (event.after or {}).get("cents"))
        if given != (comp.credit.player_id, comp.amount):
            yield f"transfer {comp.pk}: a comp of {comp.amount} to player {comp.credit.player_id} that no event gave"
    for unpaid in events:
        yield f"event {unpaid} gave a comp, and nothing moved"


def _adjustments() -> Iterator[str]:
    """Each adjustment was asked for and approved, and moved just that."""
    approved = {f"adjustment:{one.pk}": one for one in Adjustment.objects.filter(state=Adjustment.State.APPROVED)}
    decided = {
        (event.after or {}).get("adjustment")
        for event in Event.objects.filter(deed=Event.Kind.ADJUSTMENT_DECIDED)
        if (event.after or {}).get("state") == Adjustment.State.APPROVED
    }
    for moved in Transfer.objects.filter(reason=Reason.ADJUSTMENT).select_related("debit", "credit").order_by("pk"):
        asked = approved.pop(moved.key, None)
        to_player = moved.credit.kind == Account.Kind.PLAYER
        player, cents = (moved.credit.player_id, moved.amount) if to_player else (moved.debit.player_id, -moved.amount)
        if asked is None or (asked.player_id, asked.cents) != (player, cents) or asked.pk not in decided:
            yield f"transfer {moved.pk}: an adjustment of {cents} for player {player} that nobody approved"
    for key in approved:
        yield f"{key} was approved, and nothing moved"


def _chip_orders() -> Iterator[str]:
    """Each fill and each credit was ordered and confirmed, and moved just that."""
    confirmed = {f"{one.kind}:{one.pk}": one for one in ChipOrder.objects.filter(state=ChipOrder.State.CONFIRMED)}
    told = {(event.before or {}).get("order") for event in Event.objects.filter(deed=Event.Kind.CHIPS_CONFIRMED)}
    moves = Transfer.objects.filter(reason__in=(Reason.FILL, Reason.CREDIT)).select_related("debit", "credit")
    for moved in moves.order_by("pk"):
        order = confirmed.pop(moved.key, None)
        float_ = moved.credit if moved.reason == Reason.FILL else moved.debit
        if (
            order is None
            or (order.table_id, order.amount, order.kind) != (float_.table_id, moved.amount, moved.reason)
            or order.pk not in told
        ):
            table = float_.table_id
            yield f"transfer {moved.pk}: a {moved.reason} of {moved.amount} at table {table} that nobody confirmed"
    for key in confirmed:
        yield f"{key} was confirmed, and nothing moved"


def _openings() -> Iterator[str]:
    """The mint makes just what tables and jackpots open with, each once; a table that opens again does so by an
    event."""
    openings = Transfer.objects.filter(reason__in=(Reason.FLOAT, Reason.SEED))
    opened = dict(openings.values_list("key", "amount"))
    for pk, key, amount in Transfer.objects.filter(reason=Reason.MINT).values_list("pk", "key", "amount"):
        if opened.get(key.removeprefix("mint:")) != amount or not key.startswith("mint:"):
            yield f"transfer {pk}: the mint made {amount} for {key}"
    again: dict[int, int] = {}
    for table, after in Event.objects.filter(deed=Event.Kind.TABLE_OPENED).values_list("table_id", "after"):
        if set(after or {}) == {"float"}:
            again[table] = again.get(table, 0) + 1
    for table, times in _floats_again().items():
        if times != again.get(table, 0):
            yield f"table {table} got a float again {times} times, and was opened again {again.get(table, 0)} times"


def _floats_again() -> dict[int, int]:
    """How often each table got a float after its first."""
    found: dict[int, int] = {}
    floats = Transfer.objects.filter(reason=Reason.FLOAT).select_related("credit")
    for moved in floats:
        table = moved.credit.table_id or 0
        if moved.key != f"float:{table}":
            found[table] = found.get(table, 0) + 1
    return found
