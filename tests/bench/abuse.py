"""Those who do their worst, in a process of their own (`python -m tests.bench.abuse`): they come from an address of
their own on the loopback, so that what is counted by address is counted as it is for strangers.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from time import perf_counter

from .answering import answer_all

ADDRESS = "127.0.0.66"
READERS, LOOKERS, IDLERS = 16, 40, 300
"""What one address opens: readers of a page, sockets that ask for the whole felt again and again, idle connections."""

RESYNCS_PER_S = 11
"""Just as many as a socket may say."""

BETS_A_MESSAGE = 50
MESSAGES_PER_S = 2
"""As fast as one socket may go on laying that many (tables.live.consumers)."""

FORM_BYTES = 200_000_000
CREDIT = 100
CHUNK = b"a=1&" * 16_384

_LIVE = re.compile(rb'data-version="(\d+)\.')
_refs = count(1)
_told: Counter[str] = Counter()

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def opened(port: int) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0), limit=1 << 22)


async def again_and_again(do: Callable[[], Awaitable[None]]) -> None:
    """Whatever the house does about it."""
    while True:
        try:
            await do()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            _told["cut off"] += 1
        await asyncio.sleep(0.01)


# ── One address ─────────────────────────────────────────────────────────────────────────────────────────────


async def read_pages(port: int, path: str) -> None:
    """The page of a table, over one connection, as fast as it comes."""
    reader, writer = await opened(port)
    try:
        while True:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            _told[f"pages {head.split(b' ', 2)[1].decode()}"] += 1
            found = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
            if found is None:
                return
            await reader.readexactly(int(found[1]))
    finally:
        writer.close()


async def idle(port: int) -> None:
    reader, writer = await opened(port)
    try:
        await reader.read()
    finally:
        writer.close()


async def look(port: int, path: str) -> None:
    """A socket that asks for everything again and again."""
    reader, writer = await socket(port, path, "")
    try:
        await asyncio.gather(_heard(reader), _resyncing(writer))
    finally:
        writer.close()


async def _resyncing(writer: asyncio.StreamWriter) -> None:
    while True:
        say(writer, '{"do": "resync"}')
        await writer.drain()
        await asyncio.sleep(1 / RESYNCS_PER_S)


async def _heard(reader: asyncio.StreamReader) -> None:
    while data := await reader.read(1 << 20):
        _told["bytes heard"] += len(data)
    raise ConnectionResetError


# ── One guest ───────────────────────────────────────────────────────────────────────────────────────────────


async def bet(port: int, path: str, cookie: str) -> None:
    """One of a guest's sockets: lays as many bets of one credit as it may, and takes them back."""
    reader, writer = await socket(port, path, cookie)
    rounds: list[int] = []

    async def lay() -> None:
        while True:
            if rounds:
                bets = [{"spot": "player", "amount": CREDIT}] * BETS_A_MESSAGE
                message = {"do": "bets", "round": rounds[-1], "ref": f"abuse-{next(_refs):08}", "bets": bets}
                say(writer, json.dumps(message))
                say(writer, json.dumps({"do": "clear", "round": rounds[-1], "ref": f"abuse-{next(_refs):08}"}))
                _told["bets sent"] += BETS_A_MESSAGE
            await writer.drain()
            await asyncio.sleep(1 / MESSAGES_PER_S)

    async def hear() -> None:
        while data := await reader.read(1 << 20):
            rounds.extend(int(each) for each in _LIVE.findall(data)[-1:])
        raise ConnectionResetError

    try:
        await asyncio.gather(lay(), hear())
    finally:
        writer.close()


# ── One form ────────────────────────────────────────────────────────────────────────────────────────────────


async def post(port: int) -> None:
    """A form without end."""
    _, writer = await opened(port)
    try:
        writer.write(
            f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {FORM_BYTES}\r\n"
            "Content-Type: multipart/form-data; boundary=a\r\n\r\n--a\r\n".encode()
        )
        _told["forms"] += 1
        for _ in range(FORM_BYTES // len(CHUNK)):
            writer.write(CHUNK)
            await writer.drain()
            _told["bytes sent"] += len(CHUNK)
    finally:
        writer.close()


# ── Sockets ─────────────────────────────────────────────────────────────────────────────────────────────────


async def socket(port: int, path: str, cookie: str) -> Streams:
    reader, writer = await opened(port)
    host = f"127.0.0.1:{port}"
    writer.write(
        (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            + (f"Cookie: {cookie}\r\n" if cookie else "")
            + "\r\n"
        ).encode()
    )
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in head.partition(b"\r\n")[0]:
        writer.close()
        raise ConnectionResetError
    return reader, writer


def say(writer: asyncio.StreamWriter, text: str) -> None:
    payload = text.encode()
    size = len(payload)
    head = bytes((0x81, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
    writer.write(head + b"\0\0\0\0" + payload)


# ── What the bench asks ─────────────────────────────────────────────────────────────────────────────────────


def flood(kind: str, port: int, seconds: float, slug: str, cookie: str) -> dict[str, float]:
    """Do that for so long. What came of it."""
    _told.clear()
    line = f"/ws/tables/{slug}/?lang=en"
    crowds: dict[str, Sequence[Callable[[], Awaitable[None]]]] = {
        "address": [
            *[lambda: read_pages(port, f"/tables/{slug}/")] * READERS,
            *[lambda: look(port, line)] * LOOKERS,
            *[lambda: idle(port)] * IDLERS,
        ],
        "guest": [lambda: bet(port, line, cookie)] * 10,
        "form": [lambda: post(port)],
    }

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*[again_and_again(one) for one in crowds[kind]])

    begun = perf_counter()
    asyncio.run(run())
    return dict(_told) | {"seconds": perf_counter() - begun}


if __name__ == "__main__":
    answer_all({"flood": flood})
