"""Many WebSocket clients in one thread, as light as they can be: they must not be what is measured.

Plain sockets and one selector; a frame is taken apart just far enough to know that it is whole. Each text is handed
on with the moment at which its last byte was there.
"""

from __future__ import annotations

import selectors
import socket
import struct
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from http.client import HTTPConnection
from time import perf_counter

from .places import BenchError

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

Heard = Callable[["Line", bytes, float], None]


class Line:
    """One open WebSocket."""

    __slots__ = ("buffer", "number", "sock")

    def __init__(self, sock: socket.socket, number: int, rest: bytes) -> None:
        self.sock = sock
        self.number = number
        self.buffer = bytearray(rest)

    def say(self, text: str) -> None:
        """Send one text."""
        self._send(TEXT, text.encode())

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes((0x80 | kind, 0x80 | size)) if size < 126 else struct.pack("!BBH", 0x80 | kind, 0xFE, size)
        self.sock.sendall(head + b"\0\0\0\0" + payload)  # masked with nothing, which is a mask too

    def frames(self) -> list[tuple[int, bytes]]:
        """The whole frames that have come in."""
        buffer, found, at = self.buffer, [], 0
        while len(buffer) - at >= 2:
            size, begin = buffer[at + 1], at + 2
            if size == 126:
                begin = at + 4
                if len(buffer) < begin:
                    break
                size = int.from_bytes(buffer[at + 2 : begin], "big")
            elif size == 127:
                begin = at + 10
                if len(buffer) < begin:
                    break
                size = int.from_bytes(buffer[at + 2 : begin], "big")
            if len(buffer) < begin + size:
                break
            found.append((buffer[at] & 0x0F, bytes(buffer[begin : begin + size])))
            at = begin + size
        del buffer[:at]
        return found


def only_text(data: bytes) -> bytes | None:
    """The text, if this is just one whole frame of text, as nearly everything is."""
    if data[0] != 0x80 | TEXT or len(data) < 4:
        return None
    size, begin = data[1], 2
    if size == 126:
        size, begin = data[2] << 8 | data[3], 4
    return data[begin:] if size != 127 and len(data) == begin + size else None


def nothing(_line: Line, _text: bytes, _at: float) -> None:
    """Hears a text and does nothing."""


class Clients:
    """All clients of one server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._selector = selectors.DefaultSelector()
        self._lines: set[Line] = set()
        self.heard: Heard = nothing
        self.last = 0.0

    def open(self, path: str, number: int, cookies: Sequence[str] = ()) -> list[Line]:
        """Open so many sockets, with these logins in turn. Raises BenchError."""
        lines = []
        for i in range(number):
            line = self._open(path, i, cookies[i % len(cookies)] if cookies else "")
            lines.append(line)
            self._lines.add(line)
            self._selector.register(line.sock, selectors.EVENT_READ, line)
            self._take(line, perf_counter())
            if i % 50 == 49:
                self._hear(0)  # pings are answered meanwhile
        return lines

    def _open(self, path: str, number: int, cookie: str) -> Line:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        host = f"127.0.0.1:{self.port}"
        sock.sendall(
            (
                f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                + (f"Cookie: {cookie}\r\n" if cookie else "")
                + "\r\n"
            ).encode()
        )
        got = b""
        while b"\r\n\r\n" not in got:
            more = sock.recv(65536)
            if not more:
                raise BenchError(f"the server hung up on {path}")
            got += more
        head, _, rest = got.partition(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise BenchError(f"no WebSocket at {path}: {head[:60]!r}")
        sock.setblocking(False)
        return Line(sock, number, rest)

    def read(self, path: str, cookie: str, times: int = 1, **more: str) -> int:
        """Read a page, whole, in this login, over one connection; how many bytes it has. Raises BenchError unless it is
        there."""
        size = 0
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            for _ in range(times):
                connection.request("GET", path, headers={"Cookie": cookie, **more})
                answer = connection.getresponse()
                size = len(answer.read())
                if answer.status != 200:
                    raise BenchError(f"{path} answers {answer.status}")
        return size

    def close(self, lines: Iterable[Line]) -> None:
        """Hang up."""
        for line in list(lines):
            self._selector.unregister(line.sock)
            line.sock.close()
            self._lines.discard(line)

    def run(self, until: Callable[[], bool], *, within: float, what: str = "") -> None:
        """Hear whatever comes until something is true. Raises BenchError if it does not become so."""
        deadline = perf_counter() + within
        while not until():
            left = deadline - perf_counter()
            if left <= 0:
                raise BenchError(f"{what or 'what was waited for'} did not come within {within} seconds")
            self._hear(min(left, 0.05))

    def _hear(self, seconds: float) -> None:
        """Take what there is, or wait for something that long."""
        for key, _ in self._selector.select(seconds):
            line: Line = key.data
            data = line.sock.recv(65_536)  # a larger buffer costs more than everything else here
            if not data:
                raise BenchError("the server closed a socket")
            at = perf_counter()
            if not line.buffer and (text := only_text(data)) is not None:
                self.last = at
                self.heard(line, text, at)
            else:
                line.buffer += data
                self._take(line, at)

    def rest(self, seconds: float) -> None:
        """Hear and forget for so long."""
        end = perf_counter() + seconds
        self.run(lambda: perf_counter() >= end, within=seconds + 5)

    def quiet(self, seconds: float = 0.3, *, within: float = 30) -> None:
        """Until nothing has come for so long."""
        self.last = perf_counter()
        self.run(lambda: perf_counter() - self.last >= seconds, within=within, what="quiet")

    def _take(self, line: Line, at: float) -> None:
        for kind, payload in line.frames():
            if kind == TEXT:
                self.last = at
                self.heard(line, payload, at)
            elif kind == PING:
                line._send(PONG, payload)
            elif kind == CLOSE:
                raise BenchError(f"the server closed a socket: {int.from_bytes(payload[:2], 'big')}")
