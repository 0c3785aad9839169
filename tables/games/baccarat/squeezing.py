"""The squeeze of Baccarat: which cards are peeled, and by whom (16(2), B-A18)."""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.round import Pace
from tables.games.values.cards import Card

from .phases import OPENING
from .round import BaccaratRound


def peels(round_: BaccaratRound, who: str | None) -> Mapping[str, Card]:
    """The cards that `who` may peel now, by their places (`player-0`); None: those that their holder may.

    These are the closed cards of the hand that is to be opened now, so that nothing of the Banker's cards is seen
    before the Player's lie open (7(1)). They are the true cards: `shared.squeeze.bend` says what of them may be shown.
    """
    hand, holder = OPENING.get(round_.phase), round_.progress.asked
    if hand is None or round_.pace is not Pace.DECISION or who not in (None, holder):
        return {}
    cards = round_.coup.of(hand)
    return {f"{hand}-{place}": cards[place] for place in round_.turned_one_by_one(hand)}


def seconds(round_: BaccaratRound) -> int | None:
    """How long a holder has who peels: the table's time for a decision does not count."""
    return round_.options.squeeze_seconds if round_.options.squeezes and round_.pace is Pace.DECISION else None
