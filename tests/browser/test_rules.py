"""Citations say their article; the page of the rules fits, and is accessible."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.extent import first, spread

from .house import House
from .kiosks import STEP, middle_of, place_of, visited
from .kit import DESK, KIOSK, PHONE, People
from .test_access import SHOWN, is_accessible
from .test_kiosk_play import LEAST
from .test_kiosk_screen import ASKED, IDLE, KIOSKS, SCREENS

pytestmark = pytest.mark.any_database

LANGUAGES = ("en-GB", "zh-HK", "pt-PT")
GAMES = ("baccarat", "blackjack", "stud_poker", "three_card_baccarat", "roulette", "cussec")


NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}
"""As narrow as a page must be readable (WCAG 1.4.10); also a phone of 640 pixels at a zoom of 200 %."""

CUT = """all => all.filter((one) => {
  const { left, right } = one.closest(".panel").getBoundingClientRect();
  const boxes = [one, ...one.querySelectorAll(":not(svg *, .sr)")].filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect()).filter((box) => box.width > 1);
  return boxes.some((box) => box.left < left - 1 || box.right > right + 1);
}).map((one) => one.textContent.trim().slice(0, 60))"""
"""What sticks out of its part of the page."""


def said(page: Page) -> str:
    card = page.locator("#article-card")
    expect(card).to_be_visible()
    expect(card.get_by_role("button")).to_be_focused()
    return card.locator("[data-says]").inner_text()


def citation_of(page: Page, article: str) -> Locator:
    """A citation in the house rules of the table, which are open."""
    link = page.locator(f".rules__list [data-rule='baccarat/#{article}']")
    if not link.is_visible():
        page.locator(".rules details:not(#checked) summary").click()
    return link


def is_heard(page: Page, link: Locator) -> None:
    """Expect a screen reader to be told that this opens a dialog, that it is open, and what the dialog says."""
    expect(link).to_have_role("button")
    expect(link).to_have_accessible_name(link.inner_text())
    expect(link).to_have_attribute("aria-haspopup", "dialog")
    expect(link).to_have_attribute("aria-expanded", "true")
    expect(link).to_have_attribute("aria-controls", "article-card")
    card = page.get_by_role("dialog", name=link.inner_text())
    expect(card).to_be_visible()
    expect(card).to_have_accessible_description(re.compile(re.escape(link.get_attribute("title") or "?")))


def is_closed(page: Page, link: Locator) -> None:
    expect(page.locator("#article-card")).to_be_hidden()
    expect(link).to_be_focused()
    expect(link).not_to_have_attribute("aria-expanded", "true")


def test_a_citation_says_its_article_by_mouse_and_by_key(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=DESK)
    page = ana.page
    link = citation_of(page, "art-1-1")
    says = link.get_attribute("title")
    assert says
    link.click()
    assert said(page) == says
    is_heard(page, link)
    is_accessible(ana, "a citation")
    page.keyboard.press("Escape")
    is_closed(page, link)
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        assert said(page) == says
        page.keyboard.press("Enter")  # on the button that closes it
        is_closed(page, link)
    page.keyboard.press("Enter")
    with page.context.expect_page() as opened:
        page.locator("#article-card [data-more]").click()
    expect(opened.value).to_have_url(re.compile(f"/rules/baccarat/[?]table={table.slug}#art-"))
    expect(opened.value.locator("main .rulebook__articles div:target")).to_contain_text(says)
    ana.line("open")


@pytest.mark.in_full
def test_a_citation_says_its_article_by_touch(people: People, house: House) -> None:
    """And the touch that closes the card lays no chip."""
    table = house.table()
    ana = people.at(table, "Ana", screen=PHONE)
    page = ana.page
    ana.betting()
    link = citation_of(page, "art-b-a5")
    says = link.get_attribute("title")
    expect(link.locator("xpath=..")).to_have_class(re.compile("article--ours"))
    link.tap()
    assert said(page) == says
    expect(page.locator("[data-ours]")).to_be_visible()
    is_heard(page, link)
    is_accessible(ana, "a citation on a phone")
    page.locator("#article-card").get_by_role("button").tap()
    is_closed(page, link)
    citation_of(page, "art-1-1").tap()
    said(page)
    expect(page.locator("[data-ours]")).to_be_hidden()
    spot = ana.spot("player").bounding_box()
    assert spot is not None
    page.evaluate("(top) => scrollBy(0, top - 100)", spot["y"])
    ana.spot("player").tap(position={"x": 20, "y": 10})
    expect(page.locator("#article-card")).to_be_hidden()
    ana.spot("banker").tap(position={"x": 20, "y": 10})
    expect(ana.own("banker")).to_have_attribute("data-total", re.compile("^[1-9]"))
    assert [stake.split()[1] for stake in house.ask("stakes", table=table.id)] == ["banker"]


@pytest.mark.in_full
@pytest.mark.parametrize("held", first(*SCREENS))
def test_a_visitor_of_a_kiosk_reads_the_rules(people: People, house: House, held: str) -> None:
    """By touch alone: from the table and from the choice; and whoever stops reading is let go."""
    table = house.table(realm=KIOSKS)
    kiosk = house.kiosk(table)
    device = visited(people, house, kiosk, SCREENS[held], place_of(table), language="en", knows="baccarat")
    device.is_at(table)
    page, finger = device.page, device.fingers
    finger.taps(page.locator("[data-paper-open=house-rules]"))
    link = page.locator("#house-rules [data-rule='baccarat/#art-b-a5']")
    x, y = middle_of(link)
    finger.touches([(x, y + 30)], after=1)  # beside it, as fingers do
    card = page.locator("#article-card")
    expect(card.locator("[data-says]")).to_have_text(link.get_attribute("title") or "?")
    is_heard(page, link)
    is_accessible(device, "a citation at a kiosk")
    for control in card.locator("a, button").all():
        box = control.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= LEAST
    finger.taps(card.locator("[data-more]"))
    expect(page).to_have_url(re.compile("/kiosk/rules/baccarat/#art-b-a5$"))
    expect(page.locator(".rulebook__articles div:target")).to_be_in_viewport(ratio=0.9)
    device.is_heard()
    for part in ("round", "bets", "choices", "law", "ours"):
        finger.taps(page.locator(f".rulebook__contents [href$='#{part}']"))
        expect(page.locator(f"#{part}")).to_be_in_viewport(ratio=0.9)
        expect(page.locator(f"#{part}")).to_be_focused()
    is_accessible(device, f"the rules at a kiosk, {held}")
    controls = "main > :not(.paper__body, .paper) :is(a, button)"
    for width, height, html in page.locator(controls).evaluate_all(SHOWN):
        assert min(width, height) >= LEAST - 0.5, html
    for element in ("html", "body", "main"):
        lost = page.locator(element).evaluate("(one) => [one.scrollWidth - one.clientWidth, one.scrollTop]")
        assert lost == [0, 0], element
    finger.taps(page.locator(".choose__foot a"))
    device.is_at(table)
    finger.taps(page.locator(".ways [href='/kiosk/choose/']"))
    finger.taps(page.locator("[href='/kiosk/rules/baccarat/']"))
    expect(page.locator("#round")).to_be_visible()


@pytest.mark.in_full
def test_whoever_stops_reading_at_a_kiosk_is_let_go(people: People, house: House) -> None:
    table = house.table(realm=KIOSKS)
    kiosk = house.kiosk(table)
    device = visited(people, house, kiosk, KIOSK, "/kiosk/rules/baccarat/", language="en", ours=True)
    device.is_heard()
    device.lives(IDLE)
    expect(device.asks).to_be_visible()
    device.lives(ASKED + STEP)
    device.attracts()


@pytest.mark.parametrize(
    ("game", "language", "size"), first(*spread(list(GAMES), list(LANGUAGES), [PHONE, DESK]), of_them=3)
)
def test_the_page_of_the_rules_fits(
    people: People, house: House, game: str, language: str, size: dict[str, Any]
) -> None:
    screen = people.comes(screen=size, language=language).goes(f"/rules/{game}/")
    parts = screen.page.locator(":is(.rulebook__picture, .rulebook__bets tr, .rules__list div)")
    for narrow in (size, NARROW):
        screen.page.set_viewport_size(narrow["viewport"])
        screen.does_not_scroll_sideways()
        assert parts.evaluate_all(CUT) == [], f"{game} at {narrow}"
    is_accessible(screen, f"rules of {game}")


def test_the_rules_can_be_printed(people: People) -> None:
    """On A4 nothing is cut, nothing of the page around them is there, and no article is parted from its number."""
    screen = people.comes(screen=DESK).goes("/rules/stud_poker/")
    page = screen.page
    page.set_viewport_size({"width": 690, "height": 976})
    page.emulate_media(media="print")
    for around in (".bar", ".foot", ".rulebook__contents"):
        expect(page.locator(around)).to_be_hidden()
    parts = ".rulebook__picture, .rulebook__bets tr, .rules__list div, .rulebook__articles div"
    assert page.locator(parts).evaluate_all(CUT) == []
    kept = page.locator(".rulebook__articles div").evaluate_all(
        "all => [...new Set(all.map((one) => getComputedStyle(one).breakInside))]"
    )
    assert kept == ["avoid"]
