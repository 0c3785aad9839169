"""What lies on a Baccarat table, as everybody reads and sees it: the shuffling machine, the layouts, the white card."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.house.kit import House
from tests.kit import article

pytestmark = pytest.mark.django_db


def text(path: str) -> str:
    """A page, without its tags."""
    answer = Client().get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


@article("55/2004", "1(4)")
@article("55/2004", "1(5)")
def test_the_table_and_its_rules_say_who_shuffles_and_how_many_layouts_there_are() -> None:
    house = House()
    for slug, layouts, words in (("jade", 1, "1"), ("lotus", 2, "2, drawn here as one with the boxes of both")):
        house.table(slug, dealing_device="shoe", layouts=layouts, seats=7 * layouts)
        for path in (f"/tables/{slug}/", f"/rules/baccarat/?table={slug}"):
            page = text(path)
            assert re.search(rf"Layouts art\. 1\(5\) {words} ", page), path
            assert "Shuffling machine art. 1(4) the house's sealed shuffle stands in for it" in page, path
    house.table("harbour", dealing_device="auto_machine")
    assert "stands in for it" not in text("/tables/harbour/")  # the machine of 1(3) shuffles by itself


@article("55/2004", "3(1)")
def test_the_white_card_is_taken_out_and_lies_beside_the_shoe_till_the_round_is_over() -> None:
    house = House()
    table = house.table(dealing_device="shoe", decks=6, cut_card_depth=300, burn_mode="fixed_n", burn_fixed_n=1)
    white = 'aria-label="the white card"'  # after twelve cards: in the second or third round
    seen = []
    for _ in range(3):
        house.until(table, "betting")
        before = Client().get("/tables/jade/").content.decode()
        log = house.play_out(table)
        after = Client().get("/tables/jade/").content.decode()
        came = any(line.action["do"] == "white" for line in log.actions.all())
        assert white not in before and (white in after) == came
        seen.append(came)
        house.step(table)
    assert seen.count(True) == 1
