"""Whoever finds a browser in which somebody is logged in cannot end that person's other logins (ASVS 7.5.2)."""

from __future__ import annotations

from itertools import count

import pytest
from django.test import Client

from tables.models import BrowserSession, Player
from tests.house.kit import House

pytestmark = pytest.mark.django_db
PASSWORD = "lotus and baize 1887"
END = "/account/logins/end/"
_addresses = count(1)


def somebody(name: str) -> Player:
    player = House().player(name)
    player.set_password(PASSWORD)
    player.save()
    return player


def logged_in(name: str) -> Client:
    client = Client(REMOTE_ADDR=f"10.6.9.{next(_addresses)}")
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return client


@pytest.mark.parametrize("typed", [{}, {"password": ""}, {"password": "wrong"}])
def test_without_the_password_no_login_ends(typed: dict[str, str]) -> None:
    player, here, there = somebody("eva"), logged_in("eva"), logged_in("eva")
    page = here.post(END, typed)
    assert page.status_code == 200
    assert 'type="password"' in page.content.decode()
    assert "field__error" in page.content.decode()
    assert there.get("/account/").status_code == 200
    assert BrowserSession.objects.filter(player=player).count() == 2


def test_with_the_password_all_others_end() -> None:
    player, here, there = somebody("ivo"), logged_in("ivo"), logged_in("ivo")
    here.post(END, {"password": PASSWORD})
    assert there.get("/account/").status_code == 302
    assert here.get("/account/").status_code == 200
    assert BrowserSession.objects.filter(player=player).count() == 1


def test_a_guest_has_no_password_to_be_asked_for() -> None:
    here = Client(REMOTE_ADDR=f"10.6.9.{next(_addresses)}")
    here.post("/guest/")
    assert 'type="password"' not in here.get("/account/logins/").content.decode()
    assert here.post(END).status_code == 302
