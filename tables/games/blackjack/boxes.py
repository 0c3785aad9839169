"""The boxes: who has staked on each, who decides for it (20(1)), and what is still open there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tables.games.shared.stakes import Stakes
from tables.games.values.cards import Card
from tables.games.values.quick import quickly_made
from tables.games.values.words import Note, say

from . import bank
from .bets import MAIN
from .hands import Hand, Laid, is_special
from .options import Options, PrizeMode, SharedBox


@dataclass(frozen=True, slots=True)
class Bettor:
    """One who has a main stake on a box."""

    who: str
    bet: str
    amount: int


@quickly_made
@dataclass(frozen=True, slots=True)
class Box:
    """One box with a stake. Bettors stand nearest to the bank first, `deciders` in the order in which they decide.

    `seated` is who sits at it, if they have a stake on it. `dealt` are all cards that came to the box, in order.
    """

    number: int
    bettors: tuple[Bettor, ...]
    deciders: tuple[str, ...]
    seated: str | None
    hands: tuple[Hand, ...]
    dealt: tuple[Card, ...] = ()
    insured: Mapping[str, int] = field(default_factory=dict)
    even: frozenset[str] = frozenset()
    surrendered: bool = False

    def bettor(self, who: str) -> Bettor | None:
        """The bettor of this name, if they have a main stake here."""
        for bettor in self.bettors:
            if bettor.who == who:
                return bettor
        return None

    @property
    def is_whole(self) -> bool:
        """Whether nothing was done with it: one hand of two cards."""
        hand = self.hands[0]
        return len(self.hands) == 1 and len(hand.cards) == 2 and not (hand.owed or hand.doubled or hand.stood)

    def laid(self, who: str) -> int:
        """All that one bettor has laid down for their main stake here: splits, doubles, insurance included."""
        on_hands = sum(hand.stakes[who].total for hand in self.hands if who in hand.stakes)
        return on_hands + self.insured.get(who, 0)

    def with_hand(self, at: int, hand: Hand) -> Box:
        return replace(self, hands=(*self.hands[:at], hand, *self.hands[at + 1 :]))


# ── Before the cards: who stands where ──────────────────────────────────────────────────────────────────────


def laid_out(options: Options, seats: Mapping[str, int], layout: Stakes) -> tuple[Box, ...]:
    """The boxes with a main stake, from box 1, as they would be if betting closed now (5(1))."""
    boxes = []
    for number in range(1, options.boxes + 1):
        on = layout.on(MAIN, number)
        if not on:
            continue
        bettors = []
        for who, amount in on.items():
            stake = layout.find(who, MAIN, number)
            assert stake is not None
            bettors.append(Bettor(who, stake.bet, amount))
        seated = next((who for who in on if seats.get(who) == number), None)
        boxes.append(
            Box(
                number,
                tuple(bettors),
                tuple(_deciders(options.shared_box_rule, bettors, seated)),
                seated,
                (Hand(0, {bettor.who: Laid(bettor.amount) for bettor in bettors}),),
            )
        )
    return tuple(boxes)


def _deciders(rule: SharedBox, bettors: Sequence[Bettor], seated: str | None) -> list[str]:
    """In the order in which they decide: the highest stake under alternative C, the seated one, the nearest (R16)."""
    by_stake = rule is SharedBox.HIGHEST
    return [
        bettor.who for bettor in sorted(bettors, key=lambda one: (-one.amount if by_stake else 0, one.who != seated))
    ]


def why_decides(rule: SharedBox, box: Box, who: str) -> Note:
    """Which rule makes this bettor the one who decides for the box."""
    if len(box.bettors) == 1:
        return Note(_ALTERNATIVE[rule], say("Nobody else has a stake on this box"))
    if rule is SharedBox.HIGHEST:
        amounts = {bettor.who: bettor.amount for bettor in box.bettors}
        if list(amounts.values()).count(amounts[who]) == 1:
            return Note("20(1)(3)", say("The highest stake decides"))
        if who == box.seated:
            return Note("20(1)(3)", say("Of equal stakes the seated bettor's decides"))
        return Note("R16", say("Of equal stakes the earliest decides"))
    if who == box.seated:
        return Note(_ALTERNATIVE[rule], say("The seated bettor decides"))
    if rule is SharedBox.SEATED:
        return Note("R16", say("Nobody is seated here: the earliest stake decides"))
    return Note("20(1)(2)", say("The stake nearest to the bank decides"))


_ALTERNATIVE = {SharedBox.SEATED: "20(1)(1)", SharedBox.SEATED_OR_NEAREST: "20(1)(2)", SharedBox.HIGHEST: "20(1)(3)"}


# ── What is open ────────────────────────────────────────────────────────────────────────────────────────────


def wins_prize(options: Options, hand: Hand) -> bool:
    """Whether the hand wins the special prize (15)."""
    return options.special_prize_offered and is_special(hand.cards)


def open_on(options: Options, up: Card | None, box: Box, hand: Hand) -> list[str]:
    """The bettors whose stake on this hand is undecided, in the order in which they decide.

    `up` is the bank's open card. Without a look at the bank's second card: what is decided here is decided for good.
    """
    if box.surrendered or hand.is_over:
        return []
    if hand.is_blackjack and up is not None and not bank.may_have_blackjack(up):
        return []
    if options.special_prize_mode is PrizeMode.FINAL and wins_prize(options, hand):
        return []
    stakes = hand.stakes
    return [who for who in box.deciders if who in stakes and not stakes[who].claimed and who not in box.even]
