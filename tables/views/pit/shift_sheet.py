"""The handover sheet of a shift: what its tables did, what is open as it is handed over, and who signs."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.base.shifts import Shift, shifts_before
from tables.models import Account, OptionChange, Realm, Table
from tables.queries import statistics
from tables.queries.round_figures import NOTHING
from tables.services.pit.options import PENDING
from tables.templatetags.alerts import OPEN, grouped, open_alerts

from .gate import staff_page
from .reports import Line

MOST_BACK = 20
"""So many shifts before the present one can be looked at."""


@staff_page(Right.WATCH)
def shift_sheet(request: HttpRequest) -> HttpResponse:
    """The sheet of the present shift, or of one of those before it: `back` says how many."""
    asked = request.GET.get("back", "")
    back = min(int(asked), MOST_BACK) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 0
    now = DATABASE_CLOCK.now()
    shift = shifts_before(now, settings.SHIFTS, back)
    tables = list(Table.objects.filter(realm=Realm.FLOOR).select_related("round").order_by("position", "pk"))
    lines = _lines(shift, tables)
    given = statistics.comps(shift.since, shift.until, Realm.FLOOR)
    context = {
        "place": "reports",
        "shift": shift,
        "back": back,
        "before": back + 1 if back < MOST_BACK else None,
        "after": back - 1 if back else None,
        "lines": [line for line in lines if not line.figures.idle],
        "whole": Line(statistics.total(line.figures for line in lines)),
        "comps": sum(one.cents for one in given),
        "floats": _floats(tables),
        "tables": [table for table in tables if table.open and _needs_a_word(table)],
        "alerts": grouped(open_alerts()),
        "waiting": {what: sum(each.count() for each in OPEN[what]) for what in ("approvals", "reviews")},
        "changes": OptionChange.objects.filter(state__in=PENDING).select_related("table").order_by("pk"),
        "now": now,
    }
    return render(request, "pit/shift_sheet.html", context)


def _lines(shift: Shift, tables: list[Table]) -> list[Line]:
    done = statistics.of_periods([shift.since, shift.until], [table.pk for table in tables])
    return [Line(done.get((0, table.pk), NOTHING), game=table.game, table=table) for table in tables]


def _floats(tables: list[Table]) -> list[tuple[Table, int]]:
    """What lies in the float of each open table now, in cents."""
    accounts = Account.objects.filter(kind=Account.Kind.FLOAT, table__in=tables)
    balances = dict(accounts.values_list("table_id", "balance"))
    return [(table, balances.get(table.pk, 0)) for table in tables if table.open]


def _needs_a_word(table: Table) -> bool:
    """Whether whoever takes over must know how this table stands."""
    frozen: datetime | None = table.round.frozen_at if table.round is not None else None
    return bool(table.paused or table.closing or table.halted or frozen)
