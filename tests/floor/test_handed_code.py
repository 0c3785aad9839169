"""A first second factor is bound to a person: it takes the code that whoever approved the appointment hands over."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import count

import pytest
from allauth.mfa.totp.internal import auth as codes
from django.core.cache import cache
from django.db.models import F
from django.test import Client

from tables.models import Alert, HandedCode, Player
from tables.services.pit import approvals, sessions, staff
from tables.services.pit.deeds import Appointment, FactorRemoval

from .pit_kit import approve, browser_of, has_factor, logged_in, member

pytestmark = pytest.mark.django_db

PASSWORD = "lotus and baize 1887"
_addresses = count(1)


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    cache.clear()


@pytest.fixture
def managers() -> tuple[Player, Player]:
    return member("shift_manager"), member("shift_manager", "other")


def newcomer() -> Player:
    person = Player(username="rui", name="Rui")
    person.set_password(PASSWORD)
    person.save()
    return person


def handed(page: str) -> str:
    """The code that the page shows."""
    return str(re.findall(r"<code[^>]*>([A-Z0-9]{4}-[A-Z0-9]{4})</code>", page)[0])


def appointed(managers: tuple[Player, Player], role: str = "pit_boss") -> tuple[Player, str]:
    """Somebody whom these two have just appointed, and the code that the second one was shown."""
    rui = newcomer()
    approvals.ask(managers[0], Appointment(rui.pk, role), "we need more hands")
    code = handed(approve(managers[1]).content.decode())
    rui.refresh_from_db()
    assert rui.role == role
    return rui, code


def before_the_form(person: Player) -> Client:
    """Their browser, once they have typed their password again."""
    client = logged_in(person)
    client.defaults["REMOTE_ADDR"] = f"10.13.0.{next(_addresses)}"
    asked = client.get("/accounts/second-factor/")
    client.post(asked.headers["Location"], {"password": PASSWORD})
    return client


def sets_up(client: Client, **typed: str) -> str:
    """They send the form, with the right code of the app: the page that comes."""
    client.get("/accounts/second-factor/")
    _, step, _ = codes.yield_hotp_counters_from_time()
    code = codes.format_hotp_value(codes.hotp_value(client.session["mfa.totp.secret"], step))
    return client.post("/accounts/second-factor/", {"code": code, **typed}, follow=True).content.decode()


def test_only_the_code_that_was_handed_over_lets_a_new_member_set_up_the_second_factor(
    managers: tuple[Player, Player],
) -> None:
    rui, code = appointed(managers)
    assert code.replace("-", "") not in str(HandedCode.objects.values()), "it is not stored in clear"
    client = before_the_form(rui)
    assert "The code that you were handed" in client.get("/accounts/second-factor/").content.decode()
    for typed in ({}, {"handed": ""}, {"handed": "AAAA-AAAA"}):
        sets_up(client, **typed)
        assert not sessions.has_second_factor(rui), typed
    assert "This is not the code that you were handed." in sets_up(client, handed="CCCC-CCCC")
    assert client.get("/pit/").status_code == 302
    assert "Recovery codes" in sets_up(client, handed=code.lower().replace("-", " "))
    assert sessions.has_second_factor(rui) and client.get("/pit/").status_code == 200
    assert not HandedCode.objects.exists(), "it is used up"


def test_the_code_is_shown_once_and_only_to_whoever_approves(managers: tuple[Player, Player]) -> None:
    asks, approves = managers
    _, code = appointed(managers)
    for browser in (browser_of(approves), browser_of(asks)):
        for path in ("/pit/approvals/", "/pit/staff/", "/pit/", "/pit/events/"):
            assert code not in browser.get(path).content.decode(), path


def test_after_five_wrong_codes_the_right_one_is_no_good_and_two_persons_give_another(
    managers: tuple[Player, Player],
) -> None:
    asks, approves = managers
    rui, code = appointed(managers)
    client = before_the_form(rui)
    for _ in range(4):
        assert "This is not the code" in sets_up(client, handed="AAAA-AAAA")
    assert "no longer good" in sets_up(client, handed="AAAA-AAAA")
    assert "no longer good" in sets_up(client, handed=code)
    assert Alert.objects.filter(kind=Alert.Kind.CODES).count() == 1, "the pit hears of it"
    assert not sessions.has_second_factor(rui)
    approvals.ask(asks, FactorRemoval(rui.pk), "too many wrong codes")
    another = handed(approve(approves).content.decode())
    client = before_the_form(rui)
    assert "This is not the code" in sets_up(client, handed=code)
    sets_up(client, handed=another)
    assert sessions.has_second_factor(rui)


def test_a_code_that_nobody_has_used_for_a_week_is_no_good(managers: tuple[Player, Player]) -> None:
    rui, code = appointed(managers)
    HandedCode.objects.update(handed_at=F("handed_at") - timedelta(days=7))
    assert "no longer good" in sets_up(before_the_form(rui), handed=code)
    assert not sessions.has_second_factor(rui)


def test_whoever_lost_their_telephone_needs_one_for_the_next(managers: tuple[Player, Player]) -> None:
    asks, approves = managers
    boss = member("pit_boss")
    boss.set_password(PASSWORD)
    boss.save()
    has_factor(boss)
    approvals.ask(asks, FactorRemoval(boss.pk), "in the harbour")
    code = handed(approve(approves).content.decode())
    client = before_the_form(boss)
    sets_up(client)
    assert not sessions.has_second_factor(boss)
    sets_up(client, handed=code)
    assert sessions.has_second_factor(boss)


def test_another_role_of_somebody_with_a_second_factor_needs_none(managers: tuple[Player, Player]) -> None:
    boss = member("pit_boss")
    has_factor(boss)
    approvals.ask(managers[0], Appointment(boss.pk, "surveillance"), "another post")
    assert "Approved, and done." in approve(managers[1]).content.decode()
    assert not HandedCode.objects.exists()


def test_whom_the_operator_appoints_or_who_is_dismissed_needs_none(managers: tuple[Player, Player]) -> None:
    rui, _ = appointed(managers)
    staff.dismiss(None, rui, "a mistake")
    assert not HandedCode.objects.exists()
    rui.refresh_from_db()
    staff.appoint(None, rui, "cage", "by the house")
    sets_up(before_the_form(rui))
    assert sessions.has_second_factor(rui)
