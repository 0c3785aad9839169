"""One hub in each web process: hears of a table once, renders it once, serves all its sockets.

A socket is handed whole fragments of the felt and remembers what it has; a push carries only those that changed.
Bursts coalesce: a feed pushes at most every `BREATH` seconds, and always its newest state. What everybody sees is
rendered once a language; what is private only for those it may have changed for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.utils import translation

from . import announce, felt, queries
from .executor import in_database
from .felt import Notice, Viewer
from .models import Account, Table
from .queries import TableState
from .services import seating
from .timetable import HEARTBEAT

log = structlog.get_logger(__name__)

BREATH = 0.1
"""Seconds between two pushes of one feed at the least."""

LOBBY_BREATH = 0.5


@dataclass(eq=False, slots=True)
class Socket:
    """One open socket, and what its client has been sent."""

    send: Callable[[str], Awaitable[None]]
    close: Callable[[int], Awaitable[None]]
    language: str
    player: int | None = None
    name: str = ""
    session: str | None = None
    game: str = ""
    notice: Notice | None = None
    version: str = ""
    private: dict[str, str] = field(default_factory=dict)
    private_key: object = None

    @property
    def key(self) -> str | None:
        """The bettor's key, or None for somebody who only looks."""
        return None if self.player is None else f"p{self.player}"


Fragments = dict[str, str]


