"""Whether the people behind the open sockets of this process may stay: an open socket never outlives its login.

That a login has ended is announced; this finds it also when the announcement was lost. It asks the database at a
message, once a second for each socket at most, and at every beat, and each time with one query for all who wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from time import monotonic

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.executor import in_database
from tables.services.players import logins
from tables.services.players.logins import Held

from .sockets import Socket

KNOWN_FOR_S = 1.0
"""For so many seconds what the database said of a login at a message is good."""


class Doorkeeper:
    """Asks the database about logins, for all sockets together. `elapsed` tells seconds, `clock` the house's time."""

    def __init__(self, *, elapsed: Callable[[], float] = monotonic, clock: Clock = DATABASE_CLOCK) -> None:
        self.elapsed, self.clock = elapsed, clock
        self._waiting: list[tuple[Socket, bool, asyncio.Future[bool]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def admits(self, socket: Socket, *, said: bool = True) -> bool:
        """Whether this socket may go on; its player has just said something, unless not `said`."""
        if socket.player is None or self.elapsed() - socket.admitted_at < KNOWN_FOR_S:
            return True
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((socket, said, done))
        if self._asking is None or self._asking.done():  # a task of its own: who asks first may leave first
            self._asking = asyncio.create_task(self._ask_all())
        admitted: bool = await done
        return admitted

    async def _ask_all(self) -> None:
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            await self._ask(waiting)

    async def _ask(self, waiting: list[tuple[Socket, bool, asyncio.Future[bool]]]) -> None:
        try:
            heard = [socket.session for socket, said, _ in waiting if said and socket.session is not None]
            over = await self._ended([socket for socket, _, _ in waiting], heard)
        except BaseException as error:
            for _, _, done in waiting:
                if not done.done():
                    done.set_exception(error if isinstance(error, Exception) else ConnectionError("the house closes"))
            if not isinstance(error, Exception):
                raise
            return
        at = self.elapsed()
        for socket, said, done in waiting:
            if said and socket not in over:  # else the next thing that the player does would not be written down
                socket.admitted_at = at
            if not done.done():
                done.set_result(socket not in over)

    async def look(self, sockets: Collection[Socket]) -> list[Socket]:
        """Those of these sockets whose login has ended."""
        known = [socket for socket in sockets if socket.player is not None]
        return list(await self._ended(known, ())) if known else []

    async def _ended(self, sockets: Collection[Socket], heard: Collection[str]) -> set[Socket]:
        held = {socket: _held(socket) for socket in sockets}
        over = await in_database(logins.ended, set(held.values()), heard=set(heard), clock=self.clock)
        return {socket for socket, one in held.items() if one in over}


def _held(socket: Socket) -> Held:
    assert socket.player is not None
    return Held(socket.session, socket.player, socket.staff)
