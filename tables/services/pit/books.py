"""A table whose books do not agree begins no new round until the pit resumes it; the pit is alerted, once for each
thing. What is of no table only alerts: the others deal on."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.models import Alert, Event, RoundLog
from tables.services.journal import alerts, events

from .locked_table import lock_table, save_table


def stop_for(
    what: str, key: str, *, table_id: int | None, log_id: int | None = None, clock: Clock = DATABASE_CLOCK
) -> bool:
    """Something does not agree: stop its table after the present round, and alert the pit. `key` names the fault: one
    that was told before does nothing, so that whoever resumes the table has the last word. Returns whether it is new.
    """
    key = f"{Alert.Kind.BOOKS}:{key}"
    if alerts.is_known(key):
        return False
    with unit_of_work():
        table = None if table_id is None else lock_table(table_id)
        stops = table is not None and table.open
        about: dict[str, object] = {"what": what, "stops": stops}
        if log_id is not None:
            about["round"] = RoundLog.objects.values_list("number", flat=True).get(pk=log_id)
        if not alerts.raise_alert(Alert.Kind.BOOKS, key, at=clock.now(), table=table_id, log=log_id, about=about):
            return False
        if table is not None and stops and not table.paused:
            table.paused = True
            save_table(table, "paused")
            events.record(
                Event.Kind.TABLE_PAUSED, by=None, table=table_id, log=log_id, after={"books": what}, clock=clock
            )
    return True
