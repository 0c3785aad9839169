"""After a restore to an earlier moment: what lies sealed there was opened since, and somebody may have noted it."""

from __future__ import annotations

from dataclasses import dataclass

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.actions import Void, VoidReason
from tables.models import OfferedLink, PackSeed, Table
from tables.services.rounds.round_session import locked_round


@dataclass(frozen=True, slots=True)
class Dropped:
    """How much is not played any more: rounds that are void, tables that get a fresh pack, seeds that are not used."""

    rounds: int = 0
    packs: int = 0
    seeds: int = 0


def drop_what_was_sealed(*, clock: Clock = DATABASE_CLOCK) -> Dropped:
    """Nothing that lies sealed now decides anything: every round that is played is void and its stakes go back, every
    table with cards gets a fresh pack before its next round, and nothing is made from a seed that was not used yet, or
    from a link that was offered then.

    The packs and the throws are opened as always when the next round of their table begins; a seed that is dropped
    stays closed, and the audit keeps saying so.
    """
    rounds = packs = seeds = 0
    with unit_of_work():
        now = clock.now()
        for table in Table.objects.select_for_update().order_by("pk"):
            if table.round_id is not None:
                with locked_round(table.round_id, table=table, clock=clock) as session:
                    if not session.round.over:
                        session.act(Void(reason=VoidReason.RESTORED))
                        rounds += 1
            seeds += PackSeed.objects.filter(table=table, revealed__isnull=True, dropped_at=None).update(dropped_at=now)
            OfferedLink.objects.filter(table=table).delete()
            if table.shoe_id is not None and not GAMES[table.game].throws:
                table.fresh_shoe_due = True
                table.save(update_fields=["fresh_shoe_due"])
                packs += 1
            announce.table_changed(table.pk)
    return Dropped(rounds, packs, seeds)
