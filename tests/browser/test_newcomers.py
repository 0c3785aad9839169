"""The lobby of somebody who is new fits: every size and language, the widest letters. SHOTS=folder keeps pictures."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.extent import EVERYTHING

from .house import House
from .kit import CREDIT, DESK, PHONE, People, Screen
from .test_fonts import GAMES, LANGUAGES, LYING, Size, Tour, size_of, speaks

pytestmark = pytest.mark.any_database

SIZES: tuple[Size, ...] = (size_of(PHONE), LYING, size_of(DESK))


def languages(turn: int) -> Iterable[str]:
    """All of them with ALL=1, else one, in turn."""
    return LANGUAGES if EVERYTHING else (LANGUAGES[turn % len(LANGUAGES)],)


def at_each_size(people: People, name: str | None, language: str) -> Iterable[tuple[Screen, Size]]:
    """Somebody at a phone, upright and lying, and at a desk: each from the start, as pages are opened."""
    for size in SIZES:
        screen = DESK if size == SIZES[-1] else {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
        yield speaks(people.comes(name, screen=screen), language), size


def test_the_lobby_of_somebody_who_is_new_fits(people: People, house: House) -> None:
    tour = Tour()
    for game in GAMES:
        if game == "stud_poker":
            house.table(game=game, jackpot_minimum=123_456_789 * CREDIT)
        else:
            house.table(game=game)
    for name in (None, "Ana"):
        for language in languages(2):
            for screen, size in at_each_size(people, name, language):
                screen.goes("/")
                tour.look(screen.page, f"lobby of {name or 'a stranger'}", [size])
    tour.fits()
