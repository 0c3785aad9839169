"""Days that are over: what each table has done is summed up once, for reports to read in place of the ledger."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Min

from tables.base.calendar import macau_date
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import RoundLog, Table, TableDay
from tables.queries import statistics
from tables.queries.round_figures import NOTHING, Figures
from tables.queries.statistics import DAY, KEPT

SETTLING = timedelta(hours=1)
"""So long after midnight a day is summed up: whatever was done before midnight has been committed by then."""

_closed: set[date] = set()
"""Days of which this process knows that they were summed up."""


def close_days(*, clock: Clock = DATABASE_CLOCK, most: int = 1) -> int:
    """Sum up days that are over, oldest first, at most so many; says how many. Several processes may do so at once."""
    last = macau_date(clock.now() - SETTLING) - DAY
    if last in _closed:
        return 0
    done = 0
    for day in _open_days(last)[:most]:
        close_day(day)
        done += 1
    if done < most:
        _closed.add(last)
    return done


def close_day(day: date) -> None:
    """Sum up one day of every table, from the ledger and the logs; one that was summed up stays as it is."""
    with unit_of_work(slow=True):
        TableDay.objects.bulk_create(summed(day).values(), ignore_conflicts=True)


def summed(day: date) -> dict[int, TableDay]:
    """What a day comes to by the ledger and the logs, by table; not saved."""
    found = statistics.of_rounds_on(day)
    tables = Table.objects.order_by("pk").values_list("pk", flat=True)
    return {pk: _row(day, pk, found.get(pk, NOTHING)) for pk in tables}


def sum_anew() -> int:
    """Work out every day anew that was summed up before, from the ledger and the logs; says how many they were."""
    kept = list(TableDay.objects.order_by("day").values_list("day", flat=True).distinct())
    for day in kept:
        with unit_of_work():
            TableDay.objects.filter(day=day).delete()
            close_day(day)
    return len(kept)


def _row(day: date, table_id: int, figures: Figures) -> TableDay:
    values = {name: getattr(figures, name) for name in KEPT}
    written = {name: str(values[name]) for name in ("theoretical", "variance")}
    return TableDay(table_id=table_id, day=day, **{**values, **written})


def _open_days(last: date) -> list[date]:
    """The days up to the last one that nobody has summed up, from the first on which a round was settled."""
    began = RoundLog.objects.filter(settled_at__isnull=False).aggregate(first=Min("settled_at"))["first"]
    if began is None:
        return []
    first = macau_date(began)
    closed = set(TableDay.objects.filter(day__gte=first).values_list("day", flat=True).distinct().order_by())
    days = (first + n * DAY for n in range((last - first).days + 1))
    return [day for day in days if day not in closed]
