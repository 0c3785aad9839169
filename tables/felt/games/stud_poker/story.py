"""Stud Poker in words: where each card went, who decided what, how the hands compared, and what was won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tables.felt.contract import StoryOf
from tables.felt.formatting import card_name, listed
from tables.felt.shared.payments import paid_between
from tables.games.contract.actions import Action, Meter, Refund
from tables.games.stud_poker.phases import Award, Compare, Fold, Misdeal, Phase, Proceed, Raise, Turn
from tables.games.stud_poker.view import BoxView, Standing, View
from tables.games.values.words import Amount, Note, Words, say


class StudPokerStory(StoryOf[View]):
    articles = {"cut": "3(1)"}

    def card(self, before: View, after: View) -> list[Note]:
        """Where the card went, its face if the viewer sees it, and what ordered it."""
        article = "7(2)" if after.shuffler else "7(1)"
        new = [note for note in after.notes if note not in before.notes]
        if len(after.dealer.cards) > len(before.dealer.cards):
            face = card_name(after.dealer.cards[-1].face)
            return [Note(article, say("The dealer gets %(card)s", card=face)), *new]
        for was, box in zip(before.boxes, after.boxes, strict=True):
            if len(box.cards) > len(was.cards):
                words = say("Box %(box)s gets %(card)s", box=box.number, card=card_name(box.cards[-1].face))
                return [Note(article, words), *new]
            if len(box.dead) > len(was.dead):
                face = card_name(box.dead[-1].face)
                words = say("Box %(box)s, without a stake, gets %(card)s", box=box.number, card=face)
                return [Note("11(3)", words), *new]
        return new

    def left(self, who: str, by: str | Words, before: View, after: View) -> list[Note]:
        """Whoever leaves their box before they have decided folds (6(4))."""
        was, box = (next((box for box in view.boxes if box.bettor == who), None) for view in (before, after))
        if was is None or box is None or was.standing is box.standing:
            return []
        return [_decided(who, by, after), *_opened_choices(before, after, but=who)]

    def settled(self, before: View, after: View) -> list[Note]:
        """What was paid and collected; of the viewer's own stakes with the amount."""
        return list(paid_between(before, after)) or [Note("", say("The round is settled"))]

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """What a bettor decided, or the house did beside dealing."""
        match action:
            case Raise() | Fold():
                return [_decided(action.by, by, after), *_opened_choices(before, after, but=action.by)]
            case Proceed():
                words = say("The time is over: whoever has not decided folds")
                return [Note("time", words), *_opened_choices(before, after)]
            case Meter(pool=pool):
                words = say("The jackpot shows %(pool)s; the jackpot stakes are accepted", pool=Amount(pool))
                return [Note("10(1)", words)]
            case Refund():
                return list(paid_between(before, after))
            case Misdeal(box=box):
                return [Note("11(3)", say("By mistake cards go to box %(box)s, without a stake", box=box))]
            case Turn():
                faces = listed([card_name(one.face) for one in after.dealer.cards])
                note = [after.dealer.note] if after.dealer.note is not None else []
                return [Note("9(1)", say("The dealer turns the cards: %(cards)s", cards=faces)), *note]
            case Compare(box=box):
                return _compared(after.boxes[box - 1])
            case Award():
                return [after.pool.prizes[-1].why]
        raise AssertionError(action)


def _decided(who: str, by: str | Words, after: View) -> Note:
    """What somebody chose; or only that they have chosen, while the viewer may know no more (R17)."""
    box = next(box for box in after.boxes if box.bettor == who)
    if box.standing is Standing.DECIDED:
        return Note("R17", say("%(who)s has decided", who=by))
    return _choice(by, box)


def _choice(by: str | Words, box: BoxView) -> Note:
    if box.raised:
        return Note("6(6)", say("%(who)s raises by %(amount)s", who=by, amount=Amount(box.raised)))
    return Note("time" if box.automatic else "6(7)", say("%(who)s folds", who=by))


def _opened_choices(before: View, after: View, but: str = "") -> Iterator[Note]:
    """The choices that can be seen from now on, with the close of the window."""
    if before.phase is not Phase.LOOK_AND_DECIDE or after.phase is Phase.LOOK_AND_DECIDE:
        return
    for was, box in zip(before.boxes, after.boxes, strict=True):
        if box.raised is not None and was.raised is None and box.bettor != but:
            yield _choice(say("Box %(box)s", box=box.number), box)


def _compared(box: BoxView) -> list[Note]:
    """The hand that was opened, and what decided (9(4), 9(5))."""
    faces = listed([card_name(one.face) for one in box.cards])
    words = say("Box %(box)s is opened: %(cards)s", box=box.number, cards=faces)
    return [Note("9(3)", words), *dict.fromkeys(outcome.why for outcome in box.outcomes)]
