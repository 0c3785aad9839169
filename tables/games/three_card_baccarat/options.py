"""The house options of 3-Card Baccarat (rulebook, section 3). Amounts are integer cents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tables.games.contract.editions import Edition
from tables.games.contract.errors import OptionError
from tables.games.shared.options import Limit, check_values, edition_option, limit_on, option
from tables.games.values.money import CREDIT
from tables.games.values.words import say

from .bets import SPOTS

IN_FORCE = (Edition("22/96/M", "1996-02-13", exact=False),)
"""The ordinance bears the date of 22 January 1996, but ordinances are numbered as they are published, and the one
before it, 21/96/M, is of 12 February 1996: it cannot hold before the day after that. It does not say itself when it
comes into force. Portaria 219/96/M altered it; its text is not known (T-A16)."""

HAND = 3
"""Cards that each place gets, the banker's included."""


class DealStyle(StrEnum):
    ONE_BY_ONE = "one_by_one"
    THREE_AT_ONCE = "three_at_once"


@dataclass(frozen=True, slots=True)
class Options:
    """Each field names its article; the regulation has none on authorisations, so none is `authorised`.

    Raises OptionError for a value that does not exist and for more places than a pack can always serve. The white card
    announces nothing in a box, and its depth is not compared there.
    """

    edition: str = edition_option(IN_FORCE)
    decks: int = option(6, article="1(1)", says=say("Decks in use"), values=range(1, 9))
    player_places: int = option(7, article="4(1)", says=say("Places beside the banker's"), least=1)
    white_card_depth: int = option(30, article="2(1)", says=say("Cards behind the white card"), values=range(30, 41))
    deal_style: DealStyle = option(
        DealStyle.ONE_BY_ONE,
        article="2(2)",
        says=say("The cards of a place are dealt"),
        values={DealStyle.ONE_BY_ONE: say("one at a time"), DealStyle.THREE_AT_ONCE: say("three together")},
    )
    reshuffle_every_round: bool = option(False, article="3(1)", says=say("The cards are shuffled after every round"))
    standing_bets: bool = option(False, article="T-A12", says=say("Standing bettors may bet on places that are played"))
    odd_even_enabled: bool = option(True, article="8(1)", says=say("Odd and Even are offered"))
    numbers_enabled: bool = option(True, article="8(2)", says=say("Numbers are offered"))
    tie_enabled: bool = option(True, article="8(3)", says=say("Tie bets are offered"))
    min_bet: Limit = option(CREDIT, article="minimum", says=say("Minimum"), check=limit_on(SPOTS))
    max_bet: Limit = option((), article="maximum", says=say("Maximum"), check=limit_on(SPOTS))

    def __post_init__(self) -> None:
        check_values(self)
        if self.round_needs > (52 if self.has_box else self.white_card_depth):
            raise OptionError(
                say("player_places cannot be %(places)s: too few cards for all of them", places=self.player_places)
            )

    @property
    def seats(self) -> int:
        """The table has one seat at each place (4(1))."""
        return self.player_places

    @property
    def has_box(self) -> bool:
        """Whether the cards lie in a box, one deck for one round; more than one deck go into a shoe (1(2), 3(2))."""
        return self.decks == 1

    @property
    def fresh_pack(self) -> bool:
        """Whether every round begins with a shuffle: with the box always (3(2)), with the shoe as the house likes."""
        return self.has_box or self.reshuffle_every_round

    @property
    def round_needs(self) -> int:
        """The most cards that a round may take: one at its start, and a hand for every place."""
        return 1 + HAND * (self.player_places + 1)
