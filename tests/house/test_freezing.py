"""A round that the pit freezes: its clock stands while the pit looks, and nobody loses a decision or time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tables.base.rights import Right
from tables.games.contract.actions import Ready
from tables.models import Alert, Event, Lease, Player, Seat, Table
from tables.services.journal import alerts
from tables.services.pit import approvals, holding, rulings
from tables.services.pit.deeds import Void
from tables.services.rounds import seating
from tables.services.rounds.betting import BetRequest
from tests.floor.pit_kit import ROLES, member, those_who_may

from . import deeds
from .kit import House, why_not
from .test_paying import until_asked


@pytest.fixture
def boss(db: None) -> Player:
    return member("pit_boss")


@pytest.fixture
def jade(house: House) -> tuple[Table, Player]:
    """A round of Baccarat in which Ana has a stake."""
    table, ana = house.table(), house.player("ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    return table, ana


def deeds_told() -> list[str]:
    return list(Event.objects.order_by("seq").values_list("deed", flat=True))


def test_nothing_happens_in_a_frozen_round_until_the_pit_releases_it(
    house: House, boss: Player, jade: tuple[Table, Player]
) -> None:
    table, ana = jade
    log = holding.freeze(boss, table.pk, clock=house.clock)
    version = house.log(table).version
    for hours in (0, 1, 22):
        house.clock.pass_(hours=hours)
        house.attend(table, ana)
        assert not house.advance(table).acted and house.log(table).version == version
    bet = BetRequest(ana.pk, "r9", "player", 100_00)
    assert "The pit is looking" in why_not(lambda: deeds.place(log.pk, bet, clock=house.clock))
    house.clock.pass_(seconds=1)
    holding.thaw(boss, table.pk, "nothing fell", clock=house.clock)
    began = house.log(table)
    assert began.due_at == house.clock.at + timedelta(milliseconds=18_000), "the whole time is there again"
    house.bet(ana, table, "player", 100)
    assert not house.play_out(table).void
    assert deeds_told()[:2] == ["round_frozen", "round_released"]


def test_it_alerts_while_it_lasts_and_no_longer(house: House, boss: Player, jade: tuple[Table, Player]) -> None:
    table, _ = jade
    holding.freeze(boss, table.pk, clock=house.clock)
    alert = Alert.objects.get()
    assert (alert.kind, alert.table_id) == ("frozen", table.pk)
    assert str(boss) in str(alerts.words_of(alert))
    assert "still frozen" in why_not(lambda: alerts.acknowledge(boss, alert.pk, clock=house.clock))
    assert alerts.acknowledge_all(boss, [alert.pk], clock=house.clock) == 0
    holding.thaw(boss, table.pk, clock=house.clock)
    alert.refresh_from_db()
    assert alert.acknowledged_by == boss and not alerts.open_alerts()


def test_it_is_frozen_once_and_released_once(house: House, boss: Player, jade: tuple[Table, Player]) -> None:
    table, _ = jade
    assert "No round is frozen" in why_not(lambda: holding.thaw(boss, table.pk, clock=house.clock))
    holding.freeze(boss, table.pk, clock=house.clock)
    assert "frozen already" in why_not(lambda: holding.freeze(boss, table.pk, clock=house.clock))
    holding.thaw(boss, table.pk, clock=house.clock)
    holding.freeze(boss, table.pk, clock=house.clock)
    assert Alert.objects.filter(acknowledged_at=None).count() == 1, "as often as it must"


def test_a_round_that_is_over_is_not_frozen(house: House, boss: Player, jade: tuple[Table, Player]) -> None:
    table, _ = jade
    house.play_out(table)
    assert "No round is being played" in why_not(lambda: holding.freeze(boss, table.pk, clock=house.clock))
    empty = house.table("pearl")
    assert "No round is being played" in why_not(lambda: holding.freeze(boss, empty.pk, clock=house.clock))
    assert not Alert.objects.exists() and not Event.objects.exists()


@pytest.mark.parametrize("role", ROLES)
def test_who_rules_freezes_and_nobody_else(house: House, jade: tuple[Table, Player], role: str) -> None:
    table, _ = jade
    by = member(role, "somebody")
    if role in those_who_may(Right.RULE):
        holding.freeze(by, table.pk, clock=house.clock)
        holding.thaw(by, table.pk, clock=house.clock)
        return
    assert "right" in why_not(lambda: holding.freeze(by, table.pk, clock=house.clock))
    holding.freeze(member("pit_boss"), table.pk, clock=house.clock)
    assert "right" in why_not(lambda: holding.thaw(by, table.pk, clock=house.clock))
    assert house.log(table).frozen_at is not None


# ── Ruling ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ruling_lets_the_round_go_on(house: House, boss: Player, jade: tuple[Table, Player]) -> None:
    table, _ = jade
    log = holding.freeze(boss, table.pk, clock=house.clock)
    name = next(what.name for what, may in rulings.open_to(log) if may and not rulings.preview(log, what.name).voids)
    rulings.rule(boss, log.pk, name, why="it lay so", ref="a", clock=house.clock)
    assert house.log(table).frozen_at is None and not alerts.open_alerts()
    assert not house.play_out(table).void
    assert deeds_told()[:3] == ["round_frozen", "ruled", "round_released"]


@pytest.mark.parametrize("approved", [True, False])
def test_a_void_of_a_frozen_round_waits_and_what_is_refused_leaves_it_frozen(
    house: House, boss: Player, jade: tuple[Table, Player], approved: bool
) -> None:
    table, ana = jade
    second = member("pit_boss", "second")
    log = holding.freeze(boss, table.pk, clock=house.clock)
    request = approvals.ask(boss, Void(log.pk, "cancelled", None, "ref"), "the cards fell", clock=house.clock)
    assert "waits for a second person" in why_not(lambda: holding.thaw(boss, table.pk, clock=house.clock))
    house.clock.pass_(hours=1)
    house.attend(table, ana)
    assert not house.advance(table).acted, "longer than a hold lasts"
    before = house.balance(ana)
    if approved:
        approvals.approve(second, request.pk, clock=house.clock)
        log.refresh_from_db()
        assert log.void and house.balance(ana) == before + 100_00
        assert Alert.objects.get(kind="frozen").acknowledged_by == second
        house.step(table)
        return
    approvals.refuse(second, request.pk, "nothing fell", clock=house.clock)
    assert house.log(table).frozen_at is not None and not house.advance(table).acted
    holding.thaw(boss, table.pk, clock=house.clock)
    assert not house.play_out(table).void


def test_a_round_that_waits_for_a_second_person_can_be_frozen(
    house: House, boss: Player, jade: tuple[Table, Player]
) -> None:
    table, ana = jade
    member("pit_boss", "second")
    log = house.log(table)
    request = approvals.ask(boss, Void(log.pk, "cancelled", None, "ref"), "why", clock=house.clock)
    holding.freeze(boss, table.pk, clock=house.clock)
    house.clock.pass_(minutes=11)
    house.attend(table, ana)
    assert not house.advance(table).acted
    approvals.refuse(boss, request.pk, "a slip", clock=house.clock)
    assert house.log(table).frozen_at is not None


# ── Nobody loses anything by it ─────────────────────────────────────────────────────────────────────────────


def test_stakes_are_not_kept_for_ever(house: House, boss: Player, jade: tuple[Table, Player]) -> None:
    table, ana = jade
    holding.freeze(boss, table.pk, clock=house.clock)
    house.clock.pass_(hours=24)
    Lease.objects.filter(table=table).update(expires_at=house.clock.at + timedelta(days=1))  # its dealer is still there
    house.attend(table, ana)
    assert house.advance(table).acted and house.log(table).frozen_at is None
    alerts.look({}, clock=house.clock)
    alert = Alert.objects.get(kind="frozen")
    assert alert.resolved_at == house.clock.at and alert.acknowledged_at is None
    alerts.acknowledge(boss, alert.pk, clock=house.clock)
    assert not house.play_out(table).void


def test_whose_line_drops_keeps_seat_and_hand(house: House, boss: Player) -> None:
    """At Blackjack, with a decision to make."""
    table = house.table("lotus", game="blackjack")
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 3)
    house.until(table, "early_window")
    house.decide(ana, table, Ready)
    until_asked(house, table)
    holding.freeze(boss, table.pk, clock=house.clock)
    offered, version = house.round(table).offers(ana.key).actions, house.log(table).version
    seating.connection_lost(table.pk, ana.pk, clock=house.clock)
    house.clock.pass_(minutes=10)
    seating.sweep(table.pk, clock=house.clock)
    assert Seat.objects.filter(table=table, player=ana).exists() and house.log(table).version == version
    house.attend(table, ana)
    holding.thaw(boss, table.pk, clock=house.clock)
    assert house.round(table).offers(ana.key).actions == offered
    assert house.log(table).due_at == house.clock.at + timedelta(seconds=10)
