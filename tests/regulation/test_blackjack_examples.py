"""The worked examples of the rulebook, section 10: cards, decisions, what was staked and what returned, in credits."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.blackjack.phases import Claim, Overdraw, Split, Stand, Surrender
from tables.games.contract.actions import DrawCard, Void
from tests.kit import refusal

from .blackjack_kit import Dealing, back, laid, may, played, playing

P = "P main 100 box 1"
HITS = ("P hit 1", "P hit 1", "P hit 1")

# number: cards, lines, options, the bank's total ("BJ": a blackjack), staked, returned (or by bettor)
EXAMPLES: dict[str, tuple[str, tuple[str, ...], dict[str, Any], int | str, Any, Any]] = {
    "1": ("As 9d Kh", (P,), {}, 9, 100, 250),
    "2": ("As Kd Qh", (P, "P even_money 1"), {}, 10, 100, 200),
    "3": ("As Kd Qh Ac", (P,), {}, "BJ", 100, 100),
    "4": ("As Td Kh 5c 6s", (P,), {}, 21, 100, 250),
    "5": ("7c Kd 4h Ts Ac", (P, "P hit 1"), {}, "BJ", 100, 0),
    "6": ("7c 6d 4h Ts 5c Qh", (P, "P hit 1"), {}, 21, 100, 100),
    "7": ("As 6d Ah Kc Td Qs 9c", (P, "P split 1"), {}, 25, 200, 400),
    "8": ("As 9d Ah Ac 9s Th", (P, "P split 1"), {}, 19, 200, 200),
    "9": ("6c Kd 5h 9s Ac", (P, "P double 1"), {}, "BJ", 200, 100),
    "9b": ("6c Kd 5h 9s Ac", (P, "P double 1"), {"double_loss_on_bank_blackjack": "all"}, "BJ", 200, 0),
    "10": (
        "8c 9c Kd 4h 9h Ts Ac", (P, "Q main 100 box 2", "P ready", "Q ready", "P double 1", "Q stand 2"), {},
        "BJ", {"P": 200, "Q": 100}, {"P": 0, "Q": 0},
    ),
    "11": ("Kc Ad Qh Ts", (P, "P insurance 1 50", "P stand 1"), {}, "BJ", 150, 150),
    "12": ("Ac Ad Qh Ts", (P, "P insurance 1 100"), {"insurance_max_fraction": "1"}, "BJ", 200, 400),
    "13": ("Kc Ad 8h 6s", (P, "P insurance 1 50", "P stand 1"), {}, 17, 150, 200),
    "14": (
        "Tc 9c Td 6h 9h As", ("P main 25 box 1", "Q main 100 box 2", "P surrender 1", "Q stand 2"), {},
        "BJ", {"P": 25, "Q": 100}, {"P": 12.5, "Q": 0},
    ),
    "16": ("2c Td 3h 4s 5c 2d", (P, *HITS, "P claim 1"), {}, 10, 100, 150),
    "16b": ("2c Td 3h 4s 5c 2d Kh", (P, *HITS, "P stand 1"), {}, 20, 100, 0),
    "17": ("2c Td 3h 4s 5c 7d Kh", (P, *HITS), {}, 20, 100, 200),
    "17b": ("2c Td 3h 4s 5c 7d Ah", (P, *HITS), {}, "BJ", 100, 0),
    "17b, claimed": ("2c Td 3h 4s 5c 7d", (P, *HITS, "P claim 1"), {}, 10, 100, 150),
    "19": ("6s Ad 8s 7s Kc", (P, "P insurance 1 50", "P hit 1"), {}, "BJ", 150, 550),
    "20": ("7s 9d 7h 7d", (P, "P sevens 10 box 1", "P double 1"), {}, 9, 210, 5810),
    "21": (
        "8s Kd 8h 8d 3c Th 8c Qh 9s Ts Ac",
        (
            P, "P split 1", "P split 1", "P double 1.0", "P split 1.1", "P stand 1.1", "P stand 1.2", "P stand 1.3",
        ), {}, "BJ", 500, 100,
    ),
    "22": (
        "8s 6d 8h 8d Tc 9h Jc Td 9c",
        (P, "P any_pair 10 box 1", "P split 1", "P split 1", "P stand 1.0", "P stand 1.1", "P stand 1.2"), {},
        25, 310, 830,
    ),
    "22, first two cards only": (
        "8s 6d 8h 8d Tc 9h Jc Td 9c",
        (P, "P any_pair 10 box 1", "P split 1", "P split 1", "P stand 1.0", "P stand 1.1", "P stand 1.2"),
        {"any_pair_after_split": "first_two_cards_only"}, 25, 310, 720,
    ),
    "23": ("As 9d Kh", (P, "P under_13 10 box 1"), {}, 9, 110, 270),
    "23b": ("As 9d Kh", (P, "P over_13 10 box 1"), {}, 9, 110, 250),
    "23c over": ("Ts 9d 3h Tc", (P, "P over_13 10 box 1"), {}, 19, 110, 0),
    "23c under": ("Ts 9d 3h Tc", (P, "P under_13 10 box 1"), {}, 19, 110, 0),
    "24": ("7s 9d 7s Tc", (P, "P sevens 10 box 1", "P stand 1"), {}, 19, 110, 1510),
    "24b": (
        "7s 9d 7s 7s Kc Tc", (P, "P sevens 10 box 1", "P split 1", "P stand 1.0", "P stand 1.1"), {},
        19, 210, 50010,
    ),
    "24c": (
        "7s 9d 7h 7d Kc Ts Qh", (P, "P sevens 10 box 1", "P split 1", "P hit 1.0", "P stand 1.1"), {},
        19, 210, 5010,
    ),
    "25": (
        "6c 9d 5h 9s Tc",
        ("S main 100 box 2", "T main 300 box 2", "U main 50 box 2", "T double 2", "S match 2", "U pass 2"),
        {"shared_box_rule": "highest_stake_decides", "seats": {"S": 2}},
        19, {"S": 200, "T": 600, "U": 50}, {"S": 400, "T": 1200, "U": 100},
    ),
    "26": (
        "8c 7d 8h Ts 5c Kh Tc",
        ("U main 50 box 1", "S main 100 box 1", "S split 1", "U pass 1", "S stand 1.0", "S hit 1.1"),
        {"seats": {"S": 1}}, 17, {"S": 200, "U": 50}, {"S": 200, "U": 100},
    ),
    "27": (
        "Tc 9s 6d 6h 9h Ts 9c Kh", (P, "Q main 100 box 2", "P ready", "Q ready", "P hit 1", "Q stand 2"), {},
        25, {"P": 100, "Q": 100}, {"P": 0, "Q": 200},
    ),
    "28": (
        "6c Kd 5h Ac 9s", (P, "P double 1"), {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1},
        "BJ", 200, 100,
    ),
    "30": (
        "2c Tc 9d 8h 7s 3c Kd", (P, "P stand 1"), {"round_burn": "each_following_round_and_before_bank_second"},
        22, 100, 200,
    ),
    "31": (
        "2c Td 3h 4s 5c 2d 9c",
        ("S main 100 box 1", "U main 50 box 1", "S hit 1", "S hit 1", "S hit 1", "U claim 1", "S hit 1"),
        {"seats": {"S": 1}}, 10, {"S": 100, "U": 50}, {"S": 0, "U": 75},
    ),
    "32": (
        "Tc 5d 6h Ts 6d 9s Ac", (P, "P main 200 box 2 as m2", "P stand 1", "P double 2"), {},
        17, 500, 1000,
    ),
    "33": (
        "Tc 6d Jh Ks Qd 9h Td", (P, "P split 1", "P stand 1.0", "P stand 1.1"), {"split_rank_rule": "same_value"},
        25, 200, 400,
    ),
}  # fmt: skip


def by_bettor(round_: Any, by_bet: dict[str, int]) -> dict[str, int]:
    who = {stake.bet: stake.by for stake in round_.stakes()}
    sums = dict.fromkeys(who.values(), 0)
    for bet, amount in by_bet.items():
        sums[who[bet]] += amount
    return sums


def cents(credits: Any) -> dict[str, int]:
    given = credits if isinstance(credits, dict) else {"P": credits}
    return {who: round(amount * 100) for who, amount in given.items()}


@pytest.mark.parametrize("number", EXAMPLES)
def test_the_worked_examples(number: str) -> None:
    shoe, lines, about, bank, staked, returned = EXAMPLES[number]
    round_ = played(shoe, *lines, **about)
    result = round_.result()
    assert ("BJ" if result["bank_blackjack"] else result["bank_total"]) == bank
    assert by_bettor(round_, laid(round_)) == cents(staked)
    assert by_bettor(round_, back(round_)) == cents(returned)


def test_example_15_no_surrender_against_an_ace() -> None:
    assert refusal(playing("Kc Ad 6h", P), Surrender("P", 1)) == "18(1)"


def test_example_18_no_claim_against_an_ace() -> None:
    round_ = playing("2c Ad 3h 4s 5c 2d", P, "P ready", *HITS)
    assert refusal(round_, Claim("P", 1)) == "19(1)"
    assert may(round_, "P") == {"hit", "stand"}


def test_example_21_comes_to_four_hands() -> None:
    shoe, lines, *_ = EXAMPLES["21"]
    hands = played(shoe, *lines).boxes[0].hands
    assert [hand.total for hand in hands] == [21, 18, 17, 18]
    assert [hand.doubled for hand in hands] == [True, False, False, False]


def test_example_29_a_mistake_after_a_double_voids_the_round() -> None:
    round_ = playing("6c 9d 5h 9s", P, "P any_pair 10 box 1", "P double 1").apply(Void())
    assert round_.result() == {"void": True}
    assert laid(round_) == back(round_) == {"P main": 200_00, "P any_pair": 10_00}


def test_example_30_the_first_round_of_the_shoe_burns_no_card_at_its_start() -> None:
    burns = "each_following_round_and_before_bank_second"
    round_ = played("Tc 9d 8h 7s 3c Kd", P, "P stand 1", round_burn=burns, first_round=True)
    assert [str(card) for card in round_.burnt] == ["7s"]
    assert back(round_) == {"P main": 200_00}


def test_example_33_ten_and_jack_are_no_pair_of_one_rank() -> None:
    assert refusal(playing("Tc 6d Jh", P, "P ready"), Split("P", 1)) == "16(1)"


@pytest.mark.parametrize("unseen_valid", [True, False])
def test_example_34_a_card_that_the_bank_wrongly_drew_and_showed_is_void(unseen_valid: bool) -> None:
    dealing = Dealing("Tc Td 8h 7s 5c", P, unseen_overdraw_valid=unseen_valid)
    dealing.dealt()
    dealing.round = dealing.round.apply(Stand("P", 1)).apply(DrawCard(card=dealing.cards.pop(0))).apply(Overdraw())
    round_ = dealing.finish()
    assert round_.result()["bank"] == ["Td", "7s"]
    assert back(round_) == {"P main": 200_00}