class TableFeed:
    """The sockets of one table in this process, and the state they were last sent."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        self.sockets: set[Socket] = set()
        self.state: TableState | None = None
        self._public: dict[str, Fragments] = {}
        self._touched: set[int] | None = set()  # None: anybody
        self._whole: set[Socket] = set()
        self._dirty = asyncio.Event()
        self._task = asyncio.create_task(self._run())
        self._pushed = 0.0

    def changed(self, players: Iterable[int] | None) -> None:
        """Something has changed at the table, privately for these players at most (None: for anybody)."""
        if players is None:
            self._touched = None
        elif self._touched is not None:
            self._touched.update(players)
        self._dirty.set()

    def send_whole(self, socket: Socket) -> None:
        """This socket has missed something, or is new: it gets the whole felt."""
        self._whole.add(socket)
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            await asyncio.sleep(max(0.0, self._pushed + BREATH - monotonic()))
            self._dirty.clear()
            self._pushed = monotonic()
            try:
                await self._push()
            except Exception:  # try again with everything
                log.exception("a push failed", table=self.table_id)
                self._whole |= self.sockets
                await asyncio.sleep(1)
                self._dirty.set()

    async def _push(self) -> None:
        """Send the newest state: first to those who see what all see, then to those for whom there is more."""
        touched, self._touched = self._touched, set()
        whole, self._whole = self._whole & self.sockets, set()
        before = self.state
        wanted = [s for s in self.sockets if s in whole or self._concerns(s, touched)]
        state, rendered = await in_database(_render_public, self.table_id, before, {s.language for s in self.sockets})
        now = int(state.now.timestamp() * 1000)
        common: dict[str, str] = {}
        for language, fragments in rendered.items():
            known = self._public.get(language, {})
            common[language] = "".join(html for name, html in fragments.items() if known.get(name) != html)
        self.state, self._public = state, rendered
        base = before.version if before is not None else ""
        steps = {language: html + felt.live(base, state.version, now) for language, html in common.items()}
        for socket in self.sockets.difference(wanted):
            if not base or socket.version != base:
                self.send_whole(socket)  # joined while we were rendering
            elif base != state.version or common[socket.language]:
                socket.version = state.version
                await _deliver(socket, steps[socket.language])
        if not wanted:
            return
        private = await in_database(_render_private, state, wanted, whole)
        for socket in self.sockets.intersection(wanted):
            own = private.get(socket)
            if socket in whole or not base or socket.version != base:
                if own is None:
                    self.send_whole(socket)
                    continue
                public = "".join(rendered[socket.language].values())
                text = public + "".join(own.values()) + felt.live("*", state.version, now)
                socket.private = own
            else:
                changed = ""
                if own is not None:
                    changed = "".join(html for name, html in own.items() if socket.private.get(name) != html)
                    socket.private = own
                if not changed and base == state.version and not common[socket.language]:
                    continue
                text = changed + steps[socket.language]
            socket.version = state.version
            await _deliver(socket, text)

    def _concerns(self, socket: Socket, touched: set[int] | None) -> bool:
        """Whether what this socket sees in private may have changed."""
        if socket.player is None:
            return False
        if touched is not None:
            return socket.player in touched
        return True

    async def beat(self) -> None:
        """Tell every client the newest version; find out what an announcement that was lost would have said."""
        version = await in_database(_version_of, self.table_id)
        if self.state is None or version != self.state.version:
            self.changed(None)
            return
        text = felt.live(version, version, int(_now_ms()))
        for socket in list(self.sockets):
            if socket.version == version:
                await _deliver(socket, text)


def _now_ms() -> float:
    return time() * 1000


def _version_of(table_id: int) -> str:
    return queries.version_of(Table.objects.select_related("round").get(pk=table_id))


def _render_public(
    table_id: int, before: TableState | None, languages: set[str]
) -> tuple[TableState, dict[str, Fragments]]:
    """The newest state, and what everybody may see of it, by language."""
    state = queries.table_state(table_id, before=before)
    public: dict[str, Fragments] = {}
    for language in languages:
        with translation.override(language):
            public[language] = felt.public_fragments(state)
    return state, public


def _render_private(state: TableState, sockets: list[Socket], whole: set[Socket]) -> dict[Socket, Fragments]:
    """What those sockets of whom anything has changed see in private."""
    players = {socket.player for socket in sockets if socket.player is not None}
    balances = dict(Account.objects.filter(player_id__in=players).values_list("player_id", "balance"))
    private: dict[Socket, Fragments] = {}
    for socket in sockets:
        viewer = viewer_of(state, socket, balances)
        key = felt.private_key(state, viewer)
        if socket in whole or key != socket.private_key:
            socket.private_key = key
            with translation.override(socket.language):
                private[socket] = felt.private_fragments(state, viewer)
    return private


def viewer_of(state: TableState, socket: Socket, balances: dict[int, int]) -> Viewer:
    """Who looks through this socket."""
    return Viewer(
        key=socket.key,
        name=socket.name,
        balance_cents=balances.get(socket.player) if socket.player is not None else None,
        seat=state.seat_of(socket.key),
        notice=socket.notice,
    )


class LobbyFeed:
    """The sockets that look at the lobby."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self._known: dict[str, Fragments] = {}
        self._whole: set[Socket] = set()
        self._dirty = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def changed(self) -> None:
        if self.sockets:
            self._dirty.set()

    def send_whole(self, socket: Socket) -> None:
        self._whole.add(socket)
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            whole, self._whole = self._whole & self.sockets, set()
            try:
                fragments = await in_database(_render_lobby, {s.language for s in self.sockets})
                for socket in list(self.sockets):
                    known = {} if socket in whole else self._known.get(socket.language, {})
                    new = fragments.get(socket.language)
                    if new is None:
                        self.send_whole(socket)
                        continue
                    changed = "".join(html for name, html in new.items() if known.get(name) != html)
                    if changed:
                        await _deliver(socket, changed + felt.live("*", "lobby", int(_now_ms())))
                self._known |= fragments
            except Exception:
                log.exception("the lobby could not be pushed")
            await asyncio.sleep(LOBBY_BREATH)

    async def beat(self) -> None:
        self.changed()
        for socket in list(self.sockets):
            await _deliver(socket, felt.live("lobby", "lobby", int(_now_ms())))


def _render_lobby(languages: set[str]) -> dict[str, Fragments]:
    cards = queries.lobby()
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = felt.lobby_fragments(cards)
    return result


def rendered_notice(notice: Notice, socket: Socket) -> str:
    """The fragment that answers one client."""
    with translation.override(socket.language):
        return felt.notice(notice, socket.game)


async def _deliver(socket: Socket, text: str) -> None:
    """Hand a text to the server. A socket that is going away is no error; the server drops those that do not read."""
    with contextlib.suppress(Exception):
        await socket.send(text)


