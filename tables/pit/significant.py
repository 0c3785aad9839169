"""Significant events, as a laboratory wants them listed (GLI-19 v3.0, 2.8.8), as far as the house knows them.

They are read from what is written down anyway: the pit's events (logins of the staff and failures at their names among
them), the alerts, and what each bettor was debited and credited in a round. What players do at the door, and refusals,
are in the security log, which is a log file and no table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import F, Q

from tables.games.values.money import CREDIT
from tables.games.values.words import Words, say
from tables.models import Alert, Event, Played, Realm
from tables.services.journal.alerts import words_of
from tables.services.journal.events import KINDS, reason_of

LARGE = 10_000 * CREDIT
"""What a bettor wins or stakes in one round that is significant, in cents: as much as a new player has."""

VOIDED = say("Void round")
LARGE_WIN = say("Large win")
LARGE_STAKE = say("Large stake")
JACKPOT = say("Jackpot")
UNAVAILABLE = say("Component unavailable")
PARAMETERS = say("Parameters changed")
CORRECTION = say("Correction or override")
ACCOUNT = say("Player's account")
STAFF = say("Staff and access")
CHIPS = say("Chips and money")
TABLE = say("Table opened or closed")
PROGRAM = say("Program and database")
UNUSUAL = say("Unusual")
OTHER = say("Other deed of the staff")

OF_EVENTS: Mapping[str, Words] = {
    Event.Kind.ADJUSTMENT_ASKED: ACCOUNT,
    Event.Kind.ADJUSTMENT_DECIDED: ACCOUNT,
    Event.Kind.ADMINISTERED: CORRECTION,
    Event.Kind.AUTHORISATION_GIVEN: PARAMETERS,
    Event.Kind.AUTHORISATION_REFUSED: PARAMETERS,
    Event.Kind.AUTHORISATION_REQUESTED: PARAMETERS,
    Event.Kind.CHIPS_CONFIRMED: CHIPS,
    Event.Kind.CHIPS_ORDERED: CHIPS,
    Event.Kind.CHIPS_REFUSED: CHIPS,
    Event.Kind.CODE_REFUSED: STAFF,
    Event.Kind.COMP: ACCOUNT,
    Event.Kind.DEALER_ENROLLED: PROGRAM,
    Event.Kind.DEALER_REVOKED: PROGRAM,
    Event.Kind.EDITION: PARAMETERS,
    Event.Kind.FLOAT_COUNTED: CHIPS,
    Event.Kind.HALTED: TABLE,
    Event.Kind.HALT_ENDED: TABLE,
    Event.Kind.KIOSK_ENROLLED: PROGRAM,
    Event.Kind.KIOSK_REVOKED: PROGRAM,
    Event.Kind.LIFT: ACCOUNT,
    Event.Kind.LIMITS: PARAMETERS,
    Event.Kind.LOCKED_OUT: STAFF,
    Event.Kind.LOGGED_IN: STAFF,
    Event.Kind.LOGGED_OUT: STAFF,
    Event.Kind.LOGIN_FAILED: STAFF,
    Event.Kind.LOGINS_ENDED: STAFF,
    Event.Kind.OPTIONS_ADOPTED: PARAMETERS,
    Event.Kind.OPTIONS_APPROVED: PARAMETERS,
    Event.Kind.OPTIONS_DECIDED: PARAMETERS,
    Event.Kind.OPTIONS_DRAFTED: PARAMETERS,
    Event.Kind.OPTIONS_NOT_ADOPTED: PARAMETERS,
    Event.Kind.OPTIONS_REFUSED: PARAMETERS,
    Event.Kind.OPTIONS_SUBMITTED: PARAMETERS,
    Event.Kind.OPTIONS_WITHDRAWN: PARAMETERS,
    Event.Kind.PASSWORD_CHANGED: STAFF,
    Event.Kind.REMOVE: ACCOUNT,
    Event.Kind.ARCHIVED: PROGRAM,
    Event.Kind.BACKED_UP: PROGRAM,
    Event.Kind.RESTORED: PROGRAM,
    Event.Kind.RESTRICT: ACCOUNT,
    Event.Kind.REVIEW_ASKED: ACCOUNT,
    Event.Kind.REVIEW_RULED: CORRECTION,
    Event.Kind.REVIEW_TAKEN: ACCOUNT,
    Event.Kind.ROLE: STAFF,
    Event.Kind.RULED: CORRECTION,
    Event.Kind.SECOND_FACTOR: STAFF,
    Event.Kind.SLIP_PRINTED: CHIPS,
    Event.Kind.TABLE_CLOSED: TABLE,
    Event.Kind.TABLE_CLOSING: TABLE,
    Event.Kind.TABLE_OPENED: TABLE,
    Event.Kind.TABLE_PAUSED: TABLE,
    Event.Kind.TABLE_RESUMED: TABLE,
}
"""What kind of significant event a deed is. One that is not here is another deed of the staff."""

OF_ALERTS: Mapping[str, Words] = {
    Alert.Kind.VOIDED: VOIDED,
    Alert.Kind.SILENT: UNAVAILABLE,
    Alert.Kind.UNFIT: PROGRAM,
    Alert.Kind.BOOKS: PROGRAM,
    Alert.Kind.SPRAYING: STAFF,
    Alert.Kind.CODES: STAFF,
    Alert.Kind.JACKPOT: JACKPOT,
    Alert.Kind.HOLD: UNUSUAL,
    Alert.Kind.DIFFERS: UNUSUAL,
    Alert.Kind.CHANCE: UNUSUAL,
    Alert.Kind.KIOSK_SILENT: UNAVAILABLE,
    Alert.Kind.KIOSK_TWICE: STAFF,
}
"""The same of alerts. The others are the day's work."""


