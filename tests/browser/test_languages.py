"""Three languages: the browser's own is spoken, and whoever chooses another keeps it, on every page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tables.felt.shared.dealers import NAMES as DEALERS
from tests.extent import EVERYTHING, first

from .house import House
from .kit import DESK, PHONE, People, Screen
from .test_pit_door import PASSWORD, TABLET

pytestmark = pytest.mark.any_database

NAMES = {"en": "English", "pt": "Português", "zh-hant": "繁體中文"}

OURS = re.compile(
    r"Macau( Floor)?|Test \d+.*|Jade|Lotus|Harbour|Peninsula|Taipa|Coloane|Guia|Penha|Barra|Cotai|Lisboa|Lilau|Senado|"
    r"Patane|Hac Sa|BJ|JQK|Cussec|Jackpot|"
    r"[2-9TJQKA][shdc]|[A-Za-z]+-?\d+|\d+:\d+.*|[0-9a-f]{12}…|" + "|".join(latin for latin, _, _ in DEALERS)
)
"""Names (of dealers, too), times, commitments and the marks of a blackjack and of three court cards: the same in every
language. Cussec and a jackpot are called so in Portuguese, too."""

LANGUAGES = ("en-GB", "zh-HK", "pt-PT")
"""What the browsers of the walks ask for."""

SAID = "Test 1: so"
"""What people have written, which nobody translates."""

PAGES = ("/", "/history/", "/account/", "/accounts/keep/", "/accounts/logout/")
"""Pages that a guest can open, beside the tables."""

SPOKEN = """() => {
  const shown = element => element.checkVisibility({ visibilityProperty: true });
  const said = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent.closest("template, script, .languages, [aria-hidden=true], .spot__others") && shown(parent)) {
      said.add(node.data.trim());
    }
  }
  for (const element of document.querySelectorAll("[aria-label], [title]")) {
    if (element.closest(".languages")) continue;
    for (const name of ["aria-label", "title"]) said.add((element.getAttribute(name) || "").trim());
  }
  return [...said].filter(text => /\\p{L}{2}/u.test(text));
}"""
"""Every text that a page shows or has read aloud, but for the names of the languages themselves."""


def language_of(page: Page) -> Locator:
    return page.locator("html")


def spoken(screen: Screen) -> set[str]:
    """What the page says, without names of our own."""
    said: list[str] = screen.page.evaluate(SPOKEN)
    return {text for text in said if not OURS.fullmatch(text)}


def chooses(screen: Screen, language: str) -> None:
    """By the switch that the page shows; on a phone it is in the sheet of the settings."""
    button = screen.page.get_by_role("button", name=NAMES[language]).filter(visible=True)
    if not button.count():
        screen.page.locator(".menu summary").filter(visible=True).first.click()
    button.first.click()
    expect(language_of(screen.page)).to_have_attribute("lang", language)


@pytest.mark.parametrize(
    ("asked", "spoken_here"), [("zh-HK", "zh-hant"), ("pt-BR", "pt"), ("en-US", "en"), ("fr-FR", "en")]
)
def test_the_browser_chooses(people: People, asked: str, spoken_here: str) -> None:
    screen = people.comes(language=asked).goes("/accounts/login/")
    expect(language_of(screen.page)).to_have_attribute("lang", spoken_here)


@pytest.mark.parametrize("size", first(PHONE, DESK), ids=first("phone", "desk"))
def test_the_switch_works_on_every_page_and_stays(people: People, house: House, size: dict[str, object]) -> None:
    table = house.table()
    screen = people.comes(screen=size).goes("/accounts/login/")
    chooses(screen, "pt")
    screen.goes("/accounts/signup/")
    chooses(screen, "zh-hant")
    screen.page.locator("main form[action='/guest/'] button").click()  # to be somebody changes nothing in that
    expect(screen.page).to_have_url(re.compile(r"^http://[^/]+/$"))
    expect(language_of(screen.page)).to_have_attribute("lang", "zh-hant")
    for language, path in zip(("pt", "en", "zh-hant", "pt", "en", "pt"), (*PAGES, table.path), strict=True):
        before = language_of(screen.page).get_attribute("lang") or ""
        screen.goes(path)
        expect(language_of(screen.page)).to_have_attribute("lang", before)
        chooses(screen, language)
        assert screen.page.url.endswith(path)
    screen.line("open")
    screen.betting()
    expect(screen.rail.locator(".rail__words")).to_have_text("Façam as vossas apostas")  # pushed in it, too


def nobody_says(english: Screen, *others: Screen) -> None:
    """Nothing that the English page says stands on the others."""
    known = spoken(english)
    assert known
    for screen in others:
        same = sorted(known & spoken(screen))
        assert not same, f"in English on a page in {language_of(screen.page).get_attribute('lang')}: {same}"


@pytest.mark.in_full
def test_no_english_is_left_at_a_table(people: People, house: House) -> None:
    """Neither while betting nor with the result."""
    table = house.table(lucky_six=True, commission_mode="no_commission_six_half")
    login = house.newcomer("Ana")
    english, *others = (people.at(table, login=login, language=language) for language in ("en-GB", "zh-HK", "pt-PT"))
    english.betting()
    english.stakes(50, "player", "banker", "lucky_six")
    for screen in others:
        screen.has("lucky_six", 50)
    nobody_says(english, *others)
    house.stack(table, "2s 3d 2h 3h 6s As")  # no natural: that is the same word in Portuguese
    english.is_ready()
    for screen in (english, *others):
        expect(screen.page.locator("#my-result[data-net]")).to_be_visible()
    nobody_says(english, *others)


@pytest.mark.in_full
def test_no_english_is_left_where_a_review_is_asked_for_and_answered(people: People, house: House) -> None:
    """On the round's page of the player, and on the pages of the pit that it leads to."""
    table = house.table()
    login = house.newcomer("Ana")
    english, *others = (people.at(table, login=login, language=language) for language in LANGUAGES)
    log = english.betting()
    house.stack(table, "2s 3d 2h 3h 6s As")
    english.stakes(50, "banker")
    english.is_ready()
    english.has_seen(log)
    players = [screen.goes(f"/rounds/{log}/") for screen in (english, *others)]
    nobody_says(*players)
    english.page.locator("#review summary").click()
    english.page.locator("#review select").select_option("payment")
    english.page.locator("#review textarea").fill(SAID)
    english.page.locator("#review button").click()
    expect(english.page).to_have_url(re.compile(f"/rounds/{log}/#review$"))
    nobody_says(*(screen.goes(f"/rounds/{log}/") for screen in players))
    boss = house.logged_in_member(house.ask("hires", name="ines1", role="pit_boss", password=PASSWORD), "ines1")
    staff = [people.comes(login=boss, language=language, screen=TABLET) for language in LANGUAGES]
    asked = (
        staff[0]
        .goes("/pit/reviews/")
        .page.get_by_role("link", name=re.compile(f"^{table.name} "))
        .get_attribute("href")
        or ""
    )
    walk = ["/pit/reviews/", asked, "/pit/approvals/", f"/pit/rounds/{log}/"]
    for path in walk:
        nobody_says(*(screen.goes(path) for screen in staff))
    first = staff[0].goes(asked)
    first.page.locator("[name=stand-answer]").fill(SAID)
    first.page.locator("form:has([name=stand-answer]) button").click()
    expect(first.page.locator(".notice--ok")).to_be_visible()
    for path in walk:
        nobody_says(*(screen.goes(path) for screen in staff))
    nobody_says(*(screen.goes(f"/rounds/{log}/") for screen in players))


@pytest.mark.in_full
def test_no_english_is_left_on_other_pages(people: People) -> None:
    """What scripts say included: every second page in Chinese, the others in Portuguese, with ALL=1 all in both.

    What templates say is read in both without a browser (tests/floor/test_languages.py).
    """
    english, *others = (people.comes(language=language) for language in ("en-GB", "zh-HK", "pt-PT"))

    def speak_their_own(*paths: str) -> None:
        for turn, path in enumerate(paths):
            here = others if EVERYTHING else others[turn % 2 :][:1]
            nobody_says(english.goes(path), *(screen.goes(path) for screen in here))

    speak_their_own("/accounts/login/", "/accounts/signup/", "/")
    for screen in (english, *others):
        screen.goes("/").page.locator("main form[action='/guest/'] button").click()
        expect(screen.page.locator(".bar__name")).to_be_visible()
    speak_their_own(*PAGES)
