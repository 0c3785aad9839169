"""Logins: when one began, when its player last did something, and when it ends.

A login is a browser session with a player in it, known by its stored key (`tables.base.browser_sessions.stored`).

- A player who has done nothing for `AWAY_AFTER` shows who they are again: with their password, and a guest, who has
  none, with one tap. Nothing is lost meanwhile. GLI-19 2.5.4.
- A login of the staff ends `STAFF_LIFE` after it began, however busy it is; the lock of the pit comes long before
  (`tables.services.pit.sessions`).
- A visitor at a kiosk has the kiosk's own, shorter patience (`tables.services.kiosk.visitors`).

What a browser does by itself counts as nothing done: pushes, beats, a felt asked for anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from tables.base import announce, sql
from tables.base.browser_sessions import SessionStore
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import BrowserSession, Player

from . import play_time

AWAY_AFTER = timedelta(minutes=30)
"""A player who has done nothing for so long is asked who they are."""

STAFF_LIFE = timedelta(hours=12)
"""A login of the staff lasts so long at most: a shift and its hand-over."""

SEEN_EVERY = timedelta(minutes=1)
"""What players do is written down so often at most."""

ADDRESS_LETTERS, BROWSER_LETTERS = 64, 200


class Standing(StrEnum):
    """How a login stands."""

    OPEN = "open"
    AWAY = "away"
    """Its player has done nothing for too long and shows who they are first."""
    OVER = "over"
    """It is as old as a login of the staff may become, and has ended."""


@dataclass(frozen=True, slots=True)
class Held:
    """Whose login a socket was opened in. `login` is the stored key; without one only the account is looked at."""

    login: str | None
    player: int
    staff: bool = False


def standing(login: BrowserSession, player: Player, now: datetime) -> Standing:
    """How this login of this player stands."""
    return _standing(player.role, player.kiosk_id, login.begun_at, login.seen_at, now)


def _standing(role: str, kiosk: int | None, begun_at: datetime, seen_at: datetime, now: datetime) -> Standing:
    if role:
        return Standing.OVER if now - begun_at >= STAFF_LIFE else Standing.OPEN
    if kiosk is None and now - seen_at >= AWAY_AFTER:
        return Standing.AWAY
    return Standing.OPEN


def login_of(session: SessionStore) -> BrowserSession | None:
    """The stored login of this browser; None if nothing is stored of it."""
    return BrowserSession.objects.filter(pk=session.stored_key).first()


def login_as_read(session: SessionStore) -> tuple[BrowserSession, datetime] | None:
    """The same as it stood when this session was read, a moment ago for this request; and when that was."""
    row = session.row
    if row is not None and row.session_key == session.stored_key:
        return row, session.read_at
    stored = login_of(session)
    return None if stored is None else (stored, DATABASE_CLOCK.now())


def player_of(session: SessionStore, *, former_keys: bool = False) -> Player | None:
    """Who is logged in with this session, as they were read with it; None unless all holds that Django asks
    (`django.contrib.auth.get_user`): an open account, a way to log in that the house still has, and the hash of the
    password, by the present SECRET_KEY or, if asked, by one of the former."""
    number = session.get(SESSION_KEY)  # reads the session, if nobody has
    player = session.row.player if session.row is not None else None
    if player is None or not player.is_active or str(player.pk) != number:
        return None
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    proof = session.get(HASH_SESSION_KEY, "")
    if constant_time_compare(proof, player.get_session_auth_hash()):
        return player
    former = player.get_session_auth_fallback_hash() if former_keys else ()
    return player if any(constant_time_compare(proof, one) for one in former) else None


# ── Its life ────────────────────────────────────────────────────────────────────────────────────────────────


def begin(
    session: SessionStore, player: Player, last_login_at: datetime | None, *, address: str, browser: str, now: datetime
) -> None:
    """A player has logged in with this session, from this address, with a browser that calls itself so."""
    if session.session_key is None:
        session.create()
    login = BrowserSession.objects.filter(pk=session.stored_key)
    login.exclude(proved_by=player).update(proved_by=None)
    login.update(
        player=player,
        begun_at=now,
        seen_at=now,
        locked=False,
        address=address[:ADDRESS_LETTERS],
        browser=browser[:BROWSER_LETTERS],
        last_login_at=last_login_at,
    )
    play_time.seen([player.pk], now)


def see(login: BrowserSession, now: datetime) -> None:
    """The player has done something in this login, which is open."""
    if now - login.seen_at >= SEEN_EVERY:
        _see([login.session_key], now)


def _see(logins: Collection[str], now: datetime) -> None:
    """… and a login whose player has been away for too long stays so, whoever comes a moment later."""
    which, keys = sql.one_of_texts(logins)
    with unit_of_work():
        due = sql.fetched(
            f"UPDATE tables_browsersession SET seen_at = %s WHERE session_key {which} AND seen_at > %s "  # noqa: S608
            "AND seen_at <= %s AND player_id IN (SELECT id FROM tables_player WHERE role = '') RETURNING player_id",
            [sql.moment(now), keys, sql.moment(now - AWAY_AFTER), sql.moment(now - SEEN_EVERY)],
        )
        if due:
            play_time.seen({player for (player,) in due}, now)


def come_back(session: SessionStore, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The player was away and has shown who they are: the login goes on under a new key. Its sockets close."""
    before = session.stored_key
    BrowserSession.objects.filter(pk=before).update(seen_at=clock.now())
    session.cycle_key()
    if before is not None:
        announce.session_ended(before)


