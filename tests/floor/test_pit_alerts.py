"""Alerts and the freezing of a round, as the pages of the pit show them: in one column, live on every page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client as Browser

from tables.models import Alert, ChatLine, Event, Player, Table
from tables.services.journal import alerts
from tables.services.pit import holding
from tables.services.players import chat
from tests.house.kit import House, RunningClock

from .kit import fragments_in
from .pit_kit import browser, browser_of, member

PAGES = (
    "", "tables/jade/", "tables/jade/rule/", "tables/new/", "chips/", "approvals/", "options/", "adjustments/",
    "rounds/", "reports/", "events/", "events/significant/", "people/", "reviews/", "staff/", "kiosks/",
    "kiosks/new/", "chance/", "authorisations/",
)  # fmt: skip
"""Every page of the pit that needs no more than a table."""


@pytest.fixture
def house(db: None) -> House:
    house = House()
    house.clock = RunningClock()
    return house


@pytest.fixture
def jade(house: House) -> tuple[Table, Player]:
    """A round of Baccarat in which Ana has a stake, and betting is open for an hour."""
    table, ana = house.table(times={"betting": 3_600_000}), house.player("ana")
    house.attend(table, ana)
    while not Table.objects.filter(pk=table.pk, round__phase="betting").exists():
        assert house.advance(table).acted
    house.bet(ana, table, "player", 100)
    return table, ana


def raised(kind: str, number: int, table: Table | None = None, **about: Any) -> list[Alert]:
    """So many open alerts of this kind."""
    values: dict[str, Any] = {"since": "2026-11-22T21:00:00+08:00", "round": 7, "cents": 100_00, **about}
    now = RunningClock().now()
    return [
        Alert.objects.create(kind=kind, key=f"{kind}:{at}", table=table, at=now, about=values) for at in range(number)
    ]


def page(browser: Browser, path: str = "/pit/", **post: str) -> str:
    headers = {"accept-language": "en"}
    answer = browser.post(path, post, headers=headers, follow=True) if post else browser.get(
        path, headers=headers, follow=True
    )  # fmt: skip
    assert answer.status_code == 200, path
    return unescape(answer.content.decode())


def column(html: str) -> str:
    """The alerts on a page."""
    part = html[html.index('<section id="pit-alerts"') :].partition("</section>")[0] + "</section>"
    return fragments_in(part)["pit-alerts"]


# ── On every page ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", PAGES)
def test_every_page_shows_the_alerts_and_has_one_socket(jade: tuple[Table, Player], path: str) -> None:
    raised("silent", 1)
    html = page(browser("shift_manager"), f"/pit/{path}")
    assert "Dealing stopped" in column(html)
    assert html.count("ws-connect=") == 1 and html.count('id="live"') == 1


def test_the_gravest_come_first_and_those_of_one_kind_are_one_group(house: House) -> None:
    raised("low", 1, of=1_000_00)
    raised("silent", 9)
    raised("jackpot", 2)
    told = re.findall(r'class="pit-alarm is-(\w+).*?<b>(.*?)</b>', column(page(browser("pit_boss"))), re.S)
    assert told == [("urgent", "Dealing stopped"), ("attention", "Float low"), ("information", "Jackpot hit")]
    assert "Acknowledge these 9" in column(page(browser_of(member("pit_boss", "second"))))


def test_what_is_over_says_so_and_goes_to_the_end(house: House) -> None:
    (silent,) = raised("silent", 1)
    raised("jackpot", 1)
    alerts.look({}, clock=house.clock)
    told = column(page(browser("pit_boss")))
    assert told.index("Jackpot hit") < told.index("Dealing stopped") and "is-urgent is-resolved" in told
    assert ">over<" in told
    silent.refresh_from_db()
    assert silent.resolved_at is not None and silent.acknowledged_at is None, "somebody still takes note of it"


# ── Acknowledging ───────────────────────────────────────────────────────────────────────────────────────────


def test_all_of_a_group_are_acknowledged_at_once_and_nothing_that_came_meanwhile(house: House) -> None:
    some = raised("silent", 3)
    boss = browser("pit_boss")
    asked = re.search(r'name="alerts" value="([\d,]+)"', column(page(boss)))
    assert asked is not None
    (late,) = raised("jackpot", 1)
    page(boss, "/pit/alerts/acknowledge/", alerts=asked[1], next="/pit/")
    assert set(Alert.objects.filter(acknowledged_at=None)) == {late}
    assert Event.objects.filter(deed="acknowledged").count() == len(some), "each by name"
    page(boss, "/pit/alerts/acknowledge/", alerts=asked[1], next="/pit/")
    assert Event.objects.filter(deed="acknowledged").count() == len(some)


@pytest.mark.parametrize("said", ["x", "1,x,,99999999999999999999", "-1"])
def test_no_alert_is_no_fault(house: House, said: str) -> None:
    raised("silent", 1)
    page(browser("pit_boss"), "/pit/alerts/acknowledge/", alerts=said, next="/pit/")


def test_whoever_acknowledges_comes_back_to_the_page_with_its_filter(jade: tuple[Table, Player]) -> None:
    boss = browser("pit_boss")
    for here in ("/pit/?order=attention&game=baccarat", "/pit/tables/jade/", "/pit/chips/"):
        (alert,) = raised("silent", 1)
        back = re.search(r'name="next" value="(.*?)"', page(boss, here))
        assert back is not None and back[1] == here
        answer = boss.post("/pit/alerts/acknowledge/", {"alert": str(alert.pk), "next": back[1]})
        assert answer.headers["Location"] == here
    assert (
        boss.post("/pit/alerts/acknowledge/", {"alerts": "1", "next": "//evil.example"}).headers["Location"] == "/pit/"
    )


# ── Freezing ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_is_frozen_from_the_floor_and_released_where_it_is_looked_at(
    house: House, jade: tuple[Table, Player]
) -> None:
    table, _ = jade
    boss = browser("pit_boss")
    assert "Freeze the round" in page(boss) and "Freeze the round" in page(boss, "/pit/tables/jade/")
    assert "Freeze the round" in page(boss, "/pit/tables/jade/rule/")
    told = page(boss, "/pit/freeze/", table="jade", next="/pit/")
    assert "Frozen since" in told and "Release the round" in told and "Round frozen" in column(told)
    assert "The pit looks at this round: it waits" in unescape(Browser().get("/tables/jade/").content.decode())
    assert "Release the round" in page(boss, "/pit/tables/jade/rule/")
    told = page(boss, "/pit/freeze/", release="jade", next="/pit/")
    assert "Frozen since" not in told and house.log(table).frozen_at is None
    assert "No round is frozen at this table." in page(boss, "/pit/freeze/", release="jade", next="/pit/")
    told = page(boss, "/pit/events/")
    assert "Round frozen" in told and "Round goes on" in told


def test_surveillance_has_no_such_button_and_no_such_right(jade: tuple[Table, Player]) -> None:
    eye = browser("surveillance")
    for path in ("/pit/", "/pit/tables/jade/"):
        assert "Freeze the round" not in page(eye, path)
    assert eye.post("/pit/freeze/", {"table": "jade"}).status_code == 403
    assert not Alert.objects.exists()


def test_a_frozen_round_is_acknowledged_only_when_it_goes_on(house: House, jade: tuple[Table, Player]) -> None:
    boss = member("pit_boss")
    holding.freeze(boss, jade[0].pk)
    alert = Alert.objects.get()
    told = page(browser_of(boss), "/pit/alerts/acknowledge/", alert=str(alert.pk), next="/pit/")
    assert "The round is still frozen: release it, or rule on it." in told
    assert not house.advance(jade[0]).acted


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_message_that_a_player_reports_reaches_the_pit() -> None:
    house = House()
    table, ana, bruno = house.table(), house.player("ana"), house.player("bruno")
    chat.speak(bruno.pk, table.pk, "r1", "you play like a fool", clock=house.clock)
    line = ChatLine.objects.get()
    chat.report(ana.pk, table.pk, line.pk, "rude", clock=house.clock)
    chat.report(house.player("carla").pk, table.pk, line.pk, "other", clock=house.clock)
    told = column(page(browser("pit_boss")))
    assert "Bruno: “you play like a fool” (insults or threatens)" in told
    assert f"/pit/people/{bruno.pk}/" in told and f"/pit/tables/{table.slug}/" in told
    assert Alert.objects.filter(kind="report").count() == 1, "one message is one alert"


@pytest.mark.django_db
def test_a_closed_table_says_that_it_is_closed() -> None:
    house = House()
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    Table.objects.filter(pk=table.pk).update(open=False)
    told = page(browser("pit_boss"))
    tile = told[told.index('id="pit-table-jade"') :].partition("</article>")[0]
    assert "The table is closed" in tile and "data-seconds-left" not in tile and "Round 1" not in tile
    assert "Closed tables" in told
