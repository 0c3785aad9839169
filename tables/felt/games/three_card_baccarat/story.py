"""3-Card Baccarat in words: where each card went, what the dealer opened, and how the round ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tables.felt.contract import StoryOf
from tables.felt.formatting import card_name, listed
from tables.felt.shared.payments import settled
from tables.games.contract.actions import Action
from tables.games.three_card_baccarat import Phase, Reveal
from tables.games.three_card_baccarat.hands import BANKER
from tables.games.three_card_baccarat.view import HandView, View
from tables.games.values.words import Note, Words, say


class ThreeCardBaccaratStory(StoryOf[View]):
    articles = {"cut": "2(1)", "white": "3(1)"}

    def card(self, before: View, after: View) -> list[Note]:
        """Where the card went, and its face if the viewer sees it."""
        if after.burnt > before.burnt:
            article = "2(2)" if before.phase is Phase.BURN else "2(3)"
            return [Note(article, say("A card is burnt, face down"))]
        for (place, old), (_, new) in zip(_hands(before), _hands(after), strict=True):
            if len(new.cards) > len(old.cards):
                dealt = new.cards[-1]
                return [Note("2(5)" if dealt.exposed else "2(2)", _gets(place, card_name(dealt.face)))]
        raise AssertionError("the card went nowhere")

    settled = staticmethod(settled)

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """A hand is opened: which, what it is, and how its place ended."""
        match action:
            case Reveal(place=0):
                words = say("The dealer opens the banker's cards: %(cards)s", cards=_faces(after.banker))
                return [Note("6", words), *_counts(after.banker)]
            case Reveal(place=number):
                place = next(place for place in after.places if place.number == number)
                words = say("The dealer opens place %(place)s: %(cards)s", place=number, cards=_faces(place.hand))
                return [Note("6", words), *_counts(place.hand), *([place.why] if place.why is not None else [])]
        raise AssertionError(action)


def _hands(view: View) -> Iterator[tuple[int, HandView]]:
    yield BANKER, view.banker
    yield from ((place.number, place.hand) for place in view.places)


def _gets(place: int, dealt: str) -> Words:
    if place == BANKER:
        return say("The banker gets %(card)s", card=dealt)
    return say("Place %(place)s gets %(card)s", place=place, card=dealt)


def _faces(hand: HandView) -> str:
    return listed([card_name(card.face) for card in hand.cards])


def _counts(hand: HandView) -> list[Note]:
    return [hand.note] if hand.note is not None else []
