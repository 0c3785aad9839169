"""Whose request is next: nobody's many requests keep others from being answered, nor the tables from their bets.

Pages are made in threads, and all threads share one interpreter with the sockets. So few are made at once, fewer for
one address, and each address has so many requests a second.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from tables.base import security

from .addresses import network_of

BURST_S = 5
"""Seconds' worth of requests that an address may send at once."""

MOST_WAITING = 64
"""Requests of one address that may wait for their turn."""

REFUSE_AFTER_S = 1.0
"""Seconds that a refusal takes: who asks again at once is no faster for it, and the house has next to no work."""

MOST_ADDRESSES = 10_000
"""Addresses that are remembered before those that have gone quiet are forgotten."""

WORDS = "\n".join(
    [
        "請求過多，請稍候再試。",
        "Demasiados pedidos deste endereço. Aguarde um pouco.",
        "Too many requests from this address. Wait a little.\n",
    ]
)


class _Line:
    """The requests of one address."""

    def __init__(self, at_once: int, burst: float) -> None:
        self.turn = asyncio.Semaphore(at_once)
        self.waiting = 0
        self.told = False
        self._burst = burst
        self._tokens, self._at = burst, monotonic()

    def take(self, per_second: float) -> bool:
        """Whether one more request may come now."""
        now = monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        if self._tokens > self._burst / 2:
            self.told = False
        return True

    def is_quiet(self, per_second: float) -> bool:
        full = self._tokens + (monotonic() - self._at) * per_second >= self._burst
        return self.waiting == 0 and full


class Turns:
    """ASGI: requests for pages wait here for their turn, or are answered 429. Sockets pass."""

    def __init__(self, application: Any, *, at_once: int, at_once_per_address: int, per_second: float) -> None:
        self.application = application
        self._turn = asyncio.Semaphore(at_once)
        self._at_once_per_address = at_once_per_address
        self._per_second = per_second
        self._lines: dict[str, _Line] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        address = network_of((scope.get("client") or [""])[0])
        line = self._line_of(address)
        if not line.take(self._per_second) or line.waiting >= MOST_WAITING:
            if not line.told:  # once, until it has become quieter: a flood of requests is no flood of lines
                line.told = True
                security.note("too many requests from one address", "limited", address=address)
            await asyncio.sleep(REFUSE_AFTER_S)
            await _refuse(send)
            return
        line.waiting += 1
        try:
            async with line.turn, self._turn:
                await self.application(scope, receive, send)
        finally:
            line.waiting -= 1

    def _line_of(self, address: str) -> _Line:
        line = self._lines.get(address)
        if line is None:
            if len(self._lines) >= MOST_ADDRESSES:
                self._lines = {one: kept for one, kept in self._lines.items() if not kept.is_quiet(self._per_second)}
            burst = BURST_S * self._per_second
            line = self._lines[address] = _Line(self._at_once_per_address, burst)
        return line


async def _refuse(send: Any) -> None:
    body = WORDS.encode()
    headers = [
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", str(len(body)).encode()),
        (b"Cache-Control", b"no-store"),
        (b"X-Content-Type-Options", b"nosniff"),
        (b"Retry-After", b"2"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body})