class Hub:
    """All feeds of this process, behind one subscription to the channel layer."""

    def __init__(self) -> None:
        self.tables: dict[int, TableFeed] = {}
        self.lobby: LobbyFeed | None = None
        self.sockets: set[Socket] = set()
        self._channel: str | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._greet: dict[int, set[int]] = {}

    # ── life ────────────────────────────────────────────────────────────────────────────────────────────────

    async def start(self) -> None:
        """Listen and beat. Called by the first socket; does nothing the second time."""
        if self._tasks:
            return
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Stop all feeds; the sockets are the server's to close."""
        for feed in self.tables.values():
            feed.stop()
        if self.lobby is not None:
            self.lobby.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks, self.lobby, self._channel = [], None, None
        self.tables.clear()
        self.sockets.clear()

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
                while True:
                    await self._heard(await layer.receive(self._channel))
            except announce.REDIS_AWAY as error:
                log.warning("announcements are not heard", error=str(error))
                self._channel = None
                await asyncio.sleep(0.5)

    async def _heard(self, message: dict[str, Any]) -> None:
        match message.get("type"):
            case "table.changed":
                if (feed := self.tables.get(message["table"])) is not None:
                    feed.changed(message["players"])
            case "floor.changed":
                if self.lobby is not None:
                    self.lobby.changed()
            case "wallets.changed":
                players = set(message["players"])
                for feed in self.tables.values():
                    if here := {s.player for s in feed.sockets if s.player in players}:
                        feed.changed([player for player in here if player is not None])
            case "session.ended":
                for socket in [s for s in self.sockets if s.session == message["session"]]:
                    await socket.close(4401)
            case "logins.ended":
                for socket in [s for s in self.sockets if s.player == message["player"]]:
                    await socket.close(4401)

    async def _beat(self) -> None:
        """Every few seconds: who is here, and is everybody up to date?"""
        while True:
            await asyncio.sleep(HEARTBEAT.total_seconds())
            for feed in list(self.tables.values()):
                if feed.sockets:
                    await self._attempt(self._say_who_is_here(feed))
                    await self._attempt(feed.beat())
            if self.lobby is not None and self.lobby.sockets:
                await self._attempt(self.lobby.beat())

    async def _attempt(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception:
            log.exception("a heartbeat failed")

    async def _say_who_is_here(self, feed: TableFeed) -> None:
        players = {socket.player for socket in feed.sockets if socket.player is not None}
        await in_database(seating.heartbeat, feed.table_id, players)

    # ── sockets come and go ─────────────────────────────────────────────────────────────────────────────────

    async def join_table(self, socket: Socket, table_id: int) -> TableFeed:
        """A socket has opened at a table: it is sent the whole felt, and the table wakes if it was idle."""
        await self.start()
        feed = self.tables.get(table_id)
        if feed is None:
            feed = self.tables[table_id] = TableFeed(table_id)
            if self._channel is not None and (layer := get_channel_layer()) is not None:
                with contextlib.suppress(*announce.REDIS_AWAY):
                    await layer.group_add(announce.group_of(table_id), self._channel)
        self.sockets.add(socket)
        feed.sockets.add(socket)
        feed.send_whole(socket)
        self._greet_soon(feed, socket)
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
            players = self._greet.pop(feed.table_id)
            await self._attempt(in_database(seating.heartbeat, feed.table_id, players))

        self._tasks.append(asyncio.create_task(greet()))
        self._tasks = [task for task in self._tasks if not task.done()]

    async def leave_table(self, socket: Socket, feed: TableFeed) -> None:
        """A socket has closed: if it was the last of its player here, his line has dropped."""
        feed.sockets.discard(socket)
        self.sockets.discard(socket)
        player = socket.player
        seated = player is not None and feed.state is not None and feed.state.seat_of(socket.key) is not None
        if player is not None and seated and all(other.player != player for other in feed.sockets):
            await self._attempt(in_database(seating.line_dropped, feed.table_id, player))
        if not feed.sockets and self.tables.get(feed.table_id) is feed:
            del self.tables[feed.table_id]
            feed.stop()
            if self._channel is not None and (layer := get_channel_layer()) is not None:
                with contextlib.suppress(*announce.REDIS_AWAY):
                    await layer.group_discard(announce.group_of(feed.table_id), self._channel)

    async def join_lobby(self, socket: Socket) -> None:
        await self.start()
        if self.lobby is None:
            self.lobby = LobbyFeed()
        self.sockets.add(socket)
        self.lobby.sockets.add(socket)
        self.lobby.send_whole(socket)

    def leave_lobby(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        if self.lobby is not None:
            self.lobby.sockets.discard(socket)


hub = Hub()
