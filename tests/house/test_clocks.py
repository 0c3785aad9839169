"""Clocks that are wrong, jump or go back: what is decided is decided by the database's, in the order of the log."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tables.base import calendar
from tables.base.clock import DATABASE_CLOCK
from tables.models import Lease, LoggedAction, RoundLog, Table
from tables.services.dealing.leases import take_lease
from tables.services.rounds.betting import BetRequest

from . import deeds
from .kit import IDENTITY, LEASE, House, RunningClock, answer
from .processes import together

HOURS = (-24, -1, -1 / 6, 1 / 6, 1, 24)
"""How far a machine's clock may be wrong, in hours."""


def with_a_wrong_clock(hours: float, work: Callable[[], str]) -> str:
    """Do `work` in this process as if its machine's clock were so wrong: who asks Python for the time is misled."""
    wrong, right = timedelta(hours=hours), time.time

    class Misled(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.fromtimestamp(right(), tz) + wrong

    time.time = lambda: right() + wrong.total_seconds()
    timezone.datetime = Misled  # type: ignore[attr-defined]
    return work()


@pytest.mark.postgresql
def test_the_clock_of_a_web_process_decides_nothing(hall: House) -> None:
    """Processes whose clocks are up to a day ahead or behind lay their bets while betting is open, and none later."""
    hall.clock = RunningClock()
    table = hall.table(times={"betting": 3_600_000})
    while Table.objects.values_list("round__phase", flat=True).get(pk=table.pk) != "betting":
        assert hall.advance(table).acted
    log, players = hall.log(table), [hall.player(f"p{number}") for number in range(len(HOURS))]

    def bets(ref: str) -> list[str]:
        works = [
            partial(
                with_a_wrong_clock,
                hours,
                partial(answer, partial(deeds.place, log.pk, BetRequest(player.pk, ref, "player", 100))),
            )
            for hours, player in zip(HOURS, players, strict=True)
        ]
        return together(*works)

    assert bets("ref-open") == ["done"] * len(HOURS)
    RoundLog.objects.filter(pk=log.pk).update(due_at=DATABASE_CLOCK.now() - timedelta(seconds=10))
    assert set(bets("ref-late")) == {"time"}
    assert LoggedAction.objects.filter(log=log, action__do="bet").count() == len(HOURS)


@pytest.mark.postgresql
@pytest.mark.parametrize("hours", [-1, 1])
def test_the_clock_of_a_dealer_takes_no_lease_from_another(hall: House, hours: float) -> None:
    hall.clock = RunningClock()
    table = hall.table()
    before = Lease.objects.get(table=table)

    def takes() -> str:
        return str(take_lease("impostor", LEASE, identity=IDENTITY))

    assert together(partial(with_a_wrong_clock, hours, takes)) == ["None"]
    assert Lease.objects.get(table=table).epoch == before.epoch


def test_a_database_whose_clock_goes_back_goes_on_in_the_order_of_the_log(house: House) -> None:
    """Five seconds back in every phase of two rounds: nothing is done twice or left out, and the audit is content."""
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    for _ in range(40):
        house.step(table)
        house.clock.pass_(seconds=-5)
        if RoundLog.objects.filter(table=table, settled_at__isnull=False).count() >= 2:
            break
    for log in RoundLog.objects.filter(table=table):
        numbers = list(LoggedAction.objects.filter(log=log).order_by("pk").values_list("seq", flat=True))
        assert numbers == sorted(set(numbers))
    assert not RoundLog.objects.filter(void=True).exists()


def test_after_a_long_sleep_of_the_machine_what_was_missed_is_done_once(house: House) -> None:
    """All processes stand still for an hour; then betting closes late, and the dealer does one step after the other."""
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.clock.pass_(hours=1)
    late = BetRequest(ana.pk, "ref-late", "player", 1_000)
    assert house.refused(partial(deeds.place, house.log(table).pk, late, clock=house.clock)).article == "time"
    house.attend(table)
    before = LoggedAction.objects.count()
    assert house.advance(table).acted
    assert LoggedAction.objects.count() == before + 1
    log = house.play_out(table)
    assert not log.void
    assert LoggedAction.objects.filter(log=log, action__do="settle").count() == 1


# ── The calendar (G6) ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("moment", "begun"),
    [
        (datetime(2028, 2, 28, 15, 59, 59, tzinfo=UTC), datetime(2028, 2, 27, 16, 0, tzinfo=UTC)),
        (datetime(2028, 2, 28, 16, 0, tzinfo=UTC), datetime(2028, 2, 28, 16, 0, tzinfo=UTC)),
        (datetime(2028, 2, 29, 16, 0, tzinfo=UTC), datetime(2028, 2, 29, 16, 0, tzinfo=UTC)),
        (datetime(2027, 12, 31, 15, 59, tzinfo=UTC), datetime(2027, 12, 30, 16, 0, tzinfo=UTC)),
        (datetime(2027, 12, 31, 16, 0, tzinfo=UTC), datetime(2027, 12, 31, 16, 0, tzinfo=UTC)),
        (datetime(2027, 3, 28, 1, 30, tzinfo=UTC), datetime(2027, 3, 27, 16, 0, tzinfo=UTC)),
        (datetime(2027, 10, 31, 1, 30, tzinfo=UTC), datetime(2027, 10, 30, 16, 0, tzinfo=UTC)),
    ],
    ids=str,
)
def test_a_day_of_macau_begins_at_midnight_there_on_leap_days_at_new_year_and_when_others_change_their_clocks(
    moment: datetime, begun: datetime
) -> None:
    assert calendar.day_begun(moment) == begun


@pytest.mark.parametrize(
    ("moment", "months", "later"),
    [((2028, 2, 29), 12, (2029, 2, 28)), ((2027, 8, 31), 6, (2028, 2, 29)), ((2027, 12, 31), 60, (2032, 12, 31))],
)
def test_months_are_counted_to_the_last_day_that_there_is(
    moment: tuple[int, int, int], months: int, later: tuple[int, int, int]
) -> None:
    found = calendar.months_later(datetime(*moment, 4, tzinfo=UTC), months)
    assert (found.year, found.month, found.day) == later
