"""The house options of Stud Poker (rulebook, section 2). Amounts are integer cents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tables.games.contract.editions import Edition
from tables.games.contract.errors import OptionError
from tables.games.shared.options import Limit, check_values, edition_option, option
from tables.games.values.money import CREDIT, is_whole_credits
from tables.games.values.words import say

from .bets import ANTE, RAISE_ODDS, RAISE_STAKE
from .hands import Rank

IN_FORCE = (Edition("69/2003", "2003-09-09"), Edition("61/2004", "2004-05-18"))
"""Oldest first. The older one knows no choice of the odds of a royal flush, and no authorisation for it.

69/2003 stands in Official Gazette 36/2003 of 8 September 2003, 61/2004 in 20/2004 of 17 May 2004; each is in force from
the day after its publication (point 3 of both), and 61/2004 revokes 69/2003 (its point 2).
"""

EDITIONS = tuple(edition.name for edition in IN_FORCE)

ROYAL_2003 = 50
"""To 1, on the raise, under 69/2003 (its 9(5)(9))."""

BOXES = 7
"""Places of the layout but the dealer's (2(1)); each has a seat."""


class Shuffle(StrEnum):
    MANUAL_SHOE = "manual_shoe"
    SHUFFLER = "shuffler"


class DecisionMode(StrEnum):
    SIMULTANEOUS = "simultaneous"
    IN_TURN = "in_turn"


class TimeoutAction(StrEnum):
    FOLD = "fold"


def _is_sum(cents: int) -> bool:
    return cents >= 0


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its article; the odds of a royal flush change only with the inspectorate's authorisation (13).

    `royal_flush_odds` left out is filled in: 100 under 61/2004. Under 69/2003 they are 50 and no choice of the house:
    whether that is said or not, the field is None (`royal_odds` says what is paid). Raises OptionError for a value that
    does not exist and for options that do not go together.
    """

    edition: str = edition_option(IN_FORCE)
    royal_flush_odds: int | None = option(
        None,
        article="9(5)(9)",
        says=say("A royal flush pays on the raise, to 1"),
        least=50,
        most=100,
        authorised_by="13",
        editions=EDITIONS[1:],
    )
    raise_payout_cap: int = option(
        500_000 * CREDIT,
        article="9(5)(7)",
        says=say("Most that a raise wins with four of a kind, a straight flush or a royal flush"),
        check=_is_sum,
        cents=True,
    )
    shuffle_method: Shuffle = option(
        Shuffle.SHUFFLER,
        article="7(2)",
        says=say("Shuffled and dealt"),
        values={Shuffle.MANUAL_SHOE: say("by hand, from a shoe"), Shuffle.SHUFFLER: say("by a shuffler")},
    )
    jackpot_fixed_royal_flush: int = option(
        500_000 * CREDIT, article="10(2)(1)", says=say("Fixed sum for a royal flush"), check=_is_sum, cents=True
    )
    jackpot_fixed_straight_flush: int = option(
        50_000 * CREDIT, article="10(2)(2)", says=say("Fixed sum for a straight flush"), check=_is_sum, cents=True
    )
    jackpot_fixed_four_of_a_kind: int = option(
        12_500 * CREDIT, article="10(2)(3)", says=say("Fixed sum for four of a kind"), check=_is_sum, cents=True
    )
    jackpot_fixed_full_house: int = option(
        2_500 * CREDIT, article="10(2)(4)", says=say("Fixed sum for a full house"), check=_is_sum, cents=True
    )
    jackpot_fixed_flush: int = option(
        1_250 * CREDIT, article="10(2)(5)", says=say("Fixed sum for a flush"), check=_is_sum, cents=True
    )
    jackpot_minimum: int = option(
        500_000 * CREDIT, article="10(8)", says=say("The jackpot restarts from"), check=_is_sum, cents=True
    )
    jackpot_stake: int = option(
        25 * CREDIT, article="jackpot", says=say("Jackpot stake"), check=is_whole_credits, cents=True
    )
    jackpot_contribution: Fraction = option(
        Fraction(7, 10),
        article="jackpot",
        says=say("Part of each jackpot stake that goes into the pool"),
        least=0,
        most=1,
    )
    fixed_prizes_reduce_pool: bool = option(True, article="R11", says=say("Fixed sums come out of the pool"))
    min_ante: int = option(
        100 * CREDIT, article="minimum", says=say("Minimum ante"), check=is_whole_credits, cents=True
    )
    max_ante: int = option(
        10_000 * CREDIT, article="maximum", says=say("Maximum ante"), check=is_whole_credits, cents=True
    )
    decision_mode: DecisionMode = option(
        DecisionMode.SIMULTANEOUS,
        article="R17",
        says=say("Bettors decide on the raise"),
        values={
            DecisionMode.SIMULTANEOUS: say("all at the same time, unseen by the others"),
            DecisionMode.IN_TURN: say("one after the other, from box 1"),
        },
    )
    timeout_action: TimeoutAction = option(
        TimeoutAction.FOLD,
        article="time",
        says=say("Whoever lets the time pass"),
        values={TimeoutAction.FOLD: say("folds")},
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.edition == EDITIONS[0]:
            if self.royal_flush_odds not in (None, ROYAL_2003):
                raise OptionError(
                    say("royal_flush_odds came with Dispatch 61/2004, later than %(edition)s", edition=self.edition)
                )
            object.__setattr__(self, "royal_flush_odds", None)
        elif self.royal_flush_odds is None:
            object.__setattr__(self, "royal_flush_odds", 100)
        if self.min_ante > self.max_ante:
            raise OptionError(say("min_ante cannot be more than max_ante"))
        least = RAISE_ODDS[Rank.FULL_HOUSE].prize(RAISE_STAKE.prize(self.max_ante))
        if self.raise_payout_cap < least:
            raise OptionError(say("raise_payout_cap cannot be less than a full house wins at max_ante"))

    @property
    def seats(self) -> int:
        """The table has one seat at each box (2(1))."""
        return BOXES

    @property
    def royal_odds(self) -> int:
        """What a royal flush pays on the raise, to 1 (9(5)(9))."""
        return ROYAL_2003 if self.royal_flush_odds is None else self.royal_flush_odds

    @property
    def min_bet(self) -> Limit:
        """The limits as other games have them; the jackpot stake is one fixed amount and has none."""
        return ((ANTE, self.min_ante),)

    @property
    def max_bet(self) -> Limit:
        return ((ANTE, self.max_ante),)
