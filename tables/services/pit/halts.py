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
from tables.services.journal import alerts, events

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
        _tell(game)
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
        _tell(game)
        events.record(Event.Kind.HALT_ENDED, by=by.pk, why=why.strip(), after={"game": game}, clock=clock)


def words_of(game: str) -> Words:
    """What is stopped, in words."""
    return GAMES[game].title if game in GAMES else say("the whole floor")


def _tell(game: str) -> None:
    """Pages, kiosks and dealers hear of it."""
    tables = Table.objects.filter(open=True)
    for table in tables.filter(game=game) if game else tables:
        announce.table_changed(table.pk)
        announce.nudge(table.pk)
    announce.pit_changed()
