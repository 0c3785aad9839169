"""A table that disables itself: after several void rounds within an hour no new one is begun until the pit resumes it.

Something is wrong there that each single void does not mend (GLI-19, 4.16).
"""

from __future__ import annotations

from datetime import timedelta

from tables.base.clock import Clock
from tables.models import Alert, Event, Table
from tables.services.journal import alerts, events

from .rounds import count_change

MOST_VOIDS = 3
"""So many void rounds with stakes close a table for new ones …"""

WITHIN = timedelta(hours=1)
"""… if they end within so long."""

_AFRESH = (Event.Kind.TABLE_RESUMED, Event.Kind.TABLE_OPENED)
"""With these the pit lets a table go on: what was void before counts no more."""


def pauses_after_voids(table: Table, clock: Clock) -> bool:
    """Pause a table whose last round was void, if too many were; whether it did. Its row is locked."""
    now = clock.now()
    voids = Alert.objects.filter(table=table, kind=Alert.Kind.VOIDED, at__gt=now - WITHIN)  # one of each, with stakes
    resumed = Event.objects.filter(table=table, deed__in=_AFRESH).order_by("-seq").values_list("at", flat=True).first()
    if resumed is not None:
        voids = voids.filter(at__gt=resumed)
    number = voids.count()
    if number < MOST_VOIDS:
        return False
    table.paused = True
    table.save(update_fields=["paused"])
    count_change(table)
    key = f"{Alert.Kind.VOIDS}:{table.pk}:{table.round_id}"
    alerts.raise_alert(Alert.Kind.VOIDS, key, at=now, table=table.pk, about={"number": number})
    events.record(Event.Kind.TABLE_PAUSED, by=None, table=table.pk, after={"voids": number}, clock=clock)
    return True
