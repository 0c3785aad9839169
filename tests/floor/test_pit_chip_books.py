"""The books of the chips: slips with their numbers, the inventory sheet by denomination, and counts."""

from __future__ import annotations

import re
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from tables.base.rights import Right
from tables.models import Account, ChipOrder, Event, FloatCount, Player, Slip, Table
from tables.services.journal.severity import Severity
from tables.services.pit.chip_books import count_float, print_slip
from tables.services.pit.floats import confirm_chips, order_chips, refuse_chips
from tables.templatetags.alerts import open_alerts
from tables.views.pit.chip_books import Stack
from tests.house.kit import House, undone

from .pit_kit import ROLES, approve, browser, browser_of, member, those_who_may

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Player:
    return member("pit_boss", "boss")


@pytest.fixture
def cage() -> Player:
    return member("cage")


def moves(house: House, table: Table, boss: Player, cage: Player, kind: str, cents: int) -> ChipOrder:
    """A fill or a credit that was asked for and confirmed."""
    order = order_chips(boss, table.pk, kind, cents, "a big night", clock=house.clock)
    confirm_chips(cage, order.pk, clock=house.clock)
    order.refresh_from_db()
    return order


def said(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return words(answer.content.decode())


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html.split("<main")[1]).split())


# ── Slips ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_slips_are_numbered_without_a_gap_as_the_chips_move(house: House, boss: Player, cage: Player) -> None:
    table, other = house.table(), house.table("lotus")
    first = moves(house, table, boss, cage, "fill", 2_000_00)
    refused = order_chips(boss, table.pk, "fill", 1_000_00, clock=house.clock)
    refuse_chips(cage, refused.pk, "too much", clock=house.clock)
    second = moves(house, other, boss, cage, "fill", 3_000_00)
    credit = moves(house, table, boss, cage, "credit", 500_00)
    numbers = {slip.order_id: (slip.kind, slip.number) for slip in Slip.objects.all()}
    assert numbers == {first.pk: ("fill", 1), second.pk: ("fill", 2), credit.pk: ("credit", 1)}
    house.in_order()


def test_the_audit_finds_a_slip_that_is_missing_or_numbered_anew(house: House, boss: Player, cage: Player) -> None:
    table = house.table()
    for cents in (100_00, 200_00):
        moves(house, table, boss, cage, "fill", cents)
    with undone():
        Slip.objects.filter(number=1).update(number=7)
        with pytest.raises(AssertionError, match="the numbers of the fill slips have gaps"):
            house.in_order()
        Slip.objects.filter(number=7).delete()
        with pytest.raises(AssertionError, match="not each confirmed fill has its slip"):
            house.in_order()


def test_the_slip_says_who_asked_who_confirmed_and_by_denomination(house: House, boss: Player, cage: Player) -> None:
    table = house.table()
    order = moves(house, table, boss, cage, "fill", 2_660_00)
    slip = said(browser("surveillance"), f"/pit/slips/{order.pk}/")
    assert "Fill slip no. 1" in slip and "Jade" in slip and "a big night" in slip
    assert "boss" in slip and "cage-one" in slip
    assert "1,000 2 2,000 500 1 500 100 1 100 50 1 50 10 1 10" in slip
    assert "Copy for reading, not a slip" in slip
    assert "Fill slip no. 1" in said(browser_of(boss), "/pit/chips/")
    assert "Fill slip no. 1" in said(browser_of(boss), "/pit/tables/jade/inventory/")


def test_a_reprint_says_that_it_is_one(house: House, boss: Player, cage: Player) -> None:
    order, client = moves(house, house.table(), boss, cage, "credit", 50_00), browser_of(cage)
    first, second = (client.post(f"/pit/slips/{order.pk}/print/").content.decode() for _ in range(2))
    assert "data-print" in first and "REPRINT" not in first and "Copy for reading" not in first
    assert "data-print" in second and "REPRINT 1" in words(second)
    after = said(client, f"/pit/slips/{order.pk}/")
    assert "Printed 2 times." in after and "Copy for reading, not a slip" in after
    told = Event.objects.filter(deed=Event.Kind.SLIP_PRINTED).order_by("seq").values_list("after__printed", flat=True)
    assert list(told) == [1, 2]


def test_who_waits_or_was_refused_has_no_slip(house: House, boss: Player, cage: Player) -> None:
    order = order_chips(boss, house.table().pk, "fill", 100_00, clock=house.clock)
    client = browser_of(cage)
    assert client.get(f"/pit/slips/{order.pk}/").status_code == 404
    assert client.post(f"/pit/slips/{order.pk}/print/").status_code == 404
    house.refused(lambda: print_slip(cage, order.pk, clock=house.clock))
    approve(cage, f"/pit/chips/{order.pk}/confirm/")
    assert client.get(f"/pit/slips/{order.pk}/").status_code == 200


# ── The inventory sheet ─────────────────────────────────────────────────────────────────────────────────────


