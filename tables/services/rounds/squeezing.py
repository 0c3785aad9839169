"""The squeeze: a holder peels a card that is to be opened, and everybody at the table sees how far.

What is peeled is no deed of the round: it stands beside the log, and neither money nor the outcome depends on it. What
it uncovers is worked out from the closed card where it is drawn (`tables.felt.shared.squeeze`), and nowhere else.
"""

from __future__ import annotations

from tables.base import announce
from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games.contract.errors import Refused
from tables.games.shared.squeeze import STEPS, Edge, peeled, peels_from
from tables.games.values.words import say
from tables.models import RoundLog
from tables.models.bettors import bettor_of
from tables.queries.folds import game_of

from .decisions import in_time, no_such_round
from .round_session import locked_round


def peel(player: int, round_id: int, place: str, edge: str, step: int, *, clock: Clock = DATABASE_CLOCK) -> None:
    """The player peels the card at this place from that edge, so many steps far. Done twice it is done once; a bend
    never goes back. Raises Refused, and then nothing has changed."""
    if edge not in tuple(Edge) or not 1 <= step <= STEPS:
        raise Refused("", say("There is nothing like that here."))
    try:
        with locked_round(round_id, clock=clock) as session:
            game = game_of(session.log)
            if place not in game.peels(session.round, bettor_of(player)):
                raise Refused(game.squeeze_article, say("You cannot peel this card now."))
            in_time(session)
            peels = peels_from(session.log.peeled)
            before, after = peels.get(place), peeled(peels.get(place), Edge(edge), step)
            if after == before:
                return
            session.peel({**peels, place: after}, further=after.goes_further_than(before))
            announce.table_changed(session.table_id, players=(player,))
    except RoundLog.DoesNotExist:
        raise no_such_round() from None
