"""What can be bet on in Blackjack, and what it pays: data (rulebook, section 3; the odds are fixed, R35)."""

from __future__ import annotations

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import Words, say

EVEN = Odds(1)
"""A plain win, also of a split or doubled stake (R1, 10(4)); even money (10(3))."""

BLACKJACK = Odds(3, 2)
"""A blackjack against none of the bank (10(2))."""

INSURANCE = Odds(2)
"""If the bank has a blackjack (12(2))."""

SPECIAL_PRIZE = Odds(3)
"""6-7-8 of a suit, or three sevens (15)."""

FIVE_CARDS = Odds(1, 2)
"""Claimed with five cards not over 21 (19(1))."""

SURRENDERED = Odds(1, 2)
"""The part of the stake that a surrender gives back (18(1))."""

SEVENS: dict[tuple[int, bool], Odds] = {
    (2, False): Odds(50),
    (2, True): Odds(150),
    (3, False): Odds(500),
    (3, True): Odds(5000),
}
"""By the number of sevens and whether all are of one suit (R24); only the highest is paid (14(2))."""

ANY_PAIR = Odds(11)
"""For each pair (14(1))."""

OVER_UNDER = Odds(1)
"""Sum of the first two cards over or under 13, an ace counting 1 (14(3), R13)."""

MAIN = "main"

SPOTS: dict[str, Spot] = {
    spot.name: spot
    for spot in (
        Spot(MAIN, say("Main bet"), (EVEN, BLACKJACK), "9", boxed=True, single=True),
        Spot("any_pair", say("Any pair"), (ANY_PAIR,), "13(1)", boxed=True, single=True),
        Spot("sevens", say("Sevens"), tuple(SEVENS.values()), "13(2)", boxed=True, single=True),
        Spot("over_13", say("Over 13"), (OVER_UNDER,), "13(3)", boxed=True, single=True),
        Spot("under_13", say("Under 13"), (OVER_UNDER,), "13(3)", boxed=True, single=True),
    )
}

SIDES: dict[str, str] = {
    "any_pair": "any_pair",
    "sevens": "sevens",
    "over_13": "over_under_13",
    "under_13": "over_under_13",
}
"""The type that each side bet is of, as `side_bets_offered` names it (13, R15)."""

TITLES: dict[str, Words] = {
    **{spot.name: spot.title for spot in SPOTS.values()},
    "split": say("Split stake"),
    "double": say("Double stake"),
    "insurance": say("Insurance"),
    "even_money": say("Even money"),
    "surrender": say("Surrender"),
    "five_card_claim": say("Five cards"),
    "special_prize": say("Special prize"),
}
"""What a bettor can have in a round beside the spots, and what may be awarded: stakes that grow out of the main one."""
