"""Which options change only with an authorisation of the inspectorate, as the tables in docs/regulation say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tables.games import GAMES
from tables.games.shared.options import change_between_shoes, options_of

REGULATION = Path(__file__).parents[2] / "docs" / "regulation"

DEMANDED_BY = {
    "baccarat": "19",
    "blackjack": "21",
    "stud_poker": "13",
    "three_card_baccarat": "",
    "roulette": "9",
    "cussec": "authorisation",
}
"""The article on authorisation of each regulation; 3-Card Baccarat has none, and Cussec's is a ruling by analogy."""


def written(slug: str) -> dict[str, bool]:
    """Option -> whether the table of the regulation marks it as needing an authorisation."""
    text = (REGULATION / f"{slug}.md").read_text(encoding="utf-8")
    head = re.search(r"^\| Option \|.*$", text, re.MULTILINE)
    assert head is not None
    authorised = " Authorisation " in head[0]
    rows = {}
    for line in text[head.end() :].split("\n")[2:]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for name in re.findall(r"`(\w+)`", cells[0]):
            rows[name] = authorised and cells[-1].startswith("yes")
    return rows


@pytest.mark.parametrize("slug", GAMES)
def test_authorisation_is_demanded_for_exactly_what_the_table_marks_and_by_its_article(slug: str) -> None:
    about = options_of(GAMES[slug].options)
    marked = written(slug)
    assert marked.keys() == about.keys() - {"edition"}
    assert {name: one.authorised for name, one in about.items() if name in marked} == marked
    assert {one.authorised_by for one in about.values()} - {""} == {DEMANDED_BY[slug]} - {""}
    assert {DEMANDED_BY[slug]} - {""} <= GAMES[slug].articles.keys()


def test_the_odds_of_a_royal_flush_are_a_choice_only_under_61_2004() -> None:
    """69/2003 has neither the choice nor an article on authorisation."""
    about = options_of(GAMES["stud_poker"].options)
    assert about["royal_flush_odds"].is_left_to_the_house("61/2004")
    assert not about["royal_flush_odds"].is_left_to_the_house("69/2003")
    left = {name for name, one in about.items() if one.is_left_to_the_house("69/2003")}
    assert left == about.keys() - {"edition", "royal_flush_odds"}
    assert not any(about[name].authorised for name in left)


@pytest.mark.parametrize("slug", GAMES)
def test_no_edition_is_a_choice_of_the_house(slug: str) -> None:
    about = options_of(GAMES[slug].options)["edition"]
    assert not any(about.is_left_to_the_house(edition) for edition in GAMES[slug].editions)


def test_only_baccarat_keeps_its_options_for_the_whole_shoe() -> None:
    assert [slug for slug, game in GAMES.items() if change_between_shoes(game.options)] == ["baccarat"]
