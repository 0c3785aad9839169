"""The two hands of one round: points, the drawing rules and the result (articles 5 to 7, 9 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tables.games.values.cards import POINTS, Card, is_pair, points
from tables.games.values.quick import quickly_made


class Hand(StrEnum):
    """The hands that take part (6)."""

    PLAYER = "player"
    BANKER = "banker"


PLAYER, BANKER = Hand.PLAYER, Hand.BANKER


class Winner(StrEnum):
    """Who has the higher points, if anybody (11, 12)."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Rule:
    """What article 9 orders a hand to do, and where it says so."""

    draws: bool
    article: str


_ANY = range(10)

BANK_TABLE: tuple[tuple[Rule, Sequence[int], Sequence[int | None]], ...] = (
    # The rule, the Banker's two-card points, the points of the Player's third card (None: none was drawn).
    (Rule(True, "9(3)(1)"), (0, 1, 2), _ANY),
    (Rule(True, "9(3)(2)"), (3,), (1, 2, 3, 4, 5, 6, 7, 9, 0)),
    (Rule(True, "9(3)(3)"), (4,), (2, 3, 4, 5, 6, 7)),
    (Rule(True, "9(3)(4)"), (5,), (4, 5, 6, 7)),
    (Rule(True, "9(3)(5)"), (6,), (6, 7)),
    (Rule(True, "9(3)(6)"), (0, 1, 2, 3, 4, 5), (None,)),
    (Rule(False, "9(4)(1)"), (3,), (8,)),
    (Rule(False, "9(4)(2)"), (4,), (1, 8, 9, 0)),
    (Rule(False, "9(4)(3)"), (5,), (1, 2, 3, 8, 9, 0)),
    (Rule(False, "9(4)(4)"), (6,), (1, 2, 3, 4, 5, 8, 9, 0, None)),
    (Rule(False, "9(4)(5)"), (7, 8, 9), (*_ANY, None)),
)

BANK_RULES = {(total, third): rule for rule, totals, thirds in BANK_TABLE for total in totals for third in thirds}
"""(bank's points, Player's third card or None) -> rule, where the Player has no natural."""

BANK_STANDS_ON_NATURAL = Rule(False, "9(4)(6)")
"""Prevails over 9(3)(1) and 9(3)(6) (ruling B-A6)."""


PLAYER_DRAWS, PLAYER_STANDS = Rule(True, "9(1)"), Rule(False, "9(2)")


def player_rule(player: int, banker: int) -> Rule:
    """What the Player must do, by the two-card points of both hands."""
    return PLAYER_DRAWS if player <= 5 and banker < 8 else PLAYER_STANDS


def bank_rule(banker: int, player: int, third: int | None) -> Rule:
    """What the Banker must do, by the two-card points of both hands and the Player's third card."""
    if player >= 8 and banker < 7:
        return BANK_STANDS_ON_NATURAL
    return BANK_RULES[banker, third]


def _of_two(hand: Sequence[Card]) -> int:
    """The points of the first two cards of a hand, by which article 9 asks."""
    return (POINTS[hand[0].rank] + POINTS[hand[1].rank]) % 10


@quickly_made
@dataclass(frozen=True, slots=True)
class Coup:
    """The cards of one round, or of a demonstration, as far as they have been dealt."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    def __len__(self) -> int:
        return len(self.player) + len(self.banker)

    def of(self, hand: Hand) -> tuple[Card, ...]:
        """The cards of one hand."""
        return self.player if hand is PLAYER else self.banker

    def next(self) -> Hand | None:
        """The hand that the next card goes to; None when all have been dealt (7(1), 9)."""
        player, banker = len(self.player), len(self.banker)
        if player + banker < 4:
            return BANKER if player > banker else PLAYER
        if banker == 3:
            return None
        if player == 2 and self.player_rule().draws:
            return PLAYER
        return BANKER if self.bank_rule().draws else None

    def dealt(self, card: Card) -> Coup:
        """With the next card, given to the hand that is due."""
        hand = self.next()
        assert hand is not None, "no card is due"
        if hand is PLAYER:
            return Coup((*self.player, card), self.banker)
        return Coup(self.player, (*self.banker, card))

    def player_rule(self) -> Rule:
        """What article 9 orders the Player to do; both hands have two cards."""
        return player_rule(_of_two(self.player), _of_two(self.banker))

    def bank_rule(self) -> Rule:
        """What article 9 orders the Banker to do; the Player has drawn, or does not."""
        third = POINTS[self.player[2].rank] if len(self.player) == 3 else None
        return bank_rule(_of_two(self.banker), _of_two(self.player), third)

    def points(self, hand: Hand) -> int:
        """The points of one hand as it stands."""
        return points(self.of(hand))

    def winner(self) -> Winner:
        """Whose points are higher (11), or a tie (12)."""
        player, banker = points(self.player), points(self.banker)
        if player == banker:
            return Winner.TIE
        return Winner.PLAYER if player > banker else Winner.BANKER

    def is_pair(self, hand: Hand) -> bool:
        """Whether the first two cards of the hand have the same rank (13(4))."""
        return is_pair(self.of(hand))
