"""Alerts: raised where it happens, found where nobody says it, once for each thing, and there until somebody knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tables.base.rights import Right
from tables.base.transactions import unit_of_work
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.models import Account, Alert, Event, Lease, Player, Realm, RoundLog, Table
from tables.services.dealing.leases import release_leases
from tables.services.journal import alerts
from tables.services.journal.alerts import LOW_BELOW, ROUNDS_FOR_HOLD, SILENT_AFTER
from tables.services.pit import floats
from tables.services.rounds import betting
from tests.floor.pit_kit import ROLES, member, those_who_may
from tests.kit import article

from .kiosk_kit import in_service, visitor
from .kit import House, answer, void_round
from .processes import together
from .test_jackpots import FLUSH, LOW, Floor, M

BETTING = "betting"


def open_ones() -> list[tuple[str, str]]:
    """The alerts that nobody has acknowledged, by kind and table, the oldest first."""
    return [(alert.kind, alert.table.slug if alert.table else "") for alert in reversed(alerts.open_alerts())]


def look(house: House, holds: Mapping[int, Any] | None = None) -> None:
    alerts.look(holds or {}, clock=house.clock)


def said(kind: str) -> str:
    """What the one open alert of this kind says."""
    return text_of(alerts.words_of(Alert.objects.get(kind=kind, acknowledged_at=None)))


def with_bet(house: House, **options: Any) -> tuple[Table, Player]:
    """A table in whose round ana has a stake."""
    table, ana = house.table(**options), house.player("ana")
    house.until(table, BETTING)
    house.bet(ana, table, "player", 100)
    return table, ana


# ── What happens in a round ─────────────────────────────────────────────────────────────────────────────────


def test_a_round_that_is_void_is_told_with_its_reason(house: House) -> None:
    table, _ = with_bet(house)
    void_round(house.log(table).pk, "a card of another shoe", clock=house.clock)
    assert open_ones() == [("voided", "jade")]
    assert said("voided") == "Round 1 is void: a card of another shoe"
    assert Alert.objects.get().log_id == house.log(table).pk


def test_one_in_which_nobody_had_a_stake_is_not(house: House) -> None:
    table = house.table()
    house.until(table, BETTING)
    void_round(house.log(table).pk, "nobody is there", clock=house.clock)
    assert open_ones() == []


def test_a_round_that_is_settled_gives_no_cause(house: House) -> None:
    table, _ = with_bet(house)
    house.play_out(table)
    assert open_ones() == []


def test_an_alert_is_raised_with_what_happened_or_not_at_all(house: House) -> None:
    table, _ = with_bet(house)
    log = house.log(table).pk

    def fails() -> None:
        with unit_of_work():
            void_round(log, "a mistake", clock=house.clock)
            assert open_ones() == [("voided", "jade")]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert open_ones() == [] and RoundLog.objects.get(pk=log).settled_at is None


def test_every_prize_out_of_a_jackpot_is_told(house: House) -> None:
    floor = Floor(house, M)
    guia = floor.table("guia", (1, 3))
    floor.play(guia, {3: LOW})
    assert open_ones() == []
    for _ in range(2):
        floor.play(guia, {1: FLUSH, 3: LOW})
    assert open_ones() == [("jackpot", "guia")] * 2
    newest = Alert.objects.latest("pk")
    assert newest.about == {"round": house.log(guia).number, "cents": 1_250_00}


@article("55/2004", "14")
@pytest.mark.parametrize(("staked", "told"), [(500, True), (499, False)])
def test_a_limit_between_two_sides_is_told_when_betting_closes_at_it(house: House, staked: int, told: bool) -> None:
    table = house.table(imbalance_limit=500_00)
    ana = house.player("ana")
    house.until(table, BETTING)
    house.bet(ana, table, "player", staked)
    assert open_ones() == []
    house.step(table)
    assert open_ones() == ([("limit", "jade")] if told else [])
    house.play_out(table)
    assert open_ones() == ([("limit", "jade")] if told else [])


@article("55/2004", "14", "trim")
def test_a_stake_that_is_trimmed_says_it_too(house: House) -> None:
    """Ana takes back what lay against bruno's stake: that is lowered when betting closes."""
    table = house.table(imbalance_limit=500_00)
    ana, bruno = house.player("ana"), house.player("bruno")
    house.until(table, BETTING)
    house.bet(ana, table, "player", 300)
    house.bet(bruno, table, "banker", 800)
    betting.clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    house.step(table)
    assert open_ones() == [("limit", "jade")]


