"""The worked examples of the rulebook, section 11: hands, decision, what was staked and what returned, in credits."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.stud_poker.phases import Misdeal
from tests.kit import article, view_for

from .stud_kit import LOW, MILLION, Dealing, back, box, faces, hand, laid, opened, pile, played, playing, refused

ANTE = "P ante 100 box 3"
HIGH_STAKES = ("P ante 10000 box 3", {"raise_payout_cap": 140_000_00})

# number: bettor, dealer, decision, staked, returned (and ante, options where they are not the usual ones)
MAIN: dict[str, tuple[Any, ...]] = {
    "SP-01": ("3s 3d 9c Jh Kd", "Qs Jd 9h 7c 4d", "raise", 300, 400),
    "SP-02": ("3s 5d 9c Jh Kd", "Qs Jd 9h 7c 4d", "fold", 100, 0),
    "SP-03": ("8s 8d 9c Jh 2d", "As Kd 9h 7c 4d", "raise", 300, 600),
    "SP-04": ("As Kh Qd 7c 2d", "2s 2h 3c 5d 8c", "raise", 300, 0),
    "SP-05": ("Ac Kh Ts 8d 4c", "Ad Ks Th 8c 5h", "raise", 300, 0),
    "SP-06": ("As Kd Jh 8c 3d", "Ah Ks Jd 8d 3c", "raise", 300, 600),
    "SP-06b": ("Ad Ks Js 8s 3h", "Ac Kd Jh 8d 3c", "raise", 300, 0),
    "SP-07": ("Ks Kd Qh 7c 4d", "Kh Kc Qs 7d 4s", "raise", 300, 600),
    "SP-08": ("Ah Ad 9s 9h Jc", "As Ac 9d 9c Jh", "raise", 300, 0),
    "SP-09": ("Ts Td 6c 6d 9h", "Th Tc 6s 6h 5s", "raise", 300, 800),
    "SP-10": ("5s 4h 3d 2c Ad", "5h 4s 3s 2s As", "raise", 300, 1_200),
    "SP-11": ("5s 4s 3d 2c As", "6d 5d 4d 3c 2d", "raise", 300, 0),
    "SP-12": ("Ah Jh 9h 4h 3h", "Ac Jc 9c 4c 3c", "raise", 300, 1_400),
    "SP-13": ("2s 2h 2d As Ah", "3s 3h 3d 4s 4h", "raise", 300, 0),
    "SP-13b": ("7s 7h 7d 3c 2c", "6s 6h 6d Ac Kc", "raise", 300, 1_000),
    "SP-14": ("9s 9h 9d 9c 2d", "As Kd 8h 7c 4d", "raise", 30_000, 180_000, *HIGH_STAKES),
    "SP-14b": ("9s 9h 9d 2c 2d", "As Kd 8h 7c 4d", "raise", 30_000, 180_000, *HIGH_STAKES),
    "SP-15": ("Ad Kd Qd Jd Td", "As Ks Qs Js Ts", "raise", 300, 0),
    "SP-16": ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "raise", 300, 20_400),
    "SP-16b, edition": ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "raise", 300, 10_400, ANTE, {"edition": "69/2003"}),
    "SP-16b, odds": ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "raise", 300, 10_400, ANTE, {"royal_flush_odds": 50}),
    "SP-16c": ("5s 4s 3s 2s As", "5h 4h 3h 2h Ah", "raise", 300, 10_400),
    "SP-17": ("9s 9h 9d 9c 2d", "Qs Jd Th 8c 4d", "raise", 300, 400),
    "SP-18": ("2s 2d 9c Jh Kd", "Ac Kh 4d 3s 2c", "raise", 300, 600),
    "SP-18b": ("Ac Kh 4d 3s 2c", "As Qd Jh Tc 9s", "raise", 300, 400),
    "SP-19": ("Ac Jc 9c 4c 3c", "Th Td Tc 2c 2d", "raise", 325, 1_250),
    "SP-19b": ("Ac Jc 9c 4c 3c", "Qd Jd 9h 7s 6h", "raise", 325, 1_650),
    "SP-19c": ("Ac Jc 9c 4c 3c", "Qd Jd 9h 7s 6h", "fold", 125, 0),
}


@pytest.mark.parametrize("method", ["shuffler", "manual_shoe"])
@pytest.mark.parametrize("number", MAIN)
def test_the_worked_examples_of_one_box(number: str, method: str) -> None:
    mine, dealer, decision, staked, returned, *rest = MAIN[number]
    ante, given = rest or (ANTE, {})
    bets = [ante, "P jackpot 25 box 3"] if staked % 100 else [ante]
    round_ = played(f"{mine} / {dealer}", *bets, f"P {decision}", shuffle_method=method, **given)
    assert sum(laid(round_).values()) == staked * 100
    assert sum(back(round_).values()) == returned * 100


SF_D, SF_C = "9d 8d 7d 6d 5d", "9c 8c 7c 6c 5c"
ROYAL, ROYAL_H = "As Ks Qs Js Ts", "Ah Kh Qh Jh Th"
FLUSH, FLUSH_H = "Ac Jc 9c 8c 3c", "Kh 8h 5h 4h 3h"
FOUR, FULL = "4s 4h 4d 4c 2d", "3s 3h 3d 2s 2h"
DEALER = "Qd Jd 9h 7s 6h"  # does not qualify: the jackpot does not care (R7)

# number: opening, box -> hand, prizes in the order in which they are paid, the pool that is left, boxes without a
# jackpot stake, options; in credits
JACKPOT: dict[str, tuple[Any, ...]] = {
    "SP-20": (1_000_000, {2: SF_D, 5: SF_C}, [(2, 100_000), (5, 100_000)], 800_000),
    "SP-21": (1_000_000, {1: ROYAL, 5: SF_D}, [(5, 100_000), (1, 900_000)], 500_000),
    "SP-22": (1_000_000.01, {3: ROYAL, 6: ROYAL_H}, [(3, 500_000.01), (6, 500_000)], 500_000),
    "SP-23": (300_000, {4: ROYAL}, [(4, 500_000)], 500_000),
    "SP-23b": (300_000, {4: SF_D}, [(4, 50_000)], 250_000),
    "SP-24": (1_000_000, {1: FLUSH, 3: FOUR, 7: FULL}, [(1, 1_250), (3, 12_500), (7, 2_500)], 983_750),
    "SP-24, the house bears them": (
        *(1_000_000, {1: FLUSH, 3: FOUR, 7: FULL}, [(1, 1_250), (3, 12_500), (7, 2_500)], 1_000_000),
        *((), {"fixed_prizes_reduce_pool": False}),
    ),
    "SP-25": (1_000_000, {1: FLUSH, 2: ROYAL, 6: FLUSH_H}, [(1, 1_250), (2, 1_000_000), (6, 1_250)], 500_000),
    "SP-26": (1_000_000, {1: SF_D, 2: ROYAL}, [(2, 1_000_000)], 500_000, (1,), {}),
}


@pytest.mark.parametrize("number", JACKPOT)
def test_the_worked_examples_of_the_jackpot(number: str) -> None:
    opening, hands, prizes, closing, *rest = JACKPOT[number]
    without, given = rest or ((), {})
    antes = [f"p{at} ante 100 box {at}" for at in hands]
    staked = [at for at in hands if at not in without]
    jackpots = [f"p{at} jackpot 25 box {at}" for at in staked]
    raises = [f"p{at} raise" for at in hands]
    pool = round(opening * 100) - 17_50 * len(staked)
    shown = " / ".join([*hands.values(), DEALER])
    round_ = played(shown, *antes, *jackpots, *raises, pool=pool, **given)
    in_order = [(paid.by, paid.returned) for paid in round_.payouts() if paid.spot == "jackpot" and paid.returned]
    assert in_order == [(f"p{at}", round(amount * 100)) for at, amount in prizes]
    told = round_.result()["jackpot"]
    assert (told["opening"], told["closing"]) == (round(opening * 100), closing * 100)
    assert told["prizes"] == dict(in_order)


@article("61/2004", "11(1)")
def test_sp_27_two_exposed_cards_give_the_ante_back_and_carry_the_jackpot_stake() -> None:
    round_ = played("3s! 3d 9c Jh!", "P ante 100 box 3", "P jackpot 25 box 3")
    assert round_.is_void and back(round_) == {"P ante": 100_00, "P jackpot": 0}
    (carried,) = round_.carried()
    assert (carried.bet, carried.amount, carried.carried) == ("P jackpot", 25_00, True)
    following = played(f"{FLUSH} / {LOW}", ANTE, "P jackpot 25 box 3 carried", "P raise")
    assert laid(following) == {"P ante": 300_00, "P jackpot": 0}
    told = following.result()["jackpot"]
    assert told == {"opening": MILLION, "closing": MILLION - 1_250_00, "prizes": {"P": 1_250_00}}


@article("61/2004", "11(2)")
@pytest.mark.parametrize("method", ["shuffler", "manual_shoe"])
def test_sp_28_the_dealers_third_card_is_exposed_and_stays_his_open_card(method: str) -> None:
    round_ = playing("3s 3d 9c Jh Kd / Qs Jd 9h! 7c 4d", ANTE, shuffle_method=method)
    assert faces(view_for(round_, None).dealer.cards) == "-- -- 9h -- --"
    assert round_.phase == "look_and_decide"


@article("61/2004", "11(3)")
def test_sp_29_box_4_receives_cards_without_a_stake_and_the_others_keep_theirs() -> None:
    dealing = Dealing("3s 3d 9c Jh Kd", ANTE)
    dealing.dealt()
    dealing.cards = pile("2h 3h 4h 5h 6h / Qs Jd 9h 7c 4d", dealing.round.options)
    round_ = dealing.go(Misdeal(box=4))
    assert round_.phase == "look_and_decide"
    assert faces(box(round_, 4).dead) == "-- -- -- -- --"
    assert faces(hand(round_, 3)) == "3s 3d 9c Jh Kd"
    assert faces(hand(round_, 0)) == "Qs Jd 9h 7c 4d"


@article("61/2004", "6(1)")
def test_sp_30_a_bettor_cannot_ante_a_second_box() -> None:
    assert refused(opened("P ante 100 box 2"), "P ante 100 box 5") == "6(1)"


@article("61/2004", "6(6)")
@pytest.mark.parametrize("amount", [150, 250])
def test_sp_31_the_raise_is_exactly_twice_the_ante(amount: int) -> None:
    assert refused(playing(f"{FLUSH} / {LOW}", ANTE), f"P raise {amount}") == "6(6)"


@article("61/2004", "6(3)")
@article("61/2004", "10(1)")
def test_sp_32_the_jackpot_stake_comes_before_the_first_card_and_needs_an_ante() -> None:
    assert refused(opened(seats={"P": 3}), "P jackpot 25 box 3") == "10(1)"
    assert refused(playing("3s", ANTE), "P jackpot 25 box 3") == "6(3)"
