"""What the session of a screen says of it: which kiosk it is, in which use, and who plays there.

Pages and sockets ask here. A browser counts as a kiosk as soon as anything of one is in it: the mark in its session,
the cookie with a token, or a visitor who is logged in. What it may then reach is only what is meant for kiosks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from datetime import datetime

from django.conf import settings

from casino.version import VERSION
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.models import Kiosk, Pairing, Player, Realm, Table

from . import kiosks
from .schedule import FULL, Schedule

TOKEN, PAIRING = f"{settings.COOKIE_PREFIX}kiosk", f"{settings.COOKIE_PREFIX}kiosk_pairing"
"""Cookies: the device's token; the secret of a screen that waits to be told which kiosk it is."""

_MARK, _LANGUAGE, _SEEN = "kiosk", "kiosk_language", "kiosk_seen"

Session = MutableMapping[str, object]


def mark(session: Session, kiosk_id: int, use: int) -> None:
    """From now on this session is of this use of this kiosk."""
    session[_MARK] = {"id": kiosk_id, "use": use}


def is_marked(session: Mapping[str, object]) -> bool:
    """Whether this session is, or was, a kiosk's."""
    return _MARK in session


def is_bare(session: Session) -> bool:
    """Whether nothing of a visitor is in this session of a kiosk."""
    return set(session.keys()) == {_MARK}


def has_token(cookies: Mapping[str, str]) -> bool:
    """Whether this browser holds a token, be it good or not."""
    return bool(cookies.get(TOKEN))


def is_kiosk(session: Mapping[str, object], cookies: Mapping[str, str], user: object) -> bool:
    """Whether this browser is a kiosk, or was one: it reaches nothing else then."""
    return is_marked(session) or has_token(cookies) or getattr(user, "kiosk_id", None) is not None


def kiosk_of(session: Mapping[str, object]) -> Kiosk | None:
    """The kiosk that this session is of; None if there is none, or another use of it has begun."""
    marked = session.get(_MARK)
    return kiosks.in_use(marked["id"], marked["use"]) if isinstance(marked, dict) else None


def visitor_of(kiosk: Kiosk, user: object) -> Player | None:
    """The visitor of this kiosk, if that is who is logged in."""
    return user if isinstance(user, Player) and user.pk == kiosk.visitor_id else None


def goes_on(kiosk_id: int, use: int, visitor: int | None) -> bool:
    """Whether the kiosk is still in this use, and this visitor still there (None: nobody plays)."""
    kiosk = kiosks.in_use(kiosk_id, use)
    return kiosk is not None and visitor in (None, kiosk.visitor_id)


def state_of(kiosk: Kiosk) -> dict[str, object]:
    """What a screen has to know of its kiosk at any moment: as of when it was heard last."""
    schedule, heard = Schedule.of(kiosk), kiosk.seen_at
    return {
        "use": kiosk.use,
        "locked": kiosk.locked,
        "message": kiosk.message,
        "messages": kiosk.messages,
        "closed": heard is not None and schedule.closed_until(heard) is not None,
        "dim": FULL - schedule.percent(heard) if heard is not None else 0,
        "restarts": kiosk.restarts,
        "visitor": kiosk.visitor_id is not None,
        "version": VERSION,
    }


def code_of(secret: str, screen: str, *, clock: Clock = DATABASE_CLOCK) -> str | None:
    """The code that a screen with this secret still waits with; None if it has to ask for one."""
    good = Pairing.objects.filter(asked_at__gt=clock.now() - kiosks.CODE_GOOD_FOR, kiosk=None)
    waiting = good.filter(secret=kiosks.digest(secret), screen=kiosks.digest(screen))
    return waiting.values_list("code", flat=True).first()


def shows_floor(kiosk: Kiosk, now: datetime) -> bool:
    """Whether this is a wallboard that shows the pit's floor now: neither locked nor outside its hours."""
    return kiosk.wallboard and not kiosk.locked and Schedule.of(kiosk).closed_until(now) is None


# ── What it shows, and where people play ────────────────────────────────────────────────────────────────────


def played_at(kiosk: Kiosk) -> list[Table]:
    """Where its visitors play, in the order of its playlist: at the kiosks' own tables in it, and where it shows a game
    that none of these has, at the first of the kiosks' tables that has it."""
    shown = list(kiosks.shown_at(kiosk))
    own = {table.game: table for table in reversed(shown) if table.realm == Realm.KIOSKS}
    others = Table.objects.filter(realm=Realm.KIOSKS, open=True, game__in={table.game for table in shown})
    for table in others.order_by("position", "pk"):
        own.setdefault(table.game, table)
    played = [table if table.realm == Realm.KIOSKS else own.get(table.game) for table in shown]
    return list({table.pk: table for table in played if table is not None}.values())


def wanted_of(tables: Iterable[Table], shown: Table) -> Table | None:
    """Of these tables the one at which to play what this one shows: itself, or another of its game."""
    tables = list(tables)
    same = [table for table in tables if table.game == shown.game]
    return next((table for table in same if table.pk == shown.pk), same[0] if same else None)


def admits(kiosk: Kiosk, table_id: int, visitor: Player | None) -> bool:
    """Whether this kiosk may show this table; during a visit, whether the visitor may play at it."""
    tables = played_at(kiosk)
    if visitor is None:
        tables += kiosks.shown_at(kiosk)
    return table_id in {one.pk for one in tables}


# ── The visitor's own ───────────────────────────────────────────────────────────────────────────────────────


def language_of(kiosk: Kiosk, session: Mapping[str, object]) -> str:
    """The language that the visitor has chosen, or the kiosk's own."""
    chosen = session.get(_LANGUAGE)
    return str(chosen if chosen in kiosk.languages else kiosk.languages[0])


def choose_language(kiosk: Kiosk, session: Session, code: str) -> None:
    """Speak this language to the visitor, if the kiosk has it."""
    if code in kiosk.languages:
        session[_LANGUAGE] = code


def meets(session: Session, game: str) -> bool:
    """Whether the visitor meets this game for the first time; from now on it counts as known."""
    seen = session.get(_SEEN)
    known = seen if isinstance(seen, list) else []
    if game in known:
        return False
    session[_SEEN] = [*known, game]
    return True
