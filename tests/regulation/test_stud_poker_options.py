"""The house options of Stud Poker (rulebook, section 2): every value, the default, and what does not go together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tables.games.contract.errors import OptionError
from tables.games.shared.options import options_json, options_of, read_options
from tables.games.stud_poker.articles import ARTICLES
from tables.games.stud_poker.bets import SPOTS
from tables.games.stud_poker.options import DecisionMode, Options, Shuffle
from tables.games.values.money import CREDIT
from tests.kit import article, bet_on

from .stud_kit import opened


def options(**given: Any) -> Options:
    """House options by name, in the JSON that the record writes (amounts in cents)."""
    return read_options(Options, given)


SWITCH = ([True, False], [1, 0, "true", None])
NO_SUM = [-1, 1.0, "100", True, None, [], {}, {"ante": 100}]
NO_STAKE = [0, -100, 50, 150, 2_501, 100.0, "100", True, None, [], {"ante": 100}]


def fixed(default: int) -> tuple[list[Any], Any, list[Any]]:
    return [0, 1, 12_345, default, 10**12], default, NO_SUM


# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (["61/2004"], "61/2004", ["61", "2004", "", "61/2004+69/2003", None, 61]),
    "royal_flush_odds": ([50, 51, 77, 100], 100, [49, 101, 0, -50, 50.0, "50", True, None, "1/2", [50]]),
    "raise_payout_cap": ([140_000_00, 140_000_01, 10**12], 500_000_00, [139_999_99, 0, *NO_SUM]),
    "shuffle_method": (["manual_shoe", "shuffler"], "shuffler", ["shoe", "SHUFFLER", "", None, 1, ["shuffler"]]),
    "jackpot_fixed_royal_flush": fixed(500_000_00),
    "jackpot_fixed_straight_flush": fixed(50_000_00),
    "jackpot_fixed_four_of_a_kind": fixed(12_500_00),
    "jackpot_fixed_full_house": fixed(2_500_00),
    "jackpot_fixed_flush": fixed(1_250_00),
    "jackpot_minimum": fixed(500_000_00),
    "jackpot_stake": ([100, 2_500, 10_000_00], 2_500, NO_STAKE),
    "jackpot_contribution": (
        ["7/10", "1/3", "1", "0", "99/100"],
        "7/10",
        ["11/10", "2", "-1/2", "1/0", "0.7", "70%", "", " 7/10", "7/10\n", 0.7, 1, True, None],
    ),
    "fixed_prizes_reduce_pool": (SWITCH[0], True, SWITCH[1]),
    "min_ante": ([100, 5_000, 10_000_00], 100_00, NO_STAKE),
    "max_ante": ([100_00, 10_000_00, 20_000_00], 10_000_00, NO_STAKE),
    "decision_mode": (["simultaneous", "in_turn"], "simultaneous", ["turn", "SIMULTANEOUS", "", None, True]),
    "timeout_action": (["fold"], "fold", ["raise", "stand", "", None]),
}


def test_every_option_is_in_the_table() -> None:
    assert set(options_of(Options)) == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_each_value_of_an_option_is_accepted_and_kept(name: str) -> None:
    for value in TABLE[name][0]:
        made = options(**{name: value})
        assert options_json(made)[name] == value
        assert read_options(Options, options_json(made)) == made


def test_options_left_out_have_their_defaults() -> None:
    assert options_json(options()) == {name: default for name, (_, default, _) in TABLE.items()}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, _, wrong) in TABLE.items() for value in wrong])
def test_another_value_or_type_is_an_error_that_names_the_option(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        options(**{name: value})


@pytest.mark.parametrize("wrong", [None, [], "min_ante", {"seats": 7}, {"min_bet": 100}, {"max_bet": 100}, {"": 1}])
def test_options_are_an_object_of_known_names(wrong: Any) -> None:
    with pytest.raises(OptionError):
        read_options(Options, wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"jackpot_contribution": 1},
        {"jackpot_contribution": "7/10"},
        {"shuffle_method": "shuffler"},
        {"decision_mode": Shuffle.SHUFFLER},
        {"royal_flush_odds": 75.0},
        {"fixed_prizes_reduce_pool": 1},
    ],
)
def test_options_made_in_python_are_checked_as_strictly(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Options(**wrong)
    made = Options(jackpot_contribution=Fraction(1, 2), decision_mode=DecisionMode.IN_TURN)
    assert options_json(made)["jackpot_contribution"] == "1/2"


@pytest.mark.parametrize("name", [name for name, about in options_of(Options).items() if about.article])
def test_every_option_cites_an_article_that_exists(name: str) -> None:
    assert options_of(Options)[name].article in ARTICLES


# ── What goes together ──────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "R6")
def test_a_full_house_may_not_win_more_than_the_cap() -> None:
    for max_ante in (100_00, 10_000_00, 25_000_00):
        least = 7 * 2 * max_ante
        assert options(max_ante=max_ante, raise_payout_cap=least).raise_payout_cap == least
        with pytest.raises(OptionError, match="raise_payout_cap"):
            options(max_ante=max_ante, raise_payout_cap=least - 1)


@article("61/2004", "minimum")
@article("61/2004", "maximum")
def test_the_minimum_ante_is_not_above_the_maximum() -> None:
    assert options(min_ante=300_00, max_ante=300_00).min_bet == (("ante", 300_00),)
    with pytest.raises(OptionError, match="min_ante"):
        options(min_ante=301_00, max_ante=300_00)


def test_what_is_only_recommended_is_not_demanded() -> None:
    assert options(jackpot_minimum=1_000_00).jackpot_fixed_royal_flush == 500_000_00
    assert options(jackpot_fixed_straight_flush=400_000_00).jackpot_minimum == 500_000_00
    assert options(jackpot_fixed_flush=13_000_00).jackpot_fixed_full_house == 2_500_00


# ── Editions ────────────────────────────────────────────────────────────────────────────────────────────────


@article("61/2004", "9(5)(9)")
def test_under_69_2003_a_royal_flush_pays_50_and_there_is_nothing_to_choose() -> None:
    older = options(edition="69/2003")
    assert older.royal_odds == 50
    assert "royal_flush_odds" not in options_json(older)
    assert read_options(Options, options_json(older)) == older
    assert options(edition="69/2003", royal_flush_odds=50) == older
    for odds in (51, 100):
        with pytest.raises(OptionError, match="royal_flush_odds"):
            options(edition="69/2003", royal_flush_odds=odds)


@article("61/2004", "9(5)(9)")
def test_the_editions_differ_in_nothing_else() -> None:
    ours, older = options_json(options()), options_json(options(edition="69/2003"))
    assert {name for name in ours if older.get(name) != ours[name]} == {"edition", "royal_flush_odds"}
    assert options(royal_flush_odds=50).royal_odds == 50 and options().royal_odds == 100


# ── Leave, seats, spots ─────────────────────────────────────────────────────────────────────────────────────


def test_what_is_staked_before_the_cards_belongs_to_a_box_and_a_raise_is_no_spot() -> None:
    assert {name: (spot.article, spot.boxed, spot.single, spot.carries) for name, spot in SPOTS.items()} == {
        "ante": ("5(1)", True, True, False),
        "jackpot": ("5(2)", True, True, True),
    }


@article("61/2004", "jackpot")
def test_the_jackpot_stake_is_a_fixed_amount_in_whole_credits() -> None:
    for stake in (25 * CREDIT, 40 * CREDIT):
        round_ = bet_on(opened(seats={"ana": 1}, jackpot_stake=stake), "ana ante 100 box 1")
        (offer,) = (offer for offer in round_.offers("ana").bets if offer.spot == "jackpot")
        assert (offer.least, offer.most) == (stake, stake)
    for wrong in (25 * CREDIT + 1, CREDIT // 2, 0, -CREDIT):
        with pytest.raises(OptionError, match="jackpot_stake"):
            options(jackpot_stake=wrong)
