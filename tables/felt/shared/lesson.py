"""A lesson: the first round of whoever has never seen a game, in a few steps that its game brings."""

from __future__ import annotations

from dataclasses import dataclass

from tables.games.contract.actions import Action
from tables.games.values.words import Words, say

GUIDE_S = 40
"""How long a guided round takes if nobody touches it."""

TO_LOOK = 50
"""To look at the felt takes as long as to read so many letters."""

YOU = "you"
"""The key of the bettor through whose eyes it is seen: no player's."""

CHIP_FIRST = say("Choose a chip, then touch what you bet on.")


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step: what is said, with its article, and of which place of the page (a class, an id or an attribute).

    Before it `deeds` are done, then the house goes on until the round is in the phase `until`, or for `times` entries.
    """

    article: str
    words: Words
    at: str
    deeds: tuple[Action, ...] = ()
    until: str = ""
    times: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided round: where you sit, what is dealt or thrown, and the steps."""

    steps: tuple[LessonStep, ...]
    seat: int | None = None
    pack: str = ""
    thrown: tuple[int, ...] = ()

    def milliseconds(self, step: LessonStep) -> int:
        """How long a step stays: the longer its sentence, the longer. Together they take `GUIDE_S`."""
        whole = sum(TO_LOOK + len(one.words.text) for one in self.steps)
        return round(GUIDE_S * 1000 * (TO_LOOK + len(step.words.text)) / whole)