def test_there_is_one_open_alert_for_one_thing(house: House) -> None:
    table = house.table(imbalance_limit=500_00)
    ana, boss = house.player("ana"), member("pit_boss")
    for number in (1, 2, 3):
        house.until(table, BETTING)
        house.bet(ana, table, "player", 500)
        house.play_out(table)
        assert open_ones() == [("limit", "jade")]
        if number == 2:
            alerts.acknowledge(boss, Alert.objects.get().pk, clock=house.clock)
            assert open_ones() == []
        house.step(table)
    assert Alert.objects.count() == 2


@pytest.mark.django_db
def test_the_database_itself_holds_one_open_alert_of_a_key() -> None:
    house = House()
    Alert.objects.create(kind="limit", key="limit:1", at=house.clock.at)
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.create(kind="limit", key="limit:1", at=house.clock.at)
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.filter(key="limit:1").update(acknowledged_at=house.clock.at)


# ── What shows only with time ───────────────────────────────────────────────────────────────────────────────


def test_a_dealer_who_lets_time_go_by_is_silent(house: House) -> None:
    table, _ = with_bet(house)
    due = house.log(table).due_at
    assert due is not None
    house.clock.at = due + SILENT_AFTER
    house.attend(table)
    look(house)
    assert open_ones() == []
    house.clock.pass_(seconds=1)
    look(house)
    assert open_ones() == [("silent", "jade")]
    assert said("silent").startswith("Nothing has been done since ")
    look(house)
    assert Alert.objects.count() == 1


def test_he_is_not_where_nobody_is_at_the_table_or_the_table_rests(house: House) -> None:
    table, _ = with_bet(house)
    house.play_out(table)
    house.clock.pass_(hours=1)
    look(house)
    house.attend(table)
    Table.objects.filter(pk=table.pk).update(paused=True)
    look(house)
    Table.objects.filter(pk=table.pk).update(paused=False, open=False)
    look(house)
    assert open_ones() == []
    Table.objects.filter(pk=table.pk).update(open=True)
    look(house)
    assert open_ones() == [("silent", "jade")]


def test_a_lease_that_nobody_takes_is_a_silent_dealer_too(house: House) -> None:
    table = house.table()
    release_leases("test")
    Lease.objects.filter(table=table).update(expires_at=house.clock.at)
    house.clock.pass_(seconds=SILENT_AFTER.total_seconds() + 1)
    house.attend(table)
    look(house)
    assert open_ones() == [("silent", "jade")]


def test_what_was_acknowledged_is_found_again_only_when_it_comes_about_anew(house: House) -> None:
    table, _ = with_bet(house)
    boss = member("pit_boss")
    for _ in range(2):
        due = house.log(table).due_at
        assert due is not None
        house.clock.at = due + SILENT_AFTER + timedelta(seconds=1)
        house.attend(table)
        look(house)
        assert open_ones() == [("silent", "jade")]
        alerts.acknowledge(boss, Alert.objects.get(acknowledged_at=None).pk, clock=house.clock)
        look(house)
        assert open_ones() == []
        house.advance(table)


def lay_down(table: Table, cents: int, kind: str, house: House) -> None:
    """Chips from the house to the float of the table, or back, ordered by one of the staff and confirmed by another."""
    people = Player.objects.in_bulk(["orders", "confirms"], field_name="username")
    by = people.get("orders") or member("pit_boss", "orders")
    other = people.get("confirms") or member("cage", "confirms")
    order = floats.order_chips(by, table.pk, kind, abs(cents), clock=house.clock)
    floats.confirm_chips(other, order.pk, clock=house.clock)


