"""A house for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.kit import House


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()
