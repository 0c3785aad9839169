"""A table's life: opened with a float, filled and credited, paced, paused, closed and counted.

What the pit orders holds from the next round on; the present one is played to its end (`services.dealing` asks `rests`
and `closes`). Only the dealer closes a table, since it opens the shoe: `shut` is the last thing that it does there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Sum, When

from tables import announce, queries
from tables.clock import DATABASE_CLOCK, Clock
from tables.games import GAMES
from tables.games.limits import check_agree
from tables.games.money import is_whole_credits
from tables.games.options import options_json, options_of, read_options
from tables.games.protocol import HOUSE, OptionError, Refused, Void
from tables.games.words import Amount, say
from tables.models import Account, ChipOrder, Event, Player, Realm, RoundLog, Seat, Table, Transfer
from tables.rights import Right, demand
from tables.timetable import NEXT, Times, of_next_round

from . import events, pit, wallet
from .desk import round_desk
from .wallet import Entry
from .work import unit_of_work

FLOAT = "float"
"""Why chips come to a table: it opens."""

COUNT = "count"
"""Why chips leave it: it has closed, and what lay there was counted. What a float lacks then the house lays down."""

AFTER_ROUND, AFTER_SHOE = "round", "shoe"
"""When a table closes: what `Table.closing` says."""

LIMITS = ("min_bet", "max_bet", "min_ante", "max_ante")
"""The options that are limits, in whichever game they are."""

MOST = 1_000_000_000_00
"""No float, fill or credit is more than this, in cents: ten digits of credits are a slip of the hand."""


# ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────


def open_new(
    by: Player,
    slug: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    *,
    float_cents: int,
    times: Mapping[str, int] | None = None,
    position: int = 0,
    jackpot: str | None = None,
    realm: Realm = Realm.FLOOR,
    clock: Clock = DATABASE_CLOCK,
) -> Table:
    """Open a table that was not there yet. Raises Refused, OptionError or ValueError (see `pit.open_table`)."""
    demand(by, Right.RUN_TABLES)
    _check_amount(float_cents)
    with unit_of_work():
        if Table.objects.filter(slug=slug).exists():
            raise Refused("", say("There is a table of this name already."))
        table = pit.open_table(
            slug, name, game, options,
            times=times, float_cents=float_cents, position=position, jackpot=jackpot, realm=realm, clock=clock,
        )  # fmt: skip
        after = {
            "game": game, "realm": realm.name, "float": float_cents, "options": table.options, "times": table.times,
        }  # fmt: skip
        events.record("table_opened", by=by.pk, table=table.pk, after=after, clock=clock)
        return table


def reopen(by: Player, table_id: int, float_cents: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Open a closed table again, with a new float from the house. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    _check_amount(float_cents)
    with unit_of_work():
        table = _lock(table_id)
        if table.open:
            raise Refused("", say("This table is open."))
        table.open, table.paused, table.closing = True, False, ""
        table.times = of_next_round(table.times)
        _save(table, "open", "paused", "closing", "times")
        openings = Transfer.objects.filter(reason=FLOAT, credit__kind=Account.Kind.FLOAT, credit__table=table).count()
        key = f"float:{table.pk}:{openings + 1}"
        entry = Entry(key, wallet.house_of(table.realm), wallet.float_of(table.pk), float_cents, FLOAT, by.key)
        wallet.mint([entry], at=clock.now())
        events.record("table_opened", by=by.pk, table=table.pk, after={"float": float_cents}, clock=clock)


# ── Fills and credits ───────────────────────────────────────────────────────────────────────────────────────


def order_chips(
    by: Player, table_id: int, kind: str, cents: int, why: str = "", *, clock: Clock = DATABASE_CLOCK
) -> ChipOrder:
    """Ask for chips to come to a table (a fill) or to leave it (a credit). Nothing moves yet. Raises Refused."""
    demand(by, Right.ORDER_CHIPS)
    _check_amount(cents)
    if kind not in ChipOrder.Kind.values:
        raise Refused("", say("Chips come as a fill, or go as a credit."))
    with unit_of_work():
        table = _lock_open(table_id)
        order = ChipOrder.objects.create(
            table=table, kind=kind, amount=cents, why=why.strip(), requested_by=by, requested_at=clock.now()
        )
        after = {"order": order.pk, "kind": kind, "cents": cents}
        events.record("chips_ordered", by=by.pk, table=table.pk, why=order.why, after=after, clock=clock)
        return order


def confirm_chips(by: Player, order_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Confirm what somebody else asked for: the chips move now, once. Raises Refused.

    A credit leaves in the float what the stakes that lie on the layout could win at their best odds, so that the round
    is paid out of it. (What wins more than that the house pays all the same: a float may fall below zero.)
    """
    demand(by, Right.CONFIRM_CHIPS)
    with unit_of_work():
        table, order = _lock_order(order_id)
        if order.requested_by_id == by.pk:
            raise Refused("", say("Somebody else confirms what you have asked for."))
        if not table.open:
            raise _closed()
        keep = exposure(_present(table)) if order.kind == ChipOrder.Kind.CREDIT else 0
        house, float_ = wallet.house_of(table.realm), wallet.float_of(table.pk)
        accounts = wallet.lock([house, float_])
        before = accounts.balances[float_]
        fill = order.kind == ChipOrder.Kind.FILL
        if not fill and before - order.amount < keep:
            raise Refused(
                "",
                say(
                    "The float holds %(float)s, and %(keep)s of it must stay for the stakes on the layout.",
                    float=Amount(before), keep=Amount(keep),
                ),
            )  # fmt: skip
        debit, credit = (house, float_) if fill else (float_, house)
        entry = Entry(f"{order.kind}:{order.pk}", debit, credit, order.amount, order.kind, by.key)
        wallet.post(accounts, [entry], at=clock.now())
        _decide(order, by, ChipOrder.State.CONFIRMED, clock)
        events.record(
            "chips_confirmed", by=by.pk, table=table.pk,
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
        events.record("chips_refused", by=by.pk, table=table.pk, why=why.strip(), after=after, clock=clock)


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
    round_, spots = queries.round_of(log), queries.game_of(log).spots
    lies_on = {stake.bet: stake.spot for stake in round_.stakes()}
    return sum(
        max((odds.prize(cents) for odds in spots[lies_on[bet]].odds), default=cents)
        for bet, cents in round_.held().items()
        if bet in lies_on
    )


# ── Limits and pace ─────────────────────────────────────────────────────────────────────────────────────────


def set_limits(
    by: Player,
    table_id: int,
    limits: Mapping[str, Any],
    times: Mapping[str, int],
    why: str = "",
    *,
    clock: Clock = DATABASE_CLOCK,
) -> None:
    """Set limits (options of the game, see `LIMITS`) and times for the next round on. Raises Refused.

    Limits for which the game's regulation wants leave are changed as an option is, and not here.
    """
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = _lock(table_id)
        options_type = GAMES[table.game].options
        about = options_of(options_type)
        changed = {name: value for name, value in limits.items() if table.options.get(name, ()) != value}
        for name in changed:
            if name not in LIMITS or name not in about:
                raise Refused("", say("This is no limit of the game."))
            if about[name].authorised:
                raise Refused(
                    about[name].authorised_by,
                    say("This limit needs leave of the inspectorate: draft it as a change of options."),
                )
        try:
            read = read_options(options_type, {**table.options, **changed})
            check_agree(GAMES[table.game], read)
            options = options_json(read)
            Times.of(times)
        except OptionError as error:
            raise Refused("", error.args[0]) from None
        except ValueError:
            raise Refused("", say("A time is from 0 to an hour.")) from None
        if NEXT in times:
            raise Refused("", say("A time is from 0 to an hour."))
        before = {"limits": _limits(table.options), "times": of_next_round(table.times)}
        table.options = options
        table.times = {**_without_next(table.times), NEXT: dict(times)} if _goes_on(table) else dict(times)
        after = {"limits": _limits(options), "times": dict(times)}
        if after == before:
            return
        _save(table, "options", "times")
        events.record("limits", by=by.pk, table=table.pk, why=why.strip(), before=before, after=after, clock=clock)


def _limits(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in LIMITS if name in options}


def _without_next(times: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in times.items() if name != NEXT}


def _goes_on(table: Table) -> bool:
    """Whether a round is being played that keeps its own times."""
    log = _present(table)
    return log is not None and log.settled_at is None


# ── Pausing and closing ─────────────────────────────────────────────────────────────────────────────────────


def pause(by: Player, table_id: int, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """No round is begun from now on; the present one is played to its end. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = _lock_open(table_id)
        if table.paused:
            raise Refused("", say("This table pauses already."))
        table.paused = True
        _save(table, "paused")
        events.record("table_paused", by=by.pk, table=table.pk, why=why.strip(), clock=clock)


def resume(by: Player, table_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Rounds are begun again; a closing that was ordered is taken back. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = _lock_open(table_id)
        if not table.paused and not table.closing:
            raise Refused("", say("This table neither pauses nor closes."))
        before = {"paused": table.paused, "closing": table.closing}
        table.paused, table.closing = False, ""
        _save(table, "paused", "closing")
        events.record("table_resumed", by=by.pk, table=table.pk, before=before, clock=clock)


def close(by: Player, table_id: int, when: str, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """Close a table after the round, or at the end of the shoe. Raises Refused.

    Then whatever was carried goes back to its bettors, seats are given up, the shoe is opened, and the float is counted
    and goes back to the house.
    """
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = _lock_open(table_id)
        _order_closing(table, when, clock)
        after = {"closing": when}
        events.record("table_closing", by=by.pk, table=table.pk, why=why.strip(), after=after, clock=clock)


def close_at_once(by: Player, table_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Void the present round, if one is played, and close. Raises Refused without a reason."""
    demand(by, Right.RUN_TABLES)
    demand(by, Right.RULE)
    events.check_reason(why)
    with unit_of_work():
        table = _lock_open(table_id)
        table.paused = False
        _order_closing(table, AFTER_ROUND, clock)
        log = _present(table)
        void = None
        if log is not None and log.settled_at is None:
            with round_desk(log.pk, clock=clock) as desk:
                if not desk.round.over:
                    desk.act(Void(reason=why.strip()))
                    void = log.pk
        after = {"closing": "now"}
        events.record("table_closing", by=by.pk, table=table.pk, log=void, why=why.strip(), after=after, clock=clock)


def _order_closing(table: Table, when: str, clock: Clock) -> None:
    if when not in (AFTER_ROUND, AFTER_SHOE):
        raise Refused("", say("A table closes after the round or at the end of the shoe."))
    if when == AFTER_SHOE and not _has_shoe(table):
        raise Refused("", say("No shoe lasts longer than a round here: close the table after the round."))
    table.closing = when
    _save(table, "closing", "paused")


def _has_shoe(table: Table) -> bool:
    """Whether a shoe lasts for several rounds at this table."""
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    return rules is not None and not rules.every_round


def closings(table: Table) -> tuple[str, ...]:
    """When this table can be closed."""
    return (AFTER_ROUND, AFTER_SHOE) if _has_shoe(table) else (AFTER_ROUND,)


# ── The end of the night: for the dealer ────────────────────────────────────────────────────────────────────


def shut(table: Table, *, clock: Clock) -> None:
    """Close a table whose layout is empty, its row being locked: give the seats up, count the float and give it back to
    the house. Float and house are locked before whatever else was (see `dealing`)."""
    escrow = Account.objects.get(kind=Account.Kind.ESCROW, table=table)
    assert escrow.balance == 0, f"{escrow.balance} lies on the layout of a table that closes"
    Seat.objects.filter(table=table).delete()
    night = since_opening(table.pk)
    house, float_ = wallet.house_of(table.realm), wallet.float_of(table.pk)
    accounts = wallet.lock([house, float_])
    left = accounts.balances[float_]
    assert left == night.closing, f"{left} lies in the float, {night.closing} by its transfers"
    if left:
        debit, credit = (float_, house) if left > 0 else (house, float_)
        closed = Transfer.objects.filter(reason=COUNT).filter(Q(debit__table=table) | Q(credit__table=table)).count()
        entry = Entry(f"count:{table.pk}:{closed + 1}", debit, credit, abs(left), COUNT, HOUSE)
        wallet.post(accounts, [entry], at=clock.now())
    table.open, table.paused, table.closing, table.fresh_shoe_due = False, False, "", True
    _save(table, "open", "paused", "closing", "fresh_shoe_due")
    after = {**asdict(night), "closing": night.closing}
    events.record("table_closed", by=None, table=table.pk, after=after, clock=clock)


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
    opened = moved.filter(reason=FLOAT).order_by("-pk").values_list("pk", flat=True).first()
    return _history(moved.filter(pk__gte=opened or 0))


@dataclass(frozen=True, slots=True)
class Night:
    """One time that a table was open: since when and till when (None: it is), what its float saw, and what came to it
    and left it outside rounds."""

    since: datetime
    until: datetime | None
    history: FloatHistory
    moved: tuple[Transfer, ...]


NIGHTS = 14
"""So many of the last nights of a table are on its sheet."""


def sheet(table_id: int) -> list[Night]:
    """The last times that a table was open, newest first."""
    moved = _of_float(table_id)
    openings = list(moved.filter(reason=FLOAT).order_by("-pk")[:NIGHTS])
    nights = []
    following = None
    for opened in openings:
        during = moved.filter(pk__gte=opened.pk)
        if following is not None:
            during = during.filter(pk__lt=following.pk)
        following = opened
        outside = tuple(during.filter(log__isnull=True).select_related("credit").order_by("pk"))
        closed = Event.objects.filter(table=table_id, deed="table_closed", at__gte=opened.at).order_by("seq").first()
        nights.append(Night(opened.at, closed.at if closed else None, _history(during), outside))
    return nights


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
            case "float":
                sums["opened"] += cents
            case ChipOrder.Kind.FILL:
                sums["fills"] += cents
            case ChipOrder.Kind.CREDIT:
                sums["credits"] -= cents
            case "commission":
                sums["commission"] -= cents
            case "count":
                sums["counted"] -= cents
            case _:
                sums["win"] += cents
    return FloatHistory(opening, **sums)


# ── Helpers ─────────────────────────────────────────────────────────────────────────────────────────────────


def _check_amount(cents: int) -> None:
    if type(cents) is not int or not is_whole_credits(cents):
        raise Refused("credits", say("Chips come in whole credits, at least 1."))
    if cents > MOST:
        raise Refused("credits", say("No more than %(most)s come at once.", most=Amount(MOST)))


def _closed() -> Refused:
    return Refused("table", say("This table is closed."))


def _lock(table_id: int) -> Table:
    table = Table.objects.select_for_update(of=("self",)).select_related("round").filter(pk=table_id).first()
    if table is None:
        raise Refused("table", say("There is no such table."))
    return table


def _lock_open(table_id: int) -> Table:
    table = _lock(table_id)
    if not table.open:
        raise _closed()
    return table


def _present(table: Table) -> RoundLog | None:
    """The round of a table, read again: others go on with it while the table is locked."""
    return None if table.round_id is None else RoundLog.objects.get(pk=table.round_id)


def _lock_order(order_id: int) -> tuple[Table, ChipOrder]:
    """An order that waits, and its table, both locked. Raises Refused."""
    table_id = ChipOrder.objects.filter(pk=order_id).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Refused("", say("There is no such order."))
    table = _lock(table_id)
    order = ChipOrder.objects.select_for_update().get(pk=order_id)
    if order.state != ChipOrder.State.REQUESTED:
        raise Refused("", say("This order is decided already."))
    return table, order


def _decide(order: ChipOrder, by: Player, state: ChipOrder.State, clock: Clock) -> None:
    order.state, order.decided_by, order.decided_at = state, by, clock.now()
    order.save(update_fields=["state", "decided_by", "decided_at"])


def _save(table: Table, *fields: str) -> None:
    """Save what has changed of a table, and tell pages and dealer of it."""
    table.version += 1
    table.save(update_fields=[*fields, "version"])
    announce.table_changed(table.pk)
    announce.nudge(table.pk)
