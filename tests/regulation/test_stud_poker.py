"""Stud Poker, External Regulatory Dispatch 61/2004, article by article; its hands, options and jackpot stand beside."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games import GAMES
from tables.games.contract.actions import (
    CloseBets,
    Cut,
    DrawCard,
    Leave,
    Lower,
    Meter,
    Ready,
    Settle,
    Sit,
    Void,
    VoidReason,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.round import Opening, Pace
from tables.games.record import outcome_of, record_of
from tables.games.stud_poker.phases import Award, Compare, Fold, Misdeal, Proceed, Raise, Turn
from tests import kit
from tests.kit import article, close, view_for

from .stud_kit import (
    HIGH,
    LOW,
    MILLION,
    STUD,
    Dealing,
    back,
    box,
    faces,
    hand,
    laid,
    opened,
    options,
    played,
    playing,
    refused,
    told,
    why,
)

PAIR = "8s 8d Tc Jh 2d"
THREES = "3s 3h 6c Jc 2c"
FLUSH = "Kc Qc 9c 4c 3c"
STEEL = "6h 5h 4h 3h 2h"
TWO = ("ana ante 100 box 2", "rui ante 200 box 5")


# ── 1, 2: the table ─────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "1")
def test_one_fresh_deck_for_every_round_and_a_jackpot() -> None:
    for method, machine in (("shuffler", True), ("manual_shoe", False)):
        rules = STUD.shoe(options(shuffle_method=method))
        assert rules is not None
        assert (rules.decks, rules.every_round, rules.machine, rules.white_depth) == (1, True, machine, None)
    pool = STUD.pool(options())
    assert pool is not None and pool.minimum == 500_000_00
    assert played(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana raise").ends_shoe


@article("61/2004", "1")
def test_tables_of_one_jackpot_agree_in_its_stake_contribution_and_prizes() -> None:
    usual = STUD.pool(options())
    for name, value in {
        "jackpot_stake": 50_00,
        "jackpot_contribution": "1/2",
        "jackpot_fixed_royal_flush": 1_00,
        "jackpot_fixed_straight_flush": 1_00,
        "jackpot_fixed_four_of_a_kind": 1_00,
        "jackpot_fixed_full_house": 1_00,
        "jackpot_fixed_flush": 1_00,
        "jackpot_minimum": 1_00,
        "fixed_prizes_reduce_pool": False,
    }.items():
        assert STUD.pool(options(**{name: value})) != usual, name
    for name, value in {"max_ante": 200_00, "decision_mode": "in_turn", "shuffle_method": "manual_shoe"}.items():
        assert STUD.pool(options(**{name: value})) == usual, name


@article("61/2004", "2(1)")
def test_there_are_seven_boxes_beside_the_dealers_place() -> None:
    round_ = opened(*(f"p{at} ante 100 box {at}" for at in range(1, 8)))
    assert [box.number for box in view_for(round_, None).boxes if box.bettor] == [1, 2, 3, 4, 5, 6, 7]
    assert refused(round_, "ana ante 100 box 8") == "2(1)"
    assert refused(round_, "ana ante 100") == "2(1)"
    assert refused(round_, Sit("ana", 8)) == "2(1)"


@article("61/2004", "2(2)")
def test_a_box_has_three_spaces_for_jackpot_stake_ante_and_raise() -> None:
    round_ = played(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    assert [outcome.spot for outcome in box(round_, 2).outcomes] == ["ante", "raise", "jackpot"]
    assert set(STUD.spots) == {"ante", "jackpot"}  # the raise grows out of the ante
    assert refused(opened(seats={"ana": 2}), "ana raise 100 box 2") == "6(5)"


# ── 3: shuffled and cut ─────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "3(1)")
def test_shuffled_by_hand_the_deck_is_cut_by_the_dealer_and_by_nobody_else() -> None:
    round_ = kit.opened(game="stud_poker", ceremony=True, seats={"ana": 2}, shuffle_method="manual_shoe")
    assert (round_.phase, round_.pace) == ("cut", Pace.BEAT)
    assert not round_.offers("ana").actions and round_.default_for("ana") is None
    assert refused(round_, Cut("ana", 20)) == ""
    assert refused(round_, "ana ante 100 box 2") == "closed"
    after = round_.apply(Cut("house", 20))
    assert after.phase == "betting" and after.next_house_step() is None
    assert WhiteCard not in STUD.actions  # it lies at the bottom, and never comes out
    with pytest.raises(AssertionError):
        round_.apply(Cut("house", 52))


@article("61/2004", "3(2)")
def test_from_the_shuffler_there_is_no_cut() -> None:
    round_ = kit.opened(game="stud_poker", ceremony=True, shuffle_method="shuffler")
    assert round_.phase == "betting"


# ── 5, 6: stakes and decisions ──────────────────────────────────────────────────────────────────────────────


@article("61/2004", "5")
def test_there_are_no_other_bets() -> None:
    assert refused(opened(seats={"ana": 2}), "ana pairs 100 box 2") == "5"


@article("61/2004", "6(1)")
def test_a_bettor_stakes_on_the_box_of_his_seat_and_no_other() -> None:
    round_ = opened("ana ante 100 box 2", seats={"ana": 2, "rui": 3})
    assert refused(round_, "ana ante 100 box 3") == "6(1)"
    assert refused(round_, "rui ante 100 box 2") == "6(1)"
    assert refused(round_, "rui ante 100 box 4") == "6(1)"


@article("61/2004", "6(1)")
def test_nobody_stakes_beside_another_or_on_two_boxes_by_changing_his_seat() -> None:
    round_ = opened("ana ante 100 box 2").apply(Leave("ana"))
    taken = round_.apply(Sit("rui", 2))
    assert refused(taken, "rui ante 100 box 2") == "6(1)"
    moved = round_.apply(Sit("ana", 4))
    assert refused(moved, "ana ante 100 box 4") == "6(1)"
    assert not taken.offers("rui").bets and not moved.offers("ana").bets


@article("61/2004", "6(2)")
@article("61/2004", "10(1)")
def test_the_ante_comes_first() -> None:
    round_ = opened(seats={"ana": 2})
    assert [offer.spot for offer in round_.offers("ana").bets] == ["ante"]
    assert refused(round_, "ana jackpot 25 box 2") == "10(1)"
    with_ante = kit.bet_on(round_, "ana ante 100 box 2")
    assert [offer.spot for offer in with_ante.offers("ana").bets] == ["ante", "jackpot"]
    assert refused(round_, Raise("ana")) == "6(5)"


@article("61/2004", "6(2)")
@article("61/2004", "10(1)")
def test_with_the_ante_the_jackpot_stake_comes_back_too() -> None:
    round_ = opened("ana ante 100 box 2", "ana jackpot 25 box 2")
    assert round_.in_escrow() == {"ana ante": 100_00, "ana jackpot": 25_00}
    assert round_.apply(Withdraw("ana", "ana ante")).in_escrow() == {}
    assert round_.apply(Withdraw("ana", "ana jackpot")).in_escrow() == {"ana ante": 100_00}


@article("61/2004", "6(3)")
def test_the_jackpot_stake_is_optional_and_comes_before_the_first_card() -> None:
    assert played(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana raise").settled
    closed = close(opened("ana ante 100 box 2"))
    assert refused(closed, "ana jackpot 25 box 2") == "closed"
    assert refused(playing("3s", "ana ante 100 box 2"), "ana jackpot 25 box 2") == "6(3)"


@article("61/2004", "jackpot")
def test_the_jackpot_stake_is_one_fixed_amount_and_lies_there_once() -> None:
    round_ = opened("ana ante 100 box 2")
    for amount in (24, 26, 50):
        assert refused(round_, f"ana jackpot {amount} box 2") == "jackpot"
    (offer,) = (offer for offer in round_.offers("ana").bets if offer.spot == "jackpot")
    assert (offer.least, offer.most, offer.box) == (25_00, 25_00, 2)
    after = kit.bet_on(round_, "ana jackpot 25 box 2")
    assert refused(after, "ana jackpot 25 box 2 as again") == "jackpot"
    assert refused(after, Lower("ana", "ana jackpot", 1_00)) == "jackpot"
    assert [offer.spot for offer in after.offers("ana").bets] == ["ante"]


@article("61/2004", "6(4)")
def test_whose_line_drops_with_cards_in_his_hand_keeps_his_box_and_the_clock_runs_on() -> None:
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", *TWO)
    gone = round_.apply(Leave("ana"))
    assert (gone.wait, gone.pace) == (round_.wait, round_.pace)
    assert view_for(gone, None).question.asked == ("ana", "rui")
    late = gone.apply(Raise("rui")).apply(Proceed())
    assert box(late, 2).automatic and not box(late, 5).automatic
    back_in_time = gone.apply(Sit("ana", 2)).apply(Raise("ana")).apply(Raise("rui"))
    assert back_in_time.phase == "dealer_reveal" and box(back_in_time, 2).raised == 200_00


@article("61/2004", "6(4)")
@pytest.mark.parametrize("cards", ["3s", f"{PAIR} / {THREES} / {LOW}"], ids=["while it is dealt", "deciding"])
def test_who_leaves_his_box_before_he_has_decided_folds_at_once(cards: str) -> None:
    round_ = playing(cards, *TWO)
    assert round_.leaving("ana").article == "6(4)" and round_.leaving("lee") is None
    gone = round_.apply(Leave("ana", for_good=True))
    assert gone.box_of("ana").folded and not gone.box_of("ana").automatic and gone.box_of("rui").raised is None
    assert gone.phase is round_.phase and gone.leaving("ana") is None
    assert refused(gone, Raise("ana")) == "6(5)"
    assert refused(gone, Sit("lee", 2)) == "6(4)"
    assert dict(gone.apply(Sit("ana", 2)).seats) == {"rui": 5, "ana": 2}, "the box is hers"
    assert gone.apply(Void()).bars_seat("lee", 2) is None


@article("61/2004", "6(4)")
def test_who_has_decided_may_leave_and_his_decision_stands() -> None:
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", *TWO).apply(Raise("ana"))
    assert round_.leaving("ana") is None
    assert round_.apply(Leave("ana", for_good=True)).box_of("ana").raised


@article("61/2004", "6(5)")
def test_the_raise_is_decided_when_all_cards_are_dealt() -> None:
    dealing = Dealing(f"{PAIR} / {THREES} / Qs Jd 9h 7c", *TWO)
    assert dealing.dealt().phase == "deal"
    assert refused(dealing.round, "ana raise") == "6(5)"
    assert not dealing.round.offers("ana").actions
    dealing.round = dealing.round.apply(DrawCard(card=kit.cards("4d")[0]))
    assert dealing.round.phase == "look_and_decide" and dealing.round.next_house_step() is None
    assert dealing.round.offers("ana").actions == (Raise("ana"), Fold("ana"))
    assert not dealing.round.offers("lee").actions
    assert refused(dealing.round, "lee raise") == "6(5)"


@article("61/2004", "6(5)")
def test_the_first_decision_is_final() -> None:
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", *TWO, "ana fold")
    assert refused(round_, "ana raise") == "6(5)" and refused(round_, "ana fold") == "6(5)"
    assert not round_.offers("ana").actions and round_.default_for("ana") is None
    assert round_.default_for("rui") == Fold("rui")


@article("61/2004", "6(6)")
def test_the_raise_is_twice_the_ante_and_lies_with_it_at_once() -> None:
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", "ana ante 150 box 2", "rui ante 200 box 5")
    for amount in (0, 1, 150, 299, 301, 450):
        assert refused(round_, f"ana raise {amount}") == "6(6)"
    assert round_.apply(told("ana raise 300")) == round_.apply(Raise("ana", 300_00)) == round_.apply(Raise("ana"))
    assert round_.apply(Raise("ana")).in_escrow() == {"ana ante": 450_00, "rui ante": 200_00}
    assert round_.apply(Fold("ana")).in_escrow("ana") == {"ana ante": 150_00}
    (choice, _) = view_for(round_, "ana").mine.choices
    assert (choice.action, choice.cost) == (Raise("ana"), 300_00)
    assert view_for(round_, "ana").mine.raising == 300_00


@article("61/2004", "6(7)")
def test_without_a_raise_hand_and_ante_are_lost_whatever_the_dealer_has() -> None:
    for dealer in (LOW, HIGH):
        round_ = played(f"{FLUSH} / {dealer}", "ana ante 100 box 2", "ana fold")
        assert back(round_) == {"ana ante": 0} and laid(round_) == {"ana ante": 100_00}
        assert why(round_, "ana ante") == [("ante", "6(7)")]
        assert faces(box(round_, 2).cards) == "-- -- -- -- --"
        assert faces(box(round_, 2, "ana").cards) == FLUSH


@article("61/2004", "6(8)")
def test_once_all_have_decided_the_hands_are_played_out_in_order() -> None:
    dealing = Dealing(f"{PAIR} / {THREES} / {FLUSH} / {HIGH}", *TWO, "lee ante 100 box 7", "lee raise", "ana raise")
    assert dealing.round.phase == "look_and_decide"
    dealing.go("rui fold")
    phases_seen = []
    while not dealing.round.over:
        phases_seen.append((str(dealing.round.phase), dealing.round.next_house_step().action))
        dealing.step()
    assert phases_seen == [
        ("dealer_reveal", Turn()),
        ("compare", Compare(box=2)),
        ("compare", Compare(box=7)),
        ("result", Settle()),
    ]


# ── 7: the deal ─────────────────────────────────────────────────────────────────────────────────────────────


def came_out(round_: Any) -> list[str]:
    """What everybody sees of the dealer's cards and of the boxes, in one line each."""
    view = view_for(round_, None)
    return [faces(box.cards) for box in view.boxes if box.bettor] + [faces(view.dealer.cards)]


