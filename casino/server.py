"""Our own way of running Daphne: in this process, beside background tasks, with guards that it lacks.

Import this before anything of Twisted: it installs the reactor that runs on asyncio.
"""

from __future__ import annotations

import daphne.server  # isort: skip  (installs the asyncio reactor)

import asyncio
import contextlib
import logging
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import structlog
from autobahn.exception import Disconnected
from daphne.endpoints import build_endpoint_description_strings
from twisted.internet import reactor as _reactor

from tables.base import security

from . import garbage
from .addresses import network_of
from .frames import PUSH, backlog, frame_of, takes_frames, write
from .protocol import Doors, GuardedFactory, LeanFactory
from .supervision import supervised

# Daphne has no setting for these: they are the names by which it makes its own.
daphne.server.HTTPFactory, daphne.server.WebSocketFactory = GuardedFactory, LeanFactory

log = structlog.get_logger(__name__)
reactor: Any = _reactor  # a module that plays an object

BACKLOG_BYTES = 1_048_576
"""Bytes that may wait for a client that does not read; then it is cut off (Daphne buffers without end)."""

INBOX_MESSAGES = 128
"""Messages of one client that may wait to be handled; then it is cut off (Daphne would queue without end)."""

MAX_FRAME_BYTES = 16 * 1024
"""The largest WebSocket message that is received at all. What may be said is stricter (tables.live.messages)."""

FILES_BESIDE = 100
"""Files that the process needs beside its connections: the database's, Redis's, logs, pages."""

FAREWELL_S = 2.0
"""Seconds that sockets and background tasks get to end by themselves."""

CLOSE_RESTART = 1012
"""The WebSocket close code that means: come back in a moment."""


