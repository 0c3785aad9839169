"""The simulation of the main game plays the rules: its loop and the engine come to the same, card by card."""

from __future__ import annotations

import pytest

from tests.bench.simulation import COLUMNS, HARD, PAIRS, SOFT, Pack, check, gives_up, net_of, simulated


def test_its_rounds_come_to_the_same_by_the_engine() -> None:
    check(300, "tested")


def test_the_strategy_has_an_answer_to_everything() -> None:
    for table, totals in ((HARD, range(4, 22)), (SOFT, range(12, 22)), (PAIRS, range(1, 11))):
        assert list(table) == list(totals)
        assert all(len(row) == len(COLUMNS) for row in table.values())


@pytest.mark.parametrize(
    ("cards", "up", "given_up"),
    [
        ((10, 4), 10, True),
        ((7, 7), 10, True),
        ((8, 8), 10, True),
        ((10, 3), 10, False),
        ((10, 7), 10, False),
        ((1, 5), 10, False),
        ((9, 7), 9, True),
        ((8, 8), 9, False),
        ((10, 6), 8, False),
        ((10, 6), 1, False),
    ],
)
def test_what_is_surrendered_early(cards: tuple[int, int], up: int, given_up: bool) -> None:
    assert gives_up(*cards, up) == given_up


def test_the_same_seed_gives_the_same_rounds_and_each_from_a_whole_pack() -> None:
    one, other = simulated(2_000, "seed"), simulated(2_000, "seed")
    assert (one.net, one.squares, one.staked) == (other.net, other.squares, other.staked)
    assert simulated(2_000, "another").net != one.net
    shoe = Pack("whole")
    for _ in range(50):
        net_of(shoe)
        assert sorted(shoe.order) == list(range(312))
