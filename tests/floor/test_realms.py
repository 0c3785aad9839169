"""What players and the pit see of tables where visitors at kiosks play: players nothing, the pit all of it, apart."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from tables.models import Account, Event, Kiosk, Player, Realm, Shoe, Table
from tables.pit import board as pit_board
from tables.pit.board import Buttons
from tables.pit.demo_floor import open_demo_floor
from tables.queries import statistics
from tables.queries.lobby import closed_tables, lobby_cards
from tables.services.kiosk import visitors
from tables.services.pit import adjustments, lifecycle
from tables.services.pit.opening import open_jackpot
from tests.house.kiosk_kit import Screen, boss, in_service, visitor
from tests.house.kit import House

from .pit_kit import browser, browser_of, member

DAY = "2066-11-22"
"""Macau's day when the clock of a house begins."""


@pytest.fixture
def both(house: House) -> Mapping[str, Table]:
    """A table of the floor where somebody has lost 100, and one for visitors where one has lost 7, on the same day."""
    tables = {slug: house.table(slug, game="roulette", realm=realm) for slug, realm in REALMS.items()}
    who = {"wheel": house.player("rui"), "mill": visitor(*in_service(house, tables["mill"]))}
    for slug, credits in (("wheel", 100), ("mill", 7)):
        house.throw(2)
        house.until(tables[slug], "betting")
        house.bet(who[slug], tables[slug], "red", credits)
        house.play_out(tables[slug])
    return tables


REALMS = {"wheel": Realm.FLOOR, "mill": Realm.KIOSKS}


# ── Players ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lobby_is_of_the_floor_alone(house: House, both: Mapping[str, Table]) -> None:
    assert [card.slug for card in lobby_cards(clock=house.clock)] == ["wheel"]
    page = Client().get("/").content.decode()
    assert "Wheel" in page and "Mill" not in page
    Table.objects.update(open=False)
    assert closed_tables() == ["wheel"]


def test_nobody_but_the_staff_finds_the_proofs_of_what_was_played_at_kiosks(house: House) -> None:
    garden, jade = house.table("garden", realm=Realm.KIOSKS), house.table("jade")
    wheels = {slug: house.table(slug, game="roulette", realm=realm) for slug, realm in REALMS.items()}
    who = {Realm.FLOOR: house.player("rui"), Realm.KIOSKS: visitor(*in_service(house, garden))}
    addresses: dict[int, list[str]] = {Realm.FLOOR: [], Realm.KIOSKS: []}
    for table in (garden, jade, *wheels.values()):
        house.until(table, "betting")
        house.bet(who[Realm(table.realm)], table, "player" if table.game == "baccarat" else "red", 10)
        log = house.play_out(table)
        addresses[table.realm] += (
            [f"/rounds/{log.pk}/throws/", f"/rounds/{log.pk}/throws/1.txt"]
            if table.game == "roulette"
            else [f"/shoes/{Shoe.objects.get(table=table, number=1).pk}/"]
        )
    staff, player = browser("surveillance"), browser_of(who[Realm.FLOOR])
    for path in addresses[Realm.FLOOR]:
        assert [client.get(path).status_code for client in (Client(), player, staff)] == [200] * 3, path
    for path in addresses[Realm.KIOSKS]:
        assert [client.get(path).status_code for client in (Client(), player, staff)] == [404, 404, 200], path


def test_the_page_of_a_jackpot_of_kiosks_is_not_there(house: House) -> None:
    house.table("guia", game="stud_poker")
    house.table("carmo", game="stud_poker", realm=Realm.KIOSKS)
    assert Client().get("/jackpots/guia/").status_code == 200
    assert Client().get("/jackpots/carmo/").status_code == 404


# ── The floor, as the pit sees it ───────────────────────────────────────────────────────────────────────────


def test_the_pit_sees_all_tables_and_which_are_for_visitors(house: House, both: Mapping[str, Table]) -> None:
    assert [(table.slug, table.realm) for table in pit_board.floor(clock=house.clock)] == [
        ("wheel", Realm.FLOOR),
        ("mill", Realm.KIOSKS),
    ]
    tiles = pit_board.floor_fragments(pit_board.floor(clock=house.clock), buttons=Buttons())
    assert "demo credits" in tiles["pit-table-mill"] and "demo credits" not in tiles["pit-table-wheel"]


