"""What opens over a table and what stands beside it fits: every size and language, the widest letters.

Several tables on one screen, the guided round, the sheets of favourites and of keys, the lobby of somebody who is new.
SHOTS=folder keeps pictures.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from playwright.sync_api import expect

from tests.extent import EVERYTHING

from .house import House
from .kit import CREDIT, DESK, PHONE, People, Screen
from .test_fonts import GAMES, LANGUAGES, LYING, Size, Tour, size_of, speaks
from .test_side_by_side import open_

SIZES: tuple[Size, ...] = (size_of(PHONE), LYING, size_of(DESK))


def languages(turn: int) -> Iterable[str]:
    """All of them with ALL=1, else one, in turn."""
    return LANGUAGES if EVERYTHING else (LANGUAGES[turn % len(LANGUAGES)],)


def at_each_size(people: People, name: str | None, language: str) -> Iterable[tuple[Screen, Size]]:
    """Somebody at a phone, upright and lying, and at a desk: each from the start, as pages are opened."""
    for size in SIZES:
        screen = DESK if size == SIZES[-1] else {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
        yield speaks(people.comes(name, screen=screen), language), size


@pytest.mark.parametrize("many", [2, 3, 4] if EVERYTHING else [4])
def test_several_tables_fit(people: People, house: House, many: int) -> None:
    tour = Tour()
    tables = [house.table(game=game) for game in ("baccarat", "roulette", "stud_poker", "cussec")[:many]]
    for language in languages(0):
        for screen, size in at_each_size(people, "Ana", language):
            open_(screen, *tables)
            tour.look(screen.page, f"{many} tables", [size])
            for frame in screen.page.frames[1:]:
                if frame.frame_element().is_visible():
                    tour.look_at_frame(frame, f"{many} tables, within")
    tour.fits()


@pytest.mark.parametrize("game", GAMES if EVERYTHING else ["three_card_baccarat"])
def test_a_guided_round_fits(people: People, house: House, game: str) -> None:
    tour = Tour()
    for language in languages(1):
        for screen, size in at_each_size(people, None, language):
            page = screen.goes(f"/guide/{game}/").page
            expect(page.locator("[data-ring-at]")).to_be_visible()
            steps = page.locator("template[data-step]").count()
            for step in range(1, steps + 1):
                if EVERYTHING or step in (1, steps):
                    tour.look(page, f"guide to {game} step {step}", [size])
                if step < steps:
                    page.locator("[data-on]").click()
    tour.fits()


def test_the_sheets_of_favourites_and_keys_fit(people: People, house: House) -> None:
    tour = Tour()
    for at, game in enumerate(GAMES if EVERYTHING else ["blackjack"]):
        table = house.table(game=game)
        for language in languages(at):
            for screen, size in at_each_size(people, "Ana", language):
                screen.sits_down_at(table)
                screen.page.locator("[data-favourites] > summary").click()
                expect(screen.page.locator("[data-rounds]").first).to_be_visible()
                tour.look(screen.page, f"favourites at {game}", [size])
                screen.page.keyboard.press("Escape")
                screen.page.keyboard.press("?")
                expect(screen.page.locator("[data-keys]")).to_be_visible()
                tour.look(screen.page, f"keys of {game}", [size])
    tour.fits()


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
