"""What the owner of the database could write anew is held against anchors outside it, and against the house's laws."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from tables.games.values.money import CREDIT
from tables.management.fitness import refuse_unless_fit
from tables.models import Account, ApprovalRequest, Event, EventHead, Player, Shoe, Transfer
from tables.proof import laws
from tables.proof.anchors import Anchors, RestoredError, _mac, heads
from tables.proof.audit import audit
from tables.services.journal import events
from tables.services.pit import adjustments, approvals, sanctions, staff
from tables.services.pit.deeds import Comp
from tables.services.players import people

from .kit import VAULT, House, without_guards

KEY = "what the database has not"


@pytest.fixture
def anchors(tmp_path: Path) -> Anchors:
    return Anchors(tmp_path / "outside" / "anchors.jsonl", KEY)


@pytest.fixture
def night(db: None, anchors: Anchors) -> House:
    """A house with events and transfers, anchored after each minute."""
    house = House()
    manager = Player.objects.create(username="manager", name="Manager", role="shift_manager")
    ana, table = house.player("ana"), house.table()
    for name in ("boss", "cage"):
        member = Player.objects.create(username=name, name=name.title())
        staff.appoint(None, member, "pit_boss", "needed", clock=house.clock)
        house.clock.pass_(minutes=2)
        anchors.write_due(clock=house.clock)
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    sanctions.comp(manager, ana.pk, 50_00, "a long wait", clock=house.clock)
    house.clock.pass_(minutes=2)
    anchors.write_due(clock=house.clock)
    report = audit(VAULT, anchors)
    assert report.clean and report.anchors == 3, report.faults
    return house


def faults(anchors: Anchors | None = None) -> str:
    return "\n".join(audit(VAULT, anchors).faults)


def lines(anchors: Anchors) -> list[dict[str, Any]]:
    return [json.loads(line) for line in anchors._path.read_text().splitlines()]


def renumber(events_left: list[Event]) -> None:
    """Write the chain anew with these events alone, numbered and hashed as the house would."""
    Event.objects.all()._raw_delete("default")
    digest = ""
    for seq, event in enumerate(events_left, start=1):
        event.seq, event.previous = seq, digest
        event.digest = digest = events.digest_of(event)
        event.save(force_insert=True)
    EventHead.objects.update(seq=len(events_left), digest=digest)


# ── The file ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_anchor_says_where_the_chains_end(night: House, anchors: Anchors) -> None:
    last = lines(anchors)[-1]
    assert (last["events"], last["event_digest"]) == EventHead.objects.values_list("seq", "digest").get()
    assert last["transfers"] == Transfer.objects.latest("pk").pk
    now = heads(until=night.clock.at)
    assert last["transfer_digest"] == now.transfer_digest, "however often it was cut"
    assert (last["packs"], last["pack_digest"]) == (Shoe.objects.latest("pk").pk, now.pack_digest)
    assert (last["throws"], last["throw_digest"]) == (0, "")
    assert (anchors._path.stat().st_mode & 0o777) == 0o600


def test_it_is_written_once_a_minute_however_many_dealers_look(night: House, anchors: Anchors) -> None:
    assert anchors.write_due(clock=night.clock) is None
    night.clock.pass_(seconds=59)
    assert anchors.write_due(clock=night.clock) is None
    night.clock.pass_(seconds=1)
    assert anchors.write_due(clock=night.clock) is not None


def test_what_may_still_be_under_way_is_not_anchored(night: House, anchors: Anchors) -> None:
    night.clock.pass_(minutes=5)
    before = lines(anchors)[-1]["transfers"]
    rui = night.player("rui")
    anchors.write_due(clock=night.clock)
    assert lines(anchors)[-1]["transfers"] == before
    night.clock.pass_(minutes=2)
    anchors.write_due(clock=night.clock)
    assert lines(anchors)[-1]["transfers"] == Transfer.objects.get(key=f"welcome:{rui.pk}").pk


def _changed(lines: list[str]) -> list[str]:
    return [lines[0].replace('"events": 1', '"events": 2'), *lines[1:]]


def _left_out(lines: list[str]) -> list[str]:
    return [lines[0], *lines[2:]]


def _other_key(lines: list[str]) -> list[str]:
    return [json.dumps(json.loads(line) | {"mac": "0" * 64}) for line in lines]


@pytest.mark.parametrize("forge", [_changed, _left_out, _other_key])
def test_nobody_without_the_key_writes_anchors(night: House, anchors: Anchors, forge: Any) -> None:
    forged = forge(anchors._path.read_text().splitlines())
    anchors._path.write_text("\n".join(forged) + "\n")
    assert "was not written by this house, or one before it is gone" in faults(anchors)


# ── The forgeries of the review ─────────────────────────────────────────────────────────────────────────────


def test_the_audit_finds_events_that_were_deleted_and_the_rest_written_anew(
    night: House, anchors: Anchors, settings: Any
) -> None:
    without_guards()
    renumber([event for event in Event.objects.order_by("seq") if event.deed != Event.Kind.ROLE])
    assert list(events.faults()) == [], "the chain itself does not tell"
    settings.ANCHORS, settings.ANCHOR_KEY = str(anchors._path), KEY
    said, complained = StringIO(), StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("audit", stdout=said, stderr=complained)
    assert end.value.code == 1 and "3 anchors: " in said.getvalue()
    assert "the events up to 1 are not those that were anchored at" in complained.getvalue()


def test_the_audit_finds_an_event_whose_reason_was_written_anew(night: House, anchors: Anchors) -> None:
    without_guards()
    every = list(Event.objects.order_by("seq"))
    every[0].why = "another"
    renumber(every)
    assert list(events.faults()) == []
    assert "are not those that were anchored" in faults(anchors)


def test_the_audit_finds_a_transfer_of_the_past_that_was_changed(night: House, anchors: Anchors) -> None:
    """By whom it was: no sum tells."""
    without_guards()
    first = Transfer.objects.earliest("pk")
    Transfer.objects.filter(pk=first.pk).update(by="somebody else")
    assert faults() == ""
    assert "the transfers up to" in faults(anchors)


def test_anchors_of_before_that_know_nothing_of_packs_go_on(night: House, anchors: Anchors) -> None:
    old, previous = [], ""
    for line in lines(anchors):
        line = {name: line[name] for name in ("at", "events", "event_digest", "transfers", "transfer_digest")}
        previous = line["mac"] = _mac(KEY.encode(), line, previous)
        old.append(json.dumps(line) + "\n")
    anchors._path.write_text("".join(old))
    assert faults(anchors) == ""
    night.clock.pass_(minutes=2)
    anchors.write_due(clock=night.clock)
    assert lines(anchors)[-1]["packs"] == Shoe.objects.latest("pk").pk
    assert faults(anchors) == ""


def give(reason: str, key: str, cents: int, player: Player, house: House, *, mint: bool = True) -> None:
    """A transfer with fitting balances that no service made."""
    debit = Account.objects.get(kind="mint" if mint else "house", realm=0)
    credit = Account.objects.get(player=player)
    Transfer.objects.create(
        key=key, debit=debit, credit=credit, amount=cents, reason=reason, by=player.key, at=house.clock.at
    )
    for account, change in ((debit, -cents), (credit, cents)):
        account.balance += change
        account.save()


def test_the_audit_finds_a_top_up_of_a_million(night: House) -> None:
    ana = Player.objects.get(username="ana")
    give("top-up", f"top-up:{ana.pk}:{night.clock.at.isoformat()}", 1_000_000_00, ana, night)
    assert "a top-up of 100000000 to a player who had" in faults()


def broke(house: House, name: str) -> Player:
    """A player who has next to nothing, by bets that they lost."""
    player, table = house.player(name), house.table(f"of-{name}")
    house.stack("4s Kc 5d 7h")  # 9 to 7: the player's side wins
    house.until(table, "betting")
    house.bet(player, table, "banker", 9_900)
    house.play_out(table)
    return player


def test_the_audit_knows_how_much_and_how_often_a_top_up_is(db: None) -> None:
    house = House()
    rui = broke(house, "rui")
    assert house.balance(rui) == 100_00
    people.top_up(rui.pk, clock=house.clock)
    assert faults() == ""
    house.clock.pass_(minutes=10)
    table = house.table("again")
    house.stack("4s Kc 5d 7h")
    house.until(table, "betting")
    house.bet(rui, table, "banker", 10_000)
    house.play_out(table)
    give("top-up", f"top-up:{rui.pk}:{house.clock.at.isoformat()}", 10_000_00, rui, house)
    (fault,) = faults().splitlines()
    assert "and the one before at" in fault, "the amount is right, the hour is not over"


@pytest.mark.parametrize("cents", [10_000_00, 9_999_00])
def test_the_audit_finds_a_welcome_that_nobody_is_owed(night: House, cents: int) -> None:
    ana = Player.objects.get(username="ana")
    give("welcome", f"welcome:{ana.pk}:again", cents, ana, night)
    assert f"a welcome of {cents} under the key welcome:{ana.pk}:again" in faults()
    assert "was welcomed 2 times" in faults()


def test_the_audit_finds_a_comp_without_its_event_and_an_event_without_its_comp(night: House) -> None:
    ana = Player.objects.get(username="ana")
    give("comp", "comp:77", 5_000_00, ana, night, mint=False)
    assert f"a comp of 500000 to player {ana.pk} that no event gave" in faults()
    without_guards()
    Transfer.objects.filter(reason="comp").delete()
    assert f"event {Event.objects.get(deed='comp').seq} gave a comp, and nothing moved" in faults()


def test_the_audit_finds_an_adjustment_that_nobody_approved(night: House) -> None:
    ana, boss = Player.objects.get(username="ana"), Player.objects.get(username="boss")
    asked = adjustments.ask(boss, ana.pk, 5_000_00, "a mistake", clock=night.clock)
    give("adjustment", f"adjustment:{asked.pk}", 5_000_00, ana, night, mint=False)
    assert f"an adjustment of 500000 for player {ana.pk} that nobody approved" in faults()
    type(asked).objects.filter(pk=asked.pk).update(
        state="approved", decided_by=Player.objects.get(username="cage"), decided_at=night.clock.at
    )
    assert "that nobody approved" in faults(), "no event tells of it"


def test_the_audit_finds_what_the_mint_made_for_nobody(night: House) -> None:
    mint, house_ = Account.objects.get(kind="mint", realm=0), Account.objects.get(kind="house", realm=0)
    Transfer.objects.create(
        key="mint:float:99", debit=mint, credit=house_, amount=7, reason="mint", by="house", at=night.clock.at
    )
    for account, change in ((mint, -7), (house_, 7)):
        account.balance += change
        account.save()
    assert "the mint made 7 for mint:float:99" in faults()


def test_the_audit_finds_appointments_and_approvals_that_nobody_made(night: House) -> None:
    """Written by the owner of the database, who makes an event for each as well."""
    manager = Player.objects.get(username="manager")
    other = Player.objects.create(username="other", name="Other", role="shift_manager")
    friend = Player.objects.create(username="friend", name="Friend")
    request = approvals.ask(
        manager, Comp(Player.objects.get(username="ana").pk, 5_000 * CREDIT), "why", clock=night.clock
    )
    approvals.approve(other, request.pk, clock=night.clock)
    assert list(laws.faults()) == []
    appointed = events.record(Event.Kind.ROLE, by=manager.pk, player=friend.pk, after="cage", clock=night.clock)
    (fault,) = laws.faults()
    assert fault == f"event {appointed.seq}: player {friend.pk} became cage, and no second person approved"
    approved = events.record(Event.Kind.REQUEST_APPROVED, by=other.pk, after={"request": 0}, clock=night.clock)
    forged = ApprovalRequest.objects.create(
        kind="appoint", key="appoint:1", asked={"player": friend.pk, "role": "cage"}, why="why", player=friend,
        asked_by=manager, asked_at=night.clock.now(), state="approved", decided_by=other, decided_at=night.clock.now(),
    )  # fmt: skip
    assert list(laws.faults()) == [
        f"event {approved.seq} approved a request that was not approved so",
        f"request {forged.pk} was approved, and no event says so",
    ]


# ── A restore to an earlier moment ──────────────────────────────────────────────────────────────────────────


def restore(night: House) -> None:
    """Bring the database back to where its first event was the last."""
    without_guards()
    kept = Event.objects.get(seq=1)
    renumber([kept])


def test_an_older_database_is_recognised_at_start_and_said_in_one_line(
    night: House, anchors: Anchors, settings: Any
) -> None:
    settings.ANCHORS, settings.ANCHOR_KEY = str(anchors._path), "another key"
    with pytest.raises(CommandError, match="was not signed with the key of this house"):
        refuse_unless_fit()
    settings.ANCHOR_KEY = KEY
    refuse_unless_fit()
    boss = Player.objects.get(username="boss")
    with transaction.atomic():  # what is done and anchored here, the backup does not have
        staff.appoint(None, boss, "surveillance", "another post", clock=night.clock)
        night.clock.pass_(minutes=2)
        assert anchors.write_due(clock=night.clock) is not None
        transaction.set_rollback(True)
    for command, options in (("floor", {"prepare": True}), ("deal", {})):
        with pytest.raises(CommandError, match=r"restored to an earlier moment: .* manage.py restored") as told:
            call_command(command, **options)
        assert "\n" not in str(told.value) and "ends at event 3 " in str(told.value)
    night.clock.pass_(minutes=5)
    with pytest.raises(RestoredError):
        anchors.write_due(clock=night.clock)
    assert len(lines(anchors)) == 4, "nothing is anchored over it"


def test_another_database_is_recognised_too(night: House, anchors: Anchors) -> None:
    without_guards()
    every = list(Event.objects.order_by("seq"))
    every[-1].why = "another"
    renumber(every)
    with pytest.raises(RestoredError, match="this is another database, or its events were changed"):
        anchors.check_start()


def test_the_operator_acknowledges_a_restore_by_a_command_and_the_house_goes_on(
    night: House, anchors: Anchors, settings: Any
) -> None:
    settings.ANCHORS, settings.ANCHOR_KEY = str(anchors._path), KEY
    restore(night)
    assert "are not those that were anchored" in faults(anchors)
    said = StringIO()
    with pytest.raises(CommandError, match="Say why"):
        call_command("restored", why=" ", stdout=said)
    call_command("restored", why="a broken disk; the backup of noon", stdout=said)
    assert "from event 2 " in said.getvalue()
    event = Event.objects.get(deed=Event.Kind.RESTORED)
    assert event.why == "a broken disk; the backup of noon"
    assert event.before is not None and event.before["events"] == 3
    anchors.check_start()
    night.clock.pass_(minutes=5)
    assert anchors.write_due(clock=night.clock) is not None
    assert "anchored" not in faults(anchors)


def test_without_a_key_or_a_file_nothing_is_acknowledged(db: None, settings: Any, tmp_path: Path) -> None:
    settings.ANCHORS, settings.ANCHOR_KEY = str(tmp_path / "anchors.jsonl"), ""
    with pytest.raises(CommandError, match="no key that signs them"):
        call_command("restored", why="so")
    settings.ANCHORS = "off"
    with pytest.raises(CommandError, match="no anchors here"):
        call_command("restored", why="so")
