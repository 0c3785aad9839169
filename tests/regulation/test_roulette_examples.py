"""The worked examples of the rulebook, section 11, in credits."""

from __future__ import annotations

import pytest

from tables.games.contract.actions import CloseBets, Unseal
from tests.kit import bet_on, refusal

from .roulette_kit import NULL, back, opened, play, rolled, seal

EXAMPLES = {
    1: (0, "straight_0 10=360 red 100=0 even 100=0 low 100=0 column_1 50=0 dozen_small 50=0", (410, 360)),
    2: (
        17,
        """straight_17 10=360 split_17_18 10=180 split_14_17 10=180 street_16 10=120 corner_13 10=90 corner_17 10=90
        line_13 10=60 column_2 10=30 dozen_middle 10=30 sector9_1 10=40 sector12_1 10=30 low 10=20 odd 10=20
        black 10=20""",
        (140, 1270),
    ),
    3: (
        36,
        """straight_36 5=180 split_35_36 5=90 street_34 5=60 line_31 5=30 column_3 5=15 dozen_big 5=15 high 5=10
        even 5=10 red 5=10""",
        (45, 420),
    ),
    4: (
        1,
        """low 100=200 odd 100=200 red 100=200 dozen_small 100=300 column_1 100=300 sector9_3 100=400
        sector12_2 100=300""",
        (700, 1900),
    ),
    5: (18, "low 50=100 high 50=0", (100, 100)),
    6: (19, "low 50=0 high 50=100", (100, 100)),
    7: (12, "dozen_small 20=60 dozen_middle 20=0 column_3 20=60", (60, 120)),
    8: (13, "dozen_small 20=0 dozen_middle 20=60 sector12_1 20=60 sector12_2 20=0", (80, 120)),
    9: (26, "sector9_4 40=160 sector12_3 40=120 black 40=80 even 40=80", (160, 440)),
    10: (34, "sector9_1 40=160 sector9_2 40=0 corner_31 10=90 street_31 10=0", (100, 250)),
    11: (6, "sector9_1 40=0 sector9_2 40=160 black 10=20", (90, 180)),
    12: (2, "split_1_2 10=180 split_2_3 10=180 split_2_5 10=180 corner_1 10=90 corner_2 10=90", (50, 720)),
    13: (10, "black 10=20 even 10=20 low 10=20", (30, 60)),
    14: (29, "black 10=20 odd 10=20 high 10=20", (30, 60)),
    16: (
        0,
        """sector9_1 10=0 sector9_2 10=0 sector9_3 10=0 sector9_4 10=0
        sector12_1 10=0 sector12_2 10=0 sector12_3 10=0""",
        (70, 0),
    ),
}


@pytest.mark.parametrize("at", EXAMPLES)
def test_a_worked_example_comes_out_as_the_rulebook_says(at: int) -> None:
    number, text, (staked, returned) = EXAMPLES[at]
    names, amounts = text.split()[::2], [pair.split("=") for pair in text.split()[1::2]]
    spin = play(number, *(f"ana {name} {amount}" for name, (amount, _) in zip(names, amounts, strict=True)))
    assert back(spin) == {f"ana {name}": int(due) for name, (_, due) in zip(names, amounts, strict=True)}
    assert sum(stake.amount for stake in spin.stakes()) == staked * 100
    assert sum(back(spin).values()) == returned
    assert spin.result() == {"number": number}


def test_example_15_all_numbers_together_lose_one_stake_whatever_comes_up() -> None:
    for number in range(37):
        assert sum(back(play(number, *(f"ana straight_{n} 10" for n in range(37)))).values()) == 360


def test_example_17_after_a_null_spin_the_same_bets_play() -> None:
    round_ = bet_on(opened(), "ana red 100").apply(CloseBets())
    while round_.phase != "no_more_bets":
        round_ = round_.apply(round_.next_house_step().action)
    again = seal(round_.apply(NULL))
    with pytest.raises(AssertionError):
        again.apply(Unseal(values=(9,)))  # the ball has not been thrown again
    assert back(rolled(again, 9)) == {"ana red": 200}


@pytest.mark.parametrize("spot", ["split_0_1", "split_3_4", "corner_3", "line_34", "street_2"])
def test_example_18_impossible_spots_are_refused(spot: str) -> None:
    assert refusal(opened(), f"ana {spot} 10") in ("7", "R-A2")
