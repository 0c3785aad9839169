"""What a client may send before anything reads it: over raw sockets, against a server that runs as a process."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from websockets.asyncio.client import connect

from casino.addresses import client_of, network_of
from casino.protocol import (
    HEADERS_WITHIN_S,
    LEAVE_WITHIN_S,
    LINGER_BYTES,
    LINGER_S,
    MAX_BODY_BYTES,
    MAX_CHUNKED_BYTES,
    NOTED_EVERY_S,
    REQUEST_WITHIN_S,
    Doors,
    GuardedFactory,
)
from casino.server import GuardedServer, room_for
from tests.house.processes import WITHIN

from .test_server import Guarded, free_port, guarded

FORMS = ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/octet-stream")


@pytest.fixture(scope="module")
def server() -> Iterator[Port]:
    """One that all these tests may use: it is asked for nothing special."""
    port = free_port()
    command = [sys.executable, "-m", "tests.floor.guarded", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "ready" not in process.stdout.readline():
            assert process.poll() is None
        yield Port(port)
        process.kill()


@dataclass(frozen=True, slots=True)
class Port:
    """Where a server listens."""

    port: int


async def said_to(server: Guarded | Port, *parts: bytes, until_end: bool = True) -> bytes:
    """What it answers to this until it ends the connection (or, where it would not, until its answer is whole)."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        async with asyncio.timeout(WITHIN):
            for part in parts:
                writer.write(part)
                await writer.drain()
            if until_end:
                return await reader.read()
            head = await reader.readuntil(b"\r\n\r\n")
            (length,) = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            return head + await reader.readexactly(int(length.partition(b":")[2]))
    finally:
        writer.close()


