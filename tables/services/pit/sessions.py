"""How a member of the staff stands with the pit in one login: without a second factor, not asked for it yet, locked
because of absence, or free to work. Pages and sockets ask here.

The session holds whose second factor opened it, and when they last made a request, by the database's clock.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import datetime, timedelta
from enum import StrEnum

from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore

from tables.models import Player

IDLE = timedelta(minutes=5)
"""A member's login is locked after so long without a request. Pushes to them do not count."""

_PROVED = "pit.proved"
_SEEN = "pit.seen"

Session = MutableMapping[str, object]


class Standing(StrEnum):
    """What stands between a member of the staff and the pit."""

    FACTORLESS = "factorless"
    """The member has no second factor and must set one up first."""
    UNPROVED = "unproved"
    """This login was not opened with it."""
    LOCKED = "locked"
    """The member has been away for too long, or has locked it."""
    OPEN = "open"


def has_second_factor(player: Player) -> bool:
    """Whether this person has set up codes that change."""
    found: bool = Authenticator.objects.filter(user=player, type=Authenticator.Type.TOTP).exists()
    return found


def prove(session: Session, player: Player, now: datetime) -> None:
    """The member has shown their second factor in this login: it is open."""
    session[_PROVED] = player.pk
    see(session, now)


def see(session: Session, now: datetime) -> None:
    """The member has done something in this login."""
    session[_SEEN] = now.isoformat()


def lock(session: Session) -> None:
    """Lock this login, as after too long an absence."""
    session.pop(_SEEN, None)


def is_locked(session: Session, now: datetime) -> bool:
    """Whether the member has made no request for too long."""
    seen = session.get(_SEEN)
    return not isinstance(seen, str) or now - datetime.fromisoformat(seen) >= IDLE


def standing(player: Player, session: Session, now: datetime) -> Standing:
    """How this member of the staff stands in this login."""
    if not has_second_factor(player):
        return Standing.FACTORLESS
    if session.get(_PROVED) != player.pk:
        return Standing.UNPROVED
    return Standing.LOCKED if is_locked(session, now) else Standing.OPEN


def heard(session_key: str, player: int, now: datetime, *, said: bool = True) -> bool:
    """Whether the stored login `session_key` of this member of the staff is open: asked at each message of a socket,
    and before pushes go on (then not `said`: it does not count as a request of theirs).

    Reads the login anew: what a socket was opened with is old.
    """
    session = SessionStore(session_key)
    member = Player.objects.filter(pk=player, is_active=True).exclude(role="").first()
    if member is None or session.get(SESSION_KEY) != str(player):
        return False
    if standing(member, session, now) is not Standing.OPEN:
        return False
    if said:
        see(session, now)
        try:
            session.save(must_create=False)
        except UpdateError:  # they have just logged out
            return False
    return True
