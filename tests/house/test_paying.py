"""The house pays in the middle of a round: each payment once, in its own line, and taken back if the round is void."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
from django.db.models import Sum

from tables.games.blackjack.phases import (
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Pass,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import Ready, Withdraw
from tables.models import Account, LoggedAction, Played, Player, RoundLog, Table, Transfer
from tables.proof.audit import audit
from tables.proof.reconciliation import reconcile
from tables.queries.history import history_of, statement_of
from tables.services.money import wallet
from tables.services.money.wallet import Posting
from tables.services.rounds import betting
from tables.services.rounds.betting import BetRequest
from tests.kit import article

from .kit import VAULT, House, void_round

START = 10_000 * 100


def dealt(house: House, cards: str, *bets: tuple[Player, str, int, int], **options: Any) -> Table:
    """A Blackjack table where these bets lie, and the first cards have been dealt. One card is burnt before."""
    house.stack(f"Kd {cards}")
    table = house.table("taipa", game="blackjack", **options)
    house.until(table, "betting")
    for player, spot, credits, box in bets:
        house.bet(player, table, spot, credits, box)
    while house.log(table).phase in ("betting", "deal"):
        house.step(table)
    return table


def until_asked(house: House, table: Table) -> None:
    """Let the house do all that it owes."""
    while house.round(table).next_house_step() is not None:
        house.step(table)


def escrow(table: Table) -> int:
    return Account.objects.get(kind="escrow", table=table).balance


def moved(table: Table, reason: str) -> int:
    """Cents that the present round moved for this reason."""
    found = Transfer.objects.filter(log__table=table, reason=reason).aggregate(total=Sum("amount"))["total"]
    return found or 0


def lines(table: Table) -> list[str]:
    """What the log of the present round says was done, in order, but for the bets and the cards."""
    said = LoggedAction.objects.filter(log__table=table).order_by("log", "seq").values_list("action__do", flat=True)
    return [do for do in said if do not in ("bet", "card", "close")]


@pytest.fixture
def people(house: House) -> tuple[Player, Player, Player]:
    return house.player("ana"), house.player("rui"), house.player("lin")


People = tuple[Player, Player, Player]


# ── In the middle of a round ────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "5(1)", "10(2)")
def test_a_blackjack_is_paid_before_the_others_draw(house: House, people: People) -> None:
    ana, rui, _ = people
    table = dealt(house, "As Tc 9d Kh 6s", (ana, "main", 100, 1), (rui, "main", 40, 2))
    house.decide(rui, table, Ready)
    until_asked(house, table)
    assert house.log(table).phase == "player_turns"
    assert (house.balance(ana), house.balance(rui)) == (START + 15_000, START - 4_000)
    assert escrow(table) == 4_000
    assert lines(table) == ["ready", "pay"]
    house.in_order()
    house.play_out(table)
    assert house.balance(ana) == START + 15_000


@article("56/2004", "6(2)")
def test_a_stake_is_collected_the_moment_the_hand_is_over_21(house: House, people: People) -> None:
    ana, rui, _ = people
    table = dealt(house, "Ts Tc 9d 6h 6s Kh", (ana, "main", 100, 1), (rui, "main", 40, 2))
    house.decide(ana, table, Ready)
    house.decide(rui, table, Ready)
    before = Account.objects.get(kind="float", table=table).balance
    house.decide(ana, table, Hit, box=1)
    assert escrow(table) == 14_000, "her own deed moves nothing"
    until_asked(house, table)
    assert escrow(table) == 4_000
    assert Account.objects.get(kind="float", table=table).balance == before + 10_000


@article("56/2004", "18(1)")
def test_a_surrender_is_the_deciders_word_and_the_dealers_payment(house: House, people: People) -> None:
    """One line says it, and moves nothing; the next pays everybody on the box."""
    ana, rui, _ = people
    table = dealt(house, "Ts 6d 6h 9s", (ana, "main", 100, 1), (rui, "main", 31, 1))
    house.decide(ana, table, Surrender, box=1)
    assert (house.balance(ana), house.balance(rui)) == (START - 10_000, START - 3_100)
    house.play_out(table)
    assert (house.balance(ana), house.balance(rui)) == (START - 5_000, START - 1_550)
    assert Transfer.objects.filter(by=ana.key, log__table=table).count() == 1  # her stake


@article("56/2004", "16(1)", "16(2)", "17", "17(1)", "R7")
def test_a_bet_grows_with_splits_and_doubles_and_is_paid_in_parts(house: House, people: People) -> None:
    """8-8 against 6: split; the first hand doubles 11 to 21, the second stands on 18; the bank goes over."""
    ana, *_ = people
    table = dealt(house, "8s 6d 8h 3c Td Th 9h Kc", (ana, "main", 100, 1))
    house.decide(ana, table, Ready)
    house.decide(ana, table, Split, box=1)
    assert (house.balance(ana), escrow(table)) == (START - 20_000, 20_000)
    until_asked(house, table)
    house.decide(ana, table, Double, box=1)
    until_asked(house, table)
    assert (house.balance(ana), escrow(table)) == (START - 30_000, 30_000)
    house.decide(ana, table, Stand, box=1, hand=1)
    log = house.play_out(table)
    assert house.balance(ana) == START + 30_000
    assert moved(table, "more") == 20_000
    (bet,) = {payout.bet for payout in house.round(table).payouts()}
    keys = Transfer.objects.filter(log=log, key__startswith="settle:").order_by("pk").values_list("key", "amount")
    assert list(keys) == [
        (f"settle:{log.pk}:{bet}:back", 20_000),
        (f"settle:{log.pk}:{bet}:prize", 20_000),
        (f"settle:{log.pk}:{bet}/2:back", 10_000),
        (f"settle:{log.pk}:{bet}/2:prize", 10_000),
    ]
    assert Played.objects.values_list("staked", "returned").get() == (30_000, 60_000)
    assert reconcile(log).faults == ()


@article("56/2004", "10(3)", "12(1)", "12(2)")
def test_insurance_even_money_and_side_bets_add_up(house: House, people: People) -> None:
    """The bank has a blackjack: the insured one breaks even, even money was paid at once, a pair won eleven times."""
    ana, rui, lin = people
    table = dealt(
        house,
        "Kc As 8d Ad Qh Qs 8h Ts",
        (ana, "main", 100, 1),
        (rui, "main", 60, 2),
        (lin, "main", 10, 3),
        (lin, "any_pair", 5, 3),
    )
    house.decide(ana, table, Insurance, box=1, amount=5_000)
    house.decide(rui, table, EvenMoney, box=2)
    assert house.balance(rui) == START - 6_000
    for player in people:
        if player.key in {who for who in (ana.key, lin.key) if house.round(table).default_for(who)}:
            house.decide(player, table, Ready)
    until_asked(house, table)
    assert house.balance(rui) == START + 6_000
    while house.log(table).settled_at is None:
        house.step(table)
    assert [house.balance(player) for player in people] == [START, START + 6_000, START - 1_000 + 5_500]
    assert reconcile(house.log(table)).faults == ()


def test_nobody_lays_down_what_he_has_not(house: House, people: People) -> None:
    ana, *_ = people
    table = dealt(house, "6s 9d 5h 2c", (ana, "main", 6_000, 1))
    house.decide(ana, table, Ready)
    before = house.log(table).version
    assert house.refused(partial(house.decide, ana, table, Double, box=1)).article == "balance"
    assert (house.log(table).version, house.balance(ana)) == (before, START - 600_000)
    house.decide(ana, table, Hit, box=1)


def test_a_round_that_was_paid_in_between_is_told_whole_in_the_history(house: House, people: People) -> None:
    ana, rui, _ = people
    table = dealt(house, "As Tc 9d Kh 6s 9h", (ana, "main", 100, 1), (rui, "main", 40, 2))
    house.play_out(table)
    (line,) = history_of(ana)
    assert (line.staked, line.returned) == (10_000, 25_000)
    (line,) = history_of(rui)
    assert (line.staked, line.returned) == (4_000, 0)


# ── Stakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "3(3)")
def test_taps_of_one_burst_on_one_spot_are_one_bet(house: House, people: People) -> None:
    ana, rui, _ = people
    table = house.table("taipa", game="blackjack")
    house.until(table, "betting")
    answers = betting.place_many(
        house.log(table).pk,
        [
            BetRequest(ana.pk, "burst-00001", "main", 10_000, 1),
            BetRequest(rui.pk, "burst-00001", "main", 2_000, 1),
            BetRequest(ana.pk, "burst-00002", "main", 5_000, 1),
            BetRequest(ana.pk, "burst-00003", "main", 2_000_000, 1),
            BetRequest(ana.pk, "burst-00004", "any_pair", 500, 1),
            BetRequest(ana.pk, "burst-00005", "main", 2_500, 2),
        ],
        clock=house.clock,
    )
    said = [getattr(answer, "article", "placed") for answer in answers]
    assert said == ["placed", "placed", "placed", "balance", "placed", "placed"]
    stakes = {(stake.by, stake.spot, stake.box): stake for stake in house.round(table).stakes()}
    assert stakes[ana.key, "main", 1].amount == 15_000
    assert sorted(house.round(table).in_escrow(ana.key).values()) == [500, 2_500, 15_000]
    assert house.balance(ana) == START - 18_000
    house.decide(ana, table, Withdraw, bet=stakes[ana.key, "main", 1].bet)
    assert house.balance(ana) == START - 3_000
    house.play_out(table)


def test_side_bets_without_a_main_stake_come_back_when_betting_closes(house: House, people: People) -> None:
    ana, rui, _ = people
    table = house.table("taipa", game="blackjack")
    house.until(table, "betting")
    house.bet(rui, table, "main", 10, 2)
    house.bet(ana, table, "any_pair", 5, 2)
    house.step(table)
    assert house.balance(ana) == START
    log = house.play_out(table)
    assert reconcile(log).faults == ()
    assert Played.objects.values_list("staked", "returned").get(player=ana) == (500, 500)


@article("56/2004", "void")
def test_a_round_without_a_main_stake_gives_everything_back(house: House, people: People) -> None:
    ana, *_ = people
    table = house.table("taipa", game="blackjack")
    house.until(table, "betting")
    house.bet(ana, table, "any_pair", 5, 2)
    log = house.play_out(table)
    assert log.void and log.result == {"void": True}
    assert house.balance(ana) == START
    assert reconcile(log).faults == ()


# ── What a bettor wanted done in their name ───────────────────────────────────────────────────────────────────


def followed(house: House, people: People, stake: int) -> Table:
    """Box 1 is ana's and rui's, who follows doubles; she has just doubled 11."""
    ana, rui, _ = people
    table = dealt(house, "6s 9d 5h Tc Td", (ana, "main", 100, 1), (rui, "main", stake, 1))
    house.decide(rui, table, Follow, doubles=True)
    house.decide(ana, table, Ready)
    house.decide(ana, table, Double, box=1)
    return table


def test_a_double_is_followed_from_the_followers_own_wallet(house: House, people: People) -> None:
    _, rui, _ = people
    table = followed(house, people, 50)
    assert house.balance(rui) == START - 5_000
    house.step(table)
    assert house.balance(rui) == START - 10_000
    line = LoggedAction.objects.filter(log__table=table).latest("seq")
    assert (line.by, line.action["do"]) == (rui.key, "match")
    house.play_out(table)
    assert house.balance(rui) == START + 10_000


def test_whoever_cannot_cover_what_he_wanted_lets_it_pass(house: House, people: People) -> None:
    _, rui, _ = people
    table = followed(house, people, 6_000)
    house.step(table)
    line = LoggedAction.objects.filter(log__table=table).latest("seq")
    assert (line.by, line.action["do"]) == (rui.key, "pass")
    assert house.balance(rui) == START - 600_000
    house.play_out(table)
    assert house.balance(rui) == START + 600_000, "his single stake rides on the hand"


@article("56/2004", "R17")
def test_a_match_by_hand_is_paid_by_the_matcher_and_a_pass_by_nobody(house: House, people: People) -> None:
    ana, rui, lin = people
    bets: Iterable[tuple[Player, str, int, int]] = [(player, "main", 100, 1) for player in people]
    table = dealt(house, "6s 9d 5h Tc Td", *bets)
    house.decide(ana, table, Ready)
    house.decide(ana, table, Double, box=1)
    house.decide(rui, table, Match, box=1)
    house.decide(lin, table, Pass, box=1)
    assert [house.balance(player) for player in people] == [START - 20_000, START - 20_000, START - 10_000]
    house.play_out(table)
    assert [house.balance(player) for player in people] == [START + 20_000, START + 20_000, START + 10_000]


# ── Void ────────────────────────────────────────────────────────────────────────────────────────────────────


def prize_paid(house: House, people: People) -> Table:
    """Ana has had 150 for a blackjack, and rui's stake was taken; lin is asked."""
    ana, rui, lin = people
    table = dealt(house, "As Tc 8c 9d Kh 6s 8s Kd", (ana, "main", 100, 1), (rui, "main", 40, 2), (lin, "main", 10, 3))
    house.decide(rui, table, Ready)
    house.decide(lin, table, Ready)
    until_asked(house, table)
    house.decide(rui, table, Hit, box=2)
    until_asked(house, table)
    assert [house.balance(player) - START for player in people] == [15_000, -4_000, -1_000]
    return table


