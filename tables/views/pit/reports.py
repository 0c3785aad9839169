"""What the tables have done: by day, game and table, as a page with drawings, as CSV and on paper.

A day is Macau's, from midnight to midnight, and a round belongs to the one in which it was settled. Beside it stand the
shifts of the gaming day, which begins with the first of them (ADR 34), and its hours. Longer periods are summed up by
month or year.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.base.shifts import Shift, shifts_of
from tables.felt.formatting import credits_of
from tables.felt.story import told
from tables.games import GAMES
from tables.games.values.words import Note, Words
from tables.models import Jackpot, Realm, RoundLog, Ruling, Table, Transfer
from tables.queries import statistics
from tables.queries.folds import log_entries
from tables.queries.round_figures import NOTHING, Figures
from tables.queries.statistics import DAY, Comps, Voided

from . import charts
from .gate import staff_page
from .report_forms import EARLIEST, Asked, Period, Span

DATES = {"": "%m-%d", Span.MONTH: "%Y-%m", Span.YEAR: "%Y"}
"""How a day is called in a drawing, and a month and a year."""

MOST_DAYS_OF_SHIFTS = 7
"""Of so many days at most the shifts are told: they are read from the ledger alone."""


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report: a day, a game or a table, or a table on a day, and what was done there."""

    figures: Figures
    day: date | None = None
    game: str = ""
    table: Table | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Of a part of a day: from when until when."""
    span: str = ""
    """Of a month or a year that begins with `day`: which of the two."""

    @property
    def title(self) -> Words | None:
        """What the game is called."""
        return GAMES[self.game].title if self.game else None

    @property
    def hold(self) -> str:
        """Win of the turnover, in per cent."""
        return percent(self.figures.hold)

    @property
    def theoretical(self) -> int:
        """The theoretical win to the nearest cent."""
        return round(self.figures.theoretical)

    @property
    def low(self) -> int:
        return self.figures.band[0]

    @property
    def high(self) -> int:
        return self.figures.band[1]


@dataclass(frozen=True, slots=True)
class PoolLine:
    """A jackpot: what lay in it when the period was over (or lies there now), and what its tables moved meanwhile."""

    name: str
    meter: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class VoidLine:
    """A void round, what was said of it and by which article, and what the pit ruled."""

    voided: Voided
    table: Table
    notes: tuple[Note, ...]
    why: str


class Report:
    """The figures of some tables of one realm in a period."""

    def __init__(self, period: Period, tables: Sequence[Table], realm: Realm) -> None:
        assert all(table.realm == realm for table in tables), "two kinds of money are never added up"
        self.period, self.days, self.tables, self.realm = period, period.days(), tables, realm
        self.since, self.until = midnight(period.first), midnight(period.last + DAY)
        self.done = statistics.of_days(period.first, period.last)

    def _line(
        self,
        *,
        days: Sequence[date] | None = None,
        day: date | None = None,
        game: str = "",
        table: Table | None = None,
        tables: Sequence[Table] | None = None,
        span: str = "",
    ) -> Line:
        """All of these days, or of these tables."""
        wanted = self.tables if tables is None else tables
        keys = ((at, one.pk) for at in (self.days if days is None else days) for one in wanted)
        figures = statistics.total(self.done[key] for key in keys if key in self.done)
        return Line(figures, day, game, table, span=span)

    @cached_property
    def whole(self) -> Line:
        """Everything together."""
        return self._line()

    @cached_property
    def before(self) -> tuple[Period, Line] | None:
        """The period of the same kind before this one, and everything in it together."""
        earlier = self.period.before()
        if earlier is None or earlier.first.year < EARLIEST:
            return None
        ids = {table.pk for table in self.tables}
        done = statistics.of_days(earlier.first, earlier.last)
        return earlier, Line(statistics.total(figures for (_, pk), figures in done.items() if pk in ids))

    @cached_property
    def by_day(self) -> list[Line]:
        """Day by day; of a long period month by month, of all time year by year."""
        if not self.period.long:
            return [self._line(days=[day], day=day) for day in self.days]
        span = Span.MONTH if self.period.span is Span.YEAR else Span.YEAR
        parts: dict[date, list[date]] = {}
        for day in self.days:
            first = day.replace(day=1) if span is Span.MONTH else date(day.year, 1, 1)
            parts.setdefault(first, []).append(day)
        return [self._line(days=days, day=first, span=span) for first, days in parts.items()]

    @cached_property
    def by_game(self) -> list[Line]:
        found = {game: [table for table in self.tables if table.game == game] for game in GAMES}
        return [self._line(game=game, tables=tables) for game, tables in found.items() if tables]

    @cached_property
    def by_table(self) -> list[Line]:
        return [self._line(game=table.game, table=table, tables=[table]) for table in self.tables]

    @cached_property
    def by_table_and_day(self) -> list[Line]:
        return [
            self._line(days=[day], day=day, game=table.game, table=table, tables=[table])
            for day in self.days
            for table in self.tables
        ]

    @property
    def has_shifts(self) -> bool:
        """Whether its shifts are told: not of many days."""
        return len(self.days) <= MOST_DAYS_OF_SHIFTS

    @property
    def shifts(self) -> list[Shift]:
        """The shifts of each gaming day."""
        return [shift for day in self.days for shift in shifts_of(day, settings.SHIFTS)]

    @cached_property
    def by_shift(self) -> list[Line]:
        """What was done in each of them; none of many days."""
        return self._parts(self.shifts) if self.has_shifts else []

    @cached_property
    def by_shift_and_table(self) -> list[Line]:
        """The same table by table, for the sheet."""
        done = self._done_in(self.shifts)
        return [
            Line(
                done.get((at, table.pk), NOTHING),
                day=shift.day, game=table.game, table=table, since=shift.since, until=shift.until,
            )
            for at, shift in enumerate(self.shifts)
            for table in self.tables
        ]  # fmt: skip

    @cached_property
    def _hours(self) -> tuple[list[Line], list[Line]]:
        """The hours of the gaming day, and those of the one before; none of several days."""
        if len(self.days) > 1:
            return [], []
        first = shifts_of(self.days[0], settings.SHIFTS)[0].since
        hours = [first + timedelta(hours=more) for more in range(-24, 25)]
        lines = self._parts([Shift(self.days[0], *each) for each in pairwise(hours)])
        return lines[24:], lines[:24]

    @cached_property
    def by_hour(self) -> list[Line]:
        """The hours of one gaming day in which anything was done."""
        return [line for line in self._hours[0] if not line.figures.idle]

    def hours_beside(self) -> list[tuple[str, Figures, int]]:
        """From the first hour in which anything was done, this day or the day before, to the last one: when it begins,
        its figures, and the win of that hour on the day before."""
        both = list(zip(*self._hours, strict=True))
        busy = [at for at, (now, then) in enumerate(both) if not (now.figures.idle and then.figures.idle)]
        shown = both[busy[0] : busy[-1] + 1] if busy else []
        return [(f"{now.since:%H:%M}", now.figures, then.figures.win) for now, then in shown]

    def _parts(self, parts: Sequence[Shift]) -> list[Line]:
        """A line for each of these parts of days, which follow one another."""
        done, ids = self._done_in(parts), [table.pk for table in self.tables]
        return [
            Line(
                statistics.total(done[at, pk] for pk in ids if (at, pk) in done),
                day=part.day, since=part.since, until=part.until,
            )
            for at, part in enumerate(parts)
        ]  # fmt: skip

    def _done_in(self, parts: Sequence[Shift]) -> Mapping[tuple[int, int], Figures]:
        """What each table did in each of these parts of days, by the place of the part and the table."""
        bounds = [*(part.since for part in parts), parts[-1].until]
        return statistics.of_periods(bounds, [table.pk for table in self.tables])

    @cached_property
    def comps(self) -> list[Comps]:
        """What the house gave to players, by day and player: it belongs to no table."""
        return statistics.comps(self.since, self.until, self.realm)

    @property
    def comps_total(self) -> int:
        return sum(one.cents for one in self.comps)

    @cached_property
    def voids(self) -> list[Voided]:
        """The void rounds, in the order of time."""
        return statistics.voids_of_tables([table.pk for table in self.tables], self.since, self.until)

    @cached_property
    def of_no_table(self) -> int:
        """Adjustments of no round, which belong to no table, in cents."""
        return statistics.adjustments(self.since, self.until, self.realm).get(None, 0)

    def pools(self) -> list[PoolLine]:
        """The jackpots of these tables."""
        fed = {table.jackpot_id for table in self.tables if table.jackpot_id is not None}
        return [
            PoolLine(
                jackpot.name,
                _meter(jackpot, self.until),
                self._line(tables=[table for table in self.tables if table.jackpot_id == jackpot.pk]).figures,
            )
            for jackpot in Jackpot.objects.filter(pk__in=fed).select_related("account").order_by("pk")
        ]

    def void_lines(self) -> list[VoidLine]:
        """The void rounds in words, those of a spectator."""
        tables = {table.pk: table for table in self.tables}
        logs = RoundLog.objects.in_bulk([void.log_id for void in self.voids])
        ruled: dict[int, list[str]] = {}
        for log_id, why in Ruling.objects.filter(log__in=logs).values_list("log_id", "why"):
            ruled.setdefault(log_id, []).append(why)
        return [
            VoidLine(
                void, tables[void.table_id], tuple(_notes(logs[void.log_id])), "; ".join(ruled.get(void.log_id, ()))
            )
            for void in self.voids
        ]


def _meter(jackpot: Jackpot, at: datetime) -> int:
    """What lay in the jackpot at that time, or lies there now."""
    moved = Transfer.objects.filter(at__gte=at)
    came = moved.filter(credit=jackpot.account).aggregate(cents=Sum("amount"))["cents"] or 0
    left = moved.filter(debit=jackpot.account).aggregate(cents=Sum("amount"))["cents"] or 0
    return int(jackpot.account.balance - came + left)


def _notes(log: RoundLog) -> Iterator[Note]:
    """What the line that made the round void says to those who stand by."""
    for line in log_entries(log):
        if line.after.is_void and not line.before.is_void:
            yield from told(log.game, line, "", {})


def percent(share: Fraction | None) -> str:
    """A share in per cent with two decimals; nothing for none."""
    return "" if share is None else f"{credits_of(round(share * 10_000), exact=True)} %"


# ── The page ────────────────────────────────────────────────────────────────────────────────────────────────


@staff_page(Right.WATCH)
def reports(request: HttpRequest) -> HttpResponse:
    """Turnover, win and its share of the chosen days and tables beside the theoretical win and its band."""
    asked, report = asked_of(request)
    tables = [(line.table.name, line.figures) for line in report.by_table if line.table is not None]
    days = [(_day_of(line), line.figures) for line in report.by_day]
    context = {
        "place": "reports",
        "form": asked,
        "report": report,
        "pools": report.pools(),
        "voids": [] if report.period.long else report.void_lines(),
        "wins": charts.of_wins(tables),
        "drops": charts.of_drops(days if len(days) > 1 else tables),
        "hours": charts.of_hours(report.hours_beside()),
        "several_days": len(report.days) > 1,
        "last": report.until - timedelta(days=1),
        "csv_url": f"{reverse('pit_reports_csv')}?{urlencode(request.GET)}",
        "shifts_url": f"{reverse('pit_reports_csv')}?{urlencode({**request.GET.dict(), 'by': 'shift'})}",
    }
    return render(request, "pit/reports.html", context)


def _day_of(line: Line) -> str:
    """The name of a day in a drawing; of a month or a year of it."""
    return "" if line.day is None else f"{line.day:{DATES[line.span]}}"


def asked_of(request: HttpRequest) -> tuple[Asked, Report]:
    """The form as it was sent, and the report that it asks for."""
    tables = list(Table.objects.order_by("position", "pk"))
    today = macau_date(DATABASE_CLOCK.now())
    asked = Asked(request.GET.dict(), tables, today)
    return asked, Report(asked.days(), asked.chosen(), asked.whose())
