"""The pages of the pit for many kiosks, and what screens show outside their hours, between visitors and at the end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from tables.base.calendar import MACAU
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.kiosk import stage
from tables.models import Event, Kiosk, Realm
from tables.services.kiosk import kiosks
from tables.services.kiosk.schedule import Schedule
from tests.house.kiosk_kit import boss
from tests.house.kit import House

from .kiosk_kit import a_kiosk, enrolled, visited
from .pit_kit import ROLES, browser_of, member, those_who_may
from .test_pit_floor import english
from .test_pit_kiosks import floor

__all__ = ["floor"]  # a fixture

GROUP = "/pit/kiosks/group/"


def two_of_a_group(house: House) -> list[Kiosk]:
    table = house.table("garden", realm=Realm.KIOSKS)
    some = [a_kiosk(table, name=name) for name in ("North", "South")]
    Kiosk.objects.update(group="lobby")
    return some


@pytest.mark.parametrize("role", ROLES)
def test_who_runs_kiosks_tells_a_group(floor: House, role: str) -> None:
    two_of_a_group(floor)
    client, before = browser_of(member(role)), Event.objects.count()
    done = client.post(GROUP, {"group": "lobby", "deed": "message", "message": "Back at nine", "message_pt": "Já"})
    if role not in those_who_may(Right.RUN_KIOSKS):
        assert done.status_code == 403 and Event.objects.count() == before
        return
    assert done.status_code == 302 and Event.objects.count() == before + 2
    assert list(Kiosk.objects.values_list("message", "messages")) == [("Back at nine", {"pt": "Já"})] * 2
    assert "Done for 2 kiosks." in english(client, done.headers["Location"])


def test_what_a_group_cannot_be_told_is_said_beside_the_field(floor: House) -> None:
    two_of_a_group(floor)
    client = browser_of(boss())
    refused = client.post(GROUP, {"group": "lobby", "deed": "schedule", "day_0": "ten"})
    assert refused.status_code == 400 and b"10:00-02:00" in refused.content
    assert client.post(GROUP, {"group": "lobby", "deed": "lock", "why": ""}).status_code == 400
    assert client.get(GROUP, {"group": "nobody"}).status_code == 404
    assert not Kiosk.objects.exclude(hours=[]).exists()


def test_how_visits_went_is_told_by_day_and_kiosk(floor: House) -> None:
    (north, _) = two_of_a_group(floor)
    visited(north)
    page = english(browser_of(member("surveillance")), "/pit/kiosks/visits/")
    assert "How visits go" in page and "North" in page and "South" not in page


def test_outside_its_hours_a_screen_says_until_when(floor: House) -> None:
    kiosk = a_kiosk(floor.table("garden", realm=Realm.KIOSKS))
    device = enrolled(kiosk)
    later = DATABASE_CLOCK.now().astimezone(MACAU) + timedelta(days=2)
    hours = tuple((600, 720) if day == later.weekday() else None for day in range(7))
    kiosks.plan(boss(), kiosk.pk, Schedule(hours))
    page = device.browser.get("/kiosk/attract/").content.decode()
    assert "data-closed" in page and "10:00" in page and "kiosk_play" not in page
    assert "data-invite" not in page
    device.play()
    assert Kiosk.objects.get(pk=kiosk.pk).visitor is None


def test_whoever_passes_reads_no_article_number(floor: House) -> None:
    device = enrolled(a_kiosk(floor.table("garden", realm=Realm.KIOSKS)))
    page = device.browser.get("/kiosk/attract/").content.decode()
    assert "attract__house" in page
    rule = page.split('class="attract__rule"')[1].split("</div>")[0]
    assert "article" not in rule


def test_whoever_leaves_is_led_to_the_same_game_at_home(floor: House) -> None:
    table = floor.table("garden", realm=Realm.KIOSKS)
    kiosk = a_kiosk(table)
    assert stage.at_home(kiosk, table.game) is None
    device = visited(kiosk, table.slug)
    assert "home__code" not in device.browser.get(f"/kiosk/tables/{table.slug}/").content.decode()
    ours = floor.table("jade")
    home = stage.at_home(kiosk, table.game)
    assert home is not None and home.url == f"{settings.SITE}/tables/{ours.slug}/"
    assert "home__code" in device.browser.get(f"/kiosk/tables/{table.slug}/").content.decode()
