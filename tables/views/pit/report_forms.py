"""What a report is asked for: which days, which money, which game, which table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tables.felt.formatting import text_of
from tables.games import GAMES
from tables.models import Realm, Table
from tables.queries import statistics
from tables.queries.statistics import DAY

from .tables import PLAYED_WITH

MOST_DAYS = 31
"""So many days stand in one report at most, day by day; longer ones are summed up by month or year."""

WEEK = 7

EARLIEST, LATEST = 1970, 8999
"""Years of which there may be figures."""


class Span(StrEnum):
    """What kind of time a report is of."""

    DAYS = "days"
    MONTH = "month"
    YEAR = "year"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Period:
    """The days of Macau that a report is of, from the first to the last."""

    first: date
    last: date
    span: Span = Span.DAYS

    def days(self) -> list[date]:
        """All of them, oldest first."""
        return [self.first + more * DAY for more in range((self.last - self.first).days + 1)]

    def before(self) -> Period | None:
        """The period of the same kind before this one, to compare with; nothing comes before all time."""
        match self.span:
            case Span.MONTH:
                return month_of(self.first - DAY)
            case Span.YEAR:
                year = self.first.year - 1
                return Period(date(year, 1, 1), date(year, 12, 31), Span.YEAR)
            case Span.ALL:
                return None
            case _:
                length = self.last - self.first + DAY
                return Period(self.first - length, self.last - length)

    @property
    def long(self) -> bool:
        """Whether it is summed up by month or year instead of day by day."""
        return self.span in (Span.YEAR, Span.ALL)


def month_of(day: date) -> Period:
    """The month in which this day lies."""
    first = day.replace(day=1)
    following = (first + 31 * DAY).replace(day=1)
    return Period(first, following - DAY, Span.MONTH)


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
            ("month", _("a month")),
            ("year", _("a year")),
            ("all", _("all time")),
            ("span", _("from … to …")),
        ),
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )  # fmt: skip
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
        """What a span needs: both ends, in their order, not too far apart; and days that a calendar has."""
        asked = super().clean() or {}
        for name in ("since", "until"):
            day = asked.get(name)
            if isinstance(day, date) and not EARLIEST <= day.year <= LATEST:
                self.add_error(name, gettext("There are no figures of that day."))
        if asked.get("period") == "span" and not self.errors:
            since, until = asked.get("since"), asked.get("until")
            if since is None or until is None:
                self.add_error("since" if since is None else "until", gettext("Give both days."))
            elif until < since:
                self.add_error("until", gettext("The last day comes before the first."))
            elif (until - since).days >= MOST_DAYS:
                self.add_error("until", gettext("At most %(days)s days in one report.") % {"days": MOST_DAYS})
        return asked

    def days(self) -> Period:
        """What is asked for; today if that makes no sense."""
        asked = self.cleaned_data if self.is_valid() else {}
        of = asked.get("since") or self.today
        match asked.get("period"):
            case "yesterday":
                return Period(self.today - DAY, self.today - DAY)
            case "week":
                return Period(self.today - (WEEK - 1) * DAY, self.today)
            case "month":
                return month_of(of)
            case "year":
                return Period(date(of.year, 1, 1), date(of.year, 12, 31), Span.YEAR)
            case "all":
                first, last = statistics.played_between() or (self.today, self.today)
                return Period(first, max(last, self.today), Span.ALL)
            case "span":
                return Period(asked["since"], asked["until"])
            case _:
                return Period(self.today, self.today)

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
