"""What a client may do to the protocol itself: frames that are broken, endless or far too many, over raw sockets.

None of it reaches the application. Whoever does it is cut off, the server keeps nothing of it, and others are served.
"""

from __future__ import annotations

import asyncio
import base64
import os
import signal
import struct
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from casino.protocol import SILENT_FRAMES
from casino.server import MAX_FRAME_BYTES
from tests.house.processes import WITHIN

from .test_server import Guarded, guarded

GROWTH_BYTES = 8 * 1024 * 1024
"""The server may keep less than this of whatever one client sends."""

TEXT, BINARY, GO_ON, CLOSE, PING = 0x1, 0x2, 0x0, 0x8, 0x9
FINAL = 0x80


def frame(payload: bytes, opcode: int = TEXT, *, flags: int = FINAL, masked: bool = True, size: int = -1) -> bytes:
    """A frame, masked with nothing; `size` is how long it claims to be, if it lies."""
    size = len(payload) if size < 0 else size
    mask = 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", flags | opcode, mask | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", flags | opcode, mask | 126, size)
    else:
        head = struct.pack("!BBQ", flags | opcode, mask | 127, size)
    return head + (bytes(4) if masked else b"") + payload


HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)


class Raw:
    """A WebSocket that is spoken byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.answer = reader, writer, b""

    async def send(self, data: bytes) -> None:
        """Send this, unless the server has ended the connection by then."""
        with suppress(ConnectionError):
            await self.writer.drain()  # raises if the connection has ended
            self.writer.write(data)
            await self.writer.drain()

    async def to_the_end(self) -> bytes:
        """All that still comes until the server ends the connection."""
        with suppress(ConnectionError):
            async with asyncio.timeout(WITHIN):
                return await self.reader.read()
        return b""


@asynccontextmanager
async def raw(server: Guarded, path: str = "/echo", more: str = "") -> AsyncIterator[Raw]:
    """A socket of which this server has taken the handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    key = base64.b64encode(b"sixteen letters.").decode()
    writer.write(HANDSHAKE.format(path=path, key=key, more=more).encode())
    one = Raw(reader, writer)
    async with asyncio.timeout(WITHIN):
        one.answer = await reader.readuntil(b"\r\n\r\n")
    try:
        yield one
    finally:
        writer.close()


def memory_of(server: Guarded) -> int:
    """Bytes that the server's process holds in memory now."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def others_are_served(server: Guarded) -> None:
    async with connect(f"ws://127.0.0.1:{server.port}/echo") as other:
        await other.send("still here")
        assert await asyncio.wait_for(other.recv(), WITHIN) == "still here"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd() -> AsyncIterator[Guarded]:
    """A server that all these tests may use."""
    async with guarded() as server:
        yield server


# ── Too large, too many (D5, D13) ───────────────────────────────────────────────────────────────────────────

on_linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")


async def one_frame_of_64_mib(line: Raw) -> None:
    await line.send(frame(b"", size=64 << 20))
    for _ in range(64):
        await line.send(bytes(1 << 20))


async def a_million_fragments(line: Raw) -> None:
    await line.send(frame(b"x", flags=0))
    for _ in range(100):
        await line.send(frame(b"x", GO_ON, flags=0) * 10_000)


async def a_million_empty_fragments(line: Raw) -> None:
    await line.send(frame(b"x", flags=0))
    for _ in range(100):
        await line.send(frame(b"", GO_ON, flags=0) * 10_000)


async def a_million_pings(line: Raw) -> None:
    for _ in range(100):
        await line.send(frame(b"?" * 100, PING) * 10_000)


@on_linux
@pytest.mark.parametrize(
    "attack", [one_frame_of_64_mib, a_million_fragments, a_million_empty_fragments, a_million_pings]
)
async def test_whoever_sends_without_end_is_cut_off_and_nothing_is_kept(
    attack: Callable[[Raw], Coroutine[Any, Any, None]],
) -> None:
    async with guarded() as server:
        await others_are_served(server)
        before = memory_of(server)
        async with raw(server) as line:
            sending = asyncio.ensure_future(attack(line))
            most = 0
            while not sending.done():
                await asyncio.wait([sending], timeout=0.05)
                most = max(most, memory_of(server))
            assert most - before < GROWTH_BYTES
            await line.to_the_end()
        await others_are_served(server)


async def test_a_few_pings_are_answered_and_parts_of_a_message_come_together() -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/echo") as line:
        for _ in range(20):
            await asyncio.wait_for(await line.ping(), WITHIN)
        await line.send(["one ", "text ", "in ", "parts"])
        assert await asyncio.wait_for(line.recv(), WITHIN) == "one text in parts"


async def test_a_message_behind_a_flood_of_frames_is_not_heard() -> None:
    """What had come in by then is still taken apart; none of it reaches the application."""
    async with guarded(with_log=True) as server:
        async with raw(server) as line:
            await line.send(frame(b"?", PING) * (SILENT_FRAMES + 1) + frame(b"heard"))
            assert b"heard" not in await line.to_the_end()
        server.process.send_signal(signal.SIGTERM)
        assert await server.ends() == 0
        assert sum("floods with frames was cut off" in said for said in server.told) == 1


# ── Broken frames (D6, D14, D17) ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(frame(b"hello", flags=FINAL | 0x40), id="RSV1 without an extension"),
        pytest.param(frame(b"hello", flags=FINAL | 0x20), id="RSV2"),
        pytest.param(frame(b"hello", flags=FINAL | 0x10), id="RSV3"),
        *(pytest.param(frame(b"", opcode), id=f"opcode {opcode:#x}") for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)),
        pytest.param(frame(b"hello", masked=False), id="no mask"),
        pytest.param(frame(b"hello", GO_ON), id="goes on from nothing"),
        pytest.param(frame(b"a", flags=0) + frame(b"b"), id="begins within another"),
        pytest.param(frame(b"?" * 126, PING), id="a long ping"),
        pytest.param(frame(b"?", PING, flags=0), id="a ping in parts"),
        pytest.param(frame(b"\x03", CLOSE), id="half a close code"),
        pytest.param(frame(struct.pack("!H", 999), CLOSE), id="no close code"),
        pytest.param(frame(b"\xff\xfe hello"), id="no UTF-8"),
        pytest.param(frame(b"\xed\xa0\x80"), id="half a surrogate"),
        pytest.param(frame(b"hell\xc3"), id="UTF-8 that breaks off"),
        pytest.param(frame(b"", size=1 << 63), id="a length that is none"),
        pytest.param(frame(b"x" * (MAX_FRAME_BYTES + 1)), id="too large"),
        pytest.param(b"\x81\xfe\x00\x05" + bytes(4) + b"hello", id="a length in too many bytes"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="HTTP"),
        pytest.param(frame(zlib.compress(bytes(1 << 24)), flags=FINAL | 0x40), id="a bomb"),
    ],
)
async def test_a_broken_frame_ends_its_connection_and_is_not_heard(crowd: Guarded, broken: bytes) -> None:
    async with raw(crowd) as line:
        await line.send(broken + frame(b"heard"))
        assert b"heard" not in await line.to_the_end()
    await others_are_served(crowd)


@pytest.mark.parametrize(
    "offered", ["permessage-deflate", "permessage-deflate; client_max_window_bits", "x-webkit-deflate-frame"]
)
async def test_nothing_is_packed_whatever_a_client_offers(crowd: Guarded, offered: str) -> None:
    async with raw(crowd, more=f"Sec-WebSocket-Extensions: {offered}\r\n") as line:
        assert b" 101 " in line.answer and b"extensions" not in line.answer.lower()
        packed = zlib.compressobj(wbits=-15)
        bomb = packed.compress(bytes(1 << 24)) + packed.flush(zlib.Z_SYNC_FLUSH)
        await line.send(frame(bomb[: MAX_FRAME_BYTES - 100], flags=FINAL | 0x40) + frame(b"heard"))
        assert b"heard" not in await line.to_the_end()


# ── The handshake (D18, C15) ────────────────────────────────────────────────────────────────────────────────


UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: c2l4dGVlbiBieXRlcyAuLg==\r\n"
    "Sec-WebSocket-Version: 13\r\n"
)
INNER = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def answer_to(server: Guarded, headers: str) -> bytes:
    """What comes back until the server ends the connection, for a request whose body is another request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    line = Raw(reader, writer)
    await line.send(f"GET /echo HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n0\r\n\r\n{INNER}".encode())
    with suppress(OSError):  # it may be over by now
        writer.write_eof()
    try:
        return await line.to_the_end()
    finally:
        writer.close()


