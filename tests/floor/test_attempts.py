"""Guessing at passwords and codes: it is slow, it is noticed, it is written down, and it keeps nobody else out."""

from __future__ import annotations

import logging
from itertools import count
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth as codes
from django.conf import settings as house_settings
from django.core.cache import cache
from django.test import Client, override_settings

import casino.settings
from tables.models import Alert, Event, Player
from tables.services.journal import access, alerts
from tables.services.journal.access import CODES_REFUSED, NAMES_SPRAYED

from .pit_kit import SECRET, browser_of, code_of, has_factor, member

pytestmark = pytest.mark.django_db
PASSWORD = "lotus and baize 1887"
KNOWN = house_settings.KNOWN_BROWSER_COOKIE_NAME
_addresses = count(1)


@pytest.fixture(autouse=True)
def nobody_has_tried_yet(caplog: pytest.LogCaptureFixture) -> None:
    cache.clear()
    caplog.set_level(logging.INFO, "security")


def a_browser(address: str = "") -> Client:
    number = next(_addresses)
    return Client(REMOTE_ADDR=address or f"10.7.{number // 250}.{number % 250 + 1}")


def somebody(name: str = "ana", role: str = "") -> Player:
    player = member(role, name) if role else Player.objects.create(username=name, name=name.title())
    player.set_password(PASSWORD)
    player.save()
    return player


