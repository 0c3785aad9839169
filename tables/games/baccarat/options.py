"""The house options of Baccarat (rulebook, section 3). Amounts are integer cents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from tables.games.contract.editions import Edition
from tables.games.contract.errors import OptionError
from tables.games.shared.options import Limit, check_values, edition_option, limit_on, option
from tables.games.values.money import CREDIT
from tables.games.values.words import say

from .bets import SPOTS

IN_FORCE = (
    Edition("55/2004", "2004-05-18"),
    Edition("55/2004+73/2005", "2005-11-29", exact=False),
    Edition("55/2004+83/2011", "2011-09-27", exact=False),
)
"""Oldest first. The extension 56/2018 may be switched on under the newest.

55/2004 stands in Official Gazette 20/2004 of 17 May 2004 and holds from the day after (55/2004, point 3), as 83/2011
does from the day after its own publication (point 2). 73/2005 bears the date of Wednesday 23 November 2005, 83/2011
that of Thursday 22 September 2011; the numbers of the Gazette that carried them are not at hand. Its first series comes
out on Mondays (Law 3/1999, article 2): the day after the first one is the earliest on which each can have held, unless
an extraordinary number carried it.
"""

EDITIONS = tuple(edition.name for edition in IN_FORCE)


class Device(StrEnum):
    SHOE = "shoe"
    AUTO_MACHINE = "auto_machine"


class Burn(StrEnum):
    BY_DECKS = "by_decks"
    BY_FIRST_CARD = "by_first_card"
    FIXED_N = "fixed_n"


class Indicator(StrEnum):
    EXTRA = "extra"
    COUNTED = "counted"


class LastRound(StrEnum):
    CURRENT = "current_is_last"
    ONE_MORE = "one_more_round"


class TiePolicy(StrEnum):
    FREE = "free"
    NO_MOVE = "no_move"
    RETURN = "return"
    NO_REDUCE = "no_reduce"


class CommissionMode(StrEnum):
    FIVE_PERCENT = "five_percent"
    NO_COMMISSION = "no_commission_six_half"


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its article; those marked `authorised` change only with the inspectorate's authorisation (19).

    Raises OptionError for a value that does not exist, for options that do not go together, and for what a later
    dispatch brought and the edition does not know. With the automatic machine the options of the shoe do not apply
    and are not compared with one another. They change between two shoes (rulebook, section 3).
    """

    between_shoes: ClassVar[bool] = True

    edition: str = edition_option(IN_FORCE)
    decks: int = option(8, article="1(1)", says=say("Decks in use"), values=range(6, 13))
    layouts: int = option(1, article="1(5)", says=say("Layouts"), values=(1, 2))
    seats: int = option(7, article="1(5)", says=say("Seats"), least=7)
    dealing_device: Device = option(
        Device.SHOE,
        article="7(2)",
        says=say("Dealt from"),
        authorised_by="19",
        values={Device.SHOE: say("a shoe"), Device.AUTO_MACHINE: say("an automatic machine")},
    )
    cut_card_depth: int = option(14, article="2(1)", says=say("Cards behind the white card"), least=12)
    burn_mode: Burn = option(
        Burn.BY_DECKS,
        article="2(1)",
        says=say("Cards burnt after the cut"),
        authorised_by="19",
        values={
            Burn.BY_DECKS: say("as many as decks in use"),
            Burn.BY_FIRST_CARD: say("as the first card says"),
            Burn.FIXED_N: say("a fixed number"),
        },
    )
    burn_fixed_n: int | None = option(
        None,
        article="2(1)",
        says=say("The fixed number of burnt cards"),
        authorised_by="19",
        values=(None, 1, 2, 3, 4, 5, 6, 7, 8),
    )
    burn_indicator: Indicator = option(
        Indicator.EXTRA,
        article="B-A1",
        says=say("The first card, when it says how many are burnt, is"),
        values={Indicator.EXTRA: say("not counted"), Indicator.COUNTED: say("counted")},
    )
    demo_rounds: int = option(
        0, article="2(2)", says=say("Demonstration rounds with each shoe"), values=range(4), authorised_by="19"
    )
    last_round_rule: LastRound = option(
        LastRound.CURRENT,
        article="3(1)",
        says=say("When the white card comes out"),
        authorised_by="19",
        values={LastRound.CURRENT: say("this round is the last"), LastRound.ONE_MORE: say("one more round is played")},
    )
    burn_each_round: int = option(0, article="8", says=say("Cards burnt before each round"), values=(0, 1))
    tie_policy: TiePolicy = option(
        TiePolicy.FREE,
        article="12",
        says=say("After a tie a stake"),
        authorised_by="19",
        values={
            TiePolicy.FREE: say("may be withdrawn, kept or changed"),
            TiePolicy.NO_MOVE: say("may only be added to"),
            TiePolicy.RETURN: say("is returned"),
            TiePolicy.NO_REDUCE: say("may be kept, added to or moved"),
        },
    )
    pairs_enabled: bool = option(True, article="13(4)", says=say("Pair bets are offered"))
    pair_requires_main: bool = option(True, article="B-A5", says=say("A pair bet needs a main bet"))
    imbalance_limit: int | None = option(
        None,
        article="14",
        says=say("Limit of the difference between Banker and Player"),
        check=lambda limit: limit is None or limit >= 0,
        cents=True,
        null=True,
    )
    hold_cards: bool = option(True, article="16(1)", says=say("Bettors may hold the cards"))
    squeeze: bool = option(
        False, article="B-A18", says=say("Whoever holds the cards peels them, and everybody sees it")
    )
    squeeze_seconds: int = option(
        8, article="B-A18", says=say("Seconds for the holder to peel further"), values=range(5, 31)
    )
    commission_mode: CommissionMode = option(
        CommissionMode.FIVE_PERCENT,
        article="18",
        says=say("When the Banker wins"),
        authorised_by="19",
        values={
            CommissionMode.FIVE_PERCENT: say("five per cent commission"),
            CommissionMode.NO_COMMISSION: say("no commission; half is paid on a win with 6"),
        },
    )
    banker_multiple_of_min: bool = option(
        True, article="note 1", says=say("Banker stakes are multiples of the minimum")
    )
    lucky_six: bool = option(False, article="13(1)(4)(3)", says=say("Lucky 6 is offered"), authorised_by="19")
    min_bet: Limit = option(CREDIT, article="minimum", says=say("Minimum"), check=limit_on(SPOTS))
    max_bet: Limit = option((), article="maximum", says=say("Maximum"), check=limit_on(SPOTS))

    def __post_init__(self) -> None:
        check_values(self)
        known = EDITIONS.index(self.edition)
        if self.commission_mode is CommissionMode.NO_COMMISSION and known < 1:
            raise OptionError(
                say("no commission came with Dispatch 73/2005, later than %(edition)s", edition=self.edition)
            )
        if self.burn_mode is Burn.FIXED_N and known < 2:
            raise OptionError(
                say("a fixed burn came with Dispatch 83/2011, later than %(edition)s", edition=self.edition)
            )
        if self.lucky_six and known < 2:
            raise OptionError(say("Lucky 6 came with Dispatch 56/2018, later than %(edition)s", edition=self.edition))
        if self.by_machine:
            return
        if (self.burn_mode is Burn.FIXED_N) != (self.burn_fixed_n is not None):
            raise OptionError(say("burn_fixed_n goes with burn_mode fixed_n, and only with it"))
        if self.cut_card_depth < self.least_depth or self.cut_card_depth >= self.decks * 52:
            raise OptionError(say("cut_card_depth cannot be %(depth)s in this shoe", depth=self.cut_card_depth))

    @property
    def by_machine(self) -> bool:
        """Whether an automatic machine deals: face up, a fresh pack every round, no cut and no burn (2(3), 7(2))."""
        return self.dealing_device is Device.AUTO_MACHINE

    @property
    def squeezes(self) -> bool:
        """Whether the holder of a hand peels its cards before everybody (B-A18)."""
        return self.squeeze and self.hold_cards and not self.by_machine

    @property
    def least_depth(self) -> int:
        """Cards that must lie behind the white card so that the last round can always be dealt."""
        worst = 11 if self.last_round_rule is LastRound.ONE_MORE else 6
        return worst + self.burn_each_round