@article("61/2004", "7(1)")
def test_from_the_shoe_cards_are_dealt_one_at_a_time_from_box_1_and_last_to_the_dealer() -> None:
    dealing = Dealing("", "rui ante 200 box 5", "ana ante 100 box 2", shuffle_method="manual_shoe")
    dealing.dealt()
    for cards, seen in (
        ("8s 3s Qs", ["--", "--", "--"]),
        ("8d 3h", ["-- --", "-- --", "--"]),
        ("Jd Tc 6c 9h Jh Jc 7c 2d", ["-- -- -- -- --", "-- -- -- --", "-- -- -- --"]),
        ("2c", ["-- -- -- -- --", "-- -- -- -- --", "-- -- -- --"]),
        ("4d", ["-- -- -- -- --", "-- -- -- -- --", "-- -- -- -- 4d"]),
    ):
        dealing.cards = [DrawCard(card=one) for one in kit.cards(cards)]
        dealing.serve()
        assert came_out(dealing.round) == seen
    assert faces(hand(dealing.round, 2)) == PAIR and faces(hand(dealing.round, 5)) == THREES
    assert faces(hand(dealing.round, 0)) == LOW
    assert dealing.round.phase == "look_and_decide"


@article("61/2004", "7(2)")
@article("61/2004", "R2")
def test_from_the_shuffler_five_at_a_time_and_the_dealers_fifth_is_turned_up() -> None:
    dealing = Dealing("", "rui ante 200 box 5", "ana ante 100 box 2", seats={"rui": 5, "ana": 2})
    dealing.dealt()
    five = "-- -- -- -- --"
    for cards, seen in (
        (PAIR, [five, "", ""]),
        ("3s", [five, "--", ""]),
        ("3h 6c Jc 2c", [five, five, ""]),
        ("Qs Jd 9h 7c", [five, five, "-- -- -- --"]),
        ("4d", [five, five, "-- -- -- -- 4d"]),
    ):
        dealing.cards = [DrawCard(card=one) for one in kit.cards(cards)]
        dealing.serve()
        assert came_out(dealing.round) == seen
    assert faces(hand(dealing.round, 2)) == PAIR and faces(hand(dealing.round, 5)) == THREES


