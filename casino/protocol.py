"""What a client may send at all, before anything reads it: how much, for how long, by which method, how many at once.

Twisted and Daphne take whatever comes, keep it, and take forms apart in the event loop. Here a request is refused while
it is still coming in, with a status and a line in plain English (nobody's browser shows these: no page of ours sends
such a thing), and its connection ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from io import BytesIO
from types import FunctionType
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import protocol
from twisted.web.http import HTTPChannel

from tables.base import security

from .addresses import client_of, network_of

MAX_BODY_BYTES = 128 * 1024
"""The largest body that is received at all. No form of ours has half of it (DATA_UPLOAD_MAX_MEMORY_SIZE)."""

MAX_CHUNKED_BYTES = 2 * MAX_BODY_BYTES
"""The same for what a body in chunks takes with its framing, of which there can be more than body."""

HEADERS_WITHIN_S = 15.0
"""Seconds that a client has to send its headers, from its first byte (or from connecting), however it spreads them."""

REQUEST_WITHIN_S = 30.0
"""Seconds for all of a request, from its first byte."""

LINGER_S = 2.0
"""Seconds for which a refused client may go on sending, so that it comes to read why; nothing of it is kept."""

LINGER_BYTES = 1_048_576
"""… and how many bytes of it are thrown away; then it is left to wait."""

NOTED_EVERY_S = 10.0
"""Seconds between two lines about one address and one reason: a flood of requests is no flood of lines."""

MOST_NOTED = 1_000
"""Addresses and reasons that are remembered for that."""

LEAVE_WITHIN_S = 60.0
"""Seconds that a client has to take the last answer of its connection."""

SILENT_FRAMES = 200
"""Frames that say nothing by themselves (pings, pongs, parts of a message) that a client may send in `SILENT_WITHIN_S`.
No browser sends any of them but the pongs that we ask for; other clients send one now and then."""

SILENT_WITHIN_S = 10.0
"""Seconds for which these are counted. Each would be read, and each ping answered, however many there are."""

METHODS = frozenset({b"GET", b"HEAD", b"POST"})
"""What pages of ours answer to."""

OTHER_METHODS = frozenset({b"CONNECT", b"DELETE", b"OPTIONS", b"PATCH", b"PUT", b"TRACE"})
"""What HTTP knows beside (RFC 9110, 9.1; RFC 5789): answered 405. Whatever else somebody makes up is answered 501."""

_REASONS = {
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Content Too Large",
    429: "Too Many Requests",
    501: "Not Implemented",
    503: "Service Unavailable",
}


def _answer(status: int, words: str, *headers: str) -> bytes:
    """A whole answer after which the connection ends."""
    body = f"{words}\n"
    head = [
        f"HTTP/1.1 {status} {_REASONS[status]}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body.encode())}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "Connection: close",
        *headers,
    ]
    return ("\r\n".join([*head, "", ""]) + body).encode()


class Doors:
    """How many connections are open, in all and from each address.

    `per_address` is None behind a proxy, from which all of them come.
    """

    def __init__(self, most: int, per_address: int | None) -> None:
        self.most, self.per_address = most, per_address
        self.open = 0
        self._of: Counter[str] = Counter()
        self._told: set[str] = set()

    def enter(self, address: str) -> int | None:
        """None if one more may come in from here, who must `leave`; else the status of the refusal."""
        network = network_of(address)
        if self.per_address is not None and self._of[network] >= self.per_address:
            self._tell(network, "too many connections from one address")
            return 429
        if self.open >= self.most:
            self._tell("", "too many connections")
            return 503
        self.open += 1
        self._of[network] += 1
        return None

    def leave(self, address: str) -> None:
        network = network_of(address)
        self.open -= 1
        self._of[network] -= 1
        if not self._of[network]:
            del self._of[network]
            self._told.discard(network)
        if self.open < self.most // 2:
            self._told.discard("")

    def _tell(self, network: str, event: str) -> None:
        """Once, until they have gone: a flood of connections is no flood of lines."""
        if network not in self._told:
            self._told.add(network)
            security.note(event, "limited", address=network, open=self.open)


class GuardedRequest(WebRequest):
    """A request of Daphne's whose form nobody takes apart, and of whose headers nobody believes what is not so."""

    def __init__(self, channel: Any, *_: object) -> None:
        super().__init__(channel, parsePOSTFormSubmission=False)

    def process(self) -> Any:
        headers, channel = self.requestHeaders, self.channel
        # Daphne would take it from anybody for the prefix of all our addresses.
        headers.removeHeader(b"Daphne-Root-Path")
        if channel.factory.proxies and (forwarded := headers.getRawHeaders(b"X-Forwarded-For")):
            # Daphne would take the leftmost, which is what the client says of itself.
            named = [value.decode("latin-1") for value in forwarded]
            client = client_of(channel.peer, named, channel.factory.proxies)
            headers.setRawHeaders(b"X-Forwarded-For", [client.encode()])
        done = super().process()
        if (now := channel.transport.protocol) is not channel:
            channel.handed_over(now)
        return done

    def gotLength(self, length: int | None) -> None:
        self.content = BytesIO()  # it is small; Twisted would write it to a file

    def handleContentChunk(self, data: bytes) -> None:
        if self.channel.over:
            return
        if self.content.tell() + len(data) > MAX_BODY_BYTES:
            self.channel.refuse_body()
            return
        super().handleContentChunk(data)


