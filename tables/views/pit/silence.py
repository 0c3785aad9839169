"""How often bettors kept silent who had offered a link: of one day, by table and by name."""

from __future__ import annotations

from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.queries.silence import silence_of

from .gate import staff_page


@staff_page(Right.WATCH)
def silence(request: HttpRequest) -> HttpResponse:
    """The day that is asked for (`?day=2026-11-24`), or today; anything else is today."""
    today = macau_date(DATABASE_CLOCK.now())
    day = min(_day(request.GET.get("day", "")) or today, today)
    tables, quiet = silence_of(day)
    context = {
        "place": "reports",
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "tables": tables,
        "quiet": quiet,
    }
    return render(request, "pit/silence.html", context)


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year >= 2000 else None
