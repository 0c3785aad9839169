"""The house options of Blackjack (rulebook, section 2): every value, the default, and what does not go together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tables.games.blackjack.options import MARKET_2009, REGULATION_FULL, Loss, Options, SideBet
from tables.games.contract.errors import OptionError
from tables.games.shared.options import options_json, options_of, read_options
from tests.kit import article

from .blackjack_kit import BLACKJACK, options

METAL_BOX: dict[str, Any] = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}
SWITCH = ([True, False], [1, 0, "true", None])

# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (["56/2004"], "56/2004", ["42/2007", "56/2004+42/2007", "", None, 56]),
    "boxes": ([6, 7, 8, 12], 7, [5, 0, -7, 7.0, "7", True, None]),
    "decks": ([1, 2, 6, 8, 20], 6, [0, -1, 6.0, "6", True, None, [6]]),
    "dealing_device": (["shoe", "auto_shuffler"], "shoe", ["box", "SHOE", "", None, 1, ["shoe"]]),
    "cut_card_depth": ([30, 60, 200], 60, [29, 0, -60, 60.0, "60", True, None]),
    "max_boxes_per_player": ([1, 3, 7], 3, [0, -1, 8, 3.0, "3", True, None]),
    "initial_burn": (["one_per_deck", "single"], "one_per_deck", ["none", None, 1]),
    "round_burn": (
        ["none", "each_following_round", "each_following_round_and_before_bank_second"],
        "none",
        ["before_bank_second", None, False],
    ),
    "exposed_first_card_valid": (SWITCH[0], False, SWITCH[1]),
    "deal_procedure": ([1, 2], 2, [0, 3, "1", 1.0, True, None]),
    "unseen_overdraw_valid": (SWITCH[0], True, SWITCH[1]),
    "double_loss_on_bank_blackjack": (["original_only", "all"], "original_only", ["none", None, True]),
    "insurance_max_fraction": (
        ["1/2", "1", "3/4", "2/3"],
        "1/2",
        ["1/3", "0", "2", "5/4", "-1/2", "1/0", "0.5", "half", "", " 1/2", "1 / 2", "1/2\n", 1, 0.5, True, None],
    ),
    "side_bets_offered": (
        [["any_pair", "sevens", "over_under_13"], ["sevens"], []],
        ["any_pair", "sevens", "over_under_13"],
        [["over_13"], ["main"], ["sevens", "sevens"], "sevens", {}, {"sevens": True}, [1], [None], [["sevens"]], None],
    ),
    "one_side_bet_only": (SWITCH[0], True, SWITCH[1]),
    "any_pair_after_split": (["every_pair", "first_two_cards_only"], "every_pair", ["none", None, True]),
    "special_prize_offered": (SWITCH[0], True, SWITCH[1]),
    "special_prize_mode": (["final", "bonus"], "final", ["none", None, True]),
    "max_split_hands": ([4, 5, 9], 4, [3, 0, 4.0, "4", True, None]),
    "resplit_allowed": (SWITCH[0], True, SWITCH[1]),
    "resplit_aces": (SWITCH[0], False, SWITCH[1]),
    "split_rank_rule": (["same_rank", "same_value"], "same_rank", ["any", None, True]),
    "double_rule": (["any_two", "eleven_only"], "any_two", ["ten_or_eleven", None, 11]),
    "five_card_claim_offered": (SWITCH[0], True, SWITCH[1]),
    "shared_box_rule": (
        ["seated_decides", "seated_or_nearest", "highest_stake_decides"],
        "seated_or_nearest",
        ["A", "nearest", None],
    ),
    "max_bettors_per_box": ([1, 2, 3], 3, [0, -1, 4, 3.0, "3", True, None]),
    "surrender_timing": (["before_any_draw", "own_first_decision"], "before_any_draw", ["late", None, False]),
    "split_loss_on_bank_blackjack": (["all", "original_only"], "all", ["none", None, True]),
    "timeout_action": (["stand"], "stand", ["hit", "", None]),
    "min_bet": (
        [0, 100, 5000, {"main": 5000, "sevens": 100}, {}],
        100,
        [-1, 100.0, "100", True, None, [], {"insurance": 1}, {"main": None}, {"main": True}, {"main": -1}, {"pair": 1}],
    ),
    "max_bet": (
        [100000, {"over_13": 5000}, {}],
        {},
        [-1, 1.0, "100", False, None, [], {"over_under_13": 1}, {"main": "1"}, {"main": -1}],
    ),
}


def test_every_option_is_in_the_table() -> None:
    assert set(options_of(BLACKJACK.options)) == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_each_value_of_an_option_is_accepted_and_kept(name: str) -> None:
    for value in TABLE[name][0]:
        made = options(**{name: value})
        assert options_json(made).get(name) == value
        assert read_options(BLACKJACK.options, options_json(made)) == made


@pytest.mark.parametrize("name", TABLE)
def test_an_option_left_out_has_its_default(name: str) -> None:
    assert options_json(options()).get(name) == TABLE[name][1]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, _, wrong) in TABLE.items() for value in wrong])
def test_another_value_or_type_is_an_error_that_names_the_option(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        options(**{name: value})


def test_the_order_of_a_set_does_not_matter() -> None:
    assert options(side_bets_offered=["sevens", "any_pair"]) == options(side_bets_offered=["any_pair", "sevens"])


@pytest.mark.parametrize("wrong", [None, [], "boxes", {"seats": 7}, {"Boxes": 8}, {"": 1}])
def test_options_are_an_object_of_known_names(wrong: Any) -> None:
    with pytest.raises(OptionError):
        read_options(BLACKJACK.options, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"decks": 6.0},
        {"deal_procedure": True},
        {"round_burn": "none"},
        {"insurance_max_fraction": 1},
        {"insurance_max_fraction": "1/2"},
        {"side_bets_offered": ["sevens"]},
        {"side_bets_offered": frozenset(["sevens"])},
        {"side_bets_offered": frozenset([Loss.ALL])},
    ],
)
def test_options_made_in_python_are_checked_as_strictly(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Options(**wrong)
    made = Options(insurance_max_fraction=Fraction(1), side_bets_offered=frozenset([SideBet.SEVENS]))
    assert options_json(made)["side_bets_offered"] == ["sevens"]


@pytest.mark.parametrize("name", [name for name, about in options_of(BLACKJACK.options).items() if about.article])
def test_every_option_cites_an_article_that_exists(name: str) -> None:
    assert options_of(BLACKJACK.options)[name].article in BLACKJACK.articles


# ── What goes together ──────────────────────────────────────────────────────────────────────────────────────


def test_the_depth_of_the_white_card_is_filled_in_by_the_decks() -> None:
    for decks, depth in ((2, 30), (3, 60), (6, 60), (8, 60), (1, None)):
        assert options(decks=decks).cut_card_depth == depth
    assert options(dealing_device="auto_shuffler").cut_card_depth is None
    assert options(**METAL_BOX).cut_card_depth is None
    assert options(decks=2, cut_card_depth=45).cut_card_depth == 45


@article("56/2004", "R36")
@pytest.mark.parametrize(
    ("given", "room"),
    [
        ({}, 312 - 6 - 32),
        ({"initial_burn": "single"}, 312 - 1 - 32),
        ({"boxes": 12}, 312 - 6 - 52),
        ({"decks": 2}, 104 - 2 - 32),
    ],
)
def test_the_white_card_leaves_room_for_the_first_round(given: dict[str, Any], room: int) -> None:
    assert options(**given, cut_card_depth=room - 1).cut_card_depth == room - 1
    with pytest.raises(OptionError, match="cut_card_depth"):
        options(**given, cut_card_depth=room)


def test_a_default_that_does_not_fit_is_an_error_too() -> None:
    with pytest.raises(OptionError, match="cut_card_depth"):
        options(decks=2, boxes=20)


@pytest.mark.parametrize("given", [{"dealing_device": "auto_shuffler"}, {"decks": 1}, METAL_BOX])
def test_without_a_second_white_card_its_depth_is_not_compared(given: dict[str, Any]) -> None:
    assert options(**given, cut_card_depth=10_000)
    with pytest.raises(OptionError, match="cut_card_depth"):
        options(**given, cut_card_depth=29)


@article("56/2004", "1(3)")
@pytest.mark.parametrize(
    "other", [{"decks": 2}, {"deal_procedure": 2}, {"round_burn": "each_following_round"}, {"decks": 6}]
)
def test_a_metal_box_goes_with_one_deck_procedure_1_and_no_round_burn(other: dict[str, Any]) -> None:
    assert options(**METAL_BOX).has_hole_card
    with pytest.raises(OptionError, match="metal_box"):
        options(**{**METAL_BOX, **other})


def test_defaults_are_filled_in_before_options_are_checked() -> None:
    for given in ({}, {"decks": 1}, {"deal_procedure": 1}):
        with pytest.raises(OptionError):
            options(dealing_device="metal_box", **given)


def test_nobody_can_be_allowed_more_boxes_than_there_are() -> None:
    with pytest.raises(OptionError, match="max_boxes_per_player"):
        options(boxes=6, max_boxes_per_player=7)


@article("56/2004", "20(1)(2)")
def test_three_bettors_a_box_is_the_law_of_alternative_b_only() -> None:
    for rule in ("seated_decides", "highest_stake_decides"):
        assert options(shared_box_rule=rule, max_bettors_per_box=9).max_bettors_per_box == 9
    with pytest.raises(OptionError, match="max_bettors_per_box"):
        options(shared_box_rule="seated_or_nearest", max_bettors_per_box=4)


# ── Profiles ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_full_regulation_is_every_default() -> None:
    assert options(**REGULATION_FULL) == Options()


def test_the_market_of_2009_is_what_most_casinos_were_reported_to_run() -> None:
    market = options(**MARKET_2009)
    assert market.by_machine and market.decks == 6
    assert not market.special_prize_offered and not market.five_card_claim_offered
    assert market.split_loss_on_bank_blackjack is Loss.ORIGINAL_ONLY
    usual, changed = options_json(Options()), options_json(market)
    assert {name for name in usual if usual[name] != changed.get(name)} == {
        "dealing_device",
        "cut_card_depth",
        "special_prize_offered",
        "five_card_claim_offered",
        "split_loss_on_bank_blackjack",
    }
