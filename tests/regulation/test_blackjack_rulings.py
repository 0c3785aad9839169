"""What 56/2004 leaves silent or unclear, ruling by ruling, and the operating parameters of the house."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.blackjack import Phase
from tables.games.blackjack import bank as bank_rule
from tables.games.blackjack.bets import SEVENS, SPOTS
from tables.games.blackjack.phases import (
    Claim,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Pass,
    Proceed,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import (
    HOUSE,
    CloseBets,
    Cut,
    Decline,
    Leave,
    Lower,
    Ready,
    Sit,
    Step,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.errors import OptionError
from tables.games.contract.round import Pace
from tables.games.contract.view import End
from tables.games.shared.options import options_of
from tests.kit import article, bet, cards, refusal, view_for

from .blackjack_kit import BLACKJACK, Dealing, back, laid, may, opened, options, pack_of, played, playing, why

P = "P main 100 box 1"
Q = "Q main 100 box 2"
S, U = "S main 100 box 1", "U main 50 box 1"
HITS = ("P hit 1", "P hit 1", "P hit 1")
METAL_BOX: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}


# ── Results and the bank ────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R1")
def test_r1_a_plain_win_pays_1_to_1() -> None:
    assert back(played("Tc 7d 8h Tc", P)) == {"P main": 200_00}


@article("56/2004", "R2")
def test_r2_if_the_bank_is_over_21_every_hand_that_is_not_wins() -> None:
    round_ = played("2c 3c 6d 3h 2h Tc 9d", P, Q)
    assert back(round_) == {"P main": 200_00, "Q main": 200_00}
    assert why(round_, "P main") == ["R2"]


@article("56/2004", "R3")
def test_r3_a_shoe_with_one_deck_is_shuffled_after_every_round() -> None:
    rules = pack_of(decks=1)
    assert (rules.every_round, rules.machine, rules.white_depth) == (True, False, None)
    round_ = played("As 9d Kh", P, decks=1, round_burn="each_following_round")
    assert round_.ends_shoe and round_.burnt == ()


@article("56/2004", "R4")
def test_r4_the_bank_stands_on_a_soft_17() -> None:
    assert not bank_rule.must_draw(cards("As 6h"))
    assert not bank_rule.must_draw(cards("As 2h 4d"))
    assert bank_rule.must_draw(cards("As 5h"))
    assert bank_rule.must_draw(cards("As 6h 9d"))
    assert back(played("Tc 6d 8h As", P)) == {"P main": 200_00}


@article("56/2004", "R5")
def test_r5_surrender_for_all_at_once_before_the_first_drawn_card_or_as_the_own_first_decision() -> None:
    window = playing("Tc 9c 9d 6h 5h", P, Q)
    assert window.phase is Phase.EARLY_WINDOW
    assert "surrender" in may(window, "P") and "surrender" in may(window, "Q")
    own = playing("Tc 9c 9d 6h 5h", P, Q, surrender_timing="own_first_decision")
    assert own.phase is Phase.PLAYER_TURNS
    assert "surrender" in may(own, "P")
    assert refusal(own, Surrender("Q", 2)) == "6(3)"
    later = playing("Tc 9c 9d 2h 5h 2s", P, Q, "P hit 1", surrender_timing="own_first_decision")
    assert refusal(later, Surrender("P", 1)) == "18(2)"
    second = later.apply(Stand("P", 1))
    assert "surrender" in may(second, "Q"), "though a card was drawn in the round"


@article("56/2004", "R6")
def test_r6_a_surrender_is_final_also_against_a_later_blackjack_of_the_bank() -> None:
    round_ = played("Tc 9c Td 6h 9h As", "P main 25 box 1", Q, "P surrender 1", "Q stand 2")
    assert round_.result()["bank_blackjack"]
    assert back(round_) == {"P main": 12_50, "Q main": 0}


@article("56/2004", "R7")
def test_r7_the_first_split_hand_is_finished_before_the_next_gets_its_card() -> None:
    round_ = playing("8s 9d 8h 2c 3c", P, "P split 1", "P hit 1.0")
    assert [[str(card) for card in hand.cards] for hand in round_.boxes[0].hands] == [["8s", "2c", "3c"], ["8h"]]
    assert refusal(round_, Hit("P", 1, 1)) == "6(3)"


@article("56/2004", "R8")
def test_r8_two_tens_of_different_rank_are_split_only_under_same_value() -> None:
    for two in ("Tc Jh", "Qc Kh"):
        one, other = two.split()
        assert refusal(playing(f"{one} 6d {other}", P), Split("P", 1)) == "16(1)"
        assert "split" in may(playing(f"{one} 6d {other}", P, split_rank_rule="same_value"), "P")
    assert refusal(playing("9c 6d Th", P, split_rank_rule="same_value"), Split("P", 1)) == "16(1)"


@article("56/2004", "R9")
def test_r9_the_bank_takes_only_the_cards_that_open_stakes_need() -> None:
    nothing_open = played("Tc 9d 6h Ts", P, "P hit 1")
    assert nothing_open.result()["bank"] == ["9d"]
    only_insurance = played("Tc Ad 6h Ts 2c", P, "P insurance 1 50", "P hit 1")
    assert only_insurance.result()["bank"] == ["Ad", "2c"]
    blackjack_open = played("As Td Kh 5c 6s", P)
    assert blackjack_open.result()["bank"] == ["Td", "5c", "6s"]


# ── Claims and prizes ───────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R10")
def test_r10_a_claim_ends_the_hand_for_its_bettor_with_half_of_the_stake_on_it() -> None:
    round_ = playing("2c Td 3h 4s 5c 2d", P, *HITS, "P claim 1")
    assert round_.over and round_.result()["bank"] == ["Td"]
    assert back(round_) == {"P main": 150_00}
    split = playing("2c 9d 2h 3c 3d 4c 4d", P, "P split 1", "P hit 1.0", "P hit 1.0", "P hit 1.0", "P claim 1.0")
    assert back(split) == {"P main": 150_00}
    six = playing("2c Td 3h 4s 5c 2d 2s", P, *HITS, "P hit 1")
    assert refusal(six, Claim("P", 1)) == "19(1)"


@article("56/2004", "R11")
def test_r11_the_special_prize_ends_the_hand_or_as_a_bonus_lets_its_21_play_on() -> None:
    shoe, lines = "6s Td 8s 7s", (P, "P hit 1")
    assert back(played(shoe, *lines)) == {"P main": 400_00}
    for bank, returns in (("As", 0), ("9c", 200_00), ("5c 6d", 100_00)):
        assert back(played(f"{shoe} {bank}", *lines, special_prize_mode="bonus")) == {"P main": 300_00 + returns}
    assert back(played(f"{shoe} 9c", *lines, special_prize_offered=False)) == {"P main": 200_00}


@article("56/2004", "R12")
def test_r12_it_counts_on_split_and_doubled_hands_in_exactly_three_cards() -> None:
    assert back(played("6s 9d 8s 7s", P, "P double 1")) == {"P main": 800_00}
    split = playing("6s 9d 6h 7s 8s", P, "P split 1", "P hit 1.0")
    assert back(split) == {"P main": 400_00}
    four = played("2s 9d 4s 7s 8s Td", P, "P hit 1", "P hit 1")
    assert back(four) == {"P main": 200_00}
    sevens = played("7s 9d 7h 7d Kc Ts Qh", P, "P split 1", "P hit 1.0", "P stand 1.1")
    assert back(sevens) == {"P main": 0}, "7-7 split and a 7 are no three sevens of one hand"


# ── Side bets ───────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R13")
@pytest.mark.parametrize(("two", "over", "under"), [("As Kh", 0, 1), ("As 2h", 0, 1), ("Ts 3h", 0, 0), ("Ts 4h", 1, 0)])
def test_r13_an_ace_is_1_and_exactly_13_loses(two: str, over: int, under: int) -> None:
    one, other = two.split()
    for spot, pays in (("over_13", over), ("under_13", under)):
        assert back(playing(f"{one} Td {other}", P, f"P {spot} 10 box 1", "…"))[f"P {spot}"] == 20_00 * pays


@article("56/2004", "R14")
def test_r14_any_pair_is_lost_only_with_the_first_two_and_pays_for_each_pair_after_a_split() -> None:
    lines = (P, "P any_pair 10 box 1", "P split 1")
    unsplittable = playing("As 9d Ah Ac Ad", *lines)
    assert back(unsplittable)["P any_pair"] == 340_00, "also where it cannot be split again"
    assert back(playing("8s 9d 8h 9c", *lines))["P any_pair"] == 120_00
    tens = playing("Ts 9d Jh Tc", *lines, split_rank_rule="same_value")
    assert back(tens)["P any_pair"] == 0, "it was lost with the first two"


@article("56/2004", "R15")
def test_r15_a_side_bet_needs_a_main_stake_of_its_bettor_and_one_on_its_box() -> None:
    round_ = opened(P, "P sevens 10 box 2 as empty", "Q sevens 10 box 1 as alone", "P any_pair 10 box 1 as good")
    round_ = round_.apply(CloseBets())
    assert {(one.bet, one.why.article) for one in round_.refusals} == {("empty", "R15"), ("alone", "R15")}
    assert round_.in_escrow() == {"P main": 100_00, "good": 10_00}
    both = opened(P, "P over_13 10 box 1", one_side_bet_only=False)
    assert refusal(both, "P under_13 10 box 1") == "13"


@article("56/2004", "R23")
def test_r23_sevens_count_the_third_card_of_the_box_drawn_doubled_or_split() -> None:
    bets = (P, "P sevens 10 box 1")
    for decision in ("hit", "double", "split"):
        assert back(playing("7s 9d 7h 7d", *bets, f"P {decision} 1"))["P sevens"] == 5010_00
    assert back(played("7s 9d 7h Tc", *bets, "P stand 1"))["P sevens"] == 510_00
    assert back(played("7s 9d 7h", *bets, "P surrender 1"))["P sevens"] == 510_00
    later = playing("7s 9d 7h 2c 7d", *bets, "P split 1", "P hit 1.0")
    assert back(later)["P sevens"] == 510_00


@article("56/2004", "R24")
def test_r24_three_sevens_are_of_different_suits_unless_all_are_of_one() -> None:
    assert (SEVENS[3, False].win, SEVENS[3, True].win) == (500, 5000)
    assert back(playing("7s 9d 7s 7h", P, "P sevens 10 box 1", "P hit 1"))["P sevens"] == 5010_00


@article("56/2004", "R35")
def test_r35_the_house_chooses_what_it_offers_never_the_odds() -> None:
    assert [[(odds.win, odds.stake) for odds in spot.odds] for spot in SPOTS.values()] == [
        [(1, 1), (3, 2)],
        [(11, 1)],
        [(50, 1), (150, 1), (500, 1), (5000, 1)],
        [(1, 1)],
        [(1, 1)],
    ]
    about = options_of(BLACKJACK.options)
    assert [name for name, one in about.items() if one.article.startswith(("14", "15"))] == [
        "special_prize_offered",
        "special_prize_mode",
    ]
    for sold in ("any_pair", "sevens", "over_under_13"):
        table = opened(P, side_bets_offered=[sold])
        for spot, kind in (("any_pair", "any_pair"), ("sevens", "sevens"), ("over_13", "over_under_13")):
            if kind == sold:
                assert opened(P, f"P {spot} 10 box 1", side_bets_offered=[sold])
            else:
                assert refusal(table, f"P {spot} 10 box 1") == SPOTS[spot].article


# ── Shared boxes ────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R16")
@pytest.mark.parametrize("rule", ["seated_decides", "seated_or_nearest", "highest_stake_decides"])
def test_r16_where_nobody_is_seated_and_among_equals_the_earliest_stake_decides(rule: str) -> None:
    bets = ("A main 50 box 1", "B main 100 box 1", "C main 100 box 1")
    expected = "B" if rule == "highest_stake_decides" else "A"
    round_ = playing("9c 9d 8h", *bets, shared_box_rule=rule, seats={"A": 2})
    assert view_for(round_, None).boxes[0].decider == expected
    seated = playing("9c 9d 8h", *bets, shared_box_rule="highest_stake_decides", seats={"C": 1})
    assert view_for(seated, None).boxes[0].decider == "C", "the seated one, if he is among the highest"
    lower = playing("9c 9d 8h", *bets, shared_box_rule="highest_stake_decides", seats={"A": 1})
    assert view_for(lower, None).boxes[0].decider == "B"


@article("56/2004", "R17")
def test_r17_a_double_may_be_matched_with_exactly_the_own_stake_or_ridden_on() -> None:
    round_ = playing("6c 9d 5h", S, U, "V main 20 box 1", "S double 1", seats={"S": 1})
    assert round_.next_house_step() is None
    assert may(round_, "U") == may(round_, "V") == {"match", "pass"}
    assert refusal(round_, Match("S", 1)) == "R17"
    assert refusal(round_, Hit("S", 1)) == "6(3)"
    round_ = round_.apply(Match("U", 1)).apply(Pass("V", 1))
    assert round_.in_escrow() == {"S main": 200_00, "U main": 100_00, "V main": 20_00}


@article("56/2004", "R17")
def test_r17_who_does_not_match_a_split_stays_on_the_first_hand() -> None:
    round_ = playing("8c 7d 8h", S, U, "S split 1", "U pass 1", seats={"S": 1})
    assert [dict(hand.stakes).keys() for hand in round_.boxes[0].hands] == [{"S", "U"}, {"S"}]
    matched = playing("8c 7d 8h", S, U, "S split 1", "U match 1", seats={"S": 1})
    assert [dict(hand.stakes).keys() for hand in matched.boxes[0].hands] == [{"S", "U"}, {"S", "U"}]
    assert matched.in_escrow() == {"S main": 200_00, "U main": 100_00}


@article("56/2004", "R17")
def test_r17_a_surrender_binds_all_and_money_taken_is_each_ones_own() -> None:
    round_ = played("Tc 9d 6h", S, U, "S surrender 1", seats={"S": 1})
    assert back(round_) == {"S main": 50_00, "U main": 25_00}
    assert refusal(playing("Tc 9d 6h", S, U, seats={"S": 1}), Surrender("U", 1)) == "20(1)"
    even = played("As Kd Qh 9c", S, U, "U even_money 1", seats={"S": 1})
    assert back(even) == {"S main": 250_00, "U main": 100_00}
    insured = played("Ts Ad Qh 9c", S, U, "U insurance 1 25", seats={"S": 1})
    assert (laid(insured), back(insured)) == ({"S main": 100_00, "U main": 75_00}, {"S main": 100_00, "U main": 50_00})


@article("56/2004", "R17")
def test_r17_who_has_taken_even_money_keeps_it_when_the_next_in_order_gives_the_box_up() -> None:
    round_ = played("As Kd Qh", S, U, "S even_money 1", "U surrender 1", seats={"S": 1})
    assert back(round_) == {"S main": 200_00, "U main": 25_00}
    stakes = view_for(round_, None).boxes[0].hands[0].stakes
    assert {stake.by: stake.end for stake in stakes} == {"S": End.WON, "U": End.HALF}


@article("56/2004", "R17")
def test_r17_a_claim_is_each_ones_own_and_when_the_decider_has_claimed_the_next_decides() -> None:
    hits = ("S hit 1", "S hit 1", "S hit 1")
    round_ = playing("2c Td 3h 4s 5c 2d", S, U, *hits, seats={"S": 1})
    assert may(round_, "U") == {"claim_five_cards", "pass"}
    claimed = playing("2c Td 3h 4s 5c 2d", S, U, *hits, "U claim 1", seats={"S": 1})
    assert may(claimed, "S") == {"hit", "stand", "claim_five_cards"}
    assert back(claimed) == {"U main": 75_00}
    other = playing("2c Td 3h 4s 5c 2d", S, U, *hits, "U pass 1", "S claim 1", seats={"S": 1})
    assert may(other, "U") == {"hit", "stand", "claim_five_cards"}
    assert back(other) == {"S main": 150_00}


@article("56/2004", "R17")
def test_r17_who_has_asked_to_follow_is_matched_by_the_house() -> None:
    lines = (S, U, Follow("U", doubles=True), "S double 1")
    round_ = played("6c 9d 5h 9s Tc", *lines, seats={"S": 1})
    assert laid(round_) == {"S main": 200_00, "U main": 100_00}
    assert back(round_) == {"S main": 400_00, "U main": 200_00}


@article("56/2004", "R17")
def test_r17_only_who_takes_part_asks_to_follow_and_only_until_all_is_decided() -> None:
    preset = Follow("U", doubles=True, claims=True)
    assert opened(S, U).apply(preset).follows == {"U": preset}
    assert opened(S, seats={"U": 2}).apply(preset)
    for round_ in (opened(S), playing("9c 9d 8h", S, S.replace("S", "U"), "S stand 1"), opened(ceremony=True)):
        refusal(round_, preset)


@article("56/2004", "R17")
def test_r17_each_preset_is_offered_to_be_turned_over() -> None:
    round_ = opened(S)
    offered = [action for action in round_.offers("S").actions if isinstance(action, Follow)]
    assert offered == [Follow("S", doubles=True), Follow("S", splits=True), Follow("S", claims=True)]
    on = round_.apply(Follow("S", doubles=True, splits=True, claims=True))
    assert [action for action in on.offers("S").actions if isinstance(action, Follow)] == [
        Follow("S", splits=True, claims=True),
        Follow("S", doubles=True, claims=True),
        Follow("S", doubles=True, splits=True),
    ]


@article("56/2004", "R32")
def test_r32_on_a_box_that_is_not_his_seat_a_bettor_stands() -> None:
    round_ = playing("9c 9d 8h", "A main 50 box 1", "B main 50 box 1", seats={"B": 2})
    box = view_for(round_, None).boxes[0]
    assert (box.decider, box.holder) == ("A", None)


@article("56/2004", "R33")
def test_r33_whether_only_standing_bettors_have_staked_is_seen_box_by_box() -> None:
    boxes = view_for(playing("9c 9s 9d 8h 7h", "A main 50 box 1", "B main 50 box 2", seats={"B": 2}), None).boxes
    assert [box.holder for box in boxes[:2]] == [None, "B"]


# ── Void, and the bank's blackjack ──────────────────────────────────────────────────────────────────────────


@article("56/2004", "R18")
def test_r18_a_void_returns_every_stake_and_reverses_prizes() -> None:
    round_ = playing("6s 9c Ad 8s 9h 7s", P, Q, "P insurance 1 50", "Q ready", "P hit 1")
    assert back(round_) == {"P main": 400_00}
    void = round_.apply(Void(remark="the machine failed"))
    assert (round_.is_void, round_.over, void.is_void, void.over) == (False, False, True, True)
    assert void.in_escrow() == {}
    assert back(void) == laid(void) == {"P main": 150_00, "Q main": 100_00}
    assert void.payouts()[: len(round_.payouts())] == round_.payouts()
    assert min(paid.returned for paid in void.payouts()) == -250_00


@article("56/2004", "R19")
@pytest.mark.parametrize(
    ("splits", "doubles", "returned"),
    [("all", "all", 0), ("all", "original_only", 100), ("original_only", "all", 100), ("original_only",) * 2 + (200,)],
)
def test_r19_all_split_stakes_lose_or_only_the_original_one(splits: str, doubles: str, returned: int) -> None:
    round_ = played(
        "8s Kd 8h 3c Tc Ts Ac",
        *(P, "P split 1", "P double 1.0", "P stand 1.1"),
        split_loss_on_bank_blackjack=splits,
        double_loss_on_bank_blackjack=doubles,
    )
    assert back(round_) == {"P main": returned * 100}


@article("56/2004", "R19")
@pytest.mark.parametrize(("doubles", "returned"), [("all", 100), ("original_only", 200)])
def test_r19_a_doubled_split_hand_is_spared_with_its_double_or_without(doubles: str, returned: int) -> None:
    round_ = played(
        "8s Kd 8h Tc 3c Ts Ac",
        *(P, "P split 1", "P stand 1.0", "P double 1.1"),
        split_loss_on_bank_blackjack="original_only",
        double_loss_on_bank_blackjack=doubles,
    )
    assert back(round_) == {"P main": returned * 100}
    assert why(round_, "P main") == ["12(2)", "R19"]


@article("56/2004", "R19")
def test_r19_the_original_is_the_leftmost_hand_that_is_not_over_21() -> None:
    round_ = played(
        "8s Kd 8h Tc Th 9c Ac",
        *(P, "P split 1", "P hit 1.0", "P stand 1.1"),
        split_loss_on_bank_blackjack="original_only",
    )
    assert back(round_) == {"P main": 0}


@article("56/2004", "R20")
def test_r20_a_doubled_hand_over_21_is_not_revived() -> None:
    round_ = played("8c 9c Kd 4h 9h Ts Ac", P, Q, "P ready", "Q ready", "P double 1", "Q stand 2")
    assert back(round_) == {"P main": 0, "Q main": 0}
    assert why(round_, "P main") == ["7(2)"]


@article("56/2004", "R21")
def test_r21_the_bettor_chooses_his_insurance_within_the_bounds() -> None:
    for fraction, most in (("1/2", 12_50), ("3/4", 18_75), ("2/3", 16_66), ("1", 25_00)):
        round_ = playing("Kc Ad 8h", "P main 25 box 1", insurance_max_fraction=fraction)
        assert round_.apply(Insurance("P", 1, 12_50)).apply(Stand("P", 1))
        assert round_.apply(Insurance("P", 1, most)).in_escrow() == {"P main": 25_00 + most}
        assert refusal(round_, Insurance("P", 1, 12_49)) == refusal(round_, Insurance("P", 1, most + 1)) == "R21"
    for wrong in ("1/3", "5/4", "0"):
        with pytest.raises(OptionError):
            options(insurance_max_fraction=wrong)


@article("56/2004", "R22")
def test_r22_insurance_outlives_its_box_and_excludes_even_money() -> None:
    settled = played("6s Ad 8s 7s Kc", P, "P insurance 1 50", "P hit 1")
    assert back(settled) == {"P main": 550_00}
    assert refusal(playing("As 9c Ad Kh 8h", P, Q, "P insurance 1 50"), EvenMoney("P", 1)) == "R22"
    assert refusal(playing("As 9c Ad Kh 8h", P, Q, "P even_money 1"), Insurance("P", 1, 50_00)) == "R22"


@article("56/2004", "R25")
def test_r25_from_the_metal_box_the_second_card_is_dealt_before_the_turns_and_turned_after_them() -> None:
    dealing = Dealing("6c Kd 5h Ac 9s", P, **METAL_BOX)
    dealing.dealt()
    assert len(dealing.round.bank) == 2 and view_for(dealing.round, "P").bank.cards[1].face is None
    assert view_for(dealing.go("P double 1"), "P").bank.blackjack
    nothing_open = played("Tc 9d 6h 8c Ts", P, "P hit 1", **METAL_BOX)
    assert nothing_open.result()["bank"] == ["9d", "8c"]
    assert view_for(nothing_open, None).bank.cards[1].face is not None, "the result tells what all have seen"


@article("56/2004", "R26")
def test_r26_face_down_cards_have_no_total_for_others_until_they_lie_open() -> None:
    dealing = Dealing("9c 9s 9d 8h 7h Tc", P, Q, "P ready", "Q ready", deal_procedure=1)
    totals = [view_for(dealing.round, who).boxes[0].hands[0].total for who in ("P", "Q", None)]
    assert totals == [17, None, None]
    dealing.go("P stand 1", "Q stand 2")
    assert view_for(dealing.finish(), None).boxes[0].hands[0].total == 17


# ── Split and double ────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R27")
def test_r27_aces_are_split_again_only_by_option() -> None:
    lines = (P, "P split 1")
    assert refusal(playing("As 9d Ah Ac", *lines), Split("P", 1)) == "6(3)"
    assert "split" in may(playing("As 9d Ah Ac", *lines, resplit_aces=True), "P")


@article("56/2004", "R28")
def test_r28_a_pair_with_which_something_else_was_done_cannot_be_split() -> None:
    assert refusal(playing("2s 9d 2h 2c", P, "P hit 1"), Split("P", 1)) == "16(1)"
    stood = playing("8s 9s 9d 8h 8c", P, Q, "P ready", "Q ready", "P stand 1")
    assert refusal(stood, Split("P", 1)) == "6(3)"


@article("56/2004", "R29")
def test_r29_with_eleven_only_there_is_no_doubling_after_a_split() -> None:
    lines = (P, "P split 1")
    assert refusal(playing("8s 9d 8h 3c", *lines, double_rule="eleven_only"), Double("P", 1)) == "R29"
    assert "double" in may(playing("8s 9d 8h 3c", *lines), "P")


@article("56/2004", "R30")
def test_r30_a_double_is_exactly_the_stake() -> None:
    round_ = playing("6c 9d 5h 9s", "P main 35 box 1", "P double 1")
    assert round_.in_escrow() == {"P main": 70_00}


@article("56/2004", "R31")
def test_r31_nobody_draws_to_a_soft_21() -> None:
    round_ = playing("Ac 9d 4h 6c", P, "P hit 1")
    assert (round_.boxes[0].hands[0].total, round_.phase) == (21, Phase.BANK_SECOND)
    five = playing("Ac 9d 2h 2c 3c 3d", P, *HITS)
    assert refusal(five, Hit("P", 1)) == "6(4)(1)"


@article("56/2004", "R34")
def test_r34_all_of_article_6_holds_whatever_the_options() -> None:
    for about in ({}, {"deal_procedure": 1}, {"dealing_device": "auto_shuffler"}, METAL_BOX):
        shoe = "Tc 9s 6d 2h 7h 2c 9c" if about is METAL_BOX else "Tc 9s 6d 2h 7h 9c"
        round_ = playing(shoe, P, Q, "P ready", "Q ready", "P hit 1", **about)
        assert refusal(round_, Hit("P", 1)) == "6(3)", "21 takes no card, and box 2 is next"


# ── Operating parameters ────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "credits")
def test_stakes_are_whole_credits_and_every_payout_is_exact_to_half_a_credit() -> None:
    for amount in ("0", "-1", "0.5", "10.01"):
        assert refusal(opened(), f"P main {amount} box 1") == "credits"
    for stake in (1, 3, 25):
        assert back(played("As 9d Kh", f"P main {stake} box 1")) == {"P main": stake * 250}
        assert back(played("Tc 9d 6h", f"P main {stake} box 1", "P surrender 1")) == {"P main": stake * 50}


@article("56/2004", "minimum")
def test_a_fresh_stake_is_not_under_the_minimum_of_its_spot() -> None:
    limits = {"min_bet": {"main": 10_00, "sevens": 2_00}}
    round_ = opened("P main 10 box 1", **limits)
    assert refusal(round_, "Q main 9 box 2") == refusal(round_, "P sevens 1 box 1") == "minimum"
    assert refusal(round_, Lower("P", bet="P main", amount=1_00)) == "minimum"
    assert round_.apply(Withdraw("P", bet="P main")).in_escrow() == {}


@article("56/2004", "maximum")
def test_a_stake_is_not_over_the_maximum_with_what_is_added_to_it() -> None:
    round_ = opened("P main 80 box 1", max_bet=100_00)
    assert refusal(round_, "P main 30 box 1 as more") == "maximum"
    assert opened("P main 80 box 1", "P main 20 box 1 as more", max_bet=100_00).in_escrow() == {"P main": 100_00}
    assert opened("P main 80 box 1", "P main 100 box 2 as other", max_bet=100_00), "each box by itself"


@article("56/2004", "closed")
def test_nothing_is_staked_or_withdrawn_outside_betting() -> None:
    round_ = playing("9c 9d 8h", P)
    assert refusal(round_, "Q main 100 box 2") == refusal(round_, Withdraw("P", bet="P main")) == "closed"
    assert refusal(played("As 9d Kh", P), Hit("P", 1)) == "closed"


@article("56/2004", "closed")
def test_betting_closes_early_when_everybody_is_ready() -> None:
    round_ = opened(P, seats={"Q": 2})
    assert "ready" in may(round_, "P") and "ready" in may(round_, "Q") and may(round_, "R") == set()
    round_ = round_.apply(Ready("P"))
    assert "ready" not in may(round_, "P") and not round_.closes_early
    assert refusal(round_, Ready("R")) == "seat"
    assert round_.apply(Ready("Q")).closes_early
    assert not round_.apply(Ready("Q")).apply(bet("P main 10 box 1 as more")).closes_early, (
        "who changes his mind is not ready"
    )


@article("56/2004", "seat")
def test_a_seat_has_one_bettor_and_only_the_seated_cut() -> None:
    round_ = opened(seats={"ana": 2}, ceremony=True)
    assert refusal(round_, Sit("rui", seat=2)) == "seat"
    assert refusal(round_, Cut("rui", position=9)) == "2(1)(1)"
    assert round_.apply(Sit("rui", seat=3)).seats == {"ana": 2, "rui": 3}


@article("56/2004", "box")
def test_a_box_is_one_that_the_layout_has() -> None:
    assert refusal(opened(), "P main 100 box 8") == "3(1)"
    assert refusal(opened(boxes=8), "P main 100 box 9") == "3(1)"


@article("56/2004", "time")
def test_whoever_lets_his_time_pass_stands_and_asks_for_nothing_extra() -> None:
    round_ = playing("9c 9d 8h", P)
    assert round_.on_timeout() == Step(Proceed())
    round_ = round_.apply(Proceed())
    assert round_.on_timeout() == Step(Stand(HOUSE, 1, 0))
    stood = round_.apply(Stand(HOUSE, 1, 0))
    assert view_for(stood, None).boxes[0].hands[0].automatic
    offer = playing("6c 9d 5h", S, U, "S double 1", seats={"S": 1})
    assert offer.on_timeout() == Step(Proceed())
    assert offer.apply(Proceed()).in_escrow() == {"S main": 200_00, "U main": 50_00}


@article("56/2004", "time")
def test_the_automatic_decision_of_somebody_absent_is_named_only_for_whom_it_is_waited() -> None:
    window = playing("6c 9s 9d 5h 8h", S, U, Q, seats={"S": 1})
    assert [window.default_for(who) for who in ("S", "U", "Q", "R")] == [Ready("S"), None, Ready("Q"), None]
    turn = window.apply(Proceed())
    assert [turn.default_for(who) for who in ("S", "U", "Q")] == [Stand(HOUSE, 1, 0), None, None]
    offer = turn.apply(Double("S", 1))
    assert [offer.default_for(who) for who in ("S", "U", "Q")] == [None, Pass("U", 1, 0), None]
    owed = offer.apply(Pass("U", 1))
    assert {owed.default_for(who) for who in ("S", "U", "Q")} == {None}
    assert opened(seats={"S": 1}, ceremony=True).default_for("S") == Decline("S")


@article("56/2004", "time")
def test_only_people_are_given_time_and_the_house_a_beat() -> None:
    betting, dealt = opened(P), playing("9c", P)
    window = playing("9c 9d 8h", P)
    turns, drawing = window.apply(Proceed()), playing("2c 9d 3h", P, "P hit 1")
    assert [round_.pace for round_ in (betting, dealt, window, turns, drawing)] == [
        Pace.BETTING,
        Pace.BEAT,
        Pace.DECISION,
        Pace.DECISION,
        Pace.BEAT,
    ]
    assert played("As 9d Kh", P).pace is Pace.RESULT
    assert opened(seats={"ana": 1}, ceremony=True).pace is Pace.CUT
    assert opened(ceremony=True).pace is Pace.BEAT


@article("56/2004", "time")
def test_each_decision_has_its_own_time_and_an_offer_runs_in_that_of_the_decision() -> None:
    first = playing("2c 9d 3h", P, "P ready")
    second = playing("2c 9d 3h 2d", P, "P hit 1")
    assert first.wait != second.wait
    box = Dealing("6c 9d 5h", S, U, "S ready", seats={"S": 1})
    before = box.round.wait
    assert box.go("S double 1").wait == before
    assert box.go("U match 1").wait != before, "now a card is owed"


@article("56/2004", "time")
def test_whoever_leaves_keeps_his_decisions_and_nobody_inherits_them() -> None:
    round_ = playing("9c 9d 8h", S, U, "S ready", seats={"S": 1}).apply(Leave("S"))
    assert refusal(round_, Hit("U", 1)) == "20(1)"
    assert may(round_, "U") == set()
    assert round_.on_timeout() == Step(Stand(HOUSE, 1, 0))


@article("56/2004", "void")
def test_without_a_main_stake_nothing_is_dealt() -> None:
    round_ = playing("9c 9d 8h", "P sevens 10 box 1")
    assert round_.result() == {"void": True}
    assert [one.bet for one in round_.refusals] == ["P sevens"]
    assert round_.bank == ()


@article("56/2004", "pack")
def test_a_pack_that_has_run_out_within_a_round_leaves_only_a_void() -> None:
    round_ = playing("9c 9d 8h", P, decks=1).apply(Void(remark="the pack has run out"))
    assert back(round_) == {"P main": 100_00}
    assert round_.ends_shoe


@article("56/2004", "last")
def test_a_white_card_that_is_the_first_thing_out_makes_this_round_the_last() -> None:
    dealing = Dealing("", P)
    dealing.round = dealing.round.apply(CloseBets()).apply(WhiteCard())
    dealing.cards = list(cards("As 9d Kh"))
    round_ = dealing.finish()
    assert round_.ends_shoe
    assert back(round_) == {"P main": 250_00}
