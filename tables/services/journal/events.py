"""The pit's event log: every deed with who, when, why, before and after, chained by digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC

from django.db import connection

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Event, EventHead

KINDS: Mapping[str, Words] = {
    Event.Kind.ACKNOWLEDGED: say("Alert acknowledged"),
    Event.Kind.ADJUSTMENT_ASKED: say("Adjustment asked for"),
    Event.Kind.ADJUSTMENT_DECIDED: say("Adjustment decided"),
    Event.Kind.AUTHORISATION_GIVEN: say("Authorisation on record"),
    Event.Kind.AUTHORISATION_REFUSED: say("Authorisation refused"),
    Event.Kind.AUTHORISATION_REQUESTED: say("Authorisation requested"),
    Event.Kind.CARDS_CHANGED: say("Change of the cards ordered"),
    Event.Kind.CHIPS_CONFIRMED: say("Chips moved"),
    Event.Kind.CHIPS_ORDERED: say("Chips ordered"),
    Event.Kind.CHIPS_REFUSED: say("Chips refused"),
    Event.Kind.CHIPS_WITHDRAWN: say("Order of chips taken back"),
    Event.Kind.ADMINISTERED: say("Corrected in the administration"),
    Event.Kind.ARCHIVED: say("Log lines archived"),
    Event.Kind.BACKED_UP: say("Backup made"),
    Event.Kind.CODE_REFUSED: say("Staff code refused"),
    Event.Kind.COMP: say("Comp given"),
    Event.Kind.HALTED: say("New rounds stopped"),
    Event.Kind.HALT_ENDED: say("New rounds allowed again"),
    Event.Kind.KIOSK_CHANGED: say("Kiosk settings changed"),
    Event.Kind.KIOSK_ENROLLED: say("Screen enrolled as a kiosk"),
    Event.Kind.KIOSK_LOCKED: say("Kiosk locked"),
    Event.Kind.KIOSK_MADE: say("Kiosk made"),
    Event.Kind.KIOSK_MESSAGE: say("Message on a kiosk"),
    Event.Kind.KIOSK_RESTARTED: say("Kiosk restarted"),
    Event.Kind.KIOSK_RETIRED: say("Kiosk retired"),
    Event.Kind.KIOSK_REVOKED: say("Kiosk screen unpaired"),
    Event.Kind.KIOSK_UNLOCKED: say("Kiosk unlocked"),
    Event.Kind.KIOSK_SCHEDULE: say("Hours of a kiosk changed"),
    Event.Kind.EDITION: say("Another edition of the regulation in force"),
    Event.Kind.LIFT: say("Restriction lifted"),
    Event.Kind.LOCKED_OUT: say("Staff login locked out"),
    Event.Kind.LOGGED_IN: say("Staff logged in"),
    Event.Kind.LOGGED_OUT: say("Staff logged out"),
    Event.Kind.LOGIN_FAILED: say("Staff login failed"),
    Event.Kind.LOGINS_ENDED: say("Staff logins ended"),
    Event.Kind.OWN_EXCLUSION: say("Break or self-exclusion of a player's own"),
    Event.Kind.OWN_LIMIT: say("Own limit changed by a player"),
    Event.Kind.OWN_RETURN: say("Player back after self-exclusion"),
    Event.Kind.PASSWORD_CHANGED: say("Staff password changed"),
    Event.Kind.REMOVE: say("Player removed from the seat"),
    Event.Kind.RESTRICT: say("Player restricted"),
    Event.Kind.OPTIONS_ADOPTED: say("New options in force"),
    Event.Kind.OPTIONS_APPROVED: say("New options authorised"),
    Event.Kind.OPTIONS_DECIDED: say("New options decided on"),
    Event.Kind.OPTIONS_DRAFTED: say("New options drafted"),
    Event.Kind.OPTIONS_NOT_ADOPTED: say("New options cannot come into force"),
    Event.Kind.OPTIONS_REFUSED: say("Authorisation of new options refused"),
    Event.Kind.OPTIONS_SUBMITTED: say("New options submitted to the inspectorate"),
    Event.Kind.OPTIONS_WITHDRAWN: say("New options withdrawn"),
    Event.Kind.LIMITS: say("Table limits and times changed"),
    Event.Kind.REQUEST_APPROVED: say("Request approved"),
    Event.Kind.REQUEST_ASKED: say("Second person asked for"),
    Event.Kind.REQUEST_REFUSED: say("Request refused"),
    Event.Kind.REQUEST_WITHDRAWN: say("Request taken back"),
    Event.Kind.ROLE: say("Staff role changed"),
    Event.Kind.ROUND_FROZEN: say("Round frozen"),
    Event.Kind.ROUND_HELD: say("Round held"),
    Event.Kind.ROUND_RELEASED: say("Round goes on"),
    Event.Kind.SECOND_FACTOR: say("Staff second factor changed"),
    Event.Kind.THRESHOLDS: say("Alerts of a table changed"),
    Event.Kind.TABLE_CLOSED: say("Table closed and counted"),
    Event.Kind.TABLE_CLOSING: say("Closing of a table ordered"),
    Event.Kind.TABLE_OPENED: say("Table opened"),
    Event.Kind.TABLE_PAUSED: say("Table paused"),
    Event.Kind.TABLE_RESUMED: say("Table resumed"),
    Event.Kind.RULED: say("Ruling on an irregularity"),
    Event.Kind.RESTORED: say("Older database restored"),
    Event.Kind.REVIEW_ASKED: say("Review asked for by a player"),
    Event.Kind.REVIEW_RULED: say("Review answered"),
    Event.Kind.REVIEW_TAKEN: say("Review taken up"),
    Event.Kind.DEALER_ENROLLED: say("Dealer enrolled"),
    Event.Kind.DEALER_REVOKED: say("Dealer revoked"),
    Event.Kind.FLOAT_COUNTED: say("Float counted"),
    Event.Kind.SLIP_PRINTED: say("Chip slip printed"),
    Event.Kind.NOTED: say("Note written"),
    Event.Kind.WATCHED: say("Player put on the watch list"),
    Event.Kind.WATCH_ENDED: say("Player taken off the watch list"),
}
"""What is written down, in words."""


def record(
    kind: Event.Kind,
    *,
    by: int | None,
    table: int | None = None,
    log: int | None = None,
    player: int | None = None,
    why: str = "",
    before: object = None,
    after: object = None,
    clock: Clock = DATABASE_CLOCK,
) -> Event:
    """Write down a deed in the transaction that does it, last of all in it: the end of the chain is locked from here.

    `by` and `player` are ids; `before` and `after` what was and is, as JSON.
    """
    assert connection.in_atomic_block, "an event is written in the transaction of its deed"
    EventHead.objects.get_or_create(pk=1)
    head = EventHead.objects.select_for_update().get(pk=1)
    event = Event(
        seq=head.seq + 1,
        at=clock.now(),
        by_id=by,
        deed=kind,
        table_id=table,
        log_id=log,
        player_id=player,
        why=why,
        before=before,
        after=after,
        previous=head.digest,
    )
    event.digest = digest_of(event)
    event.save(force_insert=True)
    head.seq, head.digest = event.seq, event.digest
    head.save(update_fields=["seq", "digest"])
    return event


def with_words(some: Iterable[Event]) -> list[tuple[Event, Words]]:
    """These events, each with what it says."""
    return [(event, KINDS[event.deed]) for event in some]


DEMONSTRATION = "demonstration"
OWN_DEALER = "the house's own"

REASONS: Mapping[str, Words] = {
    DEMONSTRATION: say("Part of the demonstration floor"),
    OWN_DEALER: say("The house's own dealer"),
}
"""Reasons that the house itself writes down. What people write stays in their own words."""


def reason_of(event: Event) -> Words | str:
    """Why it was done, as it was written down, or in words."""
    return REASONS.get(event.why, event.why)


def check_reason(why: str) -> None:
    """Raise Refused unless a reason is given."""
    if not why.strip():
        raise Refused("", say("Give a reason."))


def digest_of(event: Event) -> str:
    """SHA-256, hexadecimal, over everything else that the event says, as JSON with sorted keys."""
    return hashlib.sha256(json.dumps(said_by(event), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def said_by(event: Event) -> dict[str, object]:
    """Everything that the event says but its digest, as JSON."""
    return {
        "seq": event.seq,
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "by": event.by_id,
        "deed": event.deed,
        "table": event.table_id,
        "log": event.log_id,
        "player": event.player_id,
        "why": event.why,
        "before": event.before,
        "after": event.after,
        "previous": event.previous,
    }


def faults(since: tuple[int, str] = (0, "")) -> Iterator[str]:
    """Where the chain is broken behind `since`, the number and the digest of an event: a line that was changed, is
    missing or does not belong there."""
    seq, digest = since
    for event in Event.objects.filter(seq__gt=seq).order_by("seq").iterator():
        if event.seq != seq + 1:
            yield f"event {event.seq} follows {seq}"
        if event.previous != digest:
            yield f"event {event.seq} is not chained to the one before"
        if digest_of(event) != event.digest:
            yield f"event {event.seq} was changed"
        seq, digest = event.seq, event.digest
    head = EventHead.objects.filter(pk=1).first()
    end = (head.seq, head.digest) if head else (0, "")
    if end != (seq, digest):
        yield f"the chain of events ends at {end[0]}, and {seq} is the last"