def test_a_float_is_low_below_a_quarter_of_what_its_table_opened_with(house: House) -> None:
    table = house.table()
    opened = Account.objects.get(table=table, kind="float").balance
    lay_down(table, -(opened - opened // LOW_BELOW), "credit", house)
    look(house)
    assert open_ones() == []
    lay_down(table, -1_00, "credit", house)
    look(house)
    assert open_ones() == [("low", "jade")]
    assert said("low") == "249,999.00 left of 1,000,000.00"


def test_it_is_told_again_only_after_the_house_has_laid_something_down(house: House) -> None:
    table, boss = house.table(), member("pit_boss")
    opened = Account.objects.get(table=table, kind="float").balance
    lay_down(table, 10_00 - opened, "credit", house)
    look(house)
    alerts.acknowledge(boss, Alert.objects.get().pk, clock=house.clock)
    look(house)
    assert open_ones() == []
    lay_down(table, 100_00, "fill", house)
    look(house)
    assert open_ones() == [("low", "jade")]


@dataclass(frozen=True)
class Night:
    """A hold to be judged, in cents: 100.00 expected, 40.00 to either side."""

    win: int
    rounds: int = ROUNDS_FOR_HOLD
    theoretical: Fraction = Fraction(100_00)
    unreckoned: int = 0
    band: tuple[int, int] = (60_00, 140_00)


@pytest.mark.parametrize(
    ("night", "told"),
    [
        (Night(180_00), False),
        (Night(180_01), True),
        (Night(20_00), False),
        (Night(19_99), True),
        (Night(-500_00, rounds=ROUNDS_FOR_HOLD - 1), False),
        (Night(-500_00, unreckoned=1), False),
    ],
)
def test_a_hold_is_far_off_at_twice_its_band(house: House, night: Night, told: bool) -> None:
    table = house.table()
    look(house, {table.pk: night})
    assert open_ones() == ([("hold", "jade")] if told else [])


def test_a_hold_is_told_once_a_day(house: House) -> None:
    table, boss = house.table(), member("pit_boss")
    look(house, {table.pk: Night(500_00)})
    assert said("hold") == "Won 500.00 in 20 rounds, 100.00 expected"
    alerts.acknowledge(boss, Alert.objects.get().pk, clock=house.clock)
    look(house, {table.pk: Night(600_00)})
    assert open_ones() == []
    house.clock.pass_(days=1)
    look(house, {table.pk: Night(600_00)})
    assert open_ones() == [("hold", "jade")]


# ── At kiosks ───────────────────────────────────────────────────────────────────────────────────────────────


def test_of_demo_credits_nobody_is_told_what_is_only_about_money(house: House) -> None:
    """A limit that is reached, a low float, a hold far off: at a table for visitors they call for nothing."""
    jade = house.table(imbalance_limit=500_00)
    garden = house.table("garden", imbalance_limit=500_00, realm=Realm.KIOSKS)
    ana = house.player("ana")
    visiting = visitor(*in_service(house, garden))
    for table, who in ((jade, ana), (garden, visiting)):
        house.until(table, BETTING)
        house.bet(who, table, "player", 500)
        house.play_out(table)
        cents = Account.objects.get(table=table, kind="float").balance
        lay_down(table, -(cents // 100 * 100 - 100), "credit", house)
    look(house, {table.pk: Night(500_00) for table in (jade, garden)})
    told = [one for one in open_ones() if one[0] != "silent"]  # the dealer of one was while the other was played
    assert sorted(told) == [("hold", "jade"), ("limit", "jade"), ("low", "jade")]


def test_that_a_round_is_void_or_a_dealer_silent_is_told_there_too(house: House) -> None:
    garden = house.table("garden", realm=Realm.KIOSKS)
    visiting = visitor(*in_service(house, garden))
    house.until(garden, BETTING)
    house.bet(visiting, garden, "player", 100)
    void_round(house.log(garden).pk, "the machine is stuck", clock=house.clock)
    due = house.log(garden).due_at
    assert due is not None
    house.clock.at = due + SILENT_AFTER + timedelta(seconds=1)
    house.attend(garden)
    look(house)
    assert open_ones() == [("voided", "garden"), ("silent", "garden")]


# ── Taking note ─────────────────────────────────────────────────────────────────────────────────────────────


def an_alert(house: House) -> Alert:
    table, _ = with_bet(house)
    void_round(house.log(table).pk, "a mistake", clock=house.clock)
    return Alert.objects.get()


def test_who_acknowledges_it_is_written_down(house: House) -> None:
    alert, boss = an_alert(house), member("pit_boss")
    alerts.acknowledge(boss, alert.pk, clock=house.clock)
    alert.refresh_from_db()
    assert (alert.acknowledged_by, alert.acknowledged_at) == (boss, house.clock.at)
    event = Event.objects.get(deed="acknowledged")
    assert (event.by, event.table, event.log) == (boss, alert.table, alert.log)
    assert event.after == {"kind": "voided", "key": alert.key, "round": 1, "why": "pit", "remark": "a mistake"}


def test_it_is_acknowledged_once(house: House) -> None:
    alert = an_alert(house)
    alerts.acknowledge(member("pit_boss"), alert.pk, clock=house.clock)
    refusal = house.refused(lambda: alerts.acknowledge(member("shift_manager"), alert.pk, clock=house.clock))
    assert text_of(refusal.words) == "pit_boss-one has acknowledged it already."
    assert Event.objects.filter(deed="acknowledged").count() == 1


def test_of_two_who_acknowledge_it_at_once_one_does(hall: House) -> None:
    alert, people = an_alert(hall), [member("pit_boss"), member("shift_manager")]
    said = together(*[partial(answer, partial(alerts.acknowledge, by, alert.pk, clock=hall.clock)) for by in people])
    assert sorted(said) == ["", "done"]
    assert Event.objects.filter(deed="acknowledged").count() == 1


@pytest.mark.parametrize("role", ROLES)
def test_only_who_has_the_right_acknowledges(house: House, role: str) -> None:
    alert, somebody = an_alert(house), member(role)
    if role in those_who_may(Right.ACKNOWLEDGE):
        alerts.acknowledge(somebody, alert.pk, clock=house.clock)
        assert open_ones() == []
        return
    with pytest.raises(Refused):
        alerts.acknowledge(somebody, alert.pk, clock=house.clock)
    assert open_ones() == [("voided", "jade")] and not Event.objects.filter(deed="acknowledged").exists()


# ── Big bets and big wins ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("threshold", "told"), [(300_00, True), (300_01, False), (None, False)])
def test_a_big_bet_is_told_as_betting_closes(house: House, threshold: int | None, told: bool) -> None:
    """All that one bettor has staked in the round counts, and nothing of others."""
    table, ana = with_bet(house)
    Table.objects.filter(pk=table.pk).update(big_bet=threshold)
    house.bet(ana, table, "tie", 200)
    house.bet(house.player("bruno"), table, "banker", 299)
    assert open_ones() == []
    house.play_out(table)
    assert open_ones() == ([("big_bet", "jade")] if told else [])
    if told:
        assert said("big_bet") == "Ana has staked 300.00 in round 1"


@pytest.mark.parametrize(("threshold", "told"), [(100_00, True), (100_01, False), (None, False)])
def test_a_big_win_is_told_when_it_is_paid(house: House, threshold: int | None, told: bool) -> None:
    """The tie is lost: the player wins 200 on the Player less 100."""
    house.stack("9s 2h 9h 2d")
    table, ana = house.table(), house.player("ana")
    Table.objects.filter(pk=table.pk).update(big_win=threshold)
    house.until(table, BETTING)
    house.bet(ana, table, "player", 200)
    house.bet(ana, table, "tie", 100)
    house.play_out(table)
    assert open_ones() == ([("big_win", "jade")] if told else [])
    if told:
        assert said("big_win") == "Ana has won 100.00 in round 1"


def test_a_stall_that_is_over_is_marked_and_one_that_comes_again_is_not(house: House) -> None:
    table, ana = with_bet(house)
    house.attend(table, ana)
    house.clock.pass_(seconds=40)
    look(house)
    (alert,) = Alert.objects.all()
    assert (alert.kind, alert.resolved_at) == ("silent", None)
    house.advance(table)
    look(house)
    alert.refresh_from_db()
    assert alert.resolved_at == house.clock.at and alert.acknowledged_at is None
