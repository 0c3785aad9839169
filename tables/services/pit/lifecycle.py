"""A table's life: opened, paced, paused, closed and counted.

What the pit orders holds from the next round on; the present one is played to its end. Only the dealer closes a table,
since it opens the shoe: `shut` is the last thing that it does there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from django.conf import settings
from django.db.models import Q

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.timetable import LEAST, NEXT, Times, in_seconds, of_next_round
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import HOUSE, Void
from tables.games.contract.errors import OptionError, Refused
from tables.games.shared.limits import check_agree, check_bounded
from tables.games.shared.options import options_json, options_of, read_options
from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say
from tables.models import Account, Event, Player, Realm, Seat, Table, Transfer
from tables.services.journal import events
from tables.services.money import wallet
from tables.services.money.wallet import Posting, Reason
from tables.services.rounds.round_session import locked_round

from .floats import since_opening
from .locked_table import check_amount, lock_open_table, lock_table, present_round, save_table
from .opening import open_table
from .second_person import SecondPersonNeeded

LIMITS = ("min_bet", "max_bet", "min_ante", "max_ante")
"""The options that are limits, in whichever game they are."""


# ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────


def open_new(
    by: Player,
    slug: str,
    name: str,
    game: str,
    options: Mapping[str, object],
    *,
    float_cents: int,
    times: Mapping[str, int] | None = None,
    position: int = 0,
    jackpot: str | None = None,
    realm: Realm = Realm.FLOOR,
    approved_by: Player | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> Table:
    """Open a table that was not there yet. Raises Refused, OptionError or ValueError (see `pit.open_table`), and
    SecondPersonNeeded for a large float."""
    demand(by, Right.RUN_TABLES)
    _check_float(float_cents, approved_by)
    with unit_of_work():
        if Table.objects.filter(slug=slug).exists():
            raise Refused("", say("There is a table of this name already."))
        table = open_table(
            slug, name, game, options,
            times=times, float_cents=float_cents, position=position, jackpot=jackpot, realm=realm, clock=clock,
        )  # fmt: skip
        after = {
            "game": game, "realm": realm.name, "float": float_cents, "options": table.options, "times": table.times,
        }  # fmt: skip
        events.record(Event.Kind.TABLE_OPENED, by=by.pk, table=table.pk, after=after, clock=clock)
        return table


def reopen(
    by: Player, table_id: int, float_cents: int, *, approved_by: Player | None = None, clock: Clock = DATABASE_CLOCK
) -> None:
    """Open a closed table again, with a new float from the house. Raises Refused, and SecondPersonNeeded for a large
    float."""
    demand(by, Right.RUN_TABLES)
    _check_float(float_cents, approved_by)
    with unit_of_work():
        table = lock_table(table_id)
        if table.open:
            raise Refused("", say("This table is open."))
        table.open, table.paused, table.closing = True, False, ""
        table.times = of_next_round(table.times)
        save_table(table, "open", "paused", "closing", "times")
        openings = Transfer.objects.filter(
            reason=Reason.FLOAT, credit__kind=Account.Kind.FLOAT, credit__table=table
        ).count()
        key = f"float:{table.pk}:{openings + 1}"
        posting = Posting(
            key, wallet.house_of(table.realm), wallet.float_of(table.pk), float_cents, Reason.FLOAT, by.key
        )
        wallet.mint([posting], at=clock.now())
        events.record(Event.Kind.TABLE_OPENED, by=by.pk, table=table.pk, after={"float": float_cents}, clock=clock)


def _check_float(cents: int, approved_by: Player | None) -> None:
    """Raise Refused unless so much may lie in the float of a table that is opened."""
    check_amount(cents)
    if cents > settings.FLOAT_ALONE * CREDIT and approved_by is None:
        raise SecondPersonNeeded


# ── Limits and pace ─────────────────────────────────────────────────────────────────────────────────────────


def set_limits(
    by: Player,
    table_id: int,
    limits: Mapping[str, object],
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
        table = lock_table(table_id)
        options_type = GAMES[table.game].options
        about = options_of(options_type)
        changed = {name: value for name, value in limits.items() if table.options.get(name, ()) != value}
        for name in changed:
            if name not in LIMITS or name not in about:
                raise Refused("", say("This is no limit of the game."))
            if about[name].authorised:
                raise Refused(
                    about[name].authorised_by,
                    say("This limit needs the authorisation of the inspectorate: draft it as a change of options."),
                )
        try:
            read = read_options(options_type, {**table.options, **changed})
            check_agree(GAMES[table.game], read)
            check_bounded(GAMES[table.game], read, read_options(options_type, table.options))
            options = options_json(read)
            Times.of(times)
        except OptionError as error:
            raise Refused("", error.args[0]) from None
        except ValueError:
            raise Refused("", say("A time is from 0 to an hour.")) from None
        if NEXT in times:
            raise Refused("", say("A time is from 0 to an hour."))
        _check_long_enough(times, of_next_round(table.times))
        before = {"limits": _limits(table.options), "times": of_next_round(table.times)}
        table.options = options
        table.times = {**table.times, NEXT: dict(times)} if _goes_on(table) else dict(times)
        after = {"limits": _limits(options), "times": dict(times)}
        if after == before:
            return
        save_table(table, "options", "times")
        events.record(
            Event.Kind.LIMITS, by=by.pk, table=table.pk, why=why.strip(), before=before, after=after, clock=clock
        )


def set_limits_of_several(
    by: Player,
    changes: Mapping[int, tuple[Mapping[str, object], Mapping[str, int]]],
    why: str = "",
    *,
    clock: Clock = DATABASE_CLOCK,
) -> None:
    """Set limits and times of several tables, by their ids, as `set_limits` does for one: of all of them or, if one is
    refused, of none. Raises Refused with the name of that table."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        for table_id in sorted(changes):
            limits, times = changes[table_id]
            try:
                set_limits(by, table_id, limits, times, why, clock=clock)
            except Refused as refusal:
                name = Table.objects.filter(pk=table_id).values_list("name", flat=True).first() or ""
                raise Refused(refusal.article, say("%(table)s: %(reason)s", table=name, reason=refusal.words)) from None


