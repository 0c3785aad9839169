"""A floor whose pushes go through the real hub and the real channel layer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tables import announce, hub
from tables.executor import in_database
from tables.hub import Hub
from tests.house.kit import House


@pytest_asyncio.fixture
async def live(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """A hub at work in this test's event loop; pushes do not pause for breath."""
    monkeypatch.setattr(hub, "BREATH", 0.0)
    announce.use_loop(asyncio.get_running_loop())
    floor = Hub()
    await floor.start()
    yield floor
    await floor.stop()


@pytest_asyncio.fixture
async def house(live: Hub) -> AsyncIterator[House]:
    """A house whose books must be in order when the test is over. Its deeds are for `in_database`."""
    house = House()
    yield house
    await in_database(house.in_order)
