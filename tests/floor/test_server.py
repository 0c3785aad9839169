"""The web server: what it does to clients that misbehave, and how it ends. It runs as a process of its own here."""

from __future__ import annotations

import asyncio
import base64
import itertools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from casino.server import INBOX_MESSAGES, MAX_FRAME_BYTES, free_to_listen
from tests.floor.guarded import ROW, SIZES
from tests.house.processes import WITHIN


def free_port() -> int:
    """Below the range from which the system takes ports for outgoing connections."""
    return next(
        port for port in itertools.count(20_000 + os.getpid() % 8_000) if free_to_listen("127.0.0.1", port) is None
    )


class Guarded:
    """The server of `tests.floor.guarded`, and what it has told."""

    def __init__(self, port: int, process: asyncio.subprocess.Process) -> None:
        self.port = port
        self.process = process
        self.told: list[str] = []

    async def tells(self, what: str) -> None:
        """Waits until it says so."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WITHIN):
            while what not in self.told:
                line = await self.process.stdout.readline()
                assert line, f"it ended after {self.told}"
                self.told.append(line.decode().strip())

    async def ends(self) -> int:
        assert self.process.stdout is not None
        async with asyncio.timeout(WITHIN):
            self.told += (await self.process.stdout.read()).decode().split("\n")
            return await self.process.wait()


@asynccontextmanager
async def guarded(*, with_log: bool = False, **environment: str) -> AsyncIterator[Guarded]:
    """`with_log`: its log is among what it tells."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.floor.guarded",
        str(port),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT if with_log else None,
        env=os.environ | environment,
    )
    server = Guarded(port, process)
    try:
        await server.tells("ready")
        yield server
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
def one_that_never_reads() -> Iterator[socket.socket]:
    """A line with small buffers, so that what is not read stays with the server."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(WITHIN)
        yield line


BY = pytest.mark.parametrize("by", ["send", "push"])
"""How an application hands over its texts: it sends them as ASGI has it, or pushes them as our own does."""


@BY
async def test_a_client_that_does_not_read_is_cut_off_and_others_are_not(
    one_that_never_reads: socket.socket, by: str
) -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/echo?{by}") as other:
        one_that_never_reads.connect(("127.0.0.1", server.port))
        key = base64.b64encode(b"sixteen bytes ..").decode()
        one_that_never_reads.sendall(
            f"GET /torrent?{by} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await server.tells("the torrent has ended")
        await other.send("still here")
        assert await other.recv() == "still here"


def test_it_ends_although_nobody_reads_any_more_what_it_says() -> None:
    """The terminal is closed, or what its words are piped into has ended."""
    command = [sys.executable, "-m", "tests.floor.guarded", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            while process.stdout.readline() != "ready\n":
                assert process.poll() is None
            process.stdout.close()
            process.send_signal(signal.SIGTERM)
            process.wait(WITHIN)
        finally:
            process.kill()


async def test_a_client_that_floods_is_cut_off_and_noted_once() -> None:
    """Once, although what it had sent by then still comes in: else the flood is one of the log."""
    async with guarded(with_log=True) as server:
        async with connect(f"ws://127.0.0.1:{server.port}/deaf") as flood:
            flood.transport.write((b"\x81\x85\0\0\0\0again") * 3 * INBOX_MESSAGES)  # masked with nothing; at once
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(flood.recv(), WITHIN)
        server.process.send_signal(signal.SIGTERM)
        assert await server.ends() == 0
        assert sum("a flooding client was cut off" in line for line in server.told) == 1


async def test_a_message_that_is_too_large_is_not_received() -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/echo") as line:
        await line.send("x" * MAX_FRAME_BYTES)
        assert await line.recv() == "x" * MAX_FRAME_BYTES
        await line.send("x" * (MAX_FRAME_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            await line.recv()


async def test_what_we_send_may_be_larger_than_what_we_receive() -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/torrent") as line:
        assert len(await line.recv()) > MAX_FRAME_BYTES


@BY
async def test_texts_of_every_size_arrive_whole(by: str) -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/sizes?{by}") as line:
        await line.send("go on")
        assert [len((await line.recv()).encode()) for _ in SIZES] == list(SIZES)  # type: ignore[union-attr]


@BY
@pytest.mark.in_full
async def test_a_slow_reader_gets_everything_in_order(one_that_never_reads: socket.socket, by: str) -> None:
    """What is not taken at once waits, and what is sent meanwhile waits behind it: answers and pongs too."""
    async with guarded() as server:
        one_that_never_reads.connect(("127.0.0.1", server.port))
        async with connect(f"ws://127.0.0.1:{server.port}/row?{by}", sock=one_that_never_reads, max_size=None) as line:
            await line.send("go on")
            pong = await line.ping()
            await line.send("and now I read")
            for number in range(ROW):
                assert await line.recv() == f"{number}" * 200_000
            assert await line.recv() == "and now I read"
            await asyncio.wait_for(pong, WITHIN)


async def test_a_background_task_that_crashes_is_started_again() -> None:
    async with guarded() as server:
        await server.tells("started again")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_ends_in_order(number: signal.Signals) -> None:
    """First the background, then the sockets, which are told to come back and heard out."""
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/echo") as line:
        await line.send("here")
        assert await line.recv() == "here"
        server.process.send_signal(number)
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert await server.ends() == 0
        order = [each for each in server.told if each.endswith(("ending", "ended"))]
        assert order == ["ending", "the background has ended", "a socket has ended"]


async def test_it_ends_also_while_clients_neither_read_nor_answer() -> None:
    async with guarded() as server, connect(f"ws://127.0.0.1:{server.port}/deaf"):
        server.process.send_signal(signal.SIGTERM)
        assert await server.ends() == 0


@BY
async def test_an_answer_to_somebody_who_has_just_said_goodbye_is_no_error(by: str) -> None:
    async with guarded() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        key = base64.b64encode(b"sixteen letters.").decode()
        writer.write(
            f"GET /?{by} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        async with asyncio.timeout(WITHIN):
            await reader.readuntil(b"\r\n\r\n")
        hello, goodbye = b"\x81\x82\0\0\0\0hi", b"\x88\x82\0\0\0\0\x03\xe8"  # masked with nothing; 1000
        writer.write(hello + goodbye)
        await server.tells("a socket has ended")
        writer.close()


async def test_a_port_that_is_taken_is_no_place_to_listen() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_to_listen("127.0.0.1", port) is not None
        second = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.floor.guarded",
            str(port),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        async with asyncio.timeout(WITHIN):
            said, _ = await second.communicate()
        assert second.returncode == 1
        assert b"ready" not in said.split()
