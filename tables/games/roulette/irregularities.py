"""What may go wrong in a round of Roulette, and what follows (docs/regulation/roulette.md, "A round")."""

from __future__ import annotations

from tables.games.contract.actions import NullThrow
from tables.games.contract.irregularity import IrregularityOf, in_phases, only_noted
from tables.games.values.words import Words, say

from .options import NullSpinBets
from .phases import Null, Phase
from .round import RouletteRound

at_rest = in_phases(Phase.RESULT)
"""The number is known, and nothing is paid yet."""


def spinning(round_: RouletteRound) -> bool:
    """Whether the ball is thrown, and its number not known."""
    return round_.thrown and round_.phase in (Phase.SPINNING, Phase.NO_MORE_BETS)


def of_null(round_: RouletteRound) -> Words:
    """The house says whether betting opens again."""
    if round_.options.null_spin_bets is NullSpinBets.REOPEN:
        return say("The spin is null: betting opens again, and then the ball is thrown again")
    return say("The spin is null: the ball is thrown again, and the bets stand")


def _null(why: Null, says: Words) -> IrregularityOf[RouletteRound]:
    return IrregularityOf(why, says, of_null, "R-A14", spinning, lambda round_, box: NullThrow(reason=why))


IRREGULARITIES: tuple[IrregularityOf[RouletteRound], ...] = (
    _null(Null.OBJECT, say("A chip or something else fell onto the turning plate")),
    _null(Null.JUMPED, say("The ball jumped out of the wheel")),
    _null(Null.NO_POCKET, say("The ball did not come to rest in one pocket")),
    _null(Null.STOPPED, say("The wheel stopped")),
    _null(Null.TWO_BALLS, say("There were two balls")),
    _null(Null.DIRECTION, say("The ball was thrown in the direction of the plate")),
    _null(Null.FAILURE, say("Power or connection failed before the number was known")),
    IrregularityOf(
        "failure_late",
        say("Power or connection failed after the number was known"),
        say("The result stands"),
        "R-A15",
        at_rest,
    ),
    IrregularityOf(
        "announced",
        say("A wrong number was announced"),
        only_noted(say("The number of the pocket counts")),
        "R-A15",
        at_rest,
    ),
)
