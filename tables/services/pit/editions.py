"""The edition in force: which edition of its regulation a table's next round is played under.

The law comes into force at midnight in Macau, whatever lies on the layout: the first round that opens on that day is
played under the new edition, also within a shoe and with carried stakes. The round before keeps its own, however late
it ends. Options that the new edition does not know fall back to what they are by default: an alert says so from a week
before (`alerts.look`), and an event names them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tables.base.calendar import macau_date
from tables.base.clock import Clock
from tables.games import GAMES
from tables.games.shared.options import options_json, read_options, under
from tables.models import Event, RoundLog, Seat, Table
from tables.services.journal import alerts, events


@dataclass(frozen=True, slots=True)
class ChangeOver:
    """A table goes over to another edition with the round that is being opened: its options as they were and as they
    are now, and those of them that have fallen back."""

    before: Mapping[str, object]
    after: Mapping[str, object]
    fallen: tuple[str, ...]

    def write_down(self, log: RoundLog, clock: Clock) -> None:
        """Note it with its first round; alert the pit if options have fallen back. Last of all in the opening."""
        if self.fallen:
            alerts.of_edition(log.table, log.edition, self.fallen, log.started_at)
        names = [name for name in {**self.before, **self.after} if self.before.get(name) != self.after.get(name)]
        events.record(
            Event.Kind.EDITION,
            by=None,
            table=log.table_id,
            log=log.pk,
            before={name: self.before.get(name) for name in names},
            after={"options": {name: self.after.get(name) for name in names}, "fallen": list(self.fallen)},
            clock=clock,
        )


def is_new(table: Table, edition: str, now: datetime) -> bool:
    """Whether the next round of a table is played under another edition than this one, by the day of Macau."""
    return table.edition_in_force and GAMES[table.game].edition_on(macau_date(now).isoformat()) != edition


def change_over(table: Table, now: datetime) -> ChangeOver | None:
    """Bring the edition in force to a table that is about to open a round; it is locked. None if it plays it already.

    Whoever sits where no seat is left stands up.
    """
    game, before = GAMES[table.game], table.options
    if not is_new(table, before["edition"], now):
        return None
    options, fallen = under(game.options, before, game.edition_on(macau_date(now).isoformat()))
    if game.shoe(options) != game.shoe(read_options(game.options, before)):
        table.fresh_shoe_due = True
    table.options = options_json(options)
    table.version += 1
    table.save(update_fields=["options", "version"])
    Seat.objects.filter(table=table, number__gt=options.seats).delete()
    return ChangeOver(before, table.options, fallen)