@article("61/2004", "7(2)")
@pytest.mark.parametrize("method", ["shuffler", "manual_shoe"])
def test_only_boxes_with_an_ante_are_dealt_to_and_the_dealer_always(method: str) -> None:
    seats = {"ana": 1, "rui": 4, "lee": 7}
    round_ = playing(f"{PAIR} / {LOW}", "rui ante 100 box 4", "rui fold", seats=seats, shuffle_method=method)
    assert faces(hand(round_, 4)) == PAIR and faces(hand(round_, 0)) == LOW
    assert [len(box.cards) for box in view_for(round_, None).boxes] == [0, 0, 0, 5, 0, 0, 0]


# ── 9: the dealer's hand and the payments ───────────────────────────────────────────────────────────────────


@article("61/2004", "9(1)")
@article("61/2004", "9(2)")
def test_a_dealer_without_ace_king_pays_the_ante_returns_the_raise_and_opens_nothing() -> None:
    dealing = Dealing(f"{FLUSH} / {LOW}", "ana ante 100 box 2", "ana raise")
    round_ = dealing.step()
    assert round_.phase == "result" and view_for(round_, None).dealer.qualifies is False
    assert view_for(round_, None).dealer.note.article == "9(1)"
    round_ = dealing.finish()
    assert why(round_, "ana ante") == [("ante", "9(2)"), ("raise", "9(2)")]
    assert [paid.returned for paid in round_.payouts()] == [200_00, 200_00]
    assert [outcome.end for outcome in box(round_, 2).outcomes] == ["won", "returned"]
    assert faces(box(round_, 2, "rui").cards) == "-- -- -- -- --" and faces(box(round_, 2, "ana").cards) == FLUSH


