"""What the tables have done: by day, game and table, as a page with drawings, as CSV and on paper.

A day is Macau's, from midnight to midnight, and a round belongs to the one in which it was settled. Beside it stand the
shifts of the gaming day, which begins with the first of them (ADR 34), and the hours of one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.base.shifts import Shift, shifts_of
from tables.felt.formatting import credits_of, text_of
from tables.felt.story import told
from tables.games import GAMES
from tables.games.values.words import Note, Words
from tables.models import Jackpot, Realm, RoundLog, Ruling, Table, Transfer
from tables.queries import statistics
from tables.queries.folds import log_entries
from tables.queries.round_figures import NOTHING, Figures
from tables.queries.statistics import Comps, Voided
from tables.views.csv_sheets import csv_sheet, defused, plain

from . import charts
from .gate import staff
from .tables import PLAYED_WITH

MOST_DAYS = 31
"""So many days stand in one report at most."""

WEEK = 7

MOST_DAYS_OF_SHIFTS = 7
"""Of so many days at most the shifts are told: they are read from the ledger alone."""


# ── What is asked for ───────────────────────────────────────────────────────────────────────────────────────


class Asked(forms.Form):
    """Which days, which money, which game, which table."""

    use_required_attribute = False

    period = forms.ChoiceField(
        label=_("Days"),
        required=False,
        choices=(
            ("today", _("today")),
            ("yesterday", _("yesterday")),
            ("week", _("the last 7 days")),
            ("span", _("from … to …")),
        ),
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    realm = forms.ChoiceField(label=_("Played with"), required=False, choices=PLAYED_WITH)
    game = forms.ChoiceField(label=_("Game"), required=False)
    table = forms.ChoiceField(label=_("Table"), required=False)

    def __init__(self, data: Mapping[str, object], tables: Iterable[Table], today: date) -> None:
        super().__init__({"period": "today", "realm": Realm.FLOOR.value, **data})
        self.today, self._tables = today, list(tables)
        for name, choices in (
            ("game", [(slug, text_of(game.title)) for slug, game in GAMES.items()]),
            ("table", [(table.slug, table.name) for table in self._tables]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", gettext("all")), *choices]

    def clean(self) -> dict[str, object]:
        """What a span needs: both ends, in their order, not too far apart."""
        asked = super().clean() or {}
        if asked.get("period") == "span" and not self.errors:
            since, until = asked.get("since"), asked.get("until")
            if since is None or until is None:
                self.add_error("since" if since is None else "until", gettext("Give both days."))
            elif until < since:
                self.add_error("until", gettext("The last day comes before the first."))
            elif (until - since).days >= MOST_DAYS:
                self.add_error("until", gettext("At most %(days)s days in one report.") % {"days": MOST_DAYS})
        return asked

    def days(self) -> list[date]:
        """The days that are asked for, oldest first; today if what is asked makes no sense."""
        asked = self.cleaned_data if self.is_valid() else {}
        match asked.get("period"):
            case "yesterday":
                return [self.today - timedelta(days=1)]
            case "week":
                return _days(self.today - timedelta(days=WEEK - 1), self.today)
            case "span":
                return _days(asked["since"], asked["until"])
            case _:
                return [self.today]

    def chosen(self) -> list[Table]:
        """The tables that are asked for: all of one realm, for what is won at others is other money."""
        asked = self.cleaned_data if self.is_valid() else {}
        game, slug, realm = asked.get("game"), asked.get("table"), self.whose()
        return [
            table
            for table in self._tables
            if table.realm == realm and game in ("", None, table.game) and slug in ("", None, table.slug)
        ]

    def whose(self) -> Realm:
        """Whose money is asked for: that which the chosen table is played with, if one is chosen."""
        asked = self.cleaned_data if self.is_valid() else {}
        of_table = next((table.realm for table in self._tables if table.slug == asked.get("table")), None)
        return Realm(int(asked.get("realm") or Realm.FLOOR) if of_table is None else of_table)


def _days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=more) for more in range((last - first).days + 1)]


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
    """The figures of some tables of one realm on some days."""

    def __init__(self, days: Sequence[date], tables: Sequence[Table], realm: Realm) -> None:
        assert all(table.realm == realm for table in tables), "two kinds of money are never added up"
        self.days, self.tables, self.realm = days, tables, realm
        self.since, self.until = midnight(days[0]), midnight(days[-1] + timedelta(days=1))
        done = statistics.of_days(days[0], days[-1])
        self.done = {(day, table.pk): done.get((day, table.pk), NOTHING) for day in days for table in tables}

    def _line(
        self,
        *,
        day: date | None = None,
        game: str = "",
        table: Table | None = None,
        tables: Sequence[Table] | None = None,
    ) -> Line:
        """All of this day, or of these tables."""
        days = self.days if day is None else [day]
        wanted = self.tables if tables is None else tables
        return Line(statistics.total(self.done[at, one.pk] for at in days for one in wanted), day, game, table)

    @cached_property
    def whole(self) -> Line:
        """Everything together."""
        return self._line()

    @cached_property
    def by_day(self) -> list[Line]:
        return [self._line(day=day) for day in self.days]

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
            self._line(day=day, game=table.game, table=table, tables=[table])
            for day in self.days
            for table in self.tables
        ]

    @cached_property
    def by_shift(self) -> list[Line]:
        """The shifts of each gaming day; none of many days."""
        if len(self.days) > MOST_DAYS_OF_SHIFTS:
            return []
        return self._parts([shift for day in self.days for shift in shifts_of(day, settings.SHIFTS)])

    @cached_property
    def by_hour(self) -> list[Line]:
        """The hours of one table on one gaming day in which anything was done."""
        if len(self.days) > 1 or len(self.tables) != 1:
            return []
        first = shifts_of(self.days[0], settings.SHIFTS)[0].since
        hours = [first + timedelta(hours=more) for more in range(25)]
        parts = self._parts([Shift(self.days[0], *each) for each in pairwise(hours)])
        return [line for line in parts if not line.figures.idle]

    def _parts(self, parts: Sequence[Shift]) -> list[Line]:
        """A line for each of these parts of days, which follow one another."""
        bounds = [*(part.since for part in parts), parts[-1].until]
        ids = [table.pk for table in self.tables]
        done = statistics.of_periods(bounds, ids)
        return [
            Line(
                statistics.total(done.get((at, pk), NOTHING) for pk in ids),
                day=part.day, since=part.since, until=part.until,
            )
            for at, part in enumerate(parts)
        ]  # fmt: skip

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


@staff(Right.WATCH)
@require_GET
def reports(request: HttpRequest) -> HttpResponse:
    """Turnover, win and its share of the chosen days and tables beside the theoretical win and its band."""
    asked, report = _asked(request)
    tables = [(line.table.name, line.figures) for line in report.by_table if line.table is not None]
    days = [(f"{line.day:%m-%d}", line.figures) for line in report.by_day]
    context = {
        "place": "reports",
        "form": asked,
        "report": report,
        "pools": report.pools(),
        "voids": report.void_lines(),
        "wins": charts.of_wins(tables),
        "drops": charts.of_drops(days if len(days) > 1 else tables),
        "several_days": len(days) > 1,
        "last": report.until - timedelta(days=1),
        "csv_url": f"{reverse('pit_reports_csv')}?{urlencode(request.GET)}",
    }
    return render(request, "pit/reports.html", context)


def _asked(request: HttpRequest) -> tuple[Asked, Report]:
    tables = list(Table.objects.order_by("position", "pk"))
    today = macau_date(DATABASE_CLOCK.now())
    asked = Asked(request.GET.dict(), tables, today)
    return asked, Report(asked.days(), asked.chosen(), asked.whose())


# ── The sheet ───────────────────────────────────────────────────────────────────────────────────────────────


@staff(Right.WATCH)
@require_GET
def sheet(request: HttpRequest) -> HttpResponse:
    """The same as CSV: a line for every table and day, UTF-8 with a mark of it, amounts in credits."""
    _form, report = _asked(request)
    reasons: dict[tuple[date, int], list[str]] = {}
    for void in report.voids:
        said = f"#{void.number} {text_of(void.why)}"
        reasons.setdefault((macau_date(void.at), void.table_id), []).append(said)
    rows = [_cells(line, reasons) for line in report.by_table_and_day]
    rows += (_comp_cells(one) for one in report.comps)
    of = "reports-kiosks" if report.realm == Realm.KIOSKS else "reports"
    name = f"{of}-{report.days[0]:%Y-%m-%d}-{report.days[-1]:%Y-%m-%d}.csv"
    return csv_sheet(name, _columns(), rows)


def _columns() -> tuple[str, ...]:
    return (
        gettext("Day"),
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
        gettext("Credits taken out"),
        gettext("Adjustments"),
        gettext("Comps"),
        gettext("Remarks"),
    )


def _cells(line: Line, reasons: Mapping[tuple[date, int], Sequence[str]]) -> list[str | int]:
    assert line.day is not None and line.table is not None
    done = line.figures
    hold = "" if done.hold is None else plain(round(done.hold * 10_000))
    remarks = gettext("No activity") if done.idle else "; ".join(reasons.get((line.day, line.table.pk), ()))
    cents = (
        line.theoretical, line.low, line.high, done.unreckoned, done.unreckoned_win, done.commission,
        done.contributions, done.payments, done.restarts, done.forgiven, done.fills, done.credits, done.adjustments,
    )  # fmt: skip
    return [
        line.day.isoformat(),
        defused(line.table.name),
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
    """The comps of one player on one day: of no table, with the player as a remark."""
    empty = [""] * (len(_columns()) - 3)
    return [given.day.isoformat(), *empty, plain(given.cents), defused(f"{given.name} #{given.player_id}")]
