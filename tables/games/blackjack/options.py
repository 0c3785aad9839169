"""The house options of Blackjack (rulebook, section 2). Amounts are integer cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from tables.games.contract.editions import Edition
from tables.games.contract.errors import OptionError
from tables.games.shared.options import Limit, check_values, edition_option, limit_on, option
from tables.games.values.money import CREDIT
from tables.games.values.words import say

from .bets import SPOTS

IN_FORCE = (Edition("56/2004", "2004-05-18"),)
"""Official Gazette 20/2004 of 17 May 2004; in force the day after (56/2004, point 3). Order 42/2007 came later and is
no part of it."""


class Device(StrEnum):
    METAL_BOX = "metal_box"
    SHOE = "shoe"
    AUTO_SHUFFLER = "auto_shuffler"


class InitialBurn(StrEnum):
    ONE_PER_DECK = "one_per_deck"
    SINGLE = "single"


class RoundBurn(StrEnum):
    NONE = "none"
    FOLLOWING = "each_following_round"
    FOLLOWING_AND_SECOND = "each_following_round_and_before_bank_second"


class Loss(StrEnum):
    """What of a doubled or split stake a blackjack of the bank takes."""

    ORIGINAL_ONLY = "original_only"
    ALL = "all"


class SideBet(StrEnum):
    """The types of side bet; over and under 13 are one."""

    ANY_PAIR = "any_pair"
    SEVENS = "sevens"
    OVER_UNDER_13 = "over_under_13"


class PairsPaid(StrEnum):
    EVERY = "every_pair"
    FIRST_TWO = "first_two_cards_only"


class PrizeMode(StrEnum):
    FINAL = "final"
    BONUS = "bonus"


class SplitRank(StrEnum):
    SAME_RANK = "same_rank"
    SAME_VALUE = "same_value"


class DoubleRule(StrEnum):
    ANY_TWO = "any_two"
    ELEVEN_ONLY = "eleven_only"


class SharedBox(StrEnum):
    """Who decides on a shared box: alternatives A, B and C of 20(1)."""

    SEATED = "seated_decides"
    SEATED_OR_NEAREST = "seated_or_nearest"
    HIGHEST = "highest_stake_decides"


class SurrenderTiming(StrEnum):
    BEFORE_ANY_DRAW = "before_any_draw"
    OWN_FIRST_DECISION = "own_first_decision"


class TimeoutAction(StrEnum):
    STAND = "stand"


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its article; those marked `authorised` change only with the inspectorate's authorisation (21).

    `cut_card_depth` left out is filled in: 60, or 30 with two decks; it stays None where no second white card exists
    (one deck, or the machine), and is not compared there. Raises OptionError for a value that does not exist and for
    options that do not go together.
    """

    edition: str = edition_option(IN_FORCE)
    boxes: int = option(7, article="3(1)", says=say("Boxes"), least=6, authorised_by="21")
    decks: int = option(6, article="1(2)", says=say("Decks in use"), least=1, authorised_by="21")
    dealing_device: Device = option(
        Device.SHOE,
        article="1(3)",
        says=say("Dealt from"),
        authorised_by="21",
        values={
            Device.METAL_BOX: say("a metal box"),
            Device.SHOE: say("a shoe"),
            Device.AUTO_SHUFFLER: say("an automatic machine"),
        },
    )
    cut_card_depth: int | None = option(
        None, article="2(1)(1)", says=say("Cards behind the second white card"), least=30, authorised_by="21"
    )
    max_boxes_per_player: int = option(
        3, article="3(2)", says=say("Boxes that one bettor may play"), least=1, authorised_by="21"
    )
    initial_burn: InitialBurn = option(
        InitialBurn.ONE_PER_DECK,
        article="4(1)",
        says=say("Cards burnt after the shuffle"),
        authorised_by="21",
        values={InitialBurn.ONE_PER_DECK: say("as many as decks in use"), InitialBurn.SINGLE: say("the first card")},
    )
    round_burn: RoundBurn = option(
        RoundBurn.NONE,
        article="4(2)",
        says=say("Cards burnt in each round"),
        authorised_by="21",
        values={
            RoundBurn.NONE: say("none"),
            RoundBurn.FOLLOWING: say("one at the start of each following round"),
            RoundBurn.FOLLOWING_AND_SECOND: say(
                "one at the start of each following round, and one before the bank's second card"
            ),
        },
    )
    exposed_first_card_valid: bool = option(
        False, article="5(1)(1)", says=say("The very first card plays if it comes out face up"), authorised_by="21"
    )
    deal_procedure: int = option(
        2,
        article="5(2)",
        says=say("The bettors' first two cards are dealt"),
        authorised_by="21",
        values={1: say("face down"), 2: say("face up")},
    )
    unseen_overdraw_valid: bool = option(
        True,
        article="6(1)",
        says=say("A card that the bank wrongly drew and has not shown stays the next one"),
        authorised_by="21",
    )
    double_loss_on_bank_blackjack: Loss = option(
        Loss.ORIGINAL_ONLY,
        article="10(7)",
        says=say("Of a doubled stake a blackjack of the bank takes"),
        authorised_by="21",
        values={Loss.ORIGINAL_ONLY: say("only the original stake"), Loss.ALL: say("all")},
    )
    insurance_max_fraction: Fraction = option(
        Fraction(1, 2),
        article="12(1)",
        says=say("The highest insurance, as a part of the stake"),
        least=Fraction(1, 2),
        most=1,
        authorised_by="21",
    )
    side_bets_offered: frozenset[SideBet] = option(
        frozenset(SideBet),
        article="13",
        says=say("Side bets"),
        authorised_by="21",
        values={
            SideBet.ANY_PAIR: say("any pair"),
            SideBet.SEVENS: say("sevens"),
            SideBet.OVER_UNDER_13: say("over and under 13"),
        },
    )
    one_side_bet_only: bool = option(
        True, article="13", says=say("Only one type of side bet of a bettor on a box"), authorised_by="21"
    )
    any_pair_after_split: PairsPaid = option(
        PairsPaid.EVERY,
        article="13(1)(2)",
        says=say("Any pair pays"),
        authorised_by="21",
        values={
            PairsPaid.EVERY: say("every pair, also after a split"),
            PairsPaid.FIRST_TWO: say("only the first two cards"),
        },
    )
    special_prize_offered: bool = option(
        True, article="15", says=say("The special prize is offered"), authorised_by="21"
    )
    special_prize_mode: PrizeMode = option(
        PrizeMode.FINAL,
        article="15",
        says=say("After the special prize the hand"),
        authorised_by="21",
        values={PrizeMode.FINAL: say("is over"), PrizeMode.BONUS: say("plays on against the bank")},
    )
    max_split_hands: int = option(
        4, article="16(1)", says=say("Hands that one box may be split into"), least=4, authorised_by="21"
    )
    resplit_allowed: bool = option(True, article="16(5)", says=say("Pairs may be split again"), authorised_by="21")
    resplit_aces: bool = option(False, article="16(3)", says=say("Aces may be split again"), authorised_by="21")
    split_rank_rule: SplitRank = option(
        SplitRank.SAME_RANK,
        article="16(1)",
        says=say("Two cards may be split if they are"),
        authorised_by="21",
        values={SplitRank.SAME_RANK: say("of the same rank"), SplitRank.SAME_VALUE: say("of the same value")},
    )
    double_rule: DoubleRule = option(
        DoubleRule.ANY_TWO,
        article="17",
        says=say("Doubling is allowed"),
        authorised_by="21",
        values={DoubleRule.ANY_TWO: say("on any first two cards"), DoubleRule.ELEVEN_ONLY: say("only on 11")},
    )
    five_card_claim_offered: bool = option(
        True, article="19(1)", says=say("Half the stake may be claimed with five cards"), authorised_by="21"
    )
    shared_box_rule: SharedBox = option(
        SharedBox.SEATED_OR_NEAREST,
        article="20(1)",
        says=say("On a shared box decides"),
        authorised_by="21",
        values={
            SharedBox.SEATED: say("the seated bettor"),
            SharedBox.SEATED_OR_NEAREST: say("the seated bettor, or the stake nearest to the bank"),
            SharedBox.HIGHEST: say("the highest stake"),
        },
    )
    max_bettors_per_box: int = option(
        3, article="20(1)(2)", says=say("Bettors on one box"), least=1, authorised_by="21"
    )
    surrender_timing: SurrenderTiming = option(
        SurrenderTiming.BEFORE_ANY_DRAW,
        article="R5",
        says=say("Surrender is possible"),
        values={
            SurrenderTiming.BEFORE_ANY_DRAW: say("before any card is drawn"),
            SurrenderTiming.OWN_FIRST_DECISION: say("as the first decision of the box"),
        },
    )
    split_loss_on_bank_blackjack: Loss = option(
        Loss.ALL,
        article="R19",
        says=say("Of split stakes a blackjack of the bank takes"),
        values={Loss.ALL: say("all"), Loss.ORIGINAL_ONLY: say("only the original stake")},
    )
    timeout_action: TimeoutAction = option(
        TimeoutAction.STAND,
        article="time",
        says=say("Whoever lets the time pass"),
        values={TimeoutAction.STAND: say("stands")},
    )
    min_bet: Limit = option(CREDIT, article="minimum", says=say("Minimum"), check=limit_on(SPOTS))
    max_bet: Limit = option((), article="maximum", says=say("Maximum"), check=limit_on(SPOTS))

    def __post_init__(self) -> None:
        check_values(self)
        if self.cut_card_depth is None and self.has_second_white_card:
            object.__setattr__(self, "cut_card_depth", 30 if self.decks == 2 else 60)
        if self.dealing_device is Device.METAL_BOX:
            if self.decks != 1:
                raise OptionError(say("a metal_box holds one deck"))
            if self.deal_procedure != 1:
                raise OptionError(say("from a metal_box the cards are dealt by deal_procedure 1"))
            if self.round_burn is not RoundBurn.NONE:
                raise OptionError(say("from a metal_box there is no round_burn"))
        if self.max_boxes_per_player > self.boxes:
            raise OptionError(say("max_boxes_per_player cannot be more than the boxes"))
        if self.shared_box_rule is SharedBox.SEATED_OR_NEAREST and self.max_bettors_per_box > 3:
            raise OptionError(say("max_bettors_per_box cannot be more than 3 under seated_or_nearest"))
        if self.has_second_white_card:
            depth, room = self.cut_card_depth, self.decks * 52 - self.burnt_first - 4 * (self.boxes + 1)
            if depth is not None and depth >= room:
                raise OptionError(say("cut_card_depth cannot be %(depth)s in this shoe", depth=depth))

    @property
    def seats(self) -> int:
        """The table has one seat at each box (1(1), 3(1))."""
        return self.boxes

    @property
    def by_machine(self) -> bool:
        """Whether an automatic machine deals: no cut, no white card, all cards back after each round (2(2)(4))."""
        return self.dealing_device is Device.AUTO_SHUFFLER

    @property
    def fresh_pack(self) -> bool:
        """Whether box or shoe hold one deck, which serves one round (2(2)(3), R3); the machine is no fresh pack."""
        return self.decks == 1 and not self.by_machine

    @property
    def has_second_white_card(self) -> bool:
        """Whether a white card announces the last round of the shoe (1(3), 2(1)(1))."""
        return self.decks > 1 and not self.by_machine

    @property
    def has_hole_card(self) -> bool:
        """Whether the bank's second card is dealt before the turns, face down (5(2)(1)(2))."""
        return self.dealing_device is Device.METAL_BOX

    @property
    def face_down(self) -> bool:
        """Whether the bettors' first two cards are dealt face down: procedure 1 (5(2)(1))."""
        return self.deal_procedure == 1

    @property
    def burnt_first(self) -> int:
        """Cards burnt after a shuffle (4(1))."""
        return self.decks if self.initial_burn is InitialBurn.ONE_PER_DECK else 1


REGULATION_FULL: Mapping[str, Any] = {}
"""The complete regulation: every default."""

MARKET_2009: Mapping[str, Any] = {
    "dealing_device": "auto_shuffler",
    "decks": 6,
    "special_prize_offered": False,
    "five_card_claim_offered": False,
    "split_loss_on_bank_blackjack": "original_only",
}
"""What most casinos of Macau were reported to run (rulebook, section 2)."""