class GuardedChannel(HTTPChannel):
    """One connection. It is counted while it is open, and has only so much time for each request."""

    factory: GuardedFactory
    transport: Any
    callLater: Callable[..., Any]

    def __init__(self) -> None:
        super().__init__()
        self.over = False
        """The last answer is on its way: nothing more is read."""
        self._clocks: dict[str, Any] = {}
        self._receiving = False
        """Part of a request has come in."""
        self._body = self._thrown_away = 0
        self._counted = True

    # ── coming and going ────────────────────────────────────────────────────────────────────────────────────

    def connectionMade(self) -> None:
        super().connectionMade()
        self._within("headers", HEADERS_WITHIN_S, self._too_slow)

    def connectionLost(self, reason: Any = None) -> None:
        self._stop(*self._clocks)
        self._left()
        super().connectionLost(reason)

    def handed_over(self, socket: Any) -> None:
        """The connection is a WebSocket's from now on, and counts until that is closed."""
        socket.is_closed.addBoth(lambda _: self._left())

    def _left(self) -> None:
        if self._counted:
            self._counted = False
            self.factory.doors.leave(self.peer)

    def loseConnection(self) -> None:
        if "leaving" in self._clocks:
            return
        self.over = True
        self._stop(*self._clocks)
        self.setTimeout(None)
        self._within("leaving", LEAVE_WITHIN_S, self._abort)
        super().loseConnection()

    @property
    def peer(self) -> str:
        """The address at the other end, which may be a proxy's."""
        return str(getattr(self.getPeer(), "host", ""))

    # ── time ────────────────────────────────────────────────────────────────────────────────────────────────

    def _within(self, what: str, seconds: float, otherwise: Callable[[], None]) -> None:
        if what not in self._clocks:
            self._clocks[what] = self.callLater(seconds, self._strikes, what, otherwise)

    def _strikes(self, what: str, otherwise: Callable[[], None]) -> None:
        del self._clocks[what]
        otherwise()

    def _stop(self, *names: str) -> None:
        for name in names:
            if (clock := self._clocks.pop(name, None)) is not None:
                clock.cancel()

    def _too_slow(self) -> None:
        self.refuse(408, "The request took too long.", "a request that took too long")

    def _abort(self) -> None:
        self.transport.abortConnection()

    # ── what comes in ───────────────────────────────────────────────────────────────────────────────────────

    def dataReceived(self, data: bytes) -> None:
        if self.over:
            self._thrown_away += len(data)
            if self._thrown_away > LINGER_BYTES:
                self.transport.pauseProducing()
            return
        if not self._handlingRequest and not self._receiving:
            self._receiving = True
            self._within("headers", HEADERS_WITHIN_S, self._too_slow)
            self._within("request", REQUEST_WITHIN_S, self._too_slow)
        super().dataReceived(data)

    def lineReceived(self, line: bytes) -> None:
        if not self.over:
            super().lineReceived(line)

    def rawDataReceived(self, data: bytes) -> None:
        if self.over:
            return
        if not self._handlingRequest and self.length is None:  # in chunks
            self._body += len(data)
            if self._body > MAX_CHUNKED_BYTES:
                self.refuse_body()
                return
        super().rawDataReceived(data)

    def allHeadersReceived(self) -> None:
        if self.over:
            return
        self._stop("headers")
        method = self._command
        if method in OTHER_METHODS:
            allowed = f"Allow: {', '.join(sorted(name.decode() for name in METHODS))}"
            self.refuse(405, "Not by this method.", "a method that no page has", allowed)
        elif method not in METHODS:
            self.refuse(501, "There is no such method.", "a method that does not exist")
        elif self.length is not None and self.length > MAX_BODY_BYTES:
            self.refuse_body()
        else:
            super().allHeadersReceived()

    def allContentReceived(self) -> None:
        if self.over:
            return
        self._stop("headers", "request")
        self._receiving, self._body = False, 0
        super().allContentReceived()

    # ── refusing ────────────────────────────────────────────────────────────────────────────────────────────

    def refuse_body(self) -> None:
        """Refuse a body that is too large, or turns out to be."""
        self.refuse(413, f"A request may have {MAX_BODY_BYTES} bytes at most.", "a body that is too large")

    def refuse(self, status: int, words: str, event: str, *headers: str) -> None:
        """Answer so, read nothing more, and end the connection as soon as the client can have read it."""
        self.over = True
        self._stop(*self._clocks)
        self.setTimeout(None)
        self.factory.note(event, network_of(self.peer), status)
        self.transport.write(_answer(status, words, *headers))
        self.transport.loseWriteConnection()
        self._within("lingering", LINGER_S, self._abort)


