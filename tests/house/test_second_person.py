"""Deeds that need two persons: asked for by one, approved by another who counts as one, carried out once."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth as codes
from django.db import DatabaseError, connection, transaction

from tables.games.contract.errors import Refused
from tables.games.values.money import CREDIT
from tables.models import (
    Adjustment,
    Alert,
    ApprovalRequest,
    ChipOrder,
    Event,
    Halt,
    OptionChange,
    Player,
    RoundLog,
    Table,
    Transfer,
)
from tables.services.journal import alerts, events
from tables.services.pit import adjustments, approvals, halts, holding, lifecycle, sanctions, sessions, staff
from tables.services.pit.deeds import (
    Appointment,
    ClosingAtOnce,
    Comp,
    Deed,
    EmailChange,
    FactorRemoval,
    Opening,
    PlayAgain,
    Reopening,
    Void,
)
from tables.services.pit.floats import confirm_chips, order_chips
from tables.services.rounds import betting
from tables.services.rounds.betting import BetRequest

from . import deeds
from .kit import House, why_not
from .processes import together

MUCH = 5_000 * CREDIT
"""More than one member of the staff may give in comps in a day."""


def staffed(role: str, name: str) -> Player:
    """Somebody of the staff, appointed by the operator long ago."""
    return Player.objects.create(username=name, name=name.title(), role=role)


def somebody(name: str) -> Player:
    """A player with a password, who could be appointed."""
    player = Player(username=name, name=name.title())
    player.set_password("lotus and baize 1887")
    player.save()
    return player


LIMITED = {"max_bet": 500_00}
"""Options of a table that may be opened."""


@pytest.fixture
def managers(db: None) -> tuple[Player, Player]:
    return staffed("shift_manager", "manager"), staffed("shift_manager", "other")


def appointed(house: House, asks: Player, approves: Player, name: str, role: str = "shift_manager") -> Player:
    """Somebody whom these two have made a member of the staff."""
    new = somebody(name)
    request = approvals.ask(asks, Appointment(new.pk, role), "we need more hands", clock=house.clock)
    approvals.approve(approves, request.pk, clock=house.clock)
    new.refresh_from_db()
    assert new.role == role
    return new


def a_round(house: House) -> tuple[Table, Player]:
    """A round of Baccarat with a stake of Ana's in it."""
    table, ana = house.table(), house.player("ana")
    house.attend(table, ana)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    return table, ana


# ── One person cannot ───────────────────────────────────────────────────────────────────────────────────────


def test_no_service_does_it_alone(house: House, managers: tuple[Player, Player]) -> None:
    manager, _ = managers
    table, ana = a_round(house)
    new, boss = somebody("rui"), staffed("pit_boss", "boss")
    codes.TOTP.activate(boss, codes.generate_totp_secret())
    deeds: list[Deed] = [
        Appointment(new.pk, "cage"),
        FactorRemoval(boss.pk),
        EmailChange(ana.pk, "mine@example.com"),
        Comp(ana.pk, MUCH),
        Opening("ruby", "Ruby", "baccarat", LIMITED, None, 2_000_000 * CREDIT, 0, None, 0),
        ClosingAtOnce(table.pk),
        Void(house.log(table).pk, "cancelled", None, "ref"),
    ]
    balance = house.balance(ana)
    for deed in deeds:
        assert why_not(lambda deed=deed: deed.carry_out(manager, None, "why", house.clock)) == (  # type: ignore[misc]
            "A second person must approve this."
        ), deed
    new.refresh_from_db()
    ana.refresh_from_db()
    assert (new.role, ana.email, house.balance(ana)) == ("", "", balance)
    assert sessions.has_second_factor(boss)
    assert not house.round(table).over and not Table.objects.filter(slug="ruby").exists()
    assert not Event.objects.filter(deed__in=("role", "second_factor", "comp", "ruled", "table_closing")).exists()


