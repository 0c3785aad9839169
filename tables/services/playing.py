"""What a player does in a round besides placing bets: change a stake, say that they are ready, cut, turn, hit."""

from __future__ import annotations

from dataclasses import dataclass

from tables.clock import DATABASE_CLOCK, Clock
from tables.games.protocol import Action, Refused
from tables.games.words import say
from tables.models import RoundLog

from .desk import Desk, round_desk


@dataclass(frozen=True, slots=True)
class Accepted:
    """Done; `repeated` if it had been done before and nothing was done now."""

    repeated: bool = False


def decide(player: int, round_id: int, ref: str, action: Action, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """One deed of a player in a round, once and within its time. Raises Refused, and then nothing has changed.

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
    except RoundLog.DoesNotExist:
        raise no_such_round() from None
    return Accepted()


def own_ref(bettor: str, ref: str) -> str:
    """A client's ref, within its own bettor's: nobody can use up another's."""
    return f"{bettor}:{ref}"


def in_time(desk: Desk) -> None:
    """Raise Refused if the time of what the round waits for is over, though the dealer has not yet said so.

    While the house owes the next step nobody's time runs: then the rules say who may do what.
    """
    if desk.log.due_at is not None and desk.now >= desk.log.due_at and desk.round.due() is None:
        raise Refused("time", say("The time for this is over."))


def no_such_round() -> Refused:
    """The refusal of a deed in a round that does not exist."""
    return Refused("round", say("There is no such round."))
