"""The house options of 3-Card Baccarat (rulebook, section 3): their values, defaults, and what does not go together."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.errors import OptionError
from tables.games.shared.options import options_json, options_of
from tests.kit import article

from .three_card_kit import GAME, options

SWITCH = ([True, False], [1, 0, "true", None])

# option: its values, its default, values that do not exist
TABLE: dict[str, tuple[list[Any], Any, list[Any]]] = {
    "edition": (["22/96/M"], "22/96/M", ["219/96/M", "22/96", "", None, 22]),
    "decks": ([1, 2, 3, 4, 5, 6, 7, 8], 6, [0, 9, -1, 6.0, "6", True, None, [6]]),
    "player_places": ([1, 2, 7, 8], 7, [0, -1, 9, 7.0, "7", True, None]),
    "white_card_depth": ([30, 33, 40], 30, [29, 41, 0, -30, 30.0, "30", True, None]),
    "deal_style": (["one_by_one", "three_at_once"], "one_by_one", ["two", "", None, 3]),
    "reshuffle_every_round": (SWITCH[0], False, SWITCH[1]),
    "standing_bets": (SWITCH[0], False, SWITCH[1]),
    "odd_even_enabled": (SWITCH[0], True, SWITCH[1]),
    "numbers_enabled": (SWITCH[0], True, SWITCH[1]),
    "tie_enabled": (SWITCH[0], True, SWITCH[1]),
    "min_bet": (
        [0, 100, 5000, {"place": 5000, "points_0": 100}, {}],
        100,
        [-1, 100.0, "100", True, None, [], {"numbers": 1}, {"place": None}, {"place": True}, {"odd": -1}],
    ),
    "max_bet": ([100000, {"three_figures": 5000}, {}], {}, [-1, 1.0, "100", False, None, [], {"points_10": 1}]),
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


@pytest.mark.parametrize("name", ["device", "seats", "boxes", "places", "box"])
def test_what_is_no_option_is_refused(name: str) -> None:
    with pytest.raises(OptionError):
        options(**{name: 1})


def test_no_option_needs_leave() -> None:
    assert not any(about.authorised for about in options_of(GAME.options).values())


@pytest.mark.parametrize(
    ("given", "most"),
    [
        ({}, 8),
        ({"white_card_depth": 31}, 9),
        ({"white_card_depth": 33}, 9),
        ({"white_card_depth": 34}, 10),
        ({"white_card_depth": 40}, 12),
        ({"decks": 2}, 8),
        ({"decks": 8, "reshuffle_every_round": True}, 8),
        ({"decks": 1}, 16),
        ({"decks": 1, "white_card_depth": 40}, 16),
    ],
)
def test_there_are_no_more_places_than_the_pack_can_always_serve(given: dict[str, Any], most: int) -> None:
    assert options(player_places=most, **given).seats == most
    with pytest.raises(OptionError, match="player_places"):
        options(player_places=most + 1, **given)


@article("22/96/M", "T-A16")
def test_t_a16_what_the_later_ordinance_touched_is_left_to_the_house() -> None:
    about = options_of(GAME.options)
    assert {about[name].article for name in ("decks", "deal_style", "player_places")} == {"1(1)", "2(2)", "4(1)"}
    box, shoe = options(decks=1), options(decks=2)
    assert (box.has_box, box.fresh_pack) == (True, True)
    assert (shoe.has_box, shoe.fresh_pack) == (False, False)