@pytest.mark.parametrize(
    "headers",
    [
        f"Content-Length: {len(INNER)}\r\nTransfer-Encoding: chunked\r\n",
        f"Transfer-Encoding: chunked\r\nContent-Length: {len(INNER)}\r\n",
        f"Content-Length: 0\r\nContent-Length: {len(INNER)}\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding : chunked\r\n",
        f"Content-Length: +{len(INNER)}\r\n",
        f"Content-Length: {len(INNER)}, {len(INNER)}\r\n",
    ],
)
@pytest.mark.parametrize("upgrade", ["", UPGRADE], ids=["a page", "a socket"])
async def test_where_a_request_ends_is_never_in_doubt(crowd: Guarded, headers: str, upgrade: str) -> None:
    """Two lengths, or one that the next server may read otherwise: the whole is refused, and nothing behind it read."""
    answer = await answer_to(crowd, upgrade + headers)
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("headers", [f"Content-Length: {len(INNER)}\r\n", "Transfer-Encoding: chunked\r\n"])
async def test_behind_a_handshake_nothing_is_taken_for_a_request(crowd: Guarded, headers: str) -> None:
    assert b" 200 " not in await answer_to(crowd, UPGRADE + headers)


@pytest.mark.in_full
async def test_who_fills_the_doors_with_slow_handshakes_keeps_nobody_else_out() -> None:
    """Five hundred connections of one address, each of which begins a request and never ends it."""
    async with guarded(CONNECTIONS="200", PER_ADDRESS="100") as server:
        turned_away, open_ones = 0, []
        for _ in range(500):
            line = Raw(*await asyncio.open_connection("127.0.0.1", server.port))
            await line.send(b"GET /echo HTTP/1.1\r\nHost: local")
            open_ones.append(line)
        for line in open_ones[100:]:
            turned_away += (await line.to_the_end()).startswith(b"HTTP/1.1 429 ")
        assert turned_away >= 350  # of some the refusal is lost, since they had sent something by then
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0))
        other = Raw(reader, writer)
        await other.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert (await other.to_the_end()).startswith(b"HTTP/1.1 200 ")
        for line in (*open_ones, other):
            line.writer.close()


# ── An error of ours (A14) ──────────────────────────────────────────────────────────────────────────────────


async def test_an_error_over_one_message_closes_that_socket_alone() -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/echo") as other:
        async with connect(f"ws://127.0.0.1:{server.port}/poison") as line:
            await line.send("poison")
            with pytest.raises(ConnectionClosed) as closed:
                await asyncio.wait_for(line.recv(), WITHIN)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1011
        await other.send("still here")
        assert await asyncio.wait_for(other.recv(), WITHIN) == "still here"
