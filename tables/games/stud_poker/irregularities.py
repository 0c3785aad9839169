"""What may go wrong in a round of Stud Poker, and what follows (docs/regulation/stud_poker.md, section 9)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.games.contract.actions import Action, Chance, Draw, VoidReason
from tables.games.contract.irregularity import IrregularityOf, voids
from tables.games.values.words import say

from .bets import RAISE
from .dealing import DEALER
from .hands import HAND
from .options import DecisionMode, Shuffle
from .phases import Misdeal, Phase
from .round import StudPokerRound

TO_COME = frozenset({Phase.BETTING, Phase.BETS_CLOSED})
DEALT = frozenset({Phase.DEAL, Phase.LOOK_AND_DECIDE, Phase.DEALER_REVEAL, Phase.COMPARE, Phase.JACKPOT, Phase.RESULT})


def dealt(round_: StudPokerRound) -> bool:
    """Whether dealing has begun."""
    return round_.deal is not None and round_.phase in DEALT


def card_due(round_: StudPokerRound) -> bool:
    """Whether a card is dealt next."""
    return round_.phase is Phase.DEAL and round_.next_house_step() == Draw(Chance.CARD)


def is_for_a_bettor(round_: StudPokerRound) -> bool:
    """Whether the card that is due goes to a box with an ante."""
    deal = round_.deal
    return card_due(round_) and deal is not None and not deal.astray and deal.next_place != DEALER


def is_for_the_dealer(round_: StudPokerRound) -> bool:
    """Whether the card that is due is the dealer's, and is not the last, which lies open anyway."""
    deal = round_.deal
    return (
        card_due(round_)
        and deal is not None
        and not deal.astray
        and deal.next_place == DEALER
        and len(deal.hand(DEALER)) < HAND - 1
    )


def bettor_waits(round_: StudPokerRound) -> bool:
    """Whether a bettor is sure to get a card still, and no card was exposed before."""
    if round_.deal is None:
        return round_.phase in TO_COME
    if round_.deal.mistakes:
        return False
    boxes = [place for place in round_.deal.places if place != DEALER]
    return round_.phase in (*TO_COME, Phase.DEAL) and any(len(round_.deal.hand(box)) < HAND for box in boxes)


def dealer_waits(round_: StudPokerRound) -> bool:
    """Whether the dealer is sure to get a card still that should lie face down, and no card was exposed before."""
    if round_.deal is None:
        return round_.phase in TO_COME
    if round_.deal.mistakes:
        return False
    return round_.phase in (*TO_COME, Phase.DEAL) and len(round_.deal.hand(DEALER)) < HAND - 1


def idle_boxes(round_: StudPokerRound) -> Sequence[int]:
    """The boxes without an ante to which the next cards could wrongly go."""
    deal = round_.deal
    if deal is None or round_.phase is not Phase.DEAL:
        return ()
    return tuple(box for box in range(1, round_.options.seats + 1) if deal.may_go_astray(box))


def goes_astray(round_: StudPokerRound) -> bool:
    """Whether there is such a box."""
    return bool(idle_boxes(round_))


def shuffler_deals(round_: StudPokerRound) -> bool:
    """Whether cards come from the shuffler now."""
    return round_.options.shuffle_method is Shuffle.SHUFFLER and round_.phase in (Phase.BETS_CLOSED, Phase.DEAL)


def secret(round_: StudPokerRound) -> frozenset[str]:
    """While all decide at the same time nobody knows of another's raise."""
    hidden = round_.options.decision_mode is not DecisionMode.IN_TURN and round_.phase is Phase.LOOK_AND_DECIDE
    return frozenset({RAISE}) if hidden else frozenset()


def dead_box(round_: StudPokerRound, box: int | None) -> Action:
    assert box is not None
    return Misdeal(box=box)


VOID = say("The round is void: antes and raises are returned, also to those who folded; jackpot stakes are carried")

IRREGULARITIES = (
    IrregularityOf(
        "wrong_deal",
        say("The cards were dealt wrongly, or a hand that plays has a wrong number of cards"),
        VOID,
        "11(1)",
        dealt,
        voids(VoidReason.MISTAKE),
        secret=secret,
    ),
    IrregularityOf(
        "two_exposed",
        say("Two or more cards were exposed by mistake"),
        VOID,
        "11(1)",
        dealt,
        voids(VoidReason.EXPOSED),
        secret=secret,
    ),
    IrregularityOf(
        "bettor_exposed",
        say("A card of a bettor comes out exposed"),
        say("The round stands, and all stakes play"),
        "11(2)",
        bettor_waits,
        next_card=is_for_a_bettor,
    ),
    IrregularityOf(
        "dealer_exposed",
        say("A card of the dealer comes out exposed"),
        say("The round stands: it is the dealer's open card, and all the others come face down, the fifth too"),
        "11(2)",
        dealer_waits,
        next_card=is_for_the_dealer,
    ),
    IrregularityOf(
        "dead_box",
        say("Cards go to a box without an ante"),
        say("They are dead, the others keep theirs, and all stakes play"),
        "11(3)",
        goes_astray,
        dead_box,
        boxes=idle_boxes,
    ),
    IrregularityOf(
        "shuffler",
        say("The shuffler has failed during the deal, and another takes its place"),
        say("The round is void: antes are returned, jackpot stakes are carried; the next is dealt by another shuffler"),
        "11(4)",
        shuffler_deals,
        voids(VoidReason.MACHINE),
        shoe=True,
    ),
    IrregularityOf(
        "shuffler_to_shoe",
        say("The shuffler has failed during the deal, and the shoe takes its place"),
        say("The round is void: antes are returned, jackpot stakes are carried; from the next on the shoe is used"),
        "11(4)",
        shuffler_deals,
        voids(VoidReason.MACHINE),
        shoe=True,
        options={"shuffle_method": Shuffle.MANUAL_SHOE.value},
    ),
)