def request(method: str = "GET", *headers: str, path: str = "/") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def told_in(answer: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return told


# ── Bodies ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", FORMS)
async def test_a_body_that_is_too_large_is_refused_before_it_comes(server: Port, form: str) -> None:
    head = request("POST", f"Content-Type: {form}", "Content-Length: 200000000", "Expect: 100-continue")
    answer = await said_to(server, head)
    assert status_of(answer) == 413
    assert b"100 Continue" not in answer
    assert b"connection: close" in answer.lower()
    assert answer.endswith(f"A request may have {MAX_BODY_BYTES} bytes at most.\n".encode())


@pytest.mark.parametrize("form", FORMS)
async def test_who_sends_too_much_at_once_comes_to_read_why(server: Port, form: str) -> None:
    """They are still sending when they are refused: an end without a farewell would take the answer with it."""
    size = 1_000_000
    head = request("POST", f"Content-Type: {form}", f"Content-Length: {size}")
    assert status_of(await said_to(server, head, b"--x\r\n" + b"a=1&" * (size // 4 - 2))) == 413


@pytest.mark.parametrize("form", FORMS)
async def test_a_body_in_chunks_is_refused_when_it_turns_out_to_be_too_large(server: Port, form: str) -> None:
    chunk = b"1000\r\n" + b"." * 0x1000 + b"\r\n"
    head = request("POST", f"Content-Type: {form}", "Transfer-Encoding: chunked")
    answer = await said_to(server, head, chunk * (MAX_BODY_BYTES // 0x1000), b"1\r\n.\r\n0\r\n\r\n")
    assert status_of(answer) == 413
    assert answer.count(b"HTTP/1.1") == 1, "and nobody answers once more"


async def test_chunks_that_are_mostly_framing_are_refused_too(server: Port) -> None:
    chunk = b"1;" + b"x" * 1000 + b"\r\n.\r\n"
    head = request("POST", "Transfer-Encoding: chunked")
    assert status_of(await said_to(server, head, chunk * (MAX_CHUNKED_BYTES // 1000))) == 413


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_of_the_size_that_is_allowed_reaches_the_house_unread(
    server: Port, form: str, chunked: bool
) -> None:
    how = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {MAX_BODY_BYTES}"
    body = b"." * MAX_BODY_BYTES
    if chunked:
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    answer = await said_to(server, request("POST", f"Content-Type: {form}", how), body, until_end=False)
    assert (status_of(answer), told_in(answer)["body"]) == (200, MAX_BODY_BYTES)


async def test_others_are_served_while_somebody_sends_without_end(server: Port) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request("POST", f"Content-Type: {FORMS[0]}", "Content-Length: 200000000"))

    async def send() -> None:
        while True:
            writer.write(b"x" * LINGER_BYTES)
            await writer.drain()

    async with asyncio.timeout(WITHIN):
        with pytest.raises(ConnectionError):
            await send()
    assert status_of(await said_to(server, request(), until_end=False)) == 200
    writer.close()


# ── Methods ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
async def test_a_method_that_no_page_has_is_refused(server: Port, method: str) -> None:
    answer = await said_to(server, request(method))
    assert status_of(answer) == 405
    assert b"Allow: GET, HEAD, POST\r\n" in answer


@pytest.mark.parametrize("method", ["get", "BREW", "X" * 100])
async def test_a_method_that_somebody_makes_up_is_refused(server: Port, method: str) -> None:
    """Before anything counts it: each would be a line of the figures for ever."""
    assert status_of(await said_to(server, request(method))) == 501
    assert status_of(await said_to(server, request(method, "Content-Length: 5"), b"12345")) == 501


async def test_what_comes_behind_a_refusal_is_not_read(server: Port) -> None:
    answer = await said_to(server, request("BREW") + request() + request())
    assert status_of(answer) == 501
    assert answer.count(b"HTTP/1.1") == 1


async def test_requests_that_come_at_once_are_answered_one_after_another(server: Port) -> None:
    answer = await said_to(server, request(path="/1") + request(path="/2") + request("GET", "Connection: close"))
    assert answer.count(b"HTTP/1.1 200") == 3


# ── Who it is, and where ────────────────────────────────────────────────────────────────────────────────────

PREFIX = "Daphne-Root-Path: https://evil.example"


@pytest.mark.parametrize("header", [PREFIX, PREFIX.lower(), PREFIX.upper()])
async def test_nobody_gives_the_house_a_prefix(server: Port, header: str) -> None:
    told = told_in(await said_to(server, request("GET", header), until_end=False))
    assert told["root_path"] == ""
    assert "daphne-root-path" not in told["headers"]
    name, _, value = header.partition(": ")
    async with connect(f"ws://127.0.0.1:{server.port}/told", additional_headers={name: value}) as line:
        heard = json.loads(await line.recv())
    assert heard["root_path"] == ""
    assert "daphne-root-path" not in heard["headers"]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        ("0", "198.51.100.7", "127.0.0.1"),
        ("1", "198.51.100.7", "198.51.100.7"),
        ("1", "203.0.113.1, 198.51.100.7", "198.51.100.7"),
        ("2", "203.0.113.1, 198.51.100.7, 192.0.2.1", "198.51.100.7"),
        ("1", "203.0.113.1, nobody", "127.0.0.1"),
    ],
)
async def test_a_client_is_who_our_own_proxies_say(proxies: str, forwarded: str, client: str) -> None:
    async with guarded(PROXIES=proxies) as server:
        head = request("GET", f"X-Forwarded-For: {forwarded}")
        assert told_in(await said_to(server, head, until_end=False))["client"] == client
        url, headers = f"ws://127.0.0.1:{server.port}/told", {"X-Forwarded-For": forwarded}
        async with connect(url, additional_headers=headers) as line:
            assert json.loads(await line.recv())["client"] == client


@pytest.mark.parametrize(
    ("forwarded", "proxies", "client"),
    [
        ([], 1, "10.0.0.1"),
        (["203.0.113.1", "198.51.100.7"], 1, "198.51.100.7"),
        (["203.0.113.1, 198.51.100.7"], 3, "203.0.113.1"),
        (["198.51.100.7:4711"], 1, "198.51.100.7"),
        (["[2001:db8::1]:4711"], 1, "2001:db8::1"),
        (["2001:DB8::1"], 1, "2001:db8::1"),
        (["unknown"], 1, "10.0.0.1"),
        ([" , "], 1, "10.0.0.1"),
    ],
)
def test_addresses_are_read_from_the_right(forwarded: list[str], proxies: int, client: str) -> None:
    assert client_of("10.0.0.1", forwarded, proxies) == client


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network


# ── How many ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_one_address_takes_no_more_than_its_share_and_gets_it_back() -> None:
    async with guarded(PER_ADDRESS="3") as server:
        held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        answer = await said_to(server)
        assert (status_of(answer), b"Retry-After" in answer) == (429, True)
        for _, writer in held:
            writer.close()
            await writer.wait_closed()
        await let_in(server)


async def test_a_socket_counts_until_it_is_closed() -> None:
    async with guarded(PER_ADDRESS="1") as server:
        async with connect(f"ws://127.0.0.1:{server.port}/echo") as line:
            await line.send("here")
            assert await line.recv() == "here"
            assert status_of(await said_to(server)) == 429
        await let_in(server)


async def test_a_socket_that_is_refused_counts_no_more() -> None:
    async with guarded(PER_ADDRESS="1") as server:
        key = base64.b64encode(b"sixteen letters.").decode()
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}")
        assert status_of(await said_to(server, request("GET", *upgrade, "Sec-WebSocket-Version: 7"))) in (400, 426)
        await let_in(server)


async def test_behind_a_proxy_all_connections_are_the_proxys() -> None:
    async with guarded(PROXIES="1", PER_ADDRESS="1", CONNECTIONS="3") as server:
        held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(2)]
        held.append(await taken_by(server))
        await until(server, 503)
        for _, writer in held:
            writer.close()


async def taken_by(server: Guarded) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that it has let in: something was answered there, and it stays open."""
    async with asyncio.timeout(WITHIN):
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                writer.write(request())
                if status_of(await reader.readuntil(b"\r\n\r\n")) == 200:
                    return reader, writer
            writer.close()


async def let_in(server: Guarded) -> None:
    """It lets somebody in, as soon as it has heard that others are gone."""
    await until(server, 200)


async def until(server: Guarded, status: int) -> None:
    async with asyncio.timeout(WITHIN):
        while True:
            try:
                answer = await said_to(server, request("GET", "Connection: close"))
            except ConnectionError:  # turned away while it was still asking
                continue
            if answer and status_of(answer) == status:
                return


def test_a_full_house_says_so_once_and_again_when_it_was_empty_in_between(caplog: pytest.LogCaptureFixture) -> None:
    doors = Doors(most=10, per_address=2)
    for _ in range(2):
        assert [doors.enter("192.0.2.1") for _ in range(5)] == [None, None, 429, 429, 429]
        assert doors.enter("2001:db8::1") is None
        assert [doors.enter("2001:db8::2"), doors.enter("2001:db8::3")] == [None, 429]
        for address in ("192.0.2.1", "192.0.2.1", "2001:db8::9", "2001:db8::8"):
            doors.leave(address)
        assert doors.open == 0
    told = [record.getMessage() for record in caplog.records if record.name == "security"]
    assert len(told) == 4, told


def test_there_is_never_room_for_more_connections_than_files() -> None:
    assert room_for(100) == 100
    assert 2 <= room_for(10**9) < 10**9


# ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────


class Line(StringTransport):
    """A connection in memory, which knows how it was ended."""

    aborted = False
    protocol: Any = None

    def loseWriteConnection(self) -> None:
        pass

    def abortConnection(self) -> None:
        self.aborted = True
        self.disconnecting = True


class Timed:
    """A connection to the real protocol, in a time that only the test moves."""

    def __init__(self) -> None:
        server = GuardedServer(None, host="127.0.0.1", port=1)
        server.connections = {}
        self.clock = Clock()
        self.factory = GuardedFactory(server)
        self.factory.reactor = self.clock
        self.doors = server.doors
        self.connects("192.0.2.1")

    def connects(self, address: str) -> None:
        """One more connection; from here on it is the one that is spoken of."""
        peer = IPv4Address("TCP", address, 4711)
        self.channel = self.factory.buildProtocol(peer)
        self.line = Line(peerAddress=peer)
        self.line.protocol = self.channel
        self.channel.makeConnection(self.line)

    def aborted(self) -> bool:
        return self.line.aborted

    def says(self, data: bytes) -> None:
        self.channel.dataReceived(data)

    def status(self) -> int | None:
        """That of the one answer which is there; None before it."""
        answer: bytes = self.line.value()
        assert answer.count(b"HTTP/1.1") <= 1, answer
        return status_of(answer) if answer else None


def test_who_connects_and_says_nothing_is_let_go() -> None:
    timed = Timed()
    timed.clock.advance(HEADERS_WITHIN_S - 0.1)
    assert timed.status() is None
    timed.clock.advance(0.2)
    assert timed.status() == 408
    assert not timed.aborted()
    timed.clock.advance(LINGER_S)
    assert timed.aborted()


def test_headers_that_drip_have_no_longer_than_others() -> None:
    timed = Timed()
    timed.says(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
    for _ in range(int(HEADERS_WITHIN_S)):
        assert timed.status() is None
        timed.says(b"X")
        timed.clock.advance(1)
    assert timed.status() == 408


def test_a_body_that_drips_has_no_longer_than_others() -> None:
    timed = Timed()
    timed.says(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(int(REQUEST_WITHIN_S)):
        assert timed.status() is None
        timed.says(b"X")
        timed.clock.advance(1)
    assert timed.status() == 408


def test_what_is_refused_may_be_sent_to_the_end_but_not_for_ever() -> None:
    timed = Timed()
    timed.says(request("POST", "Content-Length: 1000000000"))
    assert timed.status() == 413
    timed.says(b"x" * LINGER_BYTES)
    assert timed.line.producerState == "producing"
    timed.says(b"x")
    assert timed.line.producerState == "paused"
    assert not timed.aborted()
    timed.clock.advance(LINGER_S)
    assert timed.aborted()


def test_a_flood_of_refusals_is_noted_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    timed = Timed()

    def refused() -> int:
        """How many lines ten more refusals of two kinds make."""
        caplog.clear()
        for n in range(10):
            timed.connects(f"192.0.2.{n % 2}")
            timed.says(request("POST", "Content-Length: 1000000000"))
            timed.connects(f"192.0.2.{n % 2}")
            timed.says(request("BREW"))
        return len(caplog.records)

    assert [refused(), refused()] == [4, 0]
    timed.clock.advance(NOTED_EVERY_S)
    assert refused() == 4


def test_the_time_of_one_connection_ends_with_it() -> None:
    timed = Timed()
    timed.says(b"GET / HTTP/1.1\r\n")
    timed.channel.connectionLost(None)
    assert timed.doors.open == 0
    timed.clock.advance(2 * REQUEST_WITHIN_S)
    assert timed.status() is None


def test_who_never_takes_the_last_answer_is_let_go() -> None:
    timed = Timed()
    timed.says(b"nonsense\r\n")
    assert timed.status() == 400
    timed.clock.advance(LEAVE_WITHIN_S)
    assert timed.aborted()
