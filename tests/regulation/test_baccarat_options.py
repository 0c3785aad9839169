"""The house options of Baccarat (rulebook, section 3): every value, the default, and what does not go together."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games import GAMES
from tables.games.contract.errors import OptionError
from tables.games.shared.options import options_json, options_of, read_options
from tests.kit import article, options

BACCARAT = GAMES["baccarat"]

# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (
        ["55/2004", "55/2004+73/2005", "55/2004+83/2011"],
        "55/2004+83/2011",
        ["73/2005", "", "55/2004+56/2018", None, 55],
    ),
    "decks": ([6, 7, 8, 9, 10, 11, 12], 8, [5, 13, 0, -8, 8.0, "8", True, None, [8]]),
    "layouts": ([1, 2], 1, [0, 3, True, 1.0]),
    "seats": ([7, 8, 14, 20], 7, [6, 0, -7, 7.5, "7", True]),
    "dealing_device": (["shoe", "auto_machine"], "shoe", ["box", "SHOE", "", None, 1, ["shoe"]]),
    "cut_card_depth": ([12, 13, 14, 60], 14, [11, 0, -14, 14.0, "14", True, 416]),
    "burn_mode": (["by_decks", "by_first_card"], "by_decks", ["none", "by_deck", None]),
    "burn_indicator": (["extra", "counted"], "extra", ["none", None, True]),
    "demo_rounds": ([0, 1, 2, 3], 0, [4, -1, True, "1", 1.0]),
    "last_round_rule": (["current_is_last", "one_more_round"], "current_is_last", ["two_more_rounds", None]),
    "burn_each_round": ([0, 1], 0, [2, -1, True, False, "1"]),
    "tie_policy": (["free", "no_move", "return", "no_reduce"], "free", ["move", "", None, {}]),
    "pairs_enabled": ([True, False], True, [1, 0, "true", None]),
    "pair_requires_main": ([True, False], True, [1, 0, "true", None]),
    "imbalance_limit": ([None, 0, 100000], None, [-1, 1000.0, "1000", True, {}]),
    "hold_cards": ([True, False], True, [1, 0, "no", None]),
    "squeeze": ([True, False], False, [1, 0, "yes", None]),
    "squeeze_seconds": ([5, 8, 30], 8, [4, 31, 0, -8, 8.0, "8", True, None]),
    "commission_mode": (["five_percent", "no_commission_six_half"], "five_percent", ["none", 5, None]),
    "banker_multiple_of_min": ([True, False], True, [1, 0, None]),
    "lucky_six": ([True, False], False, [1, 0, "yes", None]),
    "min_bet": (
        [100, 5000, {"tie": 5000, "player": 100}, {}],
        100,
        [-1, 100.0, "100", True, None, [], {"hand": 1}, {"tie": None}, {"tie": True}, {"tie": -1}, {"pair": 1}],
    ),
    "max_bet": (
        [100000, {"tie": 5000}, {}],
        {},
        [-1, 1.0, "100", False, None, [], {"hand": 1}, {"tie": "1"}, {"tie": -1}],
    ),
}


def test_every_option_is_in_the_table() -> None:
    assert set(options_of(BACCARAT.options)) == {*TABLE, "burn_fixed_n"}


@pytest.mark.parametrize("name", TABLE)
def test_each_value_of_an_option_is_accepted_and_kept(name: str) -> None:
    for value in TABLE[name][0]:
        made = options(**{name: value})
        assert options_json(made).get(name) == value
        assert read_options(BACCARAT.options, options_json(made)) == made


@pytest.mark.parametrize("name", TABLE)
def test_an_option_left_out_has_its_default(name: str) -> None:
    assert options_json(options()).get(name) == TABLE[name][1]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, _, wrong) in TABLE.items() for value in wrong])
def test_another_value_or_type_is_an_error_that_names_the_option(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        options(**{name: value})


@pytest.mark.parametrize("wrong", [None, [], "decks", 8, {"Decks": 8}, {"": 1}])
def test_options_are_an_object_of_known_names(wrong: Any) -> None:
    with pytest.raises(OptionError):
        read_options(BACCARAT.options, wrong)


@pytest.mark.parametrize("name", [name for name, about in options_of(BACCARAT.options).items() if about.article])
def test_every_option_cites_an_article_that_exists(name: str) -> None:
    assert options_of(BACCARAT.options)[name].article in BACCARAT.articles


@article("55/2004", "2(1)")
def test_the_fixed_burn_and_its_number_go_together_and_only_they() -> None:
    for number in range(1, 9):
        assert options(burn_mode="fixed_n", burn_fixed_n=number).burn_fixed_n == number
    for wrong in (
        {"burn_mode": "fixed_n"},
        {"burn_fixed_n": 3},
        {"burn_mode": "by_first_card", "burn_fixed_n": 3},
        {"burn_mode": "fixed_n", "burn_fixed_n": 0},
        {"burn_mode": "fixed_n", "burn_fixed_n": 9},
        {"burn_mode": "fixed_n", "burn_fixed_n": None},
        {"burn_mode": "fixed_n", "burn_fixed_n": True},
    ):
        with pytest.raises(OptionError):
            options(**wrong)


@article("55/2004", "B-A3")
def test_at_least_twelve_cards_lie_behind_the_white_card() -> None:
    with pytest.raises(OptionError):
        options(cut_card_depth=11)
    for rule, burn in (("one_more_round", 1), ("one_more_round", 0), ("current_is_last", 1), ("current_is_last", 0)):
        made = options(cut_card_depth=12, last_round_rule=rule, burn_each_round=burn)
        worst = (5 + 6 if rule == "one_more_round" else 6) + burn
        assert made.least_depth == worst <= 12


def test_the_white_card_lies_within_the_pack() -> None:
    assert options(decks=6, cut_card_depth=311)
    with pytest.raises(OptionError):
        options(decks=6, cut_card_depth=312)


@pytest.mark.parametrize(
    ("option", "since"),
    [
        ({"commission_mode": "no_commission_six_half"}, "55/2004+73/2005"),
        ({"burn_mode": "fixed_n", "burn_fixed_n": 3}, "55/2004+83/2011"),
        ({"lucky_six": True}, "55/2004+83/2011"),
    ],
)
def test_an_edition_knows_nothing_of_what_a_later_dispatch_brought(option: dict[str, Any], since: str) -> None:
    known = BACCARAT.editions.index(since)
    for at, edition in enumerate(BACCARAT.editions):
        if at >= known:
            assert options(edition=edition, **option).edition == edition
        else:
            with pytest.raises(OptionError, match=edition.replace("+", r"\+")):
                options(edition=edition, **option)


def test_at_a_machine_the_options_of_the_shoe_are_not_compared() -> None:
    for ignored in ({"burn_fixed_n": 3}, {"burn_mode": "fixed_n"}, {"cut_card_depth": 10_000}):
        assert options(dealing_device="auto_machine", **ignored).by_machine


@pytest.mark.parametrize("wrong", [{"decks": 8.0}, {"lucky_six": 1}, {"tie_policy": "free"}])
def test_options_made_in_python_are_checked_as_strictly(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        BACCARAT.options(**wrong)
