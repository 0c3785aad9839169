"""The phases of a round of Cussec, and what may spoil a throw (rulebook, sections 5 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from tables.games.values.words import Note, say


class Phase(StrEnum):
    """Where a round is. Each comes after the one before it, until the dice must be shaken again.

    The dice lie covered from the shake, which comes before betting or after the bell, until the cover is lifted.
    """

    RETURN = "return"  # stakes left on the layout go back, as the house does not leave them any more
    SHAKE = "shake"  # the cover is locked and the lever pressed: the dice are drawn and sealed
    BETTING = "betting"  # please bet
    SHAKE_AFTER = "shake_after"  # the same as SHAKE, when betting has closed
    NO_MORE_BETS = "no_more_bets"  # the bell: open
    SPOILT = "spoilt"  # nothing can be read from these dice: the round is void
    UNCOVERED = "uncovered"
    SETTLED = "settled"
    VOID = "void"


class Spoilt(StrEnum):
    """Why a throw does not count: what `NullThrow.reason` says."""

    COCKED = "cocked"
    STACKED = "stacked"
    PRESSES = "presses"
    SEEN = "seen"
    BROKEN = "broken"


WHY: Mapping[Spoilt, Note] = {
    Spoilt.COCKED: Note("CS-7", say("A die is cocked: the throw does not count")),
    Spoilt.STACKED: Note("CS-7", say("A die rests on another: the throw does not count")),
    Spoilt.PRESSES: Note("presses", say("The lever was not pressed as often as it must be: the dice are shaken again")),
    Spoilt.SEEN: Note("seen", say("The dice were seen before the bell: the round is void")),
    Spoilt.BROKEN: Note("broken", say("A die is broken or has left the dome: the round is void")),
}

AT: Mapping[Phase, tuple[Spoilt, ...]] = {
    Phase.BETTING: (Spoilt.PRESSES, Spoilt.SEEN, Spoilt.BROKEN),
    Phase.NO_MORE_BETS: (Spoilt.COCKED, Spoilt.STACKED, Spoilt.BROKEN),
}
"""What may spoil the covered dice, before the bell and when they are uncovered. The first is meant where none is
named."""


def spoilt_by(phase: Phase, reason: str) -> Spoilt:
    """Why a throw does not count, by the reason given in this phase."""
    assert phase in AT, f"nothing is thrown in phase {phase}"
    if reason not in list(Spoilt):
        return AT[phase][0]
    why = Spoilt(reason)
    assert why in AT[phase], f"{reason} is not noticed in phase {phase}"
    return why
