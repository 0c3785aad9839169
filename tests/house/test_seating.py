"""Seats: taken, changed, held for those whose line dropped, given up; and who turns the cards then."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, cast

import pytest

from tables.base.timetable import ATTENDED_FOR, HEARTBEAT
from tables.games.baccarat.coup import Hand as Side
from tables.games.baccarat.phases import Turn
from tables.games.contract.actions import Cut, Decline
from tables.games.contract.round import Pace
from tables.games.stud_poker.phases import Raise
from tables.models import Departure, LoggedAction, Player, Seat, Table
from tables.queries.table import table_state
from tables.services.rounds import decisions, seating
from tests.kit import article

from . import deeds
from .kit import House, void_round

SHOE: dict[str, Any] = {"dealing_device": "shoe", "decks": 6, "burn_mode": "fixed_n", "burn_fixed_n": 1}


def sit(house: House, player: Player, table: Table, seat: Any) -> None:
    seating.sit(player.pk, table.pk, seat, clock=house.clock)


def drop(house: House, player: Player, table: Table) -> None:
    seating.connection_lost(table.pk, player.pk, clock=house.clock)


def sweep(house: House, table: Table) -> None:
    """What the dealer does every few seconds."""
    if table.pk in seating.needs_sweep(house.clock.now()):
        seating.sweep(table.pk, clock=house.clock)


def taken(table: Table) -> dict[int, str]:
    return {seat.number: seat.player.username for seat in Seat.objects.filter(table=table).select_related("player")}


# ── Taking, changing, leaving ───────────────────────────────────────────────────────────────────────────────


@article("55/2004", "15")
def test_a_seat_is_taken_changed_and_given_back_and_the_round_knows(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    sit(house, ana, table, 3)
    assert (taken(table), dict(house.round(table).seats)) == ({3: "ana"}, {ana.key: 3})
    house.bet(ana, table, "player", 10, box=3)
    assert house.refused(partial(house.bet, ana, table, "player", 10, box=4)).article == "15"
    sit(house, ana, table, 4)
    assert (taken(table), dict(house.round(table).seats)) == ({4: "ana"}, {ana.key: 4})
    house.bet(ana, table, "player", 10, box=4)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    assert (taken(table), dict(house.round(table).seats)) == ({}, {})
    assert house.refused(partial(house.bet, ana, table, "player", 10, box=4)).article == "15"
    house.bet(ana, table, "player", 10)
    assert sum(house.round(table).in_escrow(ana.key).values()) == 3_000  # what lay there stayed


def test_what_changes_at_the_seats_makes_a_new_version_of_the_table(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    versions = []

    def seen() -> str:
        versions.append(table_state(table.pk, clock=house.clock).version)
        return versions[-1]

    seen()
    sit(house, ana, table, 3)
    seen()
    drop(house, ana, table)
    seen()
    house.attend(table, ana)
    seen()
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    seen()
    assert len(set(versions)) == 5
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    sweep(house, table)
    house.attend(table, ana)
    assert seen() == versions[-2]


@pytest.mark.parametrize("seat", [0, -1, 8, 10**30, True, "3", 3.0, None])
def test_a_seat_that_does_not_exist_is_refused(house: House, seat: Any) -> None:
    table, ana = house.table(), house.player("ana")
    assert house.refused(partial(sit, house, ana, table, seat)).article == "seat"
    assert taken(table) == {}


@article("55/2004", "1(5)")
def test_the_last_seat_of_a_larger_table_exists(house: House) -> None:
    table, ana = house.table(seats=9), house.player("ana")
    sit(house, ana, table, 9)
    assert taken(table) == {9: "ana"}


def test_nobody_sits_down_at_a_closed_table(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    Table.objects.filter(pk=table.pk).update(open=False)
    assert house.refused(partial(sit, house, ana, table, 3)).article == "table"
    assert taken(table) == {}


@article("55/2004", "seat")
def test_a_taken_seat_is_refused_and_whoever_asked_keeps_his_own(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    sit(house, ana, table, 3)
    sit(house, rui, table, 4)
    assert house.refused(partial(sit, house, rui, table, 3)).article == "seat"
    assert taken(table) == {3: "ana", 4: "rui"}
    assert dict(house.round(table).seats) == {ana.key: 3, rui.key: 4}


def test_somebody_may_sit_at_two_tables(house: House) -> None:
    jade, lotus, ana = house.table("jade"), house.table("lotus"), house.player("ana")
    sit(house, ana, jade, 3)
    sit(house, ana, lotus, 4)
    assert (taken(jade), taken(lotus)) == ({3: "ana"}, {4: "ana"})


def test_sitting_where_one_sits_changes_nothing(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    sit(house, ana, table, 3)
    before = house.log(table).version, Table.objects.get(pk=table.pk).version
    sit(house, ana, table, 3)
    assert (house.log(table).version, Table.objects.get(pk=table.pk).version) == before


def test_a_line_lost_at_one_table_leaves_the_seat_at_another_as_it_is(house: House) -> None:
    ana, tables = house.player("ana"), [house.table("jade"), house.table("pearl")]
    for table in tables:
        house.until(table, "betting")
        sit(house, ana, table, 3)
    for gone, stays in (tables, tables[::-1]):
        drop(house, ana, gone)
        away = dict(Seat.objects.filter(player=ana).values_list("table", "away"))
        assert away == {gone.pk: True, stays.pk: False}
        house.attend(gone, ana)


# ── Lines that drop ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_is_held_for_two_minutes_after_the_line_dropped(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    sit(house, ana, table, 3)
    house.attend(table, ana)
    house.clock.pass_(seconds=9)  # heard of at the last heartbeat, and when the line was closed
    drop(house, ana, table)
    house.clock.pass_(seconds=119)
    sweep(house, table)
    assert taken(table) == {3: "ana"}
    assert house.refused(partial(sit, house, rui, table, 3)).article == "seat"
    house.clock.pass_(seconds=1)
    sweep(house, table)
    assert taken(table) == {}
    sit(house, rui, table, 3)


def test_a_line_not_heard_of_has_dropped_after_half_a_minute(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    sit(house, ana, table, 3)
    sit(house, rui, table, 4)
    house.clock.pass_(seconds=29)
    sweep(house, table)
    assert not Seat.objects.filter(away=True).exists()
    house.attend(table, rui)
    house.clock.pass_(seconds=1)
    sweep(house, table)
    assert list(Seat.objects.filter(away=True).values_list("player__username", flat=True)) == ["ana"]
    house.clock.pass_(seconds=90)
    house.attend(table, rui)
    sweep(house, table)
    assert taken(table) == {4: "rui"}


def test_who_comes_back_in_time_finds_his_seat_and_the_round_hears_of_him(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    sit(house, ana, table, 3)
    drop(house, ana, table)
    assert dict(house.round(table).seats) == {}
    house.clock.pass_(seconds=119)
    sweep(house, table)
    house.attend(table, ana)
    assert dict(house.round(table).seats) == {ana.key: 3}
    assert not Seat.objects.get().away
    house.clock.pass_(seconds=5)
    sweep(house, table)
    assert taken(table) == {3: "ana"}


def test_a_held_seat_does_not_take_part_in_the_next_round_until_he_is_back(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    sit(house, ana, table, 3)
    drop(house, ana, table)
    house.until(table, "betting")
    assert dict(house.round(table).seats) == {}
    house.attend(table, ana)
    assert dict(house.round(table).seats) == {ana.key: 3}


def test_a_stake_stays_when_the_line_drops_and_is_paid(house: House) -> None:
    house.stack("4s Kc 5d 7h")  # 9 against 7
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    sit(house, ana, table, 3)
    house.bet(ana, table, "player", 100, box=3)
    drop(house, ana, table)
    house.play_out(table)
    assert house.balance(ana) == 1_000_000 + 10_000


# ── Leaving in the middle of a round ────────────────────────────────────────────────────────────────────────


@pytest.fixture
def deciding(house: House) -> tuple[House, Table, Player, Player]:
    """A table of Stud Poker where ana, in box 2, and rui, in box 5, have to decide."""
    table, ana, rui = house.table("lotus", game="stud_poker"), house.player("ana"), house.player("rui")
    for player, box in ((ana, 2), (rui, 5)):
        sit(house, player, table, box)
    house.until(table, "betting")
    for player, box in ((ana, 2), (rui, 5)):
        house.bet(player, table, "ante", 100, box)
    house.until(table, "look_and_decide")
    return house, table, ana, rui


@article("61/2004", "6(4)", "time")
def test_who_leaves_the_box_while_deciding_folds_at_once_and_nobody_takes_it(
    deciding: tuple[House, Table, Player, Player],
) -> None:
    """61/2004, 6(4)."""
    house, table, ana, rui = deciding
    kim = house.player("kim")
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    assert house.refused(partial(house.decide, ana, table, Raise)).article == "6(5)"
    assert house.refused(partial(sit, house, kim, table, 2)).article == "6(4)"
    assert taken(table) == {5: "rui"}
    sit(house, kim, table, 3)
    house.decide(rui, table, Raise)
    assert house.round(table).phase == "dealer_reveal", "nobody waits for ana"
    assert house.refused(partial(sit, house, kim, table, 2)).article == "6(4)"
    house.play_out(table)
    assert house.balance(ana) == 1_000_000 - 10_000
    sit(house, kim, table, 2)
    house.in_order()


@article("61/2004", "6(4)", "time")
def test_a_line_that_drops_is_no_leaving_and_the_box_stays_taken(deciding: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, rui = deciding
    drop(house, ana, table)
    house.attend(table, ana)
    house.decide(ana, table, Raise)
    drop(house, rui, table)
    house.clock.pass_(seconds=120)  # the pit holds the round, say: the seat is given up before the time is
    seating.sweep(table.pk, clock=house.clock)
    assert house.refused(partial(sit, house, house.player("kim"), table, 5)).article == "6(4)"
    house.play_out(table)
    assert [box.automatic for box in house.round(table).boxes] == [False, True]  # type: ignore[attr-defined]


def test_who_moves_to_another_box_while_deciding_has_left_the_first(
    deciding: tuple[House, Table, Player, Player],
) -> None:
    house, table, ana, rui = deciding
    assert house.refused(partial(sit, house, ana, table, 5)).article == "seat"
    sit(house, ana, table, 3)
    assert house.refused(partial(house.decide, ana, table, Raise)).article == "6(5)"
    assert house.refused(partial(sit, house, rui, table, 2)).article == "6(4)"


@article("22/96/M", "4(3)")
def test_nobody_changes_place_in_a_round_of_three_card_baccarat_by_standing_up_before(house: House) -> None:
    """22/96/M, 4(3)."""
    table, ana, rui = house.table(game="three_card_baccarat"), house.player("ana"), house.player("rui")
    sit(house, ana, table, 1)
    house.until(table, "betting")
    house.bet(ana, table, "place", 10, 1)
    house.until(table, "look")
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    assert house.refused(partial(sit, house, ana, table, 5)).article == "4(3)"
    assert taken(table) == {}
    sit(house, rui, table, 5)
    seating.stand_up(rui.pk, table.pk, clock=house.clock)
    assert house.refused(partial(sit, house, rui, table, 6)).article == "4(3)"
    sit(house, ana, table, 1)
    house.play_out(table)
    sit(house, ana, table, 5)
    assert taken(table) == {5: "ana"}


# ── The cut ─────────────────────────────────────────────────────────────────────────────────────────────────


def played_standing(house: House, table: Table, *people: Player) -> None:
    """A round in which these have a stake, standing; then the next one begins with a fresh shoe."""
    house.until(table, "betting")
    for player in people:
        house.bet(player, table, "player", 10)
    house.play_out(table)
    house.until(table, "betting")
    Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
    house.play_out(table)
    house.until(table, "cut")


@article("55/2004", "2(1)", "cut")
def test_the_cut_is_offered_to_the_seats_and_then_to_whoever_has_staked_standing(house: House) -> None:
    """55/2004, 2(1): the first of them who takes it cuts."""
    table, ana = house.table(**SHOE), house.player("ana")
    rui, lee, kim = house.player("rui"), house.player("lee"), house.player("kim")
    played_standing(house, table, ana, rui, lee)
    assert set(cast(Any, house.round(table)).offered_cut) == {ana.key, rui.key, lee.key}
    assert house.refused(partial(house.decide, kim, table, Cut, position=9)).article == "2(1)"
    house.decide(lee, table, Cut, position=9)
    assert house.refused(partial(house.decide, rui, table, Cut, position=9)).article == ""
    sit(house, ana, table, 3)
    Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
    house.play_out(table)
    house.until(table, "cut")
    assert cast(Any, house.round(table)).offered_cut == (ana.key,)
    house.step(table)  # her time is over
    assert set(cast(Any, house.round(table)).offered_cut) == {rui.key, lee.key}
    house.decide(rui, table, Cut, position=9)
    house.in_order()


@article("56/2004", "2(1)(1)", "cut")
@article("22/96/M", "2(1)", "cut")
@pytest.mark.parametrize(
    ("game", "spot", "options"),
    [
        ("blackjack", "main", {"dealing_device": "shoe", "initial_burn": "single"}),
        ("three_card_baccarat", "place", {"decks": 6, "standing_bets": True}),
    ],
)
def test_whoever_has_staked_cuts_in_the_other_games_too(house: House, game: str, spot: str, options: Any) -> None:
    table, ana, rui = house.table(game=game, **options), house.player("ana"), house.player("rui")
    sit(house, ana, table, 1)
    house.until(table, "betting")
    for player in (ana, rui):
        house.bet(player, table, spot, 10, 1)
    house.play_out(table)
    Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
    house.until(table, "cut")
    assert cast(Any, house.round(table)).offered_cut == (ana.key,)
    house.decide(ana, table, Decline)
    assert house.refused(partial(house.decide, ana, table, Cut, position=9)).article
    house.decide(rui, table, Cut, position=9)
    house.in_order()


@article("55/2004", "2(1)", "cut")
def test_nobody_waits_for_a_standing_bettor_who_has_left_to_cut(house: House) -> None:
    """55/2004, 2(1)."""
    table, ana, rui, lee = house.table(**SHOE), house.player("ana"), house.player("rui"), house.player("lee")
    sit(house, lee, table, 5)
    house.attend(table, ana, rui, lee)
    house.until(table, "betting")
    for player in (ana, rui, lee):
        house.bet(player, table, "player", 10)
    drop(house, ana, table)
    drop(house, lee, table)
    house.play_out(table)
    house.clock.pass_(minutes=5)
    sweep(house, table)  # lee's seat is given up: they have left, too
    assert taken(table) == {}
    played_standing(house, table, rui)
    assert set(cast(Any, house.round(table)).offered_cut) == {rui.key}

    house.attend(table, ana)  # she is back
    played_standing(house, table, ana, rui)
    assert set(cast(Any, house.round(table)).offered_cut) == {ana.key, rui.key}
    drop(house, ana, table)
    assert cast(Any, house.round(table)).offered_cut == (rui.key,)
    assert house.refused(partial(house.decide, ana, table, Cut, position=9)).article == "2(1)"
    assert cast(Any, house.round(table)).pace is Pace.CUT
    drop(house, rui, table)
    assert cast(Any, house.round(table)).pace is not Pace.CUT  # the dealer cuts, and waits for nobody
    house.until(table, "betting")
    house.in_order()


def test_who_has_not_staked_in_three_rounds_is_not_asked_to_cut(house: House) -> None:
    table, ana, rui = house.table(**SHOE), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.play_out(table)
    played_standing(house, table, rui)
    assert set(cast(Any, house.round(table)).offered_cut) == {ana.key, rui.key}
    house.until(table, "betting")
    Table.objects.filter(pk=table.pk).update(fresh_shoe_due=True)
    house.play_out(table)
    house.until(table, "cut")
    assert cast(Any, house.round(table)).offered_cut == (rui.key,)
    drop(house, ana, table)
    assert not Departure.objects.filter(table=table).exists()  # nobody would have waited for her
    drop(house, rui, table)
    assert cast(Any, house.round(table)).pace is not Pace.CUT  # nobody waits for him either


# ── Rounds without a bet ────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_is_given_up_after_three_rounds_without_a_bet(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    sit(house, ana, table, 3)
    sit(house, rui, table, 4)
    for _ in range(3):
        assert taken(table) == {3: "ana", 4: "rui"}
        house.until(table, "betting")
        house.attend(table, ana, rui)
        house.bet(rui, table, "player", 10)
        house.play_out(table)
    assert taken(table) == {4: "rui"}
    house.until(table, "betting")
    assert dict(house.round(table).seats) == {rui.key: 4}


def test_a_bet_in_between_or_a_carried_stake_or_a_void_round_keeps_the_seat(house: House) -> None:
    house.stack("4s Kc 5d 7h")
    house.stack("4s Kc 5d 7h")
    house.stack("Ts 4c 6d 2h")  # a tie
    table, ana = house.table(tie_policy="no_move"), house.player("ana")
    sit(house, ana, table, 3)
    for bets in (False, False, True, False, False):  # in the fourth round the third's stake lies there, carried
        house.until(table, "betting")
        if bets:
            house.bet(ana, table, "player", 10)
        house.play_out(table)
    assert Seat.objects.get().rounds_without_bet == 1
    for _ in range(3):
        house.until(table, "betting")
        void_round(house.log(table).pk, "a rehearsal", clock=house.clock)
    assert Seat.objects.get().rounds_without_bet == 1


def test_a_round_counts_only_for_those_who_could_have_bet_from_its_beginning(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "deal")
    sit(house, ana, table, 3)
    house.play_out(table)
    assert Seat.objects.get().rounds_without_bet == 0
    house.until(table, "betting")
    house.play_out(table)
    assert Seat.objects.get().rounds_without_bet == 1


# ── Who turns the cards ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def held(house: House) -> tuple[House, Table, Player, Player]:
    """A table where ana holds the Player's hand and rui the Banker's, both face down."""
    house.stack("Ks 2c 4s Kc 5d 7h")  # cut after the king, the deuce burnt; 9 against 7
    table, ana, rui = house.table(**SHOE), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    for seat, (player, spot) in enumerate(((ana, "player"), (rui, "banker")), start=1):
        sit(house, player, table, seat)
        house.bet(player, table, spot, 100, box=seat)
    house.until(table, "open_player")
    return house, table, ana, rui


def turned_by(table: Table) -> list[str]:
    lines = LoggedAction.objects.filter(log__table=table, action__do="turn").order_by("log__number", "seq")
    return [line.by for line in lines]


@article("55/2004", "16(2)", "B-A9")
def test_the_holder_turns_his_cards_within_his_time(held: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, rui = held
    began = house.clock.at
    log = house.log(table)
    assert log.due_at is not None and (log.due_at - began).total_seconds() == 10
    for player, side in ((ana, Side.PLAYER), (rui, Side.BANKER)):
        decisions.decide(player.pk, log.pk, house.ref(), Turn(player.key, side), clock=house.clock)
    assert house.round(table).phase == "result"
    assert turned_by(table) == [ana.key, rui.key]


@article("55/2004", "7(1)", "16(2)")
def test_only_the_holder_turns_and_only_when_it_is_his_turn(held: tuple[House, Table, Player, Player]) -> None:
    house, table, _ana, rui = held
    for side, article_ in ((Side.PLAYER, "16(2)"), (Side.BANKER, "7(1)")):
        turn = partial(decisions.decide, rui.pk, house.log(table).pk, house.ref(), Turn(rui.key, side))
        assert house.refused(partial(turn, clock=house.clock)).article == article_
    assert turned_by(table) == []


def test_nobody_waits_for_a_late_holder(held: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, _rui = held
    house.clock.pass_(seconds=10)
    turn = partial(decisions.decide, ana.pk, house.log(table).pk, house.ref(), Turn(ana.key, Side.PLAYER))
    assert house.refused(partial(turn, clock=house.clock)).article == "time"
    assert house.advance(table).acted
    assert turned_by(table) == ["house"]
    assert house.round(table).phase == "open_banker"


@article("55/2004", "16(2)")
def test_the_dealer_opens_at_once_when_the_holder_is_gone(held: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, rui = held
    drop(house, ana, table)
    log = house.log(table)
    assert log.due_at is not None and (log.due_at - house.clock.at).total_seconds() == 0.9  # a beat, and no more
    house.step(table)
    assert turned_by(table) == ["house"]
    seating.stand_up(rui.pk, table.pk, clock=house.clock)
    house.step(table)
    assert turned_by(table) == ["house", "house"]


def test_who_comes_back_sits_but_no_longer_holds(held: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, _rui = held
    drop(house, ana, table)
    house.attend(table, ana)
    assert house.round(table).seats[ana.key] == 1
    turn = partial(decisions.decide, ana.pk, house.log(table).pk, house.ref(), Turn(ana.key, Side.PLAYER))
    assert house.refused(partial(turn, clock=house.clock)).article == "16(2)"
    house.step(table)
    assert turned_by(table) == ["house"]


def test_the_same_decision_twice_is_made_once(held: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, _rui = held
    turn = partial(decisions.decide, ana.pk, house.log(table).pk, "my-turn", Turn(ana.key, Side.PLAYER))
    assert not turn(clock=house.clock).repeated
    assert turn(clock=house.clock).repeated
    assert turned_by(table) == [ana.key]


def test_anothers_ref_is_not_ones_own(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    for player in (ana, rui):
        sit(house, player, table, player.pk % 7 + 1)
        assert not deeds.ready(player.pk, house.log(table).pk, "the-same", clock=house.clock).repeated


# ── Who has just come ───────────────────────────────────────────────────────────────────────────────────────


def attended_until(table: Table) -> Any:
    return Table.objects.values_list("attended_until", flat=True).get(pk=table.pk)


def greet(house: House, table: Table, *players: Player) -> None:
    seating.greet(table.pk, [player.pk for player in players], clock=house.clock)


def test_of_whoever_comes_to_a_table_where_others_are_nothing_is_written(house: House) -> None:
    table, ana, mei = house.table(), house.player("ana"), house.player("mei")
    house.attend(table)
    before = attended_until(table)
    sit(house, mei, table, 2)
    house.clock.pass_(seconds=HEARTBEAT.total_seconds() / 2)
    greet(house, table, ana)
    greet(house, table)
    assert attended_until(table) == before


def test_whoever_comes_to_a_table_where_nobody_has_been_heard_of_lately_wakes_it(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    for players in ([ana], []):
        house.attend(table)
        house.clock.pass_(seconds=HEARTBEAT.total_seconds() + 1)
        greet(house, table, *players)
        assert attended_until(table) == house.clock.now() + ATTENDED_FOR
    Table.objects.filter(pk=table.pk).update(attended_until=None)
    greet(house, table, ana)
    assert attended_until(table) == house.clock.now() + ATTENDED_FOR


def test_whoever_comes_back_has_their_seat_again_however_lately_others_were_heard_of(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    sit(house, ana, table, 3)
    drop(house, ana, table)
    assert Seat.objects.get(table=table).away
    house.attend(table)
    house.clock.pass_(seconds=1)
    greet(house, table, ana)
    seat = Seat.objects.get(table=table)
    assert not seat.away and seat.seen_at == house.clock.now()
    house.clock.pass_(seconds=1)
    greet(house, table, ana)
    assert Seat.objects.get(table=table).seen_at - seat.seen_at == timedelta(seconds=1)


def test_whoever_had_left_without_a_seat_is_there_again(house: House) -> None:
    table, ana, mei = house.table(), house.player("ana"), house.player("mei")
    Departure.objects.create(table=table, player=ana)
    house.attend(table)
    greet(house, table, mei)
    assert Departure.objects.filter(table=table).exists()
    greet(house, table, ana)
    assert not Departure.objects.filter(table=table).exists()
