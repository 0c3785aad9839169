"""The door of the pit: the second factor of staff, the lock of a login that nobody is at; and staff do not play."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as codes
from allauth.mfa.utils import decrypt
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from tables.base.browser_sessions import SessionStore
from tables.base.rights import Right
from tables.models import Account, BrowserSession, Event, Player
from tables.services.pit import sessions
from tables.services.pit import staff as members
from tables.services.pit.sessions import Standing
from tables.services.players.logins import STAFF_LIFE
from tables.views.pit.gate import staff
from tests.house.kit import House

from .pit_kit import SECRET, approve, browser_of, code_of, has_factor, logged_in, member, store_of

pytestmark = pytest.mark.django_db

_addresses = count(1)
PASSWORD = "lotus and baize 1887"
EVENTS = "/pit/events/"


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    """Attempts and used codes are remembered by numbers of people that every test gives anew."""
    cache.clear()


def somebody(role: str = "pit_boss", name: str = "") -> Player:
    """A member of the staff with a password."""
    player = member(role, name)
    player.set_password(PASSWORD)
    player.save()
    return player


def from_elsewhere(player: Player) -> Client:
    """The browser of such a person, on an address of its own: attempts are counted by that too."""
    client = logged_in(player)
    client.defaults["REMOTE_ADDR"] = f"10.4.0.{next(_addresses)}"
    return client


def away(client: Client, minutes: float) -> None:
    """Let it be so long since anything was heard of them."""
    login = BrowserSession.objects.filter(pk=store_of(client).stored_key)
    login.update(seen_at=F("seen_at") - timedelta(minutes=minutes))


def types(client: Client, player: Player, code: str = "", onward: str = "") -> Any:
    """They type a code at the locked door; their present one unless the test says otherwise."""
    return client.post("/pit/locked/", {"code": code or code_of(player), "next": onward})


def test_a_login_is_open_five_minutes_after_the_last_word_and_no_longer() -> None:
    player, now = somebody(), datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    has_factor(player)
    session = SessionStore()
    assert sessions.standing(player, session, now) is Standing.UNPROVED
    sessions.prove(session, player, now)
    assert sessions.standing(player, session, now + timedelta(minutes=4, seconds=59)) is Standing.OPEN
    assert sessions.standing(player, session, now + timedelta(minutes=5)) is Standing.LOCKED
    sessions.see(session, now + timedelta(minutes=4))
    assert sessions.standing(player, session, now + timedelta(minutes=8)) is Standing.OPEN
    sessions.lock(session)
    assert sessions.standing(player, session, now + timedelta(minutes=8)) is Standing.LOCKED


def test_what_somebody_else_has_proved_opens_nothing() -> None:
    boss, other = somebody(), somebody(name="other")
    now, session = datetime(2026, 11, 21, 20, 0, tzinfo=UTC), SessionStore()
    has_factor(other)
    sessions.prove(session, boss, now)
    assert sessions.standing(other, session, now) is Standing.UNPROVED


def test_whoever_has_no_second_factor_sets_one_up_first() -> None:
    player = somebody()
    client = from_elsewhere(player)
    assert client.get(EVENTS).headers["Location"] == "/accounts/second-factor/"
    asked = client.get("/accounts/second-factor/")
    assert asked.headers["Location"].startswith("/accounts/password/again/?")
    assert client.post(asked.headers["Location"], {"password": "guessed"}).status_code == 200
    assert client.get("/accounts/second-factor/").status_code == 302
    client.post(asked.headers["Location"], {"password": PASSWORD})
    page = client.get("/accounts/second-factor/").content.decode()
    secret = client.session["mfa.totp.secret"]
    assert secret in page and "<svg" in page and "style=" not in page
    assert "wrong or has expired" in client.post("/accounts/second-factor/", {"code": "000000x"}).content.decode()
    _, step, _ = codes.yield_hotp_counters_from_time()
    code = codes.format_hotp_value(codes.hotp_value(secret, step))
    done = client.post("/accounts/second-factor/", {"code": code}, follow=True)
    assert done.redirect_chain[-1][0] == "/accounts/recovery-codes/"
    assert done.content.decode().count("<li><code>") == 10
    assert "<li><code>" not in client.get("/accounts/recovery-codes/").content.decode(), "they are shown once"
    assert client.get(EVENTS).status_code == 200
    stored = Authenticator.objects.get(user=player, type=Authenticator.Type.TOTP)
    assert secret not in str(stored.data) and decrypt(stored.data["secret"]) == secret
    assert Event.objects.get(deed="second_factor").by == player
    client.post("/pit/lock/")
    assert types(client, player, code).status_code == 200, "the code that set it up is used up"


def test_logging_in_takes_password_and_code_and_leads_to_the_pit() -> None:
    player = somebody()
    has_factor(player)
    client = Client(REMOTE_ADDR=f"10.4.0.{next(_addresses)}")
    first = client.post("/accounts/login/", {"login": player.username, "password": PASSWORD})
    assert first.headers["Location"] == "/accounts/code/"
    assert client.get(EVENTS).headers["Location"].startswith("/accounts/login/")
    wrong = client.post("/accounts/code/", {"code": "12"})
    assert "That code is wrong or has expired." in wrong.content.decode()
    code = code_of(player)
    assert client.post("/accounts/code/", {"code": code}).headers["Location"] == "/pit/"
    assert client.get(EVENTS).status_code == 200
    again = Client(REMOTE_ADDR=f"10.4.0.{next(_addresses)}")
    again.post("/accounts/login/", {"login": player.username, "password": PASSWORD})
    assert "wrong or has expired" in again.post("/accounts/code/", {"code": code}).content.decode(), (
        "a code is good once"
    )


def test_a_code_stays_used_up_when_redis_has_forgotten_it() -> None:
    player = somebody()
    client = browser_of(player)
    code = code_of(player)
    client.post("/pit/lock/")
    assert types(client, player, code).status_code == 302
    cache.clear()
    client.post("/pit/lock/")
    assert types(client, player, code).status_code == 200
    assert client.get(EVENTS).status_code == 302


def test_a_recovery_code_is_good_once() -> None:
    player = somebody()
    client = browser_of(player)
    code = RecoveryCodes.activate(player).generate_codes()[0]
    client.post("/pit/lock/")
    assert types(client, player, code).status_code == 302
    client.post("/pit/lock/")
    assert types(client, player, code).status_code == 200


def test_whoever_guesses_codes_has_to_wait() -> None:
    player = somebody()
    has_factor(player)
    client = from_elsewhere(player)
    for _ in range(5):
        assert "wrong or has expired" in types(client, player, "000").content.decode()
    late = types(client, player)
    assert "Too many attempts" in late.content.decode()
    assert client.get(EVENTS).status_code == 302


def test_a_login_that_was_not_opened_with_the_factor_is_asked_for_it() -> None:
    player = somebody()
    has_factor(player)
    client = from_elsewhere(player)
    assert client.get(EVENTS).headers["Location"] == "/pit/locked/?next=%2Fpit%2Fevents%2F"
    assert types(client, player, onward=EVENTS).headers["Location"] == EVENTS
    assert client.get(EVENTS).status_code == 200


def test_whoever_was_away_is_asked_for_a_code_and_goes_on_where_he_was() -> None:
    player = somebody()
    client = browser_of(player)
    away(client, 4)
    assert client.get(f"{EVENTS}?before=7").status_code == 200
    away(client, 4)
    assert client.get(EVENTS).status_code == 200, "the page before was a word from them"
    away(client, 5)
    asked = client.get(f"{EVENTS}?before=7")
    assert asked.headers["Location"] == "/pit/locked/?next=%2Fpit%2Fevents%2F%3Fbefore%3D7"
    page = client.get(asked.headers["Location"])
    assert page.context["next"] == f"{EVENTS}?before=7"
    assert types(client, player, onward=page.context["next"]).headers["Location"] == f"{EVENTS}?before=7"
    assert client.get(EVENTS).status_code == 200
    client.post("/pit/lock/")
    assert types(client, player, onward="https://elsewhere.example/").headers["Location"] == "/pit/"
    client.post("/pit/lock/")
    assert "elsewhere" not in str(client.get("/pit/locked/?next=//elsewhere.example/").context["next"])


def test_what_is_posted_too_late_does_nothing(settings: Any) -> None:
    done: list[str] = []

    @staff(Right.WATCH)
    def deed(request: HttpRequest) -> HttpResponse:
        done.append("it")
        return HttpResponse("done")

    settings.ROOT_URLCONF = (path("pit/deed/", deed), path("", include("casino.urls")))
    client = browser_of(somebody())
    assert client.post("/pit/deed/").content == b"done"
    away(client, 6)
    late = client.post("/pit/deed/", HTTP_REFERER="http://testserver/pit/events/?before=3")
    assert late.headers["Location"] == "/pit/locked/?next=%2Fpit%2Fevents%2F%3Fbefore%3D3"
    assert done == ["it"]
    assert "Nothing has been done." in client.get(late.headers["Location"]).content.decode()
    over_htmx = client.post("/pit/deed/", headers={"HX-Request": "true"})
    assert over_htmx.headers["HX-Redirect"].startswith("/pit/locked/") and done == ["it"]


def test_typing_is_a_word_from_him_and_comes_too_late_when_it_is_locked() -> None:
    client = browser_of(somebody())
    away(client, 4)
    assert client.post("/pit/seen/").status_code == 204
    away(client, 4)
    assert client.get(EVENTS).status_code == 200
    away(client, 5)
    assert client.post("/pit/seen/").status_code == 409
    assert client.get(EVENTS).status_code == 302


def test_the_pit_can_be_locked_by_hand() -> None:
    client = browser_of(somebody())
    assert client.get("/pit/locked/").headers["Location"] == "/pit/", "looking at the door locks nothing"
    assert client.get(EVENTS).status_code == 200
    assert client.post("/pit/lock/").headers["Location"] == "/pit/locked/"
    assert client.get("/pit/locked/").status_code == 200
    assert client.get(EVENTS).status_code == 302


def test_a_socket_is_heard_in_an_open_login_only() -> None:
    player, other = somebody(), somebody(name="other")
    client = browser_of(player)
    key = store_of(client).stored_key
    now = BrowserSession.objects.get(pk=key).seen_at
    assert sessions.heard(key, player.pk, now + timedelta(minutes=4))
    assert sessions.heard(key, player.pk, now + timedelta(minutes=8), said=False), "they have said something since"
    assert not sessions.heard(key, player.pk, now + timedelta(minutes=9))
    assert not sessions.heard(key, other.pk, now)
    assert not sessions.heard("nothing", player.pk, now)
    login = BrowserSession.objects.filter(pk=key)
    login.update(begun_at=F("begun_at") - STAFF_LIFE)
    assert not sessions.heard(key, player.pk, now), "the shift is over"
    login.update(begun_at=F("begun_at") + STAFF_LIFE)
    assert sessions.heard(key, player.pk, now)
    expires = login.get().expire_date
    login.update(expire_date=now)
    assert not sessions.heard(key, player.pk, now), "the session has expired"
    login.update(expire_date=expires)
    nobody = SessionStore()
    sessions.prove(nobody, player, now)
    assert not sessions.heard(nobody.stored_key, player.pk, now), "a code alone is no login"
    Player.objects.filter(pk=player.pk).update(role="")
    assert not sessions.heard(key, player.pk, now)


@pytest.mark.parametrize(
    "address",
    ["/accounts/second-factor/", "/accounts/recovery-codes/", "/accounts/recovery-codes/new/", "/accounts/code/again/"],
)
def test_players_have_nothing_to_do_with_codes(address: str) -> None:
    player = Player.objects.create(username="ana", name="Ana")
    client = browser_of(player)
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert Client().get(address).headers["Location"].startswith("/accounts/login/")


def test_whoever_was_staff_logs_in_without_a_code() -> None:
    boss, gone = somebody("shift_manager"), somebody(name="gone")
    has_factor(gone)
    members.dismiss(boss, gone, "left")
    client = Client(REMOTE_ADDR=f"10.4.0.{next(_addresses)}")
    answer = client.post("/accounts/login/", {"login": "gone", "password": PASSWORD})
    assert answer.headers["Location"] == "/"
    assert client.get("/account/").status_code == 200
    assert client.get(EVENTS).status_code == 404


def test_a_player_is_never_asked_for_a_code_whatever_is_left_of_him() -> None:
    player = somebody("", "ana")
    has_factor(player)
    client = Client(REMOTE_ADDR=f"10.4.0.{next(_addresses)}")
    answer = client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


def test_a_new_secret_key_reads_what_the_old_one_sealed_and_seals_it_anew(settings: Any) -> None:
    player = somebody()
    client = browser_of(player)
    client.post("/pit/lock/")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next one"
    assert types(client, player).status_code == 302
    settings.SECRET_KEY_FALLBACKS = []
    assert decrypt(Authenticator.objects.get(user=player).data["secret"]) == SECRET
    settings.SECRET_KEY = "and one more, without the one before"
    with pytest.raises(ValidationError):
        decrypt(Authenticator.objects.get(user=player).data["secret"])


# ── Staff do not play ───────────────────────────────────────────────────────────────────────────────────────


def test_pages_show_staff_as_spectators_without_an_invitation() -> None:
    house = House()
    table = house.table()
    client = browser_of(somebody())
    page = client.get(f"/tables/{table.slug}/").content.decode()
    assert "Staff of the house do not play." in page
    for invitation in ("Play as a guest", "Log in", "data-balance=", "tray__chips", "data-chat-form"):
        assert invitation not in page
    assert "Play as a guest" not in client.get("/").content.decode()
    account = client.get("/account/").content.decode()
    assert "Staff do not play" in account and "balance" not in account
    assert "do not play" in client.post("/top-up/", follow=True).content.decode()
    assert not Account.objects.filter(player__role="pit_boss").exists()


# ── Staff, as a page ────────────────────────────────────────────────────────────────────────────────────────


def test_a_shift_manager_appoints_and_dismisses_on_a_page() -> None:
    manager, ana = somebody("shift_manager"), somebody("", "ana")
    client = browser_of(manager)
    page = client.get("/pit/staff/").content.decode()
    assert "shift_manager-one" in page and "Dismiss" not in page, "nobody dismisses themselves"
    wrong = client.post("/pit/staff/appoint/", {"name": "nobody", "role": "cage", "why": "x"})
    assert wrong.status_code == 400 and "Nobody has signed up" in wrong.content.decode()
    assert client.post("/pit/staff/appoint/", {"name": "ana", "role": "cage"}).status_code == 400, "no reason is given"
    other = somebody("shift_manager", "other")
    done = client.post("/pit/staff/appoint/", {"name": "ana", "role": "cage", "why": "first night"}, follow=True)
    assert "A second person must approve it." in done.content.decode()
    assert "Approved, and done." in approve(other).content.decode()
    ana.refresh_from_db()
    assert ana.role == "cage"
    has_factor(ana)
    client.post(f"/pit/staff/{ana.pk}/lost/", {"why": "in the harbour"})
    assert sessions.has_second_factor(ana)
    approve(other)
    assert not sessions.has_second_factor(ana)
    own = client.post(f"/pit/staff/{manager.pk}/dismiss/", {"why": "x"}, follow=True)
    assert "Nobody changes their own role." in own.content.decode()
    client.post(f"/pit/staff/{ana.pk}/dismiss/", {"why": "left"})
    ana.refresh_from_db()
    assert ana.role == ""
    done_so = Event.objects.filter(deed__in=("role", "second_factor")).order_by("seq")
    assert [(event.by, event.why) for event in done_so] == [
        (manager, "first night"),
        (manager, "in the harbour"),
        (manager, "left"),
    ]


def test_others_of_the_staff_see_who_is_staff_and_no_more() -> None:
    somebody("shift_manager")
    page = browser_of(somebody("surveillance")).get("/pit/staff/").content.decode()
    assert "shift_manager-one" in page
    assert "<form" not in page.partition("<main")[2]
