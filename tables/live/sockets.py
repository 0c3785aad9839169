"""An open socket, as the hub knows it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from math import inf
from time import time

from tables.models.bettors import Bettor, bettor_of

NOT_LOGGED_IN, FORBIDDEN = 4401, 4403
"""Close codes: not logged in; not allowed to watch."""


@dataclass(eq=False, slots=True)
class Socket:
    """One open socket, and what its client has been sent."""

    send: Callable[[str], Awaitable[None]]
    close: Callable[[int], Awaitable[None]]
    language: str
    push: Callable[[str], bool] | None = None
    """Hands over a text at once, if the server has a way to (`casino.frames.PUSH`)."""
    player: int | None = None
    name: str = ""
    session: str | None = None
    """Under what the login is stored (`tables.base.browser_sessions.stored`)."""
    admitted_at: float = -inf
    """When the doorkeeper last found the login open at a message, in seconds of its own clock."""
    staff: bool = False
    game: str = ""
    chats: bool = True
    version: str = ""
    private: dict[str, str] = field(default_factory=dict)
    part: object = None
    """What it was drawn from (`PrivatePart`)."""
    attends: bool = True
    """Whether whoever looks counts as somebody at the table; what a kiosk shows to nobody does not."""
    kiosk: int | None = None
    use: int = 0
    """The kiosk of this socket, and its screen session."""

    @property
    def key(self) -> Bettor | None:
        """The bettor's key, or None for somebody who only looks, as staff do."""
        return None if self.player is None or self.staff else bettor_of(self.player)


RESYNC_INTERVAL_S = 1.0
"""Seconds between two times that whole felts are sent because somebody asks for them."""


class Resyncs:
    """Those at one feed who ask for the whole felt: they get it at once, and whoever asks within RESYNC_INTERVAL_S gets
    it when that is over, all together and once, however many they are and however often they asked."""

    def __init__(self, send_whole: Callable[[Socket], None]) -> None:
        self._send_whole = send_whole
        self._asked: set[Socket] = set()
        self._next = 0.0
        self._due: asyncio.TimerHandle | None = None

    def ask(self, socket: Socket) -> None:
        """Have this socket sent everything, now or as soon as it may be."""
        self._asked.add(socket)
        if self._due is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._next - loop.time()
        if wait > 0:
            self._due = loop.call_later(wait, self._answer)
        else:
            self._answer()

    def _answer(self) -> None:
        self._due = None
        self._next = asyncio.get_running_loop().time() + RESYNC_INTERVAL_S
        asked, self._asked = self._asked, set()
        for socket in asked:
            self._send_whole(socket)

    def stop(self) -> None:
        """Nothing is sent any more."""
        if self._due is not None:
            self._due.cancel()


def now_ms() -> float:
    return time() * 1000


async def deliver(socket: Socket, text: str) -> None:
    """Hand a text to the server. A socket that is going away is no error; the server drops those that do not read."""
    with contextlib.suppress(Exception):
        if socket.push is None or not socket.push(text):
            await socket.send(text)