@article("61/2004", "9(3)")
def test_a_dealer_who_qualifies_opens_the_raised_hands_one_by_one() -> None:
    dealing = Dealing(f"{PAIR} / {THREES} / {HIGH}", *TWO, "ana raise", "rui raise")
    assert view_for(dealing.step(), None).dealer.note.article == "9(3)"
    shown = []
    for _ in range(2):
        round_ = dealing.step()
        shown.append([faces(box(round_, number).cards) for number in (2, 5)])
        assert not round_.payouts()
    assert shown == [[PAIR, "-- -- -- -- --"], [PAIR, THREES]]


@article("61/2004", "9(4)")
def test_the_dealers_higher_hand_takes_ante_and_raise() -> None:
    round_ = played(f"{PAIR} / Ks Kd 9h 7c 4d", "ana ante 100 box 2", "ana raise")
    assert why(round_, "ana ante") == [("ante", "9(4)"), ("raise", "9(4)")]
    assert (laid(round_), back(round_)) == ({"ana ante": 300_00}, {"ana ante": 0})


# hand, article of the odds, what the raise of 200 credits wins
ODDS = {
    "As Kh Td 7c 3d": ("9(5)(1)", 200),
    "8s 8d Tc Jh 2d": ("9(5)(1)", 200),
    "8s 8d Tc Th 2d": ("9(5)(2)", 400),
    "8s 8d 8c Jh 2d": ("9(5)(3)", 600),
    "8s 7d 6c 5h 4s": ("9(5)(4)", 800),
    "Kc Qc 9c 4c 3c": ("9(5)(5)", 1_000),
    "8s 8d 8c Jh Jd": ("9(5)(6)", 1_400),
    "8s 8d 8c 8h Jd": ("9(5)(7)", 4_000),
    "6h 5h 4h 3h 2h": ("9(5)(8)", 10_000),
    "Ah Kh Qh Jh Th": ("9(5)(9)", 20_000),
}


@article("61/2004", "9(5)")
@article("61/2004", "9(5)(1)")
@article("61/2004", "9(5)(2)")
@article("61/2004", "9(5)(3)")
@article("61/2004", "9(5)(4)")
@article("61/2004", "9(5)(5)")
@article("61/2004", "9(5)(6)")
@article("61/2004", "9(5)(7)")
@article("61/2004", "9(5)(8)")
@article("61/2004", "9(5)(9)")
@pytest.mark.parametrize("mine", ODDS)
def test_the_bettors_higher_hand_wins_1_to_1_on_the_ante_and_by_the_table_on_the_raise(mine: str) -> None:
    number, wins = ODDS[mine]
    dealer = "Ad Kd 9s 7s 2c" if mine != "As Kh Td 7c 3d" else "Ad Kd 9s 7s 2s"
    round_ = played(f"{mine} / {dealer}", "ana ante 100 box 2", "ana raise")
    assert why(round_, "ana ante") == [("ante", "9(5)"), ("raise", number)]
    assert [paid.returned for paid in round_.payouts()] == [200_00, (200 + wins) * 100]


