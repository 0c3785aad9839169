"""What can be bet on in Baccarat, and what it pays: data, with the two alternatives of article 18."""

from __future__ import annotations

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import say

MAINS = ("player", "banker", "tie")
"""A pair bet needs one of these (ruling B-A5)."""

PAIRS = ("player_pair", "banker_pair")

SPOTS: dict[str, Spot] = {
    spot.name: spot
    for spot in (
        Spot("player", say("Player"), (Odds(1),), "13(1)", carries=True),
        Spot("banker", say("Banker"), (Odds(1),), "13(2)", carries=True),
        Spot("tie", say("Tie"), (Odds(8),), "13(3)"),
        Spot("player_pair", say("Player pair"), (Odds(11),), "13(4)"),
        Spot("banker_pair", say("Banker pair"), (Odds(11),), "13(4)"),
        Spot("lucky_six", say("Lucky 6"), (Odds(12), Odds(20)), "13(1)(4)(3)"),
    )
}

COMMISSION_PERCENT = 5
"""Of the prize of each winning Banker stake (18(1))."""

BANKER_SIX = Odds(1, 2)
"""Without commission, what a Banker who wins with 6 pays (18(2))."""

LUCKY_SIX = {2: SPOTS["lucky_six"].odds[0], 3: SPOTS["lucky_six"].odds[1]}
"""By the number of the Banker's cards (56/2018)."""
