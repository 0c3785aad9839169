"""What is told, to whom, once it is true: on commit, ids and versions only, never a card or an amount.

Groups: `table.<id>` (something visible changed there), `floor` (for the lobby, what concerns a player at whatever
table, and the meters of a jackpot), `dealers` (a table has something due before its deadline) and `sessions` (a login
that ended). Lost messages do no harm: clients are made whole from the database, and dealers look for themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

REDIS_AWAY = (OSError, RedisError)
"""What the channel layer raises while Redis cannot be reached."""

FLOOR = "floor"
DEALERS = "dealers"
SESSIONS = "sessions"

_loop: asyncio.AbstractEventLoop | None = None
_under_way: set[asyncio.Task[None]] = set()  # a task that nobody refers to may be collected before it is done


def use_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Send from now on through this running loop (one Redis connection a process), from whatever thread."""
    global _loop
    _loop = loop


def group_of(table_id: int) -> str:
    """The group of everybody at one table."""
    return f"table.{table_id}"


def table_changed(
    table_id: int, *, players: Iterable[int] | None = None, lobby: bool = False, soon: bool = False
) -> None:
    """On commit: what the table shows has changed; for these players only beside what all see, or for anybody.

    The lobby hears of it too if it is for anybody, or if `lobby` says so; not if only some players' stakes, or nobody's
    (something was said), have changed. `soon`: the dealer does the next thing at once, and will tell of that; a push
    may wait a moment for it.
    """
    touched = None if players is None else sorted(set(players))
    _on_commit(group_of(table_id), {"type": "table.changed", "table": table_id, "players": touched, "soon": soon})
    if touched is None or lobby:
        _on_commit(FLOOR, {"type": "floor.changed", "table": table_id})


def wallets_changed(players: Iterable[int]) -> None:
    """On commit: these players' balances have changed somewhere."""
    if ids := sorted(players):
        _on_commit(FLOOR, {"type": "players.changed", "players": ids})


def jackpot_changed(jackpot_id: int) -> None:
    """On commit: another amount lies in this jackpot, whichever of its tables did it."""
    _on_commit(FLOOR, {"type": "jackpot.changed", "jackpot": jackpot_id})


def mutes_changed(player: int) -> None:
    """On commit: whom this player does not want to hear has changed."""
    _on_commit(FLOOR, {"type": "players.changed", "players": [player]})


def favourites_changed(player: int) -> None:
    """On commit: this player has saved, renamed or dropped a favourite."""
    _on_commit(FLOOR, {"type": "players.changed", "players": [player]})


def pit_changed() -> None:
    """On commit: something has changed that only the pit's panel shows: an alert."""
    _on_commit(FLOOR, {"type": "pit.changed"})


def kiosk_changed(kiosk_id: int) -> None:
    """On commit: the pit has told this kiosk something, or its device has restarted. The pit is told as well."""
    _on_commit(FLOOR, {"type": "kiosk.changed", "kiosk": kiosk_id})
    pit_changed()


def nudge(table_id: int) -> None:
    """On commit: the dealer of this table has something to do now."""
    _on_commit(DEALERS, {"type": "table.due", "table": table_id})


def session_ended(session_key: str) -> None:
    """On commit: this login is over; its sockets close."""
    _on_commit(SESSIONS, {"type": "session.ended", "session": session_key})


def logins_ended(player: int) -> None:
    """On commit: all logins of this player have ended (the password has changed); their sockets close."""
    _on_commit(SESSIONS, {"type": "logins.ended", "player": player})


def _on_commit(group: str, message: dict[str, Any]) -> None:
    transaction.on_commit(partial(_send, group, message), robust=True)


def _send(group: str, message: dict[str, Any]) -> None:
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


async def _deliver(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None
    try:
        await layer.group_send(group, message)
    except REDIS_AWAY as error:  # the database still has it all
        log.warning("announcement lost", group=group, error=str(error))
    except Exception:
        log.exception("announcement failed", group=group)
