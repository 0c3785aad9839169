"""Decisions: the cut, turning the cards, passing them on; later games' hits, splits, raises."""

from __future__ import annotations

from tables.clock import DATABASE_CLOCK, Clock
from tables.games.protocol import Action, Cut
from tables.models import RoundLog, Shoe

from .betting import Accepted, in_time, no_such_round, own_ref
from .desk import Desk, round_desk


def decide(player: int, round_id: int, ref: str, action: Action, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """A player's decision, once and within its time. Raises Refused, and then nothing has changed.

    A card that it calls for is drawn by the dealer, who is told.
    """
    assert action.by == f"p{player}", "nobody decides for another"
    try:
        with round_desk(round_id, players=[player], clock=clock) as desk:
            own = own_ref(action.by, ref)
            if desk.knows(own):
                return Accepted(repeated=True)
            in_time(desk)
            desk.act(action, own)
            if isinstance(action, Cut):
                record_cut(desk, action.position)
    except RoundLog.DoesNotExist:
        raise no_such_round() from None
    return Accepted()


def record_cut(desk: Desk, position: int) -> None:
    """Remember where the shoe was cut, and with it where the white card lies."""
    assert desk.log.shoe_id is not None
    shoe = Shoe.objects.select_for_update().get(pk=desk.log.shoe_id)
    assert shoe.cut is None, "a shoe is cut once"
    shoe.cut = position
    shoe.save(update_fields=["cut"])
