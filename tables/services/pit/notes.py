"""Notes of the staff: incidents at a table, in a round, of a player; and bookmarks at a step of a round."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Event, PitNote, Player, RoundLog, Table
from tables.services.journal import events
from tables.services.players import people

LONGEST_NOTE = 2_000
"""Signs of a note at most."""


def write(
    by: Player,
    text: str,
    *,
    table: int | None = None,
    log: int | None = None,
    seq: int | None = None,
    player: int | None = None,
    clock: Clock = DATABASE_CLOCK,
) -> PitNote:
    """Write a note about any of these; with `seq`, a line of the log of that round, it is a bookmark there. It is never
    changed. Raises Refused."""
    demand(by, Right.NOTE)
    text = text.strip()
    if not text:
        raise Refused("", say("Write something."))
    if len(text) > LONGEST_NOTE:
        raise Refused("", say("A note has %(most)s signs at most.", most=LONGEST_NOTE))
    with unit_of_work():
        round_ = None if log is None else RoundLog.objects.filter(pk=log).first()
        if log is not None and round_ is None:
            raise Refused("", say("There is no such round."))
        if seq is not None and (round_ is None or round_.settled_at is None or not 0 <= seq <= round_.version):
            raise Refused("", say("A bookmark is at a step of a round that is over."))
        if round_ is not None:
            table = round_.table_id
        if table is not None and not Table.objects.filter(pk=table).exists():
            raise Refused("", say("There is no such table."))
        about = None if player is None else people.known(player)
        kind = PitNote.Kind.INCIDENT if seq is None else PitNote.Kind.BOOKMARK
        note = PitNote.objects.create(
            kind=kind, table_id=table, log=round_, seq=seq, player=about, text=text, by=by, at=clock.now()
        )
        after = {"note": note.pk} if seq is None else {"note": note.pk, "step": seq}
        events.record(
            Event.Kind.NOTED, by=by.pk, table=table, log=log, player=player, why=text, after=after, clock=clock
        )
        return note
