"""A floor whose pushes go through the real hub and the real channel layer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from babel.messages.catalog import Catalog
from django.db import connections

from casino import catalogues
from tables.base import announce
from tables.base.executor import in_database
from tables.live import buckets, feeds, hub
from tables.live.hub import Hub
from tests.house.kit import House

from .nights import Night, a_night


@pytest.fixture(scope="session")
def template() -> Catalog:
    """Everything that is marked for translation, looked for once."""
    return catalogues.messages_of_the_code()


@pytest.fixture
def no_time_between_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the house takes over a client's messages, to the bucket that counts them they come at once."""
    now = monotonic()
    monkeypatch.setattr(buckets, "monotonic", lambda: now)


@pytest_asyncio.fixture
async def live(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """A hub at work in this test's event loop; pushes follow each other without a pause."""
    monkeypatch.setattr(feeds, "PUSH_INTERVAL_S", 0.0)
    monkeypatch.setattr(hub, "PIT_INTERVAL_S", 0.0)
    announce.use_loop(asyncio.get_running_loop())
    buckets.buckets.clear()  # the players of other tests had the same numbers
    floor = Hub()
    await floor.start()
    yield floor
    await floor.stop()
    await sync_to_async(connections.close_all)()  # Channels' test client leaves asgiref's thread its connection


@pytest_asyncio.fixture
async def house(live: Hub) -> AsyncIterator[House]:
    """A house whose books must be in order when the test is over. Its deeds are for `in_database`."""
    house = House()
    yield house
    await in_database(house.in_order)


@pytest.fixture
def nights(transactional_db: None, live: Hub, caplog: pytest.LogCaptureFixture) -> Callable[..., Any]:
    """Nights that can be compared: `await nights(play, cards, game, **options)`."""

    async def night(play: Callable[..., Any], cards: str, game: str, **options: Any) -> Night:
        return await a_night(live, caplog, play, cards, game, **options)

    caplog.set_level(logging.DEBUG)
    return night
