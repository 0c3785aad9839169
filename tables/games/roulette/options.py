"""The house options of Roulette (rulebook, section 4). Amounts are integer cents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tables.games.contract.editions import Edition
from tables.games.shared.options import Limit, check_values, edition_option, limit_on, option
from tables.games.values.money import CREDIT
from tables.games.values.words import say

from .bets import KINDS, SPOTS, Family, Sectors

IN_FORCE = (Edition("60/2004", "2004-05-18"),)
"""60/2004 stands in Official Gazette 20/2004 of 17 May 2004, and is in force from the day after its publication (its
point 3, as the gaming inspectorate shows it)."""

SEATS = 8
"""The regulation as far as it is known tells no number; seated and standing bettors are not told apart."""

LIMITED = (*SPOTS, *Family)
"""What limits may name: spots and families."""


class WheelOrder(StrEnum):
    EUROPEAN = "european"


class Direction(StrEnum):
    ALTERNATE = "alternate"
    LEFT_TO_RIGHT = "left_to_right"
    RIGHT_TO_LEFT = "right_to_left"


class BetsClose(StrEnum):
    BEFORE_THROW = "before_throw"
    ON_BELL = "on_bell"


class NullSpinBets(StrEnum):
    STAND = "stand"
    REOPEN = "reopen"


class ZeroCombinations(StrEnum):
    NONE = "none"
    ALLOWED = "allowed"


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its article or ruling; those marked change only with the inspectorate's authorisation (9).

    What articles 3, 5 and 6 would say is not known, so all that may fall under them needs an authorisation (R-A1).
    Raises OptionError for a value that does not exist.
    """

    edition: str = edition_option(IN_FORCE)
    wheel_order: WheelOrder = option(
        WheelOrder.EUROPEAN,
        article="R-A7",
        says=say("Order of the numbers on the wheel"),
        values={WheelOrder.EUROPEAN: say("European")},
    )
    throw_direction: Direction = option(
        Direction.ALTERNATE,
        article="2(1)",
        says=say("The ball is thrown"),
        values={
            Direction.ALTERNATE: say("from either side in turn"),
            Direction.LEFT_TO_RIGHT: say("from left to right"),
            Direction.RIGHT_TO_LEFT: say("from right to left"),
        },
    )
    bets_close: BetsClose = option(
        BetsClose.ON_BELL,
        article="R-A10",
        says=say("Betting closes"),
        authorised_by="9",
        values={
            BetsClose.BEFORE_THROW: say("before the ball is thrown"),
            BetsClose.ON_BELL: say("at the bell, while the ball rolls"),
        },
    )
    betting_seconds: int = option(
        30, article="R-A1", says=say("Seconds to bet before the ball is thrown"), least=0, authorised_by="9"
    )
    late_seconds: int = option(
        8, article="R-A1", says=say("Seconds from the throw to the bell"), least=0, authorised_by="9"
    )
    null_spin_bets: NullSpinBets = option(
        NullSpinBets.STAND,
        article="R-A9",
        says=say("On a null spin"),
        values={NullSpinBets.STAND: say("the bets stand"), NullSpinBets.REOPEN: say("betting reopens")},
    )
    enabled_bets: frozenset[Family] = option(
        frozenset(Family),
        article="R-A11",
        says=say("Bets that are offered"),
        authorised_by="9",
        values={family: kind.title for family, kind in KINDS.items()},
    )
    sector_definition: Sectors = option(
        Sectors.WHEEL_ARCS,
        article="R-A3",
        says=say("Sectors are"),
        authorised_by="9",
        values={
            Sectors.WHEEL_ARCS: say("arcs of the wheel"),
            Sectors.LAYOUT_BLOCKS: say("blocks of the layout"),
            Sectors.OFF: say("not offered"),
        },
    )
    zero_combinations: ZeroCombinations = option(
        ZeroCombinations.NONE,
        article="R-A2",
        says=say("Bets on zero together with other numbers"),
        authorised_by="9",
        values={ZeroCombinations.NONE: say("are not offered"), ZeroCombinations.ALLOWED: say("are offered")},
    )
    min_bet: Limit = option(CREDIT, article="minimum", says=say("Minimum"), check=limit_on(LIMITED), authorised_by="9")
    max_bet: Limit = option((), article="maximum", says=say("Maximum"), check=limit_on(LIMITED), authorised_by="9")
    auto_leave_winners: bool = option(False, article="R-A12", says=say("Winning stakes stay on their spots"))

    def __post_init__(self) -> None:
        check_values(self)

    @property
    def seats(self) -> int:
        """The seats of the table: any bettor may use any spot, seated or not."""
        return SEATS