def new_table(client: Client, **given: Any) -> Any:
    fields = {"name": "New", "slug": "newly", "game": "stud_poker", "float": "1000", "position": "0", **given}
    return client.post("/pit/tables/new/", fields)


@pytest.mark.parametrize("realm", Realm)
def test_a_pit_boss_opens_a_table_of_either_realm(house: House, realm: Realm) -> None:
    assert new_table(browser_of(boss()), realm=realm.value).status_code == 302
    table = Table.objects.get(slug="newly")
    assert table.jackpot is not None
    assert (table.realm, table.jackpot.realm) == (realm, realm)
    assert set(Account.objects.filter(table=table).values_list("realm", flat=True)) == {realm}
    assert Account.objects.get(kind="mint", realm=realm).balance < 0
    event = Event.objects.get(deed="table_opened")
    assert event.after is not None and event.after["realm"] == realm.name


def test_without_a_word_it_is_of_the_floor(house: House) -> None:
    new_table(browser_of(boss()))
    assert Table.objects.get(slug="newly").realm == Realm.FLOOR


@pytest.mark.parametrize("realm", Realm)
def test_he_never_links_a_jackpot_of_the_other_realm(house: House, realm: Realm) -> None:
    other = Realm.KIOSKS if realm == Realm.FLOOR else Realm.FLOOR
    open_jackpot("lisboa", "Lisboa", 500_000_00, realm=other, clock=house.clock)
    answer = new_table(browser_of(boss()), realm=realm.value, jackpot="lisboa")
    assert "This jackpot holds another kind of money." in answer.content.decode()
    with pytest.raises(ValueError, match="other money"):
        lifecycle.open_new(
            boss(), "newly", "New", "stud_poker", {}, float_cents=100_00, jackpot="lisboa", realm=realm,
            clock=house.clock,
        )  # fmt: skip
    assert not Table.objects.exists()


# ── Figures and reports ─────────────────────────────────────────────────────────────────────────────────────


def report(client: Client, **asked: Any) -> tuple[str, list[dict[str, str]], str]:
    """Page, sheet, and the name of the sheet."""
    span = {"period": "span", "since": DAY, "until": DAY, **asked}
    page, sheet = client.get("/pit/reports/", span), client.get("/pit/reports.csv", span)
    lines = list(csv.DictReader(io.StringIO(sheet.content.decode()[1:], newline="")))
    return page.content.decode(), lines, sheet["Content-Disposition"]


def whole(page: str) -> str:
    return page.split('id="report-whole"')[1].split("</section>")[0]


def test_the_two_kinds_of_money_are_never_added_up(house: House, both: Mapping[str, Table]) -> None:
    client = browser("surveillance")
    page, lines, name = report(client)
    assert [(line["Table"], line["Turnover"]) for line in lines] == [("Wheel", "100.00")]
    assert ">100<" in whole(page) and "107" not in whole(page)
    assert "Demo credits of visitors" not in page and "kiosks" not in name
    page, lines, name = report(client, realm=Realm.KIOSKS.value)
    assert [(line["Table"], line["Turnover"]) for line in lines] == [("Mill", "7.00")]
    assert ">7<" in whole(page) and "107" not in whole(page)
    assert "Demo credits of visitors" in page and "reports-kiosks-" in name


@pytest.mark.parametrize("realm", ["", "0", "1"])
def test_a_table_that_is_asked_for_is_told_with_its_own_money(
    house: House, both: Mapping[str, Table], realm: str
) -> None:
    client = browser("surveillance")
    for slug, marked in (("mill", True), ("wheel", False)):
        page, lines, _ = report(client, table=slug, realm=realm)
        assert [line["Table"] for line in lines] == [slug.title()]
        assert ("Demo credits of visitors" in page) is marked


@pytest.mark.parametrize("realm", ["2", "x", "-1"])
@pytest.mark.in_full
def test_of_a_realm_that_there_is_not_nothing_is_told_but_the_floor(
    house: House, both: Mapping[str, Table], realm: str
) -> None:
    _, lines, _ = report(browser("surveillance"), realm=realm)
    assert [line["Table"] for line in lines] == ["Wheel"]


