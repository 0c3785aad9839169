"""Django's sessions in our own table: stored under the SHA-256 of the key that the cookie holds.

This is the `SESSION_ENGINE`. A reader of the database, or of a backup, finds no key that a browser could send. Sockets
and announcements know a login by its stored key alone, so Redis never hears the real one either.
"""

from __future__ import annotations

import hashlib
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.http import HttpRequest

from tables.models import BrowserSession

from . import sql


def stored(key: str) -> str:
    """Under what the session of this key (of a cookie) is stored: its SHA-256, hexadecimal."""
    return hashlib.sha256(key.encode()).hexdigest()


def session_of(request: HttpRequest) -> SessionStore:
    """The session of the browser that asks."""
    assert isinstance(request.session, SessionStore)
    return request.session


def _unexpired(key: str) -> BrowserSession | None:
    """What is stored under this key, unless it has expired."""
    now = _NOW[connection.vendor]
    found = sql.fetched(
        f"SELECT {sql.columns_of(BrowserSession, 'own')} FROM tables_browsersession own "  # noqa: S608
        f"WHERE own.session_key = %s AND own.expire_date > {now}",
        [key],
    )
    return sql.instance_of(BrowserSession, found[0]) if found else None


_NOW = {"postgresql": "statement_timestamp()", "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"}
"""The moment of a statement, as moments are stored."""


class SessionStore(db.SessionStore):
    """One browser's session. What is written here is the data; the columns of a login are written by
    `tables.services.players.logins` and `tables.services.pit.sessions`."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    row: BrowserSession | None = None
    """As it was stored when it was loaded."""

    @property
    def stored_key(self) -> str | None:
        """Under what this session is stored; None for one that is not."""
        return None if self.session_key is None else stored(self.session_key)

    def load(self) -> dict[str, Any]:
        """The data; nothing for a key that the house does not know, or that has expired."""
        row = self.row = _unexpired(self.stored_key) if self.stored_key is not None else None
        if row is None:
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
