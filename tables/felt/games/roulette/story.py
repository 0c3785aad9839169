"""Roulette in words: the seal, the throw, null spins, the number, and what was paid."""

from __future__ import annotations

from collections.abc import Mapping

from tables.felt.contract import StoryOf
from tables.felt.shared.payments import own_settled
from tables.games.contract.actions import Action, GiveBack, NullThrow, Seal, Unseal
from tables.games.roulette import GAME
from tables.games.roulette.phases import Phase, ThrowBall
from tables.games.roulette.view import View
from tables.games.values.words import Note, Words, say


class RouletteStory(StoryOf[View]):
    articles = {"withdraw": "R-A12", "lower": "R-A12", "move": "R-A12"}

    def closed(self, view: View) -> list[Note]:
        """The bell, or the call before the ball is thrown."""
        return [note for note in view.notes if note.article == "R-A10"]

    def settled(self, before: View, after: View) -> list[Note]:
        """What each bet of the viewer has brought."""
        return own_settled(GAME, after)

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """What the dealer did with number and ball."""
        match action:
            case GiveBack():
                return [note for note in before.notes if before.phase is Phase.RETURN]
            case Seal():
                return [Note("sealed", say("A number is drawn and sealed; its commitment is published"))]
            case ThrowBall():
                thrown = Note("2", say("The dealer throws the ball"))
                return [thrown, *(note for note in after.notes if note not in before.notes and after.open)]
            case NullThrow():
                return [after.nulls[-1].why, *(note for note in after.notes if note.article == "R-A9")]
            case Unseal():
                assert after.outcome is not None
                words = say("The ball rests on %(number)s; the seal is opened", number=after.outcome.number)
                return [Note("sealed", words), *after.outcome.why]
        raise AssertionError(action)