def test_adjustments_of_no_round_are_told_apart_too(house: House, both: Mapping[str, Table]) -> None:
    rui, visiting = Player.objects.get(username="rui"), Player.objects.get(kiosk__isnull=False)
    for who, cents in ((rui, 20_00), (visiting, 3_00)):
        asked = adjustments.ask(boss(), who.pk, cents, "a mistake", clock=house.clock)
        adjustments.approve(member("shift_manager", f"for {who.pk}"), asked.pk, clock=house.clock)
    since, until = house.clock.at.replace(hour=0), house.clock.at.replace(hour=23)
    assert statistics.adjustments(since, until, Realm.FLOOR) == {None: 20_00}
    assert statistics.adjustments(since, until, Realm.KIOSKS) == {None: 3_00}


# ── People and the administration ───────────────────────────────────────────────────────────────────────────


def test_visitors_are_found_after_players_and_marked(house: House) -> None:
    kiosk, screen = in_service(house, name="Rui's bar")
    past = visitor(kiosk, screen)
    visitors.farewell(kiosk.pk, clock=house.clock)
    present, rui = visitor(kiosk, screen), house.player("rui")
    client = browser("surveillance")
    page = client.get("/pit/people/", {"q": "rui"}).content.decode()
    lines = [page.split(f'/pit/people/{one.pk}/"')[1].split("</tr>")[0] for one in (rui, present, past)]
    assert [page.index(f'/pit/people/{one.pk}/"') for one in (rui, present, past)] == sorted(
        page.index(f'/pit/people/{one.pk}/"') for one in (rui, present, past)
    )
    assert ["visitor at a kiosk" in line for line in lines] == [False, True, False]
    assert ["visitor, gone" in line for line in lines] == [False, False, True]
    about = client.get(f"/pit/people/{present.pk}/").content.decode()
    assert "visitor at the kiosk Rui&#x27;s bar, with demo credits" in about
    assert "visitor at" not in client.get(f"/pit/people/{rui.pk}/").content.decode()


def test_the_administration_shows_kiosks_without_what_their_screens_hold(house: House) -> None:
    kiosk, screen = in_service(house)
    screen.begin()
    visiting = visitor(kiosk, screen)
    Screen(house, "one that waits").ask()
    client = browser("shift_manager")
    kiosk = Kiosk.objects.get()
    for path in (
        "/pit/admin/tables/kiosk/", f"/pit/admin/tables/kiosk/{kiosk.pk}/change/", "/pit/admin/tables/player/",
        f"/pit/admin/tables/player/{visiting.pk}/change/", "/pit/admin/tables/table/", "/pit/admin/tables/account/",
    ):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 200, path
        for secret in (kiosk.token, kiosk.token_before, kiosk.screen):
            assert secret and secret not in answer.content.decode(), path
    assert client.get("/pit/admin/tables/pairing/").status_code == 404
    for guess in ("token", "token__startswith", "screen", "token_before__contains"):
        answer = client.get("/pit/admin/tables/kiosk/", {guess: "a"})
        assert answer.status_code in (302, 400), guess


def test_the_administration_corrects_neither_kiosks_nor_visitors(house: House) -> None:
    kiosk, screen = in_service(house)
    visiting = visitor(kiosk, screen)
    client = browser("shift_manager")
    for path, given in (
        (f"/pit/admin/tables/kiosk/{kiosk.pk}/change/", {"name": "Mine", "why": "x"}),
        (f"/pit/admin/tables/player/{visiting.pk}/change/", {"name": "Mine", "why": "x"}),
    ):
        assert client.post(path, given).status_code == 403
    assert Kiosk.objects.get().name == "Lobby" and Player.objects.get(pk=visiting.pk).name == visiting.name


# ── The demonstration floor ─────────────────────────────────────────────────────────────────────────────────


def test_the_demonstration_floor_has_a_table_of_each_game_for_visitors(house: House) -> None:
    tables = open_demo_floor(clock=house.clock)
    kiosks = [table for table in tables if table.realm == Realm.KIOSKS]
    assert sorted(table.game for table in kiosks) == sorted({table.game for table in tables})
    assert {card.slug for card in lobby_cards(clock=house.clock)} == {
        table.slug for table in tables if table.realm == Realm.FLOOR
    }
    assert all(table.jackpot is None or table.jackpot.realm == table.realm for table in tables)
    assert open_demo_floor(clock=house.clock) == tables, "the second time nothing is opened"
