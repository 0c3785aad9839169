"""The events are searched, and handed out with what proves the chain."""

from __future__ import annotations

import hashlib
import json
import re
from html import unescape

import pytest
from django.test import Client

from tables.base.calendar import macau_date
from tables.models import Event, EventHead, Realm
from tables.services.kiosk import kiosks
from tables.services.kiosk.schedule import Schedule
from tables.services.pit import floats, notes, watches
from tests.house.kit import House, open_table

from .pit_kit import browser, member

pytestmark = pytest.mark.django_db

PAGE, FILE = "/pit/events/", "/pit/events.json"


def rows(client: Client, **asked: str) -> list[str]:
    """The lines of the list, newest first."""
    answer = client.get(PAGE, asked)
    assert answer.status_code == 200
    body = answer.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in body.split("</tr>")[:-1]]


@pytest.fixture
def house(db: None) -> House:
    """A table was opened, and filled; somebody is watched, and the floor has a note."""
    house, boss = House(), member("pit_boss")
    table = open_table("jade", "Jade", "baccarat", {}, clock=house.clock)
    floats.order_chips(boss, table.pk, "fill", 500_00, "a big night", clock=house.clock)
    watches.watch(boss, house.player("ana").pk, "asked others for chips", clock=house.clock)
    house.clock.pass_(seconds=24 * 3600)
    notes.write(boss, "the lamp is broken", table=table.pk, clock=house.clock)
    return house


def test_events_are_found_by_day_by_deed_and_by_what_they_say(house: House) -> None:
    client = browser("surveillance")
    everything = rows(client)
    assert len(everything) == Event.objects.count()
    for words, deed in (("big night", "Chips ordered"), ("ana", "watch"), ("JADE", "Note")):
        assert any(deed.lower() in row.lower() for row in rows(client, q=words)), words
    assert len(rows(client, q="big night")) == 1
    assert [row.partition("Chips ordered")[1] for row in rows(client, deed="chips_ordered")] == ["Chips ordered"]
    today = macau_date(house.clock.at).isoformat()
    assert len(rows(client, since=today, until=today)) == 1
    assert rows(client, q="nobody said this") == []
    assert "No event is like this." in client.get(PAGE, {"q": "nobody said this"}).content.decode()
    for wrong in ({"since": "never"}, {"deed": "magic"}, {"q": "\0"}, {"since": today, "until": "2001-01-01"}):
        assert client.get(PAGE, wrong).status_code == 200


def test_what_was_searched_for_stays_on_the_older_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.views.pit.events.LINES", 1)
    page = unescape(browser("cage").get(PAGE, {"q": "jade"}).content.decode())
    assert re.search(r"/pit/events/\?q=jade&before=\d+", page)


def test_the_file_proves_itself(house: House) -> None:
    day = macau_date(house.clock.at)
    first = macau_date(Event.objects.earliest("seq").at)
    page = browser("cage").get(PAGE, {"since": first.isoformat(), "until": day.isoformat()}).content.decode()
    assert f"{FILE}?since={first}&amp;until={day}" in page
    answer = browser("surveillance").get(FILE, {"since": first.isoformat(), "until": day.isoformat()})
    assert answer["Content-Disposition"] == f'attachment; filename="events-{first}-{day}.json"'
    told = json.loads(answer.content)
    assert len(told["events"]) == Event.objects.count()
    before = ""
    for event in told["events"]:
        digest = event.pop("digest")
        text = json.dumps(event, sort_keys=True, ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == digest and event["previous"] == before
        before = digest
    assert told["head"] == {"seq": len(told["events"]), "digest": before} and EventHead.objects.get().digest == before
    assert "Jade" in told["tables"].values() and "Ana" in told["people"].values()


def test_the_hours_of_a_kiosk_and_a_review_are_told_in_words(house: House) -> None:
    boss = member("pit_boss", "kiosks")
    table = house.table("demo", realm=Realm.KIOSKS)
    kiosk = kiosks.make(boss, kiosks.Setting("Lobby", "left", [table.pk], ("en",), 1_000_00, 60), clock=house.clock)
    (row, *_) = rows(browser("surveillance"), deed="kiosk_made")
    assert "Languages English" in row
    hours = (*((600, 120),) * 5, (600, 1380), None)
    kiosks.plan(boss, kiosk.pk, Schedule(hours, ((8, 100), (20, 70))), clock=house.clock)
    (row, *_) = rows(browser("cage"), deed="kiosk_schedule")
    assert "Hours Mon–Fri 10:00–02:00, Sat 10:00–23:00, Sun –" in row, row
    assert "Brightness 08:00 100 %, 20:00 70 %" in row and "[" not in row
