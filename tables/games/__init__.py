"""The regulation in Python: pure, one package per game, one small contract (see `protocol`)."""

from collections.abc import Mapping

from . import baccarat
from .protocol import Game

GAMES: Mapping[str, Game] = {game.slug: game for game in (baccarat.GAME,)}
"""The games of the house, by slug."""
