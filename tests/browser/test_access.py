"""What every page owes to everybody: axe finds nothing, all is as wide as the screen, a thumb hits what it aims at."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.extent import first

from .house import House
from .kit import DESK, KIOSK, PHONE, People, Screen

pytestmark = pytest.mark.any_database

RULES = {
    "resultTypes": ["violations"],
    "preload": False,  # no rule among these reads the style sheets that it would fetch once more
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
}

THUMB = 44
"""CSS pixels that a control on a phone has at least in both directions."""

SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])

AXE = Axe().axe_script

VIOLATIONS = "rules => window.axe ? axe.run(document, rules).then(found => found.violations) : null"


def is_accessible(screen: Screen, what: str = "", *, seen_before: bool = False) -> None:
    """Expect that axe has nothing to say, and that nothing sticks out.

    A state that axe has `seen_before`, at another size or in another language, is not judged again.
    """
    screen.does_not_scroll_sideways()
    if seen_before:
        return
    # a document keeps its axe: it is not read in anew each time
    found = screen.page.evaluate(VIOLATIONS, RULES)
    if found is None:
        screen.page.evaluate(AXE)
        found = screen.page.evaluate(VIOLATIONS, RULES)
    assert not found, f"{what or screen.page.url}:\n" + "\n".join(map(_complaint, found))


def _complaint(violation: dict[str, Any]) -> str:
    where = "; ".join(f"{node['target']} {node['failureSummary']}" for node in violation["nodes"][:4])
    return f"{violation['id']}: {violation['help']} ({len(violation['nodes'])}): {where}"


SHOWN = """all => all.filter(one => one.checkVisibility({ visibilityProperty: true }))
  .map(one => [one.getBoundingClientRect(), one.outerHTML.slice(0, 160)])
  .map(([box, html]) => [box.width, box.height, html])
  .filter(([width, height]) => width > 0 && height > 0)"""
"""How wide and high each control is that somebody can see, and what it is; in one go."""


def fits_a_thumb(controls: Locator) -> None:
    """Expect each that is shown to be large enough."""
    shown = controls.evaluate_all(SHOWN)
    assert shown
    for width, height, html in shown:
        # half a pixel is what rounding takes
        assert min(width, height) >= THUMB - 0.5, f"{width} × {height} is too small: {html}"


def opens_the_menu(page: Page) -> None:
    page.locator(".menu summary").filter(visible=True).first.click()
    expect(page.locator(".menu[open]")).to_be_visible()


@pytest.mark.parametrize(("size", "other"), first((PHONE, DESK), (DESK, PHONE)), ids=first("phone", "desk"))
def test_the_table_while_betting_and_with_a_result(
    people: People, house: House, size: dict[str, Any], other: dict[str, Any]
) -> None:
    """Somebody seated, somebody standing, somebody who only watches; with stakes, a refusal, menus, held cards."""
    table = house.table(
        dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=1, lucky_six=True,
        min_bet={"tie": 10_00, "lucky_six": 1_00},
    )  # fmt: skip
    seated = people.at(table, "Ana", screen=size)
    seated.betting()
    seated.sits(1)
    standing = people.at(table, "Bea", screen=other)
    watching = people.at(table, screen=other)
    is_accessible(watching, "watching")
    seated.stakes(50, "player", "player_pair")
    standing.stakes(100, "banker", "lucky_six")
    standing.chip(5).click()
    standing.spot("tie").click()
    expect(standing.notice).to_be_visible()
    seated.sees("banker", 100)
    is_accessible(seated, "seated, betting")
    is_accessible(standing, "standing, refused")
    opens_the_menu(standing.page)
    is_accessible(standing, "with its menu open")
    standing.page.keyboard.press("Escape")
    seated.page.locator(".sheet__open", has_text="My stakes").click()
    is_accessible(seated, "with his stakes open")
    seated.is_ready()
    standing.is_ready()
    seated.phase("open_player")
    is_accessible(seated, "holding the cards")
    seated.turns_until_the_result()
    for screen, what in ((seated, "seated"), (standing, "standing"), (watching, "watching")):
        expect(screen.page.locator(".result__headline")).to_be_visible()
        screen.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")  # clear of the button of the chat
        is_accessible(screen, f"{what}, with a result")


STAYS = """spot => {
  const room = spot.getBoundingClientRect();
  return [...spot.querySelectorAll(".spot__name, .spot__odds, .all__total, .own__total")]
    .filter(one => one.checkVisibility())
    .filter(one => {
      const box = one.getBoundingClientRect();
      const above = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return box.left < room.left - 1 || box.right > room.right + 1 || (above && above.closest(".spot") !== spot);
    })
    .map(one => one.textContent.trim());
}"""
"""What is written in a spot and does not stay within it, or lies under another spot."""


@pytest.mark.parametrize("language", first("pt-PT", "zh-HK"))
def test_the_table_in_the_other_languages(people: People, house: House, language: str) -> None:
    """With the longest of everything: bets on all spots, three cards and a pair in both hands."""
    table = house.table(lucky_six=True, commission_mode="no_commission_six_half")
    screen = people.at(table, "Ana", screen=PHONE, language=language)
    screen.betting()
    screen.stakes(1_000, "player", "banker", "lucky_six", "player_pair", "banker_pair", "tie")
    for size in (DESK, PHONE):
        screen.page.set_viewport_size(size["viewport"])
        is_accessible(screen, "betting", seen_before=size is DESK)
        assert screen.page.locator(".spot").evaluate_all(f"all => all.flatMap({STAYS})") == []
    house.stack(table, "2s Td 2h Th 5s 3d")
    screen.is_ready()
    expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
    for size in (DESK, PHONE):
        screen.page.set_viewport_size(size["viewport"])
        is_accessible(screen, "with a result", seen_before=size is DESK)


@pytest.mark.in_full
def test_the_cut(people: People, house: House) -> None:
    table = house.table(dealing_device="shoe")
    login = house.newcomer("Ana")
    house.ask("seats", player=login.player, table=table.id, seat=2)
    ana = people.at(table, login=login, screen=PHONE)
    ana.phase("cut")
    expect(ana.page.locator("[data-cutter]")).to_be_visible()
    is_accessible(ana)
    fits_a_thumb(ana.page.locator("[data-cutter] button, [data-cut-at]"))


def is_accessible_everywhere(screen: Screen, what: str = "") -> None:
    """Expect so on a phone and on a desk."""
    for size in (PHONE, DESK):
        screen.page.set_viewport_size(size["viewport"])
        is_accessible(screen, what, seen_before=size is DESK)


def test_the_pages_of_nobody_yet(people: People) -> None:
    screen = people.comes()
    for path in ("/", "/accounts/login/", "/accounts/signup/"):
        is_accessible_everywhere(screen.goes(path))
    screen.page.get_by_role("main").locator("form").first.locator("input:not([type=hidden])").first.fill("pit")
    for field in screen.page.locator("main input[type=password]").all():
        field.fill("short")
    screen.page.get_by_role("main").locator("form").first.get_by_role("button").click()
    expect(screen.page.locator(".field__error").first).to_be_visible()
    is_accessible_everywhere(screen, "sign-up with errors")


def test_the_pages_of_a_player(people: People, house: House) -> None:
    table = house.table(dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=1, tie_policy="return")
    ana = people.at(table, "Ana")
    number = ana.betting()
    ana.stakes(50, "player", "tie")
    is_accessible_everywhere(ana.another_tab().goes(f"/rounds/{number}/"), "a round that is still played")
    shoe = house.ask("round", table=table.id)["shoe"]
    house.ask("changes_the_shoe", table=table.id)
    house.stack(table, "4s 9c 4d 9h")  # natural pairs: nothing wider is told of two hands
    ana.is_ready()
    ana.has_seen(number)
    ana.page.get_by_role("button", name="Pass", exact=True).click()  # she is offered the cut of the next shoe
    ana.betting()
    steps = len(house.ask("actions", round=int(number)))
    for path in (
        "/history/",
        f"/rounds/{number}/?step={steps // 2}",
        f"/rounds/{number}/?step={steps}",
        f"/shoes/{shoe}/",
        f"/shoes/{house.ask('round', table=table.id)['shoe']}/",
        "/account/",
        "/accounts/logout/",
        "/accounts/password/change/",
    ):
        is_accessible_everywhere(ana.goes(path))


def test_what_is_not_there(people: People) -> None:
    people.watch.expects("status of 404")
    screen = people.comes()
    answer = screen.page.goto(f"{screen.house.url}/nowhere/")
    assert answer is not None and answer.status == 404
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Page not found")
    is_accessible_everywhere(screen)


def test_a_thumb_hits_what_it_aims_at(people: People, house: House) -> None:
    table = house.table(dealing_device="shoe", lucky_six=True)
    ana = people.at(table, "Ana", screen=PHONE)
    ana.betting()
    ana.sits(1)
    page = ana.page
    for controls in (".spot", ".seat", ".chip", ".deed", ".rail__back", ".menu summary", ".sheet__open"):
        fits_a_thumb(page.locator(controls))
    opens_the_menu(page)
    fits_a_thumb(page.locator(".menu__sheet :is(a, button)"))
    ana.stakes(5, "player")
    ana.is_ready()
    ana.phase("open_player")
    fits_a_thumb(page.locator("#decision .decision__main"))
    for path in ("/", "/accounts/login/", "/account/"):
        fits_a_thumb(ana.goes(path).page.locator("main .button, main select, main input:not([type=hidden])"))


@pytest.mark.in_full
def test_an_upright_kiosk_shows_the_whole_table(people: People, house: House) -> None:
    ana = people.at(house.table(lucky_six=True), "Ana", screen=KIOSK)
    ana.betting()
    ana.does_not_scroll_sideways()
    for part in (".spot--player", ".seats", ".tray", "#roads"):
        expect(ana.page.locator(part).first).to_be_in_viewport(ratio=1)


@SIZES
def test_the_decision_is_on_the_screen_without_scrolling(people: People, house: House, size: dict[str, Any]) -> None:
    table = house.table(dealing_device="shoe", burn_mode="fixed_n", burn_fixed_n=1)
    ana = people.at(table, "Ana", screen=size)
    ana.betting()
    ana.sits(7)
    for part in (".spot--player", ".spot--banker", ".spot--tie", ".chip", ".deed--main"):
        expect(ana.page.locator(part).first).to_be_in_viewport(ratio=1)
    ana.stakes(5, "player")
    ana.is_ready()
    ana.phase("open_player")
    expect(ana.page.locator("#decision .decision__main")).to_be_in_viewport(ratio=1)
    expect(ana.page.locator("#my-cards .card").first).to_be_in_viewport(ratio=1)
    expect(ana.page.locator("#cards .card").first).to_be_in_viewport(ratio=0.9)