def test_each_is_asked_for_and_done_once_it_is_approved(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    before = house.balance(ana)
    assert not Transfer.objects.filter(reason="comp").exists()
    alert = Alert.objects.get(kind="request")
    assert "Manager asks for it: Comp" in str(alerts.words_of(alert))
    approvals.approve(other, request.pk, clock=house.clock)
    assert house.balance(ana) == before + MUCH
    (moved,) = Transfer.objects.filter(reason="comp")
    assert moved.by == manager.key
    alert.refresh_from_db()
    assert alert.acknowledged_by == other, "whoever decided it has taken note of it"
    written = list(Event.objects.order_by("seq").values_list("deed", "by__name", "why"))
    assert written == [
        ("request_asked", "Manager", "a birthday"),
        ("comp", "Manager", "a birthday"),
        ("request_approved", "Other", ""),
    ]
    assert "decided already" in why_not(lambda: approvals.approve(other, request.pk, clock=house.clock))
    assert "decided already" in why_not(lambda: approvals.refuse(other, request.pk, "no", clock=house.clock))
    assert not list(events.faults())


def test_the_asker_is_told_once_how_it_ended(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    assert approvals.tell(manager, clock=house.clock) == []
    approvals.refuse(other, request.pk, "too much", clock=house.clock)
    assert approvals.tell(other, clock=house.clock) == []
    (told,) = approvals.tell(manager, clock=house.clock)
    assert (told.state, told.decision, told.decided_by) == ("refused", "too much", other)
    assert approvals.tell(manager, clock=house.clock) == []
    assert not Transfer.objects.filter(reason="comp").exists()
    assert list(Event.objects.values_list("deed", flat=True).order_by("seq")) == ["request_asked", "request_refused"]


def test_whoever_asked_takes_it_back_and_does_not_approve_it(house: House, managers: tuple[Player, Player]) -> None:
    manager, _ = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    assert "A second person" in why_not(lambda: approvals.approve(manager, request.pk, clock=house.clock))
    approvals.refuse(manager, request.pk, "a slip", clock=house.clock)
    request.refresh_from_db()
    assert (request.state, request.decided_by) == ("withdrawn", manager)
    assert approvals.tell(manager, clock=house.clock) == [], "they know"
    again = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    assert again.pk != request.pk


def test_whoever_could_not_approve_it_still_takes_back_what_they_asked_for(house: House, settings: Any) -> None:
    settings.FLOAT_ALONE = 1_000
    boss, _ = staffed("pit_boss", "boss"), staffed("cage", "cage")
    large = Opening("ruby", "Ruby", "baccarat", LIMITED, None, 1_001 * CREDIT, 0, None, 0)
    request = approvals.ask(boss, large, "night", clock=house.clock)
    approvals.refuse(boss, request.pk, "a slip", clock=house.clock)
    request.refresh_from_db()
    assert (request.state, request.decided_by) == ("withdrawn", boss)


@pytest.mark.parametrize("role", ["pit_boss", "cage", "surveillance", ""])
def test_who_may_not_do_it_approves_nothing_and_refuses_nothing(
    house: House, managers: tuple[Player, Player], role: str
) -> None:
    manager, _ = managers
    by, ana = staffed(role, "third"), house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    assert "right" in why_not(lambda: approvals.approve(by, request.pk, clock=house.clock))
    assert "right" in why_not(lambda: approvals.refuse(by, request.pk, "no", clock=house.clock))
    assert "right" in why_not(lambda: approvals.ask(by, Comp(ana.pk, MUCH + 1), "why", clock=house.clock))


def test_an_asker_who_has_left_has_asked_for_nothing(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    staff.dismiss(None, manager, "left", clock=house.clock)
    assert "right" in why_not(lambda: approvals.approve(other, request.pk, clock=house.clock))
    assert not Transfer.objects.filter(reason="comp").exists()


def test_what_waited_for_more_than_a_day_is_asked_for_anew(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    house.clock.pass_(hours=24)
    assert "more than a day ago" in why_not(lambda: approvals.approve(other, request.pk, clock=house.clock))


def test_eight_who_approve_at_once_do_it_once(hall: House) -> None:
    manager, other = staffed("shift_manager", "manager"), staffed("shift_manager", "other")
    ana = hall.player("ana")
    before = hall.balance(ana)
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=hall.clock)

    def approves() -> str:
        try:
            approvals.approve(other, request.pk, clock=hall.clock)
        except Refused as refusal:
            return str(refusal.words)
        return "done"

    said = sorted(together(*[approves] * 8))
    connection.close()
    assert said == ["It has been decided already."] * 7 + ["done"]
    assert hall.balance(ana) == before + MUCH
    assert Event.objects.filter(deed="request_approved").count() == 1


# ── What cannot be asked for ────────────────────────────────────────────────────────────────────────────────


def test_what_can_never_be_carried_out_is_refused_as_it_is_asked(house: House, managers: tuple[Player, Player]) -> None:
    manager, _ = managers
    table, ana = a_round(house)
    guest = Player.objects.create(username="guest-1", name="guest-1", guest=True)
    for deed, why in (
        (Appointment(guest.pk, "cage"), "password of their own"),
        (Appointment(somebody("rui").pk, "croupier"), "no such role"),
        (Appointment(manager.pk, "cage"), "their own role"),
        (Appointment(999_999, "cage"), "no such person"),
        (FactorRemoval(manager.pk), "their own role"),
        (FactorRemoval(staffed("cage", "cage").pk), "no second factor"),
        (Comp(ana.pk, 2_000_000 * CREDIT), "No comp is more than"),
        (Comp(manager.pk, MUCH), "no such player"),
        (EmailChange(manager.pk, "x@example.com"), "not administered here"),
        (Opening(table.slug, "X", "baccarat", {}, None, 2_000_000 * CREDIT, 0, None, 0), "already"),
        (Opening("ruby", "X", "baccarat", {"decks": 2}, None, 2_000_000 * CREDIT, 0, None, 0), ""),
        (Reopening(table.pk, 2_000_000 * CREDIT), "This table is open"),
        (Void(house.log(table).pk, "meteor", None, "ref"), "no such irregularity"),
        (PlayAgain(""), "not stopped"),
    ):
        assert why in why_not(lambda deed=deed: approvals.ask(manager, deed, "why", clock=house.clock))  # type: ignore[misc]
    assert not ApprovalRequest.objects.exists() and not Event.objects.exists() and not Alert.objects.exists()


def test_the_same_is_asked_for_once_and_always_with_a_reason(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    assert "reason" in why_not(lambda: approvals.ask(manager, Comp(ana.pk, MUCH), " ", clock=house.clock))
    long = "x" * (approvals.LONGEST + 1)
    assert "at most 500" in why_not(lambda: approvals.ask(manager, Comp(ana.pk, MUCH), long, clock=house.clock))
    assert not ApprovalRequest.objects.exists()
    approvals.ask(manager, Comp(ana.pk, MUCH), "a birthday", clock=house.clock)
    assert "waits" in why_not(lambda: approvals.ask(other, Comp(ana.pk, MUCH), "a birthday", clock=house.clock))
    one = ApprovalRequest.objects.get()
    one.pk = None
    with pytest.raises(DatabaseError), transaction.atomic():
        one.save(force_insert=True)


def test_nobody_is_asked_where_nobody_else_may_approve(house: House) -> None:
    manager, ana = staffed("shift_manager", "alone"), house.player("ana")
    staffed("pit_boss", "boss")
    assert "Nobody else" in why_not(lambda: approvals.ask(manager, Comp(ana.pk, MUCH), "why", clock=house.clock))


# ── Comps and floats ────────────────────────────────────────────────────────────────────────────────────────


def test_one_member_gives_so_much_a_day_and_no_more(
    house: House, managers: tuple[Player, Player], settings: Any
) -> None:
    settings.COMP_ALONE = 100
    manager, other = managers
    ana, rui = house.player("ana"), house.player("rui")
    before = house.balance(ana)
    sanctions.comp(manager, ana.pk, 60 * CREDIT, "a birthday", clock=house.clock)
    sanctions.comp(manager, rui.pk, 40 * CREDIT, "a birthday", clock=house.clock)
    assert "second person" in why_not(lambda: sanctions.comp(manager, ana.pk, 1, "more", clock=house.clock))
    assert approvals.do_or_ask(other, Comp(ana.pk, 100 * CREDIT), "hers", clock=house.clock) is None
    assert approvals.do_or_ask(other, Comp(ana.pk, 1 * CREDIT), "more", clock=house.clock) is not None
    assert house.balance(ana) == before + 160 * CREDIT
    told = [str(alerts.words_of(one)) for one in Alert.objects.filter(kind="comp").order_by("pk")]
    assert told == ["Manager gave 60.00 to Ana", "Manager gave 40.00 to Rui", "Other gave 100.00 to Ana"]
    house.clock.pass_(days=1)
    sanctions.comp(manager, ana.pk, 1, "a new day", clock=house.clock)


def test_a_large_float_is_confirmed_by_who_confirms_chips(
    house: House, managers: tuple[Player, Player], settings: Any
) -> None:
    settings.FLOAT_ALONE = 1_000
    boss, cage = staffed("pit_boss", "boss"), staffed("cage", "cage")
    small = Opening("pearl", "Pearl", "baccarat", LIMITED, None, 1_000 * CREDIT, 0, None, 0)
    assert approvals.do_or_ask(boss, small, "night", clock=house.clock) is None
    large = Opening("ruby", "Ruby", "baccarat", LIMITED, None, 1_001 * CREDIT, 0, None, 0)
    request = approvals.do_or_ask(boss, large, "night", clock=house.clock)
    assert request is not None and not Table.objects.filter(slug="ruby").exists()
    approvals.approve(cage, request.pk, clock=house.clock)
    ruby = Table.objects.get(slug="ruby")
    assert Event.objects.get(table=ruby, deed="table_opened").by == boss
    Table.objects.filter(pk=ruby.pk).update(open=False)
    assert "second person" in why_not(lambda: lifecycle.reopen(boss, ruby.pk, 1_001 * CREDIT, clock=house.clock))
    again = approvals.ask(boss, Reopening(ruby.pk, 1_001 * CREDIT), "night", clock=house.clock)
    approvals.approve(cage, again.pk, clock=house.clock)
    ruby.refresh_from_db()
    assert ruby.open


def test_letters_go_to_another_address_when_two_agree(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, EmailChange(ana.pk, "ana@example.com"), "a new address", clock=house.clock)
    ana.refresh_from_db()
    assert ana.email == ""
    approvals.approve(other, request.pk, clock=house.clock)
    ana.refresh_from_db()
    assert ana.email == "ana@example.com"


# ── Who is a second person ──────────────────────────────────────────────────────────────────────────────────


def test_whoever_was_brought_in_is_no_second_person_for_those_who_did_it(
    house: House, managers: tuple[Player, Player]
) -> None:
    """Neither way round, for a request, an adjustment, an order of chips or an answer of the inspectorate."""
    manager, other = managers
    ana, table = house.player("ana"), house.table()
    friend = appointed(house, manager, other, "friend")
    house.clock.pass_(days=29)
    for asks, approves in ((manager, friend), (friend, manager), (other, friend)):
        request = approvals.ask(asks, Comp(ana.pk, MUCH), "why", clock=house.clock)
        why = why_not(lambda: approvals.approve(approves, request.pk, clock=house.clock))  # noqa: B023
        assert "do not count as two persons yet" in why
        with pytest.raises(DatabaseError, match="no two persons"), transaction.atomic():
            ApprovalRequest.objects.filter(pk=request.pk).update(
                state="approved", decided_by=approves, decided_at=house.clock.now()
            )
        approvals.refuse(asks, request.pk, "not so", clock=house.clock)
    asked = adjustments.ask(friend, ana.pk, 100_00, "why", clock=house.clock)
    assert "two persons" in why_not(lambda: adjustments.approve(manager, asked.pk, clock=house.clock))
    order = order_chips(friend, table.pk, "fill", 100_00, clock=house.clock)
    assert "two persons" in why_not(lambda: confirm_chips(manager, order.pk, clock=house.clock))
    change = OptionChange.objects.create(
        table=table, before={}, changes={}, authorisation=False, drafted_by=friend, drafted_at=house.clock.now()
    )
    for kind, pk, state in ((Adjustment, asked.pk, "approved"), (ChipOrder, order.pk, "confirmed"),
                            (OptionChange, change.pk, "approved")):  # fmt: skip
        with pytest.raises(DatabaseError, match="no two persons"), transaction.atomic():
            kind.objects.filter(pk=pk).update(state=state, decided_by=manager, decided_at=house.clock.now())
    assert not Transfer.objects.filter(reason__in=("comp", "adjustment", "fill")).exists()


def test_after_thirty_days_they_are_two(house: House, managers: tuple[Player, Player]) -> None:
    manager, other = managers
    ana = house.player("ana")
    friend = appointed(house, manager, other, "friend")
    house.clock.pass_(days=30, seconds=1)
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "why", clock=house.clock)
    approvals.approve(friend, request.pk, clock=house.clock)
    assert Transfer.objects.filter(reason="comp").count() == 1


def test_friends_of_a_friend_are_no_second_person_either(house: House, managers: tuple[Player, Player]) -> None:
    """Two whom the same person has brought in, and whom somebody brought in who was brought in."""
    manager, other = managers
    ana = house.player("ana")
    third, fourth = staffed("shift_manager", "third"), staffed("shift_manager", "fourth")
    friend = appointed(house, manager, other, "friend")
    sibling = appointed(house, manager, third, "sibling")
    child = appointed(house, friend, fourth, "child")
    for asks, approves in ((friend, sibling), (manager, child), (sibling, child)):
        request = approvals.ask(asks, Comp(ana.pk, MUCH), "why", clock=house.clock)
        assert "two persons" in why_not(lambda: approvals.approve(approves, request.pk, clock=house.clock))  # noqa: B023
        with pytest.raises(DatabaseError, match="no two persons"), transaction.atomic():
            ApprovalRequest.objects.filter(pk=request.pk).update(
                state="approved", decided_by=approves, decided_at=house.clock.now()
            )
        approvals.refuse(asks, request.pk, "not so", clock=house.clock)
    request = approvals.ask(sibling, Comp(ana.pk, MUCH), "why", clock=house.clock)
    approvals.approve(other, request.pk, clock=house.clock)  # other has brought in neither sibling nor manager


def test_those_whom_the_operator_appointed_are_second_persons_at_once(house: House) -> None:
    first, second, ana = somebody("first"), somebody("second"), house.player("ana")
    for one in (first, second):
        staff.appoint(None, one, "shift_manager", "opening night", clock=house.clock)
        one.refresh_from_db()
    written = Event.objects.filter(deed="role")
    assert [(event.by, event.why) for event in written] == [(None, "opening night")] * 2
    told = [str(alerts.words_of(one)) for one in Alert.objects.filter(kind="staff").order_by("pk")]
    assert told[0] == "First is shift manager now, by the operator"
    request = approvals.ask(first, Comp(ana.pk, MUCH), "why", clock=house.clock)
    approvals.approve(second, request.pk, clock=house.clock)


def test_the_database_lets_nobody_decide_twice_or_change_what_was_asked(
    house: House, managers: tuple[Player, Player]
) -> None:
    manager, other = managers
    ana = house.player("ana")
    request = approvals.ask(manager, Comp(ana.pk, MUCH), "why", clock=house.clock)
    rows = ApprovalRequest.objects.filter(pk=request.pk)
    now = house.clock.now()
    for change, why in (
        ({"state": "approved", "decided_by": manager, "decided_at": now}, "approved_by_another"),
        ({"state": "approved"}, "approved_by_another"),
        ({"asked": {"player": ana.pk, "cents": MUCH * 10}}, "stays"),
        ({"asked_by": other}, "stays"),
        ({"why": "another"}, "stays"),
    ):
        with pytest.raises(DatabaseError, match=why), transaction.atomic():
            rows.update(**change)
    approvals.refuse(other, request.pk, "no", clock=house.clock)
    with pytest.raises(DatabaseError, match="decided already"), transaction.atomic():
        rows.update(state="approved", decided_by=other, decided_at=now)
    asked = adjustments.ask(manager, ana.pk, 1_00, "why", clock=house.clock)
    adjustments.approve(other, asked.pk, clock=house.clock)
    with pytest.raises(DatabaseError, match="decided already"), transaction.atomic():
        Adjustment.objects.filter(pk=asked.pk).update(state="requested", decided_by=None, decided_at=None)


def test_the_database_forgets_no_request_and_no_stop_of_play(house: House, managers: tuple[Player, Player]) -> None:
    manager, _ = managers
    approvals.ask(manager, Comp(house.player("ana").pk, MUCH), "why", clock=house.clock)
    adjustments.ask(manager, house.player("rui").pk, 1_00, "why", clock=house.clock)
    order_chips(manager, house.table().pk, ChipOrder.Kind.FILL, 100 * CREDIT, "why", clock=house.clock)
    halts.stop(manager, "", "why", clock=house.clock)
    for kind in (ApprovalRequest, Adjustment, ChipOrder, Halt):
        with pytest.raises(DatabaseError, match="this is kept"), transaction.atomic():
            kind._default_manager.all()._raw_delete("default")
        assert kind._default_manager.count() == 1, kind


# ── Voids wait, and the round with them ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["void", "close"])
def test_a_round_is_held_while_its_void_waits(house: House, how: str) -> None:
    boss, second = staffed("pit_boss", "boss"), staffed("pit_boss", "second")
    table, ana = a_round(house)
    log = house.log(table)
    deed: Deed = Void(log.pk, "cancelled", None, "ref") if how == "void" else ClosingAtOnce(table.pk)
    request = approvals.ask(boss, deed, "the cards fell on the floor", clock=house.clock)
    version, before = house.log(table).version, house.balance(ana)
    assert not house.advance(table).acted
    house.clock.pass_(minutes=5)
    house.attend(table, ana)
    assert not house.advance(table).acted and house.log(table).version == version
    bet = BetRequest(ana.pk, "r9", "player", 100_00)
    assert "The pit is looking" in why_not(lambda: deeds.place(log.pk, bet, clock=house.clock))
    assert "The pit is looking" in why_not(lambda: betting.clear(ana.pk, log.pk, "r8", clock=house.clock))
    approvals.approve(second, request.pk, clock=house.clock)
    log.refresh_from_db()
    assert log.void and house.balance(ana) == before + 100_00
    assert [one.deed for one in Event.objects.filter(log=log).order_by("seq")][:2] == ["round_held", "request_asked"]
    house.step(table)


def test_a_round_goes_on_when_its_void_is_refused(house: House) -> None:
    boss, second = staffed("pit_boss", "boss"), staffed("pit_boss", "second")
    table, ana = a_round(house)
    log = house.log(table)
    request = approvals.ask(boss, Void(log.pk, "cancelled", None, "ref"), "why", clock=house.clock)
    house.clock.pass_(minutes=2)
    approvals.refuse(second, request.pk, "nothing has happened", clock=house.clock)
    house.bet(ana, table, "player", 100)
    assert not house.play_out(table).void
    assert Event.objects.filter(log=log, deed="round_released").count() == 1


def test_a_round_goes_on_by_itself_if_nobody_decides_and_is_held_once(house: House) -> None:
    boss, second = staffed("pit_boss", "boss"), staffed("pit_boss", "second")
    table, ana = a_round(house)
    log = house.log(table)
    request = approvals.ask(boss, Void(log.pk, "cancelled", None, "ref"), "why", clock=house.clock)
    house.clock.at = house.log(table).held_until or house.clock.at
    house.attend(table, ana)
    assert house.advance(table).acted and house.log(table).held_until is None
    assert house.log(table).due_at is not None
    approvals.refuse(boss, request.pk, "once more", clock=house.clock)
    again = approvals.ask(boss, Void(log.pk, "cancelled", None, "ref2"), "why", clock=house.clock)
    assert house.log(table).held_until is None, "a round is held once"
    house.play_out(table)
    assert "is over" in why_not(lambda: approvals.approve(second, again.pk, clock=house.clock))
    assert not RoundLog.objects.get(pk=log.pk).void
    assert timedelta(minutes=1) < holding.HELD_FOR < timedelta(hours=1)


def test_what_voids_nothing_that_lies_is_ruled_by_one(house: House) -> None:
    boss = staffed("pit_boss", "boss")
    table = house.table()
    house.until(table, "betting")
    deed = Void(house.log(table).pk, "cancelled", None, "ref")
    assert approvals.do_or_ask(boss, deed, "nobody is here", clock=house.clock) is None
    assert house.round(table).is_void


# ── Stops of play end by two ────────────────────────────────────────────────────────────────────────────────


def test_one_stops_play_and_two_let_it_go_on(house: House) -> None:
    boss, second = staffed("pit_boss", "boss"), staffed("pit_boss", "second")
    halts.stop(boss, "", "a smell of smoke", clock=house.clock)
    assert "second person" in why_not(lambda: halts.end(boss, "", "gone", clock=house.clock))
    request = approvals.ask(boss, PlayAgain(""), "the smoke is gone", clock=house.clock)
    assert "A second person" in why_not(lambda: approvals.approve(boss, request.pk, clock=house.clock))
    approvals.approve(second, request.pk, clock=house.clock)
    assert "not stopped" in why_not(partial(halts.end, boss, "", "again", approved_by=second, clock=house.clock))
