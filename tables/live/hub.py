"""One hub in each web process: hears of a table once, renders it once, serves all its sockets.

A socket is handed whole fragments of the felt and remembers what it has; a push carries only those that changed.
Bursts coalesce: a feed pushes at most every `PUSH_INTERVAL_S` seconds, and always its newest state. What everybody sees
is rendered once per language; private fragments only for players for whom they may have changed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic

import structlog
from channels.layers import get_channel_layer

from tables.base import announce, metrics
from tables.base.announce import (
    Announcement,
    JackpotChanged,
    KioskChanged,
    LoginsEnded,
    PitChanged,
    PlayersChanged,
    SessionEnded,
    TableChanged,
)
from tables.base.executor import in_database
from tables.base.tasks import cancel_and_wait
from tables.base.timetable import HEARTBEAT
from tables.felt.shared.fragments import Fragments
from tables.pit import board as pit_board
from tables.pit.board import Buttons
from tables.queries.table import Addressed, at_address, versions_of
from tables.services.players import logins
from tables.services.rounds import seating

from .boards import (
    PIT_INTERVAL_S,
    PIT_REFRESH_S,
    Board,
    closed_to,
    closed_to_wallboard,
    render_bar,
    render_floor,
    render_jackpot,
    render_kiosk,
    render_kiosks,
    render_lobby,
    render_pit_table,
    render_wallboard,
)
from .doorkeeper import Doorkeeper
from .feeds import LOST_AFTER_S, KioskFeed, TableFeed
from .sockets import NOT_LOGGED_IN, Socket

log = structlog.get_logger(__name__)

LOOK_INTERVAL_S = 0.5
"""Seconds between two looks at the versions of all tables that somebody in this process looks at."""

PRUNE_INTERVAL_S = 3600.0
"""Seconds between two times that expired sessions are forgotten."""


class Hub:
    """All feeds of this process, behind one subscription to the channel layer."""

    def __init__(self) -> None:
        self.tables: dict[int, TableFeed] = {}
        self.lobby: Board | None = None
        self.jackpots: dict[int, Board] = {}
        self.pit: dict[tuple[str, Buttons], Board] = {}
        self.kiosks: dict[int, KioskFeed] = {}
        self.sockets: set[Socket] = set()
        self.doorkeeper = Doorkeeper()
        self._pruned_at = monotonic()
        self._channel: str | None = None
        self._listener = announce.Listener(self._heard)
        self._tasks: list[asyncio.Task[None]] = []
        self._greet: dict[int, set[int]] = {}
        self._behind: dict[int, tuple[str, float]] = {}
        self._addresses: dict[str, Addressed] = {}

    # ── life ────────────────────────────────────────────────────────────────────────────────────────────────

    async def start(self) -> None:
        """Listen and beat. Called by the first socket; does nothing the second time."""
        if self._tasks:
            return
        self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._beat, self._look)]
        self._listener.begin()

    async def stop(self) -> None:
        """Stop all feeds; the sockets are the server's to close."""
        self._listener.end()
        for feed in self.tables.values():
            feed.stop()
        for board in self._boards():
            board.stop()
        for kiosk in self.kiosks.values():
            kiosk.stop()
        await cancel_and_wait(self._tasks)
        self._tasks, self.lobby, self._channel = [], None, None
        self.tables.clear()
        self.jackpots.clear()
        self.pit.clear()
        self.kiosks.clear()
        self.sockets.clear()
        self._addresses.clear()

    def _boards(self) -> list[Board]:
        return [*self.jackpots.values(), *self.pit.values(), *([self.lobby] if self.lobby is not None else [])]

    async def _listen(self) -> None:
        while True:
            try:
                layer = get_channel_layer()
                assert layer is not None
                self._channel = await layer.new_channel()
                for group in (announce.FLOOR, announce.SESSIONS, *map(announce.group_of, self.tables)):
                    await layer.group_add(group, self._channel)
                for feed in self.tables.values():
                    feed.changed(None)
                for kiosk in self.kiosks.values():
                    kiosk.changed()
                await self._listener.listen(layer, self._channel)
            except announce.REDIS_AWAY as error:
                log.warning("announcements are not heard", error=str(error))
                self._channel = None
                await asyncio.sleep(0.5)

    def _heard(self, announcement: Announcement) -> None:
        match announcement:
            case TableChanged():
                if (feed := self.tables.get(announcement.table)) is not None:
                    feed.heard(announcement)
                if announcement.lobby:
                    self._boards_changed(self.lobby, *self.pit.values())
            case PitChanged():
                self._boards_changed(*self.pit.values())
            case JackpotChanged(jackpot):
                for feed in self.tables.values():
                    if feed.state is not None and feed.state.pool is not None and feed.state.pool.jackpot_id == jackpot:
                        feed.pool_changed()
                self._boards_changed(self.lobby, self.jackpots.get(jackpot))
            case PlayersChanged(players):
                for feed in self.tables.values():
                    if here := {s.player for s in feed.sockets if s.player is not None}.intersection(players):
                        feed.changed(here)
            case KioskChanged(kiosk_id):
                if (kiosk := self.kiosks.get(kiosk_id)) is not None:
                    kiosk.changed()
            case SessionEnded(session):
                self._soon(partial(self._close, [socket for socket in self.sockets if socket.session == session]))
            case LoginsEnded(player):
                self._soon(partial(self._close, [socket for socket in self.sockets if socket.player == player]))

    def _boards_changed(self, *boards: Board | None) -> None:
        for board in boards:
            if board is not None:
                board.changed()

    async def _close(self, sockets: list[Socket]) -> None:
        """Their logins have ended: nothing more is shown to them, however long the connections take to close."""
        for socket in sockets:
            self.sockets.discard(socket)
            for feed in self.tables.values():
                feed.sockets.discard(socket)
            for board in self._boards():
                if socket in board.sockets:
                    self.leave_board(socket, board)
            await socket.close(NOT_LOGGED_IN)

    async def _beat(self) -> None:
        """Every few seconds: who is here, and is everybody up to date?"""
        while True:
            await asyncio.sleep(HEARTBEAT.total_seconds())
            await self._attempt(self.beat_logins())
            if self.pit:
                await self._attempt(self.beat_pit())
            for kiosk in self.kiosks.values():
                kiosk.changed()
            for feed in list(self.tables.values()):
                if any(socket.attends for socket in feed.sockets):
                    await self._attempt(self._say_who_is_here(feed))
                if feed.sockets:
                    await self._attempt(feed.beat())
            for board in self._boards():
                if board.sockets:
                    await self._attempt(board.beat())

    async def _look(self) -> None:
        """Find out what a lost announcement would have said: who shows an older state than the database has?"""
        while True:
            await asyncio.sleep(LOOK_INTERVAL_S)
            if watched := [feed.table_id for feed in self.tables.values() if feed.sockets]:
                await self._attempt(self._compare(watched))

    async def _compare(self, tables: list[int]) -> None:
        """A feed that has stayed behind since the last look is behind because nobody has told it."""
        versions = await in_database(versions_of, tables)
        behind, self._behind = self._behind, {}
        for feed in list(self.tables.values()):
            shown = feed.state.version if feed.state is not None else ""
            if feed.is_at_work or versions.get(feed.table_id, shown) == shown:
                continue
            since = behind.get(feed.table_id, ("", 0.0))
            if since[0] != shown:
                self._behind[feed.table_id] = shown, monotonic()
            elif monotonic() - since[1] < LOST_AFTER_S:
                self._behind[feed.table_id] = since
            else:
                log.warning("a table was behind, and nobody had said so", table=feed.table_id)
                feed.changed(None)

    async def beat_logins(self) -> None:
        """Let go whose login has ended, even if nobody heard of it; forget sessions that have expired."""
        await self._close(await self.doorkeeper.look(self.sockets))
        if monotonic() - self._pruned_at >= PRUNE_INTERVAL_S:
            self._pruned_at = monotonic()
            await in_database(logins.prune)

    async def beat_pit(self) -> None:
        """Who looks at the pit's panel and may not any more is let go; what only time shows is found."""
        for board in list(self.pit.values()):
            for socket in list(board.sockets):
                code = await in_database(_closed_to, socket)
                if code is not None:
                    self.leave_board(socket, board)  # nothing more is shown, however long the connection takes to close
                    await socket.close(code)
        await in_database(pit_board.look)

    async def _attempt(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:
            log.exception("a heartbeat failed")

    def _soon(self, work: Callable[[], Awaitable[None]]) -> None:
        """Nobody waits for this."""

        async def attempt() -> None:
            await self._attempt(work())

        self._tasks = [*(task for task in self._tasks if not task.done()), asyncio.create_task(attempt())]

    async def _say_who_is_here(self, feed: TableFeed) -> None:
        players = {socket.player for socket in feed.sockets if socket.player is not None}
        await in_database(seating.heartbeat, feed.table_id, players)

    # ── sockets come and go ─────────────────────────────────────────────────────────────────────────────────

    async def table_at(self, slug: str) -> Addressed | None:
        """The table of that name, if there is one. It keeps its name, its game and its realm: it is looked for once."""
        if (known := self._addresses.get(slug)) is not None:
            return known
        found = await in_database(at_address, slug)
        if found is not None:
            self._addresses[slug] = found
        return found

    async def join_table(self, socket: Socket, table_id: int) -> TableFeed:
        """A socket has opened at a table: it is sent the whole felt, and the table wakes if it was idle."""
        self.sockets.add(socket)  # before anything else: a login that ends meanwhile closes it
        await self.start()
        feed = self.tables.get(table_id)
        if feed is None:
            feed = self.tables[table_id] = TableFeed(table_id)
            if self._channel is not None and (layer := get_channel_layer()) is not None:
                with contextlib.suppress(*announce.REDIS_AWAY):
                    await layer.group_add(announce.group_of(table_id), self._channel)
        feed.sockets.add(socket)
        feed.send_whole(socket)
        if socket.attends:
            self._greet_soon(feed, socket)
        if socket.kiosk is not None:
            self._kiosk(socket.kiosk).tables.add(socket)
        return feed

    def _greet_soon(self, feed: TableFeed, socket: Socket) -> None:
        """Say that somebody is here; those who come within a moment are said at once."""
        waiting = self._greet.get(feed.table_id)
        if waiting is not None:
            if socket.player is not None:
                waiting.add(socket.player)
            return
        self._greet[feed.table_id] = set() if socket.player is None else {socket.player}

        async def greet() -> None:
            await asyncio.sleep(0.05)
            await in_database(seating.greet, feed.table_id, self._greet.pop(feed.table_id))

        self._soon(greet)

    async def leave_table(self, socket: Socket, feed: TableFeed) -> None:
        """A socket has closed. If it was the player's last one here, the player is offline."""
        feed.sockets.discard(socket)
        self.sockets.discard(socket)
        self.leave_kiosk(socket)
        player = socket.player
        if player is not None and all(other.player != player for other in feed.sockets):
            await self._attempt(in_database(seating.connection_lost, feed.table_id, player))
        if not feed.sockets and self.tables.get(feed.table_id) is feed:
            del self.tables[feed.table_id]
            feed.stop()
            if self._channel is not None and (layer := get_channel_layer()) is not None:
                with contextlib.suppress(*announce.REDIS_AWAY):
                    await layer.group_discard(announce.group_of(feed.table_id), self._channel)

    async def join_kiosk(self, socket: Socket) -> None:
        """A kiosk's screen has connected: it hears at once how things are, and from then on what changes."""
        assert socket.kiosk is not None
        await self.start()
        feed = self._kiosk(socket.kiosk)
        feed.screens.add(socket)
        feed.changed()

    def _kiosk(self, kiosk_id: int) -> KioskFeed:
        if kiosk_id not in self.kiosks:
            self.kiosks[kiosk_id] = KioskFeed(kiosk_id)
        return self.kiosks[kiosk_id]

    def leave_kiosk(self, socket: Socket) -> None:
        """A socket of a kiosk has closed."""
        feed = self.kiosks.get(socket.kiosk) if socket.kiosk is not None else None
        if feed is not None:
            feed.screens.discard(socket)
            feed.tables.discard(socket)
            if not feed.screens and not feed.tables:
                feed.stop()
                del self.kiosks[feed.kiosk_id]

    async def join_lobby(self, socket: Socket) -> Board:
        await self.start()
        if self.lobby is None:
            self.lobby = Board("lobby", render_lobby)
        self._join(socket, self.lobby)
        return self.lobby

    async def join_jackpot(self, socket: Socket, jackpot_id: int) -> Board:
        """A socket has opened on the page of a jackpot."""
        await self.start()
        if jackpot_id not in self.jackpots:
            self.jackpots[jackpot_id] = Board("jackpot", partial(render_jackpot, jackpot_id))
        self._join(socket, self.jackpots[jackpot_id])
        return self.jackpots[jackpot_id]

    async def join_pit(self, socket: Socket, slug: str, buttons: Buttons) -> Board:
        """A socket has opened on the pit's panel, or on its page of one table."""
        render = partial(render_pit_table, slug) if slug else render_floor
        return await self._join_pit(socket, f"tables/{slug}" if slug else "floor", buttons, render)

    async def join_bar(self, socket: Socket, buttons: Buttons) -> Board:
        """A socket has opened on a page of the pit of which nothing else is pushed than its bar and the alerts."""
        return await self._join_pit(socket, "bar", buttons, render_bar)

    async def join_kiosks(self, socket: Socket, kiosk_id: int | None, buttons: Buttons) -> Board:
        """A socket has opened on the pit's list of kiosks, or on its page of one."""
        render = render_kiosks if kiosk_id is None else partial(render_kiosk, kiosk_id)
        return await self._join_pit(socket, f"kiosks/{kiosk_id or ''}", buttons, render)

    async def join_wallboard(self, socket: Socket) -> Board:
        """A wallboard has connected; it closes at once when this use of its kiosk is over."""
        assert socket.kiosk is not None
        board = await self._join_pit(socket, "wallboard", Buttons(), render_wallboard)
        self._kiosk(socket.kiosk).tables.add(socket)
        return board

    async def _join_pit(
        self, socket: Socket, part: str, buttons: Buttons, render: Callable[[Buttons, set[str]], dict[str, Fragments]]
    ) -> Board:
        await self.start()
        key = (part, buttons)
        if key not in self.pit:
            shown = partial(render, buttons)
            self.pit[key] = Board("pit", shown, interval_s=PIT_INTERVAL_S, refresh_s=PIT_REFRESH_S)
        self._join(socket, self.pit[key])
        return self.pit[key]

    def _join(self, socket: Socket, board: Board) -> None:
        self.sockets.add(socket)
        board.sockets.add(socket)
        board.send_whole(socket)

    def leave_board(self, socket: Socket, board: Board) -> None:
        """A socket has closed: a jackpot, or a part of the pit, that nobody looks at is not drawn."""
        self.sockets.discard(socket)
        board.sockets.discard(socket)
        self.leave_kiosk(socket)
        if board.sockets:
            return
        for jackpot_id in [pk for pk, one in self.jackpots.items() if one is board]:
            del self.jackpots[jackpot_id]
            board.stop()
        for key in [key for key, one in self.pit.items() if one is board]:
            del self.pit[key]
            board.stop()


def _closed_to(socket: Socket) -> int | None:
    """With which code a socket of the pit, or of a wallboard, is closed; None where it may go on watching."""
    if socket.kiosk is not None:
        return closed_to_wallboard(socket.kiosk, socket.use)
    return closed_to(socket.player, socket.session)


hub = Hub()
metrics.SOCKETS.set_function(lambda: len(hub.sockets))
