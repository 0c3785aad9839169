"""A mapping in layers (`Layered`) is what a dictionary is to which its keys came one after the other."""

from __future__ import annotations

from random import Random  # noqa: TID251 (no chance of the house)

import pytest

from tables.games.values.layered import SMALL, Layered


def test_each_mapping_stays_what_it_was_when_others_are_made_of_it() -> None:
    chance = Random(7)
    held: dict[int, int] = {0: 0}
    now = Layered({0: 0})
    made = [(now, held)]
    for step in range(8 * SMALL):
        if chance.random() < 0.02:
            now, held = chance.choice(made)  # two may be made of one
        key = chance.randrange(300)
        assert (key in now) == (key in held)
        now, held = now.having(key, step), {**held, key: step}
        assert now[key] == step
        if chance.random() < 0.02:
            assert now.whole() == held  # and the next ones are made of what was put together
        made.append((now, held))
    for mapping, same in made:
        assert all(mapping[key] == value for key, value in same.items())
        assert mapping.of(reversed(same)) == tuple(same[key] for key in reversed(same))
        assert list(mapping.items()) == list(same.items())
        assert list(reversed(mapping)) == list(reversed(same))
        assert len(mapping) == len(same) and mapping.get(-1) is None
    with pytest.raises(KeyError):
        now[-1]


def test_two_are_equal_when_they_hold_the_same_however_they_came_to_it() -> None:
    one_by_one = Layered[int, int]({})
    for key in range(3 * SMALL):
        one_by_one = one_by_one.having(key, key)
    at_once = Layered({key: key for key in range(3 * SMALL)})
    assert one_by_one == at_once == {key: key for key in range(3 * SMALL)}
    assert one_by_one.having(0, 1) != at_once