def test_the_sheet_has_opener_fills_credits_and_what_lies_there_by_denomination(
    house: House, boss: Player, cage: Player
) -> None:
    table = house.table()
    for cents in (2_000_00, 60_00):
        moves(house, table, boss, cage, "fill", cents)
    moves(house, table, boss, cage, "credit", 500_00)
    sheet = said(browser_of(boss), "/pit/tables/jade/inventory/")
    assert "Denomination Opener Fills Chip credits to cage Current float 100,000 10 0 0 10" in sheet
    assert "1,000 0 2 0 1 500 0 0 1 1 100 0 0 0 0 50 0 1 0 1 10 0 1 0 1" in sheet


@pytest.mark.parametrize(
    ("cents", "pieces", "rest"),
    [
        (0, {}, 0),
        (-5_00, {}, 0),
        (99, {}, 99),
        (166_660_50, {100_000: 1, 10_000: 6, 1_000: 6, 500: 1, 100: 1, 50: 1, 10: 1}, 50),
    ],
)
def test_an_amount_in_chips(cents: int, pieces: dict[int, int], rest: int) -> None:
    stack = Stack.of(cents)
    assert {value: count for value, count in stack.pieces.items() if count} == pieces
    assert stack.rest == rest
    assert sum(amount for _, _, amount in stack.lines()) + rest == max(cents, 0)


# ── Counts ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_float_is_counted_and_what_differs_is_explained(house: House, cage: Player) -> None:
    table, client = house.table(), browser_of(cage)
    before = Account.objects.get(kind="float", table=table).balance
    assert before == 1_000_000_00
    right = client.post("/pit/tables/jade/count/", {"of_100000": "9", "of_10000": "10"}, follow=True)
    assert "Count sheet no. 1" in words(right.content.decode())
    assert "signed" not in right.content.decode().split("Variance")[1][:10]
    short = {"of_100000": "9", "of_10000": "9", "of_1000": "9", "rest": "50"}
    refused = client.post("/pit/tables/jade/count/", short)
    assert refused.status_code == 400 and "Say what explains the difference." in refused.content.decode()
    assert FloatCount.objects.count() == 1
    done = client.post("/pit/tables/jade/count/", {**short, "why": "a chip lay under the tray"}, follow=True)
    sheet = words(done.content.decode())
    assert "Count sheet no. 2" in sheet and "−999.50" in sheet and "a chip lay under the tray" in sheet
    count = FloatCount.objects.get(number=2)
    assert (count.cents, count.expected, count.variance) == (999_000_50, before, -999_50)
    assert Account.objects.get(kind="float", table=table).balance == before, "a count moves nothing"
    event = Event.objects.filter(deed=Event.Kind.FLOAT_COUNTED).latest("seq")
    assert (event.before, event.after) == ({"float": before}, {"float": 999_000_50, "number": 2})
    assert "−999.50" in said(client, "/pit/tables/jade/inventory/")
    (alert,) = open_alerts()
    assert alert.severity is Severity.ATTENTION
    assert str(alert.words) == "999.50 are missing by count no. 2: a chip lay under the tray"
    assert "999.50 are missing by count no. 2" in said(browser("pit_boss"), "/pit/")


def test_whoever_counts_does_not_read_beforehand_what_it_should_be(house: House, cage: Player) -> None:
    house.table()
    form = said(browser_of(cage), "/pit/tables/jade/count/")
    assert "Chips of 100,000" in form and "1,000,000" not in form


@pytest.mark.parametrize(
    "typed", [{"of_100000": "-1"}, {"of_1": "1000001"}, {"rest": "100"}, {"of_5": "١"}, {"of_5": "1.5"}]
)
def test_what_nobody_counts_is_refused(house: House, cage: Player, typed: dict[str, str]) -> None:
    house.table()
    answer = browser_of(cage).post("/pit/tables/jade/count/", {**typed, "why": "x"})
    assert answer.status_code == 400 and "field__error" in answer.content.decode()
    assert not FloatCount.objects.exists()


def test_the_service_refuses_the_same(house: House, cage: Player) -> None:
    table = house.table()
    for chips, rest in (({3: 1}, 0), ({5: -1}, 0), ({5: 10**7}, 0), ({5: 1}, 100), ({5: 1}, -1)):
        house.refused(partial(count_float, cage, table.pk, chips, rest, "x", clock=house.clock))
    house.refused(partial(count_float, cage, table.pk, {5: 1}, 0, "  ", clock=house.clock))


def test_a_count_is_never_changed(house: House, cage: Player) -> None:
    count = count_float(cage, house.table().pk, {100_000: 10}, 0, clock=house.clock)
    for deed in (
        lambda: FloatCount.objects.filter(pk=count.pk).update(cents=1),
        lambda: FloatCount.objects.filter(pk=count.pk).delete(),
    ):
        with pytest.raises(DatabaseError, match="insert-only"), transaction.atomic():
            deed()
    with pytest.raises(IntegrityError), transaction.atomic():
        FloatCount.objects.create(
            table=count.table, number=9, chips={}, cents=0, expected=1, by=cage, at=house.clock.now()
        )


def test_those_who_may_count_are_asked_to(house: House) -> None:
    house.table()
    assert those_who_may(Right.COUNT) == {"pit_boss", "shift_manager", "cage"}
    for role in ROLES:
        offered = "Count the float" in said(browser(role), "/pit/tables/jade/inventory/")
        assert offered == (role in those_who_may(Right.COUNT))