class _TurnedAway(protocol.Protocol):
    """A connection too many: it is told so, and ends."""

    transport: Any

    def __init__(self, status: int) -> None:
        self._status = status

    def connectionMade(self) -> None:
        words = "Too many connections from your address." if self._status == 429 else "Too many connections."
        self.transport.write(_answer(self._status, words, "Retry-After: 10"))
        self.transport.loseConnection()


class GuardedFactory(HTTPFactory):
    """Makes our channels for Daphne's server, as long as there is room."""

    protocol = GuardedChannel

    def __init__(self, server: Any) -> None:
        """`server` says how many `proxies` stand before it, and has the `doors` that count."""
        super().__init__(server)
        self.proxies: int = server.proxies
        self.doors: Doors = server.doors
        self._noted: dict[tuple[str, str], float] = {}

    def note(self, event: str, address: str, status: int) -> None:
        """Write down that something was refused, unless the same was written of that address a moment ago."""
        now = self.reactor.seconds()
        if self._noted.get((event, address), now) > now:
            return
        if len(self._noted) >= MOST_NOTED:
            self._noted = {one: until for one, until in self._noted.items() if until > now}
        if len(self._noted) < MOST_NOTED:
            self._noted[event, address] = now + NOTED_EVERY_S
        security.note(event, "refused", address=address, status=status)

    def buildProtocol(self, addr: Any) -> Any:
        if (status := self.doors.enter(str(getattr(addr, "host", "")))) is not None:
            return _TurnedAway(status)
        channel = super().buildProtocol(addr)
        channel.requestFactory = GuardedRequest
        return channel


class GuardedSocket(WebSocketProtocol):
    """A connection of Daphne's that is cut off when it sends too many frames that say nothing.

    autobahn answers each ping, and keeps the answers without end for a client that does not read them.
    """

    transport: Any
    cut_off = False
    _silent = 0
    _counted_from = 0.0

    def onMessageFrameBegin(self, length: int) -> None:
        if not self.current_frame.fin:
            self._may_say_nothing()
        super().onMessageFrameBegin(length)

    def onMessage(self, payload: bytes, binary: bool) -> None:
        if not self.cut_off:
            super().onMessage(payload, binary)

    def onPing(self, payload: bytes) -> None:
        if self._may_say_nothing() and not self.server.reads_nothing(self):
            super().onPing(payload)

    def onPong(self, payload: bytes) -> None:
        if self._may_say_nothing():
            super().onPong(payload)

    def _may_say_nothing(self) -> bool:
        """Whether this client may send one more frame of this kind. What it had sent by then still comes in."""
        if self.cut_off:
            return False
        now = self.factory.reactor.seconds()
        if now >= self._counted_from + SILENT_WITHIN_S:
            self._silent, self._counted_from = 0, now
        self._silent += 1
        if self._silent > SILENT_FRAMES:
            self.cut_off = True
            address = network_of((self.client_addr or [""])[0])
            security.note("a client that floods with frames was cut off", "limited", address=address)
            self.transport.abortConnection()
        return not self.cut_off


class LeanFactory(WebSocketFactory):
    """Daphne's factory of connections, whose settings stand once, in a class of its own, for all of them.

    autobahn copies them into each connection as it opens, and makes a text of them for a log that nobody reads.
    """

    def setProtocolOptions(self, *args: Any, **options: Any) -> None:
        super().setProtocolOptions(*args, **options)
        settings = {name: getattr(self, name) for name in WebSocketProtocol.CONFIG_ATTRS}
        settings |= {name: staticmethod(value) for name, value in settings.items() if isinstance(value, FunctionType)}
        self.protocol = type("LeanProtocol", (GuardedSocket,), {**settings, "CONFIG_ATTRS": ()})
