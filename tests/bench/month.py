"""The pit's report of a month in which much was played, measured in a child process."""

from __future__ import annotations

from datetime import timedelta
from inspect import unwrap
from time import perf_counter
from typing import Any

from django.db import connection
from django.db.models import Model
from django.test import RequestFactory
from django.urls import reverse

from tables.base import sql
from tables.base.calendar import macau_date, midnight
from tables.base.clock import DATABASE_CLOCK
from tables.models import LoggedAction, Player, RoundLog, Table, TableDay, Transfer
from tables.queries import statistics
from tables.queries.statistics import DAY
from tables.services.pit import days
from tables.views.pit.reports import reports

from . import house
from .statements import Recorder

TABLES, DAYS = 31, 31
BETS = ("red", "black", "straight_7")


def report_of_a_month(rounds: int, runs: int, players: list[int]) -> dict[str, Any]:
    """Seconds and statements of the whole page about all tables and days, run by run, after so many rounds; each run
    remembers nothing of the one before."""
    until = macau_date(DATABASE_CLOCK.now()) - DAY
    since = until - (DAYS - 1) * DAY
    _play(rounds, [since + more * DAY for more in range(DAYS)], players)
    assert days.close_days(most=DAYS) == DAYS
    assert TableDay.objects.filter(rounds__gt=0).count() == TABLES * DAYS
    asked = {"period": "span", "since": str(since), "until": str(until)}
    recorder, seconds = Recorder(), []
    for _ in range(runs + 1):
        statistics.remembered.clear()
        request: Any = RequestFactory().get(reverse("pit_reports"), asked)
        request.user, request.session, request.htmx = Player(username="boss", role="pit_boss"), {}, False
        with recorder.transaction("report"):
            begun = perf_counter()
            page = unwrap(reports)(request)
            seconds.append(perf_counter() - begun)
        assert page.status_code == 200
    return {"seconds": seconds[1:], "statements": [len(one.statements) for one in recorder.of("report")[1:]]}


def _play(rounds: int, of_days: list[Any], players: list[int]) -> None:
    """Play one round of Roulette with a few bets, and write it again and again: at each of the tables, on each of these
    days, so many in all."""
    table = house.BenchTable("roulette")
    round_id = table.fresh_round()
    for spot in BETS:
        table.place(round_id, table.requests(players[:1], spot))
    table.played_out()
    Table.objects.bulk_create(
        Table(slug=f"month-{at}", name=f"Month {at}", game="roulette", options={}, times={}, position=at, open=False)
        for at in range(TABLES)
    )
    each = -(-rounds // (TABLES * len(of_days)))
    for at, day in enumerate(of_days):
        _again(round_id, each, 1 + at * each, midnight(day) + timedelta(hours=12))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # else the next day is written by a plan for empty tables


def _again(round_id: int, times: int, first: int, at: Any) -> None:
    """Write the same round so many times at each of the tables, from this number on, settled at this moment."""
    moment = sql.moment(at)
    insert = _copy(RoundLog, "one", table_id="own.id", number="%s + n.i", started_at="%s", settled_at="%s")
    sql.execute(
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %s) "  # noqa: S608
        f"{insert} FROM tables_roundlog one, tables_table own, n WHERE one.id = %s AND own.slug LIKE 'month-%%'",
        [times, first, moment, moment, round_id],
    )
    copies = "tables_roundlog copy WHERE one.log_id = %s AND copy.settled_at = %s"
    for model, own in ((LoggedAction, {}), (Transfer, {"key": "one.key || ':' || copy.id"})):
        insert = _copy(model, "one", log_id="copy.id", at="%s", **own)
        sql.execute(f"{insert} FROM {model._meta.db_table} one, {copies}", [moment, round_id, moment])


def _copy(model: type[Model], of: str, **other: str) -> str:
    """The beginning of a statement that inserts rows like those of `of`, but for these columns."""
    columns = [str(field.column) for field in model._meta.concrete_fields if not field.primary_key]
    into = ", ".join(f'"{column}"' for column in columns)
    what = ", ".join(other.get(column, f'{of}."{column}"') for column in columns)
    return f"INSERT INTO {model._meta.db_table} ({into}) SELECT {what}"