def end_all(player: int, *, but: SessionStore | None = None) -> int:
    """End all logins of this player, or all but this one; how many. Their sockets close."""
    with unit_of_work():
        logins = BrowserSession.objects.filter(player_id=player)
        if but is not None:
            logins = logins.exclude(pk=but.stored_key)
        ended = list(logins.values_list("pk", flat=True))
        logins.filter(pk__in=ended).delete()
        for login in ended:
            announce.session_ended(login)
        return len(ended)


def own(player: int, *, clock: Clock = DATABASE_CLOCK) -> list[BrowserSession]:
    """The logins of this player that have not ended, the newest first."""
    mine = BrowserSession.objects.filter(player_id=player, expire_date__gt=clock.now())
    return list(mine.order_by("-begun_at", "pk"))


def prune(*, clock: Clock = DATABASE_CLOCK) -> int:
    """Forget sessions that have expired; how many. To be called now and then."""
    gone, _ = BrowserSession.objects.filter(expire_date__lte=clock.now()).delete()
    return gone


# ── Sockets ─────────────────────────────────────────────────────────────────────────────────────────────────


def ended(
    held: Collection[Held], *, heard: Collection[str] = (), clock: Clock = DATABASE_CLOCK
) -> Mapping[Held, Standing]:
    """Which of these have ended and how, asked of the database anew, with one query however many they are.

    Their session is gone or expired, the account is closed or has changed sides, the player has been away for too long.
    In the logins `heard` the player has just said something: that is written down if they are open.
    """
    rows, now = _stored({one.login for one in held if one.login}, clock)
    stored = {
        login.pk: (login.player_id, bool(role), _standing(role, kiosk, login.begun_at, login.seen_at, now))
        for login, role, kiosk in rows
        if login.expire_date > now
    }
    accounts = _active({one.player for one in held if one.login is None})
    over = dict[Held, Standing]()
    for one in held:
        if one.login is None:
            how = Standing.OPEN if one.player in accounts else Standing.OVER
        else:
            player, staff, how = stored.get(one.login, (0, False, Standing.OVER))
            how = how if (player, staff) == (one.player, one.staff) else Standing.OVER
        if how is not Standing.OPEN:
            over[one] = how
    due = {login.pk for login, role, _ in rows if not role and now - login.seen_at >= SEEN_EVERY}.intersection(heard)
    if said := {one.login for one in held if one.login in due and one not in over}:
        _see(said, now)
    return over


def _stored(logins: Collection[str], clock: Clock) -> tuple[list[tuple[BrowserSession, str, int | None]], datetime]:
    """Those of these logins that are stored and whose account is not closed, each with the role and the kiosk of its
    player; and the time."""
    which, keys = sql.one_of_texts(logins)
    rows, now = sql.fetched_at(
        f"{sql.columns_of(BrowserSession, 'login')}, who.role, who.kiosk_id",
        "tables_browsersession login JOIN tables_player who ON who.id = login.player_id AND who.is_active "
        f"WHERE login.session_key {which}",
        [keys],
        clock=clock,
    )
    return [(sql.instance_of(BrowserSession, row[:-2]), row[-2], row[-1]) for row in rows], now


def _active(players: Collection[int]) -> set[int]:
    if not players:
        return set()
    return set(Player.objects.filter(pk__in=players, is_active=True).values_list("pk", flat=True))
