"""What is looked at without a login is worked out once for many, and nothing of one reader gets to another."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings as the_settings
from django.test import Client

from casino import kept
from casino.health import readiness
from tables.models import Player, Table
from tables.views.strangers import pages
from tests.house.kit import House

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([A-Za-z0-9]+)"')


class Time:
    """The monotonic clock, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Time:
    """Pages are kept as they are in a house, in a time that stands still."""
    settings.PAGES_KEPT_S, settings.READY_KEPT_S = 1.0, 2.0
    pages.clear()
    readiness.clear()
    time = Time()
    monkeypatch.setattr(kept, "monotonic", time)
    return time


@pytest.fixture
def table(db: None) -> Table:
    return House().table("taipa")


def page(browser: Client, path: str = "/tables/taipa/", **headers: str) -> str:
    answer = browser.get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("path", ["/tables/taipa/", "/"])
def test_a_page_is_the_same_for_all_strangers_for_a_second(time: Time, table: Table, path: str) -> None:
    assert "Taipa by night" not in page(Client(), path)
    Table.objects.filter(pk=table.pk).update(name="Taipa by night")
    time.now += 0.9
    assert "Taipa by night" not in page(Client(), path)
    time.now += 0.2
    assert "Taipa by night" in page(Client(), path)


def test_each_reader_has_a_form_token_of_their_own_and_can_use_it(time: Time, table: Table) -> None:
    readers = [Client(enforce_csrf_checks=True, REMOTE_ADDR=f"10.8.0.{n}") for n in (1, 2)]
    tokens = [set(TOKEN.findall(page(reader))) for reader in readers]
    assert [len(each) for each in tokens] == [1, 1]
    assert tokens[0].isdisjoint(tokens[1])
    for reader, (token,) in zip(readers, tokens, strict=True):
        (other,) = next(each for each in tokens if token not in each)
        assert reader.post("/guest/", {"csrfmiddlewaretoken": other}).status_code == 403
        assert reader.post("/guest/", {"csrfmiddlewaretoken": token}).status_code == 302


def test_a_page_is_kept_in_each_language(time: Time, table: Table) -> None:
    for browser, headers in ((Client(), {"accept-language": "pt"}), (Client(), {"accept-language": "en"})):
        assert f'lang="{headers["accept-language"]}"' in page(browser, **headers)
    chosen = Client()
    chosen.cookies[the_settings.LANGUAGE_COOKIE_NAME] = "zh-hant"
    assert '<html lang="zh-hant"' in page(chosen)


def test_who_is_logged_in_neither_gets_a_strangers_page_nor_gives_theirs(time: Time, table: Table) -> None:
    guest = Client(REMOTE_ADDR="10.8.0.3")
    guest.post("/guest/")
    player = Player.objects.get(guest=True)
    for path, own in (("/tables/taipa/", f'data-me="{player.key}"'), ("/", str(player))):
        assert own in page(guest, path)
        assert own not in page(Client(), path)
        assert own in page(guest, path)


def test_what_is_said_to_one_is_not_said_to_all(time: Time, table: Table) -> None:
    leaving = Client(REMOTE_ADDR="10.8.0.4")
    leaving.post("/guest/")
    farewell = leaving.post("/accounts/logout/", follow=True).content.decode()
    assert "notice" in farewell
    assert 'class="notice' not in page(Client(), "/")


def test_what_somebody_asks_for_is_not_what_all_see(time: Time, table: Table) -> None:
    page(Client(), "/?game=baccarat&limit=7")
    assert "limit=7" not in page(Client(), "/")


def test_a_table_that_is_not_there_is_looked_for_each_time(time: Time, db: None) -> None:
    assert Client().get("/tables/taipa/").status_code == 404
    House().table("taipa")
    assert Client().get("/tables/taipa/").status_code == 200


@pytest.mark.django_db
def test_readiness_stands_for_two_seconds(time: Time, settings: Any) -> None:
    assert Client().get("/readyz").status_code == 200
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    time.now += 1.9
    assert Client().get("/readyz").status_code == 200
    time.now += 0.2
    assert Client().get("/readyz").status_code == 503
