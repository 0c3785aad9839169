"""Numbers that are typed in the pit: plain digits, within bounds; all others are refused with a reason, never a 500."""

from __future__ import annotations

import pytest
from django.test import Client

from tables.models import Adjustment, ApprovalRequest, Kiosk, Restriction, Table, Transfer
from tests.house.kit import House

from .pit_kit import browser, like, member

pytestmark = pytest.mark.django_db

NO_AMOUNTS = ("٣", "３", "1_000", "1e5", "1E2", "0x10", "9" * 25, "-" + "9" * 25, "1,000", "½", "²", "Infinity", "NaN")
"""What Python or Django takes for a number, or what no column holds."""


@pytest.fixture(scope="module")
def managers(lasting_db: None) -> Client:
    """The browser of a shift manager, who is not the only one."""
    member("shift_manager", "second")
    return browser("shift_manager")


@pytest.fixture
def client(managers: Client, db: None) -> Client:
    return like(managers)


@pytest.mark.parametrize("typed", NO_AMOUNTS)
@pytest.mark.parametrize(
    ("form", "field", "more"),
    [
        ("comp", "comp-credits", {"comp-why": "x", "comp-ref": "a" * 32}),
        ("adjust", "adjust-credits", {"adjust-why": "x"}),
        ("adjust", "adjust-round", {"adjust-credits": "5", "adjust-why": "x"}),
        ("restrict", "restrict-credits", {"restrict-kind": "limit", "restrict-minutes": "60", "restrict-why": "x"}),
    ],
)
def test_of_a_player(client: Client, form: str, field: str, more: dict[str, str], typed: str) -> None:
    ana = House().player("ana")
    answer = client.post(f"/pit/people/{ana.pk}/{form}/", {**more, field: typed})
    assert answer.status_code == 400 and "field__error" in answer.content.decode()
    assert not any(kind.objects.exists() for kind in (Adjustment, Restriction, ApprovalRequest))
    assert not Transfer.objects.filter(reason="comp").exists()


@pytest.mark.parametrize("typed", NO_AMOUNTS)
@pytest.mark.parametrize("field", ["float", "position", "most"])
def test_of_a_new_table(client: Client, field: str, typed: str) -> None:
    fields = {"name": "Ruby", "slug": "ruby", "game": "baccarat", "most": "5", "float": "5000", "position": "3"}
    answer = client.post("/pit/tables/new/", {**fields, field: typed})
    assert answer.status_code == 200 and "field__error" in answer.content.decode()
    assert not Table.objects.exists() and not ApprovalRequest.objects.exists()


@pytest.mark.parametrize("typed", NO_AMOUNTS)
def test_of_a_table_that_is_there(client: Client, typed: str) -> None:
    table = House().table(min_bet=10_00, max_bet=900_00)
    before = Table.objects.filter(pk=table.pk).values("options", "times", "open").get()
    for path, fields in (
        ("limits", {"min_bet": typed, "max_bet": "900"}),
        ("limits", {"min_bet": "10", "max_bet": "900", "time.betting": typed}),
        ("chips", {"kind": "fill", "credits": typed}),
    ):
        page = client.post(f"/pit/tables/{table.slug}/{path}/", fields, follow=True)
        assert page.status_code == 200 and "notice--refused" in page.content.decode(), path
    assert Table.objects.filter(pk=table.pk).values("options", "times", "open").get() == before


@pytest.mark.parametrize("typed", NO_AMOUNTS)
def test_of_rounds_people_and_kiosks(client: Client, typed: str) -> None:
    table = House().table()
    for name in ("id", "number"):
        assert "field__error" in client.get("/pit/rounds/", {name: typed}).content.decode()
    assert client.get("/pit/rounds/", {"player": typed}).status_code == 200
    assert client.get("/pit/people/", {"q": typed}).status_code == 200
    fields = {
        "name": "Lobby",
        "place": "",
        "credits": typed,
        "idle_seconds": "60",
        "tables": table.pk,
        "language": "en",
    }
    assert client.post("/pit/kiosks/new/", fields).status_code < 500
    assert not Kiosk.objects.exists()


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "9" * 25])
def test_of_addresses(client: Client, number: str) -> None:
    for path in (
        f"people/{number}",
        f"rounds/{number}",
        f"approvals/{number}/approve",
        f"adjustments/{number}/approve",
    ):
        for ask in (client.get, client.post):
            assert ask(f"/pit/{path}/").status_code in (302, 404, 405), path


def test_plain_amounts_are_taken(client: Client) -> None:
    house = House()
    ana = house.player("ana")
    client.post(f"/pit/people/{ana.pk}/comp/", {"comp-credits": " 25.50 ", "comp-why": "x", "comp-ref": "a" * 32})
    assert house.balance(ana) == 1_000_000 + 25_50
    client.post(f"/pit/people/{ana.pk}/adjust/", {"adjust-credits": "-7", "adjust-why": "x"})
    assert Adjustment.objects.get().cents == -7_00
