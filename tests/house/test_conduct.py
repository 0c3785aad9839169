"""What the pit does about players: it holds, it ends, and it moves no cent but what was approved."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tables.models import Adjustment, Event, Player, Restriction, Seat, Transfer
from tables.services.pit import adjustments, sanctions
from tables.services.players import chat
from tables.services.rounds import seating

from .kit import House, why_not

pytestmark = pytest.mark.django_db


def staff(role: str, name: str = "") -> Player:
    """Somebody of the staff."""
    return Player.objects.create(username=name or role, name=name or role, role=role)


# ── Restrictions ────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_is_excluded_neither_sits_nor_stakes_and_what_lies_is_played(house: House) -> None:
    table, ana = house.table(), house.player("Ana")
    house.attend(table, ana)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    boss = staff("shift_manager")
    until = house.clock.now() + timedelta(days=1)
    sanctions.restrict(boss, ana.pk, "exclusion", "card counting", until=until, clock=house.clock)
    assert "excluded you" in why_not(lambda: house.bet(ana, table, "banker", 100))
    assert "excluded you" in why_not(lambda: seating.sit(ana.pk, table.pk, 2, clock=house.clock))
    assert Seat.objects.filter(player=ana).exists(), "his seat goes after the round"
    log = house.play_out(table)
    assert log.played.get(player=ana).staked == 100_00
    house.until(table, "betting")
    assert not Seat.objects.filter(player=ana).exists()
    house.clock.pass_(days=1)
    house.attend(table, ana)
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    house.in_order()


def test_an_exclusion_for_good_ends_when_it_is_lifted(house: House) -> None:
    table, ana, boss = house.table(), house.player("Ana"), staff("shift_manager")
    one = sanctions.restrict(boss, ana.pk, "exclusion", "asked for it himself", clock=house.clock)
    house.clock.pass_(days=4000)
    assert why_not(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock)).endswith("from playing.")
    sanctions.lift(boss, one.pk, "asked to come back", clock=house.clock)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    assert "already" in why_not(lambda: sanctions.lift(boss, one.pk, "again", clock=house.clock))
    assert list(Event.objects.values_list("deed", "by_id", "player_id")) == [
        ("restrict", boss.pk, ana.pk),
        ("lift", boss.pk, ana.pk),
    ]


def test_a_limit_counts_what_is_staked_in_a_day_of_macau(house: House) -> None:
    table, ana, boss = house.table(), house.player("Ana"), staff("shift_manager")
    sanctions.restrict(boss, ana.pk, "limit", "his own wish", cents=150_00, clock=house.clock)
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    assert "leaves 50.00 for today" in why_not(lambda: house.bet(ana, table, "player", 51))
    house.bet(ana, table, "player", 50)
    assert "for today" in why_not(lambda: house.bet(ana, table, "banker", 1))
    house.play_out(table)
    house.until(table, "betting")
    assert "for today" in why_not(lambda: house.bet(ana, table, "banker", 1))
    house.clock.pass_(days=1)
    house.take_over(table, "another")  # the dealer of yesterday has gone home
    house.step(table)
    house.until(table, "betting")
    house.bet(ana, table, "banker", 150)
    house.in_order()


def test_whoever_is_silenced_says_nothing_at_any_table_until_it_is_over(house: House) -> None:
    table, ana, boss = house.table(), house.player("Ana"), staff("pit_boss")
    until = house.clock.now() + timedelta(minutes=10)
    sanctions.restrict(boss, ana.pk, "mute", "shouting", until=until, clock=house.clock)
    assert "silenced you until" in why_not(lambda: chat.speak(ana.pk, table.pk, "r1", "hello", clock=house.clock))
    house.clock.pass_(minutes=10)
    chat.speak(ana.pk, table.pk, "r2", "hello", clock=house.clock)


def test_whoever_has_nothing_in_the_round_is_removed_at_once(house: House) -> None:
    table, ana, boss = house.table(), house.player("Ana"), staff("pit_boss")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    sanctions.remove(boss, ana.pk, table.pk, "sleeps", clock=house.clock)
    assert not Seat.objects.exists()
    assert "does not sit" in why_not(lambda: sanctions.remove(boss, ana.pk, table.pk, "sleeps", clock=house.clock))


@pytest.mark.parametrize(
    ("role", "kind"),
    [("pit_boss", "exclusion"), ("pit_boss", "limit"), ("surveillance", "warning"), ("cage", "mute"), ("", "warning")],
)
def test_each_restriction_needs_its_right(house: House, role: str, kind: str) -> None:
    ana = house.player("Ana")
    by = staff(role, "somebody") if role else house.player("Bea")
    cents = 100 if kind == "limit" else None
    assert "right" in why_not(lambda: sanctions.restrict(by, ana.pk, kind, "why", cents=cents, clock=house.clock))
    assert not Restriction.objects.exists() and not Event.objects.exists()


def test_what_makes_no_sense_is_refused(house: House) -> None:
    ana, boss = house.player("Ana"), staff("shift_manager")
    past = house.clock.now() - timedelta(seconds=1)
    nonsense: list[tuple[str, str, dict[str, Any]]] = [
        ("warning", " ", {}),
        ("mute", "why", {"until": past}),
        ("limit", "why", {}),
        ("warning", "why", {"cents": 100}),
    ]
    for kind, why, more in nonsense:
        why_not(partial(sanctions.restrict, boss, ana.pk, kind, why, clock=house.clock, **more))
    assert "no such player" in why_not(lambda: sanctions.restrict(boss, boss.pk, "warning", "why", clock=house.clock))


# ── Credits of the house ────────────────────────────────────────────────────────────────────────────────────


def test_a_comp_comes_from_the_house_and_says_from_whom(house: House) -> None:
    ana, boss = house.player("Ana"), staff("shift_manager")
    before = house.balance(ana)
    sanctions.comp(boss, ana.pk, 88_00, "a birthday", clock=house.clock)
    assert house.balance(ana) == before + 88_00
    (moved,) = Transfer.objects.filter(reason="comp")
    assert (moved.debit.kind, moved.credit.player, moved.by) == ("house", ana, boss.key)
    why_not(lambda: sanctions.comp(boss, ana.pk, 0, "nothing", clock=house.clock))
    assert "right" in why_not(lambda: sanctions.comp(staff("pit_boss"), ana.pk, 1, "why", clock=house.clock))
    house.in_order()


def test_a_comp_that_is_sent_twice_is_given_once(house: House) -> None:
    """Whoever has not heard the answer sends the page's form again. Another comp has another ref."""
    ana, boss, manager = house.player("Ana"), staff("shift_manager"), staff("shift_manager", "other")
    before = house.balance(ana)
    gives = partial(sanctions.comp, boss, ana.pk, 88_00, "a birthday", clock=house.clock)
    gives(ref="a")
    gives(ref="a")
    assert house.balance(ana) == before + 88_00
    assert "Something else" in why_not(lambda: sanctions.comp(boss, ana.pk, 1, "why", ref="a", clock=house.clock))
    gives(ref="b")
    sanctions.comp(manager, ana.pk, 88_00, "hers is another", ref="a", clock=house.clock)
    assert house.balance(ana) == before + 3 * 88_00
    house.in_order()


