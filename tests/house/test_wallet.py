"""What is moved in one transaction after another, on accounts that are locked once."""

from __future__ import annotations

from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.games.contract.errors import Refused
from tables.models import Account, Player
from tables.services.money import wallet
from tables.services.money.wallet import Holder, Locked, Posting, Reason

from .kit import House

START = 10_000 * 100

numbers = count(1)


def moves(accounts: Locked, house: House, debit: Holder, credit: Holder, credits: int) -> None:
    """Move these credits, in the same transaction as all others on these accounts."""
    posting = Posting(f"test:{next(numbers)}", debit, credit, credits * 100, Reason.STAKE, "house")
    wallet.post(accounts, [posting], at=house.clock.now())


def balances_in_the_database(accounts: Locked) -> dict[Holder, int]:
    stored = dict(Account.objects.filter(pk__in=accounts.ids.values()).values_list("pk", "balance"))
    return {holder: stored[pk] for holder, pk in accounts.ids.items()}


def locked(ana: Player, escrow: int) -> tuple[Locked, Holder, Holder]:
    mine, theirs = wallet.player(ana.pk), wallet.escrow(escrow)
    return wallet.lock([mine, theirs]), mine, theirs


@pytest.fixture
def ana(db: None) -> tuple[House, Player, int]:
    house = House()
    return house, house.player("ana"), house.table().pk


def test_what_was_spent_before_in_the_transaction_cannot_be_spent_again(ana: tuple[House, Player, int]) -> None:
    house, player, table = ana
    accounts, mine, theirs = locked(player, table)
    moves(accounts, house, mine, theirs, 6_000)
    with pytest.raises(Refused) as short:
        moves(accounts, house, mine, theirs, 6_000)
    assert short.value.article == "balance"
    assert accounts.balances == balances_in_the_database(accounts) == {mine: 4_000_00, theirs: 6_000_00}


def test_what_came_before_in_the_transaction_can_be_spent_and_no_more(ana: tuple[House, Player, int]) -> None:
    house, player, table = ana
    accounts, mine, theirs = locked(player, table)
    moves(accounts, house, mine, theirs, 10_000)
    moves(accounts, house, theirs, mine, 500)
    moves(accounts, house, mine, theirs, 500)
    with pytest.raises(Refused):
        moves(accounts, house, mine, theirs, 1)
    with pytest.raises(AssertionError):
        moves(accounts, house, theirs, mine, 10_001)
    assert accounts.balances == balances_in_the_database(accounts) == {mine: 0, theirs: START}


def test_a_bet_locks_its_accounts_once(house: House) -> None:
    """Whoever locked them again at the end would lock others than the first time, out of the order of their ids."""
    player, table = house.player("ana"), house.table()
    house.until(table, "betting")
    with CaptureQueriesContext(connection) as queries:
        house.bet(player, table, "player", 10)
    locks = [query for query in queries.captured_queries if query["sql"].startswith("SELECT id, kind, player_id")]
    assert len(locks) == 1
