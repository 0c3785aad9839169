"""People and their credits: welcomed once, topped up when nearly broke, guests who keep what they have."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from tables.games.contract.errors import Refused
from tables.models import Account, Player, Table, Transfer
from tables.services.players import people
from tables.services.players.people import FIRST_CREDITS, NEARLY_BROKE

from .kit import House


def _left_with(house: House, player: Player, credits: int) -> None:
    """Let the player lose all but so many credits at a table."""
    table = house.table(f"table-{Table.objects.count()}", max_bet=100_000_000)
    house.stack("4s Kc 5d 7h")  # the Player wins
    house.until(table, "betting")
    house.bet(player, table, "banker", house.balance(player) // 100 - credits)
    house.play_out(table)
    assert house.balance(player) == credits * 100


def test_a_new_player_gets_ten_thousand_credits_from_the_mint(house: House) -> None:
    ana = house.player("ana")
    assert house.balance(ana) == FIRST_CREDITS == 1_000_000
    given = Transfer.objects.get(credit__player=ana)
    assert (given.debit.kind, given.reason) == ("mint", "welcome")


def test_nobody_is_welcomed_twice(house: House) -> None:
    ana = house.player("ana")
    people.welcome(ana, clock=house.clock)
    assert house.balance(ana) == FIRST_CREDITS
    assert Account.objects.filter(player=ana).count() == 1


def test_guests_have_names_of_their_own_and_no_password(house: House) -> None:
    one, two = people.new_guest(clock=house.clock), people.new_guest(clock=house.clock)
    assert one.name != two.name
    assert {one.guest, two.guest} == {True}
    assert not one.has_usable_password()
    assert house.balance(one) == house.balance(two) == FIRST_CREDITS


def test_who_has_enough_gets_no_more(house: House) -> None:
    ana = house.player("ana")
    refusal = house.refused(lambda: people.top_up(ana.pk, clock=house.clock))
    assert "500.00" in str(refusal)
    _left_with(house, ana, NEARLY_BROKE // 100)
    house.refused(lambda: people.top_up(ana.pk, clock=house.clock))
    assert house.balance(ana) == NEARLY_BROKE


def test_who_is_nearly_broke_is_brought_back_to_the_first_credits(house: House) -> None:
    ana = house.player("ana")
    _left_with(house, ana, 499)
    assert people.top_up(ana.pk, clock=house.clock) == FIRST_CREDITS - 49_900
    assert house.balance(ana) == FIRST_CREDITS


@pytest.mark.parametrize(("seconds", "wait"), [(0, "60 min"), (60, "59 min"), (3599, "1 min")])
def test_who_has_just_had_more_is_told_how_long_to_wait(house: House, seconds: int, wait: str) -> None:
    ana = house.player("ana")
    _left_with(house, ana, 0)
    people.top_up(ana.pk, clock=house.clock)
    given_at = house.clock.at
    _left_with(house, ana, 0)
    house.clock.at = given_at
    house.clock.pass_(seconds=seconds)
    assert wait in str(house.refused(lambda: people.top_up(ana.pk, clock=house.clock)))
    assert house.balance(ana) == 0


def test_after_an_hour_he_may_ask_again(house: House) -> None:
    ana = house.player("ana")
    _left_with(house, ana, 0)
    people.top_up(ana.pk, clock=house.clock)
    given_at = house.clock.at
    _left_with(house, ana, 0)
    house.clock.at = given_at
    house.clock.pass_(hours=1)
    people.top_up(ana.pk, clock=house.clock)
    assert house.balance(ana) == FIRST_CREDITS
    assert Transfer.objects.filter(credit__player=ana, reason="top-up").count() == 2


# ── At the same moment ──────────────────────────────────────────────────────────────────────────────────────


def _at_once(deed: Callable[[], object], times: int) -> list[object]:
    """Do something from several threads, each with a connection of its own; what each got, or its refusal."""

    def one(_: int) -> object:
        try:
            return deed()
        except Refused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(one, range(times)))


def test_guests_who_come_at_the_same_moment_are_different_people(transactional_db: None) -> None:
    names = _at_once(lambda: people.new_guest().name, 8)
    assert len(set(names)) == 8
    assert list(Account.objects.filter(kind="player").values_list("balance", flat=True)) == [FIRST_CREDITS] * 8
    House().in_order()


def test_who_asks_several_times_at_the_same_moment_gets_once(transactional_db: None) -> None:
    house = House()
    ana = house.player("ana")
    _left_with(house, ana, 0)
    answers = _at_once(lambda: people.top_up(ana.pk, clock=house.clock), 6)
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused"] * 5 + ["int"]
    assert house.balance(ana) == FIRST_CREDITS
    house.in_order()