@pytest.mark.parametrize("cents", [50_00, -50_00])
def test_an_adjustment_moves_once_when_another_approves_it(house: House, cents: int) -> None:
    ana, boss, manager = house.player("Ana"), staff("pit_boss"), staff("shift_manager")
    before = house.balance(ana)
    asked = adjustments.ask(boss, ana.pk, cents, "paid on the wrong spot", clock=house.clock)
    assert house.balance(ana) == before
    assert "right" in why_not(lambda: adjustments.approve(boss, asked.pk, clock=house.clock))
    adjustments.approve(manager, asked.pk, clock=house.clock)
    assert house.balance(ana) == before + cents
    assert "already" in why_not(lambda: adjustments.approve(manager, asked.pk, clock=house.clock))
    assert house.balance(ana) == before + cents
    house.in_order()


def test_nobody_approves_what_he_asked_for_not_even_by_hand_in_the_database(house: House) -> None:
    ana, manager = house.player("Ana"), staff("shift_manager")
    asked = adjustments.ask(manager, ana.pk, 50_00, "why", clock=house.clock)
    assert "A second person" in why_not(lambda: adjustments.approve(manager, asked.pk, clock=house.clock))
    with pytest.raises(IntegrityError), transaction.atomic():
        Adjustment.objects.filter(pk=asked.pk).update(
            state="approved", decided_by=manager, decided_at=house.clock.now()
        )
    assert not Transfer.objects.filter(reason="adjustment").exists()


def test_more_than_he_has_is_not_taken_and_stays_to_be_decided(house: House) -> None:
    ana, boss, manager = house.player("Ana"), staff("pit_boss"), staff("shift_manager")
    more = -house.balance(ana) - 1
    assert "Ana has" in why_not(lambda: adjustments.ask(boss, ana.pk, more, "why", clock=house.clock))
    asked = adjustments.ask(boss, ana.pk, -house.balance(ana), "why", clock=house.clock)
    table = house.table()
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    why_not(lambda: adjustments.approve(manager, asked.pk, clock=house.clock))
    asked.refresh_from_db()
    assert asked.state == "requested"
    adjustments.refuse(boss, asked.pk, "he has spent it", clock=house.clock)
    asked.refresh_from_db()
    assert asked.state == "refused" and house.balance(ana) > 0
    house.in_order()


def test_an_adjustment_for_a_round_is_for_one_who_played_in_it(house: House) -> None:
    table, ana, bea = house.table(), house.player("Ana"), house.player("Bea")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    log, boss = house.log(table), staff("pit_boss")
    assert "not over" in why_not(lambda: adjustments.ask(boss, ana.pk, 1, "why", log=log.pk, clock=house.clock))
    house.play_out(table)
    assert "no stake" in why_not(lambda: adjustments.ask(boss, bea.pk, 1, "why", log=log.pk, clock=house.clock))
    adjustments.ask(boss, ana.pk, 1, "why", log=log.pk, clock=house.clock)
