"""What the house keeps of each bet on average: exact where it can be enumerated, else the published figure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tables.games.contract.options import TableOptions
from tables.games.values.expectation import Edge

from . import GAMES

__all__ = ["Edge", "edges_of"]


@lru_cache(maxsize=256)
def edges_of(game: str, options: TableOptions) -> Mapping[str, Edge]:
    """The edge of each spot that these options of the game sell, by the spot's name. Spots without a figure are left
    out."""
    return MappingProxyType(dict(GAMES[game].edges(options)))
