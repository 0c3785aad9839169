"""Blackjack, External Regulatory Dispatch 56/2004, article by article."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tables.games.blackjack import Phase
from tables.games.blackjack import bank as bank_rule
from tables.games.blackjack.hands import best, points
from tables.games.blackjack.phases import (
    Claim,
    Double,
    EvenMoney,
    Hit,
    Insurance,
    Overdraw,
    Proceed,
    Split,
    Stand,
    Surrender,
    TurnHole,
)
from tables.games.contract.actions import HOUSE, Chance, Cut, Decline, Draw, DrawCard, Sit, Step, Void, WhiteCard
from tables.games.contract.errors import OptionError
from tables.games.contract.round import FIRST_READING
from tables.games.shared.options import options_of
from tables.games.values.cards import RANKS, card, pack
from tests.kit import article, cards, close, refusal, view_for

from .blackjack_kit import BLACKJACK, Dealing, back, laid, may, opened, options, pack_of, played, playing, why

P = "P main 100 box 1"
Q = "Q main 100 box 2"
METAL_BOX: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}
HITS = ("P hit 1", "P hit 1", "P hit 1")


def faces(round_: Any, who: str | None, box: int = 1, hand: int = 0) -> list[str | None]:
    """What somebody sees of a hand; None is the back of a card."""
    shown = next(one for one in view_for(round_, who).boxes if one.number == box).hands[hand]
    return [str(one.face) if one.face else None for one in shown.cards]


def bank_faces(round_: Any, who: str | None = None) -> list[str | None]:
    return [str(one.face) if one.face else None for one in view_for(round_, who).bank.cards]


# ── 1: the equipment ────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "1(1)")
def test_art_1_1_six_or_more_seats() -> None:
    assert options(boxes=6).seats == 6
    with pytest.raises(OptionError):
        options(boxes=5)
    assert refusal(opened(), Sit("P", seat=8)) == "1(1)"


@article("56/2004", "1(2)")
def test_art_1_2_one_or_more_decks_without_an_upper_limit() -> None:
    for decks in (1, 2, 6, 8, 20):
        assert options(decks=decks).decks == decks
        assert len(pack(decks)) == 52 * decks
    with pytest.raises(OptionError):
        options(decks=0)


@article("56/2004", "1(3)")
def test_art_1_3_only_a_shoe_of_several_decks_has_a_second_white_card() -> None:
    assert pack_of(decks=6).white_depth == 60
    assert pack_of(decks=1).white_depth is None
    assert pack_of(**METAL_BOX).white_depth is None
    with pytest.raises(OptionError):
        options(**{**METAL_BOX, "decks": 2})


# ── 2: shuffle and cut ──────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "2(1)(1)")
@article("56/2004", "cut")
def test_art_2_1_1_a_bettor_may_cut_and_if_nobody_will_the_bank_does() -> None:
    round_ = opened(seats={"rui": 5, "ana": 2}, ceremony=True)
    assert round_.phase is Phase.CUT and round_.next_house_step() is None
    assert refusal(round_, Cut("rui", position=100)) == "2(1)(1)"
    round_ = round_.apply(Decline("ana"))
    assert view_for(round_.apply(Cut("rui", position=100)), None).cut.by == "rui"
    for position in (0, 312):
        assert refusal(round_, Cut("rui", position=position)) == "2(1)(1)"
    round_ = round_.apply(Decline("rui"))
    assert round_.next_house_step() == Draw(Chance.CUT)
    assert view_for(round_.apply(Cut(HOUSE, position=100)), None).cut.by == HOUSE


@article("56/2004", "R36")
def test_r36_thirty_or_more_cards_lie_behind_the_second_white_card() -> None:
    for depth in (30, 31, 273):
        assert pack_of(cut_card_depth=depth).white_depth == depth
    for depth in (29, 0, 274, 312):
        with pytest.raises(OptionError):
            options(cut_card_depth=depth)


@article("56/2004", "2(1)(2)")
def test_art_2_1_2_the_machine_is_neither_cut_nor_has_it_a_white_card() -> None:
    round_ = opened(seats={"ana": 2}, ceremony=True, dealing_device="auto_shuffler")
    assert round_.phase is Phase.BURN
    assert view_for(round_, None).cut is None
    with pytest.raises(AssertionError):
        playing("9c", P, dealing_device="auto_shuffler").apply(WhiteCard())


@article("56/2004", "2(2)")
@article("56/2004", "2(2)(1)")
def test_art_2_2_1_the_second_white_card_announces_the_last_round_which_is_finished() -> None:
    dealing = Dealing("9c 9d", P)
    dealing.dealt()
    dealing.round = dealing.round.apply(WhiteCard())
    assert dealing.round.is_last and view_for(dealing.round, None).white_card
    dealing.cards = list(cards("8h Tc"))
    assert dealing.finish().ends_shoe
    assert dealing.round.result()["bank"] == ["9d", "Tc"]


@article("56/2004", "2(2)(3)")
def test_art_2_2_3_a_metal_box_serves_one_round() -> None:
    assert pack_of(**METAL_BOX).every_round
    assert played("As 9d Kh 2c", P, **METAL_BOX).ends_shoe


# ── 3: the boxes ────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "3(1)")
def test_art_3_1_as_many_boxes_as_the_layout_has() -> None:
    assert len(view_for(opened(boxes=9), None).boxes) == 9
    for box in (0, 8, -1):
        assert refusal(opened(), f"P main 100 box {box}") == "3(1)"
    assert opened("P main 100 box 7")


@article("56/2004", "3(2)")
def test_art_3_2_the_house_limits_how_many_boxes_a_bettor_plays() -> None:
    round_ = opened("P main 100 box 1", "P main 100 box 2 as two", max_boxes_per_player=2)
    assert refusal(round_, "P main 100 box 3 as three") == "3(2)"
    assert {offer.box for offer in round_.offers("P").bets if offer.spot == "main"} == {1, 2}


@article("56/2004", "3(3)")
def test_art_3_3_a_bettor_may_play_several_boxes_each_by_itself() -> None:
    round_ = played("Tc 5d 6h Ts 6d 9s Ac", P, "P main 200 box 2 as m2", "P stand 1", "P double 2")
    assert back(round_) == {"P main": 200_00, "m2": 800_00}


# ── 4: burning ──────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "4(1)")
@article("56/2004", "4(1)(1)")
def test_art_4_1_1_as_many_cards_as_decks_are_burnt_and_nobody_sees_them() -> None:
    dealing = Dealing("2c 3c 4c 5c 6c 7c 8c", Cut(HOUSE, position=1), ceremony=True, first_round=True)
    assert dealing.round.phase is Phase.BETTING
    assert [str(one) for one in dealing.cards] == ["8c"]
    assert view_for(dealing.round, "P").burnt == 6
    assert "2c" not in repr(view_for(dealing.round, "P"))


@article("56/2004", "4(1)(2)")
def test_art_4_1_2_or_the_first_card_only() -> None:
    dealing = Dealing("2c 3c", Cut(HOUSE, position=1), ceremony=True, first_round=True, initial_burn="single")
    assert dealing.round.phase is Phase.BETTING
    assert [str(one) for one in dealing.cards] == ["3c"]


@article("56/2004", "4(2)")
@pytest.mark.parametrize(
    ("burn", "first", "shoe", "burnt"),
    [
        ("none", False, "Tc 9d 8h 3c 5d", []),
        ("each_following_round", False, "2c Tc 9d 8h 3c 5d", ["2c"]),
        ("each_following_round", True, "Tc 9d 8h 3c 5d", []),
        ("each_following_round_and_before_bank_second", False, "2c Tc 9d 8h 7s 3c 5d", ["2c", "7s"]),
        ("each_following_round_and_before_bank_second", True, "Tc 9d 8h 7s 3c 5d", ["7s"]),
    ],
)
@pytest.mark.parametrize("device", ["shoe", "auto_shuffler"])
def test_art_4_2_a_card_at_the_start_of_every_following_round_and_one_before_the_banks_second(
    burn: str, first: bool, shoe: str, burnt: list[str], device: str
) -> None:
    round_ = played(shoe, P, round_burn=burn, first_round=first, dealing_device=device)
    assert [str(one) for one in round_.burnt] == burnt
    assert round_.result()["bank"] == ["9d", "3c", "5d"]
    with pytest.raises(OptionError):
        options(**METAL_BOX, round_burn="each_following_round")


# ── 5: the deal ─────────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "5(1)")
def test_art_5_1_one_card_at_a_time_from_box_1_to_each_box_with_a_stake_then_the_bank() -> None:
    round_ = playing("2c 3c 4c 5d 6c 7c 8c", "Q main 100 box 5", "P main 100 box 2", "R main 100 box 3")
    assert {box.number: [str(one) for one in box.hands[0].cards] for box in round_.boxes} == {
        2: ["2c", "6c"],
        3: ["3c", "7c"],
        5: ["4c", "8c"],
    }
    assert [str(one) for one in round_.bank] == ["5d"]


@article("56/2004", "5(1)(1)")
@pytest.mark.parametrize(("valid", "first_round"), [(True, True), (True, False), (False, True), (False, False)])
def test_art_5_1_1_a_card_face_up_is_void_unless_it_is_the_very_first_and_the_house_plays_it(
    valid: bool, first_round: bool
) -> None:
    round_ = opened(P, exposed_first_card_valid=valid, first_round=first_round)
    round_ = round_.apply(round_.on_timeout().action)
    round_ = round_.apply(DrawCard(card=card("9c"), exposed=True))
    plays = valid and first_round
    assert ([str(one) for one in round_.boxes[0].dealt], [str(one) for one in round_.exposed_cards]) == (
        (["9c"], []) if plays else ([], ["9c"])
    )
    round_ = round_.apply(DrawCard(card=card("8c"), exposed=True))
    assert card("8c") in round_.exposed_cards, "no later card plays"


@article("56/2004", "5(1)(2)")
def test_art_5_1_2_if_a_mistake_cannot_be_corrected_all_cards_of_the_round_are_cancelled() -> None:
    round_ = playing("9c 9s 9d 8h 7h", P, Q).apply(Void(remark="a card to the wrong box"))
    assert round_.result() == {"void": True}
    assert back(round_) == {"P main": 100_00, "Q main": 100_00}


@article("56/2004", "5(2)")
def test_art_5_2_two_procedures_of_dealing() -> None:
    for procedure, seen in ((1, [None, None]), (2, ["9c", "8h"])):
        assert faces(playing("9c 9d 8h", P, deal_procedure=procedure), None) == seen
    with pytest.raises(OptionError):
        options(**{**METAL_BOX, "deal_procedure": 2})
    with pytest.raises(OptionError):
        options(deal_procedure=3)


@article("56/2004", "5(2)(1)(1)")
def test_art_5_2_1_1_procedure_1_shows_the_first_two_cards_only_to_the_bettors_of_the_box() -> None:
    round_ = playing("9c 9s 9d 8h 7h", P, Q, "R main 50 box 1", deal_procedure=1)
    for who, seen in (("P", ["9c", "8h"]), ("R", ["9c", "8h"]), ("Q", [None, None]), (None, [None, None])):
        assert faces(round_, who) == seen
    assert bank_faces(round_) == ["9d"]
    over = played("9c 9d 8h Tc", P, deal_procedure=1)
    assert faces(over, None) == ["9c", "8h"]
    assert bank_faces(over) == ["9d", "Tc"]


@article("56/2004", "5(2)(1)(1)")
def test_art_5_2_1_1_a_hand_is_shown_when_it_is_split_paid_or_over_and_never_when_it_was_given_up() -> None:
    def seen_by_q(shoe: str, *lines: str) -> list[str | None]:
        return faces(playing(shoe, P, Q, "Q ready", *lines, deal_procedure=1), "Q")

    assert seen_by_q("8c 9s 9d 8h 7h 2c", "P split 1") == ["8c", "2c"]
    assert seen_by_q("6c 9s 9d 8c 7h 7c", "P hit 1") == ["6c", "8c", "7c"]
    assert seen_by_q("2c 9s 9d 3c 7h 4c 5c 6c", *HITS, "P claim 1") == ["2c", "3c", "4c", "5c", "6c"]
    assert seen_by_q("Ac 9s Td Kc 7h", "P even_money 1") == ["Ac", "Kc"]
    assert seen_by_q("Ac 9s 9d Kc 7h", "P ready") == ["Ac", "Kc"], "paid at once"
    assert seen_by_q("Ac 9s Td Kc 7h", "P ready") == [None, None]
    assert seen_by_q("2c 9s 9d 3c 7h 4c", "P hit 1") == [None, None, "4c"]
    given_up = played("Tc 9s 9d 6h 8h Tc", P, Q, "P surrender 1", deal_procedure=1)
    assert (faces(given_up, "Q"), faces(given_up, "P")) == ([None, None], ["Tc", "6h"])
    assert faces(given_up, "P", box=2) == ["9s", "8h"]


@article("56/2004", "5(2)(1)(2)")
def test_art_5_2_1_2_from_the_metal_box_the_bank_has_a_second_card_face_down_before_the_turns() -> None:
    round_ = playing("6c Kd 5h Ac", P, **METAL_BOX)
    assert [str(one) for one in round_.bank] == ["Kd", "Ac"]
    for who in ("P", None):
        assert bank_faces(round_, who) == ["Kd", None]
        assert view_for(round_, who).bank.total == 10
    round_ = round_.apply(Stand("P", 1))
    assert round_.next_house_step() == Step(TurnHole())
    assert bank_faces(round_.apply(TurnHole())) == ["Kd", "Ac"]


@article("56/2004", "5(2)(2)(1)")
def test_art_5_2_2_1_procedure_2_shows_all_first_cards_to_everybody() -> None:
    round_ = playing("9c 9s 9d 8h 7h", P, Q, deal_procedure=2)
    assert faces(round_, None) == ["9c", "8h"]
    assert faces(round_, "P", box=2) == ["9s", "7h"]
    assert bank_faces(round_) == ["9d"]


@article("56/2004", "5(2)(2)(2)")
def test_art_5_2_2_2_the_banks_second_card_comes_after_the_bettors_have_acted() -> None:
    round_ = playing("9c 9s 9d 8h 7h Tc", P, Q, "P ready", "Q ready", "P stand 1")
    assert len(round_.bank) == 1 and round_.phase is Phase.PLAYER_TURNS
    round_ = round_.apply(Stand("Q", 2))
    assert (round_.phase, round_.next_house_step()) == (Phase.BANK_SECOND, Draw(Chance.CARD))


# ── 6 and 7: drawing ────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "R34")
def test_r34_no_option_leaves_any_of_its_rules_out_but_the_unseen_card() -> None:
    about = options_of(BLACKJACK.options)
    assert [name for name, one in about.items() if one.article.startswith("6")] == ["unseen_overdraw_valid"]


@article("56/2004", "6(1)")
def test_art_6_1_the_bank_draws_on_16_or_less_and_not_on_17_or_more() -> None:
    for first, second, third in product("23456789T", repeat=3):
        hand = cards(f"{first}s {second}h {third}d")
        hard = sum(min(RANKS.index(rank) + 1, 10) for rank in (first, second, third))
        assert bank_rule.must_draw(hand) == (hard <= 16)
    round_ = played("Tc 6d 8h Ts 5h", P)
    assert round_.result()["bank"] == ["6d", "Ts", "5h"]


@article("56/2004", "6(1)")
@article("56/2004", "R37")
@pytest.mark.parametrize(
    ("shown", "unseen_valid", "shoe", "leaves_the_shoe"),
    [(True, True, "5c", True), (True, False, "5c", True), (False, True, "", False), (False, False, "5c", True)],
)
def test_art_6_1_a_card_that_the_bank_wrongly_drew_is_removed_or_unseen_stays_the_next(
    shown: bool, unseen_valid: bool, shoe: str, leaves_the_shoe: bool
) -> None:
    dealing = Dealing("Tc Td 8h", P, unseen_overdraw_valid=unseen_valid)
    dealing.dealt()
    dealing.round = dealing.round.apply(Stand("P", 1)).apply(DrawCard(card=card("7s")))
    assert dealing.round.next_house_step() == dealing.round.on_timeout()
    dealing.round = dealing.round.apply(Overdraw(shown=shown))
    dealing.cards = list(cards(shoe))
    round_ = dealing.finish()
    assert (round_.extra_card is not None) == leaves_the_shoe
    assert round_.result()["bank"] == ["Td", "7s"]
    assert back(round_) == {"P main": 200_00}


@article("56/2004", "6(1)")
def test_art_6_1_the_bank_can_wrongly_draw_once_and_only_while_something_is_open() -> None:
    stands = playing("Tc Td 8h 7s", P, "P stand 1")
    with pytest.raises(AssertionError):
        stands.apply(Overdraw(shown=False)).apply(Overdraw())
    dealing = Dealing("Tc Ad 6h Ts", P, "P insurance 1 50", "P hit 1")
    with pytest.raises(AssertionError):
        dealing.round.apply(DrawCard(card=card("7s"))).apply(Overdraw())
    with pytest.raises(AssertionError):
        playing("Tc 6d 8h 7s", P, "P stand 1").apply(Overdraw())


@article("56/2004", "6(2)")
def test_art_6_2_a_bettor_draws_as_he_likes_and_shows_his_hand_at_once_over_21() -> None:
    round_ = playing("2c 9s 9d 3h 7h Tc 6h", P, Q, "P ready", "Q ready", "P hit 1", "P hit 1", deal_procedure=1)
    assert faces(round_, "Q") == [None, None, "Tc", "6h"]
    bust = playing("Tc 9s 9d 6h 7h Kh", P, Q, "P ready", "Q ready", "P hit 1", deal_procedure=1)
    assert faces(bust, "Q") == ["Tc", "6h", "Kh"]
    assert back(bust) == {"P main": 0}, "it is collected at once"


@article("56/2004", "6(3)")
def test_art_6_3_the_boxes_act_in_order_each_with_its_final_decision() -> None:
    round_ = playing("2c 9s 9d 3h 7h", "Q main 100 box 4", P, "P ready", "Q ready")
    assert refusal(round_, Stand("Q", 4)) == "6(3)"
    assert refusal(round_, Hit("P", 1, 1)) == "6(3)"
    round_ = round_.apply(Stand("P", 1))
    assert refusal(round_, Hit("P", 1)) == "6(3)"
    assert may(round_, "Q") == {"hit", "stand", "double"}


@article("56/2004", "6(4)")
def test_art_6_4_cards_may_be_drawn_below_21() -> None:
    round_ = playing("2c 9d 3h 4c 5c 6h", P, "P ready", *HITS[:2])
    assert round_.boxes[0].hands[0].total == 14
    round_ = playing("Tc 9d 2h 8c", P, "P ready", "P hit 1")
    assert round_.boxes[0].hands[0].total == 20
    assert "hit" in may(round_, "P")


@article("56/2004", "6(4)(1)")
def test_art_6_4_1_nobody_draws_to_a_blackjack_or_21() -> None:
    assert playing("Ac Td Kh", P).apply(Proceed()).phase is Phase.BANK_SECOND
    round_ = playing("Tc 9d 2h 9c", P, "P ready", "P hit 1")
    assert round_.boxes[0].hands[0].total == 21
    assert round_.phase is Phase.BANK_SECOND
    five = playing("2c 9d 3h 4c 5c 7h", P, "P ready", *HITS)
    assert refusal(five, Hit("P", 1)) == "6(4)(1)"
    assert may(five, "P") == {"stand", "claim_five_cards"}


@article("56/2004", "6(4)(2)")
def test_art_6_4_2_after_a_double_one_card_only() -> None:
    round_ = playing("6c 9d 3h 2c", P, "P ready", "P double 1")
    assert [str(one) for one in round_.boxes[0].hands[0].cards] == ["6c", "3h", "2c"]
    assert round_.phase is Phase.BANK_SECOND


@article("56/2004", "6(4)(3)")
def test_art_6_4_3_a_split_ace_takes_one_card_only() -> None:
    round_ = playing("As 9d Ah 2c 3c", P, "P ready", "P split 1")
    assert [[str(one) for one in hand.cards] for hand in round_.boxes[0].hands] == [["As", "2c"], ["Ah", "3c"]]
    assert round_.phase is Phase.BANK_SECOND
    again = playing("As 9d Ah Ac", P, "P ready", "P split 1", resplit_aces=True)
    assert refusal(again, Hit("P", 1)) == refusal(again, Double("P", 1)) == "6(4)(3)"
    assert may(again, "P") == {"stand", "split"}


@article("56/2004", "6(5)")
def test_art_6_5_each_decision_is_awaited_from_the_left_with_all_totals_in_sight() -> None:
    round_ = playing("8c As 9d 8h 6h", P, Q, "P ready", "Q ready")
    assert [(box.hands[0].total, box.hands[0].soft) for box in view_for(round_, None).boxes[:2]] == [
        (16, False),
        (17, True),
    ]
    assert round_.next_house_step() is None
    assert may(round_, "P") == {"hit", "stand", "double", "split"}
    assert view_for(round_, None).question.asked == ("P",)


@article("56/2004", "7(1)")
def test_art_7_1_then_the_bank_takes_its_second_card_and_announces_its_total() -> None:
    round_ = playing("Tc 9d 8h 9h", P, "P ready", "P stand 1")
    assert (view_for(round_, None).bank.total, bank_faces(round_)) == (18, ["9d", "9h"])


@article("56/2004", "7(2)")
def test_art_7_2_over_21_loses_even_if_the_bank_goes_over_too() -> None:
    round_ = played("Tc 9s 6d 6h 9h Ts 9c Kh", P, Q, "P ready", "Q ready", "P hit 1", "Q stand 2")
    assert round_.result()["bank_total"] == 25
    assert back(round_) == {"P main": 0, "Q main": 200_00}
    assert why(round_, "P main") == ["7(2)"]


# ── 8 to 11: points and results ─────────────────────────────────────────────────────────────────────────────


@article("56/2004", "8")
def test_art_8_an_ace_counts_1_or_11_a_face_card_10_any_other_its_pips() -> None:
    for rank in RANKS:
        assert best([card(f"{rank}s"), card("2h")]) == {"A": 13, **dict.fromkeys("TJQK", 12)}.get(
            rank, 2 + (int(rank) if rank.isdigit() else 0)
        )
    assert points(cards("As 6h")) == (17, True)
    assert points(cards("As 6h Tc")) == (17, False)
    assert points(cards("As Ah")) == (12, True)
    assert points(cards("As Ah Ac Ad")) == (14, True)
    assert points(cards("As Ah 9c")) == (21, True)


@article("56/2004", "9")
@pytest.mark.parametrize(("player", "bank", "returns"), [("Th", "9c", 200_00), ("9h", "Tc", 0)])
def test_art_9_more_points_win_fewer_lose(player: str, bank: str, returns: int) -> None:
    assert back(played(f"Ts Td {player} {bank}", P)) == {"P main": returns}


@article("56/2004", "10(1)")
def test_art_10_1_a_blackjack_is_an_ace_with_a_ten_or_face_card_as_the_first_two() -> None:
    for rank in "TJQK":
        for first, second in ((rank, "A"), ("A", rank)):
            assert playing(f"{first}c 9d {second}h", P).boxes[0].hands[0].is_blackjack
    assert not playing("9c 9d 2h Th", P, "P ready", "P hit 1").boxes[0].hands[0].is_blackjack


@article("56/2004", "10(2)")
def test_art_10_2_a_blackjack_pays_3_to_2_at_once_if_the_bank_cannot_have_one() -> None:
    for up in "23456789":
        round_ = played(f"As {up}d Kh", P)
        assert (back(round_), why(round_, "P main")) == ({"P main": 250_00}, ["10(2)"])
    assert back(played("As Ad Kh 9c", P)) == {"P main": 250_00}


@article("56/2004", "10(3)")
@pytest.mark.parametrize("up", "ATJQK")
def test_art_10_3_against_an_ace_ten_or_face_card_even_money_may_be_asked_for(up: str) -> None:
    round_ = played(f"As {up}d Kh", P, "P even_money 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 200_00}, ["10(3)"])
    assert refusal(playing(f"Ts {up}d Kh", P), EvenMoney("P", 1)) == "10(3)"
    both = playing(f"As 9c {up}d Kh 8h", P, Q)
    assert refusal(both, EvenMoney("Q", 1)) == "10(3)"


@article("56/2004", "10(3)")
@pytest.mark.parametrize("up", "23456789")
def test_art_10_3_not_against_another_card(up: str) -> None:
    round_ = playing(f"As 9c {up}d Kh 8h", P, Q)
    assert refusal(round_, EvenMoney("P", 1)) == "10(3)"


@article("56/2004", "10(4)")
def test_art_10_4_another_21_pays_1_to_1() -> None:
    round_ = played("Tc 9d 2h 9c Th", P, "P ready", "P hit 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 200_00}, ["10(4)"])


@article("56/2004", "10(5)")
def test_art_10_5_a_blackjack_beats_21_of_the_bank_in_three_cards() -> None:
    round_ = played("As Td Kh 5c 6s", P)
    assert (back(round_), why(round_, "P main")) == ({"P main": 250_00}, ["10(5)"])


@article("56/2004", "10(6)")
def test_art_10_6_the_banks_blackjack_beats_21_and_a_split_21_is_no_blackjack() -> None:
    round_ = played("7c Kd 4h Ts Ac", P, "P hit 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 0}, ["10(6)"])
    split = played("As 6d Ah Kc Td Qs 9c", P, "P split 1")
    assert back(split) == {"P main": 400_00}
    assert back(played("As Td Ah Kc Kd Ac", P, "P split 1")) == {"P main": 0}


@article("56/2004", "10(7)")
def test_art_10_7_of_a_doubled_stake_the_banks_blackjack_takes_only_the_original_part_or_all() -> None:
    shoe, lines = "6c Kd 5h 9s Ac", (P, "P double 1")
    round_ = played(shoe, *lines)
    assert (back(round_), why(round_, "P main")) == ({"P main": 100_00}, ["10(7)"])
    assert back(played(shoe, *lines, double_loss_on_bank_blackjack="all")) == {"P main": 0}


@article("56/2004", "11")
@article("56/2004", "11(1)")
def test_art_11_1_both_a_blackjack_is_a_tie() -> None:
    round_ = played("As Kd Qh Ac", P)
    assert (back(round_), why(round_, "P main")) == ({"P main": 100_00}, ["11(1)"])


@article("56/2004", "11(2)")
@pytest.mark.parametrize("hand", ["Ts 7h", "9s 9h", "Ts 9h", "Ts Jh"])
def test_art_11_2_equal_points_are_a_tie(hand: str) -> None:
    one, other = hand.split()
    round_ = played(f"{one} {one[0]}d {other} {other[0]}c", P)
    assert (back(round_), why(round_, "P main")) == ({"P main": 100_00}, ["11(2)"])


# ── 12: insurance ───────────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "12(1)")
def test_art_12_1_insurance_from_half_to_what_the_house_accepts_and_only_against_an_ace() -> None:
    round_ = playing("Kc Ad 8h", P)
    assert "insurance" in may(round_, "P")
    for wrong in (49_99, 50_01, 100_00, 0, -50_00):
        assert refusal(round_, Insurance("P", 1, wrong)) == "R21"
    wide = playing("Kc Ad 8h", P, insurance_max_fraction="1")
    for amount in (50_00, 73_21, 100_00):
        assert wide.apply(Insurance("P", 1, amount)).in_escrow() == {"P main": 100_00 + amount}
    assert refusal(wide, Insurance("P", 1, 100_01)) == "R21"
    assert refusal(wide.apply(Insurance("P", 1, 50_00)), Insurance("P", 1, 50_00)) == "12(1)"
    for up in "23456789TJQK":
        assert refusal(playing(f"Kc {up}d 8h", P), Insurance("P", 1, 50_00)) == "12(1)"


@article("56/2004", "12(2)")
def test_art_12_2_it_is_decided_after_all_have_acted_and_pays_2_to_1() -> None:
    dealing = Dealing("Kc 9c Ad Qh 8h Ts", P, Q, "P insurance 1 50", "Q ready", "P stand 1")
    assert dealing.round.payouts() == ()
    round_ = dealing.finish()
    assert back(round_) == {"P main": 150_00, "Q main": 0}
    assert why(round_, "P main") == ["12(2)", "12(2)"]


@article("56/2004", "12(3)")
def test_art_12_3_without_a_blackjack_of_the_bank_all_insurance_loses() -> None:
    round_ = played("Kc Ad 8h 6s", P, "P insurance 1 50", "P stand 1")
    assert (back(round_), laid(round_)) == ({"P main": 200_00}, {"P main": 150_00})
    assert why(round_, "P main") == ["12(3)", "9"]


# ── 13 and 14: side bets ────────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "13")
def test_art_13_one_of_the_side_bets_on_a_box() -> None:
    round_ = opened(P, "P sevens 10 box 1")
    for other in ("any_pair", "over_13", "under_13"):
        assert refusal(round_, f"P {other} 10 box 1") == "13"
    assert opened(P, Q, "P sevens 10 box 1", "P any_pair 10 box 2")
    several = opened(P, "P sevens 10 box 1", "P any_pair 10 box 1", "P over_13 10 box 1", one_side_bet_only=False)
    assert refusal(several, "P under_13 10 box 1") == "13"


@article("56/2004", "13(1)")
def test_art_13_1_any_pair_may_lie_on_boxes_of_any_bettor() -> None:
    round_ = played(
        "8c 9c 9d 8h 9h 8d", P, Q, "P any_pair 10 box 1 as a", "P any_pair 10 box 2 as b", "Q any_pair 10 box 1 as c"
    )
    assert {bet: amount for bet, amount in back(round_).items() if bet in "abc"} == {
        "a": 120_00,
        "b": 120_00,
        "c": 120_00,
    }


@article("56/2004", "13(1)(1)")
@pytest.mark.parametrize(("two", "pays"), [("Jc Jh", True), ("Jc Qh", False), ("Ac Ah", True), ("Tc Kh", False)])
def test_art_13_1_1_the_first_two_cards_are_of_one_denomination(two: str, pays: bool) -> None:
    one, other = two.split()
    round_ = played(f"{one} 9d {other} 9c", P, "P any_pair 10 box 1")
    assert back(round_)["P any_pair"] == (120_00 if pays else 0)


@article("56/2004", "13(1)(2)")
def test_art_13_1_2_a_pair_formed_after_a_split_counts_too_and_so_on() -> None:
    shoe = "8s 6d 8h 8d Tc 9h Jc Td 9c"
    lines = (P, "P any_pair 10 box 1", "P split 1", "P split 1", "P stand 1.0", "P stand 1.1", "P stand 1.2")
    assert back(played(shoe, *lines))["P any_pair"] == 230_00
    only_first = {"any_pair_after_split": "first_two_cards_only"}
    assert back(played(shoe, *lines, **only_first))["P any_pair"] == 120_00


@article("56/2004", "13(2)")
@article("56/2004", "13(3)")
@pytest.mark.parametrize("side", ["any_pair 10", "sevens 10", "over_13 10", "under_13 10"])
def test_art_13_2_side_bets_are_staked_before_the_first_card(side: str) -> None:
    assert opened(P, f"P {side} box 1")
    round_ = opened(P)
    round_ = round_.apply(round_.on_timeout().action)
    assert refusal(round_, f"P {side} box 1") == "closed"


@article("56/2004", "13(2)(1)")
@pytest.mark.parametrize(("two", "returns"), [("7c 7h", 510_00), ("7c 8h", 0), ("8c 7h", 0), ("8c 8h", 0)])
def test_art_13_2_1_the_first_two_cards_are_sevens(two: str, returns: int) -> None:
    one, other = two.split()
    assert back(played(f"{one} 9d {other} 9c", P, "P sevens 10 box 1"))["P sevens"] == returns


@article("56/2004", "13(2)(2)")
def test_art_13_2_2_the_sevens_are_split_and_the_third_card_is_a_seven_too() -> None:
    lines = (P, "P sevens 10 box 1", "P split 1")
    assert back(playing("7s 9d 7h 7d", *lines))["P sevens"] == 5010_00
    assert back(playing("7s 9d 7h 8d", *lines))["P sevens"] == 510_00


@article("56/2004", "13(3)")
@pytest.mark.parametrize(("two", "over", "under"), [("9c 5h", 1, 0), ("9c 3h", 0, 1), ("9c 4h", 0, 0), ("Kc Qh", 1, 0)])
def test_art_13_3_the_sum_of_the_first_two_is_over_or_under_13(two: str, over: int, under: int) -> None:
    one, other = two.split()
    for side, pays in (("over_13", over), ("under_13", under)):
        assert back(playing(f"{one} 9d {other}", P, f"P {side} 10 box 1", "…"))[f"P {side}"] == 20_00 * pays


@article("56/2004", "13")
@pytest.mark.parametrize("side", ["over_13", "any_pair", "sevens"])
def test_art_13_a_side_bet_on_face_down_cards_is_settled_when_they_are_shown(side: str) -> None:
    bets = (P, Q, "Q main 50 box 1 as q1", f"Q {side} 10 box 1")
    lines = ("P ready", "Q ready")
    assert f"Q {side}" in back(playing("9c 9s 9d 8h 7h", *bets, *lines, deal_procedure=2))
    down = playing("9c 9s 9d 8h 7h", *bets, *lines, deal_procedure=1)
    assert back(down) == {}
    over = playing("9c 9s 9d 8h 7h Tc", *bets, *lines, "P hit 1", deal_procedure=1)
    assert f"Q {side}" in back(over)


@article("56/2004", "14(1)")
def test_art_14_1_any_pair_pays_11_to_1() -> None:
    assert back(played("Jc 9d Jh 9c", P, "P any_pair 30 box 1"))["P any_pair"] == 360_00


@article("56/2004", "14(2)")
@pytest.mark.parametrize(
    ("two", "third", "odds"),
    [
        ("7s 7h", "2c", 50),
        ("7s 7s", "2c", 150),
        ("7s 7h", "7d", 500),
        ("7s 7s", "7h", 500),
        ("7s 7h", "7s", 500),
        ("7s 7s", "7s", 5000),
    ],
)
def test_art_14_2_sevens_pay_the_highest_combination_only(two: str, third: str, odds: int) -> None:
    one, other = two.split()
    round_ = playing(f"{one} 9d {other} {third}", P, "P sevens 10 box 1", "P hit 1")
    assert back(round_)["P sevens"] == 10_00 * (odds + 1)


@article("56/2004", "14(3)")
def test_art_14_3_over_and_under_13_pay_1_to_1() -> None:
    assert back(played("Ts 9d 9h 9c", P, "P over_13 30 box 1"))["P over_13"] == 60_00
    assert back(played("2s 9d 9h 9c", P, "P under_13 30 box 1"))["P under_13"] == 60_00


@article("56/2004", "13(2)(1)")
def test_art_13_2_1_two_sevens_that_stand_are_paid_before_the_next_box_acts() -> None:
    round_ = playing("7s 2c 9d 7h 3c", P, Q, "P sevens 10 box 1", "P ready", "Q ready", "P stand 1")
    assert back(round_) == {"P sevens": 510_00}


@article("56/2004", "13")
@pytest.mark.parametrize(
    ("side", "two", "third", "said"),
    [
        ("any_pair", "8s 8h", "2c", "14(1) The first two cards are a pair"),
        ("any_pair", "8s 9h", "2c", "13(1)(1) The first two cards are no pair"),
        ("over_13", "8s 9h", "2c", "14(3) The first two cards make 17"),
        ("over_13", "8s 2h", "2c", "13(3) The first two cards make 10"),
        ("under_13", "8s 5h", "2c", "R13 The first two cards make 13"),
        ("sevens", "7s 8h", "2c", "13(2)(1) The first two cards are not both sevens"),
        ("sevens", "7s 7s", "2c", "14(2) 2 sevens of one suit"),
        ("sevens", "7s 7h", "7d", "14(2) 3 sevens of different suits"),
    ],
)
def test_art_14_a_side_bet_is_told_by_which_article_it_ended(side: str, two: str, third: str, said: str) -> None:
    one, other = two.split()
    round_ = playing(f"{one} 9d {other} {third}", P, f"P {side} 10 box 1", "P hit 1")
    assert [f"{paid.why.article} {paid.why.words}" for paid in round_.payouts() if paid.bet == f"P {side}"] == [said]


# ── 15: the special prize ───────────────────────────────────────────────────────────────────────────────────


@article("56/2004", "15")
@pytest.mark.parametrize("hand", ["6s 7s 8s", "8h 6h 7h", "7d 8d 6d", "7s 7h 7d", "7c 7c 7c"])
@pytest.mark.parametrize("up", ["9d", "Kd", "Ad"])
def test_art_15_suited_6_7_8_or_three_sevens_receive_three_times_the_stake_at_once(hand: str, up: str) -> None:
    one, two, three = hand.split()
    round_ = played(f"{one} {up} {two} {three}", P, "P ready", "P hit 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 400_00}, ["15"])
    prize = "Three sevens" if one[0] == two[0] else "6-7-8 of one suit"
    assert [str(paid.why.words) for paid in round_.payouts()] == [f"{prize}: the special prize"]
    assert round_.result()["bank"] == [up]


@article("56/2004", "15")
@pytest.mark.parametrize("hand", ["6s 7s 8h", "6s 7h 8d", "5s 7s 9s"])
def test_art_15_nothing_else_of_21_does(hand: str) -> None:
    one, two, three = hand.split()
    assert back(played(f"{one} 9d {two} {three} Td", P, "P hit 1")) == {"P main": 200_00}


# ── 16 and 17: split and double ─────────────────────────────────────────────────────────────────────────────


@article("56/2004", "16(1)")
@article("56/2004", "R38")
def test_art_16_1_a_pair_may_be_split_up_to_four_or_more_stakes() -> None:
    assert refusal(playing("8s 9d 9h", P), Split("P", 1)) == "16(1)"
    assert refusal(playing("8s 9d 8h 2c", P, "P hit 1"), Split("P", 1)) == "16(1)"
    shoe = "8s 9d 8h 8c 8d 8s"
    four = playing(shoe, P, "P split 1", "P split 1", "P split 1")
    assert len(four.boxes[0].hands) == 4
    assert refusal(four, Split("P", 1)) == "16(1)"
    six = playing(shoe, P, "P split 1", "P split 1", "P split 1", "P split 1", max_split_hands=6)
    assert len(six.boxes[0].hands) == 5
    with pytest.raises(OptionError):
        options(max_split_hands=3)


@article("56/2004", "16(2)")
def test_art_16_2_each_split_stake_equals_the_original() -> None:
    round_ = playing("8s 9d 8h 8c 2c", P, "P split 1", "P split 1")
    assert [hand.stakes["P"].amount for hand in round_.boxes[0].hands] == [100_00] * 3
    assert round_.in_escrow() == {"P main": 300_00}


@article("56/2004", "16(3)")
def test_art_16_3_aces_are_split_once_or_several_times() -> None:
    shoe = "As 9d Ah Ac 9s"
    once = playing(shoe, P, "P split 1")
    assert [hand.total for hand in once.boxes[0].hands] == [12, 20]
    several = playing("As 9d Ah Ac 9s Kc 2c", P, "P split 1", "P split 1", resplit_aces=True)
    assert [hand.total for hand in several.boxes[0].hands] == [20, 21, 13]


@article("56/2004", "16(4)")
def test_art_16_4_other_split_pairs_draw_any_number_of_cards() -> None:
    lines = ("P split 1", "P hit 1.0", "P hit 1.0", "P hit 1.0", "P stand 1.0", "P hit 1.1", "P hit 1.1")
    round_ = playing("2s 9d 2h 3c 3d 3h 4s 5c 6c 8d", P, *lines)
    assert [len(hand.cards) for hand in round_.boxes[0].hands] == [5, 4]
    assert round_.phase is Phase.BANK_SECOND


@article("56/2004", "16(5)")
def test_art_16_5_a_further_equal_card_may_be_split_again_if_the_house_lets() -> None:
    shoe = "8s 9d 8h 8c"
    assert "split" in may(playing(shoe, P, "P split 1"), "P")
    assert refusal(playing(shoe, P, "P split 1", resplit_allowed=False), Split("P", 1)) == "16(5)"
    aces = playing("As 9d Ah Ac", P, "P split 1", resplit_allowed=False, resplit_aces=True)
    assert "split" in may(aces, "P")


@article("56/2004", "17")
@article("56/2004", "17(1)")
def test_art_17_1_any_first_two_cards_may_be_doubled_those_of_split_pairs_too() -> None:
    for two in ("2s 3h", "As 7h", "Ts 9h", "9s 2h"):
        one, other = two.split()
        assert "double" in may(playing(f"{one} 9d {other}", P), "P")
    split = playing("8s 9d 8h 3c Tc", P, "P split 1", "P double 1.0")
    hand = view_for(split, None).boxes[0].hands[0]
    assert (hand.total, hand.doubled, hand.cards[2].sideways) == (21, True, True)
    assert refusal(playing("2s 9d 3h 4h", P, "P hit 1"), Double("P", 1)) == "17(1)"


@article("56/2004", "17(2)")
def test_art_17_2_or_only_when_the_first_two_are_11() -> None:
    about = {"double_rule": "eleven_only"}
    for two, allowed in (("9s 2h", True), ("6s 5h", True), ("Ts 2h", False), ("9s Ah", False), ("5s 5h", False)):
        one, other = two.split()
        assert ("double" in may(playing(f"{one} 9d {other}", P, **about), "P")) == allowed
    assert refusal(playing("Ts 9d 2h", P, **about), Double("P", 1)) == "17(2)"


# ── 18 and 19: surrender, five cards ────────────────────────────────────────────────────────────────────────


@article("56/2004", "18(1)")
@pytest.mark.parametrize("up", RANKS)
def test_art_18_1_unless_the_bank_shows_an_ace_half_is_lost_by_giving_up(up: str) -> None:
    if up == "A":
        assert refusal(playing("Tc Ad 6h", P), Surrender("P", 1)) == "18(1)"
        return
    round_ = played(f"Tc {up}d 6h", P, "P surrender 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 50_00}, ["18(1)"])
    assert back(played(f"Tc {up}d 6h", "P main 25 box 1", "P surrender 1")) == {"P main": 12_50}


@article("56/2004", "18(2)")
def test_art_18_2_before_any_additional_card_irrevocably() -> None:
    round_ = playing("Tc 9c 9d 6h 5h 2s", P, Q, "Q ready", "P hit 1")
    assert refusal(round_, Surrender("P", 1)) == "R5"
    assert refusal(round_, Surrender("Q", 2)) == "6(3)"
    given_up = playing("Tc 9c 9d 6h 5h", P, Q, "P surrender 1")
    assert refusal(given_up, Surrender("P", 1)) == "18(2)", "nor is it asked for twice"
    assert may(given_up, "P") == set()


@article("56/2004", "19(1)")
def test_art_19_1_half_the_stake_is_claimed_with_five_cards_not_over_21() -> None:
    round_ = played("2c Td 3h 4s 5c 2d", P, *HITS, "P claim 1")
    assert (back(round_), why(round_, "P main")) == ({"P main": 150_00}, ["19(1)"])
    assert refusal(playing("2c Td 3h 4s 5c", P, *HITS[:2]), Claim("P", 1)) == "19(1)"
    assert refusal(playing("2c Td 3h 4s 2s 2d 2h", P, *HITS, "P hit 1"), Claim("P", 1)) == "19(1)"
    assert refusal(playing("2c Td 3h 4s 5c 2d", P, *HITS, five_card_claim_offered=False), Claim("P", 1)) == "19(1)"


@article("56/2004", "19(2)")
def test_art_19_2_unclaimed_or_against_an_ace_the_round_goes_on() -> None:
    assert back(played("2c Td 3h 4s 5c 7d Kh", P, *HITS)) == {"P main": 200_00}
    assert back(played("2c Td 3h 4s 5c 2d 4h Kh", P, *HITS, "P hit 1")) == {"P main": 100_00}
    round_ = playing("2c Ad 3h 4s 5c 2d", P, "P ready", *HITS)
    assert refusal(round_, Claim("P", 1)) == "19(1)"
    assert may(round_, "P") == {"hit", "stand"}


# ── 20 and 21: shared boxes, authorisation ──────────────────────────────────────────────────────────────────

SHARED = ("U main 50 box 1", "S main 100 box 1", "T main 300 box 1")


def decides(rule: str, *bets: str, **seats: int) -> tuple[str, str]:
    """Who decides for box 1, and by which article."""
    round_ = playing("9c 9d 8h", *bets, shared_box_rule=rule, seats=seats)
    box = view_for(round_, None).boxes[0]
    return box.decider, box.decider_why.article


@article("56/2004", "20(1)")
def test_art_20_1_one_decides_for_all_who_have_staked_on_a_box() -> None:
    round_ = playing("9c 9d 8h", *SHARED, "S ready", seats={"S": 1})
    assert may(round_, "T") == may(round_, "U") == set()
    for who in ("T", "U"):
        assert refusal(round_, Hit(who, 1)) == "20(1)"


@article("56/2004", "20(1)(1)")
def test_art_20_1_1_the_seated_bettor() -> None:
    assert decides("seated_decides", *SHARED, S=1) == ("S", "20(1)(1)")
    assert decides("seated_decides", *SHARED, T=1, S=2) == ("T", "20(1)(1)")


@article("56/2004", "20(1)(2)")
def test_art_20_1_2_at_most_three_the_seated_one_or_whose_stake_is_nearest_to_the_bank() -> None:
    assert decides("seated_or_nearest", *SHARED, S=1) == ("S", "20(1)(2)")
    assert decides("seated_or_nearest", *SHARED, S=2) == ("U", "20(1)(2)")
    assert refusal(opened(*SHARED), "V main 100 box 1") == "20(1)(2)"
    assert refusal(opened(SHARED[0], max_bettors_per_box=1), SHARED[1]) == "20(1)(2)"
    with pytest.raises(OptionError):
        options(max_bettors_per_box=4)
    for rule in ("seated_decides", "highest_stake_decides"):
        assert options(max_bettors_per_box=4, shared_box_rule=rule)


@article("56/2004", "20(1)(3)")
def test_art_20_1_3_the_highest_stake_decides_and_the_seated_bettor_holds() -> None:
    assert decides("highest_stake_decides", *SHARED, S=1) == ("T", "20(1)(3)")
    equal = ("U main 100 box 1", "S main 100 box 1")
    assert decides("highest_stake_decides", *equal, S=1) == ("S", "20(1)(3)")
    round_ = playing("9c 9d 8h", *SHARED, shared_box_rule="highest_stake_decides", seats={"S": 1})
    assert view_for(round_, None).boxes[0].holder == "S"


@article("56/2004", "2(1)(1)")
@article("56/2004", "cut")
def test_art_2_1_1_any_bettor_may_cut_the_seated_first_and_then_the_standing() -> None:
    table = opened(seats={"S": 1}, lately=("T", "U"), ceremony=True)
    assert table.offered_cut == ("S",)
    asked = table.apply(Decline("S"))
    assert asked.offered_cut == ("T", "U") and asked.on_timeout() == Draw(Chance.CUT)
    assert view_for(asked, "T").mine.cut == (1, 6 * 52 - 1) and view_for(asked, "S").mine.cut is None
    assert view_for(asked.apply(Cut("U", position=9)), None).cut.by == "U"


@article("56/2004", "20(1)")
def test_art_20_1_who_leaves_a_shared_box_before_it_is_dealt_decides_no_more_for_it() -> None:
    bets = ("T main 200 box 1", "S main 100 box 1", "S main 50 box 2 as other")
    table = opened(*bets, seats={"S": 1})
    assert view_for(table, "S").mine.leaving.article == "20(1)" and table.leaving("T") is None
    assert opened(*bets, seats={"S": 2}).leaving("S") is None, "nobody else is on that box"
    assert opened(*bets, seats={"S": 1}, shared_box_rule="highest_stake_decides").leaving("S") is None
    assert playing("9c 9d 8h 9s 8c", *bets, seats={"S": 1}).leaving("S") is None, "who decides is settled"


@article("56/2004", "20(2)")
@article("56/2004", "talk")
def test_art_20_2_nobody_may_talk_from_the_first_card_to_the_last_decision() -> None:
    betting, closed, first_card = opened(P), close(opened(P)), playing("9c", P)
    window = playing("9c 9d 8h", P)
    turns = window.apply(Proceed())
    after = playing("9c 9d 8h", P, "P stand 1")
    silent = [round_.silence is not None for round_ in (betting, closed, first_card, window, turns, after)]
    assert silent == [False, False, True, True, True, False]
    assert turns.silence.article == "20(2)"


@article("56/2004", "20(2)")
def test_art_20_2_a_round_of_before_is_silent_where_it_was_then() -> None:
    window = playing("9c 9d 8h", P, reading=FIRST_READING)
    assert window.silence is None and window.apply(Proceed()).silence is not None
