"""Decisions: whose time runs how long, what happens when it is over, and how soon the dealer answers."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tables.games.blackjack.phases import Double, Follow, Hit, Match, Split, Stand, Surrender
from tables.games.contract.actions import Ready
from tables.models import LoggedAction, Player, Seat, Table
from tables.proof.reconciliation import reconcile
from tables.services.rounds import decisions, seating
from tests.kit import article

from .kit import House, void_round
from .test_paying import dealt, until_asked
from .test_time import left

TIMES = {"decision": 15_000, "beat": 700}
SEATED = 1_000_000


def in_turn(house: House, cards: str, *people: Player, **options: Any) -> Table:
    """A table where each of these has ten credits on a box of their own, and the first is asked to play."""
    bets = [(player, "main", 10, box) for box, player in enumerate(people, start=1)]
    table = dealt(house, cards, *bets, times=TIMES, **options)
    for player in people:
        house.decide(player, table, Ready)
    until_asked(house, table)
    return table


def last(table: Table) -> dict[str, Any]:
    action: dict[str, Any] = LoggedAction.objects.filter(log__table=table).latest("log", "seq").action
    return action


# ── How soon ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("kind", "cards"), [(Hit, "2s 9d 3h 2c"), (Double, "2s 9d 3h 2c"), (Split, "8s 9d 8h 2c")])
def test_the_card_that_was_asked_for_comes_at_once(house: House, kind: Any, cards: str) -> None:
    ana = house.player("ana")
    table = in_turn(house, cards, ana)
    house.clock.pass_(seconds=3)
    house.decide(ana, table, kind, box=1)
    assert left(house, table) == 0
    assert house.advance(table).acted
    assert last(table)["card"] == "2c"


def test_the_banks_own_card_comes_after_a_beat(house: House) -> None:
    ana = house.player("ana")
    table = in_turn(house, "Ts 9d Th", ana)
    house.decide(ana, table, Stand, box=1)
    assert left(house, table) == 0.7
    house.step(table)
    assert house.round(table).next_house_step() is not None
    assert left(house, table) == 0.7


def test_what_was_wanted_beforehand_is_done_at_once_and_then_the_card_comes(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    bets = [(player, "main", 10, 1) for player in (ana, rui)]
    table = dealt(house, "6s 9d 5h 2c", *bets, times=TIMES)
    house.decide(rui, table, Follow, doubles=True)
    house.decide(ana, table, Ready)
    house.decide(ana, table, Double, box=1)
    assert left(house, table) == 0
    assert house.advance(table).acted
    assert (last(table)["do"], left(house, table)) == ("match", 0)
    assert house.advance(table).acted
    assert last(table)["card"] == "2c"


@pytest.mark.parametrize(("kind", "cards"), [(Hit, "2s 9d 3h 2c"), (Double, "2s 9d 3h 2c"), (Split, "8s 9d 8h 2c")])
def test_a_round_voided_before_that_card_has_a_record_that_agrees_with_the_ledger(
    house: House, kind: Any, cards: str
) -> None:
    ana = house.player("ana")
    table = in_turn(house, cards, ana)
    house.decide(ana, table, kind, box=1)
    void_round(house.log(table).pk, "the power failed", clock=house.clock)
    found = reconcile(house.log(table))
    assert (found.record["decisions"], found.faults) == ([{"by": "house", "do": "void"}], ())
    assert house.balance(ana) == SEATED


# ── How long ────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_decision_has_a_time_of_its_own(house: House) -> None:
    ana = house.player("ana")
    table = in_turn(house, "2s 9d 3h 2c 3c", ana)
    assert left(house, table) == 15
    house.clock.pass_(seconds=14)
    house.decide(ana, table, Hit, box=1)
    house.advance(table)
    assert left(house, table) == 15


def test_the_others_match_within_the_time_of_whoever_doubled(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = dealt(house, "6s 9d 5h 2c", *[(player, "main", 10, 1) for player in (ana, rui)], times=TIMES)
    house.decide(ana, table, Ready)
    house.clock.pass_(seconds=5)
    house.decide(ana, table, Double, box=1)
    assert left(house, table) == 10
    house.clock.pass_(seconds=10)
    match = partial(house.decide, rui, table, Match, box=1)
    assert house.refused(match).article == "time"
    assert house.advance(table).acted
    assert last(table)["do"] == "proceed"
    house.play_out(table)
    assert reconcile(house.log(table)).faults == ()


@article("56/2004", "R5")
def test_everybody_answers_the_early_window_in_one_time_and_the_last_answer_ends_it(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = dealt(house, "Ts Th 9d 6c 5c", (ana, "main", 10, 1), (rui, "main", 10, 2), times=TIMES)
    assert (house.log(table).phase, left(house, table)) == ("early_window", 15)
    house.clock.pass_(seconds=6)
    house.decide(ana, table, Surrender, box=1)
    assert left(house, table) == 9
    house.decide(rui, table, Ready)
    assert house.log(table).phase == "player_turns"
    until_asked(house, table)
    assert left(house, table) == 15


# ── Whose time is over ──────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "time")
def test_who_lets_his_time_pass_stands_and_the_log_says_by_whom(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = in_turn(house, "2s Th 9d 3h 6c", ana, rui)
    house.clock.pass_(seconds=15)
    assert house.refused(partial(house.decide, ana, table, Hit, box=1)).article == "time"
    assert house.advance(table).acted
    assert last(table) == {"do": "stand", "by": "house", "box": 1}
    assert left(house, table) == 15
    house.decide(rui, table, Stand, box=2)


def test_a_deed_that_is_allowed_while_the_house_owes_something_is_never_late(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = in_turn(house, "2s Th 9d 3h 6c 4c", ana, rui)
    house.decide(ana, table, Hit, box=1)
    house.clock.pass_(seconds=2)  # the dealer is slow
    house.decide(rui, table, Follow, doubles=True)
    assert (left(house, table) or 0) <= 0
    assert house.refused(partial(house.decide, ana, table, Hit, box=1)).article != "time"
    house.advance(table)
    assert last(table)["card"] == "4c"


def test_a_decider_whose_line_dropped_is_waited_for_till_his_time_is_over(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    house.stack("Kd 2s Th 9d 3h 6c 4c")
    table = house.table("taipa", game="blackjack", times=TIMES)
    for seat, player in enumerate((ana, rui), start=1):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.until(table, "betting")
    for box, player in enumerate((ana, rui), start=1):
        house.bet(player, table, "main", 10, box)
    house.until(table, "early_window")
    house.decide(ana, table, Ready)
    house.decide(rui, table, Ready)
    until_asked(house, table)
    house.clock.pass_(seconds=4)
    seating.connection_lost(table.pk, ana.pk, clock=house.clock)
    assert left(house, table) == 11
    house.attend(table, ana)  # she is back, and it is still her decision
    house.decide(ana, table, Hit, box=1)
    house.advance(table)
    seating.connection_lost(table.pk, ana.pk, clock=house.clock)
    assert left(house, table) == 15
    house.step(table)
    assert last(table) == {"do": "stand", "by": "house", "box": 1}


def test_the_same_decision_twice_is_one(house: House) -> None:
    ana = house.player("ana")
    table = in_turn(house, "2s 9d 3h 2c 3c", ana)
    hit = partial(decisions.decide, ana.pk, house.log(table).pk, "the-hit", Hit(ana.key, box=1), clock=house.clock)
    assert not hit().repeated
    house.advance(table)
    assert hit().repeated
    assert LoggedAction.objects.filter(log__table=table, action__do="hit").count() == 1


@article("56/2004", "6", "6(3)")
def test_nobody_decides_for_another(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    table = in_turn(house, "2s Th 9d 3h 6c 4c", ana, rui)
    before = house.log(table).version
    assert house.refused(partial(house.decide, rui, table, Hit, box=1)).article == "20(1)"
    assert house.refused(partial(house.decide, rui, table, Hit, box=2)).article == "6(3)"
    assert house.log(table).version == before


# ── Seats ───────────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "1(1)", "seat")
def test_a_bettor_has_one_seat_and_stands_at_his_other_boxes(house: House) -> None:
    table, ana = house.table("taipa", game="blackjack", boxes=8), house.player("ana")
    house.until(table, "betting")
    for seat in (8, 3):
        seating.sit(ana.pk, table.pk, seat, clock=house.clock)
    assert dict(house.round(table).seats) == {ana.key: 3}
    house.bet(ana, table, "main", 10, 5)
    assert house.refused(partial(seating.sit, ana.pk, table.pk, 9, clock=house.clock)).article == "seat"
    house.play_out(table)
    assert Seat.objects.get().rounds_without_bet == 0, "a stake on another box is a stake"


def test_rounds_that_are_void_for_want_of_main_stakes_count_against_a_seat(house: House) -> None:
    table, ana, rui = house.table("taipa", game="blackjack"), house.player("ana"), house.player("rui")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    for _ in range(3):
        assert Seat.objects.exists()
        house.until(table, "betting")
        house.attend(table, ana)
        house.bet(rui, table, "sevens", 5, 1)
        assert house.play_out(table).void
    assert not Seat.objects.exists()
