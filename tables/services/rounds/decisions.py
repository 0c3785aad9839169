"""What a player does in a round besides placing bets: change a stake, say that they are ready, cut, turn, hit."""

from __future__ import annotations

from collections.abc import Callable

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.base.refs import digest, own_ref
from tables.games.codec import action_json
from tables.games.contract.actions import Action
from tables.games.contract.errors import Refused
from tables.games.values.words import say
from tables.models import RoundLog
from tables.models.bettors import bettor_of

from .budget import Budget
from .round_session import Accepted, RoundSession, locked_round


def decide(player: int, round_id: int, ref: str, action: Action, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """One deed of a player in a round, once and within its time. Raises Refused, and then nothing has changed.

    A card that it calls for is drawn by the dealer, who is told.
    """
    assert action.by == bettor_of(player), "nobody decides for another"
    own, payload = own_ref(bettor_of(player), ref), digest(action_json(action))

    def deed(session: RoundSession) -> None:
        Budget(session).check(action)
        in_time(session)
        session.act(action, own, payload)

    return once(player, round_id, own, payload, deed, clock=clock)


def once(
    player: int, round_id: int, ref: str, payload: str, deed: Callable[[RoundSession], None], *, clock: Clock
) -> Accepted:
    """Have a deed of a player done in a round, once, in one transaction (`RoundSession.once`). Raises Refused."""
    try:
        with locked_round(round_id, changing=player, clock=clock) as session:
            answer = session.once(ref, payload, lambda: deed(session))
    except RoundLog.DoesNotExist:
        raise no_such_round() from None
    if isinstance(answer, Refused):
        raise answer
    return answer


def in_time(session: RoundSession) -> None:
    """Raise Refused if the time of what the round waits for is over, though the dealer has not yet said so; or if the
    pit holds the round.

    While the house owes the next step nobody's time runs: then the rules say who may do what.
    """
    if session.is_held:
        raise Refused("time", say("The pit is looking at this round. Nothing can be changed until it goes on."))
    if session.log.due_at is not None and session.now >= session.log.due_at and session.round.next_house_step() is None:
        raise Refused("time", say("The time for this is over."))


def no_such_round() -> Refused:
    """The refusal of a deed in a round that does not exist."""
    return Refused("round", say("There is no such round."))
