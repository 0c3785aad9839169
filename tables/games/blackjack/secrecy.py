"""Who sees the first two cards of a hand, where they are dealt face down (5(2)(1)); all other cards lie open."""

from __future__ import annotations

from tables.games.values.cards import Card

from . import bank
from .boxes import Box, wins_prize
from .hands import Hand
from .options import Options


def sees(
    options: Options, up: Card | None, box: Box, hand: Hand, who: str | None, *, settled: bool, after_window: bool
) -> bool:
    """Whether this viewer sees the first two cards: the bettors of the box do, the others once they are shown.

    `up` is the bank's open card, None before it lies there; `after_window`: nobody decides any more before all others.
    """
    if not options.face_down or (who is not None and box.bettor(who) is not None):
        return True
    if len(hand.cards) < 2 and not hand.split:
        return False
    if settled and not box.surrendered:
        return True
    return after_window and up is not None and is_shown(options, up, box, hand)


def is_shown(options: Options, up: Card, box: Box, hand: Hand) -> bool:
    """Whether the first cards of a hand lie open before the end, though they were dealt face down (5(2)(1)).

    They are shown over 21, for what is paid before the end, and when they are split. What is surrendered stays hidden.
    """
    if not options.face_down or hand.split or hand.is_over:
        return True
    if box.surrendered:
        return False
    if wins_prize(options, hand) or any(laid.claimed for laid in hand.stakes.values()):
        return True
    return hand.is_blackjack and (bool(box.even) or not bank.may_have_blackjack(up))
