"""Floats: fills and credits, and what a float has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter

from django.db.models import Case, F, Q, QuerySet, Sum, When

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Amount, say
from tables.models import Account, ChipOrder, Event, Player, RoundLog, Table, Transfer
from tables.queries import statistics
from tables.queries.folds import game_of, round_of
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason

from . import second_person
from .chip_books import number_slip
from .locked_table import check_amount, lock_open_table, lock_table, present_round, table_is_closed

# ── Fills and credits ───────────────────────────────────────────────────────────────────────────────────────


def order_chips(
    by: Player, table_id: int, kind: str, cents: int, why: str = "", *, clock: Clock = DATABASE_CLOCK
) -> ChipOrder:
    """Ask for chips to come to a table (a fill) or to leave it (a credit). Nothing moves yet. Raises Refused."""
    demand(by, Right.ORDER_CHIPS)
    check_amount(cents)
    if kind not in ChipOrder.Kind.values:
        raise Refused("", say("Chips come as a fill, or go as a credit."))
    with unit_of_work():
        table = lock_open_table(table_id)
        _check_order(table, kind, cents)
        order = ChipOrder.objects.create(
            table=table, kind=kind, amount=cents, why=why.strip(), requested_by=by, requested_at=clock.now()
        )
        after = {"order": order.pk, "kind": kind, "cents": cents}
        events.record(Event.Kind.CHIPS_ORDERED, by=by.pk, table=table.pk, why=order.why, after=after, clock=clock)
        return order


def _check_order(table: Table, kind: str, cents: int) -> None:
    """Raise Refused for what can never be confirmed, and for a slip of the hand."""
    held = Account.objects.get(kind=Account.Kind.FLOAT, table=table).balance
    if kind == ChipOrder.Kind.CREDIT and cents > held:
        raise Refused("credits", say("The float holds %(float)s.", float=Amount(held)))
    waiting = ChipOrder.objects.filter(table=table, kind=kind, amount=cents, state=ChipOrder.State.REQUESTED)
    if waiting.exists():
        raise Refused("", say("The same order waits already. Take it back, or have it confirmed first."))


def confirm_chips(by: Player, order_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Confirm what somebody else asked for: the chips move now, once. Raises Refused.

    A credit leaves in the float what the stakes that lie on the layout could win at their best odds, so that the round
    is paid out of it. (What wins more than that the house pays all the same: a float may fall below zero.)
    """
    demand(by, Right.CONFIRM_CHIPS)
    with unit_of_work():
        table, order = _lock_order(order_id)
        same = say("A second person must confirm what you asked for.")
        second_person.check(order.requested_by, by, clock.now(), same)
        if not table.open:
            raise table_is_closed()
        keep = exposure(present_round(table)) if order.kind == ChipOrder.Kind.CREDIT else 0
        house, float_ = wallet.house_of(table.realm), wallet.float_of(table.pk)
        accounts = wallet.lock([house, float_])
        before = accounts.balances[float_]
        fill = order.kind == ChipOrder.Kind.FILL
        if not fill and before - order.amount < keep:
            if GAMES[table.game].private_hands:  # the sum would tell who has raised
                raise Refused("", say("The stakes on the layout need these chips until the round is over."))
            raise Refused(
                "",
                say(
                    "The float holds %(float)s, and %(keep)s of it must stay for the stakes on the layout.",
                    float=Amount(before), keep=Amount(keep),
                ),
            )  # fmt: skip
        debit, credit = (house, float_) if fill else (float_, house)
        posting = Posting(f"{order.kind}:{order.pk}", debit, credit, order.amount, Reason(order.kind), by.key)
        wallet.post(accounts, [posting], at=clock.now())
        _decide(order, by, ChipOrder.State.CONFIRMED, clock)
        events.record(
            Event.Kind.CHIPS_CONFIRMED, by=by.pk, table=table.pk,
            before={"order": order.pk, "float": before}, after={"float": accounts.balances[float_]}, clock=clock,
        )  # fmt: skip
        number_slip(order)
        announce.table_changed(table.pk, players=())


