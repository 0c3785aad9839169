"""What is announced, to whom, once it is true: on commit, ids and versions only, never a card or an amount.

Groups: `floor` (a table has gone on, for its players, the lobby and its dealer at once; what concerns a player at
whatever table, and the meters of a jackpot), `table.<id>` (what only those at that table see has changed, as by a bet),
`dealers` (a table has something due, and shows nothing new) and `sessions` (a login that ended). Lost messages do no
harm: clients are made whole from the database, and dealers look for themselves.

An announcement travels as the message that `as_message` makes, and `read` alone makes an announcement of it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar, TypeVar
from uuid import uuid4

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from cryptography.fernet import InvalidToken
from django.db import transaction
from redis.exceptions import RedisError

from . import security

R = TypeVar("R")

log = structlog.get_logger(__name__)

REDIS_AWAY = (OSError, RedisError)
"""What the channel layer raises while Redis cannot be reached."""

FLOOR = "floor"
DEALERS = "dealers"
SESSIONS = "sessions"

Line = tuple[int, int]
"""A round, and a line of its log: later ones are greater."""

NO_LINE: Line = (0, 0)

Message = dict[str, object]
"""An announcement on its way: what the channel layer carries."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something has changed; whoever it concerns looks for themselves what it is. `kind` names it on its way."""

    kind: ClassVar[str]

    def as_message(self) -> Message:
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return {"type": self.kind} | {name: list(v) if isinstance(v, tuple) else v for name, v in said.items()}


@dataclass(frozen=True, slots=True)
class TableChanged(Announcement):
    """What the table shows has changed, privately for these players at most (None: for anybody). `soon`: it will once
    more, at once. `lobby`: what the lobby shows of it has changed too. `due`: its dealer has something to do.

    It says which changes it tells of, so whoever hears it knows what was not announced (`tables.live.gaps`): the
    table's version `version` (0: none), and of the log of `round` the lines behind `since`, up to `line`.
    """

    kind: ClassVar[str] = "table.changed"
    table: int
    players: tuple[int, ...] | None = None
    soon: bool = False
    version: int = 0
    round: int = 0
    since: int = 0
    line: int = 0
    lobby: bool = False
    due: bool = False


@dataclass(frozen=True, slots=True)
class PlayersChanged(Announcement):
    """What only these players see has changed, wherever they are."""

    kind: ClassVar[str] = "players.changed"
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JackpotChanged(Announcement):
    """Another amount lies in this jackpot."""

    kind: ClassVar[str] = "jackpot.changed"
    jackpot: int


@dataclass(frozen=True, slots=True)
class PitChanged(Announcement):
    """What only the pit's panel shows has changed."""

    kind: ClassVar[str] = "pit.changed"


@dataclass(frozen=True, slots=True)
class KioskChanged(Announcement):
    """The pit has set something at this kiosk, or its device has restarted."""

    kind: ClassVar[str] = "kiosk.changed"
    kiosk: int


@dataclass(frozen=True, slots=True)
class TableDue(Announcement):
    """The dealer of this table has something to do now, of which nothing shows."""

    kind: ClassVar[str] = "table.due"
    table: int


@dataclass(frozen=True, slots=True)
class SessionEnded(Announcement):
    """This login is over."""

    kind: ClassVar[str] = "session.ended"
    session: str


@dataclass(frozen=True, slots=True)
class LoginsEnded(Announcement):
    """All logins of this player have ended."""

    kind: ClassVar[str] = "logins.ended"
    player: int


KINDS: tuple[type[Announcement], ...] = (
    TableChanged, PlayersChanged, JackpotChanged, PitChanged, KioskChanged, TableDue, SessionEnded, LoginsEnded,
)  # fmt: skip
_BY_NAME: dict[object, type[Announcement]] = {one.kind: one for one in KINDS}


def read(message: Mapping[str, object]) -> Announcement | None:
    """The announcement that this message is; None for one of another release, which the database makes good."""
    kind = _BY_NAME.get(message.get("type"))
    if kind is None:
        return None
    said = {one.name: message[one.name] for one in fields(kind) if one.name in message}
    try:
        return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})
    except TypeError:
        return None


# ── Hearing ─────────────────────────────────────────────────────────────────────────────────────────────────


class Listener:
    """Hears what is announced: by this process at once, whatever becomes of Redis, and by others through it.

    What was heard at once names in its message who has heard it, and is passed over when it comes round.
    """

    def __init__(self, hear: Callable[[Announcement], None]) -> None:
        self.name = uuid4().hex
        self.hear = hear

    def begin(self) -> None:
        """From now on, in the loop that the process sends through."""
        _near[self.name] = self

    def end(self) -> None:
        _near.pop(self.name, None)

    async def listen(self, layer: Any, channel: str) -> None:
        """Hear what comes by this channel, until Redis is away. Raises what is in REDIS_AWAY.

        Every message is sealed (CHANNEL_LAYERS): what somebody else has put into that Redis says nothing.
        """
        while True:
            try:
                message = await layer.receive(channel)
            except (InvalidToken, ValueError, TypeError):
                security.note("a message on the channels that the house has not sent", "refused")
                continue
            if not isinstance(message, dict) or self.name in message.get(_HEARD_BY, ()):
                continue
            if (said := read(message)) is not None:
                self.hear(said)


