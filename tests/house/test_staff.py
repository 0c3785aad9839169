"""Who is staff: appointed and dismissed by other people; the demonstration staff; and staff do not play."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as codes
from allauth.mfa.utils import decrypt
from django.core.management import CommandError, call_command

from tables.base.rights import Right, may
from tables.felt.formatting import text_of
from tables.games.contract.errors import Refused
from tables.management import demo_staff
from tables.models import Account, Alert, Event, Favourite, Player, Role, Seat, TakenName
from tables.services.journal import events
from tables.services.pit import approvals, sessions, staff
from tables.services.pit.deeds import Comp
from tables.services.players import chat, people
from tables.services.rounds import betting, favourites, seating
from tables.services.rounds.betting import BetRequest

from . import deeds
from .kit import House

pytestmark = pytest.mark.django_db

PASSWORD = "lotus and baize 1887"


@pytest.fixture
def house() -> House:
    return House()


def somebody(name: str, role: str = "") -> Player:
    """A person with a password, and with a wallet if they are a player."""
    player = Player(username=name, name=name.title(), role=role)
    player.set_password(PASSWORD)
    player.save()
    people.welcome(player)
    return player


def refused(deed: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refusal:
        deed()
    return text_of(refusal.value.words)


def test_a_shift_manager_appoints_and_it_is_written_down() -> None:
    manager, ana = somebody("manager", "shift_manager"), somebody("ana")
    Favourite.objects.create(player=ana, game="baccarat", name="mine", stakes=[])
    other = somebody("other", "shift_manager")
    staff.appoint(manager, ana, "cage", "first night", approved_by=other)
    ana.refresh_from_db()
    assert may(ana, Right.CONFIRM_CHIPS) and not may(ana, Right.RULE)
    staff.appoint(manager, ana, "pit_boss", "promoted", approved_by=other)
    written = list(Event.objects.values_list("deed", "by__username", "player", "why", "before", "after"))
    assert written == [
        ("role", "manager", ana.pk, "first night", "", "cage"),
        ("role", "manager", ana.pk, "promoted", "cage", "pit_boss"),
    ]
    assert not list(events.faults())
    assert not Favourite.objects.filter(player=ana).exists()


@pytest.mark.parametrize("role", ["", "pit_boss", "surveillance", "cage"])
def test_nobody_else_appoints_dismisses_or_removes_a_factor(role: str) -> None:
    by, ana, boss = somebody("by", role), somebody("ana"), somebody("boss", "pit_boss")
    codes.TOTP.activate(boss, codes.generate_totp_secret())
    for deed in (
        lambda: staff.appoint(by, ana, "cage", ""),
        lambda: staff.dismiss(by, boss, ""),
        lambda: staff.remove_second_factor(by, boss, ""),
    ):
        assert refused(deed) == "Your role does not have this right."
    boss.refresh_from_db()
    assert boss.role == "pit_boss" and sessions.has_second_factor(boss) and not Event.objects.exists()


def test_nobody_changes_his_own_role() -> None:
    manager = somebody("manager", "shift_manager")
    codes.TOTP.activate(manager, codes.generate_totp_secret())
    assert refused(lambda: staff.appoint(manager, manager, "cage", "")) == "Nobody changes their own role."
    assert refused(lambda: staff.dismiss(manager, manager, "")) == "Nobody changes their own role."
    assert refused(lambda: staff.remove_second_factor(manager, manager, "")) == "Nobody changes their own role."


def test_guests_and_those_who_play_are_not_appointed(house: House) -> None:
    guest, ana, table = people.new_guest(), somebody("ana"), house.table()
    assert "password of their own" in refused(lambda: staff.appoint(None, guest, "cage", ""))
    assert refused(lambda: staff.appoint(None, ana, "croupier", "")) == "There is no such role."
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    assert "is playing" in refused(lambda: staff.appoint(None, ana, "cage", ""))
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    house.step(table)
    log = house.log(table).pk
    deeds.place(log, BetRequest(ana.pk, "r1", "player", 100_00), clock=house.clock)
    assert "is playing" in refused(lambda: staff.appoint(None, ana, "cage", ""))
    betting.clear(ana.pk, log, "r2", clock=house.clock)
    staff.appoint(None, ana, "cage", "")
    ana.refresh_from_db()
    assert ana.role == "cage"


def test_whoever_is_dismissed_plays_again_without_a_code() -> None:
    manager = somebody("manager", "shift_manager")
    gone = somebody("gone", "pit_boss")
    assert not Account.objects.filter(player=gone).exists(), "staff are given nothing to play with"
    codes.TOTP.activate(gone, codes.generate_totp_secret())
    staff.dismiss(manager, gone, "left")
    gone.refresh_from_db()
    assert gone.role == "" and not Authenticator.objects.filter(user=gone).exists()
    assert Account.objects.get(player=gone).balance == people.FIRST_CREDITS
    assert "is not a member of the staff" in refused(lambda: staff.dismiss(manager, gone, ""))


def test_a_lost_factor_is_removed_and_written_down() -> None:
    manager, boss = somebody("manager", "shift_manager"), somebody("boss", "pit_boss")
    codes.TOTP.activate(boss, codes.generate_totp_secret())
    other = somebody("other", "shift_manager")
    staff.remove_second_factor(manager, boss, "telephone in the harbour", approved_by=other)
    assert not sessions.has_second_factor(boss)
    assert Event.objects.get(deed="second_factor").why == "telephone in the harbour"
    assert "has no second factor" in refused(lambda: staff.remove_second_factor(manager, boss, "", approved_by=other))


@pytest.mark.parametrize("role", Role.values)
def test_staff_do_not_play(house: House, role: str) -> None:
    """Not even with credits from before they were appointed."""
    player, table = somebody("ana"), house.table()
    staff.appoint(None, player, role, "")
    house.step(table)
    log = house.log(table).pk
    for deed in (
        lambda: seating.sit(player.pk, table.pk, 1, clock=house.clock),
        lambda: deeds.place(log, BetRequest(player.pk, "r1", "player", 100_00), clock=house.clock),
        lambda: chat.speak(player.pk, table.pk, "r2", "good evening", clock=house.clock),
        lambda: favourites.save(player.pk, table.pk, "mine"),
        lambda: people.top_up(player.pk, clock=house.clock),
    ):
        assert refused(deed) == "Staff of the house do not play."
    assert Account.objects.get(player=player).balance == people.FIRST_CREDITS
    assert not Seat.objects.filter(player=player).exists()


# ── The demonstration staff, and the commands ───────────────────────────────────────────────────────────────


@pytest.fixture
def on_this_machine(settings: Any, tmp_path: Any) -> None:
    settings.DEMO, settings.VAR_DIR = True, tmp_path


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("on_this_machine")
def test_the_demonstration_staff_is_made_once_and_kept_for_its_owner() -> None:
    access = demo_staff.prepare()
    assert stat.S_IMODE(demo_staff.path().stat().st_mode) == 0o600
    members = {member.username: member for member in Player.objects.exclude(role="")}
    assert {name: member.role for name, member in members.items()} == dict(demo_staff.MEMBERS)
    assert len({each.password for each in access.values()} | {each.secret for each in access.values()}) == 10
    for name, each in access.items():
        assert members[name].check_password(each.password)
        assert decrypt(Authenticator.objects.get(user=members[name]).data["secret"]) == each.secret
    assert not Account.objects.filter(player__in=members.values()).exists()
    before = Player.objects.get(username="cage").password
    assert demo_staff.prepare() == access
    assert Player.objects.get(username="cage").password == before
    assert Event.objects.filter(deed="role").count() == len(demo_staff.MEMBERS)


@pytest.mark.usefixtures("on_this_machine")
def test_a_player_of_such_a_name_is_left_alone_and_lost_keys_are_made_anew() -> None:
    ana = somebody("cage")
    access = demo_staff.prepare()
    assert access.keys() == demo_staff.MEMBERS.keys() - {"cage"}
    ana.refresh_from_db()
    assert ana.role == "" and ana.check_password(PASSWORD) and not sessions.has_second_factor(ana)
    demo_staff.path().unlink()
    again = demo_staff.prepare()
    assert again["pit-boss"] != access["pit-boss"]
    assert Player.objects.get(username="pit-boss").check_password(again["pit-boss"].password)


@pytest.mark.usefixtures("on_this_machine")
def test_a_demonstration_of_before_gets_its_second_manager_who_counts_at_once(house: House) -> None:
    access = demo_staff.prepare()
    kept = json.loads(demo_staff.path().read_text())
    demo_staff.path().write_text(json.dumps({name: each for name, each in kept.items() if name != "duty-manager"}))
    TakenName.objects.filter(player__username="duty-manager").delete()
    Player.objects.filter(username="duty-manager").update(username="gone", role="")
    again = demo_staff.prepare()
    assert again.keys() == demo_staff.MEMBERS.keys() and again["pit-boss"] == access["pit-boss"]
    assert stat.S_IMODE(demo_staff.path().stat().st_mode) == 0o600
    manager, second = (Player.objects.get(username=name) for name in ("shift-manager", "duty-manager"))
    request = approvals.ask(manager, Comp(house.player("ana").pk, 50_000_00), "a birthday", clock=house.clock)
    approvals.approve(second, request.pk, clock=house.clock)
    assert not Alert.objects.filter(kind="staff").exists()


@pytest.mark.usefixtures("on_this_machine")
def test_the_command_prints_the_present_code_and_then_the_next() -> None:
    with pytest.raises(CommandError, match="Start the house first"):
        said("second_factor", "pit-boss")
    secret = demo_staff.prepare()["pit-boss"].secret
    good = {codes.format_hotp_value(codes.hotp_value(secret, step)) for step in codes.yield_hotp_counters_from_time()}
    assert said("second_factor", "pit-boss").strip() in good
    factor = Authenticator.objects.get(user__username="pit-boss")
    *_, after = codes.yield_hotp_counters_from_time()
    factor.data["last"] = after + 6
    factor.save()
    assert said("second_factor", "pit-boss").strip() == codes.format_hotp_value(codes.hotp_value(secret, after + 7))


@pytest.mark.usefixtures("on_this_machine")
def test_a_real_house_tells_no_codes(settings: Any) -> None:
    demo_staff.prepare()
    settings.DEMO = False
    with pytest.raises(CommandError, match="a real house"):
        said("second_factor", "pit-boss")


def test_a_real_house_appoints_and_dismisses_by_command() -> None:
    somebody("ana")
    assert "ana" in said("staff", "appoint", "ana", "shift_manager", "--why", "opening night")
    event = Event.objects.get()
    assert (event.by, event.after, event.why) == (None, "shift_manager", "opening night")
    assert "no second factor yet" in said("staff")
    with pytest.raises(CommandError, match="has no second factor"):
        said("staff", "lost", "ana")
    said("staff", "dismiss", "ana")
    assert said("staff", "list") == ""
    with pytest.raises(CommandError, match="Nobody is called rui"):
        said("staff", "appoint", "rui", "cage")
