"""The house options of Cussec (rulebook, section 3): their values and defaults, and what each does."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.actions import Step
from tables.games.contract.errors import OptionError
from tables.games.cussec.bets import SPOTS
from tables.games.shared.options import options_json, options_of
from tests.kit import article, bet_on, close, refusal, returned, view_for

from .cussec_kit import GAME, betting, carried, opened, options, play, rung

SWITCH = ([True, False], [1, 0, "true", None])

# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (["57/2004"], "57/2004", ["31/2003", "21/96/M", "", None, 57]),
    "odd_even_enabled": (SWITCH[0], True, SWITCH[1]),
    "four_numbers_enabled": (SWITCH[0], True, SWITCH[1]),
    "shake_timing": (["before_betting", "after_betting"], "before_betting", ["before", "", None, 1]),
    "shakes": ([3, 4, 12], 3, [2, 0, -3, 3.0, "3", True, None]),
    "cocked_dice": (["void_return", "reshake_bets_stand"], "void_return", ["void", "", None, False]),
    "betting_seconds": ([0, 1, 30, 600], 30, [-1, 30.0, "30", True, None]),
    "min_bet": (
        [0, 100, 5000, {"big": 5000, "total": 100, "total_4": 200}, {}],
        100,
        [-1, 100.0, "100", True, None, [], {"any": 1}, {"total_3": 1}, {"pair": None}, {"odd": -1}],
    ),
    "max_bet": (
        [100_000, {"single": 5000, "any_triple": 100}, {}],
        {},
        [-1, 1.0, "100", False, None, [], {"big_small": 1}, {"four_1235": 1}],
    ),
    "auto_leave_winners": (SWITCH[0], False, SWITCH[1]),
}


def test_every_option_is_in_the_table() -> None:
    assert set(options_of(GAME.options)) == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_every_option_takes_its_values_and_no_others(name: str) -> None:
    values, usual, wrong = TABLE[name]
    assert options_json(options())[name] == usual
    for value in values:
        assert options_json(options(**{name: value}))[name] == value
    for value in wrong:
        with pytest.raises(OptionError):
            options(**{name: value})


@pytest.mark.parametrize("name", ["odds", "seats", "total_odds", "late_seconds", "dice"])
def test_what_is_no_option_is_refused(name: str) -> None:
    with pytest.raises(OptionError):
        options(**{name: 1})


@pytest.mark.parametrize(
    ("given", "unsold", "why"),
    [
        ({"odd_even_enabled": False}, {"odd", "even"}, "C-A8"),
        ({"four_numbers_enabled": False}, {"four_1234", "four_2345", "four_2356", "four_3456"}, "C-A6"),
    ],
    ids=["odd and even", "four numbers"],
)
def test_what_the_house_does_not_sell_is_neither_offered_nor_taken(
    given: dict[str, Any], unsold: set[str], why: str
) -> None:
    round_ = betting(**given)
    assert {offer.spot for offer in round_.offers("ana").bets} == set(SPOTS) - unsold
    assert {spot.name for spot in view_for(round_, None).spots} == set(SPOTS) - unsold
    for spot in unsold:
        assert refusal(round_, f"ana {spot} 10") == why
        assert betting(f"ana {spot} 10").stakes()


def test_what_was_left_on_a_spot_that_is_not_sold_any_more_plays_on() -> None:
    about = {"odd_even_enabled": False, "auto_leave_winners": True}
    round_ = betting(carried=("ana odd 10",), **about)
    assert [(spot.total, spot.sold) for spot in view_for(round_, None).spots if spot.name == "odd"] == [(10_00, False)]
    assert refusal(round_, "ana odd 10") == "C-A8"
    assert returned(play("1 2 4", "ana odd 10 carried", **about)) == {"ana odd": 10_00}


@article("57/2004", "minimum")
@article("57/2004", "maximum")
def test_limits_by_spot_go_before_those_by_family() -> None:
    round_ = betting(
        min_bet={"total": 10_00, "total_9": 5_00, "big": 2_00},
        max_bet={"pair": 20_00, "pair_1_2": 30_00, "single_6": 1_50},
    )
    for spot, least in {"total_9": 5, "total_10": 10, "big": 2, "small": 1, "odd": 1}.items():
        assert bet_on(round_, f"ana {spot} {least}").stakes()
        if least > 1:
            assert refusal(round_, f"ana {spot} {least - 1}") == "minimum"
    for spot, most in {"pair_1_2": 30, "pair_1_3": 20, "single_6": 1}.items():
        assert bet_on(round_, f"ana {spot} {most}").stakes()
        assert refusal(round_, f"ana {spot} {most + 1}") == "maximum"
    offered = {offer.spot: (offer.least, offer.most, offer.step) for offer in round_.offers("ana").bets}
    assert offered["total_9"] == (5_00, None, 1_00) and offered["total_12"] == (10_00, None, 1_00)
    assert offered["pair_1_2"] == (1_00, 30_00, 1_00) and offered["single_6"] == (1_00, 1_00, 1_00)


@article("57/2004", "maximum")
def test_the_maximum_counts_all_stakes_of_a_bettor_on_a_spot() -> None:
    round_ = betting("ana big 30 as a", "ana big 20 as b", carried=("ana big 40 as c",), max_bet=100_00,
                     auto_leave_winners=True)  # fmt: skip
    assert refusal(round_, "ana big 11 as d") == "maximum"
    assert {offer.spot: offer.most for offer in round_.offers("ana").bets}["big"] == 10_00
    assert {offer.spot: offer.most for offer in round_.offers("rui").bets}["big"] == 100_00
    full = bet_on(round_, "ana big 10 as d", "rui big 100")
    assert "big" not in {offer.spot for offer in full.offers("ana").bets}
    assert {spot.name: (spot.total, spot.bettors) for spot in view_for(full, None).spots}["big"] == (200_00, 2)


@article("57/2004", "credits")
@pytest.mark.parametrize("amount", ["0", "-1", "0.5", "1.5"])
def test_a_stake_is_whole_credits(amount: str) -> None:
    assert refusal(betting(), f"ana big {amount}") == "credits"


@article("57/2004", "C-A9")
def test_after_betting_the_dice_are_shaken_when_the_bell_has_rung() -> None:
    assert opened().phase == "shake"
    round_ = betting("ana big 10", shake_timing="after_betting")
    assert (round_.phase, round_.seal) == ("betting", None)
    closed = close(round_)
    assert closed.phase == "shake_after" and not view_for(closed, None).shaken
    assert rung("ana big 10", shake_timing="after_betting").phase == "no_more_bets"
    assert returned(play("5 5 4", "ana big 10", shake_timing="after_betting")) == {"ana big": 20_00}


def test_time_for_bets_is_the_option_of_the_table() -> None:
    assert GAME.seconds(betting(betting_seconds=45)) == 45
    assert GAME.seconds(betting(betting_seconds=10**12)) == 86_400
    assert GAME.seconds(opened()) is None and GAME.seconds(rung()) is None


def test_the_lever_is_pressed_as_often_as_the_house_says() -> None:
    assert view_for(betting(), None).shakes == 3 and view_for(betting(shakes=5), None).shakes == 5


@article("57/2004", "stays")
def test_a_winning_stake_stays_where_the_house_leaves_it() -> None:
    bets = ("ana single_3 10", "ana odd 10", "ana even 10")
    round_ = play("3 3 5", *bets, auto_leave_winners=True)
    assert returned(round_) == {"ana single_3": 20_00, "ana odd": 10_00, "ana even": 0}
    assert carried(round_) == {"ana single_3": 10_00, "ana odd": 10_00}
    assert round_.in_escrow() == carried(round_)
    assert carried(play("3 3 5", *bets)) == {}


@article("57/2004", "stays")
def test_what_was_left_goes_back_before_betting_when_the_house_leaves_nothing_any_more() -> None:
    round_ = opened("ana big 10", "rui odd 20")
    assert round_.phase == "return" and round_.in_escrow("ana") == {"ana big": 10_00}
    assert [note.article for note in view_for(round_, None).notes] == ["stays"]
    due = round_.next_house_step()
    assert isinstance(due, Step)
    after = round_.apply(due.action)
    assert (after.phase, after.in_escrow(), after.stakes()) == ("shake", {}, ())
    assert GAME.carries(options(auto_leave_winners=True)) and not GAME.carries(options())
