"""What the house keeps of each bet in Roulette: exact, over the 37 numbers (rulebook, section 12)."""

from __future__ import annotations

from collections.abc import Mapping

from tables.games.values.expectation import LOST, Edge, edge_of, won

from .bets import SPOTS, covers
from .betting import LAYOUT
from .options import Options
from .wheel import NUMBERS


def edges(options: Options) -> Mapping[str, Edge]:
    """The edge of each spot that is sold."""
    return {spot: _edge(options, spot) for spot in SPOTS if LAYOUT.is_sold(options, spot)}


def _edge(options: Options, spot: str) -> Edge:
    covered = len(covers(options.sector_definition, spot))
    return edge_of([(won(SPOTS[spot].odds[0]), covered), (LOST, len(NUMBERS) - covered)])
