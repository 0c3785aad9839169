"""What may go wrong in a round of Blackjack, and what follows (docs/regulation/blackjack.md, section 9)."""

from __future__ import annotations

from collections.abc import Callable

from tables.games.contract.actions import Action, Chance, Draw, VoidReason
from tables.games.contract.irregularity import IrregularityOf, always, in_phases, only_noted, voids
from tables.games.values.words import Words, say

from .phases import Overdraw, Phase
from .round import BlackjackRound

face_up_may_come = in_phases(Phase.BETTING, Phase.ROUND_BURN, Phase.DEAL)
"""A card of the round is sure to come out still."""

playing = in_phases(Phase.DEAL, Phase.EARLY_WINDOW, Phase.PLAYER_TURNS, Phase.BANK_SECOND, Phase.BANK_DRAW)
"""Cards lie on the boxes."""


def is_dealt(round_: BlackjackRound) -> bool:
    """Whether the card that is due goes to a box or to the bank, and is not burnt."""
    dealing = round_.phase in (Phase.DEAL, Phase.PLAYER_TURNS, Phase.BANK_DRAW)
    return dealing and round_.next_house_step() == Draw(Chance.CARD)


def of_face_up(round_: BlackjackRound) -> Words:
    """The very first card after a shuffle may be played."""
    if round_.options.exposed_first_card_valid and round_.opening.first_round:
        return say("It is void and removed, and the next card replaces it; the very first card after a shuffle plays")
    return say("It is void and removed, and the next card replaces it")


def bank_stands(round_: BlackjackRound) -> bool:
    """Whether the bank stands, and could wrongly have drawn."""
    return round_.phase is Phase.RESULT and round_.may_overdraw


def of_unseen(round_: BlackjackRound) -> Words:
    """The house says what becomes of a card that nobody has seen."""
    if round_.options.unseen_overdraw_valid:
        return say("It stays the next card of the shoe, and the earlier total stands")
    return say("It is burnt, and the earlier total stands")


def overdraws(*, shown: bool) -> Callable[[object, int | None], Action]:
    """The deed that tells of a card too many of the bank."""
    return lambda round_, box: Overdraw(shown=shown)


IRREGULARITIES: tuple[IrregularityOf[BlackjackRound], ...] = (
    IrregularityOf(
        "face_up", say("A card lies face up in the shoe"), of_face_up, "5(1)(1)", face_up_may_come, next_card=is_dealt
    ),
    IrregularityOf(
        "wrong_box",
        say("A card went to the wrong box, or a box was left out, and nothing was decided on it"),
        only_noted(say("By the rules the cards are shifted to where they belong")),
        "5(1)(2)",
        playing,
    ),
    IrregularityOf(
        "cancelled",
        say("A mistake that cannot be put right"),
        say("The round is void: all stakes are returned, and prizes that were paid already are taken back"),
        "5(1)(2)",
        always,
        voids(VoidReason.MISTAKE),
    ),
    IrregularityOf(
        "worn",
        say("The cards are worn"),
        say("The round is finished; then all cards are replaced"),
        "2(2)(1)",
        always,
        shoe=True,
    ),
    IrregularityOf(
        "overdraw_shown",
        say("The bank has drawn on 17 or more and shown the card"),
        say("The card is void and removed, and the earlier total stands"),
        "6(1)",
        bank_stands,
        overdraws(shown=True),
    ),
    IrregularityOf(
        "overdraw_unseen",
        say("The bank has drawn on 17 or more, and has not shown the card"),
        of_unseen,
        "6(1)",
        bank_stands,
        overdraws(shown=False),
    ),
)
