"""Two people at one table play rounds to their end, and what their screens say is what the books say."""

from __future__ import annotations

from tests.browser.house import House
from tests.browser.kit import PHONE, People


def test_two_people_see_each_other(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana")
    bea = people.at(table, "Bea", screen=PHONE, language="zh-HK")
    ana.betting()
    bea.betting()
    ana.stakes(50, "player")
    bea.sees("player", 50)
    ana.page.screenshot(path="/tmp/shots/a.png")
    bea.page.screenshot(path="/tmp/shots/b.png")
