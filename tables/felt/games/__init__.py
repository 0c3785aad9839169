"""The voices of the games: one package a game, of the same name as its rules in `tables.games`."""

from collections.abc import Mapping

from tables.felt.contract import Felt

from . import baccarat, blackjack, cussec, roulette, stud_poker, three_card_baccarat

_FELTS: tuple[Felt, ...] = (
    baccarat.FELT,
    blackjack.FELT,
    stud_poker.FELT,
    three_card_baccarat.FELT,
    roulette.FELT,
    cussec.FELT,
)

FELTS: Mapping[str, Felt] = {felt.rules.slug: felt for felt in _FELTS}
"""The felts of the house, by the slugs of their games."""
