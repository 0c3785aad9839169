"""Three languages, complete: catalogues without gaps, and pages without a word left in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from itertools import count, islice
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.test import Client

from casino import catalogues
from casino.checks.words import tone
from tables.games.blackjack.phases import (
    Claim,
    Double,
    EvenMoney,
    Hit,
    Insurance,
    Match,
    Pass,
    Proceed,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import Action, Ready
from tables.models import Player, RoundLog
from tables.services.rounds import seating
from tables.views.history import LINES
from tests.extent import EVERYTHING, first
from tests.house.kit import House, change_shoe, void_round

PASSWORD = "lotus and baize 1887"
_addresses = count(1)


@pytest.mark.parametrize("locale", list(catalogues.LOCALES))
def test_every_message_is_translated_and_keeps_its_places(template: Catalog, locale: str) -> None:
    assert len(template) > 400
    assert list(catalogues.complaints(locale, template)) == []
    assert list(tone(locale, (message.string for message in catalogues.read(locale) if message.id))) == []


def test_the_english_of_the_code_is_in_the_tone_of_the_house(template: Catalog) -> None:
    assert list(tone("en", (message.id for message in template))) == []


@pytest.mark.parametrize("locale", list(catalogues.LOCALES))
def test_a_translation_is_not_the_english_sentence(locale: str) -> None:
    """Whole sentences that stand in the catalogue as they stand in the code were forgotten."""
    same = [
        message.id
        for message in catalogues.read(locale)
        if isinstance(message.id, str)
        and message.id == message.string
        and len(re.findall(r"[a-z]{2,}", message.id)) > 2
    ]
    assert same == []


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────────────────


class _Reader(HTMLParser):
    """Everything that a page says to eye or ear, but for what is marked as being in a language of its own."""

    SAID = ("alt", "aria-description", "aria-label", "aria-valuetext", "placeholder", "title")
    UNHEARD = ("code", "script", "style", "template")
    VOID = ("br", "hr", "img", "input", "link", "meta", "use")

    def __init__(self, html: str, language: str) -> None:
        super().__init__()
        self.language, self.said, self._open = language, list[str](), list[tuple[str, bool]]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        foreign = given.get("lang", self.language) != self.language or tag in self.UNHEARD
        foreign = foreign or "hash" in (given.get("class") or "")  # a number, whatever letters it has
        quiet = foreign or any(other for _, other in self._open)
        if tag not in self.VOID:
            self._open.append((tag, foreign))
        if not quiet:
            self.said += [value for name in self.SAID if (value := given.get(name))]
            if tag == "meta" and given.get("name") == "description":
                self.said.append(given.get("content") or "")
        if tag == "template":  # what a script will say
            self.said += [value or "" for name, value in attrs if name.startswith("data-") and name != "data-words"]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(foreign for _, foreign in self._open):
            self.said.append(" ".join(data.split()))


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


def _tour(house: House, *languages: str) -> Iterator[tuple[str, str, str]]:
    """Every kind of page, as it greets these languages: (language, path, something that it says).

    Without ALL=1 what others than Ana see at Blackjack is read in the first of them alone.
    """
    browsers = {
        language: Client(REMOTE_ADDR=f"10.4.0.{next(_addresses)}", headers={"accept-language": language})
        for language in languages
    }

    def read(ask: Callable[[Client], Any], path: str, many: int | None = None) -> Iterator[tuple[str, str, str]]:
        for language, browser in islice(browsers.items(), many):
            html = ask(browser).content.decode()
            assert f'<html lang="{language}">' in html, path
            yield from ((language, path, text) for text in _Reader(html, language).said)

    def look(path: str, many: int | None = None) -> Iterator[tuple[str, str, str]]:
        yield from read(lambda browser: browser.get(path), path, many)

    def come(name: str) -> None:
        """Whoever looks is this player from now on, or nobody who is known."""
        for browser in browsers.values():
            browser.logout()
            if name:
                player = Player.objects.get(username=name)
                browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")

    log = _a_round(house)
    wrong = {"username": "house", "password1": "x", "password2": "y", "login": "nobody", "password": "x"}
    for path in (
        "/",
        "/accounts/login/",
        "/accounts/signup/",
        "/nowhere/",
        f"/tables/{log.table.slug}/",
        "/tables/jade/",
    ):
        yield from look(path)
    for path in ("/accounts/login/", "/accounts/signup/"):
        yield from read(lambda browser, path=path: browser.post(path, wrong), f"{path} (refused)")  # type: ignore[misc]
        yield from read(lambda browser, path=path: browser.post(path, {}), f"{path} (empty)")  # type: ignore[misc]
    for bad in ("12345678", "ana-ana-ana"):
        fields = {"username": "ana-ana-ana", "password1": bad, "password2": bad}
        ask = partial(Client.post, path="/accounts/signup/", data=fields)
        yield from read(ask, f"/accounts/signup/ ({bad})")
    yield from look(f"/shoes/{log.shoe_id}/")
    for browser in browsers.values():
        browser.post("/guest/")
    for path in ("/", "/account/", "/history/", "/accounts/logout/", "/accounts/keep/", f"/tables/{log.table.slug}/"):
        yield from look(path)
    yield from read(lambda browser: browser.post("/top-up/", follow=True), "/top-up/ (refused)")
    come("ana")
    for path in ("/account/", "/history/", "/accounts/logout/", "/accounts/password/change/"):
        yield from look(path)
    yield from read(
        lambda browser: browser.post("/accounts/password/change/", wrong), "/accounts/password/change/ (refused)"
    )
    for path in _replay(log):
        yield from look(path)
    yield from look(f"/rounds/{house.log(log.table).pk}/")
    change_shoe(log.table_id)
    house.play_out(log.table)
    house.until(log.table, "betting")
    yield from look(f"/shoes/{log.shoe_id}/")
    for path in _at_blackjack(house):
        for who in ("ana", "rui", ""):
            if who or path.startswith("/tables/"):
                come(who)
                yield from look(path, None if EVERYTHING or who == "ana" else 1)


def _a_round(house: House) -> RoundLog:
    """A round with a bit of everything, from a shoe; the next one is open for bets."""
    table = house.table(
        dealing_device="shoe", burn_mode="by_first_card", demo_rounds=1, burn_each_round=1, lucky_six=True,
        commission_mode="no_commission_six_half", imbalance_limit=100_000,
    )  # fmt: skip
    ana, rui, lee = house.player("ana"), house.player("rui"), house.player("lee")
    seating.sit(ana.pk, table.pk, 2, clock=house.clock)
    seating.sit(rui.pk, table.pk, 5, clock=house.clock)
    house.stack("9c 2d 3d 4d 7d 7c 5s Kc 4s 5h 8c 4c Kd 5c 7h")
    house.until(table, "betting")
    for player, spot, credits in (
        (ana, "player", 50),
        (ana, "player_pair", 5),
        (rui, "banker", 50),
        (rui, "lucky_six", 5),
    ):
        house.bet(player, table, spot, credits)
    house.bet(lee, table, "banker_pair", 5)
    log = house.play_out(table)
    assert log.result is not None
    assert log.result["winner"] != "tie", "ana should have won something and lost something"
    house.until(table, "betting")
    house.bet(ana, table, "tie", 5)
    return log


def _at_blackjack(house: House) -> Iterator[str]:
    """Rounds of Blackjack with a bit of everything; the page to look at, at each step of them."""
    ana, rui = Player.objects.get(username="ana"), Player.objects.get(username="rui")
    table = house.table("taipa", game="blackjack")
    path = f"/tables/{table.slug}/"
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    for cards, bets, deeds in BLACKJACK:
        house.stack(cards)
        house.until(table, "betting")
        for who, spot, box in bets:
            house.bet(ana if who == "ana" else rui, table, spot, 10, box)
        yield path
        house.until(table, "early_window")
        for who, kind, fields in deeds:
            yield path
            if who:
                house.decide(ana if who == "ana" else rui, table, kind, **fields)
            else:
                house.step(table)
            while not house.round(table).over and house.round(table).next_house_step() is not None:
                house.step(table)
        log = house.play_out(table)
        yield path
        yield from _replay(log)
    metal = house.table("coloane", game="blackjack", dealing_device="metal_box", decks=1, deal_procedure=1)
    seating.stand_up(ana.pk, table.pk, clock=house.clock)
    seating.sit(ana.pk, metal.pk, 1, clock=house.clock)
    house.until(metal, "cut")
    yield f"/tables/{metal.slug}/"
    house.until(metal, "betting")
    house.bet(ana, metal, "main", 10, 1)
    house.until(metal, "early_window")
    yield f"/tables/{metal.slug}/"
    log = house.play_out(metal)
    yield from _replay(log)
    house.until(metal, "betting")
    house.bet(ana, metal, "main", 10, 1)
    house.until(metal, "deal")
    void_round(house.log(metal).pk, "cards mixed up", clock=house.clock)
    yield f"/tables/{metal.slug}/"
    yield f"/rounds/{house.log(metal).pk}/?step=99"


def _replay(log: RoundLog) -> Iterator[str]:
    """Steps of a round seen again, so close that each line of its log is told on one of them."""
    yield from (f"/rounds/{log.pk}/?step={step}" for step in (*range(1, log.version, LINES), log.version))


TOGETHER = [("ana", "main", 1), ("rui", "main", 1)]

BLACKJACK: list[tuple[str, list[tuple[str, str, int]], list[tuple[str, type[Action], dict[str, Any]]]]] = [
    (
        # one is burnt; a split against an ace, insured, that rui follows; a double of which they let the time pass
        "Kd 8s Ad 8h 3d 9c 5c Th 7c",
        [*TOGETHER, ("ana", "any_pair", 1), ("rui", "over_13", 1)],
        [
            ("rui", Insurance, {"box": 1, "amount": 500}),
            ("ana", Ready, {}),
            ("ana", Split, {"box": 1}),
            ("rui", Match, {"box": 1}),
            ("ana", Double, {"box": 1}),
            ("", Proceed, {}),
            ("ana", Hit, {"box": 1, "hand": 1}),
        ],
    ),
    (
        # suited 6-7-8; a surrender; an even money; somebody who does not answer
        "6s Tc Ac Kd 8s 6d Kh 9h 7s",
        [("ana", "main", 1), ("ana", "main", 2), ("rui", "main", 3), ("rui", "sevens", 2), ("ana", "under_13", 3)],
        [("rui", EvenMoney, {"box": 3}), ("ana", Surrender, {"box": 2}), ("ana", Hit, {"box": 1})],
    ),
    (
        # five cards, of which rui takes the half; ana stands by herself; a second card that makes the bank's blackjack
        "2c Kh 3h 4s 5c 2d Ac",
        TOGETHER,
        [
            ("ana", Hit, {"box": 1}),
            ("ana", Hit, {"box": 1}),
            ("ana", Hit, {"box": 1}),
            ("rui", Claim, {"box": 1}),
            ("", Stand, {}),
        ],
    ),
    (
        # what is not followed, and the bank over 21
        "7s 6d 7h 7c Td Qc",
        [*TOGETHER, ("ana", "sevens", 1)],
        [("ana", Double, {"box": 1}), ("rui", Pass, {"box": 1})],
    ),
]


SAME = re.compile(
    "Macau Floor|Jade|Taipa|Coloane|Ana|Rui|Lee|guest-[0-9]+|ana-ana-ana|[Cc]ookie|SHA-256|sha256sum"
    "|(?:shoe|leaves)-[0-9]+.txt|「seed」|「pack」|「card」|「throw」"
    r"|\bCSV\b|\bEsc\b|\{\w+\}"
    "|B-A[0-9]+|Português|English|[A2-9TJQK][shdc]|Black Jack"
)
"""Names, signs and places that a script fills are the same in every language; a blackjack is called by its own name in
Chinese, too."""

LATIN = re.compile(r"[A-Za-z]{3,}")
ENGLISH = re.compile(
    r"\b(and|at|be|card|credits|field|has|is|must|not|of|on|or|password|round|stake|table|than|the|this|to|too|with|you)\b",
    re.IGNORECASE,
)
"""Words that no Portuguese sentence has."""


@pytest.mark.in_full
def test_no_word_of_another_language_is_left_on_chinese_and_portuguese_pages(house: House) -> None:
    said = set(_tour(house, *first("zh-hant", "pt")))
    foreign = dict(first(("zh-hant", LATIN), ("pt", ENGLISH)))
    assert {language for language, _, _ in said} == set(foreign)
    assert {(path, text) for language, path, text in said if foreign[language].search(SAME.sub("", text))} == set()
