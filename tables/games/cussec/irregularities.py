"""What may go wrong in a round of Cussec, and what follows (docs/regulation/cussec.md, "A round")."""

from __future__ import annotations

from collections.abc import Callable

from tables.games.contract.actions import Action, NullThrow
from tables.games.contract.irregularity import IrregularityOf, in_phases, only_noted
from tables.games.values.words import Words, say

from .options import CockedDice
from .phases import AT, Phase, Spoilt
from .round import CussecRound

uncovered = in_phases(Phase.UNCOVERED)
"""The dice lie open, and nothing is paid yet."""


def noticed(why: Spoilt) -> Callable[[CussecRound], bool]:
    """Whether this can be noticed now: the dice lie sealed under the cover, or are being uncovered."""
    return lambda round_: round_.seal is not None and why in AT.get(round_.phase, ())


def spoils(why: Spoilt) -> Callable[[CussecRound, int | None], Action]:
    """The throw does not count."""
    return lambda round_, box: NullThrow(reason=why)


def of_cocked(round_: CussecRound) -> Words:
    """The house says what becomes of dice that decide nothing."""
    if round_.options.cocked_dice is CockedDice.VOID_RETURN:
        return say("The round is void, and the stakes are returned")
    return say("The dice are shaken again, and the bets stand")


def covered(round_: CussecRound) -> bool:
    """Whether the dice lie sealed under the cover."""
    return round_.seal is not None and round_.phase in (Phase.BETTING, Phase.NO_MORE_BETS)


VOID = say("The round is void, and the stakes are returned")

IRREGULARITIES: tuple[IrregularityOf[CussecRound], ...] = (
    IrregularityOf("cocked", say("A die is cocked"), of_cocked, "C-A10", noticed(Spoilt.COCKED), spoils(Spoilt.COCKED)),
    IrregularityOf(
        "stacked", say("A die rests on another"), of_cocked, "C-A10", noticed(Spoilt.STACKED), spoils(Spoilt.STACKED)
    ),
    IrregularityOf(
        "presses",
        say("The lever was pressed fewer times than is due, as was noticed before the bell"),
        say("The dice are shaken again, and the bets stand and may be changed"),
        "presses",
        noticed(Spoilt.PRESSES),
        spoils(Spoilt.PRESSES),
    ),
    IrregularityOf(
        "presses_late",
        say("The lever was pressed fewer times than is due, as was noticed after the dice were uncovered"),
        say("The result stands"),
        "presses",
        uncovered,
    ),
    IrregularityOf(
        "seen",
        say("The cover was opened, or dice were seen, before the bell"),
        VOID,
        "seen",
        noticed(Spoilt.SEEN),
        spoils(Spoilt.SEEN),
    ),
    IrregularityOf(
        "broken",
        say("A die is broken or has left the dome"),
        say("The round is void, the stakes are returned, and the dice are replaced"),
        "broken",
        noticed(Spoilt.BROKEN),
        spoils(Spoilt.BROKEN),
    ),
    IrregularityOf(
        "announced",
        say("A wrong result was announced, or the wrong lamps were lit"),
        only_noted(say("What the dice show counts")),
        "CS-6",
        uncovered,
    ),
    IrregularityOf(
        "failure",
        say("Power or connection failed before the dice were uncovered"),
        say("The round goes on with the same hidden dice, and the bets stand"),
        "sealed",
        covered,
    ),
)
