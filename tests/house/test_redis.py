"""What comes out of Redis is data of ours or nothing: whoever can write there runs nothing and announces nothing."""

from __future__ import annotations

import asyncio
import pickle
import time
from pathlib import Path
from typing import Any

import msgpack
import pytest
import redis
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from tables.base import announce
from tables.base.announce import TableChanged
from tables.base.tasks import cancel_and_wait

from .processes import WITHIN


def raw() -> redis.Redis:
    """Redis as anybody sees it who can reach it."""
    return redis.Redis.from_url(settings.REDIS_URL)


class Planted:
    """What does something when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("value", [7, True, None, "text", [1.5, 2.5], {"a": [1]}])
def test_plain_data_comes_back_as_it_was(value: object) -> None:
    cache.set("plain", value, 60)
    assert cache.get("plain") == value
    assert cache.get_many(["plain", "nothing"]) == {"plain": value}
    cache.delete("plain")


def test_redis_still_counts() -> None:
    cache.set("count", 1, 60)
    assert cache.incr("count") == cache.get("count") == 2
    cache.delete("count")


def test_a_lock_is_taken_once() -> None:
    assert cache.add("lock", True, 60)
    assert not cache.add("lock", True, 60)
    cache.delete("lock")


def test_only_what_the_house_keeps_is_dropped() -> None:
    """Another house, or anybody else, may use the same Redis."""
    raw().set("another:1:limit", b"7", ex=60)
    cache.set("limit", 1, 60)
    cache.clear()
    assert cache.get("limit") is None
    assert raw().get("another:1:limit") == b"7"
    raw().delete("another:1:limit")


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan")])
def test_what_is_no_plain_data_is_not_written(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        cache.set("odd", value)


@pytest.mark.parametrize("value", [b"{", b"\xff", b"[" * 100_000])
def test_what_cannot_be_read_counts_as_not_there(value: bytes, caplog: pytest.LogCaptureFixture) -> None:
    raw().set(cache.make_key("broken"), value, ex=60)
    assert cache.get("broken", "nothing") == "nothing"
    assert cache.get_many(["broken"]) == {}
    assert "Redis holds what the house has not written" in caplog.text
    cache.delete("broken")


@pytest.mark.django_db
def test_a_pickle_planted_among_the_rate_limits_runs_nothing(tmp_path: Path) -> None:
    """The way by which a writer of Redis once ran commands in the web processes: at anybody's next try to log in."""
    client, trace = Client(), tmp_path / "trace"
    attempt = {"login": "nobody", "password": "wrong"}
    assert client.post("/accounts/login/", attempt).status_code == 200
    limits = raw().keys(f"{settings.REDIS_PREFIX}:1:allauth:rl:*")
    assert limits
    planted = pickle.dumps(Planted(trace))
    for key in limits:
        raw().set(key, planted, ex=60)
    assert client.post("/accounts/login/", attempt).status_code in (200, 429)
    assert not trace.exists()
    pickle.loads(planted)  # noqa: S301
    assert trace.exists(), "it would have been seen"
    raw().delete(*limits)


async def test_an_announcement_that_the_house_has_not_sealed_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("table.1", channel)
    forged = {"type": "table.changed", "table": 1}
    group = layer._get_group_channel_name("table.1")
    for message in (msgpack.packb(forged), b"", b"nonsense", pickle.dumps(forged)):
        assert raw().publish(group, message) == 1
    await layer.group_send("table.1", TableChanged(1).as_message())
    heard: asyncio.Queue[announce.Announcement] = asyncio.Queue()
    listening = asyncio.create_task(announce.Listener(heard.put_nowait).listen(layer, channel))
    async with asyncio.timeout(WITHIN):
        assert await heard.get() == TableChanged(1)
    await cancel_and_wait([listening])
    assert caplog.text.count("a message on the channels that the house has not sent") == 4
    await layer.flush()


async def test_what_the_house_announces_is_not_in_clear() -> None:
    layer: Any = get_channel_layer()
    with raw() as line, line.pubsub() as heard:
        heard.subscribe(layer._get_group_channel_name("sessions"))
        await layer.group_send("sessions", announce.SessionEnded("a-session-key").as_message())
        deadline = time.monotonic() + WITHIN
        while (message := heard.get_message(timeout=1)) is None or message["type"] != "message":
            assert time.monotonic() < deadline
    assert b"a-session-key" not in message["data"]
    await layer.flush()
