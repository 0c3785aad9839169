"""What may go wrong in a round of Baccarat, and what follows (docs/regulation/baccarat.md, section 8)."""

from __future__ import annotations

from tables.games.contract.actions import Chance, Draw, VoidReason
from tables.games.contract.irregularity import IrregularityOf, always, in_phases, only_noted, voids
from tables.games.values.words import say

from .phases import Phase
from .round import BaccaratRound

BEFORE_THE_CARDS = frozenset({Phase.BETTING, Phase.ROUND_BURN, Phase.DEAL})

DEALT = (Phase.OPEN_PLAYER, Phase.OPEN_BANKER, Phase.PLAYER_THIRD, Phase.BANKER_THIRD, Phase.RESULT)

dealing = in_phases(Phase.DEAL, *DEALT)
"""Cards are being dealt, or all are."""

burning = in_phases(Phase.ROUND_BURN, Phase.DEAL, *DEALT)
"""A burn could have been forgotten: bets are closed."""

at_the_thirds = in_phases(Phase.PLAYER_THIRD, Phase.BANKER_THIRD, Phase.RESULT)
"""The first four cards lie open, and third cards are drawn or not."""


def face_up_may_come(round_: BaccaratRound) -> bool:
    """Whether a card of the round is sure to come out still; those of the machine are all dealt face up (7(2))."""
    return round_.phase in BEFORE_THE_CARDS and not round_.options.by_machine


def is_for_a_hand(round_: BaccaratRound) -> bool:
    """Whether the card that is due goes to a hand."""
    dealing = round_.phase in (Phase.DEAL, Phase.PLAYER_THIRD, Phase.BANKER_THIRD)
    return dealing and round_.next_house_step() == Draw(Chance.CARD)


IRREGULARITIES: tuple[IrregularityOf[BaccaratRound], ...] = (
    IrregularityOf(
        "face_up",
        say("A card comes out face up"),
        say("It is valid, for the hand whose turn it is, and the bets stand"),
        "4",
        face_up_may_come,
        next_card=is_for_a_hand,
    ),
    IrregularityOf(
        "wrong_hand",
        say("A card went to the wrong hand, and the order is known"),
        only_noted(say("By the rules it is put right at once")),
        "10",
        dealing,
    ),
    IrregularityOf(
        "third_too_many",
        say("A third card was drawn that is not due"),
        only_noted(say("By the rules it is taken back and burnt")),
        "10",
        at_the_thirds,
    ),
    IrregularityOf(
        "third_forgotten",
        say("A third card was forgotten"),
        only_noted(say("By the rules it is drawn at once")),
        "10",
        at_the_thirds,
    ),
    IrregularityOf(
        "cancelled",
        say("A mistake that cannot be put right"),
        say(
            "The round is void: fresh stakes are returned whatever they had won, carried ones stay; its cards are burnt"
        ),
        "10",
        always,
        voids(VoidReason.MISTAKE),
    ),
    IrregularityOf(
        "burn_forgotten",
        say("A burn was forgotten"),
        only_noted(say("By the rules a card is burnt before the next one")),
        "10",
        burning,
    ),
    IrregularityOf(
        "soiled",
        say("A card is soiled or damaged"),
        say("The round is finished; then all cards are replaced"),
        "3(1)",
        always,
        shoe=True,
    ),
    IrregularityOf(
        "machine",
        say("The machine or the shoe has failed"),
        say("The round is void: fresh stakes are returned, carried ones stay; the next one begins with other cards"),
        "10",
        always,
        voids(VoidReason.MACHINE),
        shoe=True,
    ),
)
