"""The house options of Cussec (rulebook, section 3). Amounts are integer cents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tables.games.contract.editions import Edition
from tables.games.shared.options import Limit, check_values, edition_option, limit_on, option
from tables.games.values.money import CREDIT
from tables.games.values.words import say

from .bets import FAMILIES, SPOTS

IN_FORCE = (Edition("57/2004", "2004-05-18"),)
"""57/2004 stands in Official Gazette 20/2004 of 17 May 2004, behind 56/2004. Its own point 3 is not at hand; those of
its sister orders of the same day (56/2004, 60/2004, 61/2004, and that of the other Cussec, 魚蝦蟹骰寶) all say the day
after publication."""

SEATS = 8
"""No known rule tells a number; seated and standing bettors are not told apart."""

LEAST_SHAKES = 3
"""The lever is pressed three times at least (CS-4)."""

LIMITED = (*SPOTS, *(family.value for family in FAMILIES))
"""What limits may name: spots and families."""


class ShakeTiming(StrEnum):
    BEFORE_BETTING = "before_betting"
    AFTER_BETTING = "after_betting"


class CockedDice(StrEnum):
    VOID_RETURN = "void_return"
    RESHAKE_BETS_STAND = "reshake_bets_stand"


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its rule or ruling; those marked `authorised` change only with the inspectorate's authorisation.

    The odds are no option: there is one table. Raises OptionError for a value that does not exist.
    """

    edition: str = edition_option(IN_FORCE)
    odd_even_enabled: bool = option(
        True, article="C-A8", says=say("Odd and Even are offered"), authorised_by="authorisation"
    )
    four_numbers_enabled: bool = option(
        True, article="C-A6", says=say("Combinations of four numbers are offered"), authorised_by="authorisation"
    )
    shake_timing: ShakeTiming = option(
        ShakeTiming.BEFORE_BETTING,
        article="C-A9",
        says=say("The dice are shaken"),
        authorised_by="authorisation",
        values={
            ShakeTiming.BEFORE_BETTING: say("before betting, and lie covered"),
            ShakeTiming.AFTER_BETTING: say("after the bell"),
        },
    )
    shakes: int = option(LEAST_SHAKES, article="CS-4", says=say("Presses of the lever"), least=LEAST_SHAKES)
    cocked_dice: CockedDice = option(
        CockedDice.VOID_RETURN,
        article="C-A10",
        says=say("Cocked or stacked dice"),
        authorised_by="authorisation",
        values={
            CockedDice.VOID_RETURN: say("make the round void"),
            CockedDice.RESHAKE_BETS_STAND: say("are shaken again, and the bets stand"),
        },
    )
    betting_seconds: int = option(30, article="CS-4", says=say("Seconds to bet"), least=0)
    min_bet: Limit = option(CREDIT, article="minimum", says=say("Minimum"), check=limit_on(LIMITED))
    max_bet: Limit = option((), article="maximum", says=say("Maximum"), check=limit_on(LIMITED))
    auto_leave_winners: bool = option(False, article="stays", says=say("Winning stakes stay on their spots"))

    def __post_init__(self) -> None:
        check_values(self)

    @property
    def seats(self) -> int:
        """The seats of the table: any bettor may use any spot, seated or not."""
        return SEATS
