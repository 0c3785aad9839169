"""A report as CSV: by day and table, or by shift of the gaming day and table."""

from __future__ import annotations

from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from tables.base.calendar import macau_date
from tables.base.rights import Right
from tables.felt.formatting import text_of
from tables.games import GAMES
from tables.models import Realm, Table
from tables.queries import statistics
from tables.queries.statistics import Comps, Voided
from tables.views.csv_sheets import csv_sheet, defused, plain

from .gate import staff_page
from .reports import Line, Report, asked_of


@staff_page(Right.WATCH)
def sheet(request: HttpRequest) -> HttpResponse:
    """The same as CSV: a line for every table and day, UTF-8 with a mark of it, amounts in credits. Asked by shift, a
    line for every table and shift of the gaming days."""
    _form, report = asked_of(request)
    if request.GET.get("by") == "shift" and report.has_shifts:
        return _by_shift(report)
    reasons: dict[tuple[date, int], list[str]] = {}
    for void in [] if report.period.long else report.voids:
        reasons.setdefault((macau_date(void.at), void.table_id), []).append(_said(void))
    rows: list[list[str | int]] = [
        [_day(line).isoformat(), *_cells(line, "; ".join(reasons.get((_day(line), _table(line).pk), ())))]
        for line in report.by_table_and_day
    ]
    rows += ([one.day.isoformat(), *_comp_cells(one)] for one in report.comps)
    return csv_sheet(_name("", report), (gettext("Day"), *_columns()), rows)


def _by_shift(report: Report) -> HttpResponse:
    """A line for every table and shift of the gaming days."""
    shifts = report.shifts
    voids = statistics.voids_of_tables([table.pk for table in report.tables], shifts[0].since, shifts[-1].until)
    rows: list[list[str | int]] = []
    for line in report.by_shift_and_table:
        since, until = _part(line)
        said = [_said(void) for void in voids if void.table_id == _table(line).pk and since <= void.at < until]
        rows.append([_day(line).isoformat(), _hours(since, until), *_cells(line, "; ".join(said))])
    for shift in shifts:
        given = statistics.comps(shift.since, shift.until, report.realm)
        rows += ([shift.day.isoformat(), _hours(shift.since, shift.until), *_comp_cells(one)] for one in given)
    head = (gettext("Gaming day"), gettext("Shift"), *_columns())
    return csv_sheet(_name("-shifts", report), head, rows)


def _name(of: str, report: Report) -> str:
    kiosks = "-kiosks" if report.realm == Realm.KIOSKS else ""
    return f"reports{kiosks}{of}-{report.period.first:%Y-%m-%d}-{report.period.last:%Y-%m-%d}.csv"


def _said(void: Voided) -> str:
    return f"#{void.number} {text_of(void.why)}"


def _hours(since: datetime, until: datetime) -> str:
    return f"{since:%H:%M}–{until:%H:%M}"


def _day(line: Line) -> date:
    assert line.day is not None
    return line.day


def _table(line: Line) -> Table:
    assert line.table is not None
    return line.table


def _part(line: Line) -> tuple[datetime, datetime]:
    assert line.since is not None and line.until is not None
    return line.since, line.until


def _columns() -> tuple[str, ...]:
    return (
        gettext("Table"),
        gettext("Game"),
        gettext("Rounds"),
        gettext("Void rounds"),
        gettext("Turnover"),
        gettext("Win"),
        gettext("Win, per cent of turnover"),
        gettext("Theoretical win"),
        gettext("Band, from"),
        gettext("Band, to"),
        gettext("Staked without a figure"),
        gettext("Win of that"),
        gettext("Commission"),
        gettext("To jackpots"),
        gettext("Out of jackpots"),
        gettext("Jackpots restarted"),
        gettext("Forgiven"),
        gettext("Fills"),
        gettext("Chip credits to cage"),
        gettext("Adjustments"),
        gettext("Comps"),
        gettext("Remarks"),
    )


def _cells(line: Line, said: str) -> list[str | int]:
    done = line.figures
    hold = "" if done.hold is None else plain(round(done.hold * 10_000))
    remarks = gettext("No activity") if done.idle else said
    cents = (
        line.theoretical, line.low, line.high, done.unreckoned, done.unreckoned_win, done.commission,
        done.contributions, done.payments, done.restarts, done.forgiven, done.fills, done.credits, done.adjustments,
    )  # fmt: skip
    return [
        defused(_table(line).name),
        defused(text_of(GAMES[line.game].title)),
        done.rounds,
        done.voids,
        plain(done.drop),
        plain(done.win),
        hold,
        *map(plain, cents),
        "",
        defused(remarks),
    ]


def _comp_cells(given: Comps) -> list[str | int]:
    """The comps of one player on one day or in one shift: of no table, with the player as a remark."""
    empty = [""] * (len(_columns()) - 2)
    return [*empty, plain(given.cents), defused(f"{given.name} #{given.player_id}")]
