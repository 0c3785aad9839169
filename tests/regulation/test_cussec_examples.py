"""The worked examples of Cussec (rulebook, section 10): what each bet gets back, and what the bettor has of it."""

from __future__ import annotations

import pytest

from tables.games.contract.actions import NullThrow
from tests.kit import returned

from .cussec_kit import finish, play, rung

EXAMPLES = {
    "3 3 3": (
        (
            "small 100 → 0; odd 100 → 0; total_9 10 → 70; double_3 10 → 90; triple_3 10 → 1510; any_triple 10 → 250; "
            "single_3 10 → 40; pair_3_4 10 → 0"
        ),
        (260, 1960, 1700),
    ),
    "1 1 1": (
        "small 100 → 0; odd 50 → 0; triple_1 10 → 1510; any_triple 10 → 250; double_1 10 → 90; single_1 10 → 40",
        (190, 1890, 1700),
    ),
    "6 6 6": ("big 100 → 0; even 100 → 0; triple_6 1 → 151; single_6 10 → 40", (211, 191, -20)),
    "1 1 2": (
        (
            "small 100 → 200; even 100 → 200; total_4 10 → 510; double_1 10 → 90; single_1 10 → 30; single_2 10 → 20; "
            "pair_1_2 10 → 60"
        ),
        (250, 1110, 860),
    ),
    "6 6 5": (
        "big 100 → 200; odd 100 → 200; total_17 10 → 510; double_6 10 → 90; pair_5_6 10 → 60; any_triple 10 → 0",
        (240, 1060, 820),
    ),
    "4 3 3": (
        (
            "small 100 → 200; even 100 → 200; total_10 10 → 70; pair_3_4 10 → 60; single_3 20 → 60; single_4 20 → 40; "
            "four_1234 10 → 0"
        ),
        (270, 630, 360),
    ),
    "5 4 2": (
        (
            "big 100 → 200; odd 100 → 200; total_11 10 → 70; pair_2_5 10 → 60; pair_4_5 10 → 60; pair_2_4 10 → 60; "
            "four_2345 10 → 80; four_1234 10 → 0"
        ),
        (260, 730, 470),
    ),
    "6 5 3": (
        "four_3456 10 → 80; four_2356 10 → 80; total_14 10 → 130; big 100 → 200; even 100 → 200",
        (230, 690, 460),
    ),
    "2 2 2": ("total_6 10 → 150; small 50 → 0; even 50 → 0; double_2 10 → 90; triple_3 10 → 0", (130, 240, 110)),
    "5 5 5": ("total_15 10 → 150; big 100 → 0; odd 100 → 0; any_triple 10 → 250", (220, 400, 180)),
    "4 4 4": ("total_12 10 → 70; even 100 → 0; single_4 30 → 120", (140, 190, 50)),
    "1 6 3": ("small 100 → 200; even 100 → 200; single_2 10 → 0; total_10 10 → 70", (220, 470, 250)),
    "1 2 2": ("total_5 10 → 190; odd 10 → 20; small 10 → 20", (30, 230, 200)),
    "6 6 4": ("total_16 10 → 190; even 10 → 20; big 10 → 20; double_6 10 → 90; double_4 10 → 0", (50, 320, 270)),
    "1 2 3": (
        "single_1 10 → 20; single_2 10 → 20; single_3 10 → 20; single_4 10 → 0; single_5 10 → 0; single_6 10 → 0",
        (60, 60, 0),
    ),
    "5 5 2": (
        "single_1 10 → 0; single_2 10 → 20; single_3 10 → 0; single_4 10 → 0; single_5 10 → 30; single_6 10 → 0",
        (60, 50, -10),
    ),
    " 4 4 4": (
        "single_1 10 → 0; single_2 10 → 0; single_3 10 → 0; single_4 10 → 40; single_5 10 → 0; single_6 10 → 0",
        (60, 40, -20),
    ),
}


@pytest.mark.parametrize("shown", EXAMPLES)
def test_a_worked_example_of_the_rulebook(shown: str) -> None:
    text, (staked, back, net) = EXAMPLES[shown]
    bets = [bet.split(" → ") for bet in text.split("; ")]
    round_ = play(shown, *(f"ana {bet}" for bet, _ in bets))
    assert returned(round_) == {f"ana {bet.split()[0]}": int(credits) * 100 for bet, credits in bets}
    payouts = round_.payouts()
    assert sum(payout.stake for payout in payouts) == staked * 100
    assert sum(payout.returned for payout in payouts) == back * 100 == (staked + net) * 100


def test_example_18_a_cocked_die_returns_every_stake() -> None:
    round_ = finish(rung("ana big 10", "ana pair_1_2 5", "rui triple_6 1").apply(NullThrow(reason="cocked")), "")
    assert round_.is_void
    assert returned(round_) == {"ana big": 10_00, "ana pair_1_2": 5_00, "rui triple_6": 1_00}
