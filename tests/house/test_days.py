"""Days that are over are summed up once, and what is read of them is what the ledger says."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.base.calendar import macau_date, midnight
from tables.models import Account, Player, RoundLog, Table, TableDay
from tables.pit import board
from tables.proof.audit import audit
from tables.queries import statistics
from tables.queries.round_figures import Figures
from tables.queries.statistics import DAY
from tables.services.pit import adjustments, days
from tables.services.pit.floats import confirm_chips, order_chips
from tests.extent import first
from tests.floor.pit_kit import member

from .kit import House, void_round
from .test_figures import EVER, MOMENT, a_round, agrees
from .test_nights import Night


@pytest.fixture(autouse=True)
def _no_day_is_known() -> None:
    days._closed.clear()


def begin_the_day_after(house: House) -> date:
    """The clock goes on to two hours past midnight; which day it is then."""
    next_day = macau_date(house.clock.at) + DAY
    house.clock.at = midnight(next_day) + timedelta(hours=2)
    return next_day


def from_the_ledger(since: datetime, until: datetime) -> dict[int, Figures]:
    """The figures as they are without any day that was summed up."""
    rows = list(TableDay.objects.all())
    TableDay.objects.all().delete()
    statistics.remembered.clear()
    found = statistics.of_tables(since, until)
    TableDay.objects.bulk_create(rows)
    return found


def in_days(since: datetime, until: datetime) -> dict[int, Figures]:
    statistics.remembered.clear()
    return statistics.of_tables(since, until)


@pytest.mark.parametrize(("game", "seed"), first(("blackjack", "days"), ("baccarat", "days"), ("stud_poker", "days")))
@pytest.mark.in_full
def test_summed_days_of_random_nights_are_those_of_the_ledger(house: House, game: str, seed: str) -> None:
    night = Night(house, game, f"figures, {seed}")
    began = house.clock.at
    for _ in range(3):
        night.play(rounds=4)
        begin_the_day_after(house)
    night.play(rounds=1)
    while Account.objects.get(kind="escrow").balance:
        house.step(night.table)
    now = house.clock.at + MOMENT
    assert days.close_days(clock=house.clock, most=99) == TableDay.objects.count() >= 3
    whole = in_days(EVER, now)[night.table.pk]
    assert whole.drop
    agrees(whole)
    for since, until in ((EVER, now), (began + timedelta(hours=1), now), (EVER, now - DAY), (began + DAY, began + DAY)):
        assert in_days(since, until) == from_the_ledger(since, until)
    assert audit().clean


def test_what_is_put_right_on_a_closed_day_counts_when_it_moves(house: House) -> None:
    """A round of the day before is adjusted, and chips come: the closed day stays, and nothing is missed."""
    boss, manager, cage, ana = member("pit_boss"), member("shift_manager"), member("cage"), house.player("ana")
    table = house.table("wheel", game="roulette")
    log = a_round(house, table, (ana, "red", 100), ball=2)
    first = macau_date(house.clock.at)
    second = begin_the_day_after(house)
    assert days.close_days(clock=house.clock) == 1
    kept = statistics.of_days(first, first)[first, table.pk]
    asked = adjustments.ask(boss, ana.pk, 30_00, "A mistake", log=log.pk, clock=house.clock)
    adjustments.approve(manager, asked.pk, clock=house.clock)
    confirm_chips(cage, order_chips(boss, table.pk, "fill", 20_00, clock=house.clock).pk, clock=house.clock)
    void_round(a_round_that_runs(house, table, ana).pk, "The ball was lost", clock=house.clock)
    found = statistics.of_days(first, second)
    assert found[first, table.pk] == kept and kept.win == 100_00
    assert (found[second, table.pk].adjustments, found[second, table.pk].fills) == (30_00, 20_00)
    assert found[second, table.pk].voids == 1
    now = house.clock.at + MOMENT
    assert in_days(EVER, now) == from_the_ledger(EVER, now)


def a_round_that_runs(house: House, table: Table, player: Player) -> RoundLog:
    house.until(table, "betting")
    house.bet(player, table, "red", 50)
    return house.log(table)


def test_a_day_is_summed_up_an_hour_after_midnight_by_whoever_looks_after_the_floor(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), ball=2)
    day = macau_date(house.clock.at)
    for hours, summed in ((0, False), (1, True), (2, True)):
        house.clock.at = midnight(day + DAY) + timedelta(hours=hours)
        board.look(clock=house.clock)
        assert TableDay.objects.filter(day=day, table=table, win=100_00).exists() == summed
    days._closed.clear()
    board.look(clock=house.clock)
    assert TableDay.objects.count() == 1, "another process sums the day up again"


def test_the_audit_finds_a_day_that_is_not_what_the_ledger_says(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), ball=2)
    day = macau_date(house.clock.at)
    begin_the_day_after(house)
    days.close_days(clock=house.clock)
    assert audit().clean and audit().days == 1
    TableDay.objects.update(win=99_00)
    assert audit().faults == [f"table {table.pk} on {day}: win are not what the ledger sums to"]
    said = StringIO()
    days.sum_anew()
    call_command("audit", stdout=said)
    assert " 1 days, " in said.getvalue()


def test_days_are_all_summed_up_anew_by_a_command(house: House) -> None:
    ana, table = house.player("ana"), house.table("wheel", game="roulette")
    a_round(house, table, (ana, "red", 100), ball=2)
    begin_the_day_after(house)
    days.close_days(clock=house.clock)
    TableDay.objects.update(win=99_00)
    said = StringIO()
    call_command("close_days", "--anew", stdout=said)
    assert said.getvalue() == "1 days summed up\n"
    assert TableDay.objects.get().win == 100_00


def test_the_statements_of_a_report_grow_neither_with_tables_nor_with_days(house: House) -> None:
    """As many for one table on a day that runs as for four tables over that, one that was summed up, and one more."""
    ana, asked = house.player("ana"), []
    for names in (("one",), ("two", "three", "four")):
        for name in names:
            house.table(name, game="roulette")
        for table in Table.objects.all():
            a_round(house, table, (ana, "red", 1), ball=2)
        settled = RoundLog.objects.filter(settled_at__isnull=False)
        first, last = macau_date(settled.earliest("pk").settled_at or EVER), macau_date(house.clock.at)
        statistics.remembered.clear()
        with CaptureQueriesContext(connection) as statements:
            found = statistics.of_days(first, last)
        assert statistics.total(found.values()).rounds == settled.count()
        asked.append(len(statements))
        begin_the_day_after(house)
        assert days.close_days(clock=house.clock, most=99) == 1
        days._closed.clear()
    assert asked[0] == asked[1] <= 8, asked
