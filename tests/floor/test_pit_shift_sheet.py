"""The handover sheet: which shift it is, what was done in it, and what is open."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tables.base.calendar import MACAU
from tables.base.clock import DATABASE_CLOCK
from tables.base.rights import Right
from tables.base.shifts import shifts_before
from tables.models import Table
from tables.services.pit import sanctions
from tests.house.kit import House

from .pit_kit import browser, member, those_who_may
from .test_pit_options import draft
from .test_pit_reports import loses, row

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(house: House, settings: Any) -> House:
    """A house of today, in the middle of a shift: shifts begin twelve hours from now, and so long ago."""
    now = DATABASE_CLOCK.now()
    settings.SHIFTS = ((now.astimezone(MACAU).hour + 12) % 24,)
    house.clock.at = now
    return house


def text(client: Client, path: str = "/pit/shift/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def said(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html.split("<main")[1]).split())


@pytest.mark.parametrize(
    ("at", "back", "day", "hour"),
    [
        ((24, 6, 0), 0, 24, 6),
        ((24, 5, 59), 0, 23, 22),
        ((24, 13, 59), 0, 24, 6),
        ((24, 14, 0), 0, 24, 14),
        ((25, 0, 30), 0, 24, 22),
        ((25, 0, 30), 2, 24, 6),
        ((25, 0, 30), 3, 23, 22),
        ((24, 6, 0), 7, 21, 22),
    ],
)
def test_which_shift_it_is(at: tuple[int, int, int], back: int, day: int, hour: int) -> None:
    shift = shifts_before(datetime(2026, 11, *at, tzinfo=MACAU), (6, 14, 22), back)
    assert (shift.day, shift.since.hour) == (date(2026, 11, day), hour)
    assert shift.until - shift.since == timedelta(hours=8)


def test_the_sheet_has_the_shift_its_figures_and_the_comps(house: House, settings: Any) -> None:
    table = house.table("wheel", game="roulette")
    loses(house, table, 100)
    sanctions.comp(member("shift_manager"), house.player("ana").pk, 150_00, "a long night", clock=house.clock)
    client, (hour,) = browser("surveillance"), settings.SHIFTS
    html = text(client)
    assert f"{hour:02}:00–{hour:02}:00" in said(html)
    assert row(html, "Wheel").startswith("Wheel|Roulette|1|100|100|")
    assert "Comps 150" in said(html) and "Wheel 1,000,100" in said(html)
    before = text(client, "/pit/shift/?back=1")
    assert "Turnover 0 Win 0" in said(before) and "Comps 0" in said(before)
    assert 'href="?back=2"' in before and 'href="?back=0"' in before
    assert 'href="?back=21"' not in text(client, "/pit/shift/?back=999")


def test_the_sheet_says_what_is_open_and_has_lines_to_sign(house: House) -> None:
    client = browser("pit_boss")
    assert "Nothing is open." in said(text(client))
    table = house.table("jade", game="baccarat")
    change = draft(client, "jade", decks="6")
    Table.objects.filter(pk=table.pk).update(paused=True)
    html = text(client)
    open_ = said(html).split("Open matters")[1].split("Floats now")[0]
    assert f"Change no. {change.pk} : Jade" in open_ and "Jade : The table is paused." in open_
    assert "Nothing is open." not in open_
    assert "Handed over by" in said(html) and "Taken over by" in said(html)


def test_whoever_may_watch_reads_it_whatever_they_ask() -> None:
    for role in those_who_may(Right.WATCH):
        client = browser(role)
        for asked in ("", "?back=x", "?back=-1", "?back=99999999999", "?back=%C2%B2"):
            assert "Signatures" in text(client, f"/pit/shift/{asked}")
