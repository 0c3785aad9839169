"""Chips: staked, lost, won, carried, returned, each exactly once."""

from __future__ import annotations

from functools import partial

from tables.models import Account, Played, Player, Transfer
from tables.services.pit import adjustments
from tables.services.rounds import betting
from tables.services.rounds.betting import BetRequest
from tests.floor.pit_kit import member
from tests.kit import article

from . import deeds
from .kit import House, void_round

START = 10_000 * 100


def test_a_winning_player_bet_returns_twice_its_stake(house: House) -> None:
    house.stack("4s Kc 5d 7h")  # 9 against 7
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    assert house.balance(ana) == START - 10_000
    house.play_out(table)
    assert house.balance(ana) == START + 10_000


@article("55/2004", "18(1)")
def test_the_house_keeps_five_per_cent_of_what_banker_wins(house: House) -> None:
    house.stack("2s 3c Jd 5h")  # 2 against a natural 8
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    before = Account.objects.get(kind="house").balance
    house.play_out(table)
    assert house.balance(ana) == START + 9_500
    assert Account.objects.get(kind="house").balance == before + 500


def test_a_lost_stake_goes_to_the_float(house: House) -> None:
    house.stack("4s Kc 5d 7h")
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "banker", 100)
    before = Account.objects.get(kind="float", table=table).balance
    house.play_out(table)
    assert house.balance(ana) == START - 10_000
    assert Account.objects.get(kind="float", table=table).balance == before + 10_000
    assert Account.objects.get(kind="escrow", table=table).balance == 0


@article("55/2004", "12", "12(2)")
def test_a_tied_stake_stays_in_escrow_until_a_round_decides_it(house: House) -> None:
    house.stack("Ts 4c 6d 2h")  # 6 against 6
    house.stack("4s Kc 5d 7h")  # 9 against 7
    table, ana = house.table(tie_policy="no_move"), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.play_out(table)
    assert Account.objects.get(kind="escrow", table=table).balance == 10_000
    house.in_order()
    house.until(table, "betting")
    assert house.round(table).in_escrow(ana.key) == {f"{house.log(table).pk - 1}-1": 10_000}
    house.play_out(table)
    assert house.balance(ana) == START + 10_000
    assert list(Played.objects.filter(player=ana).order_by("log").values_list("staked", "returned")) == [
        (10_000, 0),
        (0, 20_000),
    ]


@article("55/2004", "12(1)")
def test_history_tells_all_that_a_wallet_saw(house: House) -> None:
    house.stack("Ts 4c 6d 2h")  # 6 against 6
    house.stack("4s Kc 5d 7h")  # 9 against 7
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.bet(ana, table, "tie", 10)
    house.bet(rui, table, "player", 100)
    house.play_out(table)
    house.until(table, "betting")
    for player in (ana, rui):  # both take back what was carried, and rui bets again
        bet = next(iter(house.round(table).in_escrow(player.key)))
        deeds.withdraw(player.pk, house.log(table).pk, house.ref(), bet, clock=house.clock)
    house.bet(rui, table, "banker", 30)
    house.bet(rui, table, "tie", 10)
    (tie,) = [stake.bet for stake in house.round(table).stakes() if stake.spot == "tie"]
    deeds.withdraw(rui.pk, house.log(table).pk, house.ref(), tie, clock=house.clock)
    house.play_out(table)
    lines = Played.objects.order_by("log", "player").values_list(
        "log__number", "player__username", "staked", "returned"
    )
    assert list(lines) == [
        (1, "ana", 11_000, 9_000),
        (1, "rui", 10_000, 0),
        (2, "ana", 0, 10_000),
        (2, "rui", 3_000, 10_000),
    ]


def test_a_void_round_gives_every_fresh_stake_back_once(house: House) -> None:
    house.stack("4s 9c 4d 9h")
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 100)
    house.bet(ana, table, "tie", 10)
    house.until(table, "deal")
    house.step(table)
    void_round(house.log(table).pk, "cards mixed up")
    assert house.balance(ana) == START
    refusal = house.refused(lambda: void_round(house.log(table).pk, "again"))
    assert refusal.article == "closed"
    assert house.balance(ana) == START


