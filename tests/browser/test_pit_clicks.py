"""How many clicks the most frequent tasks of the pit take: as docs/pit.md says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .house import House
from .kit import DESK, People, Screen
from .test_pit_door import PASSWORD

PAGE = Path(__file__).parents[2] / "docs" / "pit.md"


def promised() -> dict[str, int]:
    """What the document says: the task, and its clicks now."""
    part = PAGE.read_text().split("## Clicks")[1].split("\n## ")[0]
    return {task: int(now) for task, now in re.findall(r"^\| ([a-z][^|]+) \| [^|]+ \| (\d+) \|$", part, re.MULTILINE)}


class Clicks:
    """Tasks of somebody who begins each at the floor, and counts."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.done = screen, dict[str, int]()
        self._task = ""

    def begin(self, task: str) -> None:
        self.screen.goes("/pit/")
        self._task, self.done[task] = task, 0

    def click(self, target: Locator) -> None:
        target.click()
        self.done[self._task] += 1

    def presses(self, role: str, name: str | re.Pattern[str], *, exact: bool = True) -> None:
        """Click the first button or link of this name."""
        found = self.screen.page.get_by_role(role, name=name, exact=exact)  # type: ignore[arg-type]
        self.click(found.first)


@pytest.mark.in_full
def test_the_tasks_take_as_many_clicks_as_the_document_says(people: People, house: House) -> None:
    table = house.table(game="three_card_baccarat")
    others = [house.table(game="three_card_baccarat") for _ in range(2)]
    number = house.ask("hires", name="josefa1", role="shift_manager", password=PASSWORD)
    house.ask("hires", name="marina1", role="pit_boss", password=PASSWORD)
    ana = people.at(table, "Ana")
    round_ = ana.betting()
    ana.sits(1)
    ana.stakes(100, "place-1")
    ana.is_ready()
    expect(ana.page.locator("#my-cards .card")).to_have_count(3)
    boss = people.comes(login=house.logged_in_member(number, "josefa1"), screen=DESK)
    page, pit = boss.page, Clicks(boss)
    tile = page.locator(f"#pit-title-{table.slug} a")

    pit.begin("acknowledge all alerts")
    expect(page.locator(".pit-alarm").first).to_be_visible()
    pit.click(page.locator("#pit-alerts [name=alerts]").first)
    expect(page.locator(".pit-alarm")).to_have_count(0)

    pit.begin("look into a table")
    pit.click(tile)
    expect(page.get_by_role("heading", level=1)).to_contain_text(table.name)

    pit.begin("freeze the round")
    pit.click(page.locator(f".pit-freeze[value={table.slug}]"))
    expect(page.locator(f"#pit-table-{table.slug}")).to_contain_text("Frozen since")

    pit.begin("rule on an irregularity")
    pit.click(page.locator(f"#pit-table-{table.slug}").get_by_role("link", name="Rule", exact=True))
    pit.click(page.locator(".rule-list__go a").first)
    page.get_by_label("Reason").fill("the order is lost")
    pit.presses("button", "Rule")
    expect(page.locator(".notice--ok").first).to_be_visible()

    pit.begin("change a minimum")
    pit.click(tile)
    pit.click(page.get_by_text("Limits and times", exact=True))
    page.locator(".life__limits input").first.fill("2")
    pit.click(page.locator("form:has(.life__limits)").get_by_role("button"))
    expect(page.locator(".notice--ok").first).to_be_visible()

    deeds, menu = page.locator(f"#pit-deeds-{table.slug}"), page.locator("[data-tile-menu]")
    pit.begin("ask for a fill")
    pit.click(deeds)
    menu.locator("[name=credits]").fill("5000")
    menu.get_by_label("Reason").fill("it runs low")
    pit.presses("button", "Ask for a fill")
    expect(page.locator(".notice--ok").first).to_be_visible()

    pit.begin("pause a table")
    pit.click(deeds)
    pit.presses("button", "Pause after the round")
    expect(page.locator(".notice--ok").first).to_be_visible()

    pit.begin("change the limits of three tables")
    pit.presses("link", "Limits of several tables")
    pit.click(page.get_by_role("link", name="3-Card Baccarat", exact=True))
    page.get_by_label("Preset").select_option(label="10 – 2,000")
    for one in (table, *others):
        pit.click(page.locator(f"[name=table][value={one.slug}]"))
    pit.presses("button", "Preview")
    pit.click(page.locator("[name=apply]"))
    expect(page.locator(".notice--ok").first).to_be_visible()

    pit.begin("close a table")
    pit.click(page.locator(f"#pit-deeds-{others[0].slug}"))
    pit.presses("button", "Close after the round")
    expect(page.locator(".notice--ok").first).to_be_visible()

    pit.begin("bar a player from the chat")
    pit.presses("link", re.compile("^People"))
    page.locator("[role=search] input").fill(str(ana.player))
    page.keyboard.press("Enter")
    pit.click(page.get_by_role("main").get_by_role("link", name=ana.name))
    page.locator("[name=restrict-kind]").select_option("mute")
    page.locator("[name=restrict-why]").fill("insults")
    pit.click(page.locator("form:has([name=restrict-kind])").get_by_role("button"))
    expect(page.get_by_role("main")).to_contain_text("insults")

    house.ask("voids", table=table.id, reason="the night is over")
    pit.begin("find a round as its bettor saw it")
    pit.presses("link", re.compile("^Rounds"))
    page.locator(".pit-find input").first.fill(round_)
    page.keyboard.press("Enter")
    pit.click(page.get_by_role("main").locator(f"a[href='/pit/rounds/{round_}/']"))
    pit.click(page.get_by_role("main").locator(f"a[href^='/pit/rounds/{round_}/as/p']").first)
    expect(page.get_by_role("main")).to_contain_text(ana.name)

    pit.begin("the handover sheet of the shift")
    pit.presses("link", re.compile("^Reports"))
    pit.presses("link", "Handover sheet")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Handover sheet")

    assert pit.done == promised()
    assert max(clicks for task, clicks in pit.done.items() if "three tables" not in task) <= 3
