"""The lobby on a phone: eight live tables on one screen, in every language and with the widest letters."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.extent import EVERYTHING

from .house import House
from .kit import PHONE, People
from .test_fonts import GAMES, LANGUAGES, Tour, size_of, speaks

pytestmark = pytest.mark.any_database

LEAST_PX = 44
"""The least that a thumb is offered."""

LEAST_LETTERS_PX = 12

ROWS = """() => {
  const top = document.querySelector(".bar").getBoundingClientRect().bottom;
  const letters = (row) => [...row.querySelectorAll("*")]
    .filter((one) => one.checkVisibility() && !one.closest("svg") && [...one.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && node.data.trim()))
    .map((one) => parseFloat(getComputedStyle(one).fontSize));
  return [...document.querySelectorAll(".lobby-card")].filter((row) => row.checkVisibility()).map((row) => {
    const its = row.getBoundingClientRect();
    const link = row.querySelector("h2 a");
    const at = (y) => row.contains(document.elementFromPoint(its.left + its.width / 2, y)) &&
      document.elementFromPoint(its.left + its.width / 2, y).closest("a") === link;
    return {
      whole: its.top >= top && its.bottom <= innerHeight,
      high: its.height,
      touched: [.1, .5, .9].every((part) => at(its.top + part * its.height)),
      letters: Math.min(...letters(row)),
    };
  });
}"""
"""Of each row: whether all of it is on the screen, its height, whether a touch opens it, its smallest letters."""


def rows(page: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(ROWS)
    return found


@pytest.mark.parametrize("language", LANGUAGES if EVERYTHING else LANGUAGES[:1])
def test_eight_tables_are_on_one_screen_of_a_phone(people: People, house: House, language: str) -> None:
    """Those that tell the most: a round goes on, a streak has come, a seat is taken, a jackpot is shown."""
    tables = {game: house.table(game=game) for game in GAMES}
    more = [house.table(), house.table(game="cussec"), house.table(game="roulette")]
    for table in (tables["baccarat"], *more[:1]):
        ana = people.at(table, "Ana")
        ana.sits(2)
        for cards in ("4c 4d 4h 4s 2c 3c", "4c 4d 4h 4s 2c 3c"):
            played = ana.betting()
            house.stack(table, cards)
            ana.stakes(1, "player")
            ana.is_ready()
            ana.phase("settled")
            ana.has_seen(played)
    page = speaks(people.comes("Bea", screen=PHONE), language).goes("/").page
    expect(page.locator(".lately").first).to_be_visible()
    tour = Tour()
    tour.look(page, "the lobby", [size_of(PHONE)])
    page.evaluate("scrollTo(0, document.querySelector('.cards').offsetTop - 64)")  # below the bar, which stays
    seen = rows(page)
    whole = [row for row in seen if row["whole"]]
    assert len(whole) >= 8, seen
    assert all(row["touched"] for row in whole), seen
    assert min(row["high"] for row in seen) >= LEAST_PX
    assert min(row["letters"] for row in seen) >= LEAST_LETTERS_PX
    tour.fits()
