"""What becomes of each stake (articles 6 to 10), in words and cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tables.games.contract.round import Payout, Stake
from tables.games.shared.stakes import Stakes, voided
from tables.games.values.money import Odds, commission
from tables.games.values.words import Note, Words, say

from .bets import COMMISSION_PERCENT, EVEN, ODD, PLACE, POINTS_SPOTS, SPOTS, THREE_FIGURES, TIE, WITH_COMMISSION
from .hands import BANKER, THREE_COURTS, Combination


@dataclass(frozen=True, slots=True)
class Terms:
    """How the round ends for one spot: what a stake wins (None: nothing), or that it is locked; and why."""

    why: Note
    odds: Odds | None = None
    locked: bool = False


Hands = Mapping[int, Combination]
"""The combinations by place, the banker's at BANKER."""


def payouts(layout: Stakes, hands: Hands | None) -> tuple[Payout, ...]:
    """What became of each stake on the layout, oldest first; without hands the round is void (T-A11)."""
    if hands is None:
        return voided(layout, RETURNED, STAYS)
    ends = {(stake.spot, stake.box): terms(stake.spot, stake.box, hands) for stake in layout}
    return tuple(_paid(stake, ends[stake.spot, stake.box]) for stake in layout)


def terms(spot: str, box: int | None, hands: Hands) -> Terms:
    """How the round ends for a spot; the banker's hand lies open, and that of its place if it has one."""
    banker = hands[BANKER]
    match spot:
        case "place":
            return _place(hands[box or 0], banker)
        case "tie":
            return _tie(hands[box or 0], banker)
        case "odd" | "even":
            return _parity(spot, banker)
        case _:
            return _number(spot, banker)


def _won(spot: str, article: str, result: Words) -> Terms:
    """Won, at the spot's odds, less the commission where there is one (9, 10)."""
    odds = SPOTS[spot].odds[0]
    if spot not in WITH_COMMISSION:
        return Terms(Note(article, result), odds)
    why = say("%(result)s, less a commission of %(percent)s per cent", result=result, percent=COMMISSION_PERCENT)
    return Terms(Note("10", why), odds)


def _place(hand: Combination, banker: Combination) -> Terms:
    """The better combination wins; the same locks the stake."""
    if hand.rank == banker.rank:
        why = say("Tie: %(hand)s; the stake is locked for the next round", hand=hand.title)
        return Terms(Note("7(2)", why), locked=True)
    result = against(hand, banker)
    return _won(PLACE, "9", result) if hand.rank < banker.rank else Terms(Note("6", result))


def _tie(hand: Combination, banker: Combination) -> Terms:
    if hand.rank == banker.rank:
        return _won(TIE, "9", say("Tie: %(hand)s", hand=hand.title))
    return Terms(Note("8(3)", say("No tie: %(hand)s, %(banker)s", hand=hand.title, banker=banker.title)))


def _parity(spot: str, banker: Combination) -> Terms:
    """Odd and even go by the banker's points, 0 being even; three court cards are neither (8(1), T-A8)."""
    if banker.rank == THREE_COURTS:
        why = say("The banker has three court cards: the stake is locked for the next round")
        return Terms(Note("8(1)", why), locked=True)
    result = say("The banker counts %(points)s", points=banker.points)
    return _won(spot, "9", result) if (ODD, EVEN)[banker.points % 2 == 0] == spot else Terms(Note("8(1)", result))


def _number(spot: str, banker: Combination) -> Terms:
    """Three court cards are no number of points, and no other hand is three court cards (8(2), T-A7)."""
    if banker.rank == THREE_COURTS:
        result, winner = say("The banker has three court cards"), THREE_FIGURES
    else:
        result, winner = say("The banker counts %(points)s", points=banker.points), POINTS_SPOTS[banker.points]
    return _won(spot, "9", result) if spot == winner else Terms(Note("8(2)", result))


def against(hand: Combination, banker: Combination) -> Words:
    """Which of two different combinations is the better one, in words."""
    if hand.rank < banker.rank:
        return say("The place wins: %(hand)s against %(banker)s", hand=hand.title, banker=banker.title)
    return say("The banker wins: %(banker)s against %(hand)s", hand=hand.title, banker=banker.title)


def _paid(stake: Stake, end: Terms) -> Payout:
    returned = carried = fee = 0
    if end.locked:
        carried = stake.amount
    elif end.odds is not None:
        prize = end.odds.prize(stake.amount)
        fee = commission(prize, COMMISSION_PERCENT) if stake.spot in WITH_COMMISSION else 0
        returned = stake.amount + prize - fee
    return Payout(stake.bet, stake.by, stake.spot, stake.amount, returned, end.why, carried, fee)


RETURNED = Note("T-A11", say("The round is void: the stake is returned"))
STAYS = Note("T-A11", say("The round is void: the stake stays locked"))
