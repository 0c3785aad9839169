"""One hub in each web process: hears of a table once, renders it once, serves all its sockets.

A socket is handed whole fragments of the felt and remembers what it has; a push carries only those that changed.
Bursts coalesce: a feed pushes at most every `PUSH_INTERVAL_S` seconds, and always its newest state. What everybody sees
is rendered once per language; private fragments only for players for whom they may have changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, time
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.utils import translation

from . import announce, felt, kiosk_board, pit_board, queries, staffing
from .clock import DATABASE_CLOCK, Clock
from .endings import ended
from .executor import in_database
from .felt import Notice, Viewer
from .felts import jackpot
from .models import Account, Kiosk, Player
from .queries import Kept, Muted, TableState
from .rights import Right, may
from .services import screens, seating
from .timetable import HEARTBEAT

log = structlog.get_logger(__name__)

PUSH_INTERVAL_S = 0.1
"""Seconds between two pushes of one feed at the least."""

PUSH_WAIT_S = 0.05
"""How long at most a push waits for what is said to come at once, in seconds."""

REST_SHARE = 0.5
"""A feed rests for so long a part of what its last push took at the least: a crowd leaves time for its own bets."""

PRIVATE_BATCH_SOCKETS = 100
"""What is private is rendered for so many sockets at a time, and sent: nobody waits for the whole crowd."""

NOT_LOGGED_IN, FORBIDDEN = 4401, 4403
"""Close codes: not logged in; not allowed to watch."""

BOARD_INTERVAL_S = 0.5
"""The same for what only shows: the lobby, and what a jackpot gets from other tables."""

PIT_INTERVAL_S = 1.0
"""… and the pit's panel, which reads more than they do."""

PIT_REFRESH_S = 2.0
"""How old what the pit's panel shows is at most, in seconds: single bets are told to their own table alone."""


@dataclass(eq=False, slots=True)
class Socket:
    """One open socket, and what its client has been sent."""

    send: Callable[[str], Awaitable[None]]
    close: Callable[[int], Awaitable[None]]
    language: str
    player: int | None = None
    name: str = ""
    session: str | None = None
    staff: bool = False
    game: str = ""
    chats: bool = True
    notice: Notice | None = None
    version: str = ""
    private: dict[str, str] = field(default_factory=dict)
    private_key: object = None
    attends: bool = True
    """Whether whoever looks counts as somebody at the table; what a kiosk shows to nobody does not."""
    kiosk: int | None = None
    use: int = 0
    """The kiosk of this socket, and its screen session."""

    @property
    def key(self) -> str | None:
        """The bettor's key, or None for somebody who only looks, as staff do."""
        return None if self.player is None or self.staff else f"p{self.player}"


