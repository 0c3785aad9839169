"""The sockets of one table or one kiosk, and how they are pushed to."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import monotonic

import structlog
from django.utils import translation

from tables.base import metrics
from tables.base.announce import TableChanged
from tables.base.executor import drawn, in_database
from tables.felt.leaves import leaves_fragment
from tables.felt.newest import newest_states
from tables.felt.private import PrivatePart, Viewer
from tables.felt.shared.fragments import Fragments, live_fragment
from tables.models import Kiosk
from tables.queries.own import Own, own_of
from tables.queries.table import TableState, table_state, version_of
from tables.services.kiosk import screen_sessions

from .gaps import Gaps
from .sockets import NOT_LOGGED_IN, Resyncs, Socket, deliver, now_ms

log = structlog.get_logger(__name__)

PUSH_INTERVAL_S = 0.1
"""Seconds between two pushes of one feed at the least."""

PUSH_WAIT_S = 0.05
"""How long at most a push waits for what is said to come at once, in seconds."""

REST_SHARE = 0.5
"""A feed rests for so long a part of what its last push took at the least: a crowd leaves time for its own bets."""

POOL_INTERVAL_S = 0.5
"""Seconds between two looks at a jackpot that other tables feed."""

LOST_AFTER_S = 1.0
"""Seconds after which an announcement of what is shown already counts as lost."""

PRIVATE_BATCH_SOCKETS = 100
"""What is private is rendered for so many sockets at a time, and sent: nobody waits for the whole crowd."""

FEW = 5
"""For so many sockets what is private is drawn together with what all see: that takes less than to go for it."""


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
        live = live_fragment(self.base, self.state.version, self.now)
        object.__setattr__(self, "texts", {language: html + live for language, html in self.changed.items()})


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The newest state, what everybody may see of it, by language, and the leaves of a pack that is fresh in it; the
    sockets for which there may be more, and that, if they are few."""

    state: TableState
    public: dict[str, Fragments]
    leaves: str
    to_all: bool
    concerned: list[Socket]
    private: dict[Socket, Fragments] | None


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
        self._soon = self._pushing = False
        self._pool_shown: asyncio.TimerHandle | None = None
        self.resyncs = Resyncs(self.send_whole)
        self._gaps = Gaps()
        self._lost: asyncio.TimerHandle | None = None

    def heard(self, said: TableChanged) -> None:
        """It was announced that something has changed."""
        self._gaps.hear(said)
        self.changed(said.players, soon=said.soon)

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
            self._pool_shown = asyncio.get_running_loop().call_later(POOL_INTERVAL_S, self._show_pool)

    def _show_pool(self) -> None:
        self._pool_shown = None
        self.changed(())

    def send_whole(self, socket: Socket) -> None:
        """This socket has missed something, or is new: it gets the whole felt."""
        self._whole.add(socket)
        self._dirty.set()

    def stop(self) -> None:
        self._task.cancel()
        self.resyncs.stop()
        for timer in (self._pool_shown, self._lost):
            if timer is not None:
                timer.cancel()

    @property
    def is_at_work(self) -> bool:
        """Whether a newer state is being shown, or is about to be."""
        return self._pushing or self._dirty.is_set()

    def _look_for_gaps(self) -> None:
        """Wait a moment for the announcement of what is shown already; then it is lost, and concerns anybody."""
        if self._gaps.open and self._lost is None:
            self._lost = asyncio.get_running_loop().call_later(LOST_AFTER_S, self._give_up, frozenset(self._gaps.open))

    def _give_up(self, waited_for: frozenset[tuple[int, int]]) -> None:
        self._lost = None
        if lost := waited_for & self._gaps.open:
            log.warning("an announcement was lost", table=self.table_id, changes=len(lost))
            self.changed(None)
        else:
            self._look_for_gaps()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            await asyncio.sleep(max(0.0, self._next - monotonic()))
            await self._wait_for_more()
            self._dirty.clear()
            begun = monotonic()
            self._pushing = True
            try:
                with metrics.PUSH_SECONDS.time():
                    await self._push()
            except Exception:  # try again with everything
                log.exception("a push failed", table=self.table_id)
                metrics.PUSHES_FAILED.inc()
                self._whole |= self.sockets
                await asyncio.sleep(1)
                self._dirty.set()
            finally:
                self._pushing = False
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
        new = await drawn(_draw, self.table_id, before, set(self.sockets), touched, whole)
        state, rendered = new.state, new.public
        wanted = [socket for socket in new.concerned if socket in self.sockets]
        self._gaps.show(before, state, to_all=new.to_all)
        self._look_for_gaps()
        now = int(state.now.timestamp() * 1000)
        common: dict[str, str] = {}
        for language, fragments in rendered.items():
            known = self._public.get(language, {})
            common[language] = "".join(html for name, html in fragments.items() if known.get(name) != html)
        self.state, self._public = state, rendered
        base, version = before.version if before is not None else "", state.version
        step = _Step(state, base, now, rendered, common)
        if new.leaves:
            for socket in list(self.sockets):
                await deliver(socket, new.leaves)
        for socket in self.sockets.difference(wanted):
            if not base or socket.version != base:
                self.send_whole(socket)  # joined while we were rendering
            elif base != version or common[socket.language]:
                socket.version = version
                await deliver(socket, step.texts[socket.language])
        if new.private is not None:
            await self._push_private(step, wanted, new.private, whole)
            return
        for at in range(0, len(wanted), PRIVATE_BATCH_SOCKETS):
            some = wanted[at : at + PRIVATE_BATCH_SOCKETS]
            await self._push_private(step, some, await drawn(_render_private, state, some, whole), whole)

    async def _push_private(
        self, step: _Step, wanted: list[Socket], private: dict[Socket, Fragments], whole: set[Socket]
    ) -> None:
        """Send these sockets the step with their private part, or the whole felt if they missed the step before."""
        state, base = step.state, step.base
        for socket in self.sockets.intersection(wanted):
            own = private.get(socket)
            if socket in whole or not base or socket.version != base:
                if own is None:
                    self.send_whole(socket)
                    continue
                public = "".join(step.whole[socket.language].values())
                text = public + "".join(own.values()) + live_fragment("*", state.version, step.now)
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
            await deliver(socket, text)

    async def beat(self) -> None:
        """Tell every client the newest version; find out what an announcement that was lost would have said."""
        version = await in_database(version_of, self.table_id)
        if self.state is None or version != self.state.version:
            self.changed(None)
            return
        text = live_fragment(version, version, int(now_ms()))
        for socket in list(self.sockets):
            if socket.version == version:
                await deliver(socket, text)


