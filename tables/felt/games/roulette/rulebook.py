"""What the page of rules has from Roulette: the wheel and its ball."""

from __future__ import annotations

from tables.felt.shared.fragments import Templates
from tables.felt.shared.rulebook import RulebookOf
from tables.games.roulette import GAME, Options
from tables.games.roulette.view import View
from tables.games.roulette.wheel import WHEEL, colour_of

from .words import number_words

_TEMPLATES = Templates(GAME.slug)


class RouletteRulebook(RulebookOf[Options, View]):
    """The wheel: before the throw, while the ball rolls, and with the ball in its pocket."""

    def picture(self, view: View, place: str) -> str:
        angles = {number: f"{360 * at / len(WHEEL):.3f}" for at, number in enumerate(WHEEL)}
        number = view.outcome.number if view.outcome is not None else None
        return _TEMPLATES.fragment(
            "drawn",
            uid=place,
            pockets=[{"number": n, "colour": colour_of(n), "angle": angle} for n, angle in angles.items()],
            rests=angles[number] if number is not None else "",
            rolls=view.thrown and number is None,
            words=number_words(number) if number is not None else "",
        )
