"""A house for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings

from .kit import House


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs real row locks runs where they are."""
    if settings.ON_SQLITE:
        for item in items:
            if item.get_closest_marker("postgresql"):
                item.add_marker(pytest.mark.skip(reason="needs real row locks: set DATABASE_URL to a PostgreSQL"))


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over. What happens in it is never committed."""
    house = House()
    yield house
    house.in_order()


@pytest.fixture
def hall(transactional_db: None) -> Iterator[House]:
    """A house that other processes see too: what happens in it is committed."""
    house = House()
    yield house
    house.in_order()
