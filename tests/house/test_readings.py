"""What the second reading of the regulations changed in bets that lean on others or lie with others, up to the ledger;
and rounds of before, which are still read as they were."""

from __future__ import annotations

import re
from functools import partial
from html import unescape

import pytest
from django.test import Client

from tables.games.contract.actions import Move
from tables.games.contract.round import FIRST_READING
from tables.models import Player, RoundLog, Table, Transfer
from tables.proof.reconciliation import reconcile
from tables.queries.folds import fold_cache, round_of
from tables.services.rounds import betting, seating
from tests.kit import article

from . import deeds
from .kit import House, without_guards

FIRST = 1_000_000


@pytest.fixture
def places(house: House) -> tuple[House, Table, Player, Player]:
    """A table of 3-Card Baccarat where ana sits at place 1 and rui at place 2; nothing is staked yet."""
    table, ana, rui = house.table(game="three_card_baccarat"), house.player("ana"), house.player("rui")
    for player, seat in ((ana, 1), (rui, 2)):
        seating.sit(player.pk, table.pk, seat, clock=house.clock)
    house.until(table, "betting")
    return house, table, ana, rui


def bet_of(house: House, table: Table, player: Player, spot: str) -> str:
    return next(stake.bet for stake in house.round(table).stakes() if (stake.by, stake.spot) == (player.key, spot))


def lying(house: House, table: Table) -> list[tuple[str, str, int | None]]:
    return [(stake.by, stake.spot, stake.box) for stake in house.round(table).stakes()]


@article("22/96/M", "8(3)", "T-A9")
def test_a_tie_is_refused_on_a_place_without_a_stake(places: tuple[House, Table, Player, Player]) -> None:
    """22/96/M, 8(3)."""
    house, table, ana, rui = places
    assert house.refused(partial(house.bet, ana, table, "tie", 5, 4)).article == "8(3)"
    assert house.balance(ana) == FIRST
    house.bet(rui, table, "place", 10, 4)
    house.bet(ana, table, "tie", 5, 4)


@article("22/96/M", "8(3)", "T-A9")
@pytest.mark.parametrize("how", ["withdraw", "clear", "undo", "move"])
def test_with_the_last_stake_of_a_place_all_its_ties_are_back_in_the_wallets(
    places: tuple[House, Table, Player, Player], how: str
) -> None:
    house, table, ana, rui = places
    house.bet(rui, table, "odd", 20)
    house.bet(rui, table, "place", 10, 4)
    house.bet(ana, table, "tie", 5, 4)
    round_id, ref = house.log(table).pk, house.ref()
    match how:
        case "withdraw":
            bet = bet_of(house, table, rui, "place")
            deeds.withdraw(rui.pk, round_id, ref, bet, clock=house.clock)
        case "move":
            bet = bet_of(house, table, rui, "place")
            house.decide(rui, table, Move, bet=bet, spot="place", box=2)
        case "clear":
            betting.clear(rui.pk, round_id, ref, clock=house.clock)
        case "undo":
            betting.undo(rui.pk, round_id, ref, clock=house.clock)
    assert house.balance(ana) == FIRST
    assert ana.key not in {by for by, _, _ in lying(house, table)}
    back = Transfer.objects.filter(credit__player=ana, log_id=round_id)
    assert [(row.reason, row.amount) for row in back] == [("withdraw", 500)]
    house.bet(rui, table, "place", 10, 4)
    house.bet(ana, table, "tie", 5, 4)
    house.play_out(table)
    assert reconcile(house.log(table)).faults == ()
    house.in_order()


def own_lines(player: Player, table: Table) -> str:
    """What the page of the table tells a player of their own stakes, as text."""
    browser = Client()
    browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    page = browser.get(f"/tables/{table.slug}/").content.decode()
    lines = page.split('id="my-result"')[1].split("</div>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", lines)))


