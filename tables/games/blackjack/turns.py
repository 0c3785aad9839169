"""A hand in its turn (6(2) to 6(4), 16, 17, 18, 19): what may be done with it, and what it is afterwards.

Whether something may be done is answered by a Note that says why not, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tables.games.contract.actions import Action
from tables.games.contract.errors import Refused
from tables.games.values.cards import Card
from tables.games.values.words import Note, say

from . import bank
from .boxes import Box, open_on
from .hands import LIMIT, Hand, Laid, may_pair
from .options import DoubleRule, Options, SurrenderTiming
from .phases import Claim, Double, Hit, Split, Stand, Surrender

FIVE = 5
"""Cards with which half the stake may be claimed (19(1))."""


def choices(options: Options, up: Card, box: Box, at: int, who: str) -> Iterator[Action]:
    """What a bettor may do with the hand whose turn it is: its decider anything, others on it claim five cards."""
    hand = box.hands[at]
    still_open = open_on(options, up, box, hand)
    if who not in still_open or hand.owed or len(hand.cards) < 2:
        return
    if who == still_open[0]:
        if why_no_hit(hand) is None:
            yield Hit(who, box.number, at)
        yield Stand(who, box.number, at)
        if why_no_double(options, hand) is None:
            yield Double(who, box.number, at)
        if why_no_split(options, box, hand) is None:
            yield Split(who, box.number, at)
        if why_no_surrender_in_turn(options, up, box) is None:
            yield Surrender(who, box.number)
    if may_claim(options, up, hand):
        yield Claim(who, box.number, at)


def is_finished(options: Options, up: Card, box: Box, hand: Hand) -> bool:
    """Whether nothing more is asked and no card more is dealt for this hand before the bank's."""
    if not open_on(options, up, box, hand):
        return True
    if hand.owed or len(hand.cards) < 2:
        return False
    if hand.stood is not None or hand.doubled or hand.is_blackjack:
        return True
    if hand.is_split_ace:
        return why_no_split(options, box, hand) is not None
    return hand.total == LIMIT and not may_claim(options, up, hand)


# ── Why not ─────────────────────────────────────────────────────────────────────────────────────────────────


def allow(why_not: Note | None) -> None:
    """Raise Refused if there is a reason."""
    if why_not is not None:
        raise Refused(why_not.article, why_not.words)


def may_claim(options: Options, up: Card, hand: Hand) -> bool:
    """Whether half the stake may be claimed on this hand now (19(1), R10)."""
    return why_no_claim(options, up, hand) is None


def why_no_claim(options: Options, up: Card, hand: Hand) -> Note | None:
    if not options.five_card_claim_offered:
        return Note("19(1)", say("Five cards are not paid at this table"))
    if bank.shows_ace(up):
        return Note("19(1)", say("The bank shows an ace: five cards cannot be claimed"))
    if len(hand.cards) != FIVE or hand.total > LIMIT or hand.owed or hand.stood:
        return Note("19(1)", say("Half the stake is claimed with exactly five cards not over 21"))
    return None


def why_no_hit(hand: Hand) -> Note | None:
    if hand.is_split_ace:
        return Note("6(4)(3)", say("A split ace takes one card only"))
    if hand.total >= LIMIT:
        return Note("6(4)(1)", say("No card is drawn to 21"))
    return None


def why_no_double(options: Options, hand: Hand) -> Note | None:
    article = "17(1)" if options.double_rule is DoubleRule.ANY_TWO else "17(2)"
    if len(hand.cards) != 2:
        return Note(article, say("Only the first two cards can be doubled"))
    if hand.is_split_ace:
        return Note("6(4)(3)", say("A split ace takes one card only"))
    if hand.total >= LIMIT:
        return Note("6(4)(1)", say("No card is drawn to 21"))
    if options.double_rule is DoubleRule.ELEVEN_ONLY:
        if hand.split:
            return Note("R29", say("After a split there is no doubling here"))
        if hand.total != 11:
            return Note("17(2)", say("Doubling is allowed only on 11"))
    return None


def why_no_split(options: Options, box: Box, hand: Hand) -> Note | None:
    if not may_pair(hand.cards, options.split_rank_rule):
        return Note("16(1)", say("Only a pair of first two cards can be split"))
    if len(box.hands) >= options.max_split_hands:
        return Note("16(1)", say("A box is split into at most %(most)s hands", most=options.max_split_hands))
    if hand.is_split_ace and not options.resplit_aces:
        return Note("R27", say("Aces are split once only"))
    if hand.split and not hand.is_split_ace and not options.resplit_allowed:
        return Note("16(5)", say("A pair is split once only"))
    return None


def why_no_surrender(options: Options, up: Card, box: Box) -> Note | None:
    """Why the box cannot be given up; whether it is the time for it the caller knows."""
    if bank.shows_ace(up):
        return Note("18(1)", say("Against an ace there is no surrender"))
    if box.surrendered or not box.is_whole:
        return Note("18(2)", say("Surrender comes before any other decision"))
    if box.hands[0].is_blackjack and not bank.may_have_blackjack(up):
        return Note("18(2)", say("The blackjack is paid already"))
    if box.hands[0].is_blackjack and options.surrender_timing is SurrenderTiming.OWN_FIRST_DECISION:
        return Note("6(4)(1)", say("A blackjack has nothing to decide in its turn"))
    return None


def why_no_surrender_in_turn(options: Options, up: Card, box: Box) -> Note | None:
    if options.surrender_timing is not SurrenderTiming.OWN_FIRST_DECISION:
        return Note("R5", say("Surrender comes before the first card drawn in the round"))
    return why_no_surrender(options, up, box)


# ── What a decision makes of a box ──────────────────────────────────────────────────────────────────────────


def doubled(box: Box, at: int, who: str) -> Box:
    """With exactly this bettor's stake on the hand laid down once more (17, R30)."""
    hand = box.hands[at]
    laid = hand.stakes[who]
    return box.with_hand(at, replace(hand, stakes={**hand.stakes, who: replace(laid, doubled=laid.amount)}))


def split(box: Box, at: int, who: str) -> Box:
    """Two hands instead of one, the second with this bettor's stake alone; all other stakes stay on the first (R17)."""
    hand = box.hands[at]
    serial = 2 * len(box.hands) - 1
    first = Hand(serial, hand.stakes, hand.cards[:1], split=True)
    second = Hand(serial + 1, {who: Laid(hand.stakes[who].amount)}, hand.cards[1:], split=True)
    return replace(box, hands=(*box.hands[:at], first, second, *box.hands[at + 1 :]))


def joined(box: Box, at: int, who: str) -> Box:
    """With this bettor's stake also on the hand that was split off to the right (16(2), R17)."""
    second = box.hands[at + 1]
    laid = Laid(box.hands[at].stakes[who].amount)
    return box.with_hand(at + 1, replace(second, stakes={**second.stakes, who: laid}))


def claimed(box: Box, at: int, who: str) -> Box:
    """With this bettor paid half the stake on the hand (19(1), R10)."""
    hand = box.hands[at]
    stakes = {**hand.stakes, who: replace(hand.stakes[who], claimed=True)}
    return box.with_hand(at, replace(hand, stakes=stakes))