@article("61/2004", "9(5)(7)")
@article("61/2004", "R6")
def test_the_cap_limits_what_one_raise_wins_and_says_so() -> None:
    given = {"max_ante": 100_00, "raise_payout_cap": 1_400_00}
    four = "8s 8d 8c 8h Jd"
    round_ = played(
        f"{four} / {FLUSH} / {HIGH}", "ana ante 100 box 1", "rui ante 100 box 2", "ana raise", "rui raise", **given
    )
    assert back(round_) == {"ana ante": (200 + 200 + 1_400) * 100, "rui ante": (200 + 200 + 1_000) * 100}
    (ante, raised) = (paid for paid in round_.payouts() if paid.by == "ana")
    assert (ante.why.article, raised.why.article) == ("9(5)", "9(5)(7)")
    assert "maximum" in str(raised.why.words)


# ── 10: the jackpot in a round ──────────────────────────────────────────────────────────────────────────────


@article("61/2004", "10(1)")
def test_the_jackpot_stake_is_taken_when_betting_has_closed_and_part_of_it_goes_to_the_pool() -> None:
    round_ = opened("ana ante 100 box 2", "ana jackpot 25 box 2", "rui ante 100 box 3", seats={"ana": 2, "rui": 3})
    assert not box(round_, 2).jackpot.accepted and not box(round_, 2).accepted
    closed = close(round_)
    assert closed.phase == "bets_closed" and closed.in_escrow()["ana jackpot"] == 25_00
    metered = closed.apply(Meter(pool=MILLION))
    assert metered.in_escrow() == {"ana ante": 100_00, "rui ante": 100_00}
    (paid,) = metered.payouts()
    assert (paid.bet, paid.stake, paid.returned, paid.pooled) == ("ana jackpot", 25_00, 0, 17_50)
    assert paid.why.article == "10(1)"
    assert view_for(metered, None).pool.opening == MILLION + 17_50
    assert box(metered, 2).jackpot.accepted and box(metered, 2).accepted and box(metered, 3).jackpot is None


