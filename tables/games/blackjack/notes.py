"""What is said beside the cards of a round of Blackjack: of the bank, of a hand, of the round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tables.games.contract.actions import HOUSE
from tables.games.values.cards import Card
from tables.games.values.words import Note, say

from . import bank
from .boxes import Box, wins_prize
from .hands import LIMIT, Hand, is_blackjack, points
from .round import BlackjackRound


def bank_note(shown: Sequence[Card]) -> Note | None:
    """What the bank must do with the cards that it shows."""
    if len(shown) < 2:
        return None
    total, soft = points(shown)
    if is_blackjack(shown):
        return Note("10(1)", say("The bank has a blackjack"))
    if total > LIMIT:
        return Note("R2", say("The bank is over 21 with %(total)s", total=total))
    if bank.must_draw(shown):
        return Note("6(1)", say("The bank must draw on %(total)s", total=total))
    if soft and total == bank.STANDS_ON:
        return Note("R4", say("The bank stands on a soft 17"))
    return Note("6(1)", say("The bank has %(total)s and stands", total=total))


def hand_note(round_: BlackjackRound, box: Box, hand: Hand, sees: bool) -> Note | None:
    """Why the hand takes no card more, or what it got."""
    if box.surrendered:
        return Note("18(1)", say("Surrendered"))
    if hand.stood == HOUSE:
        return Note("time", say("The time was over: the hand stands"))
    if not sees or len(hand.cards) < 2:
        return None
    if hand.is_over:
        return Note("7(2)", say("%(total)s is over 21", total=hand.total))
    if wins_prize(round_.options, hand):
        return Note("15", say("Special prize"))
    if hand.is_blackjack:
        return Note("10(1)", say("A blackjack"))
    if hand.doubled and not hand.owed:
        return Note("6(4)(2)", say("One card only after a double"))
    if hand.is_split_ace:
        return Note("6(4)(3)", say("A split ace takes one card only"))
    if hand.total == LIMIT:
        return Note("6(4)(1)", say("No card is drawn to 21"))
    return None


def notes_of(round_: BlackjackRound) -> Iterator[Note]:
    """What happened in the round: a card put away, the last round, a void."""
    if round_.exposed_cards:
        yield Note("5(1)(1)", say("A card came out face up; it is void"))
    if round_.overdraw is not None:
        if round_.overdraw.shown:
            yield Note("6(1)", say("The bank wrongly drew a card; it is removed"))
        elif round_.options.unseen_overdraw_valid:
            yield Note("6(1)", say("The bank wrongly drew a card; unseen, it stays the next one"))
        else:
            yield Note("6(1)", say("The bank wrongly drew a card; unseen, it is burnt"))
    if round_.is_last:
        yield Note("2(2)(1)", say("This is the last round of the shoe"))
    if round_.void and round_.closing is not None and not round_.boxes:
        yield round_.void_note(Note("void", say("Nobody has a main bet: nothing is dealt")))
    elif round_.void:
        yield round_.void_note(Note("5(1)(2)", say("The round is void: all stakes are returned")))
