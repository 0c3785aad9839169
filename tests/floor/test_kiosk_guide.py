"""The guided first round: what each step says, points at and shows, in every game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from django.utils.safestring import mark_safe

from tables.felt.games import FELTS
from tables.felt.shared.lesson import GUIDE_S, YOU
from tables.games import GAMES
from tables.kiosk import guide
from tables.kiosk.guide import Shown
from tables.models import Realm, Table
from tests.house.kit import House
from tests.kit import view_for

from .kiosk_kit import a_kiosk, visited
from .test_demonstration import written

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
LESSONS = {game: felt.lesson for game, felt in FELTS.items()}
STEPS = [(game, at) for game, lesson in LESSONS.items() for at in range(len(lesson.steps))]
EVERY_STEP = pytest.mark.parametrize(("game", "at"), STEPS)
EVERY_LANGUAGE = pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])

KIOSK = SimpleNamespace(idle_seconds=60, use=1, restarts=0, locked=False, languages=(("en", "English"),))


def steps(game: str, language: str = "en") -> tuple[Shown, ...]:
    with translation.override(language):
        shown: tuple[Shown, ...] = guide.page(game)["steps"]
        return shown


def page(game: str, language: str = "en", **more: Any) -> str:
    """The page as a kiosk shows it. None of these tests may ask the database."""
    with translation.override(language):
        context = {**guide.page(game), "kiosk": KIOSK, "table": SimpleNamespace(slug="the-table"), **more}
        return render_to_string("kiosk/guide.html", context, RequestFactory().get("/"))


def page_at(game: str, at: int, language: str = "en") -> str:
    """The page as it is at a step, when what it changes is in its place."""
    html = {name: mark_safe(text) for name, text in steps(game, language)[at].html.items()}
    with translation.override(language):
        before = guide.page(game)["fragments"]
    return page(game, language, fragments={**before, **html}, steps=())


# ── What is on a page ───────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Element:
    """An element of a page: its attributes, and what is written within it."""

    tag: str
    given: Mapping[str, str]
    text: list[str] = field(default_factory=list)
    drawn: int = 0

    def answers(self, selector: str) -> bool:
        """Whether a selector of ours means it: a class, an id, or one attribute."""
        if selector[0] == ".":
            return selector[1:] in self.given.get("class", "").split()
        if selector[0] == "#":
            return self.given.get("id") == selector[1:]
        name, value = re.fullmatch(r'\[([\w-]+)="([\w-]+)"\]', selector).groups()  # type: ignore[union-attr]
        return self.given.get(name) == value


class Elements(HTMLParser):
    """All elements of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.all: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)
        if tag not in ("meta", "link", "input", "br", "img"):
            self._open.append(self.all[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(tag, attrs)

    def _add(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append(Element(tag, {name: value or "" for name, value in attrs}))
        for element in self._open:
            element.drawn += tag in ("svg", "button")

    def handle_endtag(self, tag: str) -> None:
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at].tag == tag:
                del self._open[at:]
                break

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text.append(data.strip())

    def meant(self, selector: str) -> Iterator[Element]:
        return (element for element in self.all if element.answers(selector))


# ── Steps ───────────────────────────────────────────────────────────────────────────────────────────────────


@EVERY_GAME
def test_six_to_eight_steps_take_forty_seconds(game: str) -> None:
    shown = steps(game)
    assert 6 <= len(shown) <= 8
    assert 35_000 <= sum(step.milliseconds for step in shown) <= 45_000
    assert abs(sum(step.milliseconds for step in shown) - GUIDE_S * 1000) < 10
    assert all(3_500 <= step.milliseconds <= 7_500 for step in shown)


@EVERY_STEP
def test_a_step_says_one_short_thing_and_cites_it(game: str, at: int) -> None:
    note = steps(game)[at].note
    assert note.article in GAMES[game].articles
    assert 20 <= len(str(note.words)) <= 100 and str(note.words).endswith(".")
    assert not note.words.values


@EVERY_STEP
def test_what_a_step_points_at_is_there_and_not_empty(game: str, at: int) -> None:
    selector = steps(game)[at].at
    found = list(Elements(page_at(game, at)).meant(selector))
    assert len(found) == 1, f"{selector} is there {len(found)} times"
    assert found[0].drawn or "".join(found[0].text)


@EVERY_STEP
def test_a_step_that_asks_for_a_deed_offers_it(game: str, at: int) -> None:
    if steps(game)[at].at != "#decision":
        return
    html = steps(game)[at].html["decision"]
    kinds = {"blackjack": ("hit", "stand"), "stud_poker": ("raise", "fold")}[game]
    assert all(f"choice--{kind}" in html for kind in kinds)


@EVERY_LANGUAGE
@EVERY_GAME
def test_every_language_has_the_whole_of_it(game: str, language: str) -> None:
    html = page(game, language)
    ids = [element.given["id"] for element in _outside_templates(html) if "id" in element.given]
    assert len(ids) == len(set(ids))
    with translation.override(language):
        for step in steps(game, language):
            assert translation.gettext(step.note.words.text) in unescape(html)
        for word in ("Skip", "Play now", "Touch to go on"):
            assert translation.gettext(word) in unescape(html)
    assert html.count("data-step ") == len(LESSONS[game].steps)
    assert html.count('href="/kiosk/tables/the-table/"') == 2  # to skip, and to begin


def _outside_templates(html: str) -> list[Element]:
    return Elements(re.sub(r"<template.*?</template>", "", html, flags=re.DOTALL)).all


@EVERY_GAME
def test_all_that_changes_has_its_place_and_nothing_leads_elsewhere(game: str) -> None:
    html = page(game)
    ids = {element.given.get("id") for element in _outside_templates(html)}
    for step in steps(game):
        for swap in step.swaps:
            first = re.search(r'id="([\w-]+)"', swap)
            assert first is not None and first[1] in ids
    anchors = [element.given for element in Elements(html).all if element.tag == "a"]
    links = {given.get("href") or given["data-rules"] for given in anchors}  # the card of a citation has none at first
    assert links == {"/kiosk/tables/the-table/", "/kiosk/rules/"}
    assert not [element for element in Elements(html).all if element.given.get("type") == "text"]


# ── The rounds ──────────────────────────────────────────────────────────────────────────────────────────────


def played(game: str) -> tuple[Any, list[Any]]:
    """The round of a lesson at its end, and the view that you had at each step."""
    show = guide.lesson_round(FELTS[game])
    views = []
    for step in LESSONS[game].steps:
        guide.take(show, step)
        views.append(view_for(show.round, YOU))
    return show, views


@EVERY_GAME
def test_the_round_is_settled_and_you_have_won(game: str) -> None:
    show, _ = played(game)
    assert show.round.over and not show.round.is_void
    assert show.source.left == [], "every card that was chosen has been dealt"
    assert sum(paid.returned - paid.stake for paid in show.round.payouts()) > 0
    assert {paid.by for paid in show.round.payouts()} == {YOU}


RESULTS: Mapping[str, Mapping[str, Any]] = {
    "baccarat": {"winner": "player"},
    "roulette": {"number": 23},
    "cussec": {"dice": [3, 4, 6]},
}


@pytest.mark.parametrize("game", RESULTS)
def test_what_is_said_of_the_result_is_the_result(game: str) -> None:
    result = played(game)[0].round.result()
    assert RESULTS[game].items() <= result.items()


def said(game: str, beginning: str) -> int:
    """The step whose sentence begins so."""
    (at,) = [at for at, step in enumerate(LESSONS[game].steps) if step.words.text.startswith(beginning)]
    return at


def test_baccarat_says_what_the_hands_have() -> None:
    _, views = played("baccarat")
    two = views[said("baccarat", "Each hand gets two cards")]
    assert (two.player.total, two.banker.total) == (5, 4)
    three = views[said("baccarat", "With 5 points the Player draws")]
    assert [card.face.rank for card in three.player.cards] == ["2", "3", "4"]  # "because the Player has drawn a 4"
    assert len(views[said("baccarat", "The Banker has 4 points and draws")].banker.cards) == 3
    ended = views[said("baccarat", "Nine beats six")]
    assert (ended.outcome.player, ended.outcome.banker) == (9, 6)


def test_blackjack_says_what_the_hands_have() -> None:
    _, views = played("blackjack")

    def total(at: int) -> int:
        box = next(box for box in views[at].boxes if box.number == 4)
        return int(box.hands[0].total)

    assert total(said("blackjack", "You have 12")) == 12
    drew = said("blackjack", "You drew an 8 and have 20")
    assert total(drew) == 20
    box = next(box for box in views[drew].boxes if box.number == 4)
    assert box.hands[0].cards[-1].face.rank == "8"
    assert views[said("blackjack", "20 beats 18")].bank.total == 18


def test_stud_poker_says_what_the_hands_have() -> None:
    show, views = played("stud_poker")
    asked = views[said("stud_poker", "Only you see")]
    assert sum(card.face is not None for card in asked.dealer.cards) == 1 and asked.dealer.cards[-1].face is not None
    assert views[said("stud_poker", "You have raised")].dealer.qualifies
    raised = next(paid for paid in show.round.payouts() if paid.spot == "raise")
    assert raised.stake == 2 * 10_00 and raised.returned == 3 * raised.stake  # two pairs, 2 to 1
    assert raised.why.article == "9(5)(2)"


def test_three_card_baccarat_says_what_the_hands_have() -> None:
    show, views = played("three_card_baccarat")
    won = views[said("three_card_baccarat", "Eight beats six")]
    place = next(place for place in won.places if place.number == 4)
    assert (place.hand.points, won.banker.points) == (8, 6)
    (paid,) = show.round.payouts()
    assert paid.commission * 20 == paid.stake


ODDS = [
    ("baccarat", "player", "1 to 1"),
    ("baccarat", "tie", "8 to 1"),
    ("roulette", "straight_17", "35 to 1"),
    ("roulette", "red", "1 to 1"),
    ("roulette", "dozen_small", "2 to 1"),
    ("cussec", "big", "1 to 1"),
    ("cussec", "total_4", "50 to 1"),
]


@pytest.mark.parametrize(("game", "spot", "odds"), ODDS)
def test_odds_that_are_said_are_those_of_the_layout(game: str, spot: str, odds: str) -> None:
    assert any(odds in step.words.text for step in LESSONS[game].steps)
    win, stake = odds.split(" to ")
    (sold,) = GAMES[game].spots[spot].odds
    assert (sold.win, sold.stake) == (int(win), int(stake))


@EVERY_GAME
def test_the_purse_follows_the_round(game: str) -> None:
    show, _ = played(game)
    won = sum(paid.returned - paid.stake for paid in show.round.payouts())
    last = steps(game)[-1].html["wallet"]
    assert f"{(guide.PURSE + won) // 100:,}" in last


# ── At a kiosk ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_visitor_is_guided_and_nothing_is_written_or_moved() -> None:
    house = House()
    tables: list[Table] = [house.table(game.replace("_", "-"), game=game, realm=Realm.KIOSKS) for game in GAMES]
    device = visited(a_kiosk(*tables))
    before = written()
    for table in tables:
        answer = device.browser.get(f"/kiosk/guide/{table.game}/")
        assert answer.status_code == 200
        assert f'href="/kiosk/tables/{table.slug}/"' in answer.content.decode()
    assert device.browser.get("/kiosk/guide/ludo/").status_code in (302, 303, 404)
    assert written() == before
    house.in_order()


def test_sentences_can_be_translated() -> None:
    """`makemessages` finds `say("…")` alone: each sentence is written so, in one piece."""
    folder = settings.BASE_DIR / "tables" / "felt"
    shared = (folder / "shared" / "lesson.py").read_text()
    for game, lesson in LESSONS.items():
        source = shared + (folder / "games" / game / "lesson.py").read_text()
        for step in lesson.steps:
            assert re.search(rf'say\(\s*"{re.escape(step.words.text)}",?\s*\)', source)
