"""The first round of whoever has never seen a game: 40 seconds, a fixed demonstration round in a few steps.

In each step a bettor who is nobody ("you") does something or sees something on the felt; one sentence says what, with
its article, and the place it speaks of is pointed at. Cards and throws are chosen for what they show. Nothing is
stored and no credits move (see `tables.kiosk.demonstration`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from tables.felt.contract import Felt
from tables.felt.formatting import text_of
from tables.felt.games import FELTS
from tables.felt.page import table_page
from tables.felt.private import Viewer, private_fragments
from tables.felt.public import public_fragments
from tables.felt.shared.lesson import GUIDE_S, YOU, Lesson, LessonStep
from tables.games.contract.actions import PlaceBet
from tables.games.contract.game import Throw
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, cards
from tables.games.values.words import Note

from .demonstration import MARK, UNSEEN, Bettor, Show, otherwise

PURSE = 1_000_00
"""Cents that the demonstration's player has."""


# ── Its cards ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Chosen:
    """Cards and throws in the order in which they were chosen. There must be enough of them."""

    left: list[Card]
    thrown: tuple[int, ...] = ()

    def card(self) -> Card:
        return self.left.pop(0)

    def throw(self, throw: Throw) -> tuple[int, ...]:
        assert len(self.thrown) == throw.count and all(map(throw.allows, self.thrown))
        return self.thrown


# ── What it looks like ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Shown:
    """One step on the page: what it changes there, its sentence, the place it points at, and how long it stays."""

    swaps: tuple[SafeString, ...]
    html: Mapping[str, str]
    note: Note
    at: str
    milliseconds: int


def lesson_round(felt: Felt) -> Show:
    """The round of a lesson, as it opens: at the kiosks' own table of the game."""
    lesson, rules = felt.lesson, felt.rules
    show = Show(
        felt,
        read_options(rules.options, felt.kiosk_tables[0].options),
        (Bettor(YOU, gettext("You"), lesson.seat),),
        Chosen(list(cards(lesson.pack)), lesson.thrown),
    )
    while show.round.next_house_step() is not None:
        show.go_on()
    return show


def take(show: Show, step: LessonStep) -> None:
    """Bring the round to this step."""
    for deed in step.deeds:
        show.do(deed)
    for _ in range(step.times):
        show.go_on()
    while step.until and str(show.round.phase) != step.until:
        show.go_on()


def _viewer(lesson: Lesson, show: Show) -> Viewer:
    left = PURSE - sum(show.round.in_escrow(YOU).values())
    left += sum(paid.returned - paid.stake for paid in show.round.payouts() if paid.by == YOU)
    return Viewer(key=YOU, name=gettext("You"), balance_cents=left, seat=lesson.seat)


@lru_cache(maxsize=24)
def steps_of(game_slug: str, language: str) -> tuple[Shown, ...]:
    """The steps of a game's first round, in the active language, which `language` names. Raises KeyError."""
    felt = FELTS[game_slug]
    lesson, show = felt.lesson, lesson_round(felt)
    before: Mapping[str, str] = _fragments(lesson, show)
    shown = []
    for step in lesson.steps:
        take(show, step)
        html = _fragments(lesson, show)
        swaps = tuple(mark_safe(text) for text in otherwise(html, before).values())
        shown.append(Shown(swaps, html, Note(step.article, step.words), step.at, lesson.milliseconds(step)))
        before = html
    return tuple(shown)


def _fragments(lesson: Lesson, show: Show) -> dict[str, str]:
    state = show.state
    both = public_fragments(state) | private_fragments(state, _viewer(lesson, show))
    return {name: html for name, html in both.items() if name not in NOT_THERE}


NOT_THERE = UNSEEN | {"chat-mine", "favourites", "my-stakes", "my-seat"}
"""Fragments that have no place on the page of a guided round."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One step on the page of rules: its sentence, and what has changed before one's eyes, drawn: the cards, the wheel
    or the dice; the chips that one has laid down, and those that come back (of which bet, cents); or the chips that one
    takes in hand."""

    note: Note
    picture: SafeString
    stakes: tuple[tuple[str, int], ...]
    returned: tuple[tuple[str, int], ...]
    chips: bool


@lru_cache(maxsize=24)
def scenes_of(game_slug: str, language: str) -> tuple[Scene, ...]:
    """The same steps in pictures that stay, in the active language, which `language` names. Raises KeyError."""
    felt = FELTS[game_slug]
    show, scenes = lesson_round(felt), []
    drawn, lying, came = "", tuple[tuple[str, int], ...](), tuple[tuple[str, int], ...]()
    for number, step in enumerate(felt.lesson.steps):
        take(show, step)
        view = felt.rules.view(show.round, YOU)
        picture = felt.rulebook.picture(view, "")
        stakes = tuple((text_of(felt.rules.called(one.spot, one.box)), one.amount) for one in view.stakes)
        paid = [(text_of(felt.rules.called(one.spot, None)), one.returned) for one in view.payouts if one.returned]
        returned = tuple(paid)
        scenes.append(
            Scene(
                Note(step.article, step.words),
                mark_safe(felt.rulebook.picture(view, f"-{number}") if picture != drawn else ""),
                stakes if stakes != lying else (),
                returned if returned != came else (),
                chips=step.at == ".tray__chips",
            )
        )
        drawn, lying, came = picture, stakes, returned
    return tuple(scenes)


def page(game_slug: str) -> dict[str, Any]:
    """What kiosk/guide.html needs beside `kiosk` and `next` (the address of the table): the felt as the round opens, as
    `felt.page` has it, and its `steps`. In the active language. Raises KeyError for a game that there is not."""
    felt = FELTS[game_slug]
    lesson, show = felt.lesson, lesson_round(felt)
    shown = table_page(show.state, _viewer(lesson, show))
    first = next(deed.amount for step in lesson.steps for deed in step.deeds if isinstance(deed, PlaceBet))
    return {
        **shown,
        "chips": [replace(chip, ready=chip.cents == first) for chip in shown["chips"]],
        "mark": MARK,
        "steps": steps_of(game_slug, get_language() or ""),
        "seconds": GUIDE_S,
    }
