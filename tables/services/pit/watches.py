"""The watch list: players of whom the staff wants to know as they come in. They do not learn of it."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Event, Player, Watch
from tables.services.journal import events
from tables.services.players import people


def watch(by: Player, player: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> Watch:
    """Put a player on the watch list. Raises Refused."""
    demand(by, Right.NOTE)
    events.check_reason(why)
    with unit_of_work():
        about = Player.objects.select_for_update(no_key=True).get(pk=people.known(player).pk)
        if about.kiosk_id is not None:
            raise Refused("", say("A visitor at a kiosk is nobody whom one could know again."))
        if Watch.objects.filter(player=about, ended_at__isnull=True).exists():
            raise Refused("", say("This player is on the watch list already."))
        found = Watch.objects.create(player=about, why=why.strip(), by=by, at=clock.now())
        events.record(Event.Kind.WATCHED, by=by.pk, player=about.pk, why=found.why, clock=clock)
        return found


def end(by: Player, watch_id: int, why: str, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Take a player off the watch list. Raises Refused, and Watch.DoesNotExist."""
    demand(by, Right.NOTE)
    events.check_reason(why)
    with unit_of_work():
        found = Watch.objects.select_for_update().get(pk=watch_id)
        if found.ended_at is not None:
            raise Refused("", say("This player is no longer on the watch list."))
        found.ended_by, found.ended_at = by, clock.now()
        found.save(update_fields=["ended_by", "ended_at"])
        events.record(Event.Kind.WATCH_ENDED, by=by.pk, player=found.player_id, why=why.strip(), clock=clock)
