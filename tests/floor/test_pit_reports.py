"""The reports of the pit: the page, its drawings, the sheet, and who may see them."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables.base.rights import Right
from tables.base.shifts import checked, shifts_of
from tables.models import Table
from tables.queries import statistics
from tables.queries.round_figures import NOTHING, Figures
from tables.services.pit import sanctions
from tables.services.pit.opening import open_jackpot
from tables.services.rounds import seating
from tables.views.csv_sheets import defused, plain
from tables.views.pit import charts
from tests.house.kit import House, open_table, void_round

from .pit_kit import browser, member, those_who_may

DAY = date(2066, 11, 22)
"""Macau's day when the clock of a house begins, at four in the morning; the page asks the database's, years before."""

MIDNIGHT = datetime(2066, 11, 22, 16, tzinfo=UTC)
"""When the next day begins in Macau."""


@pytest.fixture
def client(db: None) -> Client:
    return browser("surveillance")


def page(client: Client, **asked: Any) -> str:
    answer = client.get("/pit/reports/", {"period": "span", "since": DAY, "until": DAY, **asked})
    assert answer.status_code == 200
    return answer.content.decode()


def sheet(client: Client, **asked: Any) -> list[dict[str, str]]:
    """The sheet, each line by the names of its columns."""
    answer = client.get("/pit/reports.csv", {"period": "span", "since": DAY, "until": DAY, **asked})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="reports-')
    content = answer.content.decode()
    assert content.startswith("\ufeff"), "spreadsheets take it for another encoding"
    return list(csv.DictReader(io.StringIO(content[1:], newline="")))


def row(html: str, name: str) -> str:
    """The first line of a table of data that begins with this name, its texts apart by strokes."""
    rows = re.findall(r"<tr[^>]*>\s*<th scope=\"row\".*?</tr>", html, re.DOTALL)
    texts = ["|".join(text for part in re.split("<[^>]*>", one) if (text := part.strip())) for one in rows]
    return next(text for text in texts if text.startswith(name))


def loses(house: House, table: Table, credits: int) -> None:
    """A round of Roulette in which somebody loses so much on red."""
    house.throw(2)
    house.until(table, "betting")
    house.bet(house.player(f"player{house.log(table).pk}"), table, "red", credits)
    house.play_out(table)


# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_role_reads_the_reports(db: None) -> None:
    for role in those_who_may(Right.WATCH):
        client = browser(role)
        assert "<h1>Reports</h1>" in page(client)
        assert sheet(client) == []
    assert len(those_who_may(Right.WATCH)) == 4


def test_the_page_says_what_was_played_beside_what_was_to_be_expected(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    loses(house, table, 100)
    html = page(client)
    assert row(html, "Wheel") == "Wheel|Roulette|1|100|100|100.00 %|2.70|−193.23 to 198.64|0|0|0|0|0|0"
    assert row(html, "Roulette") == row(html, "Wheel").removeprefix("Wheel|")
    assert html.count("<svg viewBox") == 3
    assert not re.search(r"style=|<script(?! src)| on[a-z]+=", html.split("<main")[1]), "the policy forbids it"


def test_where_nothing_was_done_a_line_says_so(house: House, client: Client) -> None:
    house.table("wheel", game="roulette")
    house.table("jade", game="baccarat")
    html = page(client)
    assert row(html, "Wheel") == "Wheel|Roulette|No activity"
    assert row(html, "Jade") == "Jade|Baccarat|No activity"
    assert "<svg viewBox" not in html


def test_a_void_round_stands_there_with_its_reason(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "red", 100)
    void_round(house.log(table).pk, "The ball <was> lost", clock=house.clock)
    html = page(client)
    assert row(html, "Wheel").startswith("Wheel|Roulette|0|1 void|0|0|")
    void = html.split('id="report-voids"')[1]
    assert "The ball &lt;was&gt; lost" in void
    assert "<cite" in void, "no article says what a void round is"
    (line,) = sheet(client)
    assert (line["Void rounds"], line["Remarks"]) == ("1", "#1 The ball <was> lost")


def test_a_day_is_cut_at_midnight_in_macau(house: House, client: Client) -> None:
    """A round that was begun before midnight and settled after it belongs to the new day."""
    table = house.table("wheel", game="roulette", times={"beat": 500})
    loses(house, table, 100)
    house.clock.at = MIDNIGHT.replace(hour=15, minute=59)
    loses(house, table, 20)
    assert house.clock.at < MIDNIGHT
    loses(house, table, 3)
    assert house.log(table).started_at < MIDNIGHT < house.clock.at
    both = sheet(client, until="2066-11-23")
    assert [(line["Day"], line["Rounds"], line["Turnover"]) for line in both] == [
        ("2066-11-22", "2", "120.00"),
        ("2066-11-23", "1", "3.00"),
    ]
    html = page(client, until="2066-11-23")
    assert row(html, "2066-11-22").startswith("2066-11-22|2|120|")
    assert row(html, "2066-11-23").startswith("2066-11-23|1|3|")


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ({}, 1),
        ({"period": "today"}, 1),
        ({"period": "yesterday"}, 1),
        ({"period": "week"}, 7),
        ({"period": "span", "since": "2066-11-22", "until": "2066-12-22"}, 31),
        ({"period": "span", "since": "2066-11-22", "until": "2066-12-23"}, 1),
        ({"period": "span", "since": "2066-11-22", "until": "2066-11-21"}, 1),
        ({"period": "span", "since": "2066-11-22"}, 1),
        ({"period": "span", "since": "nonsense", "until": "9999-12-31"}, 1),
        ({"period": "nonsense", "game": "nonsense", "table": "nonsense"}, 1),
    ],
)
def test_the_days_that_are_asked_for(client: Client, asked: dict[str, str], days: int) -> None:
    """What makes no sense is said at the field, and today is shown."""
    open_table("wheel", "Wheel", "roulette", {})
    answer = client.get("/pit/reports.csv", asked)
    assert len(answer.content.decode().splitlines()) == 1 + days
    html = client.get("/pit/reports/", asked).content.decode()
    assert ("field__error" in html) == (days == 1 and len(asked) > 1)


def test_one_game_or_one_table(house: House, client: Client) -> None:
    house.table("wheel", game="roulette")
    house.table("senado", game="roulette")
    house.table("jade", game="baccarat")
    assert [line["Table"] for line in sheet(client)] == ["Wheel", "Senado", "Jade"]
    assert [line["Table"] for line in sheet(client, game="roulette")] == ["Wheel", "Senado"]
    assert [line["Table"] for line in sheet(client, table="senado")] == ["Senado"]
    assert sheet(client, table="senado", game="baccarat") == []
    assert "There is no such table." in page(client, table="senado", game="baccarat")


def test_a_jackpot_shows_its_meter_as_it_stood_then(house: House, client: Client) -> None:
    open_jackpot("lisboa", "Lisboa", 600_000_00, clock=house.clock)
    table = house.table("guia", game="stud_poker", jackpot="lisboa")
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    for day in (22, 23):
        house.until(table, "betting")
        house.bet(ana, table, "ante", 100, 1)
        house.bet(ana, table, "jackpot", 25, 1)
        house.play_out(table)
        if day == 22:
            house.clock.at = MIDNIGHT
            house.take_over(table, "night")
            house.attend(table, ana)
    assert row(page(client), "Lisboa") == "Lisboa|17.50|0|0|600,017.50"
    assert row(page(client, until="2066-11-23"), "Lisboa") == "Lisboa|35|0|0|600,035"


# ── Shifts, hours and comps ─────────────────────────────────────────────────────────────────────────────────


def lines_of(html: str, part: str) -> list[str]:
    """The lines of one part of the report."""
    there = html.split(f'id="report-{part}"')[1].split("</section>")[0]
    rows = re.findall(r"<tr[^>]*>\s*<th scope=\"row\".*?</tr>", there, re.DOTALL)
    return [
        "|".join(" ".join(text.split()) for part in re.split("<[^>]*>", one) if (text := part.strip())) for one in rows
    ]


def loses_at(house: House, table: Table, credits: int, at: datetime) -> None:
    house.clock.at = at
    house.take_over(table, f"at {at:%H}")
    loses(house, table, credits)


def three_shifts(house: House, table: Table) -> None:
    """Rounds at noon, late in the evening, and after midnight: the gaming day goes on until six."""
    loses_at(house, table, 100, MIDNIGHT - timedelta(hours=12))
    loses_at(house, table, 20, MIDNIGHT - timedelta(minutes=90))
    loses_at(house, table, 3, MIDNIGHT + timedelta(hours=1))
    loses_at(house, table, 7, MIDNIGHT + timedelta(hours=7))


def test_the_gaming_day_goes_on_after_midnight(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    three_shifts(house, table)
    assert [line.split("|")[:4] for line in lines_of(page(client), "shifts")] == [
        ["2066-11-22", "06:00–14:00", "1", "100"],
        ["2066-11-22", "14:00–22:00", "No activity"],
        ["2066-11-22", "22:00–06:00", "2", "23"],
    ]
    (day,) = sheet(client)
    assert day["Turnover"] == "120.00", "the day of the calendar ends at midnight"
    played = [line.split("|")[1:4] for line in lines_of(page(client), "hours") if "No activity" not in line]
    assert played == [["12:00–13:00", "1", "100"], ["22:00–23:00", "1", "20"], ["01:00–02:00", "1", "3"]]


def test_the_house_sets_its_shifts(house: House, client: Client, settings: Any) -> None:
    settings.SHIFTS = (1, 13)
    three_shifts(house, house.table("wheel", game="roulette"))
    assert [line.split("|")[1:4] for line in lines_of(page(client), "shifts")] == [
        ["01:00–13:00", "1", "100"],
        ["13:00–01:00", "1", "20"],
    ]


def test_shifts_sum_up_to_what_the_ledger_says_of_their_days(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    three_shifts(house, table)
    shifts = [shift for more in range(7) for shift in shifts_of(DAY + timedelta(days=more), (6, 14, 22))]
    bounds = [*(shift.since for shift in shifts), shifts[-1].until]
    done = statistics.of_periods(bounds, [table.pk])
    for at, shift in enumerate(shifts):
        assert done.get((at, table.pk), NOTHING) == statistics.of_table(table.pk, shift.since, shift.until)
    assert statistics.total(done.values()) == statistics.of_table(table.pk, bounds[0], bounds[-1])


def test_a_report_of_shifts_takes_as_many_statements_for_a_day_as_for_seven(house: House, client: Client) -> None:
    three_shifts(house, house.table("wheel", game="roulette"))
    taken = []
    for until in ("2066-11-23", "2066-11-28"):
        statistics.remembered.clear()
        with CaptureQueriesContext(connection) as statements:
            assert 'id="report-shifts"' in page(client, until=until)
        taken.append(len(statements))
    assert taken[0] == taken[1]
    assert 'id="report-shifts"' not in page(client, until="2066-11-29"), "more days than are read from the ledger"


def test_what_the_house_gave_stands_in_every_report(house: House, client: Client) -> None:
    table, ana, boss = house.table("wheel", game="roulette"), house.player("=ana"), member("shift_manager")
    loses(house, table, 100)
    for credits in (150, 50):
        sanctions.comp(boss, ana.pk, credits * 100, "a long night", clock=house.clock)
    html = page(client)
    assert lines_of(html, "comps") == ["=Ana|2066-11-22|200"]
    assert row(html, "Wheel").startswith("Wheel|Roulette|1|100|100|"), "a comp is no loss of a table"
    _, given = sheet(client)
    assert (given["Day"], given["Table"], given["Comps"]) == ("2066-11-22", "", "200.00")
    assert given["Remarks"] == f"'=Ana #{ana.pk}"
    assert "Comps" not in page(client, realm=1).split("<main")[1]


@pytest.mark.parametrize("hours", [(), (6, 6), (14, 6), (-1, 6), (6, 24)])
def test_hours_that_are_no_shifts_are_refused(hours: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shifts begin"):
        checked(hours)


# ── The sheet ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_sheet_has_plain_numbers(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette")
    house.throw(1)
    house.until(table, "betting")
    house.bet(house.player("ana"), table, "red", 1_500)
    house.play_out(table)
    (line,) = sheet(client)
    assert line["Day"] == "2066-11-22"
    assert (line["Turnover"], line["Win"], line["Win, per cent of turnover"]) == ("1500.00", "-1500.00", "-100.00")
    assert (line["Theoretical win"], line["Band, from"], line["Band, to"]) == ("40.54", "-2898.39", "2979.48")
    assert (line["Rounds"], line["Remarks"]) == ("1", "")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "=cmd|' /C calc'!A0"])
def test_no_cell_is_a_formula(client: Client, name: str) -> None:
    open_table("wheel", name, "roulette", {})
    (line,) = sheet(client)
    assert line["Table"] == f"'{name}"
    assert line["Remarks"] == "No activity"
    for cell in line.values():
        assert not cell.startswith(("=", "+", "@", "\t", "\r"))
        assert not cell.startswith("-") or re.fullmatch(r"-\d+\.\d\d", cell)


def test_what_is_no_formula_is_left_alone() -> None:
    assert [defused(text) for text in ("Jade", "a=b", "", "澳門")] == ["Jade", "a=b", "", "澳門"]
    assert [plain(cents) for cents in (0, 5, -5, -100, 123_456_789)] == ["0.00", "0.05", "-0.05", "-1.00", "1234567.89"]


# ── The drawings ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_win_lies_in_its_drawing_where_it_lies_in_its_band() -> None:
    inside = Figures(rounds=1, drop=100_00, win=50_00, theoretical=Fraction(10_00), variance=Fraction(50_00**2))
    outside = Figures(rounds=1, drop=900_00, win=-500_00, theoretical=Fraction(10_00), variance=Fraction(50_00**2))
    chart = charts.of_wins([("in", inside), ("out", outside), ("idle", NOTHING)])
    assert chart is not None
    first, second, third = chart.rows
    assert first.low < chart.zero < first.middle < first.came < first.low + first.width
    assert second.came < second.low == first.low
    assert [row.y for row in chart.rows] == sorted({row.y for row in chart.rows})
    assert third.y < chart.height
    for row in (first, second):
        assert chart.left <= min(row.came, row.low) and max(row.came, row.low + row.width) <= chart.width
    assert [tick.says for tick in chart.ticks] == ["−600", "−400", "−200", "0", "200"]


def test_a_loss_is_drawn_to_the_left() -> None:
    chart = charts.of_drops([("won", Figures(drop=100_00, win=50_00)), ("lost", Figures(drop=100_00, win=-50_00))])
    assert chart is not None
    won, lost = chart.rows
    assert won.from_zero == chart.zero == lost.from_zero + lost.length
    assert won.length == lost.length and won.width == lost.width == pytest.approx(2 * won.length, abs=2)


def test_nothing_is_not_drawn() -> None:
    assert charts.of_wins([("idle", NOTHING)]) is None
    assert charts.of_drops([("idle", NOTHING)]) is None