_near: dict[str, Listener] = {}
"""Who hears in this process, by name."""

_HEARD_BY = "heard_by"


# ── Sending ─────────────────────────────────────────────────────────────────────────────────────────────────

_loop: asyncio.AbstractEventLoop | None = None
_under_way: set[asyncio.Task[None]] = set()  # a task that nobody refers to may be collected before it is done
_held: ContextVar[list[tuple[str, Message]] | None] = ContextVar("held", default=None)

TURNS_TO_ANSWER = 5
"""So many turns of the loop it takes from the end of a burst of bets (`tables.live.bursts`) to its answers."""


def use_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Send from now on through this running loop (one Redis connection a process), from whatever thread. Who listens in
    it hears that at once."""
    global _loop
    _loop = loop


def group_of(table_id: int) -> str:
    """The group of everybody at one table."""
    return f"table.{table_id}"


def table_changed(
    table_id: int,
    *,
    players: Iterable[int] | None = None,
    lobby: bool = False,
    due: bool = False,
    soon: bool = False,
    version: int = 0,
    lines: tuple[int, int, int] = (0, 0, 0),
) -> None:
    """On commit: what the table shows has changed; for these players only beside what all see, or for anybody.

    The lobby hears of it too if it is for anybody, or if `lobby` says so; not if only some players' stakes, or nobody's
    (something was said), have changed. `due`: the dealer has something to do now, because of these lines if there are
    any. `soon`: the dealer does the next thing at once, and will announce that; a push may wait a moment for it.
    `version` is the table's own if it has grown; `lines`: the round, and the lines of it that were written, behind the
    first number and up to the second.
    """
    touched = None if players is None else tuple(sorted(set(players)))
    round_id, since, line = lines
    lobby = lobby or touched is None
    said = TableChanged(table_id, touched, soon, version, round_id, since, line, lobby, due)
    _on_commit(FLOOR if lobby or due else group_of(table_id), said)


def players_changed(players: Iterable[int]) -> None:
    """On commit: what only these players see has changed: their balance, whom they mute, their favourites."""
    if ids := tuple(sorted(players)):
        _on_commit(FLOOR, PlayersChanged(ids))


def jackpot_changed(jackpot_id: int) -> None:
    """On commit: another amount lies in this jackpot, whichever of its tables did it."""
    _on_commit(FLOOR, JackpotChanged(jackpot_id))


def pit_changed() -> None:
    """On commit: something has changed that only the pit's panel shows: an alert."""
    _on_commit(FLOOR, PitChanged())


def kiosk_changed(kiosk_id: int) -> None:
    """On commit: the pit has set something at this kiosk, or its device has restarted. The pit hears of it as well."""
    _on_commit(FLOOR, KioskChanged(kiosk_id))
    pit_changed()


def nudge(table_id: int) -> None:
    """On commit: the dealer of this table has something to do now, of which nothing shows."""
    _on_commit(DEALERS, TableDue(table_id))


def session_ended(session_key: str) -> None:
    """On commit: this login is over; its sockets close."""
    _on_commit(SESSIONS, SessionEnded(session_key))


def logins_ended(player: int) -> None:
    """On commit: all logins of this player have ended (the password has changed); their sockets close."""
    _on_commit(SESSIONS, LoginsEnded(player))


def _on_commit(group: str, announcement: Announcement) -> None:
    transaction.on_commit(partial(_send, group, announcement.as_message()), robust=True)


def _send(group: str, message: Message) -> None:
    if (held := _held.get()) is not None:
        held.append((group, message))
        return
    if _loop is not None and _loop.is_running():
        asyncio.run_coroutine_threadsafe(_deliver(group, message), _loop)
        return
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        async_to_sync(_deliver)(group, message)
    else:
        task = running.create_task(_deliver(group, message))
        _under_way.add(task)
        task.add_done_callback(_under_way.discard)


class Held:
    """What is announced during some work, until whoever waits for that work has been told that it is done."""

    def __init__(self) -> None:
        self._messages: list[tuple[str, Message]] = []

    def during(self, work: Callable[[], R]) -> R:
        """Do this, and hold what it announces. In a context of its own."""
        _held.set(self._messages)
        return work()

    def send(self, loop: asyncio.AbstractEventLoop) -> None:
        """Send it, from whatever thread, when that loop has gone on with whoever waits there."""
        if self._messages and not loop.is_closed():
            loop.call_soon_threadsafe(self._send_after, loop, TURNS_TO_ANSWER)

    def _send_after(self, loop: asyncio.AbstractEventLoop, turns: int) -> None:
        if turns:
            loop.call_soon(self._send_after, loop, turns - 1)
            return
        for group, message in self._messages:
            _send(group, message)


async def _deliver(group: str, message: Message) -> None:
    layer = get_channel_layer()
    assert layer is not None
    try:
        if _near and asyncio.get_running_loop() is _loop and (said := read(message)) is not None:
            for listener in list(_near.values()):
                listener.hear(said)
            message = {**message, _HEARD_BY: list(_near)}
        await layer.group_send(group, message)
    except REDIS_AWAY as error:  # the database still has it all
        log.warning("announcement lost", group=group, error=str(error))
    except Exception:
        log.exception("announcement failed", group=group)
