"""The ratings of players: the top ones of a gaming day or one of its shifts, as a page and as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.base.shifts import Shift, gaming_day, shifts_of
from tables.queries import ratings
from tables.queries.ratings import TOP, PlayerRating
from tables.views.csv_sheets import csv_sheet, defused, plain

from .gate import staff_page


class WhenForm(forms.Form):
    """A gaming day, and one of its shifts or all of it."""

    use_required_attribute = False

    day = forms.DateField(
        label=_("Gaming day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    shift = forms.ChoiceField(label=_("Shift"), required=False)

    def __init__(self, data: Mapping[str, object], today: date) -> None:
        super().__init__({"day": today.isoformat(), **data})
        self.today = today
        field = self.fields["shift"]
        assert isinstance(field, forms.ChoiceField)
        shifts = [(str(at), f"{one.since:%H:%M}–{one.until:%H:%M}") for at, one in enumerate(_shifts(today))]
        field.choices = [("", gettext("the whole day")), *shifts]

    def period(self) -> Shift:
        """What is asked for; all of today if that makes no sense."""
        asked = self.cleaned_data if self.is_valid() else {}
        day = asked.get("day") or self.today
        shifts = _shifts(day if 1970 < day.year < 9000 else self.today)
        if asked.get("shift"):
            return shifts[int(asked["shift"])]
        return Shift(shifts[0].day, shifts[0].since, shifts[-1].until)


def _shifts(day: date) -> list[Shift]:
    return shifts_of(day, settings.SHIFTS)


@staff_page(Right.WATCH)
def top(request: HttpRequest) -> HttpResponse:
    """The players of whom the house was to win most, with what they did and were given."""
    form, period, found = _asked(request)
    context = {
        "place": "reports",
        "form": form,
        "period": period,
        "ratings": found[:TOP],
        "others": len(found[TOP:]),
        "share": settings.COMP_SHARE,
        "csv_url": f"{reverse('pit_ratings_csv')}?{urlencode(request.GET)}",
    }
    return render(request, "pit/ratings.html", context)


def _asked(request: HttpRequest) -> tuple[WhenForm, Shift, list[PlayerRating]]:
    form = WhenForm(request.GET.dict(), gaming_day(DATABASE_CLOCK.now(), settings.SHIFTS))
    period = form.period()
    return form, period, ratings.of_period(period.since, period.until)


@staff_page(Right.WATCH)
def sheet(request: HttpRequest) -> HttpResponse:
    """The same of all players as CSV: UTF-8 with a mark of it, amounts in credits."""
    _form, period, found = _asked(request)
    head = (
        gettext("Player number"), gettext("Player"), gettext("Minutes"), gettext("Rounds"), gettext("Average bet"),
        gettext("Turnover"), gettext("Theoretical win"), gettext("Win"), gettext("Comps earned"),
        gettext("Comps given"),
    )  # fmt: skip
    rows: list[list[str | int]] = [
        [
            one.player.pk,
            defused(str(one.player)),
            one.minutes,
            one.figures.rounds,
            *map(plain, (one.average_bet, one.figures.drop, one.theoretical, one.figures.win, one.earned, one.given)),
        ]
        for one in found
    ]
    return csv_sheet(f"ratings-{period.since:%Y-%m-%d-%H}-{period.until:%Y-%m-%d-%H}.csv", head, rows)
