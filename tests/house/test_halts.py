"""New rounds stop: by the switch, of a game or of the whole floor; and at a table that had several void rounds."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from tables.models import Alert, Event, Halt, Player, Realm, Table
from tables.services.journal import alerts, events
from tables.services.pit import approvals, halts, lifecycle
from tables.services.pit.deeds import PlayAgain

from .kit import House, open_table, void_round, why_not


def member(role: str, name: str = "") -> Player:
    return Player.objects.create(username=name or role, name=(name or role).title(), role=role)


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def begins(house: House, table: Table) -> bool:
    """Whether the dealer begins another round once the present one is over."""
    number = house.play_out(table).number if now(table).round_id else 0
    for _ in range(3):
        house.step(table)
    return now(table).round_id is not None and house.log(table).number > number


# ── The switch ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_whole_floor_stops_after_the_round_and_the_kiosks_too(house: House) -> None:
    boss, ana = member("pit_boss"), house.player("ana")
    tables = [house.table("jade"), house.table("wheel", game="roulette"), house.table("k", realm=Realm.KIOSKS)]
    for table in tables:
        house.until(table, "betting")
    house.bet(ana, tables[0], "player", 100)
    halts.stop(boss, "", "a smell of smoke", clock=house.clock)
    log = house.log(tables[0])
    house.bet(ana, tables[0], "player", 100)
    assert house.play_out(tables[0]).pk == log.pk and not house.log(tables[0]).void, "it ends by itself"
    assert not any(begins(house, table) for table in tables)
    late = open_table("late", "Late", "cussec", {}, clock=house.clock)
    assert late.halted
    event = Event.objects.get(deed="halted")
    assert (event.by, event.why, event.after) == (boss, "a smell of smoke", {"game": ""})
    assert str(alerts.words_of(Alert.objects.get(kind="halted"))) == "the whole floor, by Pit_Boss: a smell of smoke"


def test_one_game_stops_and_the_others_go_on(house: House) -> None:
    boss = member("pit_boss")
    wheel, jade = house.table("wheel", game="roulette"), house.table("jade")
    halts.stop(boss, "roulette", "the ball is lost", clock=house.clock)
    assert not begins(house, wheel) and begins(house, jade)


def test_play_begins_again_when_two_say_so_and_not_while_another_stop_holds(house: House) -> None:
    boss, second = member("pit_boss"), member("shift_manager")
    wheel = house.table("wheel", game="roulette")
    halts.stop(boss, "", "smoke", clock=house.clock)
    halts.stop(second, "roulette", "the ball is lost", clock=house.clock)
    for game, asks, approves in (("", boss, second), ("roulette", second, boss)):
        assert not begins(house, wheel)
        request = approvals.ask(asks, PlayAgain(game), "it is well again", clock=house.clock)
        assert not begins(house, wheel)
        approvals.approve(approves, request.pk, clock=house.clock)
    assert begins(house, wheel)
    assert Event.objects.filter(deed="halt_ended").count() == 2 and not list(events.faults())


@pytest.mark.parametrize("role", ["cage", "surveillance", ""])
def test_who_has_not_the_right_stops_nothing(house: House, role: str) -> None:
    by = member(role, "other")
    assert "right" in why_not(lambda: halts.stop(by, "", "why", clock=house.clock))
    assert not Halt.objects.exists()


def test_a_stop_has_a_reason_a_game_that_is_and_is_ordered_once(house: House) -> None:
    boss, second = member("pit_boss"), member("shift_manager")
    assert "reason" in why_not(lambda: halts.stop(boss, "", " ", clock=house.clock))
    assert "no such game" in why_not(lambda: halts.stop(boss, "poker", "why", clock=house.clock))
    halt = halts.stop(boss, "", "smoke", clock=house.clock)
    assert "already" in why_not(lambda: halts.stop(second, "", "smoke", clock=house.clock))
    with pytest.raises(DatabaseError), transaction.atomic():
        Halt.objects.filter(pk=halt.pk).update(ended_at=house.clock.now(), ended_by=boss, approved_by=boss)


# ── Repeated voids ──────────────────────────────────────────────────────────────────────────────────────────


def voids(house: House, table: Table, ana: Player, times: int) -> None:
    """So many rounds with a stake of Ana's end void."""
    for _ in range(times):
        house.until(table, "betting")
        house.bet(ana, table, "player", 10)
        void_round(house.log(table).pk, "a test", clock=house.clock)


def test_a_table_with_three_voids_in_an_hour_begins_no_round_until_the_pit_resumes_it(house: House) -> None:
    house.resumes = False
    boss, ana = member("pit_boss"), house.player("ana")
    table, other = house.table(), house.table("other")
    voids(house, table, ana, 3)
    assert not begins(house, table) and now(table).paused and begins(house, other)
    (alert,) = Alert.objects.filter(kind="voids")
    assert alert.table == table and "3 void rounds within an hour" in str(alerts.words_of(alert))
    event = Event.objects.get(deed="table_paused")
    assert (event.by, event.after) == (None, {"voids": 3})
    lifecycle.resume(boss, table.pk, clock=house.clock)
    assert begins(house, table)
    voids(house, table, ana, 2)
    assert begins(house, table), "what was void before the pit resumed counts no more"


def test_two_voids_or_three_in_a_longer_time_close_nothing(house: House) -> None:
    ana, table = house.player("ana"), house.table()
    voids(house, table, ana, 2)
    house.clock.pass_(minutes=61)
    voids(house, table, ana, 1)
    assert begins(house, table) and not Alert.objects.filter(kind="voids").exists()


def test_rounds_that_nobody_played_do_not_count(house: House) -> None:
    table = house.table()
    for _ in range(4):
        house.until(table, "betting")
        void_round(house.log(table).pk, "a test", clock=house.clock)
    assert begins(house, table)
