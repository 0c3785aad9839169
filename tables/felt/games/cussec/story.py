"""Cussec in words: the shake and its seal, dice that do not count, the uncovered dice, and what was paid."""

from __future__ import annotations

from collections.abc import Mapping

from tables.felt.contract import StoryOf
from tables.felt.shared.payments import own_settled
from tables.games.contract.actions import Action, GiveBack, NullThrow, Seal, Unseal
from tables.games.cussec import GAME
from tables.games.cussec.phases import Phase
from tables.games.cussec.view import View
from tables.games.values.words import Note, Words, say


class CussecStory(StoryOf[View]):
    articles = {"withdraw": "stays", "lower": "stays", "move": "stays"}

    def closed(self, view: View) -> list[Note]:
        """The bell."""
        return [Note("CS-5", say("The dealer rings the bell"))]

    def settled(self, before: View, after: View) -> list[Note]:
        """What each bet of the viewer has brought."""
        return own_settled(GAME, after)

    def deed(self, action: Action, by: str | Words, names: Mapping[str, str], before: View, after: View) -> list[Note]:
        """What the dealer did with the dice."""
        match action:
            case GiveBack():
                return [note for note in before.notes if before.phase is Phase.RETURN]
            case Seal():
                pressed = say("The dealer locks the cover and presses the lever %(times)s times", times=before.shakes)
                sealed = say("The dice are drawn and sealed; their commitment is published")
                return [Note("CS-4", pressed), Note("sealed", sealed)]
            case NullThrow():
                return [after.nulls[-1].why, *(note for note in after.notes if note != after.nulls[-1].why)]
            case Unseal():
                assert after.outcome is not None
                return [
                    Note("CS-6", say("The cover is lifted: %(result)s", result=after.outcome.words)),
                    Note("sealed", say("The seal is opened")),
                ]
        raise AssertionError(action)