def _draw(
    table_id: int, before: TableState | None, sockets: set[Socket], touched: set[int] | None, whole: set[Socket]
) -> _Drawn:
    """Read the table and draw what these sockets see; in private something may have changed for the players `touched`
    (None: for anybody), and for those who get the `whole` felt."""
    state = table_state(table_id, before=before)
    public: dict[str, Fragments] = {}
    for language in {socket.language for socket in sockets}:
        with translation.override(language):
            public[language] = newest_states.fragments(state)
    if before is not None and before.round_id != state.round_id:
        touched = None
    concerned = [socket for socket in sockets if socket in whole or _concerns(socket, touched)]
    private = _render_private(state, concerned, whole) if len(concerned) <= FEW else None
    return _Drawn(state, public, leaves_fragment(before, state), touched is None, concerned, private)


def _concerns(socket: Socket, touched: set[int] | None) -> bool:
    """Whether what this socket sees in private may have changed."""
    return socket.player is not None and (touched is None or socket.player in touched)


def _render_private(state: TableState, sockets: list[Socket], whole: set[Socket]) -> dict[Socket, Fragments]:
    """Private fragments for the sockets whose player is affected."""
    owns = own_of((socket.player for socket in sockets if socket.player is not None), state.game)
    private: dict[Socket, Fragments] = {}
    for language in {socket.language for socket in sockets}:
        with translation.override(language):
            for socket in sockets:
                if socket.language != language:
                    continue
                own = owns[socket.player] if socket.player is not None else Own()
                part = PrivatePart.of(state, viewer_of(state, socket, own))
                if socket in whole or part != socket.part:
                    socket.part = part
                    private[socket] = part.fragments()
    return private


def viewer_of(state: TableState, socket: Socket, own: Own) -> Viewer:
    """Who looks through this socket, and what is their own."""
    return Viewer(
        key=socket.key,
        name=socket.name,
        balance_cents=own.balance_cents,
        seat=state.seat_of(socket.key),
        muted=own.muted,
        chats=socket.chats,
        favourites=own.favourites,
    )


class KioskFeed:
    """The sockets of one kiosk in this process: of its screen, which hear of every change, and at its tables.

    They close when the use of the kiosk that they are of is over, or the visitor whose they are has gone; those at its
    tables, and of a wallboard's floor, also when it is locked.
    """

    def __init__(self, kiosk_id: int) -> None:
        self.kiosk_id = kiosk_id
        self.screens: set[Socket] = set()
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
        text = json.dumps(screen_sessions.state_of(kiosk)) if kiosk is not None else ""
        for socket in [*self.screens, *self.tables]:
            over = kiosk is None or kiosk.use != socket.use or socket.player not in (None, kiosk.visitor_id)
            if over or (kiosk is not None and kiosk.locked and socket in self.tables):
                await socket.close(NOT_LOGGED_IN)
            elif socket in self.screens and socket.version != text:
                socket.version = text
                await deliver(socket, text)
