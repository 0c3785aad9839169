"""Significant events: listed in the pit, and handed out as CSV."""

from __future__ import annotations

import csv
from datetime import timedelta
from io import StringIO

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from tables.base.calendar import macau_date
from tables.base.rights import Right
from tables.base.transactions import unit_of_work
from tables.models import Event, Player
from tables.pit.significant import LARGE, OF_EVENTS, between
from tables.services.journal import events
from tables.services.journal.events import DEMONSTRATION, KINDS
from tests.house.kit import House, void_round

from .pit_kit import ROLES, browser, those_who_may

PAGE, SHEET = "/pit/events/significant/", "/pit/events/significant.csv"


def read(client: Client, day: str, language: str = "en") -> list[dict[str, str]]:
    answer = client.get(SHEET, {"since": day, "until": day}, headers={"accept-language": language})
    assert answer.status_code == 200 and answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="significant-events-{day}-{day}.csv"'
    return list(csv.DictReader(StringIO(answer.content.decode().removeprefix("\ufeff"))))


def test_the_sheet_has_what_happened_newest_first(db: None) -> None:
    house = House()
    ana, table = house.player("ana"), house.table(min_bet=100_00, max_bet=50_000_00)
    house.stack("4s Kc 5d 7h")  # 9 to 7
    house.until(table, "betting")
    house.bet(ana, table, "player", 10_000)
    won = house.play_out(table)
    house.step(table)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    void_round(house.log(table).pk, "a card fell", clock=house.clock)
    voided = house.log(table)
    house.clock.pass_(seconds=5)
    with unit_of_work():
        events.record(Event.Kind.ROLE, by=None, player=ana.pk, why="=cmd()", after={"role": "cage"}, clock=house.clock)
    day = f"{macau_date(house.clock.at):%Y-%m-%d}"
    lines = read(browser("surveillance"), day)
    told = [(line["Kind"], line["Round"], line["Amount"], line["Source"].split()[0]) for line in lines]
    assert told == [
        ("Staff and access", "", "", "event"),
        ("Void round", str(voided.pk), "", "alert"),
        ("Large win", str(won.pk), "10000.00", "round"),
        ("Large stake", str(won.pk), "10000.00", "round"),
    ]
    assert lines[0]["Why"] == "'=cmd()" and lines[0]["After"] == '{"role": "cage"}', "no formula for a spreadsheet"
    assert lines[2]["Table"] == "Jade" and lines[2]["Bettor"] == "Ana" and lines[2]["Time"].endswith("+08:00")
    page = (
        browser("pit_boss").get(PAGE, {"since": day, "until": day}, headers={"accept-language": "en"}).content.decode()
    )
    assert page.count("<tr>") == 1 + len(lines) and "Large win" in page and f"{SHEET}?since={day}" in page
    before = f"{macau_date(house.clock.at - timedelta(days=1)):%Y-%m-%d}"
    assert read(browser("cage"), before) == []


def test_source_and_reasons_of_the_house_are_told_in_the_language_of_the_reader(db: None) -> None:
    """What somebody has written stays as it was written."""
    house = House()
    for name, why in (("ana", DEMONSTRATION), ("rui", "as agreed")):
        house.clock.pass_(seconds=1)
        with unit_of_work():
            after = {"role": "cage"}
            who = house.player(name).pk
            events.record(Event.Kind.ROLE, by=None, player=who, why=why, after=after, clock=house.clock)
    day, eyes = f"{macau_date(house.clock.at):%Y-%m-%d}", browser("surveillance")
    (theirs, last), (ours, first) = (
        (event.why, event.seq) for event in Event.objects.filter(deed="role").order_by("-seq")
    )
    assert (theirs, ours) == ("as agreed", "demonstration")
    for language, said, source in (
        ("en", "Part of the demonstration floor", "event"),
        ("pt", "Faz parte da sala de demonstração", "ocorrência"),
        ("zh-hant", "示範賭廳的一部分", "事件"),
    ):
        with translation.override(language):
            why, where = gettext("Why"), gettext("Source")
        lines = [(line[why], line[where].replace(" ", "")) for line in read(eyes, day, language)]
        assert lines == [("as agreed", f"{source}{last}"), (said, f"{source}{first}")]
        for path in (PAGE, "/pit/events/"):
            asked = {"since": day, "until": day} if path == PAGE else {}
            page = eyes.get(path, asked, headers={"accept-language": language}).content.decode()
            assert said in page and "as agreed" in page and ">demonstration<" not in page, (language, path)


def test_what_is_not_large_is_not_significant(house: House) -> None:
    ana, table = house.player("ana"), house.table()
    house.stack("4s Kc 5d 7h")
    house.until(table, "betting")
    house.bet(ana, table, "player", LARGE // 100 - 5_000)
    house.play_out(table)
    assert between(house.clock.at - timedelta(days=1), house.clock.at + timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"since": "2066-02-02", "until": "2066-02-01"}, "The last day comes before the first."),
        ({"since": "2066-01-01", "until": "2066-03-01"}, "At most 31 days in one report."),
        ({"since": "no day"}, "Enter a valid date."),
    ],
)
def test_what_makes_no_sense_is_told_and_gives_today(db: None, asked: dict[str, str], said: str) -> None:
    answer = browser("pit_boss").get(PAGE, asked, headers={"accept-language": "en"})
    assert answer.status_code == 200 and said in answer.content.decode()


def test_who_may_watch_may_see_them_and_nobody_else(db: None) -> None:
    for role in ROLES:
        client, expected = browser(role), 200 if role in those_who_may(Right.WATCH) else 403
        assert [client.get(path).status_code for path in (PAGE, SHEET)] == [expected] * 2
    player = Client()
    player.force_login(Player.objects.create(username="ana", name="Ana"), "django.contrib.auth.backends.ModelBackend")
    assert [player.get(path).status_code for path in (PAGE, SHEET)] == [404, 404]


def test_each_kind_of_event_has_its_words() -> None:
    assert set(OF_EVENTS) <= set(KINDS) == set(Event.Kind)
