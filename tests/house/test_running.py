"""A table's life: opened, filled, credited, paced, paused, closed and counted; every cent of it in the ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tables.base.timetable import Times
from tables.felt.formatting import text_of
from tables.games import GAMES
from tables.games.contract.errors import OptionError, Refused
from tables.models import Account, ChipOrder, Event, Jackpot, Player, RoundLog, Seat, Shoe, Table, Transfer
from tables.proof import reconciliation
from tables.queries.folds import opened_round
from tables.queries.lobby import lobby_cards
from tables.services.pit import lifecycle
from tables.services.pit.floats import (
    FloatHistory,
    confirm_chips,
    exposure,
    inventory_sheet,
    order_chips,
    present_float,
    refuse_chips,
    since_opening,
    waiting_orders,
)
from tables.services.pit.locked_table import MOST
from tables.services.rounds import seating
from tests.extent import EVERYTHING

from .kit import MAIN_BETS, House, answer, open_table
from .processes import together

START = 10_000_00
FLOAT = 1_000_000_00
TIE = "Ts 4c 6d 2h"
PLAYER_WINS, BANKER_WINS = "4s Kc 5d 7h", "Kc 4s 7h 5d"


def member(role: str, name: str = "") -> Player:
    return Player.objects.create(username=name or role, name=name or role, role=role)


@pytest.fixture
def boss(db: None) -> Player:
    return member("pit_boss", "Boss")


@pytest.fixture
def cage(db: None) -> Player:
    return member("cage", "Cage")


def float_of(table: Table) -> int:
    return Account.objects.get(kind="float", table=table).balance


def escrow_of(table: Table) -> int:
    return Account.objects.get(kind="escrow", table=table).balance


def deeds(table: Table) -> list[str]:
    return list(Event.objects.filter(table=table).order_by("seq").values_list("deed", flat=True))


def said(value: Any) -> dict[str, Any]:
    """What an event says was, or is."""
    assert isinstance(value, dict)
    return value


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def steps(house: House, table: Table, *, most: int = 100) -> None:
    """Let the dealer do what is due until nothing is any more."""
    for _ in range(most):
        if not house.step(table).acted:
            return
    raise AssertionError("the table does not come to rest")


def closed(house: House, table: Table) -> dict[str, Any]:
    """What was counted when the table closed; its night agrees with the ledger, and nothing is left anywhere."""
    assert not now(table).open, "it has not closed"
    assert (escrow_of(table), float_of(table)) == (0, 0)
    assert not Seat.objects.filter(table=table).exists()
    assert not Shoe.objects.filter(table=table, retired_at=None).exists()
    counted = said(Event.objects.filter(table=table, deed="table_closed").latest("seq").after)
    sums = counted["opened"] + counted["fills"] - counted["credits"] + counted["win"] - counted["commission"]
    assert counted["opening"] + sums == counted["closing"]
    house.in_order()
    return counted


# ── Opening ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_opens_with_a_float_and_everybody_can_read_who_opened_it(house: House, boss: Player) -> None:
    table = lifecycle.open_new(
        boss,
        "ruby",
        "Ruby",
        "baccarat",
        {"decks": 6, "max_bet": 500_00},
        float_cents=5_000_00,
        times={"betting": 9_000},
        clock=house.clock,
    )
    assert float_of(table) == 5_000_00
    event = Event.objects.get(table=table)
    assert (event.deed, event.by, said(event.after)["float"]) == ("table_opened", boss, 5_000_00)
    assert "Ruby" in [card.name for card in lobby_cards(clock=house.clock)]


@pytest.mark.parametrize("cents", [0, -100, 150, MOST + 100])
def test_a_float_is_whole_chips(house: House, boss: Player, cents: int) -> None:
    house.refused(
        lambda: lifecycle.open_new(boss, "ruby", "Ruby", "baccarat", {}, float_cents=cents, clock=house.clock)
    )
    assert not Table.objects.filter(slug="ruby").exists()


def test_a_table_with_options_that_do_not_exist_is_not_opened(house: House, boss: Player) -> None:
    with pytest.raises(OptionError):
        lifecycle.open_new(boss, "ruby", "Ruby", "baccarat", {"decks": 2}, float_cents=5_000_00, clock=house.clock)
    assert not Table.objects.exists() and not Event.objects.exists()


def test_two_tables_of_one_name_there_are_not(house: House, boss: Player) -> None:
    house.table("ruby")
    house.refused(
        lambda: lifecycle.open_new(boss, "ruby", "Ruby", "baccarat", {}, float_cents=100_00, clock=house.clock)
    )


def test_a_closed_table_opens_again_with_a_new_float_and_deals(house: House, boss: Player) -> None:
    table, ana = house.table(dealing_device="shoe"), house.player("ana")
    house.stack(PLAYER_WINS)
    house.until(table, "betting")
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    steps(house, table)
    closed(house, table)
    house.refused(lambda: order_chips(boss, table.pk, "fill", 100_00, clock=house.clock))
    lifecycle.reopen(boss, table.pk, 7_000_00, clock=house.clock)
    house.refused(lambda: lifecycle.reopen(boss, table.pk, 7_000_00, clock=house.clock))
    assert float_of(table) == 7_000_00
    house.attend(table)
    house.until(table, "betting")
    assert opened_round(house.log(table)).opening.first_round
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    steps(house, table)
    assert closed(house, table)["opened"] == 7_000_00
    nights = inventory_sheet(table.pk)
    assert [night.history.opened for night in nights] == [7_000_00, FLOAT]
    assert [night.history.closing for night in nights] == [0, 0]
    assert all(night.until is not None for night in nights)
    assert [[moved.reason for moved in night.moved] for night in nights] == [["float", "count"]] * 2


# ── Fills and credits ───────────────────────────────────────────────────────────────────────────────────────


def test_chips_move_when_a_second_person_confirms_and_not_before(house: House, boss: Player, cage: Player) -> None:
    table = house.table()
    fill = order_chips(boss, table.pk, "fill", 2_000_00, "a big night", clock=house.clock)
    credit = order_chips(boss, table.pk, "credit", 500_00, clock=house.clock)
    assert float_of(table) == FLOAT
    assert waiting_orders() == [fill, credit]
    confirm_chips(cage, fill.pk, clock=house.clock)
    assert float_of(table) == FLOAT + 2_000_00
    confirm_chips(cage, credit.pk, clock=house.clock)
    assert float_of(table) == FLOAT + 1_500_00
    keys = [f"fill:{fill.pk}", f"credit:{credit.pk}"]
    assert set(Transfer.objects.filter(reason__in=("fill", "credit")).values_list("key", flat=True)) == set(keys)
    night = since_opening(table.pk)
    assert (night.opened, night.fills, night.credits, night.closing) == (FLOAT, 2_000_00, 500_00, FLOAT + 1_500_00)
    assert deeds(table) == ["chips_ordered", "chips_ordered", "chips_confirmed", "chips_confirmed"]
    assert waiting_orders() == []


def test_nobody_confirms_what_he_has_asked_for(house: House) -> None:
    table, manager = house.table(), member("shift_manager")
    order = order_chips(manager, table.pk, "fill", 100_00, clock=house.clock)
    house.refused(lambda: confirm_chips(manager, order.pk, clock=house.clock))
    assert float_of(table) == FLOAT
    with pytest.raises(IntegrityError, match="chips_are_confirmed_by_another"), transaction.atomic():
        ChipOrder.objects.filter(pk=order.pk).update(
            state="confirmed", decided_by=manager, decided_at=house.clock.now()
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        ChipOrder.objects.filter(pk=order.pk).update(state="confirmed", decided_at=house.clock.now())
    refuse_chips(manager, order.pk, "a slip", clock=house.clock)  # what they asked for themselves, they may take back
    order.refresh_from_db()
    assert order.state == "refused"


def test_an_order_is_decided_once(house: House, boss: Player, cage: Player) -> None:
    table = house.table()
    order = order_chips(boss, table.pk, "fill", 100_00, clock=house.clock)
    confirm_chips(cage, order.pk, clock=house.clock)
    house.refused(lambda: confirm_chips(cage, order.pk, clock=house.clock))
    house.refused(lambda: refuse_chips(cage, order.pk, "late", clock=house.clock))
    assert float_of(table) == FLOAT + 100_00


def test_a_credit_leaves_what_the_stakes_on_the_layout_could_win(house: House, boss: Player, cage: Player) -> None:
    table, ana = house.table(game="roulette"), house.player("ana")
    all_of_it = order_chips(boss, table.pk, "credit", FLOAT, clock=house.clock)
    less = order_chips(boss, table.pk, "credit", FLOAT - 350_00, clock=house.clock)
    house.throw(7)
    house.until(table, "betting")
    house.bet(ana, table, "straight_7", 10)
    assert exposure(house.log(table)) == 350_00
    house.refused(lambda: confirm_chips(cage, all_of_it.pk, clock=house.clock))
    confirm_chips(cage, less.pk, clock=house.clock)
    assert float_of(table) == 350_00
    house.play_out(table)
    assert float_of(table) == 0
    assert exposure(house.log(table)) == 0
    house.refused(lambda: confirm_chips(cage, all_of_it.pk, clock=house.clock))


def two_at_once(hall: House, deed: Callable[[Player, int], None]) -> list[str]:
    table, boss = hall.table(), member("pit_boss")
    pair = member("cage"), member("shift_manager")
    order = order_chips(boss, table.pk, "fill", 100_00, clock=hall.clock)
    said = together(*[partial(answer, partial(deed, one, order.pk)) for one in pair])
    assert float_of(table) == FLOAT + 100_00
    return sorted(said)


def test_of_two_who_confirm_at_once_one_moves_the_chips(hall: House) -> None:
    assert two_at_once(hall, partial(confirm_chips, clock=hall.clock)) == ["", "done"]


# ── Rights ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ["cage", "surveillance", ""])
def test_who_does_not_run_tables_cannot(house: House, role: str) -> None:
    table, who = house.table(), member(role)
    for deed in (
        lambda: lifecycle.open_new(who, "ruby", "Ruby", "baccarat", {}, float_cents=100_00, clock=house.clock),
        lambda: lifecycle.reopen(who, table.pk, 100_00, clock=house.clock),
        lambda: order_chips(who, table.pk, "fill", 100_00, clock=house.clock),
        lambda: lifecycle.set_limits(who, table.pk, {}, {}, clock=house.clock),
        lambda: lifecycle.pause(who, table.pk, clock=house.clock),
        lambda: lifecycle.resume(who, table.pk, clock=house.clock),
        lambda: lifecycle.close(who, table.pk, "round", clock=house.clock),
        lambda: lifecycle.close_at_once(who, table.pk, "why", clock=house.clock),
    ):
        assert "right" in str(house.refused(deed))
    assert not Event.objects.exists()


def test_a_pit_boss_confirms_nothing(house: House, boss: Player) -> None:
    order = order_chips(member("shift_manager"), house.table().pk, "fill", 100_00, clock=house.clock)
    assert "right" in str(house.refused(lambda: confirm_chips(boss, order.pk, clock=house.clock)))
    assert "right" in str(house.refused(lambda: refuse_chips(boss, order.pk, "", clock=house.clock)))


# ── Limits and pace ─────────────────────────────────────────────────────────────────────────────────────────


def test_limits_and_times_hold_from_the_next_round_on(house: House, boss: Player) -> None:
    table, ana = house.table(min_bet=10_00, max_bet=100_00, times={"betting": 20_000}), house.player("ana")
    house.until(table, "betting")
    lifecycle.set_limits(
        boss, table.pk, {"min_bet": 50_00, "max_bet": 500_00}, {"betting": 5_000, "result": 1_000}, clock=house.clock
    )
    house.bet(ana, table, "player", 10)
    table = now(table)
    assert Times.of(table.times).betting == 20_000
    house.play_out(table)
    settled_at = house.log(table).settled_at
    assert settled_at is not None and house.log(table).due_at == settled_at + _ms(7_000)
    house.step(table)
    log = house.log(table)
    assert (log.options["min_bet"], log.options["max_bet"]) == (50_00, 500_00)
    assert now(table).times == {"betting": 5_000, "result": 1_000}
    house.until(table, "betting")
    assert house.log(table).due_at == house.log(table).wait_began_at + _ms(5_000)
    house.refused(lambda: house.bet(ana, table, "player", 10))
    event = Event.objects.get(deed="limits")
    assert event.before == {"limits": {"min_bet": 10_00, "max_bet": 100_00}, "times": {"betting": 20_000}}
    assert said(event.after)["limits"] == {"min_bet": 50_00, "max_bet": 500_00}


def _ms(number: int) -> timedelta:
    return timedelta(milliseconds=number)


def test_between_rounds_times_hold_at_once(house: House, boss: Player) -> None:
    table = house.table()
    lifecycle.set_limits(boss, table.pk, {}, {"betting": 6_000}, clock=house.clock)
    assert now(table).times == {"betting": 6_000}


@pytest.mark.parametrize(
    ("name", "least"), [("betting", 5_000), ("decision", 5_000), ("cut", 3_000), ("result", 1_000), ("beat", 100)]
)
def test_nobody_is_given_less_time_than_people_need(house: House, boss: Player, name: str, least: int) -> None:
    """15 in the old form were 15 ms: the table dealt rounds in which nobody could bet."""
    table = house.table(times={"decision": 10_000})
    for short in (0, 15, least - 1):
        times = {"decision": 10_000, name: short}
        refusal = house.refused(lambda: lifecycle.set_limits(boss, table.pk, {}, times, clock=house.clock))  # noqa: B023
        assert "at least" in str(refusal.words)
    assert now(table).times == {"decision": 10_000} and not Event.objects.exists()
    lifecycle.set_limits(boss, table.pk, {}, {"decision": 10_000, name: least}, clock=house.clock)
    assert now(table).times == {"decision": 10_000, name: least}


def test_what_is_shorter_already_stays_until_somebody_changes_it(house: House, boss: Player) -> None:
    table = house.table(times={"betting": 60})
    lifecycle.set_limits(boss, table.pk, {}, {"betting": 60, "result": 9_000}, clock=house.clock)
    assert now(table).times == {"betting": 60, "result": 9_000}


def test_a_credit_of_more_than_the_float_holds_is_refused_when_it_is_asked_for(house: House, boss: Player) -> None:
    table = house.table()
    held = Account.objects.get(kind="float", table=table).balance
    refusal = house.refused(lambda: order_chips(boss, table.pk, "credit", held + 100, clock=house.clock))
    assert "The float holds" in str(refusal.words) and not ChipOrder.objects.exists()
    order_chips(boss, table.pk, "credit", held, clock=house.clock)


def test_the_same_chips_are_not_ordered_twice_by_a_slip(house: House, boss: Player) -> None:
    table, other = house.table(), house.table("pearl")
    first = order_chips(boss, table.pk, "fill", 500_00, clock=house.clock)
    again = house.refused(lambda: order_chips(boss, table.pk, "fill", 500_00, clock=house.clock))
    assert "waits already" in str(again.words)
    order_chips(boss, table.pk, "fill", 501_00, clock=house.clock)
    order_chips(boss, other.pk, "fill", 500_00, clock=house.clock)
    refuse_chips(boss, first.pk, "", clock=house.clock)
    order_chips(boss, table.pk, "fill", 500_00, clock=house.clock)
    written = Event.objects.filter(deed__startswith="chips_", after__order=first.pk).order_by("seq")
    assert [one.deed for one in written] == ["chips_ordered", "chips_withdrawn"], "whoever asked has refused nothing"


def test_what_alerts_at_a_table_is_set_and_written_down(house: House, boss: Player) -> None:
    table = house.table()
    lifecycle.set_thresholds(boss, table.pk, 5_000_00, None, clock=house.clock)
    assert (now(table).big_bet, now(table).big_win) == (5_000_00, None)
    house.refused(lambda: lifecycle.set_thresholds(boss, table.pk, 0, None, clock=house.clock))
    house.refused(lambda: lifecycle.set_thresholds(member("cage"), table.pk, None, None, clock=house.clock))
    event = Event.objects.get()
    assert (event.deed, said(event.after)) == ("thresholds", {"big_bet": 5_000_00, "big_win": None})


@pytest.mark.parametrize(
    ("game", "limits", "times"),
    [
        ("stud_poker", {"min_ante": 20_000_00}, {}),
        ("baccarat", {"min_bet": -1}, {}),
        ("baccarat", {"min_bet": {"nowhere": 100}}, {}),
        ("baccarat", {"decks": 6}, {}),
        ("baccarat", {"min_ante": 100_00}, {}),
        ("baccarat", {}, {"betting": -1}),
        ("baccarat", {}, {"next": 5}),
        ("baccarat", {}, {"dinner": 5}),
    ],
)
def test_limits_are_checked_with_the_games_options(
    house: House, boss: Player, game: str, limits: dict[str, Any], times: dict[str, int]
) -> None:
    table = house.table(game=game)
    before = now(table).options
    house.refused(lambda: lifecycle.set_limits(boss, table.pk, limits, times, clock=house.clock))
    assert now(table).options == before and not Event.objects.exists()


def test_limits_that_need_leave_are_no_matter_of_the_pit_boss_alone(house: House, boss: Player) -> None:
    """Article 9 of 60/2004."""
    table = house.table(game="roulette")
    refusal = house.refused(lambda: lifecycle.set_limits(boss, table.pk, {"min_bet": 5_00}, {}, clock=house.clock))
    assert refusal.article == "9"
    lifecycle.set_limits(boss, table.pk, {"min_bet": now(table).options["min_bet"]}, {"beat": 500}, clock=house.clock)


# ── Pausing ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_pause_lets_the_round_be_played_and_begins_no_other(house: House, boss: Player) -> None:
    table, ana = house.table(), house.player("ana")
    house.stack(PLAYER_WINS)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    lifecycle.pause(boss, table.pk, "lunch", clock=house.clock)
    house.refused(lambda: lifecycle.pause(boss, table.pk, clock=house.clock))
    steps(house, table)
    log = house.log(table)
    assert (log.number, log.phase) == (1, "settled")
    assert house.balance(ana) == START + 100_00
    house.clock.pass_(hours=1)
    assert not house.step(table).acted
    lifecycle.resume(boss, table.pk, clock=house.clock)
    house.refused(lambda: lifecycle.resume(boss, table.pk, clock=house.clock))
    house.step(table)
    assert house.log(table).number == 2
    assert deeds(table) == ["table_paused", "table_resumed"]


@pytest.mark.parametrize("game", GAMES)
def test_a_round_that_nobody_is_in_is_not_waited_for(house: House, boss: Player, game: str) -> None:
    table = house.table(game=game)
    house.until(table, "betting")
    house.clock.pass_(minutes=10)
    lifecycle.pause(boss, table.pk, clock=house.clock)
    for _ in range(40):
        if not house.advance(table).acted:
            break
    assert house.log(table).void and house.log(table).settled_at is not None
    lifecycle.resume(boss, table.pk, clock=house.clock)
    house.until(table, "betting")
    assert house.log(table).number == 2


@pytest.mark.parametrize("number", range(0, 26, 3))
def test_a_pause_in_whatever_phase_ends_that_round_and_no_other_though_the_dealer_changes(
    house: House, boss: Player, number: int
) -> None:
    """From the cut of a fresh shoe on; a stake is laid if betting is open by then."""
    table, ana = house.table(dealing_device="shoe", demo_rounds=0), house.player("ana")
    house.step(table)
    for _ in range(number):
        if house.log(table).phase == "betting" and not house.round(table).stakes():
            house.bet(ana, table, "tie", 100)
        if house.log(table).settled_at is None:
            house.step(table)
    lifecycle.pause(boss, table.pk, clock=house.clock)
    house.take_over(table, "another")
    steps(house, table)
    log = house.log(table)
    assert (log.number, log.settled_at is not None, log.void) == (1, True, False)
    lifecycle.resume(boss, table.pk, clock=house.clock)
    house.step(table)
    assert house.log(table).number == 2


# ── Closing ─────────────────────────────────────────────────────────────────────────────────────────────────


def tie_carried(house: House) -> tuple[Table, Player]:
    table, ana = house.table(), house.player("ana")
    house.stack(TIE)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 50)
    return table, ana


def locked(house: House) -> tuple[Table, Player]:
    table, ana = house.table(game="three_card_baccarat"), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.stack("2c 3c Ks 9d Qd Kd 9s Qh")
    house.until(table, "betting")
    house.bet(ana, table, "place", 50, box=1)
    return table, ana


def left(house: House) -> tuple[Table, Player]:
    table, ana = house.table(game="roulette", auto_leave_winners=True), house.player("ana")
    house.throw(7)
    house.until(table, "betting")
    house.bet(ana, table, "straight_7", 50)
    return table, ana


def left_on_dice(house: House, **options: Any) -> tuple[Table, Player]:
    table, ana = house.table(game="cussec", auto_leave_winners=True, **options), house.player("ana")
    house.throw(4, 4, 5, least=1)
    house.until(table, "betting")
    house.bet(ana, table, "big", 50)
    return table, ana


@pytest.mark.parametrize(
    ("laid", "won"),
    [
        (tie_carried, 0),
        (locked, 0),
        (left, 50_00 * 35),
        (left_on_dice, 50_00),
        (partial(left_on_dice, shake_timing="after_betting"), 50_00),
    ],
)
@pytest.mark.parametrize("crash", [False, True])
def test_what_was_carried_goes_back_to_its_bettor_when_the_table_closes(
    house: House, boss: Player, laid: Callable[[House], tuple[Table, Player]], won: int, crash: bool
) -> None:
    table, ana = laid(house)
    lifecycle.close(boss, table.pk, "round", "the night is over", clock=house.clock)
    played = house.play_out(table)
    assert escrow_of(table) == 50_00
    assert house.balance(ana) == START - 50_00 + won
    if crash:
        house.take_over(table, "another")
    steps(house, table)
    counted = closed(house, table)
    assert house.balance(ana) == START + won
    assert (counted["win"], counted["closing"]) == (-won, FLOAT - won)
    last = RoundLog.objects.filter(table=table).latest("number")
    assert (last.number, last.void) == (played.number + 1, True)
    assert reconciliation.reconcile(last).faults == ()
    assert Transfer.objects.get(log=last).reason == "given-back"
    assert deeds(table) == ["table_closing", "table_closed"]
    lifecycle.reopen(boss, table.pk, 100_00, clock=house.clock)
    house.step(table)
    assert not house.log(table).opening.get("carried")


def test_a_jackpot_stake_that_was_carried_is_refunded(house: House, boss: Player) -> None:
    """R14, and the contribution leaves the pool."""
    table, ana = house.table(game="stud_poker"), house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "ante", 100, 1)
    house.bet(ana, table, "jackpot", 25, 1)
    house.until(table, "deal")
    pool = Account.objects.get(jackpot=Jackpot.objects.get())
    lifecycle.close_at_once(
        boss, table.pk, "the shuffler has failed", approved_by=member("shift_manager"), clock=house.clock
    )
    assert (house.balance(ana), pool.balance) == (START - 25_00, 500_000_00 + 17_50)
    steps(house, table)
    pool.refresh_from_db()
    assert (house.balance(ana), pool.balance) == (START, 500_000_00)
    assert closed(house, table)["win"] == 0


def test_a_table_closes_at_the_end_of_its_shoe_and_not_before(house: House, boss: Player) -> None:
    short: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "cut_card_depth": 312 - 60}
    table, ana = house.table(times={"result": 0, "betting": 9}, **short), house.player("ana")
    house.until(table, "betting")
    lifecycle.close(boss, table.pk, "shoe", clock=house.clock)
    house.play_out(table)
    for _ in range(3):
        house.step(table)
        house.play_out(table)
    assert now(table).open
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    for _ in range(20_000):
        if not now(table).open:
            break
        house.step(table)
    closed(house, table)
    assert Shoe.objects.filter(table=table).count() == 1
    assert Shoe.objects.get(table=table).opened is not None


@pytest.mark.parametrize("game", ["roulette", "cussec", "stud_poker", "baccarat"])
def test_where_no_shoe_lasts_a_table_closes_after_the_round(house: House, boss: Player, game: str) -> None:
    table = house.table(game=game)
    house.refused(lambda: lifecycle.close(boss, table.pk, "shoe", clock=house.clock))
    assert lifecycle.closings(table) == ("round",)


def test_a_table_that_never_dealt_closes(house: House, boss: Player) -> None:
    table = house.table()
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    assert house.advance(table).acted
    assert closed(house, table)["closing"] == FLOAT


def test_a_closing_that_was_ordered_can_be_taken_back(house: House, boss: Player) -> None:
    table = house.table()
    house.until(table, "betting")
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    lifecycle.resume(boss, table.pk, clock=house.clock)
    house.play_out(table)
    house.step(table)
    assert now(table).open and house.log(table).number == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_table_can_be_closed_at_once_in_whatever_phase(house: House, boss: Player, game: str) -> None:
    """Step by step through a round with a stake in it: from each, the stake comes back and the books agree."""
    spot, box = MAIN_BETS[game]
    ana, manager = house.player("ana"), member("shift_manager")
    seen = set()
    for number in range(0, 60, 1 if EVERYTHING else 2):
        table = house.table(f"{game.replace('_', '-')}-{number}", game=game)
        seating.sit(ana.pk, table.pk, 1, clock=house.clock)
        house.until(table, "betting")
        before = house.balance(ana)
        house.bet(ana, table, spot, 100, box)
        for _ in range(number):
            if house.log(table).settled_at is None:
                house.step(table)
        is_over = house.log(table).settled_at is not None
        seen.add(house.log(table).phase)
        lifecycle.close_at_once(boss, table.pk, "the light has gone out", approved_by=manager, clock=house.clock)
        assert is_over or house.log(table).void
        steps(house, table)
        closed(house, table)
        assert is_over or house.balance(ana) == before
        if is_over:
            break
    assert is_over and len(seen) > (3 if EVERYTHING else 2)


@pytest.mark.parametrize("why", ["", "  "])
def test_closing_at_once_wants_a_reason(house: House, boss: Player, why: str) -> None:
    table = house.table()
    house.refused(lambda: lifecycle.close_at_once(boss, table.pk, why, clock=house.clock))
    assert not now(table).closing


def test_nobody_sits_down_at_a_closed_table_and_the_lobby_hides_it(house: House, boss: Player) -> None:
    table, ana = house.table(), house.player("ana")
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    house.advance(table)
    assert house.refused(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock)).article == "table"
    assert lobby_cards(clock=house.clock) == []
    house.clock.pass_(hours=1)
    assert not house.step(table).acted


def test_a_float_that_has_lost_everything_and_more_is_counted_below_zero(
    house: House, boss: Player, cage: Player
) -> None:
    """Somebody takes out a credit that leaves nothing for the stakes that are laid after it."""
    table, ana = house.table(), house.player("ana")
    order = order_chips(boss, table.pk, "credit", FLOAT - 50_00, clock=house.clock)
    confirm_chips(cage, order.pk, clock=house.clock)
    house.stack(PLAYER_WINS)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    steps(house, table)
    assert closed(house, table)["closing"] == -50_00
    assert Transfer.objects.get(reason="count").debit.kind == "house"


# ── The night ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_sheet_says_what_the_ledger_says_at_any_time(house: House, boss: Player, cage: Player) -> None:
    """While the table is open, once it is closed, and when it is open again; in few statements, however many rounds."""
    table, ana = house.table(game="baccarat", commission_mode="five_percent"), house.player("ana")
    counts = set()

    def agrees() -> FloatHistory:
        with CaptureQueriesContext(connection) as said:
            seen = present_float(table.pk, clock=house.clock)
        counts.add(len(said))
        assert seen == since_opening(table.pk) and seen.closing == float_of(table)
        return seen

    for number in range(6):
        house.stack(BANKER_WINS)
        house.until(table, "betting")
        house.bet(ana, table, ("banker", "player")[number % 2], 100 * (1 + number))
        agrees()
        house.play_out(table)
        kind = ("fill", "credit")[number % 2]
        order = order_chips(boss, table.pk, kind, (number + 1) * 100_00, clock=house.clock)
        confirm_chips(cage, order.pk, clock=house.clock)
        agrees()
        house.clock.pass_(seconds=1)
        house.step(table)
    night = agrees()
    assert (night.fills, night.credits) == (900_00, 1_200_00) and night.commission
    assert night.win == START - house.balance(ana) - escrow_of(table)
    lifecycle.close(boss, table.pk, "round", clock=house.clock)
    steps(house, table)
    whole = agrees()
    assert (whole.closing, whole.counted) == (0, night.closing)
    lifecycle.reopen(boss, table.pk, 7_000_00, clock=house.clock)
    assert agrees() == FloatHistory(opened=7_000_00)
    assert [period.history for period in inventory_sheet(table.pk, clock=house.clock)] == [agrees(), whole]
    assert max(counts) <= 16


def test_a_minimum_above_its_maximum_is_refused(boss: Player) -> None:
    jade = open_table("jade", "Jade", "baccarat", {"min_bet": {"tie": 5_00}, "max_bet": {"tie": 500_00}})
    with pytest.raises(Refused) as refusal:
        lifecycle.set_limits(boss, jade.pk, {"min_bet": {"tie": 501_00}}, {})
    assert "more than its maximum" in text_of(refusal.value.words)
    lifecycle.set_limits(boss, jade.pk, {"min_bet": {"tie": 500_00}}, {})
    jade.refresh_from_db()
    assert jade.options["min_bet"] == {"tie": 500_00}