def _check_long_enough(times: Mapping[str, int], now: Mapping[str, object]) -> None:
    """Raise Refused if a time is changed to less than people need."""
    for name, least in LEAST.items():
        if name in times and times[name] < least and times[name] != now.get(name):
            words = say("%(time)s: at least %(seconds)s seconds.", time=PACE[name], seconds=in_seconds(least))
            raise Refused(f"time.{name}", words)


PACE: Mapping[str, Words] = {
    "cut": say("Cut"),
    "betting": say("Betting"),
    "decision": say("Decision"),
    "beat": say("Between two steps of the dealer"),
    "result": say("Result"),
    "hurry": say("When all are ready"),
}
"""The times of a table in words, in the order of `Times`."""


def set_thresholds(
    by: Player, table_id: int, big_bet: int | None, big_win: int | None, *, clock: Clock = DATABASE_CLOCK
) -> None:
    """Say from how many cents on a bettor's stakes, or win, in a round alert the pit; None: never. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    for cents in (big_bet, big_win):
        if cents is not None:
            check_amount(cents)
    with unit_of_work():
        table = lock_table(table_id)
        before = {"big_bet": table.big_bet, "big_win": table.big_win}
        after = {"big_bet": big_bet, "big_win": big_win}
        if after == before:
            return
        table.big_bet, table.big_win = big_bet, big_win
        save_table(table, "big_bet", "big_win")
        events.record(Event.Kind.THRESHOLDS, by=by.pk, table=table.pk, before=before, after=after, clock=clock)


def _limits(options: Mapping[str, object]) -> dict[str, object]:
    return {name: options[name] for name in LIMITS if name in options}


def _goes_on(table: Table) -> bool:
    """Whether a round is being played that keeps its own times."""
    log = present_round(table)
    return log is not None and log.settled_at is None


# ── Pausing and closing ─────────────────────────────────────────────────────────────────────────────────────


def pause(by: Player, table_id: int, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """No round is begun from now on; the present one is played to its end. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = lock_open_table(table_id)
        if table.paused:
            raise Refused("", say("This table pauses already."))
        table.paused = True
        save_table(table, "paused")
        events.record(Event.Kind.TABLE_PAUSED, by=by.pk, table=table.pk, why=why.strip(), clock=clock)


