"""What can be bet on in Stud Poker, and what it pays: data (rulebook, section 4)."""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import Words, say

from .hands import Rank

ANTE = "ante"
JACKPOT = "jackpot"
RAISE = "raise"
"""No spot: it grows out of the ante, as exactly twice it (6(6))."""

EVEN = Odds(1)
"""An ante that wins (9(2), 9(5))."""

RAISE_STAKE = Odds(2)
"""A raise for its ante: no more and no less (6(6))."""

SPOTS: dict[str, Spot] = {
    spot.name: spot
    for spot in (
        Spot(ANTE, say("Ante"), (EVEN,), "5(1)", boxed=True, single=True),
        Spot(JACKPOT, say("Jackpot"), (), "5(2)", boxed=True, single=True, carries=True, needs=ANTE),
    )
}

TITLES: dict[str, Words] = {**{spot.name: spot.title for spot in SPOTS.values()}, RAISE: say("Raise")}
"""What a bettor can have in a round: the spots, and what grows out of the ante."""

RAISE_ODDS: Mapping[Rank, Odds] = {
    Rank.STRAIGHT_FLUSH: Odds(50),
    Rank.FOUR_OF_A_KIND: Odds(20),
    Rank.FULL_HOUSE: Odds(7),
    Rank.FLUSH: Odds(5),
    Rank.STRAIGHT: Odds(4),
    Rank.THREE_OF_A_KIND: Odds(3),
    Rank.TWO_PAIRS: Odds(2),
    Rank.ONE_PAIR: Odds(1),
    Rank.FIVE_ODD_CARDS: Odds(1),
}
"""By the bettor's hand (9(5)); those of a royal flush the house chooses."""

RAISE_ARTICLES: Mapping[Rank, str] = {
    Rank.ROYAL_FLUSH: "9(5)(9)",
    Rank.STRAIGHT_FLUSH: "9(5)(8)",
    Rank.FOUR_OF_A_KIND: "9(5)(7)",
    Rank.FULL_HOUSE: "9(5)(6)",
    Rank.FLUSH: "9(5)(5)",
    Rank.STRAIGHT: "9(5)(4)",
    Rank.THREE_OF_A_KIND: "9(5)(3)",
    Rank.TWO_PAIRS: "9(5)(2)",
    Rank.ONE_PAIR: "9(5)(1)",
    Rank.FIVE_ODD_CARDS: "9(5)(1)",
}
"""The item that gives the odds of each hand."""

CAPPED = frozenset((Rank.FOUR_OF_A_KIND, Rank.STRAIGHT_FLUSH, Rank.ROYAL_FLUSH))
"""Hands of which the winnings on the raise have a maximum, fixed beforehand (9(5)(7) to (9), R6)."""