def refuse_chips(by: Player, order_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Refuse an order, or take back one's own. Raises Refused."""
    with unit_of_work():
        table, order = _lock_order(order_id)
        own = order.requested_by_id == by.pk
        demand(by, Right.ORDER_CHIPS if own else Right.CONFIRM_CHIPS)
        _decide(order, by, ChipOrder.State.REFUSED, clock)
        after = {"order": order.pk, "state": order.state}
        kind = Event.Kind.CHIPS_WITHDRAWN if own else Event.Kind.CHIPS_REFUSED
        events.record(kind, by=by.pk, table=table.pk, why=why.strip(), after=after, clock=clock)


def waiting_orders() -> list[ChipOrder]:
    """The orders that nobody has confirmed or refused yet, oldest first."""
    waiting = ChipOrder.objects.filter(state=ChipOrder.State.REQUESTED)
    return list(waiting.select_related("table", "requested_by").order_by("requested_at", "pk"))


def waiting_orders_of(table_id: int) -> int:
    """How many of them are for this table."""
    return ChipOrder.objects.filter(table=table_id, state=ChipOrder.State.REQUESTED).count()


def exposure(log: RoundLog | None) -> int:
    """What the stakes on a layout could win if each won at its best odds, in cents; nothing between rounds."""
    if log is None or log.settled_at is not None:
        return 0
    round_, spots = round_of(log), game_of(log).spots
    lies_on = {stake.bet: stake.spot for stake in round_.stakes()}
    return sum(
        max((odds.prize(cents) for odds in spots[lies_on[bet]].odds), default=cents)
        for bet, cents in round_.in_escrow().items()
        if bet in lies_on
    )


# ── What the float has seen ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FloatHistory:
    """What came to a float and left it between two moments, in cents.

    opening + opened + fills − credits + win − commission − counted = closing, where `opened` came as the table was
    opened, `counted` went back as it closed (below zero: what the house laid down), and `win` is what the rounds
    brought.
    """

    opening: int = 0
    opened: int = 0
    fills: int = 0
    credits: int = 0
    win: int = 0
    commission: int = 0
    counted: int = 0

    @property
    def closing(self) -> int:
        """What lay there at the end."""
        moved = self.opened + self.fills - self.credits + self.win - self.commission - self.counted
        return self.opening + moved


def since_opening(table_id: int) -> FloatHistory:
    """The float of a table since it was opened last, with all that has come and gone till now, from the transfers
    alone: all of them are read. For the end of a gaming day; pages ask `present_float`."""
    moved = _of_float(table_id)
    opened = moved.filter(reason=Reason.FLOAT).order_by("-pk").values_list("pk", flat=True).first()
    return _history(moved.filter(pk__gte=opened or 0))


def present_float(table_id: int, *, clock: Clock = DATABASE_CLOCK) -> FloatHistory:
    """The same, as fast after a year as after an hour: see `inventory_sheet`. Nothing if the table was never open."""
    for period in inventory_sheet(table_id, most=1, clock=clock):
        return period.history
    return FloatHistory()


@dataclass(frozen=True, slots=True)
class InventoryPeriod:
    """One time that a table was open: since when and till when (None: it is), what its float saw, and what came to it
    and left it outside rounds."""

    since: datetime
    until: datetime | None
    history: FloatHistory
    moved: tuple[Transfer, ...]


PERIODS_ON_SHEET = 14
"""So many of the last times that a table was open are on its inventory sheet."""

MOMENT = timedelta(microseconds=1)
"""The shortest time that the clock knows: what happened now is part of until now."""


def inventory_sheet(
    table_id: int, *, most: int = PERIODS_ON_SHEET, clock: Clock = DATABASE_CLOCK
) -> list[InventoryPeriod]:
    """The last times that a table was open, newest first, at most `most` of them.

    No transfer of a round is read, so that the sheet does not grow with the ledger. What a float saw while a table was
    open was counted from all its transfers as the table closed, and stands in that event. Of a table that is open, the
    win is what lies in the float beyond what came outside rounds, and the commission that of its figures.
    """
    table = Table.objects.get(pk=table_id)
    account = Account.objects.get(kind=Account.Kind.FLOAT, table=table)
    outside = Transfer.objects.filter(log__isnull=True)
    openings = list(outside.filter(credit=account, reason=Reason.FLOAT).order_by("-pk")[:most])
    if not openings:
        return []
    since = outside.filter(pk__gte=openings[-1].pk).select_related("credit")
    moved = sorted([*since.filter(credit=account), *since.filter(debit=account)], key=attrgetter("pk"))
    closings: list[Event | None] = [None] if table.open else []
    closings += Event.objects.filter(table=table, deed=Event.Kind.TABLE_CLOSED).order_by("-seq")[:most]
    periods = []
    before: int | None = None
    for opened, closed in zip(openings, closings, strict=False):
        during = tuple(one for one in moved if opened.pk <= one.pk and (before is None or one.pk < before))
        before = opened.pk
        if closed is not None:
            history = _as_counted(closed)
        else:
            history = _so_far(
                account, during, statistics.of_table(table_id, opened.at, clock.now() + MOMENT).commission
            )
        periods.append(InventoryPeriod(opened.at, closed.at if closed else None, history, during))
    return periods


def _as_counted(closed: Event) -> FloatHistory:
    """What a float had seen when it was counted, as the event says, and that it was given back."""
    told = dict(closed.after) if isinstance(closed.after, dict) else {}
    left = told.pop("closing", 0)
    return replace(FloatHistory(**told), counted=left)


def _so_far(account: Account, outside: Iterable[Transfer], commission: int) -> FloatHistory:
    """What the float of an open table has seen, by what lies there and what came and went outside rounds."""
    sums = Counter[str]()
    for moved in outside:
        sums[moved.reason] += moved.amount if moved.credit_id == account.pk else -moved.amount
    came = FloatHistory(opened=sums[Reason.FLOAT], fills=sums[Reason.FILL], credits=-sums[Reason.CREDIT])
    return replace(came, win=account.balance - came.closing + commission, commission=commission)


def _of_float(table_id: int) -> QuerySet[Transfer]:
    at_float = {"kind": Account.Kind.FLOAT, "table": table_id}
    debit = Q(**{f"debit__{name}": value for name, value in at_float.items()})
    credit = Q(**{f"credit__{name}": value for name, value in at_float.items()})
    return Transfer.objects.filter(debit | credit)


_CAME = Case(When(credit__kind=Account.Kind.FLOAT, then=F("amount")), default=-F("amount"))
"""What a transfer of a float brought to it; below zero, what it took."""


def _history(moved: QuerySet[Transfer], opening: int = 0) -> FloatHistory:
    sums: dict[str, int] = {"opened": 0, "fills": 0, "credits": 0, "win": 0, "commission": 0, "counted": 0}
    for reason, cents in moved.order_by().values_list("reason").annotate(cents=Sum(_CAME)):
        match reason:
            case Reason.FLOAT:
                sums["opened"] += cents
            case Reason.FILL:
                sums["fills"] += cents
            case Reason.CREDIT:
                sums["credits"] -= cents
            case Reason.COMMISSION:
                sums["commission"] -= cents
            case Reason.COUNT:
                sums["counted"] -= cents
            case _:
                sums["win"] += cents
    return FloatHistory(opening, **sums)


def _lock_order(order_id: int) -> tuple[Table, ChipOrder]:
    """An order that waits, and its table, both locked. Raises Refused."""
    table_id = ChipOrder.objects.filter(pk=order_id).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Refused("", say("There is no such order."))
    table = lock_table(table_id)
    order = ChipOrder.objects.select_for_update().get(pk=order_id)
    if order.state != ChipOrder.State.REQUESTED:
        raise Refused("", say("This order is decided already."))
    return table, order


def _decide(order: ChipOrder, by: Player, state: ChipOrder.State, clock: Clock) -> None:
    order.state, order.decided_by, order.decided_at = state, by, clock.now()
    order.save(update_fields=["state", "decided_by", "decided_at"])
