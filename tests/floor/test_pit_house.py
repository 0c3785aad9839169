"""The pit's search over everything, and its page on how the house does."""

from __future__ import annotations

import hashlib
import re
import tomllib
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from casino.version import VERSION
from tables.base.clock import DATABASE_CLOCK
from tables.models import AuditorLease, Event, Player, Table
from tables.services.journal.backups import backed_up
from tables.services.pit import notes
from tables.services.pit.floats import confirm_chips, order_chips
from tables.services.players import reviews
from tests.house.kit import House, ToldClock

from .pit_kit import browser, browser_of, member
from .test_pit_people import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Player:
    return member("pit_boss", "boss")


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html.split("<main")[1]).split())


def found(client: Client, wanted: str) -> dict[str, list[tuple[str, str]]]:
    """What the search lists: kind -> address and title of each hit."""
    html = client.get("/pit/search/", {"q": wanted}).content.decode()
    return {
        kind: re.findall(r'<a href="([^"]*)">([^<]*)</a>', hits)
        for kind, hits in re.findall(r'<section class="panel" aria-label="([^"]*)">(.*?)</section>', html, re.DOTALL)
    }


# ── The search ──────────────────────────────────────────────────────────────────────────────────────────────


def test_everything_is_found_by_name_or_number(house: House, boss: Player) -> None:
    house.clock.at = DATABASE_CLOCK.now()  # the review is asked for today
    log, ana = played(house)
    table = log.table
    order = order_chips(boss, table.pk, "fill", 2_000_00, "a big night", clock=house.clock)
    confirm_chips(member("cage"), order.pk, clock=house.clock)
    review = reviews.ask(ana.pk, log.pk, "payment", "look", clock=house.clock)
    notes.write(boss, "Ana asked for jade tea", player=ana.pk, clock=house.clock)
    client = browser_of(boss)
    by_name = found(client, "ana")
    assert by_name["People"] == [(f"/pit/people/{ana.pk}/", "Ana")]
    assert by_name["Reviews"] == [(f"/pit/reviews/{review.pk}/", f"Review no. {review.pk}")]
    assert by_name["Notes"] == [("/pit/notes/?q=ana", "Ana asked for jade tea")]
    assert found(client, "JADE")["Tables"] == [("/pit/tables/jade/", "Jade")]
    for said in (f"#{log.pk}", str(log.pk), f"jade {log.number}", f"Jade #{log.number}"):
        assert found(client, said)["Rounds"] == [(f"/pit/rounds/{log.pk}/", f"Jade {log.number}")], said
    assert found(client, "1")["Slips"] == [(f"/pit/slips/{order.pk}/", "Fill slip no. 1")]
    assert found(client, str(ana.pk))["People"] == [(f"/pit/people/{ana.pk}/", "Ana")]


@pytest.mark.parametrize("wanted", ["", "   ", "9" * 400, "' OR 1=1", "%", "²", "jade 99999999999999999999"])
def test_what_nothing_is_called_finds_nothing(house: House, wanted: str) -> None:
    house.table("lotus")
    answer = browser("surveillance").get("/pit/search/", {"q": wanted})
    assert answer.status_code == 200
    assert "hits" not in answer.content.decode()


def test_it_lists_ten_of_each_kind(house: House) -> None:
    for number in range(12):
        house.player(f"rui{number}")
    assert len(found(browser("surveillance"), "rui")["People"]) == 10


def test_staff_are_no_players_there(boss: Player) -> None:
    assert found(browser_of(boss), "boss") == {}


# ── How the house does ──────────────────────────────────────────────────────────────────────────────────────


def test_the_page_tells_who_deals_and_who_does_not(house: House) -> None:
    now = DATABASE_CLOCK.now()
    jade, lotus = house.table(), house.table("lotus")
    for table, owner, ago in ((jade, "dealer@one:7", timedelta(0)), (lotus, "dealer@two:8", timedelta(days=9))):
        house.clock.at = now - ago
        house.take_over(table, owner)
    Table.objects.filter(pk=lotus.pk).update(attended_until=now + timedelta(minutes=1))
    AuditorLease.objects.create(pk=1, owner="auditor@one:9", looked_at=now - timedelta(seconds=3))
    shown = words(browser("surveillance").get("/pit/house/").content.decode())
    assert "auditor@one:9" in shown
    assert "dealer@one:7" in shown
    assert re.search(r"dealer@two:8 .* over", shown)
    assert "Nobody deals, though somebody is there: Lotus" in shown
    assert "none was told of late" in shown and shown.count("late") == 1 and "does not answer" not in shown
    assert f"Version {VERSION} " in shown


def test_it_says_that_nobody_audits() -> None:
    AuditorLease.objects.create(pk=1, owner="", looked_at=DATABASE_CLOCK.now() - timedelta(hours=1))
    assert "late" in words(browser("surveillance").get("/pit/house/").content.decode())


def test_it_says_when_the_last_backup_was_made_and_that_one_is_late(tmp_path: Path) -> None:
    AuditorLease.objects.create(pk=1, owner="auditor@one:9", looked_at=DATABASE_CLOCK.now())
    pit = browser("surveillance")
    assert "Last backup none was told of late" in words(pit.get("/pit/house/").content.decode())
    dump, said = tmp_path / "floor.dump", StringIO()
    for bad in (dump, tmp_path):
        with pytest.raises(CommandError, match="cannot be read"):
            call_command("backed_up", bad)
    dump.touch()
    with pytest.raises(CommandError, match="is empty"):
        call_command("backed_up", dump)
    assert not Event.objects.exists()
    dump.write_bytes(b"all that there is")
    call_command("backed_up", dump, stdout=said)
    digest = hashlib.sha256(b"all that there is").hexdigest()
    event = Event.objects.get()
    assert said.getvalue() == f"Event {event.seq}: {dump} is a backup.\n"
    assert event.after == {"file": "floor.dump", "bytes": 17, "sha256": digest}
    shown = words(pit.get("/pit/house/").content.decode())
    assert f"Last backup {timezone.localtime(event.at):%Y-%m-%d %H:%M:%S} floor.dump" in shown and "late" not in shown
    assert "Backup made" in words(pit.get("/pit/events/").content.decode())


def test_a_backup_of_the_day_before_yesterday_is_late(tmp_path: Path) -> None:
    AuditorLease.objects.create(pk=1, owner="auditor@one:9", looked_at=DATABASE_CLOCK.now())
    dump = tmp_path / "floor.dump"
    dump.write_bytes(b"all that there was")
    backed_up(dump, clock=ToldClock(at=DATABASE_CLOCK.now() - timedelta(hours=27)))
    assert "floor.dump late" in words(browser("surveillance").get("/pit/house/").content.decode())


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION
