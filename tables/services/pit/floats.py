"""Floats: fills and credits, and what a float has seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Q, QuerySet, Sum, When

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Amount, say
from tables.models import Account, ChipOrder, Event, Player, RoundLog, Table, Transfer
from tables.queries.folds import game_of, round_of
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason

from . import second_person
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
        order = ChipOrder.objects.create(
            table=table, kind=kind, amount=cents, why=why.strip(), requested_by=by, requested_at=clock.now()
        )
        after = {"order": order.pk, "kind": kind, "cents": cents}
        events.record(Event.Kind.CHIPS_ORDERED, by=by.pk, table=table.pk, why=order.why, after=after, clock=clock)
        return order


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
        announce.table_changed(table.pk, players=())


def refuse_chips(by: Player, order_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Refuse an order, or take back one's own. Raises Refused."""
    with unit_of_work():
        table, order = _lock_order(order_id)
        demand(by, Right.ORDER_CHIPS if order.requested_by_id == by.pk else Right.CONFIRM_CHIPS)
        _decide(order, by, ChipOrder.State.REFUSED, clock)
        after = {"order": order.pk, "state": order.state}
        events.record(Event.Kind.CHIPS_REFUSED, by=by.pk, table=table.pk, why=why.strip(), after=after, clock=clock)


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
    """What came to a float and left it between two moments, in cents, from the transfers alone.

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


def between(table_id: int, since: datetime, until: datetime) -> FloatHistory:
    """The float of a table in [since, until)."""
    moved = _of_float(table_id).filter(at__lt=until)
    opening = _history(moved.filter(at__lt=since)).closing
    return _history(moved.filter(at__gte=since), opening)


def since_opening(table_id: int) -> FloatHistory:
    """The float of a table since it was opened last, with all that has come and gone till now."""
    moved = _of_float(table_id)
    opened = moved.filter(reason=Reason.FLOAT).order_by("-pk").values_list("pk", flat=True).first()
    return _history(moved.filter(pk__gte=opened or 0))


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


def inventory_sheet(table_id: int) -> list[InventoryPeriod]:
    """The last times that a table was open, newest first."""
    moved = _of_float(table_id)
    openings = list(moved.filter(reason=Reason.FLOAT).order_by("-pk")[:PERIODS_ON_SHEET])
    periods = []
    following = None
    for opened in openings:
        during = moved.filter(pk__gte=opened.pk)
        if following is not None:
            during = during.filter(pk__lt=following.pk)
        following = opened
        outside = tuple(during.filter(log__isnull=True).select_related("credit").order_by("pk"))
        closed = (
            Event.objects.filter(table=table_id, deed=Event.Kind.TABLE_CLOSED, at__gte=opened.at)
            .order_by("seq")
            .first()
        )
        periods.append(InventoryPeriod(opened.at, closed.at if closed else None, _history(during), outside))
    return periods


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
