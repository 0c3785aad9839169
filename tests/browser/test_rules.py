"""Citations say their article; the page of the rules fits, and is accessible."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.extent import spread

from .house import House
from .kit import DESK, PHONE, People
from .test_access import is_accessible

LANGUAGES = ("en-GB", "zh-HK", "pt-PT")
GAMES = ("baccarat", "blackjack", "stud_poker", "three_card_baccarat", "roulette", "cussec")


def said(page: Page) -> str:
    card = page.locator("#article-card")
    expect(card).to_be_visible()
    expect(card.locator("button")).to_be_focused()
    return card.locator("[data-says]").inner_text()


def test_a_citation_says_its_article_by_mouse_and_by_key(people: People, house: House) -> None:
    table = house.table()
    ana = people.at(table, "Ana", screen=DESK)
    page = ana.page
    link = page.locator(".rules__list [data-rule]").first
    if not link.is_visible():
        page.locator(".rules summary").click()
    says = link.get_attribute("title")
    assert says
    link.click()
    assert said(page) == says
    is_accessible(ana, "a citation")
    page.keyboard.press("Escape")
    expect(page.locator("#article-card")).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    assert said(page) == says
    with page.context.expect_page() as opened:
        page.locator("#article-card [data-more]").click()
    expect(opened.value.locator("main .rulebook__articles div:target")).to_contain_text(says)
    ana.line("open")


@pytest.mark.parametrize(("game", "language", "size"), spread(list(GAMES), list(LANGUAGES), [PHONE, DESK]))
def test_the_page_of_the_rules_fits(
    people: People, house: House, game: str, language: str, size: dict[str, Any]
) -> None:
    screen = people.comes(screen=size, language=language).goes(f"/rules/{game}/")
    pictures = screen.page.locator(".rulebook__picture")
    for number in range(pictures.count()):
        lost = pictures.nth(number).evaluate(
            "(one) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]"
        )
        assert max(lost) <= 1, f"picture {number} of {game}: {lost}"
    is_accessible(screen, f"rules of {game}")