@article("56/2004", "R18")
def test_a_void_round_takes_back_what_was_paid_and_gives_back_what_was_lost(house: House, people: People) -> None:
    table = prize_paid(house, people)
    before = Account.objects.get(kind="float", table=table).balance
    void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    assert [house.balance(player) for player in people] == [START] * 3
    assert Account.objects.get(kind="float", table=table).balance == before + 15_000 - 4_000
    assert escrow(table) == 0
    assert (moved(table, "reversed"), moved(table, "forgiven")) == (15_000, 0)
    assert reconcile(house.log(table)).faults == ()
    assert set(Played.objects.values_list("staked", "returned")) == {(10_000, 10_000), (4_000, 4_000), (1_000, 1_000)}


def spent(house: House, people: People) -> Table:
    """She has laid all she had on another table when the round is called off."""
    ana, *_ = people
    table = prize_paid(house, people)
    other = house.table("jade")
    house.until(other, "betting")
    house.bet(ana, other, "player", 10_100)
    assert house.balance(ana) == 5_000
    void_round(house.log(table).pk, "cards mixed up", clock=house.clock)
    return table


def test_a_prize_that_was_spent_is_forgiven_as_far_as_it_is_lacking(house: House, people: People) -> None:
    ana, rui, lin = people
    table = spent(house, people)
    assert [house.balance(player) for player in (ana, rui, lin)] == [0, START, START]
    assert (moved(table, "reversed"), moved(table, "forgiven")) == (15_000, 10_000)
    log = RoundLog.objects.get(table=table)
    assert reconcile(log).faults == ()
    assert Played.objects.values_list("staked", "returned").get(player=ana, log=log) == (10_000, 20_000)
    first, *_ = [line.reason for line in statement_of(ana) if line.log_id == log.pk][::-1][3:]
    assert first == "forgiven"