@article("22/96/M", "8(3)", "T-A9")
def test_a_bettor_reads_why_their_tie_went_back_until_they_lay_it_again(
    places: tuple[House, Table, Player, Player],
) -> None:
    """22/96/M, 8(3): it was another who took the last stake of the place away."""
    house, table, ana, rui = places
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.bet(rui, table, "place", 10, 4)
    house.bet(ana, table, "tie", 5, 4)
    why = "5.00 is returned. A tie bet needs a place bet on its place"
    assert why not in own_lines(ana, table)
    deeds.withdraw(rui.pk, house.log(table).pk, house.ref(), bet_of(house, table, rui, "place"), clock=house.clock)
    assert why in own_lines(ana, table)
    assert why not in own_lines(rui, table)
    house.bet(rui, table, "place", 10, 4)
    assert why in own_lines(ana, table)
    house.bet(ana, table, "tie", 5, 4)
    assert why not in own_lines(ana, table)


@article("55/2004", "13(4)", "B-A5")
def test_a_bettor_reads_why_their_pair_went_back_with_the_last_main_bet(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 10)
    house.bet(ana, table, "banker_pair", 5)
    deeds.withdraw(ana.pk, house.log(table).pk, house.ref(), bet_of(house, table, ana, "player"), clock=house.clock)
    assert lying(house, table) == []
    assert "Banker pair 5.00 is returned. A pair bet needs a stake on Player, Banker or Tie" in own_lines(ana, table)
    house.bet(ana, table, "banker", 10)
    house.bet(ana, table, "player_pair", 5)
    betting.clear(ana.pk, house.log(table).pk, house.ref(), clock=house.clock)
    assert "Player pair" not in own_lines(ana, table)  # it was taken back itself, with all else


@article("55/2004", "15")
@pytest.mark.parametrize("another_sits", [True, False])
def test_a_stake_that_is_moved_leaves_the_box_where_its_bettor_does_not_sit(house: House, another_sits: bool) -> None:
    """55/2004, 15: who stands bets in no box, whether it is taken or free."""
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.bet(ana, table, "player", 10, 3)
    bet = bet_of(house, table, ana, "player")
    deeds.move(ana.pk, house.log(table).pk, house.ref(), bet, "banker", clock=house.clock)
    assert lying(house, table) == [(ana.key, "banker", 3)]
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    if another_sits:
        seating.sit(rui.pk, table.pk, 3, clock=house.clock)
    assert house.refused(partial(house.bet, ana, table, "player", 10, 3)).article == "15"
    deeds.move(ana.pk, house.log(table).pk, house.ref(), bet, "player", clock=house.clock)
    assert lying(house, table) == [(ana.key, "player", None)]


@article("55/2004", "15", "12(3)(2)")
def test_nor_does_one_stay_there_that_was_carried(house: House) -> None:
    """Where a tie lets stakes be moved and not withdrawn, whoever has left the box still has that right."""
    house.stack("Ts 4c 6d 2h")  # a tie
    table, ana, rui = house.table(tie_policy="no_reduce"), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    seating.sit(ana.pk, table.pk, 3, clock=house.clock)
    house.bet(ana, table, "player", 10, 3)
    house.play_out(table)
    seating.sit(ana.pk, table.pk, 5, clock=house.clock)
    seating.sit(rui.pk, table.pk, 3, clock=house.clock)
    house.until(table, "betting")
    bet = bet_of(house, table, ana, "player")
    withdraw = partial(deeds.withdraw, ana.pk, house.log(table).pk, house.ref(), bet, clock=house.clock)
    assert house.refused(withdraw).article == "12(1)"
    deeds.move(ana.pk, house.log(table).pk, house.ref(), bet, "banker", clock=house.clock)
    assert lying(house, table) == [(ana.key, "banker", None)]


def test_a_round_of_before_is_read_as_it_was(places: tuple[House, Table, Player, Player]) -> None:
    house, table, ana, rui = places
    log = house.log(table)
    assert log.opening["reading"] > FIRST_READING
    del log.opening["reading"]
    without_guards()
    RoundLog.objects.filter(pk=log.pk).update(opening=log.opening)
    fold_cache.clear()
    house.bet(ana, table, "tie", 5, 4)
    house.bet(rui, table, "place", 10, 4)
    house.bet(rui, table, "tie", 5, 6)
    house.play_out(table)
    fold_cache.clear()
    assert [refusal.why.article for refusal in round_of(house.log(table)).refusals] == ["8(3)"]
    assert reconcile(house.log(table)).faults == ()
