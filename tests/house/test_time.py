"""When things happen: how long each wait is, what shortens it, and when a table sleeps. No test here waits."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from functools import partial

import pytest

from tables.base.timetable import ROUNDS_WITHOUT_BET, Times
from tables.games.baccarat.coup import Hand as Side
from tables.games.baccarat.phases import Waive
from tables.games.contract.errors import Refused
from tables.models import LoggedAction, Player, RoundLog, Seat, Table
from tables.services.dealing.advance import advance
from tables.services.dealing.leases import release_leases, renew_leases, take_lease
from tables.services.rounds import decisions, seating

from . import deeds
from .kit import IDENTITY, House, open_table


def left(house: House, table: Table) -> float | None:
    """Seconds until the house acts next."""
    due = house.log(table).due_at
    return None if due is None else (due - house.clock.at).total_seconds()


def ready(house: House, player: Player, table: Table) -> None:
    deeds.ready(player.pk, house.log(table).pk, house.ref(), clock=house.clock)


def deserted(house: House, table: Table) -> None:
    """Everybody has gone, and that is known."""
    house.clock.pass_(seconds=46)


# ── The pace ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("times", [{"betting": "18"}, {"betting": 1.5}, {"beat": True}, {"lunch": 1}, {"cut": -1}])
def test_times_that_make_no_sense_are_not_taken(db: None, times: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        open_table("jade", "Jade", "baccarat", {}, times=times)
    assert not Table.objects.exists()


def test_each_phase_takes_its_time_and_no_more(house: House) -> None:
    times = {"cut": 1_000, "betting": 2_000, "decision": 3_000, "beat": 400, "result": 5_000}
    house.stack("Ks 2c 4s Kc 5d 7h")
    table = house.table(times=times, dealing_device="shoe", decks=6, burn_mode="fixed_n", burn_fixed_n=1)
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    waits: list[tuple[str, float | None]] = []
    while not waits or waits[-1][0] != "settled":
        house.step(table)
        phase = str(house.log(table).phase)
        if phase == "betting" and not house.round(table).in_escrow():
            house.bet(ana, table, "player", 10)
        waits.append((phase, left(house, table)))
    assert waits == [
        ("cut", 1), ("burn", 0.4), ("betting", 2), ("deal", 0.4), ("deal", 0.4), ("deal", 0.4), ("deal", 0.4),
        ("open_player", 3), ("open_banker", 0.4), ("result", 0.4), ("settled", 5),
    ]  # fmt: skip
    assert left(house, table) == Times.of(times).result / 1000
    assert not advance(table.pk, house.credentials(table), clock=house.clock).acted


def test_nothing_is_done_before_it_is_due_and_one_thing_then(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    house.clock.pass_(seconds=17.999)
    before = house.log(table).version
    outcome = house.advance(table)
    assert (outcome.acted, outcome.look_at) == (False, house.log(table).due_at)
    house.clock.pass_(seconds=0.001)
    assert house.advance(table).acted
    assert house.log(table).version == before + 1


def test_bets_do_not_prolong_betting(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.clock.pass_(seconds=10)
    house.bet(ana, table, "player", 10)
    assert left(house, table) == 8


def test_a_change_of_holders_does_not_give_more_time(house: House) -> None:
    house.stack("Ks 2c 4s Kc 5d 7h")
    table = house.table(dealing_device="shoe", decks=6, burn_mode="fixed_n", burn_fixed_n=1)
    ana, rui = house.player("ana"), house.player("rui")
    house.until(table, "betting")
    for seat, (player, spot) in enumerate(((ana, "player"), (rui, "banker")), start=1):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
        house.bet(player, table, spot, 10)
    house.until(table, "open_player")
    house.clock.pass_(seconds=4)
    log = house.log(table).pk
    decisions.decide(rui.pk, log, house.ref(), Waive(rui.key, Side.BANKER), clock=house.clock)
    assert left(house, table) == 6


# ── Hurry ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_betting_closes_soon_once_everybody_is_ready(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.bet(rui, table, "player", 10)  # standing
    ready(house, ana, table)
    assert left(house, table) == 18
    ready(house, rui, table)
    assert left(house, table) == 1.2


def test_a_further_bet_takes_the_word_back_and_the_usual_time_stands_again(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.clock.pass_(seconds=5)
    ready(house, ana, table)
    assert left(house, table) == 1.2
    house.clock.pass_(seconds=1)
    house.bet(ana, table, "banker", 10)
    assert left(house, table) == 12
    ready(house, ana, table)
    assert left(house, table) == 1.2


def test_somebody_who_sits_down_is_waited_for(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    ready(house, ana, table)
    seating.sit(rui.pk, table.pk, 1, clock=house.clock)
    assert left(house, table) == 18
    seating.connection_lost(table.pk, rui.pk, clock=house.clock)
    assert left(house, table) == 1.2


def test_hurry_never_makes_it_later(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.clock.pass_(seconds=17.5)
    ready(house, ana, table)
    assert left(house, table) == 0.5


def test_nobody_prolongs_it_by_saying_so_again(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    ready(house, ana, table)
    house.clock.pass_(seconds=1)
    with contextlib.suppress(Refused):
        ready(house, ana, table)
    assert left(house, table) == 0.2


# ── Sleep ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_nobody_came_to_writes_no_round(house: House) -> None:
    table = house.table()
    deserted(house, table)
    outcome = house.advance(table)
    assert (outcome.acted, outcome.look_at) == (False, None)
    assert not RoundLog.objects.exists()
    house.attend(table)
    assert house.advance(table).acted


def test_a_deserted_table_stops_at_betting_and_wakes_with_the_whole_time(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    deserted(house, table)
    assert house.advance(table).acted
    assert left(house, table) is None
    lines = LoggedAction.objects.count()
    house.clock.pass_(days=1)
    renew_leases("test", timedelta(days=2), clock=house.clock)
    house.take_over(table, "test")
    assert not house.advance(table).acted
    assert LoggedAction.objects.count() == lines and RoundLog.objects.count() == 1
    house.attend(table)
    assert house.advance(table).acted
    assert left(house, table) == 18


def test_a_round_with_a_stake_is_played_to_its_end_though_everybody_has_gone(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    deserted(house, table)
    while house.log(table).settled_at is None:
        due = house.log(table).due_at
        assert due is not None
        house.clock.at = max(due, house.clock.at)
        assert house.advance(table).acted
    house.clock.pass_(seconds=7)
    assert not house.advance(table).acted
    assert RoundLog.objects.count() == 1


def test_a_stake_starts_the_clock_of_a_sleeping_table(house: House) -> None:
    """Its bettor is there, though no heartbeat has said so yet."""
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    deserted(house, table)
    house.advance(table)
    house.bet(ana, table, "player", 10)
    assert house.advance(table).acted
    assert left(house, table) == 18


def test_a_closed_table_finishes_its_round_and_opens_no_other(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    Table.objects.filter(pk=table.pk).update(open=False)
    house.play_out(table)
    house.step(table)
    house.step(table)
    assert RoundLog.objects.count() == 1


# ── Leases ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_leases_are_taken_renewed_lost_and_given_back(house: House) -> None:
    jade, lotus = house.table("jade"), house.table("lotus")
    house.clock.pass_(days=2)
    take = partial(take_lease, ttl=timedelta(seconds=6), identity=IDENTITY, clock=house.clock)
    renew = partial(renew_leases, ttl=timedelta(seconds=6), clock=house.clock)
    assert take("ana") == (jade.pk, 2)
    assert take("rui") == (lotus.pk, 2)
    assert take("lin") is None
    house.clock.pass_(seconds=5)
    assert renew("ana") == {jade.pk: 2}
    house.clock.pass_(seconds=1)
    assert renew("rui") == {}, "whoever begins under the name of one who is dead has nothing"
    assert renew("rui", held={jade.pk: 2, lotus.pk: 1}) == {}, "nor has an epoch that is over"
    assert renew("rui", held={lotus.pk: 2}) == {lotus.pk: 2}, "who was only slow keeps what nobody has taken"
    assert take("lin") is None
    house.clock.pass_(seconds=4)
    assert renew("ana") == {jade.pk: 2}
    house.clock.pass_(seconds=2)
    assert take("rui", held={lotus.pk}) is None, "nor takes anew what is to be kept"
    assert take("lin") == (lotus.pk, 3)
    assert renew("rui", held={lotus.pk: 2}) == {}, "and loses what another has"
    release_leases("ana")
    assert take("lin") == (jade.pk, 3)
    assert renew("ana") == {}
    release_leases("ana")
    assert renew("lin") == {jade.pk: 3, lotus.pk: 3}


def test_betting_at_a_game_that_is_not_dealt_without_a_stake_stays_open_until_there_is_one(house: House) -> None:
    table = house.table(game="blackjack", times={"betting": 2_000})
    ana = house.player("ana")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    opened = house.log(table)
    ready(house, ana, table)
    for _ in range(2):
        house.clock.pass_(seconds=2)
        seating.heartbeat(table.pk, [ana.pk], clock=house.clock)
        assert advance(table.pk, house.credentials(table), clock=house.clock).acted
        assert house.log(table).pk == opened.pk and left(house, table) == 2
    house.bet(ana, table, "main", 10, box=1)
    house.clock.pass_(seconds=2)
    advance(table.pk, house.credentials(table), clock=house.clock)
    assert house.log(table).phase == "deal"


def test_who_stakes_nothing_while_betting_stays_open_gives_up_his_seat(house: House) -> None:
    table = house.table(game="blackjack", times={"betting": 2_000})
    ana, rui = house.player("ana"), house.player("rui")
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    house.clock.pass_(seconds=1)
    seating.sit(rui.pk, table.pk, 2, clock=house.clock)
    for _ in range(ROUNDS_WITHOUT_BET):
        house.step(table)
    assert house.round(table).phase == "betting"
    assert house.round(table).seats == {rui.key: 2}
    assert list(Seat.objects.values_list("player_id", flat=True)) == [rui.pk]
