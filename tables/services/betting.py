"""Stakes: placed, withdrawn, lowered, moved; and a bettor's word that he is ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.clock import DATABASE_CLOCK, Clock
from tables.games.protocol import Action, Lower, Move, PlaceBet, Ready, Refused, Withdraw
from tables.games.words import say
from tables.models import RoundLog

from .desk import Desk, round_desk


@dataclass(frozen=True, slots=True)
class BetRequest:
    """A player asks to stake `amount` cents on `spot` (of `box`, or of the common area)."""

    player: int
    ref: str
    spot: str
    amount: int
    box: int | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """Done; `repeated` if it had been done before and nothing was done now."""

    repeated: bool = False


Answer = Accepted | Refused


def place(round_id: int, request: BetRequest, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Place one bet. Raises Refused, and then nothing has changed."""
    (answer,) = place_many(round_id, [request], clock=clock)
    if isinstance(answer, Refused):
        raise answer
    return answer


def place_many(round_id: int, requests: Sequence[BetRequest], *, clock: Clock = DATABASE_CLOCK) -> list[Answer]:
    """Place a burst of bets in one round, in order, in one transaction: an answer each, one's refusal is no other's."""
    try:
        with round_desk(round_id, players=[request.player for request in requests], clock=clock) as desk:
            return [_place_one(desk, request) for request in requests]
    except RoundLog.DoesNotExist:
        return [no_such_round() for _ in requests]


def _place_one(desk: Desk, request: BetRequest) -> Answer:
    bettor = f"p{request.player}"
    ref = own_ref(bettor, request.ref)
    if desk.knows(ref):
        return Accepted(repeated=True)
    bet = f"{desk.log.pk}-{desk.version + 1}"
    try:
        in_time(desk)
        desk.act(PlaceBet(bettor, bet, request.spot, request.amount, request.box), ref)
    except Refused as refusal:
        return refusal
    return Accepted()


def withdraw(player: int, round_id: int, ref: str, bet: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take a stake back, whole. Raises Refused."""
    return change(player, round_id, ref, Withdraw(f"p{player}", bet), clock=clock)


def lower(player: int, round_id: int, ref: str, bet: str, amount: int, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Take `amount` cents off a stake. Raises Refused."""
    return change(player, round_id, ref, Lower(f"p{player}", bet, amount), clock=clock)


def move(player: int, round_id: int, ref: str, bet: str, spot: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Move a stake, whole, to another spot. Raises Refused."""
    return change(player, round_id, ref, Move(f"p{player}", bet, spot), clock=clock)


def ready(player: int, round_id: int, ref: str, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """Say that nothing more is waited for. Raises Refused."""
    return change(player, round_id, ref, Ready(f"p{player}"), clock=clock)


def change(player: int, round_id: int, ref: str, action: Action, *, clock: Clock = DATABASE_CLOCK) -> Accepted:
    """One deed of a player in a round, within its time, once. Raises Refused, and then nothing has changed."""
    try:
        with round_desk(round_id, players=[player], clock=clock) as desk:
            if desk.knows(own_ref(action.by, ref)):
                return Accepted(repeated=True)
            in_time(desk)
            desk.act(action, own_ref(action.by, ref))
    except RoundLog.DoesNotExist:
        raise no_such_round() from None
    return Accepted()


def own_ref(bettor: str, ref: str) -> str:
    """A client's ref, within its own bettor's: nobody can use up another's."""
    return f"{bettor}:{ref}"


def in_time(desk: Desk) -> None:
    """Raise Refused if the time of what the round waits for is over, though the dealer has not yet closed it."""
    if desk.log.due_at is not None and desk.now >= desk.log.due_at:
        raise Refused("time", say("The time for this is over."))


def no_such_round() -> Refused:
    """The refusal of a deed in a round that does not exist."""
    return Refused("round", say("There is no such round."))
