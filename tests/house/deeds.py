"""Single deeds at a table, as one message from a client asks for them."""

from __future__ import annotations

from tables.base.clock import DATABASE_CLOCK, Clock
from tables.games.contract.actions import Lower, Move, Ready, Withdraw
from tables.games.contract.errors import Refused
from tables.models.bettors import bettor_of
from tables.services.rounds.betting import BetRequest, place_many
from tables.services.rounds.decisions import decide
from tables.services.rounds.round_session import Accepted


def place(round_id: int, request: BetRequest, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """One bet, alone in its burst. Raises Refused, and then nothing has changed."""
    (answer,) = place_many(round_id, [request], clock=clock)
    if isinstance(answer, Refused):
        raise answer
    return answer


def withdraw(player: int, round_id: int, ref: str, bet: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take a stake back, whole. Raises Refused."""
    return decide(player, round_id, ref, Withdraw(bettor_of(player), bet), clock=clock)


def lower(player: int, round_id: int, ref: str, bet: str, amount: int, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take `amount` cents off a stake. Raises Refused."""
    return decide(player, round_id, ref, Lower(bettor_of(player), bet, amount), clock=clock)


def move(player: int, round_id: int, ref: str, bet: str, spot: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Move a stake, whole, to another spot. Raises Refused."""
    return decide(player, round_id, ref, Move(bettor_of(player), bet, spot), clock=clock)


def ready(player: int, round_id: int, ref: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Say that nothing more is waited for. Raises Refused."""
    return decide(player, round_id, ref, Ready(bettor_of(player)), clock=clock)
