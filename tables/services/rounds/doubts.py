"""A device says that what was opened to it does not fit its seal (docs/proof.md, 7): the pit is told at once."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.transactions import unit_of_work
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import Alert, Player, RoundLog
from tables.services.journal import alerts

OPEN_AT_A_TABLE = 5
"""So many alerts of one table may be open: a crowd that says the same, or that lies, buries nothing else."""


def doubt(player: int, table_id: int, round_id: int, place: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """Alert the pit that a bettor's device finds the card at this place of the pack (0: the throw) not to be the one
    committed to. Once for each bettor and round; nothing is changed by it.

    Raises Refused for a round that is not of this table or is older than the one before the present one, and for a
    place that its pack has not.
    """
    log = RoundLog.objects.select_related("table__round", "shoe").filter(pk=round_id, table_id=table_id).first()
    present = log.table.round if log is not None else None
    if log is None or present is None or log.number < present.number - 1:
        raise Refused("", say("This is no round that is played here now."))
    places = range(1, log.shoe.decks * 52 + 1) if log.shoe is not None else range(1)
    if place not in places:
        raise Refused("", say("There is no place %(place)s.", place=place))
    key = f"{Alert.Kind.MISFIT}:{log.pk}:{player}"
    waiting = Alert.objects.filter(kind=Alert.Kind.MISFIT, table_id=table_id, acknowledged_at=None)
    if alerts.is_known(key) or waiting.count() >= OPEN_AT_A_TABLE:
        return
    about = {"round": log.number, "place": place, "who": str(Player.objects.get(pk=player)), "player": player}
    with unit_of_work():
        alerts.raise_alert(Alert.Kind.MISFIT, key, at=clock.now(), table=table_id, log=log.pk, about=about)