def tries(client: Client, name: str, password: str = "wrong") -> str:
    """What the page of the log-in says."""
    return str(client.post("/accounts/login/", {"login": name, "password": password}, follow=True).content.decode())


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The security log."""
    return [record.msg for record in caplog.records if record.name == "security" and isinstance(record.msg, dict)]


# ── Nobody is kept out ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ["", "pit_boss"])
def test_whoever_fails_at_a_name_keeps_its_owner_out_neither_here_nor_there(role: str) -> None:
    owner = somebody("ana", role)

    def comes_in(client: Client) -> bool:
        """The right password is taken; the staff are asked for their code."""
        tries(client, "ana", PASSWORD)
        return client.get("/accounts/code/").status_code == 200 if role else is_in(client)

    home = a_browser()
    if role:
        has_factor(owner)
    assert comes_in(home)
    if role:
        home.post("/accounts/code/", {"code": code_of(owner)})
    home.post("/accounts/logout/")
    attacker = a_browser()
    for _ in range(5):
        assert "Wrong user name or password." in tries(attacker, "ana")
    assert "Too many attempts." in tries(attacker, "ana", PASSWORD) and not comes_in(attacker)
    assert comes_in(home) and comes_in(a_browser())


def test_a_browser_that_was_in_before_comes_in_however_many_addresses_guess() -> None:
    somebody()
    home = a_browser()
    tries(home, "ana", PASSWORD)
    home.post("/accounts/logout/")
    for _ in range(30):
        tries(a_browser(), "ANA ")
    assert "Too many attempts." in tries(a_browser(), "ana", PASSWORD), "strangers together are slow"
    tries(home, "ana", PASSWORD)
    assert is_in(home)


def test_a_known_browser_has_an_allowance_and_no_more() -> None:
    somebody()
    home = a_browser()
    tries(home, "ana", PASSWORD)
    home.post("/accounts/logout/")
    for _ in range(5):
        tries(home, "ana")
    assert "Too many attempts." in tries(home, "ana", PASSWORD)
    owner = a_browser()
    tries(owner, "ana", PASSWORD)
    assert is_in(owner)


def test_a_cookie_that_somebody_made_up_or_that_is_of_another_account_is_worth_nothing() -> None:
    somebody(), somebody("rui")
    of_rui = a_browser()
    tries(of_rui, "rui", PASSWORD)
    cookie = of_rui.cookies[KNOWN]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and "rui" not in cookie.value
    for _ in range(30):
        tries(a_browser(), "ana")
    for value in (cookie.value, "made-up", cookie.value[:-1] + "x", ""):
        stranger = a_browser()
        stranger.cookies[KNOWN] = value
        assert "Too many attempts." in tries(stranger, "ana", PASSWORD)


def test_what_is_refused_for_the_name_does_not_use_up_the_allowance_of_an_address() -> None:
    somebody()
    for _ in range(30):
        tries(a_browser(), "ana")
    for _ in range(5):
        assert "Too many attempts." in tries(a_browser("10.8.0.2"), "ana", PASSWORD)
    with override_settings(ACCOUNT_RATE_LIMITS={**house_settings.ACCOUNT_RATE_LIMITS, "login_failed_name": "99/m/key"}):
        client = a_browser("10.8.0.2")  # later, when strangers together have an attempt again
        tries(client, "ana", PASSWORD)
    assert is_in(client)


def test_a_right_password_uses_up_no_attempt() -> None:
    somebody()
    for _ in range(8):
        client = a_browser("10.8.0.1")
        tries(client, "ana", PASSWORD)
        assert is_in(client)


# ── The pit is told ─────────────────────────────────────────────────────────────────────────────────────────


def test_trying_many_names_from_one_address_raises_an_alert() -> None:
    """Below the limits of every name, and so slowly that the limit of the address is not met."""
    for number in range(NAMES_SPRAYED + 2):
        client = a_browser("10.9.0.1")
        with override_settings(ACCOUNT_RATE_LIMITS={**house_settings.ACCOUNT_RATE_LIMITS, "login_failed": "5/m/key"}):
            tries(client, f"name{number}")
    (alert,) = Alert.objects.all()
    assert alert.kind == Alert.Kind.SPRAYING
    assert str(alerts.words_of(alert)) == f"{NAMES_SPRAYED} user names tried in vain from 10.9.0.1"
    tries(a_browser("10.9.0.2"), "another")
    assert Alert.objects.count() == 1
    assert "Many names tried" in browser_of(member("pit_boss")).get("/pit/").content.decode()


def test_one_name_tried_again_and_again_is_no_spraying() -> None:
    for _ in range(NAMES_SPRAYED + 2):
        with override_settings(ACCOUNT_RATE_LIMITS={**house_settings.ACCOUNT_RATE_LIMITS, "login_failed": "99/m/key"}):
            tries(a_browser("10.9.0.3"), "ana")
    assert not Alert.objects.exists()


def test_a_code_that_was_used_before_counts_as_refused() -> None:
    boss = somebody("boss", "pit_boss")
    has_factor(boss)
    client = browser_of(boss)
    client.post("/pit/lock/")
    code = code_of(boss)
    assert client.post("/pit/locked/", {"code": code}).status_code == 302
    client.post("/pit/lock/")
    for _ in range(CODES_REFUSED):
        assert not Alert.objects.exists()
        client.post("/pit/locked/", {"code": code})
    assert Alert.objects.get().kind == Alert.Kind.CODES


def test_five_refused_codes_raise_an_alert_and_a_good_one_begins_anew() -> None:
    boss = somebody("boss", "pit_boss")
    has_factor(boss)
    client = browser_of(boss)
    client.post("/pit/lock/")
    for _ in range(CODES_REFUSED - 1):
        client.post("/pit/locked/", {"code": "12"})
    assert client.post("/pit/locked/", {"code": code_of(boss)}).status_code == 302
    client.post("/pit/lock/")
    for _ in range(CODES_REFUSED - 1):
        client.post("/pit/locked/", {"code": "12"})
    assert not Alert.objects.exists()
    client.post("/pit/locked/", {"code": "12"})
    (alert,) = Alert.objects.all()
    assert alert.kind == Alert.Kind.CODES
    assert "boss" in str(alerts.words_of(alert)) and "127.0.0.1" in str(alerts.words_of(alert))


# ── It is written down ──────────────────────────────────────────────────────────────────────────────────────


def test_the_security_log_says_who_came_who_failed_and_from_where(caplog: pytest.LogCaptureFixture) -> None:
    ana = somebody()
    client = a_browser("10.8.1.1")
    tries(client, "ana")
    tries(client, "nobody")
    tries(client, "ana", PASSWORD)
    client.get("/nowhere/")
    client.post("/accounts/logout/")
    said = [(line["event"], line["outcome"], line["player"], line["address"]) for line in lines(caplog)]
    assert said == [
        ("login failed", "refused", ana.pk, "10.8.1.1"),
        ("login failed", "refused", None, "10.8.1.1"),
        ("login", "done", ana.pk, "10.8.1.1"),
        ("page not found", "refused", ana.pk, "10.8.1.1"),
        ("logout", "done", ana.pk, "10.8.1.1"),
    ]
    assert PASSWORD not in caplog.text and "nobody" not in caplog.text, "what was typed is nobody's business"
    assert not Event.objects.exists(), "what players do is no event of the pit"


def test_what_staff_do_at_the_door_is_an_event_of_the_pit_too(caplog: pytest.LogCaptureFixture) -> None:
    boss = somebody("boss", "pit_boss")
    client = a_browser("10.8.1.2")
    for _ in range(6):
        tries(client, "boss")
    has_factor(boss)
    client = a_browser("10.8.1.3")
    tries(client, "boss", PASSWORD)
    client.post("/accounts/code/", {"code": "12"})
    client.post("/accounts/code/", {"code": code_of(boss)})
    fields = {"oldpassword": PASSWORD, "password1": "quite another 1887", "password2": "quite another 1887"}
    client.post("/accounts/password/change/", fields)
    client.post("/accounts/logout/")
    deeds = ["login_failed"] * 5 + ["locked_out", "code_refused", "logged_in", "password_changed", "logged_out"]
    found = list(Event.objects.order_by("seq"))
    assert [event.deed for event in found] == deeds
    assert {event.player for event in found} == {boss}
    assert [event.by for event in found] == [None] * 7 + [boss] * 3
    assert found[0].after == {"address": "10.8.1.2"} and found[-1].after == {"address": "10.8.1.3"}
    events = [line["event"] for line in lines(caplog)]
    assert events.count("second factor set") == 1 and events.count("code used") == 1
    boss.refresh_from_db()
    page = browser_of(boss).get("/pit/events/").content.decode()
    assert "Staff login locked out" in page and "10.8.1.2" in page
    assert browser_of(boss).get("/pit/events/significant/").content.decode().count("Staff and access") == len(deeds)


def test_refusals_name_who_and_from_where_and_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    client = browser_of(member("cage"))
    client.defaults["REMOTE_ADDR"] = "10.8.1.4"
    client.post("/pit/staff/appoint/?next=secret")
    client.get("/rounds/999/")
    refused, missing = lines(caplog)[-2:]
    assert refused["event"] == "page refused" and refused["path"] == "/pit/staff/appoint/"
    assert missing["event"] == "page not found" and missing["path"] == "/rounds/<int:log_id>/"
    assert {line["address"] for line in (refused, missing)} == {"10.8.1.4"}
    assert "secret" not in str(refused)
    for _ in range(31):
        Client(REMOTE_ADDR="10.8.1.5").post("/guest/")
    assert lines(caplog)[-1]["event"] == "page limited" and lines(caplog)[-1]["outcome"] == "limited"


def test_a_removed_second_factor_is_written_down_whoever_removes_it(caplog: pytest.LogCaptureFixture) -> None:
    from tables.services.pit import staff

    boss = somebody("boss", "pit_boss")
    has_factor(boss)
    staff.remove_second_factor(None, boss, "lost")
    assert [line["player"] for line in lines(caplog) if line["event"] == "second factor removed"] == [boss.pk]


def test_nothing_of_a_player_is_an_event() -> None:
    access.note("login", "done", player=somebody(), address="10.8.1.6")
    assert not Event.objects.exists()


# ── Codes, letters, passwords, caps ─────────────────────────────────────────────────────────────────────────


def test_a_code_is_good_in_its_own_half_minute_alone(settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = casino.settings.MFA_TOTP_TOLERANCE
    boss = somebody("boss", "pit_boss")
    client = browser_of(boss)
    client.post("/pit/lock/")
    (now,) = codes.yield_hotp_counters_from_time()
    for other in (now - 1, now + 2):  # the next may have begun meanwhile
        code = codes.format_hotp_value(codes.hotp_value(SECRET, other))
        assert "wrong or has expired" in client.post("/pit/locked/", {"code": code}).content.decode()
    assert client.get("/pit/events/").status_code == 302


def test_links_of_letters_are_good_for_ten_minutes_at_most() -> None:
    assert casino.settings.PASSWORD_RESET_TIMEOUT <= 600


@pytest.mark.in_full
def test_sign_ups_and_guests_have_an_hourly_cap_for_each_address() -> None:
    limits = house_settings.ACCOUNT_RATE_LIMITS
    with override_settings(ACCOUNT_RATE_LIMITS={**limits, "guest": limits["guest"].split(",")[1]}):
        answers = [Client(REMOTE_ADDR="10.8.2.1").post("/guest/").status_code for _ in range(121)]
    assert answers == [302] * 120 + [429]
    with override_settings(ACCOUNT_RATE_LIMITS={**limits, "signup": limits["signup"].split(",")[1]}):
        answers = [Client(REMOTE_ADDR="10.8.2.1").post("/accounts/signup/").status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]


@pytest.mark.parametrize(
    ("password", "good"),
    [
        ("18871999", False),
        ("188719991887", True),
        ("902174650193", True),
        ("macau-floor-1", False),
        ("Macau Casino!", False),
        ("blackjack21", False),
        ("lotus1lotus", False),
        ("baize of Macau, 1887", True),
        ("password1", False),
        ("ひみつの言葉です", True),
    ],
)
def test_passwords_of_any_kind_are_taken_but_those_that_everybody_tries(password: str, good: bool) -> None:
    fields = {"username": "lotus1", "password1": password, "password2": password}
    a_browser().post("/accounts/signup/", fields)
    assert Player.objects.exists() is good
