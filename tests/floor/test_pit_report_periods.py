"""Reports of a month, a year and all time, what stood before them, the hours, the CSV by shift, and the margin."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tables.models import Table
from tables.queries.round_figures import NOTHING, Figures
from tables.services.pit import days, sanctions
from tables.views.pit import charts
from tables.views.pit.printed import css_string
from tables.views.pit.report_forms import Period, Span, month_of
from tests.house.kit import House, void_round

from .pit_kit import browser, browser_of, member
from .test_pit_reports import DAY, MIDNIGHT, lines_of, loses, loses_at, page, row, three_shifts

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return browser("surveillance")


def sheet(client: Client, **asked: Any) -> list[dict[str, str]]:
    content = client.get("/pit/reports.csv", {"period": "span", "since": DAY, "until": DAY, **asked}).content.decode()
    return list(csv.DictReader(io.StringIO(content[1:], newline="")))


def two_years(house: House, table: Table) -> None:
    """Lost on red: 100 on 30 November, 20 on 1 December, 3 on New Year's Day, 7 a year later."""
    for credits, at in ((100, (2066, 11, 30)), (20, (2066, 12, 1)), (3, (2067, 1, 1)), (7, (2068, 1, 1))):
        loses_at(house, table, credits, datetime(*at, 4, tzinfo=UTC))


# ── Months, years, all time ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("summed_up", [False, True])
def test_a_month_a_year_and_all_time_come_to_what_their_days_do(
    house: House, client: Client, *, summed_up: bool
) -> None:
    table = house.table("wheel", game="roulette")
    two_years(house, table)
    if summed_up:
        assert days.close_days(clock=house.clock, most=1_000) > 300
    month = page(client, period="month", since="2066-12-24")
    assert row(month, "Wheel").startswith("Wheel|Roulette|1|20|20|")
    assert lines_of(month, "days")[0].startswith("2066-12-01|1|20|")
    year = page(client, period="year", since="2066-12-24")
    assert row(year, "Wheel").startswith("Wheel|Roulette|2|120|120|")
    assert [line.split("|")[:3] for line in lines_of(year, "days")][-2:] == [
        ["2066-11", "1", "100"], ["2066-12", "1", "20"],
    ]  # fmt: skip
    whole = page(client, period="all")
    assert row(whole, "Wheel").startswith("Wheel|Roulette|4|130|130|")
    by_year = [line.split("|")[:3] for line in lines_of(whole, "days")]
    assert by_year == [["2066", "2", "120"], ["2067", "1", "3"], ["2068", "1", "7"]]


def test_all_time_before_the_first_round_is_today(client: Client) -> None:
    assert "<h1>Reports</h1>" in page(client, period="all")


def test_the_period_before_stands_beside(house: House, client: Client) -> None:
    two_years(house, house.table("wheel", game="roulette"))
    december = page(client, period="month", since="2066-12-24")
    assert (
        "The period before (2066-11-01 – 2066-11-30): turnover 100, win 100, theoretical win 2.70, rounds 1" in december
    )
    day = page(client, since="2066-12-01", until="2066-12-01")
    assert "The day before (2066-11-30): turnover 100, win 100," in day
    assert "The period before (2066-01-01 – 2066-12-31): turnover 120" in page(
        client, period="year", since="2067-05-05"
    )
    assert "before (" not in page(client, period="all")


@pytest.mark.parametrize(
    ("period", "before"),
    [
        (month_of(date(2026, 3, 31)), month_of(date(2026, 2, 1))),
        (month_of(date(2026, 1, 5)), month_of(date(2025, 12, 31))),
        (
            Period(date(2024, 1, 1), date(2024, 12, 31), Span.YEAR),
            Period(date(2023, 1, 1), date(2023, 12, 31), Span.YEAR),
        ),
        (Period(date(2026, 3, 1), date(2026, 3, 7)), Period(date(2026, 2, 22), date(2026, 2, 28))),
        (Period(date(2026, 3, 1), date(2026, 3, 7), Span.ALL), None),
    ],
)
def test_what_comes_before(period: Period, before: Period | None) -> None:
    assert period.before() == before
    assert month_of(date(2024, 2, 10)).days()[-1] == date(2024, 2, 29)


