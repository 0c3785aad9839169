"""Passwords and letters, as ASVS wants them (docs/assurance/asvs.md, V6): what may be typed, and where it ends up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import count

import pytest
from django.core.mail import EmailMessage
from django.test import Client, override_settings

from tables.models import Player
from tests.house.kit import House

PASSWORD = "Lotus and baize 1887"
_addresses = count(1)


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


def browser() -> Client:
    """Somebody at an address of their own: limits are counted by address."""
    number = next(_addresses)
    return Client(REMOTE_ADDR=f"10.7.{number // 250}.{number % 250 + 1}")


def member(house: House, name: str, password: str = PASSWORD) -> Player:
    """Somebody with a password and an address."""
    somebody = house.player(name)
    somebody.set_password(password)
    somebody.email = f"{name}@floor.example"
    somebody.save()
    return somebody


def logs_in(name: str, password: str) -> bool:
    somebody = browser()
    somebody.post("/accounts/login/", {"login": name, "password": password})
    return "_auth_user_id" in somebody.session


def logged_in(house: House, name: str) -> Client:
    somebody = browser()
    somebody.force_login(member(house, name), backend="django.contrib.auth.backends.ModelBackend")
    return somebody


class Fields(HTMLParser):
    """The inputs of a page, by name."""

    def __init__(self, page: object) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self.feed(page.content.decode())  # type: ignore[attr-defined]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("name"):
            self.found[str(given["name"])] = given


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/accounts/login/", {"password"}),
        ("/accounts/signup/", {"password1", "password2"}),
        ("/accounts/password/change/", {"oldpassword", "password1", "password2"}),
    ],
)
def test_a_password_is_not_shown_and_may_be_pasted_and_kept(house: House, path: str, names: set[str]) -> None:
    page = (logged_in(house, "bo") if "change" in path else browser()).get(path)
    found = Fields(page).found
    assert names <= found.keys()
    for name in names:
        assert found[name]["type"] == "password"
        assert found[name].get("autocomplete", "") in {"current-password", "new-password"}
        assert not {"onpaste", "maxlength", "readonly"} & found[name].keys()


@pytest.mark.parametrize(
    "password", ["Kwun Iam's 29 m, in bronze" * 3, "観音堂のろうそく十一本", " spaces at both ends ", "ÄÖÜ-äöü-ßẞ-Ǆ"]
)
def test_a_password_is_taken_just_as_it_is_typed(house: House, password: str) -> None:
    somebody, name = browser(), f"ines{next(_addresses)}"  # failures are counted by name, over tests too
    somebody.post("/accounts/signup/", {"username": name, "password1": password, "password2": password})
    assert "_auth_user_id" in somebody.session
    assert logs_in(name, password)
    assert not logs_in(name, password.swapcase() if password.swapcase() != password else password + " ")
    assert not logs_in(name, password[:-1])
    assert not logs_in(name, f"{password} ")


def test_a_password_is_changed_with_the_present_one_alone(house: House) -> None:
    somebody = logged_in(house, "rui")
    fields = {"oldpassword": "another altogether", "password1": "Taipa ferry 1999", "password2": "Taipa ferry 1999"}
    somebody.post("/accounts/password/change/", fields)
    assert Player.objects.get().check_password(PASSWORD)
    somebody.post("/accounts/password/change/", {**fields, "oldpassword": PASSWORD})
    assert Player.objects.get().check_password("Taipa ferry 1999")


@override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
def test_the_key_of_a_letter_leaves_the_address_at_once_and_is_good_once(
    house: House, mailoutbox: list[EmailMessage]
) -> None:
    member(house, "ana")
    browser().post("/accounts/password/reset/", {"email": "ana@floor.example"})
    link = re.search(r"(/accounts/password/reset/key/\S+)", str(mailoutbox[0].body))
    assert link
    somebody = browser()
    page = somebody.get(link[1])
    assert page.status_code == 302
    assert link[1].rstrip("/").rpartition("-")[2] not in page["Location"]
    somebody.post(page["Location"], {"password1": "Taipa ferry 1999", "password2": "Taipa ferry 1999"})
    assert Player.objects.get().check_password("Taipa ferry 1999")
    late = browser()
    late.post(late.get(link[1], follow=True).request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD})
    assert Player.objects.get().check_password("Taipa ferry 1999")


@override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
@pytest.mark.parametrize(
    "tail", ["\nBcc: all@evil.example", "\r\nSubject: other", "%0aBcc: a@evil.example", ", b@evil.example"]
)
def test_nobody_else_gets_a_letter(house: House, mailoutbox: list[EmailMessage], tail: str) -> None:
    member(house, "ana")
    browser().post("/accounts/password/reset/", {"email": f"ana@floor.example{tail}"})
    assert mailoutbox == []


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_logging_in_and_out_leads_to_no_other_site(house: House, elsewhere: str) -> None:
    member(house, "ana")
    somebody = browser()
    answer = somebody.post("/accounts/login/", {"login": "ana", "password": PASSWORD, "next": elsewhere})
    assert answer["Location"].startswith("/")
    assert "evil" not in answer["Location"]
    answer = somebody.post("/accounts/logout/", {"next": elsewhere})
    assert answer["Location"] == "/"
