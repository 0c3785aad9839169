"""The regulation in Python: pure, one package per game, one small contract (see `protocol`)."""

from collections.abc import Mapping

from . import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat
from .protocol import Game

GAMES: Mapping[str, Game] = {
    game.slug: game
    for game in (
        baccarat.GAME,
        blackjack.GAME,
        stud_poker.GAME,
        three_card_baccarat.GAME,
        roulette.GAME,
        cussec.GAME,
    )
}
"""The games of the house, by slug."""
