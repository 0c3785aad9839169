"""The house options of Roulette (rulebook, section 4): their values, defaults, what needs an authorisation."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.errors import OptionError
from tables.games.roulette.bets import Family
from tables.games.shared.options import options_json, options_of
from tests.kit import article, bet_on, refusal, view_for

from .roulette_kit import ROULETTE, back, left, opened, options, play

FAMILIES = [family.value for family in Family]

# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (["60/2004"], "60/2004", ["30/2003", "60", "", None, 60]),
    "wheel_order": (["european"], "european", ["american", "", None, 0]),
    "throw_direction": (
        ["alternate", "left_to_right", "right_to_left"], "alternate", ["left", "", None, True],
    ),
    "bets_close": (["before_throw", "on_bell"], "on_bell", ["bell", "", None]),
    "betting_seconds": ([0, 1, 30, 10**12], 30, [-1, 30.0, "30", True, None]),
    "late_seconds": ([0, 8, 86_400], 8, [-1, 8.0, "8", False, None]),
    "null_spin_bets": (["stand", "reopen"], "stand", ["return", "", None]),
    "enabled_bets": (
        [[], ["red_black"], ["straight", "low_high"], FAMILIES],
        FAMILIES,
        [["red"], ["ODD_EVEN"], ["single number"], ["straight", "straight"], "straight", None, {}, [1], ["trio"]],
    ),
    "sector_definition": (["wheel_arcs", "layout_blocks", "off"], "wheel_arcs", ["dozens", "", None, False]),
    "zero_combinations": (["none", "allowed"], "none", ["sold", "", None, True]),
    "min_bet": (
        [0, 100, {"straight": 500, "red": 100, "corner_0": 700}, {}],
        100,
        [-1, 100.0, "100", True, None, [], {"number": 1}, {"red": None}, {"trio": 1}, {"odd": -1}],
    ),
    "max_bet": (
        [100000, {"red_black": 5000, "red": 700}, {}],
        {},
        [-1, 1.0, "100", False, None, [], {"straight_37": 1}, {"twelve": 1}],
    ),
    "auto_leave_winners": ([True, False], False, [1, 0, "true", None]),
}  # fmt: skip


def test_every_option_is_in_the_table() -> None:
    assert set(options_of(ROULETTE.options)) == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_every_option_takes_its_values_and_no_others(name: str) -> None:
    values, usual, wrong = TABLE[name]
    assert options_json(options())[name] == usual
    for value in values:
        assert options_json(options(**{name: value}))[name] == value
    for value in wrong:
        with pytest.raises(OptionError):
            options(**{name: value})


@pytest.mark.parametrize("name", ["decks", "seats", "odds", "surrender", "en_prison"])
def test_what_is_no_option_is_refused(name: str) -> None:
    with pytest.raises(OptionError):
        options(**{name: 1})


@article("60/2004", "R-A11")
def test_only_the_bets_that_the_house_has_chosen_are_offered_at_odds_that_are_fixed() -> None:
    round_ = opened(enabled_bets=["red_black", "low_high"])
    assert [spot.name for spot in view_for(round_, None).spots] == ["low", "high", "red", "black"]
    assert [offer.spot for offer in round_.offers("ana").bets] == ["low", "high", "red", "black"]
    assert refusal(round_, "ana odd 10") == refusal(round_, "ana straight_9 10") == "R-A11"
    assert back(play(9, "ana red 10", "ana low 10", enabled_bets=["red_black", "low_high"])) == {
        "ana red": 20,
        "ana low": 20,
    }
    assert opened(enabled_bets=[]).offers("ana").bets == ()


@article("60/2004", "R-A3")
def test_sectors_are_arcs_of_the_wheel_or_blocks_of_the_layout() -> None:
    arcs = ("ana sector9_1 10", "ana sector9_4 10", "ana sector12_1 10")
    assert back(play(32, *arcs)) == {"ana sector9_1": 40, "ana sector9_4": 0, "ana sector12_1": 30}
    blocks = {"sector_definition": "layout_blocks"}
    assert back(play(32, *arcs[:2], **blocks)) == {"ana sector9_1": 0, "ana sector9_4": 40}
    for edge, name in ((1, 1), (9, 1), (10, 2), (18, 2), (19, 3), (27, 3), (28, 4), (36, 4)):
        assert back(play(edge, f"ana sector9_{name} 1", **blocks)) == {f"ana sector9_{name}": 4}
    assert refusal(opened(**blocks), "ana sector12_1 10") == "R-A3"
    assert refusal(opened(sector_definition="off"), "ana sector9_1 10") == "R-A3"


@article("60/2004", "R-A2")
def test_combinations_with_zero_are_not_offered_or_win_on_zero() -> None:
    combined = {"split_0_1": 18, "split_0_2": 18, "split_0_3": 18, "trio_0_1_2": 12, "trio_0_2_3": 12, "corner_0": 9}
    bets = [f"ana {name} 1" for name in combined]
    assert {refusal(opened(), bet) for bet in bets} == {"R-A2"}
    allowed = {"zero_combinations": "allowed"}
    assert back(play(0, *bets, **allowed)) == {f"ana {name}": due for name, due in combined.items()}
    on_two = {f"ana {name}": due if name not in ("split_0_1", "split_0_3") else 0 for name, due in combined.items()}
    assert back(play(2, *bets, **allowed)) == on_two
    assert refusal(opened(**allowed, enabled_bets=["straight", "street", "corner"]), "ana split_0_1 1") == "R-A11"
    families = {"max_bet": {"split": 5_00, "street": 4_00, "corner": 3_00, "corner_0": 2_00}}
    limited = opened(**allowed, **families)
    assert [refusal(limited, f"ana {name} 6") for name in combined] == ["maximum"] * 6
    assert {offer.spot: offer.most for offer in limited.offers("ana").bets if offer.spot in combined} == {
        **dict.fromkeys(("split_0_1", "split_0_2", "split_0_3"), 5_00),
        **dict.fromkeys(("trio_0_1_2", "trio_0_2_3"), 4_00),
        "corner_0": 2_00,
    }


@article("60/2004", "minimum")
@article("60/2004", "maximum")
def test_a_spots_own_limit_goes_before_that_of_its_family() -> None:
    limits = {"min_bet": {"straight": 500, "straight_0": 1000}, "max_bet": {"straight_0": 2000, "straight": 5000}}
    round_ = opened(**limits)
    assert refusal(round_, "ana straight_0 9") == refusal(round_, "ana straight_1 4") == "minimum"
    assert refusal(round_, "ana straight_0 21") == refusal(round_, "ana straight_1 51") == "maximum"
    bet_on(round_, "ana straight_0 20", "ana straight_1 5", "ana straight_2 50", "ana red 1", "ana black 100000")


@article("60/2004", "R-A12")
def test_a_winning_stake_is_credited_or_left_on_its_spot() -> None:
    bets = ("ana red 10", "ana black 10", "ana straight_9 1")
    credited = play(9, *bets)
    assert (back(credited), left(credited)) == ({"ana red": 20, "ana black": 0, "ana straight_9": 36}, {})
    stays = play(9, *bets, auto_leave_winners=True)
    assert back(stays) == {"ana red": 10, "ana black": 0, "ana straight_9": 35}
    assert left(stays) == {"ana red": 10, "ana straight_9": 1}
    assert all(stake.carried for stake in stays.carried())
    assert dict(stays.in_escrow()) == {"ana red": 10_00, "ana straight_9": 1_00}
