"""The lock of the pit: no page under way undoes it, its lines close at once, and it opens under another key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from tables.base.browser_sessions import session_of, stored
from tables.base.clock import DATABASE_CLOCK
from tables.base.executor import in_database
from tables.base.rights import Right
from tables.live import consumers, hub
from tables.live.hub import Hub
from tables.models import Alert, ApprovalRequest, BrowserSession, Player
from tables.services.pit import approvals, halts, sessions
from tables.services.pit.deeds import PlayAgain
from tables.services.pit.sessions import Standing
from tables.views.pit.gate import staff

from .pit_kit import browser, browser_of, code_of, member, store_of
from .test_pit_floor import closed_with, opened


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    cache.clear()


@pytest.mark.django_db
def test_a_page_that_is_under_way_undoes_no_lock(settings: object) -> None:
    """It is locked from another tab while a page is being made, and that page saves its session at its end."""

    @staff(Right.WATCH)
    def slow(request: HttpRequest) -> HttpResponse:
        sessions.lock(session_of(request))  # what another tab does meanwhile
        request.session["anything"] = "that makes it be saved"
        return HttpResponse("done")

    settings.ROOT_URLCONF = (path("pit/slow/", slow), path("", include("casino.urls")))  # type: ignore[attr-defined]
    client = browser("pit_boss")
    assert client.get("/pit/slow/").content == b"done"
    assert client.session["anything"]
    assert client.get("/pit/events/").headers["Location"].startswith("/pit/locked/")


@pytest.mark.django_db
def test_whoever_comes_a_moment_after_the_lock_is_not_let_in() -> None:
    boss = member("pit_boss")
    session, now = store_of(browser_of(boss)), DATABASE_CLOCK.now()
    assert sessions.standing(boss, session, now) is Standing.OPEN
    sessions.lock(session)
    assert not sessions.see(session, now), "this request looked before the lock, and writes after it"
    assert sessions.standing(boss, session, now) is Standing.LOCKED


@pytest.mark.django_db
def test_looking_at_the_door_changes_nothing() -> None:
    client = browser("pit_boss")
    before: dict[str, object] = dict(BrowserSession.objects.values().get())
    client.get("/pit/locked/")
    client.get("/pit/lock/")
    after: dict[str, object] = dict(BrowserSession.objects.values().get())
    assert {name for name in before if before[name] != after[name]} <= {"seen_at", "session_data", "expire_date"}
    assert client.get("/pit/events/").status_code == 200


@pytest.mark.django_db
def test_a_code_opens_the_login_under_another_key() -> None:
    boss = member("pit_boss")
    client = browser_of(boss)
    stolen = client.cookies["sessionid"].value
    client.post("/pit/lock/")
    assert client.post("/pit/locked/", {"code": code_of(boss)}).status_code == 302
    assert client.cookies["sessionid"].value != stolen
    thief = Client()
    thief.cookies["sessionid"] = stolen
    assert client.get("/pit/events/").status_code == 200
    assert thief.get("/pit/events/").headers["Location"].startswith("/accounts/login/")


@pytest.mark.django_db
def test_opening_the_lock_makes_a_shift_no_longer() -> None:
    boss = member("pit_boss")
    client = browser_of(boss)
    BrowserSession.objects.update(begun_at=F("begun_at") - timedelta(hours=11))
    client.post("/pit/lock/")
    client.post("/pit/locked/", {"code": code_of(boss)})
    assert client.get("/pit/events/").status_code == 200
    BrowserSession.objects.update(begun_at=F("begun_at") - timedelta(hours=1))
    assert client.get("/pit/events/").headers["Location"].startswith("/accounts/login/")


async def test_locking_by_hand_closes_the_lines_to_the_pit_at_once(live: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "hub", live)
    monkeypatch.setattr(hub, "hub", live)
    boss = await in_database(member, "pit_boss")
    here, there = await in_database(lambda: (browser_of(boss), browser_of(boss)))
    lines = [await opened(one.cookies["sessionid"].value) for one in (here, there)]
    await in_database(lambda: here.post("/pit/lock/"))
    assert await closed_with(lines[0]) == 4401
    (left,) = [socket for board in live.pit.values() for socket in board.sockets]
    assert left.session == stored(there.cookies["sessionid"].value)
    await lines[1].disconnect()


# ── The short code ──────────────────────────────────────────────────────────────────────────────────────────

SHORT = "480516"


def chosen(role: str = "pit_boss") -> tuple[Client, Player]:
    """Somebody of the staff whose login has a short code and is locked."""
    one = member(role)
    client = browser_of(one)
    assert client.post("/pit/short-code/", {"short": SHORT}).status_code == 302
    client.post("/pit/lock/")
    return client, one


@pytest.mark.django_db
def test_a_short_code_opens_the_login_under_another_key() -> None:
    client, _ = chosen()
    before = client.cookies["sessionid"].value
    assert "Short code" in client.get("/pit/locked/").content.decode()
    answer = client.post("/pit/locked/", {"short": SHORT, "next": "/pit/events/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/pit/events/")
    assert client.cookies["sessionid"].value != before
    assert client.get("/pit/events/").status_code == 200


@pytest.mark.django_db
def test_after_five_wrong_ones_it_takes_the_second_factor() -> None:
    client, boss = chosen()
    for _ in range(5):
        refused = client.post("/pit/locked/", {"short": "918273"})
        assert refused.status_code == 200
    assert "Show your second factor" in refused.content.decode()
    assert Alert.objects.filter(kind=Alert.Kind.CODES).count() == 1
    client.post("/pit/locked/", {"short": SHORT})
    assert client.get("/pit/events/").status_code == 302, "the right one comes too late"
    client.post("/pit/locked/", {"code": code_of(boss)})
    assert client.get("/pit/events/").status_code == 200
    client.post("/pit/lock/")
    client.post("/pit/locked/", {"short": SHORT})
    assert client.get("/pit/events/").status_code == 200, "the second factor has made it good again"


@pytest.mark.django_db
def test_it_opens_no_login_that_the_second_factor_has_not_opened() -> None:
    client, boss = chosen()
    BrowserSession.objects.update(proved_by=None)
    client.post("/pit/locked/", {"short": SHORT})
    assert sessions.standing(boss, store_of(client), DATABASE_CLOCK.now()) is Standing.UNPROVED


@pytest.mark.django_db
def test_it_is_of_one_login_alone() -> None:
    _, boss = chosen()
    elsewhere = browser_of(boss)
    elsewhere.post("/pit/lock/")
    assert "Short code" not in elsewhere.get("/pit/locked/").content.decode().split("<main")[1]
    elsewhere.post("/pit/locked/", {"short": SHORT})
    assert elsewhere.get("/pit/events/").status_code == 302


@pytest.mark.django_db
def test_it_stands_nowhere_in_clear() -> None:
    client, _ = chosen()
    row = BrowserSession.objects.get()
    assert SHORT not in f"{row.short_code} {row.session_data} {dict(client.session)}"


@pytest.mark.django_db
def test_it_is_no_fresh_second_factor() -> None:
    client, _ = chosen("shift_manager")
    client.post("/pit/locked/", {"short": SHORT})
    asker = member("pit_boss", "asker")
    halts.stop(asker, "", "a test")
    request = approvals.ask(asker, PlayAgain(""), "the stop is over")
    client.post(f"/pit/approvals/{request.pk}/approve/", {"code": SHORT})
    request.refresh_from_db()
    assert request.state == ApprovalRequest.State.WAITING


@pytest.mark.django_db
@pytest.mark.parametrize(
    "code", ["12345", "123456", "654321", "098765", "777777", "4805a6", "1" * 13, "٤٨٠٥١٦", " 480516"]
)
def test_what_is_guessed_at_once_is_refused(code: str) -> None:
    client = browser("pit_boss")
    answer = client.post("/pit/short-code/", {"short": code})
    assert answer.status_code == 200 and "field__error" in answer.content.decode()
    assert BrowserSession.objects.get().short_code == ""


@pytest.mark.django_db
def test_it_can_be_taken_away() -> None:
    client = browser("pit_boss")
    client.post("/pit/short-code/", {"short": SHORT})
    client.post("/pit/short-code/", {"remove": "1"})
    assert BrowserSession.objects.get().short_code == ""
