"""What the house keeps in Redis for itself: the counters of rate limits. As JSON, of which nothing can be run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from glob import escape
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from tables.base import security


class JsonSerializer:
    """Django's contract for what goes into Redis and comes out of it. An integer in JSON is what Redis can count."""

    def dumps(self, value: object) -> bytes:
        """Raises TypeError for what is not plain data."""
        return json.dumps(value, allow_nan=False).encode()

    def loads(self, data: Any) -> Any:
        """Raises ValueError for what the house has not written so."""
        return json.loads(data)


class _Client(RedisCacheClient):
    """What is there but cannot be read counts as not there: a rate limit then begins anew, and a line says so."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, serializer=JsonSerializer(), **options)

    def get(self, key: Any, default: Any) -> Any:
        try:
            return super().get(key, default)
        except (ValueError, RecursionError):
            security.note("Redis holds what the house has not written", "refused", where=key)
            return default

    def get_many(self, keys: Iterable[Any]) -> dict[Any, Any]:
        missing = object()
        found = {key: self.get(key, missing) for key in keys}
        return {key: value for key, value in found.items() if value is not missing}


class JsonRedisCache(RedisCache):
    """Django's cache in Redis, with values in JSON."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client

    def clear(self) -> None:
        """Drop what the house keeps here, and nothing else: Django would empty the whole Redis, whoever uses it."""
        client = self._cache.get_client(None, write=True)
        for key in list(client.scan_iter(match=f"{escape(self.key_prefix)}:*", count=1_000)):
            client.delete(key)
