"""Baccarat in words: where each card went, how the round ended, and who opened which hand."""

from __future__ import annotations

from collections.abc import Mapping

from tables.felt.contract import StoryOf
from tables.felt.formatting import card_name
from tables.games.baccarat import PassHand, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.baccarat.view import View
from tables.games.contract.actions import HOUSE, Action
from tables.games.values.words import Note, Words, say

HANDS = {Hand.PLAYER: say("Player"), Hand.BANKER: say("Banker")}


class BaccaratStory(StoryOf[View]):
    articles = {"cut": "2(1)", "white": "3(1)", "withdraw": "12(1)", "lower": "12(3)(1)", "move": "12(3)(2)"}

    def card(self, before: View, after: View) -> list[Note]:
        """Where the card went, its face if the viewer sees it, and what ordered it."""
        if after.burn is not None and before.burn is not None and after.burn.burnt > before.burn.burnt:
            if after.burn.indicator is not None and before.burn.indicator is None:
                words = say(
                    "The first card is turned: %(card)s. It says how many are burnt",
                    card=card_name(after.burn.indicator),
                )
                return [Note("2(1)", words)]
            return [Note("2(1)", say("A card is burnt, face down"))]
        if after.burnt > before.burnt:
            return [Note("8", say("A card is burnt, face down"))]
        if after.demos != before.demos:
            return _demonstrated(before, after)
        for old, new in zip(before.hands, after.hands, strict=True):
            if len(new.cards) > len(old.cards):
                dealt = new.cards[-1]
                words = say("%(hand)s gets %(card)s", hand=new.title, card=card_name(dealt.face))
                if len(new.cards) == 3 and new.note is not None:
                    return [new.note, Note("4" if dealt.exposed else "", words)]
                return [Note("4" if dealt.exposed else "7(1)", words)]
        raise AssertionError("the card went nowhere")

    def closed(self, view: View) -> list[Note]:
        """What was taken down or trimmed of the viewer's own stakes."""
        assert view.mine is not None
        return [refusal.why for refusal in view.mine.refusals] + [trim.why for trim in view.mine.trims]

    def settled(self, before: View, after: View) -> list[Note]:
        """The result as it was announced."""
        assert after.outcome is not None
        return [after.outcome.why]

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """A hand is opened, left to the dealer, or passed on."""
        match action:
            case Turn(hand=hand, card=int()):
                return [Note("16(2)", say("%(who)s turns a card of %(hand)s", who=by, hand=HANDS[hand]))]
            case Turn(hand=hand):
                words = say("%(who)s opens %(hand)s", who=by, hand=HANDS[hand])
                return [Note("7(1)" if action.by == HOUSE else "16(2)", words)]
            case Waive(hand=hand):
                return [Note("16(2)", say("%(who)s lets the dealer open %(hand)s", who=by, hand=HANDS[hand]))]
            case PassHand(hand=hand, to=to):
                words = say("%(who)s passes %(hand)s to %(other)s", who=by, hand=HANDS[hand], other=names.get(to, to))
                return [Note("16(2)", words)]
        raise AssertionError(action)


def _demonstrated(before: View, after: View) -> list[Note]:
    demo = after.demos[-1]
    known = before.demos[-1] if len(before.demos) == len(after.demos) else None
    to_player = len(demo.player.cards) > (len(known.player.cards) if known is not None else 0)
    hand = demo.player if to_player else demo.banker
    words = say("Demonstration: %(hand)s gets %(card)s", hand=hand.title, card=card_name(hand.cards[-1].face))
    return [Note("2(2)", words), *([demo.outcome.why] if demo.outcome is not None else [])]
