"""The books of the chips: slips of fills and credits with their numbers, and floats counted chip by chip."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F, Max

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT, DENOMINATIONS
from tables.games.values.words import say
from tables.models import Alert, ChipOrder, Event, FloatCount, Player, Slip
from tables.services.journal import alerts, events
from tables.services.money import wallet

from .locked_table import MOST, lock_open_table

MOST_PIECES = 1_000_000
"""So many chips of one denomination may be counted at most."""


def number_slip(order: ChipOrder) -> Slip:
    """Give the slip of an order that was just confirmed the next number of its kind. The end of the chain of events is
    locked by then, so that no two take the same."""
    last = Slip.objects.filter(kind=order.kind).aggregate(last=Max("number"))["last"] or 0
    return Slip.objects.create(order=order, kind=order.kind, number=last + 1)


def print_slip(by: Player, order_id: int, *, clock: Clock = DATABASE_CLOCK) -> int:
    """Write down that a slip is printed; says for which time. Raises Refused."""
    demand(by, Right.COUNT)
    with unit_of_work():
        slip = Slip.objects.select_for_update().filter(order=order_id).select_related("order").first()
        if slip is None:
            raise Refused("", say("There is no slip: this order was not confirmed."))
        Slip.objects.filter(pk=slip.pk).update(printed=F("printed") + 1)
        times = slip.printed + 1
        after = {"order": order_id, "kind": slip.kind, "number": slip.number, "printed": times}
        events.record(Event.Kind.SLIP_PRINTED, by=by.pk, table=slip.order.table_id, after=after, clock=clock)
        return times


def count_float(
    by: Player, table_id: int, chips: Mapping[int, int], rest: int, why: str = "", *, clock: Clock = DATABASE_CLOCK
) -> FloatCount:
    """Write down what somebody has counted in the float of an open table, by denomination in credits, and the cents
    for which there is no chip, beside what the ledger says lies there now. A difference needs a reason, and raises an
    alert. Nothing moves. Raises Refused."""
    demand(by, Right.COUNT)
    if not set(chips) <= set(DENOMINATIONS) or not all(0 <= pieces <= MOST_PIECES for pieces in chips.values()):
        raise Refused("", say("Count so many chips of each denomination."))
    if not 0 <= rest < CREDIT:
        raise Refused("", say("What is left is less than a credit."))
    cents = sum(value * pieces for value, pieces in chips.items()) * CREDIT + rest
    if cents > MOST:
        raise Refused("", say("A float is never so large."))
    with unit_of_work():
        table = lock_open_table(table_id)
        holder = wallet.float_of(table.pk)
        expected = wallet.lock([holder]).balances[holder]
        if cents != expected and not why.strip():
            raise Refused("", say("Say what explains the difference."))
        last = FloatCount.objects.filter(table=table).aggregate(last=Max("number"))["last"] or 0
        count = FloatCount.objects.create(
            table=table, number=last + 1, chips={str(value): pieces for value, pieces in chips.items() if pieces},
            rest=rest, cents=cents, expected=expected, why=why.strip(), by=by, at=clock.now(),
        )  # fmt: skip
        events.record(
            Event.Kind.FLOAT_COUNTED, by=by.pk, table=table.pk, why=count.why,
            before={"float": expected}, after={"float": cents, "number": count.number}, clock=clock,
        )  # fmt: skip
        if count.variance:
            about = {"number": count.number, "cents": count.variance, "why": count.why}
            key = f"{Alert.Kind.DIFFERS}:{count.pk}"
            alerts.raise_alert(Alert.Kind.DIFFERS, key, at=count.at, table=table.pk, about=about)
        return count
