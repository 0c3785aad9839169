"""A player who was away shows who they are, and goes on where they were; staff log in anew after a shift."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client

from tables.base.clock import DATABASE_CLOCK
from tables.models import BrowserSession, Event, Player, Realm, Table
from tables.services.kiosk import visitors
from tables.services.players import logins
from tables.services.players.logins import AWAY_AFTER, SEEN_EVERY, STAFF_LIFE
from tests.house.kit import House

from .kiosk_kit import a_kiosk, visited
from .pit_kit import browser, browser_of, store_of

pytestmark = pytest.mark.django_db
PASSWORD = "lotus and baize 1887"
AGAIN = "/account/still-there/"
_addresses = count(1)


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    cache.clear()


def a_browser() -> Client:
    return Client(REMOTE_ADDR=f"10.6.0.{next(_addresses)}")


def ana() -> tuple[Player, Client]:
    player = House().player("ana")
    player.set_password(PASSWORD)
    player.save()
    client = a_browser()
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    return player, client


def login(client: Client) -> BrowserSession:
    return BrowserSession.objects.get(pk=store_of(client).stored_key)


def away(client: Client, time: timedelta = AWAY_AFTER) -> None:
    """Let it be so long since the player did anything."""
    BrowserSession.objects.filter(pk=login(client).pk).update(
        seen_at=F("seen_at") - time, begun_at=F("begun_at") - time
    )


def test_after_half_an_hour_the_password_brings_a_player_back_to_the_table() -> None:
    _, client = ana()
    House().table()
    away(client, AWAY_AFTER - timedelta(minutes=1))
    assert client.get("/tables/jade/").status_code == 200
    away(client)
    asked = client.get("/tables/jade/?lang=pt")
    assert asked.headers["Location"] == f"{AGAIN}?next=%2Ftables%2Fjade%2F%3Flang%3Dpt"
    page = client.get(asked.headers["Location"]).content.decode()
    assert "Are you still there?" in page and 'type="password"' in page
    wrong = client.post(AGAIN, {"password": "wrong", "next": "/tables/jade/"})
    assert wrong.status_code == 200 and "This is not your password." in wrong.content.decode()
    assert client.get("/account/").status_code == 302, "a wrong password brings nobody back"
    before = client.cookies["sessionid"].value
    back = client.post(AGAIN, {"password": PASSWORD, "next": "/tables/jade/"})
    assert back.headers["Location"] == "/tables/jade/"
    assert client.cookies["sessionid"].value != before and client.get("/tables/jade/").status_code == 200


def test_a_guest_needs_one_tap_and_keeps_everything() -> None:
    client = a_browser()
    client.post("/guest/")
    guest = Player.objects.get()
    away(client, timedelta(days=20))
    asked = client.get("/account/").headers["Location"]
    assert 'type="password"' not in client.get(asked).content.decode()
    assert client.post(AGAIN, {"next": "/account/"}).headers["Location"] == "/account/"
    assert "10,000" in client.get("/account/").content.decode()
    assert Player.objects.get() == guest and store_of(client)["_auth_user_id"] == str(guest.pk)


def test_what_is_posted_by_somebody_away_is_not_done() -> None:
    player, client = ana()
    away(client)
    late = client.post("/account/name/", {"name": "Lotus"}, HTTP_REFERER="http://testserver/account/")
    assert late.headers["Location"] == f"{AGAIN}?next=%2Faccount%2F"
    over_htmx = client.post("/account/name/", {"name": "Lotus"}, headers={"HX-Request": "true"})
    assert over_htmx.headers["HX-Redirect"].startswith(AGAIN)
    player.refresh_from_db()
    assert player.name == "Ana"


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere(elsewhere: str) -> None:
    _, client = ana()
    away(client)
    assert client.post(AGAIN, {"password": PASSWORD, "next": elsewhere}).headers["Location"] == "/"


def test_guessing_at_an_absent_players_password_is_limited() -> None:
    _, client = ana()
    away(client)
    for _ in range(5):
        client.post(AGAIN, {"password": "wrong"})
    assert "Too many attempts." in client.post(AGAIN, {"password": PASSWORD}).content.decode()


def test_who_is_away_may_leave_and_change_the_language() -> None:
    _, client = ana()
    away(client)
    assert client.post("/language/", {"language": "pt", "next": AGAIN}).status_code == 302
    assert client.get(AGAIN).status_code == 200
    assert client.post("/accounts/logout/").status_code == 302
    assert not BrowserSession.objects.filter(player__username="ana").exists()


def test_what_a_player_does_is_written_down_once_a_minute_at_most() -> None:
    _, client = ana()
    away(client, SEEN_EVERY - timedelta(seconds=20))
    before = login(client).seen_at
    client.get("/account/")
    assert login(client).seen_at == before
    away(client, timedelta(seconds=30))
    client.get("/account/")
    assert login(client).seen_at > before


def test_a_visitor_at_a_kiosk_has_the_kiosks_own_patience() -> None:
    kiosk = a_kiosk(House().table("demo", realm=Realm.KIOSKS))
    device = visited(kiosk)
    away(device.browser, timedelta(days=1))
    assert device.browser.get("/kiosk/choose/").status_code == 200
    assert visitors.farewell(kiosk.pk) is not None


def test_a_login_of_the_staff_ends_after_a_shift_whatever_they_do() -> None:
    client = browser("pit_boss")
    begun = BrowserSession.objects.filter(pk=login(client).pk)
    begun.update(begun_at=F("begun_at") - STAFF_LIFE + timedelta(minutes=1))
    assert client.get("/pit/events/").status_code == 200
    begun.update(begun_at=F("begun_at") - timedelta(minutes=1))
    ended = client.get("/pit/events/")
    assert ended.headers["Location"] == "/accounts/login/?next=%2Fpit%2Fevents%2F"
    assert "_auth_user_id" not in client.session and not begun.exists()
    assert Event.objects.get().deed == "logged_out"


@pytest.mark.parametrize("page", ["/pit/kiosks/", "/pit/tables/new/", "/", "/account/"])
def test_and_no_page_lets_it_go_on(page: str) -> None:
    client = browser("pit_boss")
    BrowserSession.objects.filter(pk=login(client).pk).update(begun_at=F("begun_at") - STAFF_LIFE)
    assert client.get(page).headers["Location"].startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


def test_a_browser_that_was_here_long_before_logs_in_and_is_there() -> None:
    """The session of somebody without a login is older than any absence."""
    player = House().player("rui")
    player.set_password(PASSWORD)
    player.save()
    client = a_browser()
    client.session.save()
    BrowserSession.objects.update(seen_at=F("seen_at") - AWAY_AFTER, begun_at=F("begun_at") - AWAY_AFTER)
    client.post("/accounts/login/", {"login": "rui", "password": PASSWORD})
    assert client.get("/account/").status_code == 200


def test_whoever_comes_a_moment_after_the_half_hour_is_away() -> None:
    """The request had read the login before, and writes after."""
    player, client = ana()
    away(client, SEEN_EVERY)
    read = login(client)
    away(client)
    logins.see(read, DATABASE_CLOCK.now())
    assert logins.standing(login(client), player, DATABASE_CLOCK.now()) is logins.Standing.AWAY


def test_the_lobby_is_no_word_to_the_pit() -> None:
    """What staff do outside the pit does not keep it open."""
    client = browser("pit_boss")
    away(client, timedelta(minutes=4))
    assert client.get("/").status_code == 200
    away(client, timedelta(minutes=2))
    assert client.get("/pit/events/").headers["Location"].startswith("/pit/locked/")


# ── Own logins ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_sees_their_logins_and_ends_the_others() -> None:
    player, here = ana()
    there, other = a_browser(), browser_of(House().player("rui"))
    there.defaults["HTTP_USER_AGENT"] = "Lotus/1.0 <b>"
    there.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    page = here.get("/account/logins/").content.decode()
    assert page.count("<tr>") == 3 and "this browser" in page and "Lotus/1.0 &lt;b&gt;" in page
    assert there.defaults["REMOTE_ADDR"] in page
    assert (
        "1 other login has ended."
        in here.post("/account/logins/end/", {"password": PASSWORD}, follow=True).content.decode()
    )
    assert there.get("/account/").status_code == 302
    assert here.get("/account/").status_code == 200 and other.get("/account/").status_code == 200
    assert BrowserSession.objects.filter(player=player).count() == 1


def test_at_login_a_player_hears_when_the_last_one_was() -> None:
    _, client = ana()
    assert "Your last login was on" not in client.get("/").content.decode(), "it was the first"
    again = a_browser().post("/accounts/login/", {"login": "ana", "password": PASSWORD}, follow=True)
    assert "Your last login was on" in again.content.decode()


def test_tables_are_open_to_those_who_are_nobody() -> None:
    House().table()
    assert Table.objects.exists() and a_browser().get("/tables/jade/").status_code == 200
