"""Ratings: on a player's page, at the table where they sit, and the top players of a gaming day or a shift."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables.base.clock import DATABASE_CLOCK
from tables.models import Player, Realm, Table
from tables.queries import ratings, statistics
from tables.services.pit import sanctions
from tables.services.rounds import seating
from tests.house.kit import House

from .pit_kit import browser, member
from .test_pit_reports import MIDNIGHT, row

pytestmark = pytest.mark.django_db
DAY = date(2066, 11, 22)
DAY_BEFORE = date(2066, 11, 21)
"""The clock of a house begins at four in the morning: the gaming day before goes on till six."""


@pytest.fixture
def client() -> Client:
    return browser("surveillance")


def plays(house: House, table: Table, player: Player, credits: int, *, ball: int = 2) -> None:
    """A round of Roulette in which this player lays so much on red: at a 2 it is lost, at a 1 won."""
    house.throw(ball)
    house.until(table, "betting")
    house.bet(player, table, "red", credits)
    house.play_out(table)


def text(client: Client, path: str, **asked: Any) -> str:
    answer = client.get(path, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def sheet(client: Client, **asked: Any) -> list[dict[str, str]]:
    """The sheet of all players, each line by the names of its columns."""
    content = client.get("/pit/ratings.csv", asked).content.decode()
    return list(csv.DictReader(io.StringIO(content[1:], newline="")))


def rows_of(html: str, heading: str) -> list[str]:
    """The lines of the table of data under this heading, their texts apart by strokes."""
    part = html.split(f'id="{heading}"')[1].split("</section>")[0]
    rows = re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", part, re.DOTALL)
    return [
        "|".join(" ".join(text.split()) for cell in re.split("<[^>]*>", one) if (text := cell.strip())) for one in rows
    ]


# ── The top players ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_player_of_whom_the_house_was_to_win_most_comes_first(house: House, client: Client) -> None:
    table, ana, rui = house.table("wheel", game="roulette"), house.player("ana"), house.player("=rui")
    for credits, ball in ((100, 2), (200, 1)):
        plays(house, table, ana, credits, ball=ball)
    plays(house, table, rui, 370)
    sanctions.comp(member("shift_manager"), ana.pk, 5_00, "a long night", clock=house.clock)
    html = text(client, "/pit/ratings/", day=DAY_BEFORE)
    lines = rows_of(html, "ratings-title")
    assert [line.split("|", 1)[0] for line in lines] == ["=Rui", "Ana"]
    # Rounds, average bet, turnover, theoretical (a 37th), win, comps earned (a fifth of it), comps given.
    assert lines[0].split("|")[2:] == ["1", "370", "370", "10", "370", "2", "0"]
    assert lines[1].split("|")[2:] == ["2", "150", "300", "8.11", "−100", "1.62", "5"]
    of_rui, of_ana = sheet(client, day=DAY_BEFORE)
    assert (of_rui["Player"], of_rui["Theoretical win"], of_rui["Win"]) == ("'=Rui", "10.00", "370.00")
    assert (of_ana["Average bet"], of_ana["Win"], of_ana["Comps given"]) == ("150.00", "-100.00", "5.00")


def test_the_list_comes_to_what_the_table_did(house: House) -> None:
    table, ana, rui = house.table("wheel", game="roulette"), house.player("ana"), house.player("rui")
    for player, credits, ball in ((ana, 100, 2), (rui, 70, 1), (ana, 30, 2)):
        plays(house, table, player, credits, ball=ball)
    since, until = house.clock.at - timedelta(days=1), house.clock.at + timedelta(seconds=1)
    found = ratings.of_period(since, until)
    whole = statistics.of_table(table.pk, since, until)
    for name in ("drop", "win", "theoretical"):
        assert sum(getattr(one.figures, name) for one in found) == getattr(whole, name)


def test_a_shift_has_what_was_settled_in_it(house: House, client: Client) -> None:
    table, ana = house.table("wheel", game="roulette"), house.player("ana")
    house.clock.at = MIDNIGHT - timedelta(hours=12)
    house.take_over(table, "noon")
    plays(house, table, ana, 100)
    house.clock.at = MIDNIGHT + timedelta(hours=1)
    house.take_over(table, "night")
    plays(house, table, ana, 20)
    assert [line["Turnover"] for line in sheet(client, day=DAY)] == ["120.00"]
    assert [[line["Turnover"] for line in sheet(client, day=DAY, shift=at)] for at in range(3)] == [
        ["100.00"],
        [],
        ["20.00"],
    ]


@pytest.mark.parametrize("asked", [{"day": "nonsense"}, {"day": "9999-12-31"}, {"day": "0001-01-01"}, {"shift": "9"}])
def test_what_makes_no_sense_is_today(client: Client, asked: dict[str, str]) -> None:
    assert "Nobody has played in this time." in text(client, "/pit/ratings/", **asked)


def test_visitors_of_kiosks_are_not_rated(house: House, client: Client) -> None:
    table = house.table("wheel", game="roulette", realm=Realm.KIOSKS)
    assert table.realm == Realm.KIOSKS
    assert sheet(client, day=DAY) == []


def test_the_list_takes_as_many_statements_for_one_round_as_for_many(house: House) -> None:
    table, ana = house.table("wheel", game="roulette"), house.player("ana")
    taken = []
    for rounds in (1, 4):
        for _ in range(rounds):
            plays(house, table, ana, 10)
        ratings.remembered.clear()
        with CaptureQueriesContext(connection) as statements:
            ratings.of_period(house.clock.at - timedelta(days=1), house.clock.at + timedelta(seconds=1))
        taken.append(len(statements))
    assert taken[0] == taken[1]


# ── One player, and one table ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def today(house: House) -> House:
    """A house of this very day, as the pages ask the database what time it is."""
    house.clock.at = DATABASE_CLOCK.now() - timedelta(hours=3)
    return house


def test_a_break_of_half_an_hour_begins_another_slip(today: House, client: Client) -> None:
    table, ana = today.table("wheel", game="roulette"), today.player("ana")
    plays(today, table, ana, 100)
    plays(today, table, ana, 300)
    today.clock.pass_(minutes=31)
    plays(today, table, ana, 50)
    lines = rows_of(text(client, f"/pit/people/{ana.pk}/"), "ratings-title")
    assert [line.split("|")[-6:-3] for line in lines] == [
        ["1", "50", "50"], ["2", "200", "400"], ["3", "150", "450"],
    ]  # fmt: skip


def test_the_time_of_a_slip_is_from_the_first_stake_to_the_last_result(today: House) -> None:
    table, ana = today.table("wheel", game="roulette"), today.player("ana")
    today.until(table, "betting")
    today.clock.pass_(seconds=1)
    first = today.clock.at
    today.throw(2)
    today.bet(ana, table, "red", 10)
    today.play_out(table)
    plays(today, table, ana, 10)
    (slip,), whole = ratings.of_player(ana, first - timedelta(hours=1), today.clock.at + timedelta(seconds=1))
    assert whole
    assert (slip.since, slip.until) == (first, today.log(table).settled_at)
    assert slip.time == slip.until - slip.since


def test_the_page_of_a_table_rates_who_sits_there_now(today: House, client: Client) -> None:
    table, ana, rui = today.table("wheel", game="roulette"), today.player("ana"), today.player("rui")
    seating.sit(ana.pk, table.pk, 1, clock=today.clock)
    plays(today, table, ana, 40)
    plays(today, table, rui, 90)
    late = text(client, "/pit/tables/wheel/")
    assert "No round has been settled yet." in row(late, "Ana"), "that slip ended hours ago"
    today.clock.at = DATABASE_CLOCK.now() - timedelta(minutes=10)
    today.take_over(table, "now")
    today.attend(table, ana)
    seating.sit(rui.pk, table.pk, 2, clock=today.clock)
    plays(today, table, ana, 60)
    lines = rows_of(text(client, "/pit/tables/wheel/"), "pit-ratings-title")
    assert [line.split("|")[0] for line in lines] == ["Ana", "Rui"]
    assert lines[0].split("|")[2:5] == ["1", "60", "60"]
    assert lines[1].endswith("No round has been settled yet.")
