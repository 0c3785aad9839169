"""Blackjack in words: where each card went, who decided what, what was paid, and how the round ended."""

from __future__ import annotations

from collections.abc import Mapping

from tables.felt.contract import StoryOf
from tables.felt.formatting import card_name
from tables.felt.shared.payments import paid_between
from tables.games.blackjack.phases import (
    Asks,
    Claim,
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Overdraw,
    Pass,
    Pay,
    Phase,
    Proceed,
    Split,
    Stand,
    Surrender,
    TurnHole,
)
from tables.games.blackjack.view import BankView, BoxView, HandView, View
from tables.games.contract.actions import HOUSE, Action
from tables.games.values.words import Amount, Note, Words, say


class BlackjackStory(StoryOf[View]):
    articles = {"cut": "2(1)(1)", "white": "2(2)(1)"}

    def card(self, before: View, after: View) -> list[Note]:
        """Where the card went, its face if the viewer sees it, and what ordered it."""
        if after.burnt > before.burnt:
            article = "4(1)" if before.phase is Phase.BURN else "4(2)"
            return [Note(article, say("A card is burnt, face down"))]
        if len(after.bank.cards) > len(before.bank.cards):
            return _to_the_bank(before.bank, after.bank)
        for box in after.boxes:
            known = _hands(before, box.number)
            for hand in box.hands:
                if len(hand.cards) > (len(known[hand.number].cards) if hand.number < len(known) else 0):
                    return _to_a_hand(box, hand)
        return [note for note in after.notes if note not in before.notes]

    def closed(self, view: View) -> list[Note]:
        """The viewer's own stakes that were taken down, and who decides on the boxes they play."""
        assert view.mine is not None
        own = {*view.mine.decides, *view.mine.behind}
        decided = [box.decider_why for box in view.boxes if box.number in own and box.decider_why is not None]
        return [*(refusal.why for refusal in view.mine.refusals), *decided]

    def settled(self, before: View, after: View) -> list[Note]:
        """What the bank ended with, and what was paid at the end."""
        bank = [after.bank.note] if after.bank.note is not None else []
        return [*bank, *paid_between(before, after)] or [Note("", say("The round is settled"))]

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """What a bettor decided, or the house did beside dealing."""
        match action:
            case Stand(by=actor) if actor == HOUSE:
                words = say("The hand stands by itself: the time was over (%(hand)s)", hand=_at(before, action))
                return [Note("time", words)]
            case Hit() | Stand() | Double() | Split() | Match() | Claim() | Pass():
                return [Note(*_decided(action, by, before))]
            case Insurance(box=box, amount=amount):
                words = say("%(who)s insures box %(box)s with %(amount)s", who=by, box=box, amount=Amount(amount))
                return [Note("12(1)", words)]
            case EvenMoney(box=box):
                return [Note("10(3)", say("%(who)s asks for even money on box %(box)s", who=by, box=box))]
            case Surrender(box=box):
                return [Note("18(1)", say("%(who)s gives up the round on box %(box)s", who=by, box=box))]
            case Follow():
                return [Note("R17", say("%(who)s says what to follow without being asked", who=by))]
            case Proceed():
                return [Note("time", say("The time is over: whoever has not answered lets it pass"))]
            case Pay():
                return list(paid_between(before, after)) or [Note("", say("The dealer pays and collects"))]
            case TurnHole():
                words = say("The bank turns its second card: %(card)s", card=card_name(after.bank.cards[1].face))
                return [Note("5(2)(1)(2)", words), *([after.bank.note] if after.bank.note else [])]
            case Overdraw():
                return [note for note in after.notes if note not in before.notes]
        raise AssertionError(action)


def _to_the_bank(before: BankView, after: BankView) -> list[Note]:
    words = say("The bank gets %(card)s", card=card_name(after.cards[-1].face))
    if not before.cards:
        return [Note("5(1)", words)]
    if after.cards[-1].face is None:
        return [Note("5(2)(1)(2)", words)]
    return [Note("7(1)" if len(after.cards) == 2 else "6(1)", words), *([after.note] if after.note else [])]


def _to_a_hand(box: BoxView, hand: HandView) -> list[Note]:
    face = card_name(hand.cards[-1].face)
    article = "5(1)" if len(hand.cards) <= 2 and not hand.split else "17(1)" if hand.doubled else "6(2)"
    notes = [Note(article, say("%(hand)s gets %(card)s", hand=_place(box, hand.number), card=face))]
    return [*notes, hand.note] if hand.note is not None and len(hand.cards) > 1 else notes


def _hands(view: View, box: int | None) -> tuple[HandView, ...]:
    return next((one.hands for one in view.boxes if one.number == box), ())


def _place(box: BoxView, hand: int) -> Words:
    if len(box.hands) < 2:
        return say("Box %(box)s", box=box.number)
    return say("Box %(box)s, hand %(hand)s", box=box.number, hand=hand + 1)


def _at(view: View, action: Stand | Hit | Double | Split | Match | Claim | Pass) -> Words:
    """The same within a sentence."""
    if len(_hands(view, action.box)) < 2:
        return say("box %(box)s", box=action.box)
    return say("box %(box)s, hand %(hand)s", box=action.box, hand=action.hand + 1)


def _decided(
    action: Hit | Stand | Double | Split | Match | Claim | Pass, by: str | Words, before: View
) -> tuple[str, Words]:
    """The article and the words of a decision on one hand."""
    hand = _at(before, action)
    asks = before.question.asks if before.question is not None else Asks.TURN
    match action:
        case Hit():
            return "6(2)", say("%(who)s hits on %(hand)s", who=by, hand=hand)
        case Stand():
            return "6(3)", say("%(who)s stands on %(hand)s", who=by, hand=hand)
        case Double():
            return "17", say("%(who)s doubles on %(hand)s", who=by, hand=hand)
        case Split():
            return "16(1)", say("%(who)s splits on %(hand)s", who=by, hand=hand)
        case Match() if asks is Asks.MATCH_SPLIT:
            return "R17", say("%(who)s follows the split on %(hand)s", who=by, hand=hand)
        case Match():
            return "R17", say("%(who)s follows the double on %(hand)s", who=by, hand=hand)
        case Claim():
            return "19(1)", say("%(who)s takes the half for five cards on %(hand)s", who=by, hand=hand)
        case Pass() if asks is Asks.CLAIM:
            return "19(2)", say("%(who)s takes no half and plays on with %(hand)s", who=by, hand=hand)
        case Pass():
            return "R17", say("%(who)s does not follow on %(hand)s", who=by, hand=hand)