@pytest.mark.parametrize("since", ["0001-01-01", "9999-12-31", "1969-12-31"])
@pytest.mark.parametrize("period", ["month", "year", "span"])
def test_a_day_without_figures_is_refused(client: Client, period: str, since: str) -> None:
    assert "There are no figures of that day." in page(client, period=period, since=since, until=since)


# ── Hours ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_win_of_each_hour_stands_beside_the_day_before(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    loses_at(house, table, 100, MIDNIGHT - timedelta(hours=12))
    loses_at(house, table, 40, MIDNIGHT + timedelta(hours=11))
    html = page(client, since="2066-11-23", until="2066-11-23")
    drawn = html.split('id="report-hour-chart"')[1].split("</section>")[0]
    assert ">11:00<" in drawn and ">12:00<" in drawn and ">13:00<" not in drawn
    assert [line.split("|")[1:4] for line in lines_of(html, "hours")] == [["11:00–12:00", "1", "40"]]
    assert "report-hour-chart" not in page(client, since="2066-11-22", until="2066-11-23")


def test_an_hour_is_drawn_with_its_win_the_theoretical_and_the_day_before() -> None:
    busy = Figures(rounds=1, drop=900_00, win=-50_00, theoretical=25_00)  # type: ignore[arg-type]
    chart = charts.of_hours([("12:00", busy, 100_00), ("13:00", NOTHING, 0)])
    assert chart is not None
    first, second = chart.rows
    assert first.from_zero + first.length == chart.zero == first.low, "lost to the left, won the day before"
    assert first.width == pytest.approx(2 * first.length, abs=2)
    assert chart.zero < first.middle < first.low + first.width
    assert (second.length, second.width) == (0, 0)
    assert charts.of_hours([]) is None


# ── The CSV by shift ────────────────────────────────────────────────────────────────────────────────────────


def test_the_sheet_by_shift_has_the_gaming_day(house: House, client: Client) -> None:
    table, ana = house.table("wheel", game="roulette"), house.player("ana")
    three_shifts(house, table)
    lines = sheet(client, by="shift")
    assert [(line["Gaming day"], line["Shift"], line["Table"], line["Turnover"]) for line in lines] == [
        ("2066-11-22", "06:00–14:00", "Wheel", "100.00"),
        ("2066-11-22", "14:00–22:00", "Wheel", "0.00"),
        ("2066-11-22", "22:00–06:00", "Wheel", "23.00"),
    ]
    assert [line["Remarks"] for line in lines] == ["", "No activity", ""]
    sanctions.comp(member("shift_manager"), ana.pk, 5_00, "a long night", clock=house.clock)
    given = sheet(client, by="shift", since="2066-11-23", until="2066-11-23")[-1]
    assert (given["Gaming day"], given["Shift"], given["Comps"]) == ("2066-11-23", "06:00–14:00", "5.00")


def test_a_void_round_stands_in_its_shift(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    house.clock.at = MIDNIGHT + timedelta(hours=1)
    house.take_over(table, "night")
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "red", 100)
    void_round(house.log(table).pk, "the ball was lost", clock=house.clock)
    assert [line["Void rounds"] for line in sheet(client, by="shift")] == ["0", "0", "1"]
    assert "the ball was lost" in sheet(client, by="shift")[-1]["Remarks"]


def test_of_more_days_the_sheet_is_by_day(house: House, client: Client) -> None:
    loses(house, house.table("wheel", game="roulette"), 100)
    assert "Gaming day" not in sheet(client, by="shift", until="2066-11-29")[0]
    assert "Gaming day" in sheet(client, by="shift", until="2066-11-28")[0]


# ── On paper ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_margin_of_each_sheet_says_by_whom_and_when() -> None:
    boss = member("pit_boss", 'A"} body{display:none} \\ \n')
    client = browser_of(boss)
    assert '<link rel="stylesheet" href="/pit/printed.css" media="print">' in page(client)
    answer = client.get("/pit/printed.css")
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    css = answer.content.decode()
    assert css.count("{") == css.count("}") == 2 and css.count('"') == 2, "a name ends the string"
    assert css_string("Ana 李") == '"Ana\\000020\\00674e"'
