"""Django's sessions in our own table: stored under the SHA-256 of the key that the cookie holds.

This is the `SESSION_ENGINE`. A reader of the database, or of a backup, finds no key that a browser could send. Sockets
and announcements know a login by its stored key alone, so Redis never hears the real one either.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.http import HttpRequest

from tables.models import BrowserSession, Player

from . import sql
from .clock import DATABASE_CLOCK


def stored(key: str) -> str:
    """Under what the session of this key (of a cookie) is stored: its SHA-256, hexadecimal."""
    return hashlib.sha256(key.encode()).hexdigest()


def session_of(request: HttpRequest) -> SessionStore:
    """The session of the browser that asks."""
    assert isinstance(request.session, SessionStore)
    return request.session


def _unexpired(key: str) -> tuple[BrowserSession | None, datetime]:
    """What is stored under this key, with the player whose login it is, unless it has expired; and the time."""
    rows, now = sql.fetched_at(
        f"{sql.columns_of(BrowserSession, 'own')}, {sql.columns_of(Player, 'who')}",
        "tables_browsersession own LEFT JOIN tables_player who ON who.id = own.player_id "
        f"WHERE own.session_key = %s AND own.expire_date > {_NOW[connection.vendor]}",
        [key],
        clock=DATABASE_CLOCK,
    )
    if not rows:
        return None, now
    own = sql.number_of(BrowserSession)
    row = sql.instance_of(BrowserSession, rows[0][:own])
    if row.player_id is not None:
        row.player = sql.instance_of(Player, rows[0][own:])
    return row, now


_NOW = {"postgresql": "statement_timestamp()", "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"}
"""The moment of a statement, as moments are stored."""


class SessionStore(db.SessionStore):
    """One browser's session. What is written here is the data; the columns of a login are written by
    `tables.services.players.logins` and `tables.services.pit.sessions`."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    row: BrowserSession | None = None
    """As it was stored, with its player, when it was loaded."""
    read_at: datetime
    """When that was."""

    @property
    def stored_key(self) -> str | None:
        """Under what this session is stored; None for one that is not."""
        return None if self.session_key is None else stored(self.session_key)

    def load(self) -> dict[str, Any]:
        """The data; nothing for a key that the house does not know, or that has expired."""
        self.row = None
        if self.stored_key is not None:
            self.row, self.read_at = _unexpired(self.stored_key)
        if (row := self.row) is None:
            self._session_key = None
            return {}
        data: dict[str, Any] = self.decode(row.session_data)
        return data

    def exists(self, session_key: str) -> bool:
        return BrowserSession.objects.filter(pk=stored(session_key)).exists()

    def save(self, must_create: bool = False) -> None:
        """Write the data and whose login it is, and nothing else of the row. Raises CreateError, UpdateError."""
        if self.session_key is None:
            self.create()
            return
        data: dict[str, Any] = self._get_session(no_load=must_create)  # type: ignore[attr-defined]
        player = data.get(SESSION_KEY)
        values: dict[str, Any] = {
            "session_data": self.encode(data),
            "expire_date": self.get_expiry_date(),
            "player_id": int(player) if player is not None else None,
        }
        if must_create:
            try:
                with transaction.atomic():
                    BrowserSession.objects.create(session_key=stored(self.session_key), **values)
            except IntegrityError:
                raise CreateError from None
        elif not BrowserSession.objects.filter(pk=self.stored_key).update(**values):
            raise UpdateError

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            BrowserSession.objects.filter(pk=stored(key)).delete()

    def cycle_key(self) -> None:
        """Give the session another key; of the login nothing changes."""
        data: dict[str, Any] = self._session  # type: ignore[attr-defined]  # loaded before the key changes
        before = self.stored_key
        new: str = self._get_new_session_key()  # type: ignore[attr-defined]
        if before is None or not BrowserSession.objects.filter(pk=before).update(session_key=stored(new)):
            self.create()
        else:
            self._session_key = new
        self._session_cache = data
        self.modified = True

    @classmethod
    def clear_expired(cls) -> None:
        BrowserSession.objects.filter(expire_date__lte=Now()).delete()

    # Django's own coroutines would store the key as it is.

    async def aload(self) -> dict[str, Any]:
        return await sync_to_async(self.load)()

    async def aexists(self, session_key: str) -> bool:
        return await sync_to_async(self.exists)(session_key)

    async def acreate(self) -> None:
        await sync_to_async(self.create)()

    async def asave(self, must_create: bool = False) -> None:
        await sync_to_async(self.save)(must_create)

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)

    async def acycle_key(self) -> None:
        await sync_to_async(self.cycle_key)()

    @classmethod
    async def aclear_expired(cls) -> None:
        await sync_to_async(cls.clear_expired)()
