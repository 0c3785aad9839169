"""Who deals, as a name: one a table and shift, in three scripts, and marked as a name only."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import translation

from tables.base.calendar import MACAU
from tables.felt.public import public_fragments
from tables.felt.shared.dealers import NAMES, dealer_of
from tables.queries.table import table_state
from tests.house.kit import House

HOURS = (6, 14, 22)
MORNING = datetime(2026, 11, 21, 6, 0, tzinfo=MACAU)


def test_a_dealer_stays_for_a_shift_and_the_next_is_another() -> None:
    shift = timedelta(hours=8)
    for table in range(1, 30):
        for number in range(9):
            begins = MORNING + number * shift
            now = dealer_of(table, begins, HOURS, "en")
            assert dealer_of(table, begins + shift - timedelta(microseconds=1), HOURS, "en") == now
            assert dealer_of(table, begins + shift, HOURS, "en") != now


def test_all_come_to_each_table_and_no_two_tables_have_the_same_at_once() -> None:
    shifts = [MORNING + number * timedelta(hours=8) for number in range(len(NAMES))]
    assert {dealer_of(4, moment, HOURS, "en") for moment in shifts} == {english for english, _, _ in NAMES}
    assert len({dealer_of(table, MORNING, HOURS, "en") for table in range(1, 21)}) == 20


def test_names_are_whole_in_three_scripts_and_nobodys_twice() -> None:
    for script in zip(*NAMES, strict=True):
        assert len(set(script)) == len(NAMES)
    assert all(re.fullmatch(r"[一-鿿]{3}", chinese) for _, _, chinese in NAMES)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "marked"), [("en", "name only"), ("pt", "só um nome"), ("zh-hant", "僅為名字")])
def test_a_table_shows_the_name_of_its_round_and_says_that_it_is_only_a_name(
    client: Client, language: str, marked: str
) -> None:
    house = House()
    table = house.table(game="roulette")
    house.until(table, "betting")
    began = house.log(table).started_at
    with translation.override(language):
        state = table_state(table.pk)
        rail = public_fragments(state)["rail"]
    client.cookies["django_language"] = language
    for shown in (rail, client.get("/tables/jade/").content.decode()):
        (name,) = re.findall(r"<b data-dealer>([^<]*)</b>", shown)
        assert html.unescape(name) == dealer_of(table.pk, began, HOURS, language)
        assert f"({marked})" in shown
