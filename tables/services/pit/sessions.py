"""How a member of the staff stands with the pit in one login: without a second factor, not asked for it yet, locked
because of absence, or free to work. Pages and sockets ask here.

The stored login says whose second factor opened it, when they last made a request, by the database's clock, and whether
it was locked by hand. Each is written by a statement of its own: a page that is under way undoes no lock.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import check_password, make_password
from django.db.models import F, QuerySet

from tables.base import announce
from tables.base.browser_sessions import SessionStore
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import BrowserSession, Player
from tables.services.players import logins

IDLE = timedelta(minutes=5)
"""A member's login is locked after so long without a request. Pushes to them do not count."""


LEAST_DIGITS, MOST_DIGITS = 6, 12
"""Of a short code."""

SHORT_TRIES = 5
"""So often a short code may be wrong before the second factor is asked for."""


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


def prove(session: SessionStore, player: Player, now: datetime) -> None:
    """The member has shown their second factor in this login: it is open."""
    if session.session_key is None:
        session.create()
    _row(session).update(proved_by=player, seen_at=now, locked=False, short_tries=0)


def unlock(session: SessionStore, player: Player, now: datetime) -> None:
    """The member has shown their second factor again: the login is open, under a new key. Raises UpdateError.

    Sockets of the old key close, and whoever held a copy of it is out.
    """
    prove(session, player, now)
    _exchange_key(session)


# ── The short code ──────────────────────────────────────────────────────────────────────────────────────────


def choose_short_code(session: SessionStore, code: str) -> None:
    """Let this code open this login again; an empty one takes it away. Raises Refused for one that is guessed at once.

    It is of this login alone and goes with it. For whatever asks for a fresh second factor it is none.
    """
    if code:
        check_short_code(code)
    _row(session).update(short_code=make_password(code) if code else "", short_tries=0)


def check_short_code(code: str) -> None:
    """Raise Refused unless these are 6 to 12 digits that are neither all the same nor in a row."""
    if not (code.isascii() and code.isdigit() and LEAST_DIGITS <= len(code) <= MOST_DIGITS):
        least, most = LEAST_DIGITS, MOST_DIGITS
        raise Refused("", say("A short code has %(least)s to %(most)s digits.", least=least, most=most))
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(code)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise Refused("", say("Digits that are all the same, or in a row, are guessed at once."))


def has_short_code(session: SessionStore) -> bool:
    """Whether a short code opens this login now: it has one, and it was not wrong too often."""
    return _row(session).exclude(short_code="").filter(short_tries__lt=SHORT_TRIES).exists()


def unlock_shortly(session: SessionStore, player: Player, code: str, now: datetime) -> bool:
    """Open a login that is locked by its short code; whether it was right. Each try is counted before it is looked at.

    Only a login that this member's second factor has opened before, and not for ever: after five wrong tries it takes
    the second factor.
    """
    login = _row(session).exclude(short_code="").filter(short_tries__lt=SHORT_TRIES, proved_by=player)
    if not login.update(short_tries=F("short_tries") + 1):
        return False
    kept = _row(session).values_list("short_code", flat=True).get()
    if not check_password(code, kept):
        return False
    _row(session).update(seen_at=now, locked=False, short_tries=0)
    _exchange_key(session)
    return True


def _exchange_key(session: SessionStore) -> None:
    before = session.stored_key
    session.cycle_key()
    if before is not None:
        announce.session_ended(before)


def see(session: SessionStore, now: datetime) -> bool:
    """The member has done something in this login; False if it was locked meanwhile, and stays so."""
    return bool(_row(session).filter(locked=False).update(seen_at=now))


def lock(session: SessionStore) -> None:
    """Lock this login, as after too long an absence. Its sockets close at once."""
    if _row(session).filter(locked=False).update(locked=True) and session.stored_key is not None:
        announce.session_ended(session.stored_key)


def standing(player: Player, session: SessionStore, now: datetime) -> Standing:
    """How this member of the staff stands in this login."""
    return _standing(player, _row(session).first(), now)


def heard(login: str | None, player: int, now: datetime, *, said: bool = True) -> bool:
    """Whether the login stored as `login` of this member of the staff is open: asked at each message of a socket, and
    before pushes go on (then not `said`: it does not count as a request of theirs).

    Reads the login anew: what a socket was opened with is old.
    """
    found = BrowserSession.objects.filter(pk=login, player_id=player, expire_date__gt=now).first()
    member = Player.objects.filter(pk=player, is_active=True).exclude(role="").first()
    if found is None or member is None or logins.standing(found, member, now) is not logins.Standing.OPEN:
        return False
    if _standing(member, found, now) is not Standing.OPEN:
        return False
    return not said or bool(BrowserSession.objects.filter(pk=login, locked=False).update(seen_at=now))


def _row(session: SessionStore) -> QuerySet[BrowserSession]:
    return BrowserSession.objects.filter(pk=session.stored_key)


def _standing(player: Player, login: BrowserSession | None, now: datetime) -> Standing:
    if not has_second_factor(player):
        return Standing.FACTORLESS
    if login is None or login.proved_by_id != player.pk:
        return Standing.UNPROVED
    return Standing.LOCKED if login.locked or now - login.seen_at >= IDLE else Standing.OPEN