@dataclass(frozen=True, slots=True)
class Significant:
    """One significant event. `source` names where it is written down: event 12, alert 3, round 99. `why` is what
    somebody wrote, or a reason of the house in words."""

    at: datetime
    kind: Words
    says: Words
    by: str
    table: str
    round: int | None
    player: str
    cents: int | None
    before: object
    after: object
    why: Words | str
    source: Words


def between(since: datetime, until: datetime) -> list[Significant]:
    """All of [since, until), newest first."""
    found = [*_of_events(since, until), *_of_alerts(since, until), *_of_rounds(since, until)]
    return sorted(found, key=attrgetter("at"), reverse=True)


def _of_events(since: datetime, until: datetime) -> Iterator[Significant]:
    found = Event.objects.filter(at__gte=since, at__lt=until).select_related("by", "table", "player")
    for event in found.order_by("seq"):
        after = event.after if isinstance(event.after, dict) else {}
        yield Significant(
            event.at, OF_EVENTS.get(event.deed, OTHER), KINDS[event.deed], _name(event.by), _name(event.table),
            event.log_id, _name(event.player), after.get("cents"), event.before, event.after,
            reason_of(event), say("event %(number)s", number=str(event.seq)),
        )  # fmt: skip


def _of_alerts(since: datetime, until: datetime) -> Iterator[Significant]:
    found = Alert.objects.filter(at__gte=since, at__lt=until, kind__in=OF_ALERTS).select_related("table")
    for alert in found.order_by("pk"):
        yield Significant(
            alert.at, OF_ALERTS[alert.kind], words_of(alert), "", _name(alert.table), alert.log_id, "",
            alert.about.get("cents"), None, None, "", say("alert %(number)s", number=str(alert.pk)),
        )  # fmt: skip


def _of_rounds(since: datetime, until: datetime) -> Iterator[Significant]:
    played = Played.objects.annotate(won=F("returned") - F("staked")).filter(
        Q(won__gte=LARGE) | Q(staked__gte=LARGE),
        log__settled_at__gte=since,
        log__settled_at__lt=until,
        log__table__realm=Realm.FLOOR,
    )
    for line in played.select_related("log__table", "player").order_by("pk"):
        assert line.log.settled_at is not None
        large = [(LARGE_WIN, line.gain)] if line.gain >= LARGE else []
        large += [(LARGE_STAKE, line.staked)] if line.staked >= LARGE else []
        for kind, cents in large:
            yield Significant(
                line.log.settled_at, kind, kind, "", str(line.log.table), line.log_id, str(line.player), cents,
                None, None, "", say("round %(number)s", number=str(line.log_id)),
            )  # fmt: skip


def _name(thing: object) -> str:
    return "" if thing is None else str(thing)