def free_to_listen(host: str, port: int) -> str | None:
    """Why nobody could listen there; None if one could. Said before anything else is started."""
    try:
        address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(address[0], address[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except OSError as error:
        return error.strerror or str(error)
    return None


def room_for(connections: int) -> int:
    """How many connections there is room for, of so many: each is a file, and of those a process may have so many open.

    As many of them as the system lets us are asked for.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + FILES_BESIDE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS knows a lower limit that it does not tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return connections if soft == resource.RLIM_INFINITY else max(2, min(connections, soft - FILES_BESIDE))


class _Inbox:
    """What a client has said and the application has not yet heard. Holds no more than INBOX_MESSAGES messages.

    A queue of asyncio's does the same in three kilobytes, for as long as a connection is open.
    """

    __slots__ = ("_cut_off", "_messages", "_protocol", "_waiting")

    def __init__(self, protocol: Any) -> None:
        self._messages: list[Mapping[str, Any]] = []
        self._protocol = protocol
        self._cut_off = False
        self._waiting: asyncio.Future[None] | None = None

    async def get(self) -> Mapping[str, Any]:
        """The next message. One application reads it, one message after the other."""
        while not self._messages:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        return self._messages.pop(0)

    def put_nowait(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "websocket.receive" and (self._cut_off or len(self._messages) >= INBOX_MESSAGES):
            if not self._cut_off:  # what it had sent by then still comes in: one line is enough
                self._cut_off = True
                security.note("a flooding client was cut off", "limited", address=address_of(self._protocol))
                self._protocol.transport.abortConnection()
            return
        self._messages.append(message)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


def address_of(protocol: Any) -> str:
    """Whose connection it is, as addresses are counted and logged."""
    return network_of((protocol.client_addr or [""])[0])


class GuardedServer(daphne.server.Server):
    """Daphne that drops slow and flooding clients, and ends in order. Run it with `serve`."""

    def __init__(
        self,
        application: Any,
        *,
        host: str,
        port: int,
        background: Mapping[str, Callable[[], Awaitable[None]]] | None = None,
        on_ready: Callable[[], None] = lambda: None,
        on_stop: Callable[[], None] = lambda: None,
        at_end: Callable[[], Awaitable[None]] | None = None,
        proxies: int = 0,
        connections: int = 1_000,
        per_address: int = 500,
        log_requests: bool = False,
    ) -> None:
        """`proxies` of ours stand before it. It takes so many `connections`, `per_address` so many, and of those that
        there is room for no address more than half; behind proxies they count (all connections are theirs).

        `background` tasks run in the server's own loop, are started anew when they crash, and are
        cancelled before the sockets close. `on_ready` is called in the loop once somebody can connect,
        before them; `on_stop` when the end begins; `at_end` when the sockets are closed."""
        self.proxies = proxies
        room = room_for(connections)
        self.doors = Doors(room, None if proxies else min(per_address, room // 2))
        forwarded = {
            "proxy_forwarded_address_header": "X-Forwarded-For",
            "proxy_forwarded_port_header": "X-Forwarded-Port",
            "proxy_forwarded_proto_header": "X-Forwarded-Proto",
        }
        super().__init__(
            application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            signal_handlers=False,
            ready_callable=lambda: reactor._asyncioEventloop.call_soon(self._begin),
            http_timeout=60,
            websocket_timeout=-1,  # else every socket is closed after a day, with a code that means goodbye
            websocket_connect_timeout=10,
            ping_interval=15,
            ping_timeout=20,
            websocket_max_message_size=MAX_FRAME_BYTES,
            websocket_max_frame_size=MAX_FRAME_BYTES,
            server_name="",
            action_logger=_log_request if log_requests else None,
            **(forwarded if proxies else {}),
        )
        self._background = dict(background or {})
        self._on_ready = on_ready
        self._on_stop = on_stop
        self._at_end = at_end
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None
        self._failed = False

    def serve(self) -> int:
        """Serves until SIGINT or SIGTERM, then ends in order. The exit code: 1 if it could not listen."""
        self.run()
        return int(self._failed)

    # ── beginning ───────────────────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._signalled)
        try:
            self._on_ready()
        except Exception:
            log.exception("the house cannot open")
            self._failed = True
            self.stop()
        garbage.freeze()
        for name, make in self._background.items():
            self._tasks.append(loop.create_task(supervised(name, make), name=name))

    def listen_error(self, failure: Any) -> None:
        log.critical("cannot listen", reason=failure.getErrorMessage())
        self._failed = True
        self.stop()

    # ── guards ──────────────────────────────────────────────────────────────────────────────────────────────

    def create_application(self, protocol: Any, scope: Any) -> Any:
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        if protocol not in self.connections:
            return None
        extensions = {**scope.get("extensions", {}), PUSH: partial(self.push, protocol)}
        scope = {**scope, "asgi": {"version": "3.0"}, "extensions": extensions}
        inbox = _Inbox(protocol)
        application = self.application(scope, inbox.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(application)
        return inbox

    def push(self, protocol: Any, text: str) -> bool:
        """Hand this text to a client at once; False if it has to go the usual way.

        To somebody who does not read, nothing is handed any more: what is on its way to them ends up here."""
        if self.reads_nothing(protocol):
            return True
        if protocol not in self.connections or not takes_frames(protocol):
            return False
        write(protocol.transport, frame_of(text))
        return True

    def reads_nothing(self, protocol: Any) -> bool:
        """Whether too much waits for this client, who is cut off then."""
        if backlog(protocol.transport) <= BACKLOG_BYTES:
            return False
        if not protocol.cut_off:
            protocol.cut_off = True
            security.note("a client that does not read was cut off", "limited", address=address_of(protocol))
            protocol.transport.abortConnection()
        return True

    async def handle_reply(self, protocol: Any, message: Any) -> None:
        if message["type"] != "websocket.send":
            await super().handle_reply(protocol, message)
            return
        text = message.get("text")
        if text is not None and self.push(protocol, text):
            return
        if self.reads_nothing(protocol):
            return
        # autobahn holds what we send to the limit of what we receive; a whole felt is larger than any message
        # of a client. Nothing is awaited on the way to the transport, so nothing is received in between.
        protocol.maxMessagePayloadSize = 0
        try:
            await super().handle_reply(protocol, message)
        except Disconnected:
            pass  # it has just said goodbye; the application hears of that in its turn
        finally:
            protocol.maxMessagePayloadSize = MAX_FRAME_BYTES

    # ── ending ──────────────────────────────────────────────────────────────────────────────────────────────

    def _signalled(self) -> None:
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end())
            self._on_stop()  # may fail: whoever was to hear of it may be gone
        else:  # asked twice: at once
            reactor.stop()

    async def _end(self) -> None:
        try:
            for listener in self.listeners:
                listener.addCallback(lambda port: port and port.stopListening())
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=FAREWELL_S)
            self._close_sockets()
            if running := [task for task in self._applications() if not task.done()]:
                await asyncio.wait(running, timeout=FAREWELL_S)
            if self._at_end:
                await asyncio.wait_for(self._at_end(), FAREWELL_S)
        finally:
            reactor.stop()

    def _close_sockets(self) -> None:
        for protocol in list(self.connections):
            if getattr(protocol, "application_type", "") == "websocket":
                # Not sendClose: that refuses the code for "come back", which is what a restart means.
                with contextlib.suppress(Exception):
                    protocol.sendCloseFrame(code=CLOSE_RESTART, reasonUtf8=b"restart", isReply=False)

    def _applications(self) -> list[asyncio.Future[None]]:
        return [
            details["application_instance"]
            for details in self.connections.values()
            if "application_instance" in details
        ]

    def kill_all_applications(self) -> Any:
        # Daphne's own trips over connections that have no application yet.
        for protocol, details in list(self.connections.items()):
            if "application_instance" not in details:
                del self.connections[protocol]
        return super().kill_all_applications()


def _log_request(protocol: str, action: str, details: Mapping[str, Any]) -> None:
    if protocol == "http" and action == "complete":
        path = str(details["path"]).partition("?")[0]  # a query may hold what is nobody's business
        logging.getLogger("casino.requests").info(
            "%s %s %s %.0f ms", details["method"], path, details["status"], details["time_taken"] * 1000
        )
