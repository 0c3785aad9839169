"""What may go wrong in a round of 3-Card Baccarat, and what follows (docs/regulation/three_card_baccarat.md)."""

from __future__ import annotations

from tables.games.contract.actions import Chance, Draw, VoidReason
from tables.games.contract.irregularity import IrregularityOf, always, in_phases, only_noted, voids
from tables.games.values.words import say

from .phases import Phase
from .round import ThreeCardRound

DEALT = (Phase.DEAL, Phase.LOOK, Phase.REVEAL_BANKER, Phase.REVEAL_PLACES, Phase.RESULT)

face_up_may_come = in_phases(Phase.BETTING, Phase.ROUND_BURN, Phase.DEAL)
"""A card of the round is sure to come out still."""

dealing = in_phases(*DEALT)
"""Cards are being dealt, or all are."""

burning = in_phases(Phase.ROUND_BURN, *DEALT)
"""A burn could have been forgotten: bets are closed."""

looking = in_phases(Phase.LOOK)
"""Bettors have cards in their hands."""


def is_dealt(round_: ThreeCardRound) -> bool:
    """Whether the card that is due goes to a place."""
    return round_.phase is Phase.DEAL and round_.next_house_step() == Draw(Chance.CARD)


IRREGULARITIES: tuple[IrregularityOf[ThreeCardRound], ...] = (
    IrregularityOf(
        "turned_over",
        say("A card turns over in dealing"),
        say("It is valid, and the bets stand"),
        "2(5)",
        face_up_may_come,
        next_card=is_dealt,
    ),
    IrregularityOf(
        "wrong_place",
        say("A card went to the wrong place, and the order is known"),
        only_noted(say("By the rules it is given to the right place")),
        "2(4)",
        dealing,
    ),
    IrregularityOf(
        "cancelled",
        say("A dealing error that cannot be put right"),
        say("All cards of the round are cancelled: fresh stakes are returned, locked ones stay locked"),
        "2(4)",
        dealing,
        voids(VoidReason.MISTAKE),
    ),
    IrregularityOf(
        "dead_hand",
        say("Cards went to a place on which nobody has bet"),
        only_noted(say("By the rules they are dead and put away")),
        "2(4)",
        dealing,
    ),
    IrregularityOf(
        "burn_forgotten",
        say("The burn at the start of the round was forgotten"),
        only_noted(say("By the rules a card is burnt before the next one")),
        "2(3)",
        burning,
    ),
    IrregularityOf(
        "worn",
        say("The cards are worn"),
        say("The round is finished; then all cards are replaced"),
        "3(1)",
        always,
        shoe=True,
    ),
    IrregularityOf(
        "held_wrongly",
        say("A bettor holds cards away from the table, or those of another place"),
        only_noted(say("By the rules the bettor is warned, and the dealer opens the hand")),
        "4(3)",
        looking,
    ),
)
