"""The page of all that waits for a second person, and the code that whoever approves shows."""

from __future__ import annotations

import pytest

from tables.models import Adjustment, ApprovalRequest, ChipOrder, Player, Table, Transfer
from tables.services.pit import adjustments, approvals
from tables.services.pit.deeds import Comp
from tables.services.pit.floats import order_chips
from tests.house.kit import House

from .pit_kit import approve, browser_of, fresh_code_of, member

pytestmark = pytest.mark.django_db

MUCH = 5_000_00 + 10_000_00


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def managers() -> tuple[Player, Player]:
    return member("shift_manager"), member("shift_manager", "other")


def asked(house: House, by: Player) -> ApprovalRequest:
    return approvals.ask(by, Comp(house.player("ana").pk, MUCH), "a birthday")


def test_a_large_comp_is_asked_for_on_the_page_and_approved_with_a_code(
    house: House, managers: tuple[Player, Player]
) -> None:
    manager, other = managers
    ana = house.player("ana")
    mine = browser_of(manager)
    said = {"comp-credits": "15000", "comp-why": "a birthday", "comp-ref": "a" * 32}
    page = mine.post(f"/pit/people/{ana.pk}/comp/", said, follow=True).content.decode()
    assert "A second person must approve it." in page and not Transfer.objects.filter(reason="comp").exists()
    request = ApprovalRequest.objects.get()
    link = f"/pit/approvals/{request.pk}/approve/"
    listed = mine.get("/pit/approvals/").content.decode()
    assert "15,000.00 to Ana" in listed and "a birthday" in listed and link not in listed and "Take it back" in listed
    assert link in browser_of(other).get("/pit/approvals/").content.decode()
    assert "Approved, and done." in approve(other).content.decode()
    assert house.balance(ana) == 1_000_000 + 15_000_00
    told = mine.get("/pit/").content.decode()
    assert "Comp, which you asked for: other has approved it." in told
    assert "which you asked for" not in mine.get("/pit/").content.decode(), "told once"


@pytest.mark.parametrize("code", [None, "", "abcdef", "12345", "000000 1", "١٢٣٤٥٦", "12345678"])
def test_without_a_code_nothing_is_approved(house: House, managers: tuple[Player, Player], code: str | None) -> None:
    manager, other = managers
    request = asked(house, manager)
    fields = {} if code is None else {"code": code}
    page = browser_of(other).post(f"/pit/approvals/{request.pk}/approve/", fields, follow=True).content.decode()
    assert "Type the code that your app shows now." in page
    request.refresh_from_db()
    assert request.state == "waiting"


def test_a_wrong_code_and_a_used_one_approve_nothing(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    request = asked(house, manager)
    used = code_used_by(other)
    client, wrong = browser_of(other), f"{(int(used) + 1) % 1_000_000:06}"
    for given in (wrong, used):
        page = client.post(f"/pit/approvals/{request.pk}/approve/", {"code": given}, follow=True).content.decode()
        assert "That code is wrong or has expired." in page
    request.refresh_from_db()
    assert request.state == "waiting" and not Transfer.objects.filter(reason="comp").exists()


def code_used_by(player: Player) -> str:
    """A code of this member that has just approved something else."""
    code = fresh_code_of(player)
    table = Table.objects.first() or House().table()
    order = order_chips(member("pit_boss"), table.pk, "fill", 100_00)
    browser_of(player).post(f"/pit/chips/{order.pk}/confirm/", {"code": code})
    order.refresh_from_db()
    assert order.state == "confirmed"
    return code


def test_chips_and_adjustments_want_a_code_too_and_stand_in_the_same_list(
    house: House, managers: tuple[Player, Player]
) -> None:
    _, other = managers
    boss, ana, table = member("pit_boss"), house.player("ana"), house.table()
    order = order_chips(boss, table.pk, "fill", 700_00, "a busy night")
    asked = adjustments.ask(boss, ana.pk, 25_50, "misread card")
    client = browser_of(other)
    page = client.get("/pit/approvals/").content.decode()
    for part in ("700.00 at Jade", "25.50 to Ana", "a busy night", "misread card"):
        assert part in page
    confirm, agree = f"/pit/chips/{order.pk}/confirm/", f"/pit/adjustments/{asked.pk}/approve/"
    assert confirm in page and agree in page
    for address in (confirm, agree):
        assert "Type the code" in client.post(address, follow=True).content.decode()
    assert ChipOrder.objects.get().state == Adjustment.objects.get().state == "requested"
    for address in (confirm, agree):
        approve(other, address)
    assert ChipOrder.objects.get().state == "confirmed" and Adjustment.objects.get().state == "approved"
    assert "Nothing waits." in client.get("/pit/approvals/").content.decode()


def test_a_request_is_refused_with_a_reason_and_taken_back_by_who_asked(
    house: House, managers: tuple[Player, Player]
) -> None:
    manager, other = managers
    request = asked(house, manager)
    client, path = browser_of(other), f"/pit/approvals/{request.pk}/refuse/"
    assert "Give a reason." in client.post(path, {"why": " "}, follow=True).content.decode()
    client.post(path, {"why": "not this week"})
    request.refresh_from_db()
    assert request.state == "refused"
    assert "not this week" in browser_of(manager).get("/pit/").content.decode()
    again = approvals.ask(manager, Comp(Player.objects.get(name="Ana").pk, MUCH), "a birthday")
    browser_of(manager).post(f"/pit/approvals/{again.pk}/refuse/", {"why": "a slip"})
    again.refresh_from_db()
    assert again.state == "withdrawn"


def test_surveillance_reads_what_waits_and_has_no_button(house: House, managers: tuple[Player, Player]) -> None:
    asked(house, managers[0])
    page = browser_of(member("surveillance")).get("/pit/approvals/").content.decode()
    assert "15,000.00 to Ana" in page and "/approve/" not in page and "/refuse/" not in page


def test_the_alert_leads_to_the_list(house: House, managers: tuple[Player, Player]) -> None:
    asked(house, managers[0])
    page = browser_of(managers[1]).get("/pit/").content.decode()
    assert '<a href="/pit/approvals/">shift_manager-one asks for it: Comp</a>' in page


def test_a_table_with_a_large_float_waits_for_the_cage(house: House) -> None:
    boss, cage = member("pit_boss"), member("cage")
    fields = {
        "name": "Ruby", "slug": "ruby", "game": "baccarat", "most": "500", "float": "2000000", "position": "0",
        "realm": "0",
    }  # fmt: skip
    page = browser_of(boss).post("/pit/tables/new/", fields, follow=True).content.decode()
    assert "A second person must approve it." in page and not Table.objects.filter(slug="ruby").exists()
    approve(cage)
    assert Table.objects.get(slug="ruby").open


def test_an_address_is_changed_in_the_administration_by_two(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    fields = {"name": "Ana S.", "email": "evil@example.com", "is_active": "on", "why": "so"}
    page = browser_of(manager).post(f"/pit/admin/tables/player/{ana.pk}/change/", fields, follow=True)
    assert "waits for a second person" in page.content.decode()
    ana.refresh_from_db()
    assert (ana.name, ana.email) == ("Ana S.", "")
    approve(other)
    ana.refresh_from_db()
    assert ana.email == "evil@example.com"
