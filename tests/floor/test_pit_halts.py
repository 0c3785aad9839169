"""The switch on the page of the floor, and what players read of it."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from tables.felt.public import public_fragments
from tables.models import ApprovalRequest, Halt, Realm
from tables.queries.table import table_state
from tables.services.pit import approvals, halts, holding
from tables.services.pit.deeds import Void
from tests.house.kit import House

from .kiosk_kit import a_kiosk, visited
from .pit_kit import approve, browser, browser_of, member

pytestmark = pytest.mark.django_db

LANGUAGES = ("zh-hant", "pt", "en")
STOPPED = "The house has stopped new rounds for now"


@pytest.fixture
def house() -> House:
    return House()


def test_one_stops_the_floor_on_its_page_and_two_let_it_go_on(house: House) -> None:
    house.table()
    boss, second = member("pit_boss"), member("pit_boss", "second")
    client = browser_of(boss)
    assert "Stop new rounds" in client.get("/pit/").content.decode()
    page = client.post("/pit/halt/", {"game": "", "why": " "}, follow=True).content.decode()
    assert "Give a reason." in page and not Halt.objects.exists()
    page = client.post("/pit/halt/", {"game": "", "why": "smoke"}, follow=True).content.decode()
    assert "No new round is begun there." in page and "smoke" in page and "the whole floor" in page
    assert "new rounds stopped" in page
    page = client.post("/pit/halt/end/", {"game": "", "why": "it is gone"}, follow=True).content.decode()
    assert "A second person must approve it." in page and Halt.objects.get().ended_at is None
    assert "New rounds again: the whole floor" in browser_of(second).get("/pit/approvals/").content.decode()
    approve(second)
    halt = Halt.objects.get()
    assert (halt.ended_by, halt.approved_by) == (boss, second) and halt.ended_at is not None
    assert ApprovalRequest.objects.get().state == "approved"


def test_surveillance_reads_it_and_has_no_button(house: House) -> None:
    halts.stop(member("pit_boss"), "roulette", "the ball is lost")
    page = browser("surveillance").get("/pit/").content.decode()
    assert "the ball is lost" in page and "/pit/halt/" not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_it_in_the_lobby_and_at_the_table(house: House, language: str) -> None:
    table, other = house.table(), house.table("wheel", game="roulette")
    ana = house.player("ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    client = Client()
    client.cookies["django_language"] = language
    with translation.override(language):
        stopped, after = gettext(STOPPED), gettext("No new round after this one")
    halts.stop(member("pit_boss"), "baccarat", "a count", clock=house.clock)
    lobby = unescape(client.get("/").content.decode())
    assert lobby.count(stopped) == 1 and "a count" not in lobby
    assert after in unescape(client.get(f"/tables/{table.slug}/").content.decode())
    house.play_out(table)
    with translation.override(language):
        assert stopped in unescape(public_fragments(table_state(table.pk))["rail"])
        assert stopped not in unescape(public_fragments(table_state(other.pk))["rail"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_visitors_at_kiosks_read_it_too(house: House, language: str) -> None:
    garden = house.table("garden", realm=Realm.KIOSKS)
    other = house.table("wheel", game="roulette", realm=Realm.KIOSKS)
    device = visited(a_kiosk(garden, other))
    device.browser.post("/kiosk/language/", {"language": language})
    halts.stop(member("pit_boss"), "baccarat", "a count", clock=house.clock)
    with translation.override(language):
        stopped = gettext(STOPPED)
    page = unescape(device.browser.get("/kiosk/choose/").content.decode())
    assert page.count(stopped) == 1 and "a count" not in page
    assert stopped in unescape(device.browser.get("/kiosk/tables/garden/").content.decode())


def test_the_felt_says_that_a_round_is_held_and_for_how_long_the_pit_reads(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    boss, second = member("pit_boss"), member("pit_boss", "second")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    request = approvals.ask(boss, Void(house.log(table).pk, "cancelled", None, "ref"), "the cards fell")
    assert "The pit looks at this round: it waits" in public_fragments(table_state(table.pk))["rail"]
    assert "the round is held until" in browser_of(second).get("/pit/approvals/").content.decode()
    approvals.refuse(second, request.pk, "nothing fell", clock=house.clock)
    assert "The pit looks at this round" not in public_fragments(table_state(table.pk))["rail"]


def test_of_a_frozen_round_the_pit_reads_no_end_and_not_that_it_goes_on(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    boss, second = member("pit_boss"), member("pit_boss", "second")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    log = house.log(table)
    looking, goes_on = f"/pit/rounds/{log.pk}/rule/?what=cancelled", "The round goes on while you read."
    assert goes_on in browser_of(boss).get(looking).content.decode()
    holding.freeze(boss, table.pk, clock=house.clock)
    page = browser_of(boss).get(looking).content.decode()
    assert goes_on not in page and "The round stands still while you read." in page
    approvals.ask(boss, Void(log.pk, "cancelled", None, "ref"), "the cards fell")
    page = browser_of(second).get("/pit/approvals/").content.decode()
    assert "the round is frozen" in page and "the round is held until" not in page
