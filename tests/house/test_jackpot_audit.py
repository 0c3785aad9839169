"""The audit finds whatever is wrong with a jackpot: its meters, what feeds it, what it pays and what restarts it."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Account, Jackpot, LoggedAction, RoundLog, Transfer
from tables.proof import reconciliation
from tables.proof.audit import audit
from tables.services.pit.opening import open_jackpot

from .kit import VAULT, House, void_round, without_guards
from .test_jackpots import ADDS, LOW, MINIMUM, ROYAL, Floor, M, meters


@pytest.fixture(scope="module")
def evening(lasting_db: None) -> House:
    """Two tables of one jackpot, in order: guia won it, penha fed it before and after, and a round more was void."""
    house = House()
    floor = Floor(house, M - 2 * ADDS)
    guia, penha = floor.table("guia"), floor.table("penha")
    floor.play(penha, {1: LOW})
    floor.play(guia, {1: ROYAL})
    floor.play(penha, {1: LOW})
    floor.stake(guia)
    house.until(guia, "deal")
    void_round(house.log(guia).pk, "wrong dealing", clock=house.clock)
    assert meters() == [M - 2 * ADDS, M - ADDS, MINIMUM, MINIMUM + ADDS]
    house.in_order()
    return house


@pytest.fixture
def won(evening: House, db: None) -> House:
    """That house. What is done to it is undone afterwards."""
    return evening


def faults() -> str:
    return "\n".join(audit(VAULT).faults)


def give(key: str, debit: Account, credit: Account, amount: int, **facts: Any) -> None:
    """A transfer that no service made, with balances that agree with it."""
    log = RoundLog.objects.earliest("pk")
    Transfer.objects.create(
        **{"key": key, "reason": key, "by": "nobody", "at": log.started_at, "log": log}
        | {"debit": debit, "credit": credit, "amount": amount}
        | facts
    )
    for account, change in ((debit, -amount), (credit, amount)):
        Account.objects.filter(pk=account.pk).update(balance=Account.objects.get(pk=account.pk).balance + change)


def changed(transfer: Transfer, amount: int) -> None:
    """Another amount was moved, with balances that agree with it."""
    for account, sign in ((transfer.debit_id, -1), (transfer.credit_id, 1)):
        balance = Account.objects.get(pk=account).balance + sign * (amount - transfer.amount)
        Account.objects.filter(pk=account).update(balance=balance)
    Transfer.objects.filter(pk=transfer.pk).update(amount=amount)


@pytest.mark.parametrize("shown", [M - ADDS + 1, M - ADDS - 1, M, 0])
def test_it_finds_a_meter_that_showed_something_else(won: House, shown: int) -> None:
    without_guards()
    line = LoggedAction.objects.filter(action__do="meter").order_by("pk")[1]
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"pool": shown})
    assert f"round {line.log_id}: the meter showed {shown}, {M - ADDS} was in the jackpot" in faults()


def test_it_finds_a_meter_of_a_round_in_which_nothing_was_won(won: House) -> None:
    without_guards()
    line = LoggedAction.objects.filter(action__do="meter").earliest("pk")
    LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"pool": 7})
    assert f"round {line.log_id}: the meter showed 7, {M - 2 * ADDS} was in the jackpot" in faults()


def test_it_finds_a_contribution_that_is_missing(won: House) -> None:
    without_guards()
    pool = Transfer.objects.filter(reason="pool").latest("pk")
    changed(pool, 1)
    assert f"round {pool.log_id}: {pool.key} moved" in faults()
    changed(Transfer.objects.get(pk=pool.pk), ADDS)
    assert faults() == ""
    Transfer.objects.filter(pk=pool.pk).delete()
    assert f"round {pool.log_id}: {pool.key} was never paid" in faults()


@pytest.mark.parametrize("amount", [MINIMUM - 1, MINIMUM + 1, 1])
def test_it_finds_a_reset_of_another_amount(won: House, amount: int) -> None:
    without_guards()
    reset = Transfer.objects.get(reason="reset")
    changed(reset, amount)
    found = faults()
    jackpot = Jackpot.objects.get().pk
    assert f"{reset.key}: the house laid down {(jackpot, amount)}, and should have {(jackpot, MINIMUM)}" in found
    assert f"jackpot Lisboa: {MINIMUM + 2 * ADDS} by its lines" in found


def test_it_finds_a_reset_that_was_forgotten_and_one_too_many(won: House) -> None:
    without_guards()
    reset = Transfer.objects.get(reason="reset")
    house, pool = Account.objects.get(kind="house"), Account.objects.get(kind="jackpot")
    changed(reset, 1)
    Transfer.objects.filter(pk=reset.pk).delete()
    assert f"{reset.key}: the house laid down None, and should have" in faults()
    give("reset", house, pool, MINIMUM)
    assert "reset: the house laid down" in faults()


def test_it_finds_a_reset_from_somebody_elses_pocket(won: House) -> None:
    without_guards()
    reset = Transfer.objects.get(reason="reset")
    Transfer.objects.filter(pk=reset.pk).update(debit=Account.objects.filter(kind="float").earliest("pk"))
    assert f"{reset.key}: the house laid down (None, {MINIMUM}), and should have" in faults()


def test_it_finds_money_that_came_into_a_jackpot_from_nowhere_and_left_it_for_nothing(won: House) -> None:
    pool, house = Account.objects.get(kind="jackpot"), Account.objects.get(kind="house")
    give("seed", house, pool, 5, log=None)
    assert f"the meter showed {M - 2 * ADDS}, {M - 2 * ADDS + 5} was in the jackpot" in faults()
    give("gift", pool, house, 5, log=None)
    assert "gift of 5 from jackpot to house: 1 such transfers, which no deed makes" in faults()


def test_it_finds_a_round_that_says_it_moved_another_jackpot(won: House) -> None:
    other = open_jackpot("other", "Other", MINIMUM, clock=won.clock)
    log = RoundLog.objects.filter(table__slug="guia").earliest("pk")
    for jackpot in (other, None):
        RoundLog.objects.filter(pk=log.pk).update(jackpot=jackpot)
        assert f"round {log.pk}" in faults()


def test_it_finds_lines_that_were_put_into_another_order(won: House) -> None:
    """The opening of a round is what was there when its line was written, and not another's."""
    without_guards()
    first, second = LoggedAction.objects.filter(action__do="meter").order_by("pk")[:2]
    for line, other in ((first, second), (second, first)):
        LoggedAction.objects.filter(pk=line.pk).update(action=line.action | {"pool": other.action["pool"]})
    found = faults()
    assert f"round {first.log_id}: the meter showed" in found and f"round {second.log_id}: the meter showed" in found


def test_a_round_that_takes_more_than_its_record_says_is_found_by_replay(won: House) -> None:
    log = RoundLog.objects.filter(table__slug="guia").earliest("pk")
    pool, player = Account.objects.get(kind="jackpot"), Account.objects.get(player__username="guia-1")
    bet = Transfer.objects.get(reason="jackpot", log=log).bet
    give("jackpot", pool, player, 1_00, log=log, bet=bet)
    assert any(f"bet {bet}" in fault for fault in reconciliation.reconcile(log).faults)
