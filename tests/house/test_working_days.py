"""Three working days ahead: weekends, Macau's public holidays, and the ends of years."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tables.base.calendar import earliest_adoption, is_working_day, latest_filing, macau_date


@pytest.mark.parametrize(
    ("planned", "by"),
    [
        ("2026-08-10", "2026-08-05"),  # the example of the rulebook: Monday 10, by Wednesday 5
        ("2026-08-06", "2026-08-03"),  # Thursday, by Monday
        ("2026-08-15", "2026-08-12"),  # a Saturday may be planned: three working days lie before it
        ("2026-08-16", "2026-08-12"),  # Sunday
        ("2026-08-17", "2026-08-12"),  # Monday
        ("2026-02-20", "2026-02-12"),  # Lunar New Year 2026: Tuesday 17 to Thursday 19
        ("2026-02-17", "2026-02-12"),  # and on its first day
        ("2026-02-23", "2026-02-13"),
        ("2027-02-09", "2027-02-03"),  # Lunar New Year 2027: Saturday 6 to Monday 8
        ("2027-02-11", "2027-02-05"),
        ("2026-10-05", "2026-09-29"),  # National Day 2026, a Thursday, after the Saturday behind Mid-Autumn
        ("2026-10-02", "2026-09-28"),
        ("2027-10-04", "2027-09-28"),  # National Day 2027, a Friday
        ("2027-10-11", "2027-10-05"),  # Double Ninth, Friday 8
        ("2027-01-04", "2026-12-29"),  # New Year's Day 2027, a Friday
        ("2028-01-03", "2027-12-29"),  # and 2028, a Saturday
        ("2026-12-23", "2026-12-18"),  # the S.A.R.'s day on a Sunday takes no working day with it
        ("2027-12-23", "2027-12-17"),  # on a Monday it does
    ],
)
def test_a_request_is_filed_by_the_day_three_working_days_before(planned: str, by: str) -> None:
    assert latest_filing(date.fromisoformat(planned)) == date.fromisoformat(by)


@pytest.mark.parametrize(
    ("submitted", "earliest"),
    [
        ("2026-08-03", "2026-08-06"),  # Monday: Thursday
        ("2026-08-05", "2026-08-08"),  # Wednesday: Saturday
        ("2026-08-06", "2026-08-11"),  # Thursday: Tuesday
        ("2026-08-08", "2026-08-13"),  # Saturday, Sunday and Monday: Thursday
        ("2026-08-09", "2026-08-13"),
        ("2026-08-10", "2026-08-13"),
        ("2026-02-13", "2026-02-21"),  # over Lunar New Year 2026
        ("2027-02-04", "2027-02-10"),
        ("2026-09-30", "2026-10-06"),  # over National Day
        ("2026-12-30", "2027-01-05"),  # over the end of the year
        ("2026-12-31", "2027-01-06"),
    ],
)
def test_what_is_asked_for_may_hold_from_the_first_day_that_leaves_three(submitted: str, earliest: str) -> None:
    assert earliest_adoption(date.fromisoformat(submitted)) == date.fromisoformat(earliest)


def test_both_say_the_same_on_every_day_of_two_years() -> None:
    """A request suffices for a date if it is filed in time for it, and then for every later one."""
    day = date(2026, 1, 1)
    while day < date(2028, 1, 1):
        by = latest_filing(day)
        assert is_working_day(by)
        assert sum(is_working_day(by + timedelta(days=ahead)) for ahead in range((day - by).days)) == 3
        assert earliest_adoption(by) <= day < earliest_adoption(by + timedelta(days=1))
        day += timedelta(days=1)


def test_the_public_holidays_of_macau_are_no_working_days() -> None:
    """Those of the days of the week, as the government has published them."""
    off = {day for day in _days(2026) if day.weekday() < 5 and not is_working_day(day)}
    assert {f"{day:%m-%d}" for day in off} == {"01-01", "02-17", "02-18", "02-19", "05-01", "10-01"}
    off = {day for day in _days(2027) if day.weekday() < 5 and not is_working_day(day)}
    assert {f"{day:%m-%d}" for day in off} == {"01-01", "02-08", "04-05", "09-16", "10-01", "10-08", "12-20"}


def test_the_date_is_that_of_macau() -> None:
    assert macau_date(datetime(2026, 11, 21, 15, 59, tzinfo=UTC)) == date(2026, 11, 21)
    assert macau_date(datetime(2026, 11, 21, 16, 0, tzinfo=UTC)) == date(2026, 11, 22)


def _days(year: int) -> list[date]:
    return [date(year, 1, 1) + timedelta(days=day) for day in range(365)]