def test_the_audit_finds_a_gift_that_is_called_forgiven(db: None) -> None:
    house = House()  # whose books will not be in order
    table = spent(house, (house.player("ana"), house.player("rui"), house.player("lin")))
    assert audit(VAULT).clean
    log = RoundLog.objects.get(table=table)
    rui = Player.objects.get(username="rui")
    ana = Player.objects.get(username="ana")
    for player in (rui, ana):
        entry = Posting(
            f"gift:{player.pk}",
            wallet.float_of(table.pk),
            wallet.player(player.pk),
            100,
            Transfer.Reason.FORGIVEN,
            "house",
        )
        wallet.post(wallet.lock([entry.debit, entry.credit]), [entry], at=log.started_at, log_id=log.pk)
    faults = audit(VAULT).faults
    assert [fault.split(": ")[1].split()[0] for fault in faults] == [
        f"forgiven:{log.pk}:{ana.pk}",
        f"gift:{rui.pk}",
        f"gift:{ana.pk}",
    ]


def test_an_error_of_the_house_after_a_prize_takes_it_back_too(house: House, people: People) -> None:
    from tables.services.dealing.advance import void_after_error

    table = prize_paid(house, people)
    void_after_error(table.pk, house.credentials(table), "AssertionError", clock=house.clock)
    assert [house.balance(player) for player in people] == [START] * 3
    house.until(table, "betting")
    assert house.log(table).opening["first_round"], "the machine is loaded again"
