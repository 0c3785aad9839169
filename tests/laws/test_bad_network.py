"""Rounds on a network that drops, doubles, delays and reorders: a few of those that `make torture` plays."""

from __future__ import annotations

import pytest

from tables.games import GAMES
from tests.extent import times
from tests.torture.simulator import run


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_lost_or_done_twice_and_no_screen_stays_behind(game: str) -> None:
    found = run([game], times(100), seed=1, seconds=600)
    assert found["violations"] == []
    assert found["rounds"] == times(100) and found["screens"] > found["rounds"]
    assert all(found["faults"][name] for name in ("dropped", "doubled", "delayed", "line broken"))
