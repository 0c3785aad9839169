"""Several accounts of one place at one table with private hands: the pit is told, and nothing is forbidden."""

from __future__ import annotations

from tables.models import Alert, Realm, TableOrigin
from tables.services.journal import alerts
from tables.services.players import origins
from tables.services.rounds import seating

from .kit import House


def told() -> list[str]:
    return [str(alerts.words_of(one)) for one in Alert.objects.filter(kind="shared").order_by("pk")]


def test_two_of_one_address_are_told_to_the_pit_once_a_day(house: House) -> None:
    table, ana, rui = house.table(game="stud_poker"), house.player("ana"), house.player("rui")
    origins.note(table.pk, ana.pk, "192.0.2.7", clock=house.clock)
    assert told() == []
    for _ in range(3):
        origins.note(table.pk, rui.pk, "192.0.2.7", clock=house.clock)
    assert told() == ["Rui, Ana come from one address"]
    assert Alert.objects.get().table == table
    assert not any("192.0.2.7" in str(row) for row in TableOrigin.objects.values_list())


def test_addresses_of_one_house_count_as_one_and_others_do_not(house: House) -> None:
    table = house.table(game="stud_poker")
    people = [house.player(name) for name in ("ana", "rui", "bea", "leo")]
    for player, address in zip(
        people, ("2001:db8:0:1::7", "2001:db8:0:1:ffff::8", "2001:db8:0:2::7", "unknown"), strict=True
    ):
        origins.note(table.pk, player.pk, address, clock=house.clock)
    assert told() == ["Rui, Ana come from one address"]


def test_who_has_left_is_forgotten_and_who_sits_is_not(house: House) -> None:
    table, ana, rui = house.table(game="stud_poker"), house.player("ana"), house.player("rui")
    bea = house.player("bea")
    seating.sit(bea.pk, table.pk, 3, clock=house.clock)
    for player, address in ((ana, "192.0.2.7"), (bea, "192.0.2.9")):
        origins.note(table.pk, player.pk, address, clock=house.clock)
    house.clock.pass_(minutes=16)
    origins.note(table.pk, rui.pk, "192.0.2.7", clock=house.clock)
    assert told() == []
    assert set(TableOrigin.objects.values_list("player", flat=True)) == {bea.pk, rui.pk}
    origins.note(table.pk, ana.pk, "192.0.2.9", clock=house.clock)
    assert told() == ["Ana, Bea come from one address"]


def test_open_games_and_kiosks_are_left_alone(house: House) -> None:
    ana, rui = house.player("ana"), house.player("rui")
    for table in (house.table(), house.table("k", game="stud_poker", realm=Realm.KIOSKS)):
        for player in (ana, rui):
            origins.note(table.pk, player.pk, "192.0.2.7", clock=house.clock)
    assert told() == [] and not TableOrigin.objects.exists()