@article("61/2004", "10(2)")
@article("61/2004", "R9")
def test_a_prize_comes_out_of_the_pool_and_the_stake_does_not_come_back() -> None:
    round_ = played(f"{FLUSH} / {HIGH}", "ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    taken, _, _, prize = round_.payouts()
    assert (taken.stake, taken.pooled) == (25_00, 17_50)
    assert (prize.bet, prize.spot, prize.stake, prize.returned, prize.pooled) == (
        *("ana jackpot", "jackpot"),
        *(0, 1_250_00, -1_250_00),
    )
    assert prize.why.article == "10(2)(5)"
    assert view_for(round_, None).pool.closing == MILLION + 17_50 - 1_250_00


@article("61/2004", "10(2)")
@article("61/2004", "R11")
def test_fixed_sums_that_the_house_bears_come_out_of_no_pool() -> None:
    lines = ("ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    round_ = played(f"{FLUSH} / {HIGH}", *lines, fixed_prizes_reduce_pool=False)
    prize = round_.payouts()[-1]
    assert (prize.returned, prize.pooled) == (1_250_00, 0)
    tenth = played(f"{STEEL} / {HIGH}", *lines, fixed_prizes_reduce_pool=False).payouts()[-1]
    assert tenth.returned == -tenth.pooled == (MILLION + 17_50) // 10


@article("61/2004", "10(2)")
def test_the_whole_prize_is_asked_of_the_pool_even_where_it_is_too_small() -> None:
    lines = ("ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    round_ = played(f"{FLUSH} / {HIGH}", *lines, pool=3)
    assert round_.payouts()[-1].pooled == -1_250_00
    assert round_.result()["jackpot"] == {"opening": 17_53, "closing": 500_000_00, "prizes": {"ana": 1_250_00}}


@article("61/2004", "10(2)")
def test_less_than_a_flush_loses_the_jackpot_stake_and_says_so() -> None:
    round_ = played(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    assert why(round_, "ana jackpot") == [("jackpot", "10(1)"), ("jackpot", "10(2)")]
    assert (laid(round_)["ana jackpot"], back(round_)["ana jackpot"]) == (25_00, 0)


@article("61/2004", "10(3)")
def test_the_prizes_the_cap_and_the_odds_are_posted_from_the_first_moment() -> None:
    posted = view_for(opened(royal_flush_odds=60), None).posted
    assert [(row.rank, row.fixed, row.share) for row in posted.prizes] == [
        ("royal_flush", 500_000_00, "all"),
        ("straight_flush", 50_000_00, "tenth"),
        ("four_of_a_kind", 12_500_00, "none"),
        ("full_house", 2_500_00, "none"),
        ("flush", 1_250_00, "none"),
    ]
    assert [row.odds.win for row in posted.odds] == [60, 50, 20, 7, 5, 4, 3, 2, 1, 1]
    assert [row.capped for row in posted.odds] == [True] * 3 + [False] * 7
    assert (posted.cap, posted.times, posted.stake, posted.contribution) == (500_000_00, 2, 25_00, 17_50)


@article("61/2004", "10(4)")
@article("61/2004", "10(7)")
def test_prizes_are_called_one_by_one_in_the_order_of_payment() -> None:
    royal = "As Ks Qs Js Ts"
    bets = [f"p{at} {what} box {at}" for at in (1, 3, 6) for what in ("ante 100", "jackpot 25")]
    dealing = Dealing(f"{royal} / {FLUSH} / {STEEL} / 9d 8d 7h 4d 3d", *bets, *(f"p{at} raise" for at in (1, 3, 6)))
    assert dealing.step().phase == "jackpot"
    called = []
    while dealing.round.phase == "jackpot":
        called.append(dealing.round.next_house_step().action)
        round_ = dealing.step()
        assert [prize.box for prize in view_for(round_, None).pool.prizes] == [award.box for award in called]
        assert view_for(round_, None).pool.closing is None
    assert called == [Award(box=6), Award(box=1), Award(box=3)]
    assert [faces(box(round_, at).cards) for at in (1, 3, 6)] == [royal, FLUSH, STEEL]
    assert view_for(dealing.finish(), None).pool.closing == 500_000_00


@article("61/2004", "10(5)")
@article("61/2004", "10(6)")
@pytest.mark.parametrize(
    ("hands", "number"),
    [
        ("As Ks Qs Js Ts / Ah Kh Qh Jh Th", "10(5)"),
        ("6h 5h 4h 3h 2h / 6s 5s 4s 3s 2s", "10(6)"),
        ("As Ks Qs Js Ts / 6h 5h 4h 3h 2d", "10(2)(1)"),
        ("6s 5s 4s 3s 2s / 8h 5h 4h 3h 2d", "10(2)(2)"),
    ],
)
def test_a_shared_prize_cites_its_own_article(hands: str, number: str) -> None:
    bets = [f"p{at} {what} box {at}" for at in (1, 3) for what in ("ante 100", "jackpot 25")]
    round_ = played(f"{hands} / Qd Jd 9d 8d 7c", *bets, "p1 raise", "p3 raise")
    assert {paid.why.article for paid in round_.payouts() if paid.spot == "jackpot" and paid.returned} == {number}


# ── 11: irregularities ──────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "11(1)")
@pytest.mark.parametrize("reason", [VoidReason.MISTAKE, VoidReason.EXPOSED, VoidReason.PIT])
def test_a_void_round_gives_antes_and_raises_back_and_carries_the_jackpot_stakes(reason: VoidReason) -> None:
    bets = ("ana ante 100 box 2", "ana jackpot 25 box 2", "rui ante 200 box 5", "ana raise", "rui fold")
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", *bets).apply(Void(reason=reason))
    assert (laid(round_), back(round_)) == (
        {"ana ante": 300_00, "ana jackpot": 25_00, "rui ante": 200_00},
        {"ana ante": 300_00, "ana jackpot": 0, "rui ante": 200_00},
    )
    assert round_.in_escrow() == {} and round_.result() == {"void": True}
    assert [(stake.bet, stake.carried) for stake in round_.carried()] == [("ana jackpot", True)]
    assert {article for _, article in why(round_, "ana ante")} == {"11(1)"}
    assert [note.article for note in view_for(round_, None).notes] == ["11(1)"]


@article("61/2004", "11(1)")
def test_a_void_before_the_jackpot_stakes_were_taken_takes_and_carries_them() -> None:
    betting = opened("ana ante 100 box 2", "ana jackpot 25 box 2")
    for round_ in (betting.apply(Void()), close(betting).apply(Void())):
        (ante, jackpot) = round_.payouts()
        assert (ante.stake, ante.returned) == (100_00, 100_00)
        assert (jackpot.stake, jackpot.returned, jackpot.pooled) == (25_00, 0, 17_50)
        assert [stake.bet for stake in round_.carried()] == ["ana jackpot"]


@article("61/2004", "11(1)")
def test_two_exposed_cards_make_the_round_void_at_once() -> None:
    round_ = playing("8s! 8d Tc! Jh", "ana ante 100 box 2")
    assert round_.over and round_.void.reason == VoidReason.EXPOSED
    assert faces(box(round_, 2).cards) == "8s -- Tc"


def test_the_record_of_a_round_void_before_any_box_was_dealt_to_says_so() -> None:
    """The two cards lay dead on a box without a stake: the record leaves them out, and not the void."""
    dealing = Dealing("", "ana ante 100 box 2", shuffle_method="manual_shoe")
    dealing.dealt()
    for card in kit.cards("As 2s"):
        dealing.go(Misdeal(box=1))
        dealing.cards = [DrawCard(card=card, exposed=True)]
        dealing.serve()
    assert dealing.round.void.reason == VoidReason.EXPOSED
    written = record_of(GAMES["stud_poker"], dealing.round.options, dealing.round.opening, dealing.log)
    assert written["chance"] == [] and written["decisions"] == [{"by": "house", "do": "void"}]
    assert outcome_of(written)["returned"] == {"ana": 100_00}


@article("61/2004", "11(2)")
@pytest.mark.parametrize("method", ["shuffler", "manual_shoe"])
def test_one_exposed_card_of_a_bettor_is_seen_by_all_and_the_round_stands(method: str) -> None:
    round_ = playing("8s 8d! Tc Jh 2d / Qs Jd 9h 7c 4d", "ana ante 100 box 2", shuffle_method=method)
    assert round_.phase == "look_and_decide"
    assert faces(box(round_, 2).cards) == "-- 8d -- -- --" and box(round_, 2).cards[1].exposed
    assert faces(view_for(round_, None).dealer.cards) == "-- -- -- -- 4d"
    assert [note.article for note in view_for(round_, None).notes] == ["11(2)"]


@article("61/2004", "11(2)")
@pytest.mark.parametrize("at", range(4))
def test_one_exposed_card_of_the_dealer_is_his_open_card_and_his_fifth_lies_face_down(at: int) -> None:
    cards = LOW.split()
    exposed = " ".join(one + "!" * (place == at) for place, one in enumerate(cards))
    round_ = playing(f"{PAIR} / {exposed}", "ana ante 100 box 2")
    seen = " ".join(one if place == at else "--" for place, one in enumerate(cards))
    assert round_.phase == "look_and_decide" and faces(view_for(round_, "ana").dealer.cards) == seen


@article("61/2004", "11(2)")
def test_the_dealers_regular_open_card_is_no_exposed_one() -> None:
    round_ = playing("8s 8d! Tc Jh 2d / Qs Jd 9h 7c 4d!", "ana ante 100 box 2")
    assert round_.phase == "look_and_decide" and not view_for(round_, None).dealer.cards[4].exposed
    twice = playing(f"{PAIR} / Qs Jd! 9h 7c 4d!", "ana ante 100 box 2")
    assert twice.is_void


@article("61/2004", "11(3)")
@article("61/2004", "R15")
def test_cards_that_went_to_a_box_without_a_stake_are_dead_and_the_round_goes_on() -> None:
    dealing = Dealing("", "ana ante 100 box 2", shuffle_method="manual_shoe")
    dealing.dealt()
    for lines, cards in ((), "8s Qs"), ((Misdeal(box=1),), "Ah 8d Jd"), ((Misdeal(box=1),), "Ad Tc 9h Jh 7c 2d 4d"):
        dealing.go(*lines)
        dealing.cards = [DrawCard(card=one) for one in kit.cards(cards)]
        dealing.serve()
    round_ = dealing.round
    assert round_.phase == "look_and_decide"
    assert faces(hand(round_, 2)) == PAIR and faces(hand(round_, 0)) == LOW
    assert faces(box(round_, 1, "ana").dead) == "-- --"
    assert [note.article for note in view_for(round_, None).notes] == ["11(3)"]
    assert dealing.go("ana raise") and dealing.finish().settled


@article("61/2004", "11(3)")
def test_only_a_box_without_a_stake_can_be_dealt_to_by_mistake_and_packets_stay_whole() -> None:
    dealing = Dealing("8s 8d", "ana ante 100 box 2")
    before = dealing.dealt()
    dealing.cards = [DrawCard(card=one) for one in kit.cards("Tc Jh 2d")]
    dealing.serve()
    after = dealing.round
    assert refused(after, Misdeal("ana", box=3)) == ""
    astray = after.apply(Misdeal(box=3))
    wrong = [
        (before, 3),
        (after, 2),
        (after, 0),
        (after, 8),
        (astray, 3),
    ]  # a torn packet; staked; no box; dealt to now
    for round_, number in wrong:
        with pytest.raises(AssertionError):
            round_.apply(Misdeal(box=number))
    dealing.cards = [DrawCard(card=one) for one in kit.cards("As Ad Ac Ah Kd")]
    full = dealing.go(Misdeal(box=3))
    with pytest.raises(AssertionError):
        full.apply(Misdeal(box=3))
    assert full.apply(Misdeal(box=4)).next_house_step() == full.next_house_step()


@article("61/2004", "11(4)")
def test_when_the_shuffler_fails_the_round_is_void_and_jackpot_stakes_are_carried() -> None:
    round_ = playing("8s 8d Tc", "ana ante 100 box 2", "ana jackpot 25 box 2").apply(Void(reason=VoidReason.MACHINE))
    assert why(round_, "ana jackpot") == [("jackpot", "10(1)"), ("jackpot", "11(4)")]
    assert why(round_, "ana ante") == [("ante", "11(4)")]
    assert [stake.bet for stake in round_.carried()] == ["ana jackpot"]
    assert [outcome.end for outcome in box(round_, 2).outcomes] == ["returned", "carried"]


# ── 12: conduct ─────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "12(2)")
@article("61/2004", "R24")
def test_nobody_talks_from_the_first_card_to_the_last_decision() -> None:
    dealing = Dealing("", *TWO)
    quiet = [(str(dealing.round.phase), dealing.round.silence is not None)]
    dealing.dealt()
    quiet.append((str(dealing.round.phase), dealing.round.silence is not None))
    for hands in (PAIR.split()[0], " ".join(PAIR.split()[1:]) + f" {THREES} {LOW}"):
        dealing.cards = [DrawCard(card=one) for one in kit.cards(hands)]
        dealing.serve()
        quiet.append((str(dealing.round.phase), dealing.round.silence is not None))
    for line in ("ana raise", "rui fold"):
        dealing.go(line)
        quiet.append((str(dealing.round.phase), dealing.round.silence is not None))
    assert quiet == [
        ("betting", False),
        ("deal", False),
        ("deal", True),
        ("look_and_decide", True),
        ("look_and_decide", True),
        ("dealer_reveal", False),
    ]
    assert playing(PAIR, *TWO).silence.article == "12(2)"


# ── What is ours ────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "seat")
def test_only_seated_bettors_stake() -> None:
    round_ = opened("ana ante 100 box 2", seats={"ana": 2})
    for line in ("lee ante 100 box 3", "lee ante 100 box 2", "lee jackpot 25 box 2"):
        assert refused(round_, line) == "seat"
    assert not round_.offers("lee").bets
    assert refused(round_, Sit("lee", 2)) == "seat"
    assert refused(round_, Ready("lee")) == "seat"


@article("61/2004", "seat")
def test_stakes_of_who_has_left_his_box_are_taken_down_when_betting_closes() -> None:
    bets = ("ana ante 100 box 2", "ana jackpot 25 box 2", "rui ante 200 box 5")
    gone = opened(*bets).apply(Leave("ana"))
    closed = close(gone)
    assert [(refusal.bet, refusal.why.article) for refusal in closed.refusals] == [
        ("ana ante", "seat"),
        ("ana jackpot", "seat"),
    ]
    assert closed.in_escrow() == {"rui ante": 200_00} and view_for(closed, "ana").mine.refusals == closed.refusals
    assert close(gone.apply(Sit("ana", 2))).refusals == ()
    assert len(close(gone.apply(Sit("ana", 3))).refusals) == 2


@article("61/2004", "minimum")
@article("61/2004", "maximum")
@article("61/2004", "credits")
def test_the_ante_is_whole_credits_between_minimum_and_maximum() -> None:
    round_ = opened(seats={"ana": 2}, min_ante=50_00, max_ante=300_00, raise_payout_cap=4_200_00)
    for amount, number in (("49", "minimum"), ("301", "maximum"), ("60.5", "credits"), ("0", "credits")):
        assert refused(round_, f"ana ante {amount} box 2") == number
    (offer,) = round_.offers("ana").bets
    assert (offer.least, offer.most, offer.step, offer.box) == (50_00, 300_00, 1_00, 2)
    more = kit.bet_on(round_, "ana ante 200 box 2", "ana ante 1 box 2")
    assert more.in_escrow() == {"ana ante": 201_00}
    assert refused(more, "ana ante 100 box 2") == "maximum"
    assert refused(more, Lower("ana", "ana ante", 152_00)) == "minimum"
    assert more.apply(Lower("ana", "ana ante", 151_00)).in_escrow() == {"ana ante": 50_00}


@article("61/2004", "closed")
def test_after_closing_nothing_is_staked_or_taken_back() -> None:
    round_ = close(opened("ana ante 100 box 2"))
    for action in (told("ana ante 100 box 2"), Withdraw("ana", "ana ante"), Lower("ana", "ana ante", 1_00)):
        assert refused(round_, action) == "closed"
    done = played(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana raise")
    assert refused(done, "ana raise") == "closed"
    with pytest.raises(AssertionError):
        done.apply(Settle())


@article("61/2004", "void")
def test_without_an_ante_nothing_is_dealt() -> None:
    for round_ in (close(opened(seats={"ana": 2})), close(opened("ana ante 100 box 2").apply(Leave("ana")))):
        assert round_.next_house_step().action == Void(reason=VoidReason.NO_MAIN_STAKE)
        over = kit.run(round_, kit.Shoe())
        assert over.result() == {"void": True} and not over.payouts()
        assert [note.article for note in view_for(over, None).notes] == ["void"]


@article("61/2004", "time")
def test_whoever_lets_his_time_pass_folds_and_it_is_marked() -> None:
    round_ = playing(f"{PAIR} / {THREES} / {LOW}", *TWO, "ana raise", "…")
    assert (box(round_, 2).automatic, box(round_, 5).automatic) == (False, True)
    assert box(round_, 5).standing == "folded" and box(round_, 2).standing == "raised"
    assert why(Dealing(f"{PAIR} / {LOW}", "ana ante 100 box 2").finish(), "ana ante") == [("ante", "time")]


def test_betting_closes_early_when_all_who_sit_are_ready() -> None:
    round_ = opened("ana ante 100 box 2", seats={"ana": 2, "rui": 5})
    assert not round_.apply(Ready("ana")).closes_early
    both = round_.apply(Ready("ana")).apply(Ready("rui"))
    assert both.closes_early
    assert not both.apply(Withdraw("ana", "ana ante")).closes_early
    assert not opened(seats={"ana": 2}).apply(Ready("ana")).closes_early  # nothing would be dealt


def test_only_the_dealer_does_what_is_the_dealers() -> None:
    round_ = playing(f"{PAIR} / {LOW}", "ana ante 100 box 2")
    for action in (CloseBets("ana"), Proceed("ana"), Turn("ana"), Compare("ana", box=2), Settle("ana"), Void("ana")):
        assert refused(round_, action) == ""
    with pytest.raises(AssertionError):
        round_.apply(Turn())
    with pytest.raises(AssertionError):
        round_.apply(Settle())


def test_the_round_opens_with_carried_jackpot_stakes_alone() -> None:
    ante = kit.stake("ana ante 100 box 2 carried")
    with pytest.raises(AssertionError):
        STUD.opened(options(), Opening({"ana": 2}, (ante,)))
