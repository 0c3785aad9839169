"""What the house keeps of each bet in Cussec: exact, over the 216 throws (rulebook, section 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product

from tables.games.values.expectation import LOST, Edge, edge_of, won

from .bets import SPOTS, WON
from .betting import LAYOUT
from .dice import DICE, FACES, Result
from .options import Options

THROWS = Counter(Result.of(thrown).dice for thrown in product(FACES, repeat=DICE))
"""The dice from the lowest to the highest -> in how many ways they come."""


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of each spot that is sold; the odds are no option (C-A1)."""
    return {spot: _edge(spot) for spot in SPOTS if LAYOUT.is_sold(options, spot)}


@cache
def _edge(spot: str) -> Edge:
    return edge_of((won(WON[dice][spot]) if spot in WON[dice] else LOST, ways) for dice, ways in THROWS.items())
