"""What players set for themselves holds at every bet and every seat, and nobody ends it early."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tables.base.calendar import MACAU
from tables.models import Account, Event, LoggedAction, OwnLimit, PlayClock, Player, Restriction, Seat, Table, Transfer
from tables.queries.yearly import statement_of_year, years_of
from tables.services.pit import sanctions
from tables.services.players import own_limits, people, play_time
from tables.services.rounds import breaks, seating
from tables.services.rounds.betting import clear

from .kit import House, why_not

pytestmark = pytest.mark.django_db


def betting(house: House) -> tuple[Table, Player]:
    """A table where Ana may bet."""
    table, ana = house.table(), house.player("Ana")
    house.attend(table, ana)
    house.until(table, "betting")
    return table, ana


def limit(house: House, player: Player, kind: str, most: int | None) -> None:
    own_limits.set_limit(player.pk, kind, most, clock=house.clock)


# ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_loss_is_what_the_ledger_took_and_did_not_give_back_since_the_gaming_day_began(house: House) -> None:
    house.clock.at = datetime(2066, 11, 21, 20, 30, tzinfo=UTC)  # 04:30 in Macau: an hour and a half before the day
    table, ana = betting(house)
    limit(house, ana, "loss", 150_00)
    house.stack("9s 2c Kd 3h")  # the Player wins, 9 to 5
    house.bet(ana, table, "banker", 100)
    assert "loss leaves 50.00" in why_not(lambda: house.bet(ana, table, "banker", 51))
    assert house.balance(ana) == people.FIRST_CREDITS - 100_00, "a refusal costs nothing"
    house.play_out(table)
    house.until(table, "betting")
    assert "loss leaves 50.00" in why_not(lambda: house.bet(ana, table, "player", 51))
    house.bet(ana, table, "player", 50)
    house.play_out(table)
    won = house.balance(ana) - (people.FIRST_CREDITS - 100_00)
    house.until(table, "betting")
    house.bet(ana, table, "player", (50_00 + won) // 100)
    house.play_out(table)
    house.clock.at = datetime(2066, 11, 21, 22, 0, tzinfo=UTC)  # 06:00 in Macau
    house.take_over(table, "another")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 150)
    assert "loss leaves 0.00" in why_not(lambda: house.bet(ana, table, "banker", 1))
    house.in_order()


def test_a_stake_that_is_taken_back_counts_for_no_limit(house: House) -> None:
    table, ana = betting(house)
    limit(house, ana, "stake", 100_00)
    house.bet(ana, table, "player", 100)
    assert "stakes leaves 0.00" in why_not(lambda: house.bet(ana, table, "player", 1))
    clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    house.bet(ana, table, "banker", 100)


def test_lower_holds_at_once_and_higher_after_a_day_unless_it_is_taken_back(house: House) -> None:
    table, ana = betting(house)
    limit(house, ana, "stake", 100_00)
    limit(house, ana, "stake", 500_00)
    assert "leaves 100.00" in why_not(lambda: house.bet(ana, table, "player", 101))
    own_limits.take_back(ana.pk, "stake", clock=house.clock)
    house.clock.pass_(hours=24)
    assert own_limits.limits_of(ana.pk)[OwnLimit.Kind.STAKE].at(house.clock.now()) == 100_00
    assert "Nothing waits" in why_not(lambda: own_limits.take_back(ana.pk, "stake", clock=house.clock))
    limit(house, ana, "stake", None)
    limit(house, ana, "stake", 80_00)
    house.clock.pass_(hours=25)
    assert own_limits.limits_of(ana.pk)[OwnLimit.Kind.STAKE].at(house.clock.now()) == 80_00, "lower ends what waited"
    limit(house, ana, "stake", None)
    house.clock.pass_(hours=23, minutes=59)
    assert own_limits.limits_of(ana.pk)[OwnLimit.Kind.STAKE].at(house.clock.now()) == 80_00
    house.clock.pass_(minutes=1)
    house.take_over(table, "another")
    house.step(table)
    house.until(table, "betting")
    house.bet(ana, table, "player", 1000)
    assert Event.objects.filter(deed="own_limit", by=ana, player=ana).count() == 6
    house.in_order()


@pytest.mark.parametrize(("kind", "most"), [("loss", 0), ("stake", -1), ("time", 24 * 60 + 1)])
def test_a_limit_that_limits_nothing_is_refused(house: House, kind: str, most: int) -> None:
    ana = house.player("Ana")
    why_not(lambda: limit(house, ana, kind, most))
    assert not OwnLimit.objects.exists() and not Event.objects.exists()


def test_whoever_has_no_limit_costs_a_bet_no_statement_and_whoever_has_one_costs_it_one(house: House) -> None:
    table, ana = betting(house)
    rui = house.player("Rui")
    house.attend(table, rui)
    for one in (ana, rui):
        house.bet(one, table, "player", 10)

    def statements(player: Player) -> int:
        with CaptureQueriesContext(connection) as asked:
            house.bet(player, table, "player", 10)
        return len(asked)

    before = statements(ana)
    for kind, most in (("loss", 900_00), ("stake", 900_00), ("time", 600)):
        limit(house, rui, kind, most)
    play_time.seen([ana.pk, rui.pk], house.clock.now())
    assert statements(ana) == before
    assert statements(rui) == before + 1


def test_time_counts_from_deed_to_deed_and_a_new_session_begins_after_half_an_hour(house: House) -> None:
    house.clock.at = datetime(2066, 11, 21, 21, 40, tzinfo=UTC)  # 05:40 in Macau
    table, ana = betting(house)
    limit(house, ana, "time", 30)
    began = house.clock.now()
    for minutes in (0, 20, 15, 14):  # 49 minutes, of which 29 are of the new day
        house.clock.pass_(minutes=minutes)
        play_time.seen([ana.pk], house.clock.now())
    assert PlayClock.objects.get(pk=ana.pk).played_s == 29 * 60
    session = play_time.session_of(ana.pk, house.clock.now())
    assert (session.since, session.minutes, session.today_minutes) == (began, 49, 29)
    house.take_over(table, "another")
    house.step(table)
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.clock.pass_(minutes=31)
    play_time.seen([ana.pk], house.clock.now())
    assert PlayClock.objects.get(pk=ana.pk).played_s == 29 * 60, "nobody counts the time away"
    house.clock.pass_(minutes=1)
    play_time.seen([ana.pk], house.clock.now())
    assert play_time.session_of(ana.pk, house.clock.now()).minutes == 1
    assert "limit of 30 minutes" in why_not(lambda: house.bet(ana, table, "player", 10))
    assert "limit of 30 minutes" in why_not(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))


# ── Reality checks ──────────────────────────────────────────────────────────────────────────────────────────


def test_no_round_is_begun_before_a_reality_check_is_read_and_none_is_broken_off(house: House) -> None:
    table, ana = betting(house)
    play_time.check_every(ana.pk, 30, clock=house.clock)
    house.bet(ana, table, "player", 100)
    PlayClock.objects.filter(pk=ana.pk).update(check_due_at=house.clock.now())
    house.bet(ana, table, "player", 10)  # the round goes on
    house.play_out(table)
    house.until(table, "betting")
    play_time.seen([ana.pk], house.clock.now())
    assert "reality check" in why_not(lambda: house.bet(ana, table, "player", 10))
    assert "reality check" in why_not(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
    session = play_time.session_of(ana.pk, house.clock.now())
    assert session.played.staked == 110_00
    assert session.played.net == house.balance(ana) - people.FIRST_CREDITS
    play_time.acknowledge(ana.pk, clock=house.clock)
    house.bet(ana, table, "player", 10)
    assert play_time.session_of(ana.pk, house.clock.now()).check_due_at == house.clock.now() + timedelta(minutes=30)
    why_not(lambda: play_time.check_every(ana.pk, 90, clock=house.clock))


# ── Breaks and self-exclusions ──────────────────────────────────────────────────────────────────────────────


def test_a_break_gives_the_seat_up_after_the_round_and_ends_by_itself(house: House) -> None:
    table, ana = betting(house)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.bet(ana, table, "player", 100)
    breaks.take_break(ana.pk, "1h", clock=house.clock)
    assert "taking a break until" in why_not(lambda: house.bet(ana, table, "player", 10))
    log = house.play_out(table)
    assert log.played.get(player=ana).staked == 100_00
    house.until(table, "betting")
    assert not Seat.objects.filter(player=ana).exists()
    assert "taking a break until" in why_not(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
    house.clock.pass_(hours=1)
    house.attend(table, ana)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    why_not(lambda: breaks.take_break(ana.pk, "1y", clock=house.clock))
    breaks.take_break(ana.pk, "3d", clock=house.clock)
    assert not Seat.objects.filter(player=ana).exists(), "nothing lies in the round"
    left, told = LoggedAction.objects.latest("pk"), Event.objects.latest("seq")
    assert (left.at, told.at) == (house.clock.at, house.clock.at)
    assert "for at least as long" in why_not(lambda: breaks.take_break(ana.pk, "1d", clock=house.clock))
    house.in_order()


def test_nobody_ends_a_self_exclusion_early_and_afterwards_only_its_player(house: House) -> None:
    house.clock.at = datetime(2066, 8, 31, 4, 0, tzinfo=UTC)
    table, ana = house.table(), house.player("Ana")
    boss = Player.objects.create(username="boss", role="shift_manager")
    one = breaks.exclude_oneself(ana.pk, "6m", clock=house.clock)
    assert one.until is not None and one.until.astimezone(MACAU) == datetime(2067, 2, 28, 12, 0, tzinfo=MACAU)
    assert "own decision" in why_not(lambda: sanctions.lift(boss, one.pk, "asked nicely", clock=house.clock))
    assert "own decision" in why_not(lambda: sanctions.restrict(boss, ana.pk, "own", "why", clock=house.clock))
    assert "not over" in why_not(lambda: breaks.play_again(ana.pk, clock=house.clock))
    for early in ({"lifted_by": ana}, {"lifted_by": boss}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Restriction.objects.filter(pk=one.pk).update(lifted_at=house.clock.now(), **early)
    house.clock.pass_(days=200)
    assert "had excluded yourself" in why_not(lambda: seating.sit(ana.pk, table.pk, 1, clock=house.clock))
    assert "own decision" in why_not(lambda: sanctions.lift(boss, one.pk, "over", clock=house.clock))
    breaks.play_again(ana.pk, clock=house.clock)
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    assert "not excluded" in why_not(lambda: breaks.play_again(ana.pk, clock=house.clock))
    deeds = Event.objects.filter(player=ana).order_by("seq").values_list("deed", "by_id")
    assert list(deeds) == [("own_exclusion", ana.pk), ("own_return", ana.pk)]


def test_guests_take_a_break_and_keep_their_account_before_they_exclude_themselves(house: House) -> None:
    guest = people.new_guest(clock=house.clock)
    breaks.take_break(guest.pk, "7d", clock=house.clock)
    limit(house, guest, "loss", 100_00)
    assert "Keep this account" in why_not(lambda: breaks.exclude_oneself(guest.pk, "6m", clock=house.clock))
    boss = Player.objects.create(username="boss", role="pit_boss")
    for deed in (lambda: breaks.take_break(boss.pk, "1h"), lambda: limit(house, boss, "time", 60)):
        assert "do not play" in why_not(deed)
    play_time.seen([boss.pk], house.clock.now())
    assert not PlayClock.objects.exists()


# ── The statement of a year ─────────────────────────────────────────────────────────────────────────────────


def test_a_statement_reconciles_with_the_ledger_over_the_turn_of_the_year(house: House) -> None:
    house.clock.at = datetime(2066, 12, 31, 15, 50, tzinfo=UTC)  # ten minutes before the year ends in Macau
    table, ana = betting(house)
    boss = Player.objects.create(username="boss", role="shift_manager")
    house.bet(ana, table, "banker", 120)
    house.play_out(table)
    sanctions.comp(boss, ana.pk, 88_08, "a birthday", clock=house.clock)
    closing = house.balance(ana)
    house.clock.at = datetime(2066, 12, 31, 16, 0, tzinfo=UTC)
    house.take_over(table, "another")
    house.step(table)
    house.until(table, "betting")
    house.bet(ana, table, "player", 70)
    clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    house.bet(ana, table, "player", 50)
    house.play_out(table)
    old, new = (statement_of_year(ana, year) for year in (2066, 2067))
    assert years_of(ana) == [2067, 2066]
    assert (old.total.opening, old.total.given, old.total.comps) == (0, people.FIRST_CREDITS, 88_08)
    assert (old.total.staked, old.total.closing) == (120_00, closing)
    assert (new.total.opening, new.total.staked, new.total.given) == (closing, 50_00, 0)
    assert new.total.closing == house.balance(ana) == Account.objects.get(player=ana).balance
    assert new.months[0].closing == new.months[11].closing
    moved = Transfer.objects.filter(at__gte=datetime(2066, 12, 31, 16, 0, tzinfo=UTC))
    credits_ = sum(moved.filter(credit__player=ana).values_list("amount", flat=True))
    debits = sum(moved.filter(debit__player=ana).values_list("amount", flat=True))
    assert sum(new.reasons.values()) == credits_ - debits == new.total.net
