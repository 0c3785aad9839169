"""What can be bet on in 3-Card Baccarat, and what it pays: data (articles 6, 8 and 9)."""

from __future__ import annotations

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import say

PLACE, TIE, ODD, EVEN, THREE_FIGURES = "place", "tie", "odd", "even", "three_figures"

POINTS_SPOTS = tuple(f"points_{points}" for points in range(10))
"""A number of points of the banker, by that number."""

SPOTS: dict[str, Spot] = {
    spot.name: spot
    for spot in (
        Spot(PLACE, say("Place bet"), (Odds(1),), "6", carries=True, boxed=True),
        Spot(TIE, say("Tie"), (Odds(20),), "8(3)", boxed=True),
        Spot(ODD, say("Odd"), (Odds(1),), "8(1)", carries=True),
        Spot(EVEN, say("Even"), (Odds(1),), "8(1)", carries=True),
        Spot(THREE_FIGURES, say("Three court cards"), (Odds(16),), "8(2)"),
        *(
            Spot(name, say("Points %(points)s", points=points), (Odds(8),), "8(2)")
            for points, name in enumerate(POINTS_SPOTS)
        ),
    )
}

COMMISSION_PERCENT = 5
"""Of the prizes of place, odd and even (10)."""

WITH_COMMISSION = (PLACE, ODD, EVEN)
