"""Playing safely on its pages: what a player sets there, what holds at the tables, what it says in three languages."""

from __future__ import annotations

import csv
import re
from html import unescape
from io import StringIO

import pytest
from django.test import Client
from django.utils import translation

from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import BrowserSession, OwnLimit, PlayClock, Restriction
from tables.services.players import own_limits, people, restrictions
from tables.views.csv_sheets import plain
from tests.house.kit import House

from .pit_kit import browser_of, member
from .test_sockets import Line, Scene, live, logged_in, scene

__all__ = ["live", "scene"]


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def said(client: Client, path: str, **form: object) -> str:
    """What the page says after something was posted."""
    answer = client.post(f"/safely/{path}/", form)
    assert answer["Location"] == "/safely/"
    return text(client, "/safely/")


@pytest.mark.django_db
def test_a_player_sets_lowers_raises_and_takes_back_on_the_page() -> None:
    house = House()
    ana = house.player("ana")
    browser = browser_of(ana)
    assert "Holds now: 500 credits" in said(browser, "limit", kind="loss", most="500")
    waits = said(browser, "limit", kind="loss", most="900")
    assert "Holds now: 500 credits" in waits and "900 credits" in waits and "waits" in waits
    assert "waits" not in said(browser, "limit/back", kind="loss")
    assert "Holds now: 90 min" in said(browser, "limit", kind="time", most="90")
    assert "no limit" in said(browser, "limit", kind="time", most="")  # asked for, not yet so
    assert OwnLimit.objects.get(kind="time").at(DATABASE_CLOCK.now()) == 90
    for nonsense in ("-5", "0", "1e3", "9" * 19):
        said(browser, "limit", kind="stake", most=nonsense)
    assert not OwnLimit.objects.filter(kind="stake").exists()
    assert "30 minutes" in said(browser, "check/every", minutes="30")
    assert PlayClock.objects.get(pk=ana.pk).check_minutes == 30
    said(browser, "exclude", length="6m")  # without saying that it is meant
    assert not Restriction.objects.exists()
    assert "You have excluded yourself until" in said(browser, "exclude", length="6m", sure="on")
    assert "not over yet" in said(browser, "return", sure="on")
    assert "excluded yourself" in text(browser, "/account/")
    one = Restriction.objects.get()
    manager = browser_of(member("shift_manager"))
    assert "self-exclusion" in text(manager, f"/pit/people/{ana.pk}/")
    assert f"/pit/restrictions/{one.pk}/lift/" not in manager.get(f"/pit/people/{ana.pk}/").content.decode()
    manager.post(f"/pit/restrictions/{one.pk}/lift/", {"why": "asked nicely"})
    one.refresh_from_db()
    assert one.lifted_at is None


@pytest.mark.django_db
def test_staff_and_strangers_have_no_such_page_and_guests_read_what_holds_for_them() -> None:
    assert browser_of(member("pit_boss")).get("/safely/")["Location"] == "/account/"
    assert "/accounts/login/" in Client().get("/safely/")["Location"]
    guest = browser_of(people.new_guest())
    assert "this browser's account alone" in text(guest, "/safely/")
    assert "Keep this account first" in text(guest, "/safely/")
    assert "Your break has begun" in said(guest, "break", length="1h")


async def test_a_stake_beyond_ones_own_limit_is_refused_to_its_player_alone(scene: Scene) -> None:
    await in_database(own_limits.set_limit, scene.ana.pk, "stake", 1_00, clock=scene.house.clock)
    rui = await in_database(scene.house.player, "rui")
    other = Line(f"/ws/tables/{scene.table.slug}/?lang=en", await in_database(logged_in, rui))
    assert await other.open()
    assert "Your own limit of stakes leaves 1.00 for today." in await scene.line.bet(scene.log)
    await scene.nothing_changed()
    assert "own limit" not in await other.bet(scene.log)
    await other.socket.disconnect()


@pytest.mark.django_db
def test_the_table_says_time_and_net_and_the_check_is_read_there() -> None:
    house = House()
    table, ana = house.table(), house.player("ana")
    browser = browser_of(ana)
    page = browser.get(f"/tables/{table.slug}/").content.decode()
    assert f'data-base="{people.FIRST_CREDITS}"' in page and "data-check" in page
    assert "data-played" not in Client().get(f"/tables/{table.slug}/").content.decode()
    due = PlayClock.objects.get(pk=ana.pk).check_due_at
    PlayClock.objects.update(check_due_at=DATABASE_CLOCK.now())
    BrowserSession.objects.filter(player=ana).update(seen_at=due.replace(year=due.year - 1))
    assert browser.get("/safely/check/").status_code == 302, "whoever was away shows who they are first"
    browser = browser_of(ana)
    seen = BrowserSession.objects.filter(player=ana).latest("seen_at").seen_at
    assert "Net of this session" in text(browser, "/safely/check/")
    assert BrowserSession.objects.filter(player=ana).latest("seen_at").seen_at == seen
    assert PlayClock.objects.get(pk=ana.pk).check_due_at <= DATABASE_CLOCK.now()
    assert browser.post("/safely/check/").status_code == 200
    assert PlayClock.objects.get(pk=ana.pk).check_due_at > DATABASE_CLOCK.now()


@pytest.mark.django_db
def test_the_statement_of_a_year_is_the_ledgers_to_the_cent_on_the_page_and_as_csv() -> None:
    house = House()
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 130)
    house.play_out(table)
    browser, year = browser_of(ana), house.clock.now().year
    lines = list(csv.reader(StringIO(browser.get(f"/safely/{year}.csv").content.decode("utf-8-sig"))))
    total = dict(zip(lines[0], lines[-1], strict=True))
    assert total["Opening balance"] == "0.00" and total["Staked"] == "130.00"
    assert total["Closing balance"] == plain(house.balance(ana))
    assert total["Net"] == plain(house.balance(ana) - people.FIRST_CREDITS)
    assert f"Statement of {year}" in text(browser, f"/safely/{year}/")
    assert browser.get(f"/safely/{year - 1}/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("zh-hant", "自設的輸額限額"), ("pt", "limite de perda")])
def test_a_refusal_says_why_in_the_language_of_its_player(language: str, words: str) -> None:
    house = House()
    table, ana = house.table(), house.player("ana")
    own_limits.set_limit(ana.pk, "loss", 1_00, clock=house.clock)
    why = restrictions.Stakes([ana.pk], table.realm, house.clock.now()).refused(ana.pk, 2_00)
    assert isinstance(why, Refused)
    with translation.override(language):
        assert words in text_of(why.words)