def test_the_same_click_twice_stakes_once(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    request = BetRequest(ana.pk, "click-000001", "player", 10_000)
    round_id = house.log(table).pk
    assert not deeds.place(round_id, request, clock=house.clock).repeated
    assert deeds.place(round_id, request, clock=house.clock).repeated
    assert Transfer.objects.filter(reason="stake").count() == 1
    assert house.balance(ana) == START - 10_000


def test_the_last_credit_can_be_staked_and_one_more_cannot(house: House) -> None:
    """In words that name both sums, and before the database has to forbid it."""
    table, ana = house.table(min_bet=1_00, max_bet=10_000_00), house.player("ana")
    house.until(table, "betting")
    house.bet(ana, table, "player", 9_999)
    refusal = house.refused(partial(house.bet, ana, table, "banker", 2))
    assert refusal.article == "balance" and str(refusal.words) == "This takes 2.00 and you have 1.00."
    assert house.balance(ana) == 1_00
    house.bet(ana, table, "banker", 1)
    assert house.balance(ana) == 0
    assert house.refused(partial(house.bet, ana, table, "banker", 1)).article == "balance"


def test_a_burst_is_answered_one_by_one_and_one_refusal_is_no_other(house: House) -> None:
    table, ana, rui = house.table(), house.player("ana"), house.player("rui")
    house.until(table, "betting")
    answers = betting.place_many(
        house.log(table).pk,
        [
            BetRequest(ana.pk, "burst-00001", "player", 10_000),
            BetRequest(rui.pk, "burst-00001", "nowhere", 10_000),
            BetRequest(rui.pk, "burst-00002", "banker", 2_000_000),
            BetRequest(rui.pk, "burst-00003", "banker", 10_000),
        ],
        clock=house.clock,
    )
    assert [getattr(answer, "article", "placed") for answer in answers] == ["placed", "13", "balance", "placed"]
    assert (house.balance(ana), house.balance(rui)) == (START - 10_000, START - 10_000)


def test_somebody_without_a_wallet_stops_nobody_elses_bet(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    nobody = Player.objects.create(username="staff")
    requests = [BetRequest(player.pk, "burst-00001", "player", 10_000) for player in (nobody, ana)]
    answers = betting.place_many(house.log(table).pk, requests, clock=house.clock)
    assert [getattr(answer, "article", "placed") for answer in answers] == ["balance", "placed"]


def test_a_bet_after_its_time_is_refused_though_the_dealer_is_late(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    house.clock.pass_(seconds=30)
    assert house.refused(lambda: house.bet(ana, table, "player", 100)).article == "time"
    assert house.balance(ana) == START


def test_a_bet_for_a_round_that_is_closed_is_refused(house: House) -> None:
    table, ana = house.table(), house.player("ana")
    house.until(table, "betting")
    closed = house.log(table).pk
    house.play_out(table)
    house.until(table, "betting")
    late = BetRequest(ana.pk, "queued-0001", "player", 10_000)
    house.refused(lambda: deeds.place(closed, late, clock=house.clock))
    house.refused(lambda: deeds.place(999_999, late, clock=house.clock))
    assert house.balance(ana) == START


def test_settling_takes_as_many_statements_for_a_hundred_bets_as_for_ten(house: House) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = []
    for slug, bettors in (("few", 10), ("many", 100)):
        table = house.table(slug)
        house.stack("4s Kc 5d 7h")
        house.until(table, "betting")
        players = [house.player(f"{slug}{number}") for number in range(bettors)]
        betting.place_many(
            house.log(table).pk,
            [BetRequest(p.pk, f"r-{p.pk:08}", "banker" if p.pk % 2 else "player", 1_000) for p in players],
            clock=house.clock,
        )
        house.until(table, "result")
        with CaptureQueriesContext(connection) as statements:
            house.step(table)
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_an_adjustment_takes_the_last_cent_and_not_one_more(house: House) -> None:
    boss, manager, ana = member("pit_boss"), member("shift_manager"), house.player("ana")
    whole = house.balance(ana)
    refusal = house.refused(lambda: adjustments.ask(boss, ana.pk, -whole - 1, "a mistake", clock=house.clock))
    assert refusal.article == "credits"
    table = house.table(min_bet=1_00, max_bet=10_000_00)
    house.until(table, "betting")
    asked = adjustments.ask(boss, ana.pk, -whole, "a mistake", clock=house.clock)
    house.bet(ana, table, "player", 1)
    refusal = house.refused(partial(adjustments.approve, manager, asked.pk, clock=house.clock))
    assert refusal.article == "credits" and house.balance(ana) == whole - 1_00
    adjustments.refuse(manager, asked.pk, "too much", clock=house.clock)
    whole -= 1_00
    asked = adjustments.ask(boss, ana.pk, -whole, "a mistake", clock=house.clock)
    adjustments.approve(manager, asked.pk, clock=house.clock)
    assert house.balance(ana) == 0
