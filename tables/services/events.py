"""The pit's event log: every deed with who, when, why, before and after, chained by digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from django.db import connection

from tables.clock import DATABASE_CLOCK, Clock
from tables.games.protocol import Refused
from tables.games.words import Words, say
from tables.models import Event, EventHead

DEEDS: Mapping[str, Words] = {
    "acknowledged": say("Alert acknowledged"),
    "adjustment_asked": say("Adjustment asked for"),
    "adjustment_decided": say("Adjustment decided"),
    "chips_confirmed": say("Chips moved"),
    "chips_ordered": say("Chips ordered"),
    "chips_refused": say("Chips refused"),
    "administered": say("Corrected in the administration"),
    "comp": say("Comp given"),
    "kiosk_changed": say("Kiosk set anew"),
    "kiosk_enrolled": say("Screen enrolled as a kiosk"),
    "kiosk_locked": say("Kiosk locked"),
    "kiosk_made": say("Kiosk made"),
    "kiosk_message": say("Message on a kiosk"),
    "kiosk_restarted": say("Kiosk restarted"),
    "kiosk_retired": say("Kiosk retired"),
    "kiosk_revoked": say("Screen of a kiosk put out"),
    "kiosk_unlocked": say("Kiosk unlocked"),
    "lift": say("Restriction lifted"),
    "remove": say("Player removed from his seat"),
    "restrict": say("Player restricted"),
    "options_adopted": say("New options hold"),
    "options_approved": say("Leave for new options given"),
    "options_decided": say("New options decided on"),
    "options_drafted": say("New options drafted"),
    "options_not_adopted": say("New options cannot hold"),
    "options_refused": say("Leave for new options refused"),
    "options_submitted": say("New options submitted to the inspectorate"),
    "options_withdrawn": say("New options withdrawn"),
    "limits": say("Limits and times of a table"),
    "role": say("Role of a member of the staff"),
    "second_factor": say("Second factor of a member of the staff"),
    "table_closed": say("Table closed and counted"),
    "table_closing": say("Table is to close"),
    "table_opened": say("Table opened"),
    "table_paused": say("Table paused"),
    "table_resumed": say("Table goes on"),
    "ruled": say("Ruling on an irregularity"),
}
"""What is written down, by the name under which it is stored. A service that adds a deed adds it here."""


def record(
    deed: str,
    *,
    by: int | None,
    table: int | None = None,
    log: int | None = None,
    player: int | None = None,
    why: str = "",
    before: Any = None,
    after: Any = None,
    clock: Clock = DATABASE_CLOCK,
) -> Event:
    """Write down a deed in the transaction that does it, last of all in it: the end of the chain is locked from here.

    `by` and `player` are ids; `before` and `after` what was and is, as JSON.
    """
    assert deed in DEEDS, f"no such deed: {deed}"
    assert connection.in_atomic_block, "an event is written in the transaction of its deed"
    EventHead.objects.get_or_create(pk=1)
    head = EventHead.objects.select_for_update().get(pk=1)
    event = Event(
        seq=head.seq + 1,
        at=clock.now(),
        by_id=by,
        deed=deed,
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


def check_reason(why: str) -> None:
    """Raise Refused unless a reason is given."""
    if not why.strip():
        raise Refused("", say("Give a reason."))


def digest_of(event: Event) -> str:
    """SHA-256, hexadecimal, over everything else that the event says, as JSON with sorted keys."""
    said = {
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
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def faults() -> Iterator[str]:
    """Where the chain is broken: a line that was changed, is missing or does not belong there."""
    seq, digest = 0, ""
    for event in Event.objects.order_by("seq").iterator():
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