def resume(by: Player, table_id: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Rounds are begun again; a closing that was ordered is taken back. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = lock_open_table(table_id)
        if not table.paused and not table.closing:
            raise Refused("", say("This table neither pauses nor closes."))
        before = {"paused": table.paused, "closing": table.closing}
        table.paused, table.closing = False, ""
        save_table(table, "paused", "closing")
        events.record(Event.Kind.TABLE_RESUMED, by=by.pk, table=table.pk, before=before, clock=clock)


def close(by: Player, table_id: int, when: str, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """Close a table after the round, or at the end of the shoe. Raises Refused.

    Then whatever was carried goes back to its bettors, seats are given up, the shoe is opened, and the float is counted
    and goes back to the house.
    """
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = lock_open_table(table_id)
        _order_closing(table, when, clock)
        after = {"closing": when}
        events.record(Event.Kind.TABLE_CLOSING, by=by.pk, table=table.pk, why=why.strip(), after=after, clock=clock)


def close_at_once(
    by: Player, table_id: int, why: str, *, approved_by: Player | None = None, clock: Clock = DATABASE_CLOCK
) -> None:
    """Void the present round, if one is played, and close: by two persons. Raises Refused without a reason, and
    SecondPersonNeeded."""
    demand(by, Right.RUN_TABLES)
    demand(by, Right.RULE)
    events.check_reason(why)
    if approved_by is None:
        raise SecondPersonNeeded
    with unit_of_work():
        table = lock_open_table(table_id)
        table.paused = False
        _order_closing(table, Table.Closing.AFTER_ROUND, clock)
        log = present_round(table)
        void = None
        if log is not None and log.settled_at is None:
            with locked_round(log.pk, clock=clock) as session:
                if not session.round.over:
                    session.act(Void(remark=why.strip()))
                    void = log.pk
        after = {"closing": "now"}
        events.record(
            Event.Kind.TABLE_CLOSING, by=by.pk, table=table.pk, log=void, why=why.strip(), after=after, clock=clock
        )


def _order_closing(table: Table, when: str, clock: Clock) -> None:
    if when not in (Table.Closing.AFTER_ROUND, Table.Closing.AFTER_SHOE):
        raise Refused("", say("A table closes after the round or at the end of the shoe."))
    if when == Table.Closing.AFTER_SHOE and not _has_shoe(table):
        raise Refused("", say("No shoe lasts longer than a round here: close the table after the round."))
    table.closing = when
    save_table(table, "closing", "paused")


def _has_shoe(table: Table) -> bool:
    """Whether a shoe lasts for several rounds at this table."""
    game = GAMES[table.game]
    rules = game.shoe(read_options(game.options, table.options))
    return rules is not None and not rules.every_round


def closings(table: Table) -> tuple[str, ...]:
    """When this table can be closed."""
    return (Table.Closing.AFTER_ROUND, Table.Closing.AFTER_SHOE) if _has_shoe(table) else (Table.Closing.AFTER_ROUND,)


def fresh_cards_article(table: Table) -> str:
    """The article by which the house may have fresh cards here after any round; empty where each round has them."""
    return GAMES[table.game].fresh_cards_article if _has_shoe(table) else ""


def change_cards(by: Player, table_id: int, why: str = "", *, clock: Clock = DATABASE_CLOCK) -> None:
    """Have fresh cards after the present round: the next is dealt from a new pack, and the players are told that the
    house wants it so. Raises Refused."""
    demand(by, Right.RUN_TABLES)
    with unit_of_work():
        table = lock_open_table(table_id)
        article = fresh_cards_article(table)
        if not article:
            raise Refused("", say("Each round is dealt from fresh cards here."))
        if table.fresh_shoe_due:
            raise Refused(article, say("The cards are going to be changed already."))
        table.fresh_shoe_due, table.fresh_shoe_by = True, article
        save_table(table, "fresh_shoe_due", "fresh_shoe_by")
        after = {"article": article}
        events.record(
            Event.Kind.CARDS_CHANGED, by=by.pk, table=table.pk, log=table.round_id, why=why.strip(), after=after,
            clock=clock,
        )  # fmt: skip


# ── The end of the gaming day: for the dealer ────────────────────────────────────────────────────────────────────


def shut(table: Table, *, clock: Clock) -> None:
    """Close a table whose layout is empty, its row being locked: give the seats up, count the float and give it back to
    the house. Float and house are locked before whatever else was (see `dealing`)."""
    escrow = Account.objects.get(kind=Account.Kind.ESCROW, table=table)
    assert escrow.balance == 0, f"{escrow.balance} lies on the layout of a table that closes"
    Seat.objects.filter(table=table).delete()
    history = since_opening(table.pk)
    house, float_ = wallet.house_of(table.realm), wallet.float_of(table.pk)
    accounts = wallet.lock([house, float_])
    left = accounts.balances[float_]
    assert left == history.closing, f"{left} lies in the float, {history.closing} by its transfers"
    if left:
        debit, credit = (float_, house) if left > 0 else (house, float_)
        closed = (
            Transfer.objects.filter(reason=Reason.COUNT).filter(Q(debit__table=table) | Q(credit__table=table)).count()
        )
        posting = Posting(f"count:{table.pk}:{closed + 1}", debit, credit, abs(left), Reason.COUNT, HOUSE)
        wallet.post(accounts, [posting], at=clock.now())
    table.open, table.paused, table.closing, table.fresh_shoe_due = False, False, "", True
    table.fresh_shoe_by = ""
    save_table(table, "open", "paused", "closing", "fresh_shoe_due", "fresh_shoe_by")
    after = {**asdict(history), "closing": history.closing}
    events.record(Event.Kind.TABLE_CLOSED, by=None, table=table.pk, after=after, clock=clock)
