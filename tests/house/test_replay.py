"""A stored round, worked out again from its public record, is what the ledger says."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.games.blackjack.phases import Double, Split, Stand, Surrender
from tables.games.contract.actions import DrawCard, Ready
from tables.games.contract.view import cards_in
from tables.games.record import outcome_of
from tables.models import Player, RoundLog, Table, Transfer
from tables.proof import visibility
from tables.proof.reconciliation import reconcile
from tables.queries.folds import log_entries
from tables.services.money import wallet
from tables.services.money.wallet import Posting
from tests.kit import view_for

from . import deeds
from .kit import House, change_shoe, void_round, without_guards


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


def test_a_record_has_only_the_options_that_its_format_knows(house: House) -> None:
    """That its cards were peeled changes nothing that the round comes to."""
    table, ana = house.table(dealing_device="shoe", squeeze=True, squeeze_seconds=12), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    record = _replayed(house.play_out(table))["record"]
    assert isinstance(record, dict)
    assert record["options"]["dealing_device"] == "shoe"
    assert not {"squeeze", "squeeze_seconds"} & record["options"].keys()


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
    deeds.lower(ana.pk, round_id, house.ref(), stakes[ana.key].bet, 50_000, clock=house.clock)
    house.bet(ana, table, "tie", 50)
    (tie,) = [stake for stake in house.round(table).stakes() if stake.spot == "tie"]
    deeds.withdraw(ana.pk, round_id, house.ref(), tie.bet, clock=house.clock)
    first = house.play_out(table)
    assert reconcile(first).faults == ()
    house.until(table, "betting")
    second = house.play_out(table)
    assert second.pk != first.pk
    assert reconcile(second).faults == ()
    _replayed(first)
    _replayed(second)


def test_a_void_round_adds_up(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.until(table, "deal")
    void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    assert reconcile(house.log(table)).faults == ()
    assert _replayed(house.log(table))["outcome"]["result"] == {"void": True}  # type: ignore[index]


def test_a_lone_bet_adds_up_also_if_the_round_is_void_before_it_could_be_taken_down(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player_pair", 100)  # no main bet
    void_round(house.log(table).pk, "the lights went out", clock=house.clock)
    assert reconcile(house.log(table)).faults == ()


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
    entry = Posting(
        "slip", wallet.float_of(table.pk), wallet.player(player.pk), 5_000, Transfer.Reason.PRIZE, "house", bet
    )
    accounts = wallet.lock([entry.debit, entry.credit])
    wallet.post(accounts, [entry], at=log.started_at, log_id=log.pk)


def test_only_a_round_that_is_over_can_be_replayed(house: House) -> None:
    table = house.table()
    house.until(table, "betting")
    with pytest.raises(CommandError, match="not over yet"):
        call_command("replay", "--round", str(house.log(table).pk))
    with pytest.raises(CommandError, match="no round"):
        call_command("replay", "--round", "999999")


# ── Blackjack ───────────────────────────────────────────────────────────────────────────────────────────────


def blackjack(house: House, cards: str, **options: Any) -> tuple[Table, Player]:
    """A table where ana has a hundred credits on box 1 and is asked early; the shoe is cut after the first card."""
    house.stack(f"Kd 2c {cards}")
    table, ana = house.table("peninsula", game="blackjack", **SHOE | options), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "main", 100, 1)
    house.until(table, "early_window")
    return table, ana


SHOE: dict[str, Any] = {"dealing_device": "shoe", "initial_burn": "single"}
METAL_BOX: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}


def test_decisions_splits_and_payments_in_between_are_worked_out_again(house: House) -> None:
    table, ana = blackjack(house, "8s 6d 8h 3c Td Th 9h Kc")
    house.decide(ana, table, Ready)
    for kind, hand in ((Split, 0), (Double, 0), (Stand, 1)):
        while house.round(table).next_house_step() is not None:
            house.step(table)
        house.decide(ana, table, kind, box=1, hand=hand)
    log = house.play_out(table)
    written = _replayed(log)
    record, outcome = written["record"], written["outcome"]
    assert isinstance(record, dict) and isinstance(outcome, dict)
    assert [(one["do"], one.get("hand", 0)) for one in record["decisions"]] == [
        ("split", 0),
        ("double", 0),
        ("stand", 1),
    ]
    assert (outcome["staked"], outcome["returned"]) == ({ana.key: 30_000}, {ana.key: 60_000})
    assert visibility.record_is_open(log, ana.key), "every card was seen"


def test_a_decision_that_the_ledger_did_not_pay_for_is_found(db: None) -> None:
    house = House()  # whose books will not be in order
    table, ana = blackjack(house, "6s 9d 5h Td Th")
    house.decide(ana, table, Ready)
    house.decide(ana, table, Double, box=1)
    log = house.play_out(table)
    assert reconcile(log).faults == ()
    without_guards()
    Transfer.objects.filter(reason="more").update(amount=5_000)
    assert reconcile(log).faults == (f"{ana.key}: staked 20000 by the rules, 15000 by the ledger",)


@pytest.mark.parametrize(
    ("options", "cards"),
    [
        ({"round_burn": "each_following_round_and_before_bank_second"}, "Ts 9d Th 9c 3c"),
        ({"deal_procedure": 1}, "Ts 9d 6h 9c"),  # surrendered, face down
        (METAL_BOX, "Ts 9d 6h 9c"),  # … and the bank's second card is not turned
    ],
)
def test_a_record_with_a_card_that_nobody_saw_waits_for_the_end_of_the_shoe(
    house: House, options: dict[str, Any], cards: str
) -> None:
    table, ana = blackjack(house, cards, **options)
    house.decide(ana, table, Surrender if "6h" in cards else Ready, **({"box": 1} if "6h" in cards else {}))
    log = house.play_out(table)
    assert not visibility.record_is_open(log, ana.key)
    change_shoe(table.pk)
    house.until(table, "betting")
    assert visibility.record_is_open(RoundLog.objects.get(pk=log.pk), ana.key)


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_each_card_lies_in_one_place_of_what_everybody_sees(house: House, game: str) -> None:
    """Or the record of a card that nobody saw could be had early, if an equal one was shown twice."""
    table, ana = house.table(game=game), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, *(("player", 100) if game == "baccarat" else ("main", 100, 1)))
    log = house.play_out(table)
    shown = Counter(cards_in(view_for(house.round(table), None)))
    drawn = [line.action.card for line in log_entries(log) if isinstance(line.action, DrawCard)]
    burnt = 0 if game == "baccarat" else 1
    assert shown == Counter(drawn[burnt:])
