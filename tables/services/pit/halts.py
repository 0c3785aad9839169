"""The switch: no new rounds of a game, or on the whole floor. Rounds in play end by themselves.

One person stops play, two let it begin again. Whether it is stopped, `tables.queries.halts` says.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.rights import Right, demand
from tables.base.transactions import unit_of_work
from tables.games import GAMES
from tables.games.contract.errors import Refused
from tables.games.values.words import Words, say
from tables.models import Alert, Event, Halt, Player, Table
from tables.queries.halts import halted_games
from tables.services.journal import alerts, events

from .locked_table import save_table
from .second_person import SecondPersonNeeded

FLOOR = ""
"""Stands for all games."""


def stop(by: Player, game: str, why: str, *, clock: Clock = DATABASE_CLOCK) -> Halt:
    """No round of this game (of any, for `FLOOR`) is begun from now on. Raises Refused."""
    demand(by, Right.HALT)
    events.check_reason(why)
    if game != FLOOR and game not in GAMES:
        raise Refused("", say("There is no such game."))
    with unit_of_work():
        now = clock.now()
        try:
            with transaction.atomic():
                halt = Halt.objects.create(game=game, why=why.strip(), by=by, at=now)
        except IntegrityError:
            raise Refused("", say("New rounds are stopped already.")) from None
        about = {"game": game, "by": str(by), "why": why.strip()}
        alerts.raise_alert(Alert.Kind.HALTED, f"{Alert.Kind.HALTED}:{halt.pk}", at=now, about=about)
        _hold_tables_to_it()
        after = {"game": game}
        events.record(Event.Kind.HALTED, by=by.pk, why=why.strip(), after=after, clock=clock)
        return halt


def end(by: Player, game: str, why: str, *, approved_by: Player | None = None, clock: Clock = DATABASE_CLOCK) -> None:
    """Rounds are begun again. Raises Refused, and SecondPersonNeeded."""
    demand(by, Right.HALT)
    events.check_reason(why)
    if approved_by is None:
        raise SecondPersonNeeded
    with unit_of_work():
        halt = Halt.objects.select_for_update().filter(game=game, ended_at=None).first()
        if halt is None:
            raise Refused("", say("New rounds are not stopped."))
        halt.ended_by, halt.approved_by, halt.ended_at = by, approved_by, clock.now()
        halt.save(update_fields=["ended_by", "approved_by", "ended_at"])
        _hold_tables_to_it()
        events.record(Event.Kind.HALT_ENDED, by=by.pk, why=why.strip(), after={"game": game}, clock=clock)


def present() -> list[Halt]:
    """The stops that hold now, oldest first."""
    return list(Halt.objects.filter(ended_at=None).select_related("by").order_by("at", "pk"))


def words_of(game: str) -> Words:
    """What is stopped, in words."""
    return GAMES[game].title if game in GAMES else say("the whole floor")


def _hold_tables_to_it() -> None:
    """Each table knows whether it may begin a round; pages, kiosks and dealers hear of what has changed."""
    stopped = halted_games()
    for table in Table.objects.select_for_update(of=("self",)).order_by("pk"):
        halted = bool({FLOOR, table.game} & stopped)
        if table.halted != halted:
            table.halted = halted
            save_table(table, "halted")
    announce.pit_changed()
