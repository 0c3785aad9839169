"""Who came in, who tried to, and what became of it: the security log; what staff do there is an event of the pit too.

Nothing here knows a password or a code, and no name that somebody typed: only whose account it was, if anybody's.
"""

from __future__ import annotations

from tables.base import security
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.security import Outcome
from tables.base.transactions import unit_of_work
from tables.models import Alert, Event, Player

from . import alerts, events

CODES_REFUSED = 5
"""So many refused codes in a row raise an alert."""

NAMES_SPRAYED = 10
"""So many different names, tried in vain from one address within `SPRAYED_WITHIN_S`, raise an alert."""

SPRAYED_WITHIN_S = 600
"""Seconds."""

EVENTS: dict[str, Event.Kind] = {
    "login": Event.Kind.LOGGED_IN,
    "login failed": Event.Kind.LOGIN_FAILED,
    "locked out": Event.Kind.LOCKED_OUT,
    "logout": Event.Kind.LOGGED_OUT,
    "logins ended": Event.Kind.LOGINS_ENDED,
    "code refused": Event.Kind.CODE_REFUSED,
    "password changed": Event.Kind.PASSWORD_CHANGED,
}
"""What is also an event of the pit when it is about a member of the staff."""


def note(
    what: str, outcome: Outcome, *, player: Player | None, address: str, clock: Clock = DATABASE_CLOCK, **facts: object
) -> None:
    """Write down that this happened at the door: `player` is whose account it is about, None if nobody's."""
    security.note(what, outcome, player=None if player is None else player.pk, address=address, **facts)
    if player is not None and player.role and what in EVENTS:
        by = player.pk if outcome == "done" else None
        with unit_of_work():
            events.record(EVENTS[what], by=by, player=player.pk, after={"address": address, **facts}, clock=clock)


def codes_refused(player: Player, address: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Tell the pit that somebody who knows this password has guessed at the codes."""
    _alert(Alert.Kind.CODES, f"{Alert.Kind.CODES}:{player.pk}", {"name": str(player), "address": address}, clock)


def sprayed(address: str, names: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Tell the pit that somebody tries one name after the other from this address."""
    _alert(Alert.Kind.SPRAYING, f"{Alert.Kind.SPRAYING}:{address}"[:80], {"address": address, "names": names}, clock)


def _alert(kind: Alert.Kind, key: str, about: dict[str, object], clock: Clock) -> None:
    if not alerts.is_open(key):
        with unit_of_work():
            alerts.raise_alert(kind, key, at=clock.now(), about=about)
        security.note("alert raised", "done", kind=kind.value, about=about)
