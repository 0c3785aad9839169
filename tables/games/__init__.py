"""The regulation in Python: pure, one package per game, one small contract (`tables.games.contract`)."""

from collections.abc import Mapping

from tables.games.contract.game import Game

from . import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat

_GAMES: tuple[Game, ...] = (
    baccarat.GAME,
    blackjack.GAME,
    stud_poker.GAME,
    three_card_baccarat.GAME,
    roulette.GAME,
    cussec.GAME,
)

GAMES: Mapping[str, Game] = {game.slug: game for game in _GAMES}
"""The games of the house, by slug."""