Fragments = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Step:
    """What everybody sees of one push: from the version `base` to this state, by language what is shown and what of it
    has changed; and the texts for those who have nothing in private."""

    state: TableState
    base: str
    now: int
    whole: dict[str, Fragments]
    changed: dict[str, str]
    texts: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        live = felt.live(self.base, self.state.version, self.now)
        object.__setattr__(self, "texts", {language: html + live for language, html in self.changed.items()})


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
        self._next = 0.0
        self._soon = False
        self._pool_shown: asyncio.TimerHandle | None = None

    def changed(self, players: Iterable[int] | None, *, soon: bool = False) -> None:
        """Something has changed at the table, privately for these players at most (None: for anybody); `soon` it will
        once more."""
        self._soon = soon
        if players is None:
            self._touched = None
        elif self._touched is not None:
            self._touched.update(players)
        self._dirty.set()

    def pool_changed(self) -> None:
        """The jackpot has changed, at whatever table: shown a moment later, once, however often it does till then."""
        if self._pool_shown is None:
            self._pool_shown = asyncio.get_running_loop().call_later(BOARD_INTERVAL_S, self._show_pool)

    def _show_pool(self) -> None:
        self._pool_shown = None
        self.changed(())

    def send_whole(self, socket: Socket) -> None:
        """This socket has missed something, or is new: it gets the whole felt."""
        self._whole.add(socket)
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()
        if self._pool_shown is not None:
            self._pool_shown.cancel()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            await asyncio.sleep(max(0.0, self._next - monotonic()))
            await self._wait_for_more()
            self._dirty.clear()
            begun = monotonic()
            try:
                await self._push()
            except Exception:  # try again with everything
                log.exception("a push failed", table=self.table_id)
                self._whole |= self.sockets
                await asyncio.sleep(1)
                self._dirty.set()
            ended = monotonic()
            self._next = max(begun + PUSH_INTERVAL_S, ended + REST_SHARE * (ended - begun))

    async def _wait_for_more(self) -> None:
        """A card that was asked for comes at once: one push then shows both, without waiting for the next interval."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PUSH_WAIT_S):
                while self._soon:
                    self._dirty.clear()
                    await self._dirty.wait()

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
        step = _Step(state, base, now, rendered, common)
        for socket in self.sockets.difference(wanted):
            if not base or socket.version != base:
                self.send_whole(socket)  # joined while we were rendering
            elif base != state.version or common[socket.language]:
                socket.version = state.version
                await _deliver(socket, step.texts[socket.language])
        for at in range(0, len(wanted), PRIVATE_BATCH_SOCKETS):
            await self._push_private(step, wanted[at : at + PRIVATE_BATCH_SOCKETS], whole)

    async def _push_private(self, step: _Step, wanted: list[Socket], whole: set[Socket]) -> None:
        """Send these sockets the step with their private part, or the whole felt if they missed the step before."""
        state, base = step.state, step.base
        private = await in_database(_render_private, state, wanted, whole)
        for socket in self.sockets.intersection(wanted):
            own = private.get(socket)
            if socket in whole or not base or socket.version != base:
                if own is None:
                    self.send_whole(socket)
                    continue
                public = "".join(step.whole[socket.language].values())
                text = public + "".join(own.values()) + felt.live("*", state.version, step.now)
                socket.private = own
            else:
                changed = ""
                if own is not None:
                    changed = "".join(html for name, html in own.items() if socket.private.get(name) != html)
                    socket.private = own
                if not changed and base == state.version and not step.changed[socket.language]:
                    continue
                text = changed + step.texts[socket.language]
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
        version = await in_database(queries.version_of, self.table_id)
        if self.state is None or version != self.state.version:
            self.changed(None)
            return
        text = felt.live(version, version, int(_now_ms()))
        for socket in list(self.sockets):
            if socket.version == version:
                await _deliver(socket, text)


def _now_ms() -> float:
    return time() * 1000


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
    """Private fragments for the sockets whose player is affected."""
    players = {socket.player for socket in sockets if socket.player is not None}
    balances = dict(Account.objects.filter(player_id__in=players).values_list("player_id", "balance"))
    muted = queries.muted_by(players)
    favourites = queries.favourites_of(players, state.game)
    private: dict[Socket, Fragments] = {}
    for socket in sockets:
        viewer = viewer_of(state, socket, balances, muted, favourites)
        key = felt.private_key(state, viewer)
        if socket in whole or key != socket.private_key:
            socket.private_key = key
            with translation.override(socket.language):
                private[socket] = felt.private_fragments(state, viewer)
    return private


def viewer_of(
    state: TableState,
    socket: Socket,
    balances: dict[int, int],
    muted: dict[int, Muted],
    favourites: dict[int, tuple[Kept, ...]],
) -> Viewer:
    """Who looks through this socket."""
    return Viewer(
        key=socket.key,
        name=socket.name,
        balance_cents=balances.get(socket.player) if socket.player is not None else None,
        seat=state.seat_of(socket.key),
        notice=socket.notice,
        muted=muted.get(socket.player, ()) if socket.player is not None else (),
        chats=socket.chats,
        favourites=favourites.get(socket.player, ()) if socket.player is not None else (),
    )


class Board:
    """The sockets of a page that shows everybody the same: the lobby, the page of a jackpot.

    `render` makes its fragments by language. `name` stands for their version, which has no gaps to be found. Two pushes
    are at least `interval_s` apart. Where not every change is announced, the board also looks after `refresh_s`.
    """

    def __init__(
        self,
        name: str,
        render: Callable[[set[str]], dict[str, Fragments]],
        *,
        interval_s: float = BOARD_INTERVAL_S,
        refresh_s: float | None = None,
    ) -> None:
        self.name = name
        self._interval_s, self._refresh_s = interval_s, refresh_s
        self.sockets: set[Socket] = set()
        self._render = render
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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._refresh_s):
                    await self._dirty.wait()
            self._dirty.clear()
            whole, self._whole = self._whole & self.sockets, set()
            try:
                fragments = await in_database(self._render, {s.language for s in self.sockets})
                for socket in list(self.sockets):
                    known = {} if socket in whole else self._known.get(socket.language, {})
                    new = fragments.get(socket.language)
                    if new is None:
                        self.send_whole(socket)
                        continue
                    changed = "".join(html for name, html in new.items() if known.get(name) != html)
                    if changed:
                        await _deliver(socket, changed + felt.live("*", self.name, int(_now_ms())))
                self._known |= fragments
            except Exception:
                log.exception("a board could not be pushed", board=self.name)
            await asyncio.sleep(self._interval_s)

    async def beat(self) -> None:
        self.changed()
        for socket in list(self.sockets):
            await _deliver(socket, felt.live(self.name, self.name, int(_now_ms())))


def _render_lobby(languages: set[str]) -> dict[str, Fragments]:
    cards, closed = queries.lobby(), queries.closed_tables()
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = felt.lobby_fragments(cards) | felt.lobby_gaps(closed)
    return result


def _render_jackpot(jackpot_id: int, languages: set[str]) -> dict[str, Fragments]:
    shown = queries.jackpot_shown(jackpot_id)
    return {language: jackpot.fragments(shown, language) for language in languages}


def _render_floor(acknowledges: bool, languages: set[str]) -> dict[str, Fragments]:
    tables = pit_board.floor()
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = pit_board.floor_fragments(tables, acknowledges=acknowledges)
    return result


def _render_pit_table(slug: str, acknowledges: bool, languages: set[str]) -> dict[str, Fragments]:
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = pit_board.table_fragments(pit_board.table_page(slug), acknowledges=acknowledges)
    return result


def _render_kiosks(acknowledges: bool, languages: set[str]) -> dict[str, Fragments]:
    some = kiosk_board.board()
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = kiosk_board.board_fragments(some, acknowledges=acknowledges)
    return result


def _render_kiosk(kiosk_id: int, acknowledges: bool, languages: set[str]) -> dict[str, Fragments]:
    page = kiosk_board.kiosk_page(kiosk_id)
    result = {}
    for language in languages:
        with translation.override(language):
            result[language] = kiosk_board.kiosk_fragments(page, acknowledges=acknowledges)
    return result


def closed_to(player: int | None, session: str | None, *, clock: Clock = DATABASE_CLOCK) -> int | None:
    """With which code a socket of the pit is closed to this login: 4401 where it is not open, 4403 to who has not the
    right; None where they may go on watching."""
    if player is None or session is None:
        return NOT_LOGGED_IN
    member = Player.objects.filter(pk=player).first()
    if member is None or not may(member, Right.WATCH):
        return FORBIDDEN
    return None if staffing.heard(session, player, clock.now(), said=False) else NOT_LOGGED_IN


class KioskFeed:
    """The sockets of one kiosk in this process: its line, which is told of every change, and those at its tables.

    They close when the use of the kiosk that they are of is over, or the visitor whose they are has gone.
    """

    def __init__(self, kiosk_id: int) -> None:
        self.kiosk_id = kiosk_id
        self.lines: set[Socket] = set()
        self.tables: set[Socket] = set()
        self._dirty = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def changed(self) -> None:
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            try:
                await self._tell()
            except Exception:  # the next beat tries again
                log.exception("a kiosk could not be told", kiosk=self.kiosk_id)

    async def _tell(self) -> None:
        kiosk = await in_database(Kiosk.objects.filter(pk=self.kiosk_id).exclude(token="").first)
        text = json.dumps(screens.told(kiosk)) if kiosk is not None else ""
        for socket in [*self.lines, *self.tables]:
            if kiosk is None or kiosk.use != socket.use or socket.player not in (None, kiosk.visitor_id):
                await socket.close(NOT_LOGGED_IN)
            elif socket in self.lines and socket.version != text:
                socket.version = text
                await _deliver(socket, text)


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
        self.lobby: Board | None = None
        self.jackpots: dict[int, Board] = {}
        self.pit: dict[tuple[str, bool], Board] = {}
        self.kiosks: dict[int, KioskFeed] = {}
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
        for board in self._boards():
            board.stop()
        for kiosk in self.kiosks.values():
            kiosk.stop()
        await ended(self._tasks)
        self._tasks, self.lobby, self._channel = [], None, None
        self.tables.clear()
        self.jackpots.clear()
        self.pit.clear()
        self.kiosks.clear()
        self.sockets.clear()

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
                    feed.changed(message["players"], soon=message.get("soon", False))
            case "floor.changed":
                for board in (self.lobby, *self.pit.values()):
                    if board is not None:
                        board.changed()
            case "pit.changed":
                for board in self.pit.values():
                    board.changed()
            case "jackpot.changed":
                pool = message["jackpot"]
                for feed in self.tables.values():
                    if feed.state is not None and feed.state.pool is not None and feed.state.pool.jackpot_id == pool:
                        feed.pool_changed()
                for board in (self.lobby, self.jackpots.get(pool)):
                    if board is not None:
                        board.changed()
            case "players.changed":
                players = set(message["players"])
                for feed in self.tables.values():
                    if here := {s.player for s in feed.sockets if s.player in players}:
                        feed.changed([player for player in here if player is not None])
            case "kiosk.changed":
                if (kiosk := self.kiosks.get(message["kiosk"])) is not None:
                    kiosk.changed()
            case "session.ended":
                for socket in [s for s in self.sockets if s.session == message["session"]]:
                    await socket.close(NOT_LOGGED_IN)
            case "logins.ended":
                for socket in [s for s in self.sockets if s.player == message["player"]]:
                    await socket.close(NOT_LOGGED_IN)

    async def _beat(self) -> None:
        """Every few seconds: who is here, and is everybody up to date?"""
        while True:
            await asyncio.sleep(HEARTBEAT.total_seconds())
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

    async def beat_pit(self) -> None:
        """Who looks at the pit's panel and may not any more is let go; what only time shows is found."""
        for board in list(self.pit.values()):
            for socket in list(board.sockets):
                code = await in_database(closed_to, socket.player, socket.session)
                if code is not None:
                    self.leave_board(socket, board)  # nothing more is shown, however long the connection takes to close
                    await socket.close(code)
        await in_database(pit_board.look)

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
            players = self._greet.pop(feed.table_id)
            await self._attempt(in_database(seating.heartbeat, feed.table_id, players))

        self._tasks.append(asyncio.create_task(greet()))
        self._tasks = [task for task in self._tasks if not task.done()]

    async def leave_table(self, socket: Socket, feed: TableFeed) -> None:
        """A socket has closed. If it was the player's last one here, the player is offline."""
        feed.sockets.discard(socket)
        self.sockets.discard(socket)
        self.leave_kiosk(socket)
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

    async def join_kiosk(self, socket: Socket) -> None:
        """The line of a kiosk has opened: it is told at once how things are, and from then on what changes."""
        assert socket.kiosk is not None
        await self.start()
        feed = self._kiosk(socket.kiosk)
        feed.lines.add(socket)
        feed.changed()

    def _kiosk(self, kiosk_id: int) -> KioskFeed:
        if kiosk_id not in self.kiosks:
            self.kiosks[kiosk_id] = KioskFeed(kiosk_id)
        return self.kiosks[kiosk_id]

    def leave_kiosk(self, socket: Socket) -> None:
        """A socket of a kiosk has closed."""
        feed = self.kiosks.get(socket.kiosk) if socket.kiosk is not None else None
        if feed is not None:
            feed.lines.discard(socket)
            feed.tables.discard(socket)
            if not feed.lines and not feed.tables:
                feed.stop()
                del self.kiosks[feed.kiosk_id]

    async def join_lobby(self, socket: Socket) -> Board:
        await self.start()
        if self.lobby is None:
            self.lobby = Board("lobby", _render_lobby)
        self._join(socket, self.lobby)
        return self.lobby

    async def join_jackpot(self, socket: Socket, jackpot_id: int) -> Board:
        """A socket has opened on the page of a jackpot."""
        await self.start()
        if jackpot_id not in self.jackpots:
            self.jackpots[jackpot_id] = Board("jackpot", partial(_render_jackpot, jackpot_id))
        self._join(socket, self.jackpots[jackpot_id])
        return self.jackpots[jackpot_id]

    async def join_pit(self, socket: Socket, slug: str, *, acknowledges: bool) -> Board:
        """A socket has opened on the pit's panel, or on its page of one table."""
        render = partial(_render_pit_table, slug) if slug else _render_floor
        return await self._join_pit(socket, slug, acknowledges, render)

    async def join_kiosks(self, socket: Socket, kiosk_id: int | None, *, acknowledges: bool) -> Board:
        """A socket has opened on the pit's list of kiosks, or on its page of one."""
        render = _render_kiosks if kiosk_id is None else partial(_render_kiosk, kiosk_id)
        return await self._join_pit(socket, f"kiosks/{kiosk_id or ''}", acknowledges, render)

    async def _join_pit(
        self,
        socket: Socket,
        part: str,
        acknowledges: bool,
        render: Callable[[bool, set[str]], dict[str, Fragments]],
    ) -> Board:
        await self.start()
        key = (part, acknowledges)
        if key not in self.pit:
            shown = partial(render, acknowledges)
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
        if board.sockets:
            return
        for jackpot_id in [pk for pk, one in self.jackpots.items() if one is board]:
            del self.jackpots[jackpot_id]
            board.stop()
        for key in [key for key, one in self.pit.items() if one is board]:
            del self.pit[key]
            board.stop()


hub = Hub()
