"""A stored round, worked out again from its public record, is what the ledger says."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tables.games.record import outcome_of
from tables.models import Player, RoundLog, Table
from tables.reckoning import reckon
from tables.services import betting, pit, wallet
from tables.services.wallet import Entry
from tests.house.kit import House


def _replayed(log: RoundLog) -> dict[str, object]:
    """What the command writes of a round that is in order."""
    out, err = StringIO(), StringIO()
    call_command("replay", "--round", str(log.pk), stdout=out, stderr=err)
    assert err.getvalue() == ""
    (line,) = out.getvalue().splitlines()
    written: dict[str, object] = json.loads(line)
    return written


def test_a_stored_round_is_written_with_its_outcome(house: House) -> None:
    house.stack("2s 3c Jd 5h")  # 2 against a natural 8
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    house.bet(rui, table, "player", 30)
    log = house.play_out(table)
    written = _replayed(log)
    record, outcome = written["record"], written["outcome"]
    assert outcome == outcome_of(record)
    assert isinstance(outcome, dict)
    assert outcome["returned"] == {ana.key: 19_500, rui.key: 0}
    assert outcome["staked"] == {ana.key: 10_000, rui.key: 3_000}


def test_what_was_withdrawn_trimmed_taken_down_and_carried_adds_up(house: House) -> None:
    house.stack("Ts 4c 6d 2h")  # a tie at 6
    house.stack("4s Kc 5d 7h")  # the Player wins
    table = house.table(imbalance_limit=100_000, min_bet=5_000, banker_multiple_of_min=True, pairs_enabled=True)
    ana, rui, lee = house.player("ana"), house.player("rui"), house.player("lee")
    house.until(table, "betting")
    house.bet(ana, table, "player", 1_000)
    house.bet(rui, table, "banker", 2_000)
    house.bet(lee, table, "player_pair", 50)  # no main bet: taken down
    round_id = house.log(table).pk
    stakes = {stake.by: stake for stake in house.round(table).stakes()}
    betting.lower(ana.pk, round_id, house.ref(), stakes[ana.key].bet, 50_000, clock=house.clock)
    house.bet(ana, table, "tie", 50)
    (tie,) = [stake for stake in house.round(table).stakes() if stake.spot == "tie"]
    betting.withdraw(ana.pk, round_id, house.ref(), tie.bet, clock=house.clock)
    first = house.play_out(table)
    assert reckon(first).faults == ()
    house.until(table, "betting")
    second = house.play_out(table)
    assert second.pk != first.pk
    assert reckon(second).faults == ()
    _replayed(first)
    _replayed(second)


def test_a_void_round_adds_up(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.until(table, "deal")
    pit.void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    assert reckon(house.log(table)).faults == ()
    assert _replayed(house.log(table))["outcome"]["result"] == {"void": True}  # type: ignore[index]


def test_money_that_the_rules_do_not_know_of_is_found(db: None) -> None:
    house = House()  # whose books will not be in order
    house.stack("4s Kc 5d 7h")
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    log = house.play_out(table)
    bet = next(stake.bet for stake in house.round(table).stakes())
    _slip(table, ana, bet, log)
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("replay", "--round", str(log.pk), stdout=out, stderr=err)
    assert ended.value.code == 1
    assert f"bet {bet}: 20000 returns by the rules, 25000 by the ledger" in err.getvalue()
    assert f"{ana.key}: returned 20000 by the rules, 25000 by the ledger" in err.getvalue()


def _slip(table: Table, player: Player, bet: str, log: RoundLog) -> None:
    """Fifty credits too many."""
    entry = Entry("slip", wallet.float_of(table.pk), wallet.player(player.pk), 5_000, "prize", "house", bet)
    accounts = wallet.lock([entry.debit, entry.credit])
    wallet.post(accounts, [entry], at=log.started_at, log_id=log.pk)


def test_only_a_round_that_is_over_can_be_replayed(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    with pytest.raises(CommandError, match="not over yet"):
        call_command("replay", "--round", str(house.log(table).pk))
    with pytest.raises(CommandError, match="no round"):
        call_command("replay", "--round", "999999")
