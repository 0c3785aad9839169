"""The felt of Roulette: the wheel, the result, the last numbers, the layout with its many spots, and the racetrack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from tables.felt.contract import FeltOf, RoundResult
from tables.felt.formatting import listed, odds_of, sentence, text_of
from tables.felt.shared.fragments import Context, Fragments, Templates
from tables.felt.shared.house_rules import house_rules as in_words
from tables.felt.shared.lately import Lately
from tables.felt.shared.phases import PHASES
from tables.games.roulette import GAME, Options, Phase
from tables.games.roulette.bets import KINDS, Family, Sectors
from tables.games.roulette.options import BetsClose, Direction, ZeroCombinations
from tables.games.roulette.round import RouletteRound
from tables.games.roulette.view import SpotView, View
from tables.games.roulette.wheel import WHEEL, colour_of
from tables.games.values.words import say
from tables.queries.table import TableState

from .lesson import LESSON, LIKED, LINES
from .rulebook import RouletteRulebook
from .story import RouletteStory
from .tables import KIOSK_TABLES, TABLES
from .words import colour_words, number_words

_TEMPLATES = Templates(GAME.slug)


class RouletteFelt(FeltOf[Options, RouletteRound, View]):
    rules = GAME
    baize = "moss"
    story = RouletteStory()
    rulebook = RouletteRulebook()
    lesson = LESSON
    lines = LINES
    liked = LIKED
    main_bets = {"straight_0": say("Straight up")}
    tables = TABLES
    kiosk_tables = KIOSK_TABLES
    phases = {
        **PHASES,
        Phase.SEAL: gettext_noop("The number is sealed"),
        Phase.SPINNING: gettext_noop("The ball is thrown"),
    }

    def ended_words(self, result: RoundResult) -> str:
        return number_words(result["number"])

    def said(self, view: View, names: Mapping[str, str]) -> list[str]:
        told = [sentence(self.phase_words(view.phase))] if view.phase is not Phase.VOID else []
        told += [sentence(text_of(note.words)) for note in view.notes]
        if view.outcome is not None and not view.void:
            told += [sentence(number_words(view.outcome.number))]
            told += [sentence(text_of(note.words)) for note in view.outcome.why[1:]]
        return list(dict.fromkeys(told))

    def facts(self, options: Options) -> list[str]:
        told = [
            gettext("Bets until the bell")
            if options.bets_close is BetsClose.ON_BELL
            else gettext("Bets close before the throw")
        ]
        if options.enabled_bets.isdisjoint((Family.SECTOR9, Family.SECTOR12)):
            pass
        elif options.sector_definition is Sectors.WHEEL_ARCS:
            told.append(gettext("Sectors of the wheel"))
        elif options.sector_definition is Sectors.LAYOUT_BLOCKS:
            told.append(gettext("Sectors of the layout"))
        if options.zero_combinations is ZeroCombinations.ALLOWED:
            told.append(gettext("Zero combinations"))
        return told

    def road(self, results: Sequence[RoundResult]) -> str:
        """The last numbers, small, for the lobby."""
        return _road(_numbers(results)[-IN_LOBBY:], get_language() or "")

    def lately(self, results: Sequence[RoundResult]) -> Lately | None:
        """The last number, and how often its colour has come."""
        numbers = _numbers(results)
        words = {str(colour_of(n)): capfirst(colour_words(n)) for n in numbers[-1:]}
        return Lately.of([(str(colour_of(n)), str(n)) for n in numbers], words)

    def betting(self, phase: str) -> bool:
        """Whether the layout is open for stakes, if its time is not over yet."""
        return phase in (Phase.BETTING, Phase.SPINNING)

    def signs(self, view: View) -> list[str]:
        """Short facts for the rail: that bets are still taken, or that the spin did not count."""
        if view.phase is Phase.SPINNING and view.open:
            return [gettext("Bets until the bell")]
        return [gettext("Null spin")] if view.nulls and view.outcome is None else []

    def public(self, state: TableState, view: View) -> Fragments:
        """What the dealer announces beside the wheel, the result, and the last numbers."""
        numbers = _numbers(state.results)
        return {
            "cards": _TEMPLATES.same(
                "cards",
                notes=view.notes if state.round is not None else (),
                commitment=view.commitment,
                salt=view.salt,
                round_id=state.round_id,
                spin=f"{state.round_id}.{view.spins}",
                rolls=view.thrown and view.outcome is None and not view.void,
                outcome=None if view.void else view.outcome,
                last=numbers[-1] if numbers else None,
                turns=_turns(view, state.round_number),
                colour=colour_words(view.outcome.number) if view.outcome is not None else "",
            ),
            "result": _TEMPLATES.same(
                "result", void=view.void, outcome=view.outcome, nulls=view.nulls, notes=view.notes
            ),
            "roads": _roads(numbers, get_language() or ""),
        }

    def layout(self, state: TableState, view: View) -> Context:
        spots = {spot.key: spot for spot in view.spots}
        inside = [Printed(spot, *place) for spot in view.spots if (place := place_of(spot)) is not None]
        straights = {one.spot.covers[0]: one.spot for one in inside if one.spot.family is Family.STRAIGHT}
        return {
            "spots": spots,
            "cells": [Cell(n, colour_of(n), *_cell(n), straights.get(n)) for n in range(37)],
            "inside": [one for one in inside if one.spot.family is not Family.STRAIGHT],
            "columns": _sold(spots, "column_1", "column_2", "column_3"),
            "dozens": _sold(spots, "dozen_small", "dozen_middle", "dozen_big"),
            "halves": _sold(spots, "low", "even", "red", "black", "odd", "high"),
            "sectors": [
                [
                    Sector(spot, len(spot.covers), spot.covers[0], spot.covers[-1])
                    for spot in view.spots
                    if spot.family is f
                ]
                for f in (Family.SECTOR9, Family.SECTOR12)
            ],
            "pockets": _POCKETS,
            "neighbours": len(straights) == len(WHEEL),
            "reaches": _reaches({spot.family for spot in view.spots}),
            "groups": tuple(_groups(view.spots)),
            "dealing_template": "games/roulette/_wheel.html",
            "dealing_title": gettext("Wheel"),
            "sheets": ("spots",),
            "scripts": ("wheel",),
            "by_hand": ("race", "spots"),
            "house_rules": house_rules(state.options),
            "history_title": gettext("Last numbers"),
        }


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────


def house_rules(options: Options) -> list[tuple[str, str, str]]:
    """The options of the table in words: what it is about, what the house has chosen, the article."""
    unsaid = {"late_seconds"} if options.bets_close is BetsClose.BEFORE_THROW else set[str]()
    return in_words(options, unsaid)


# ── What everybody sees ─────────────────────────────────────────────────────────────────────────────────────


def _turns(view: View, round_number: int) -> int:
    """Which way the plate turns, clockwise 1: against the ball, which alternates with every throw if the house says."""
    if view.direction is Direction.ALTERNATE:
        return 1 if (round_number + view.spins) % 2 else -1
    return -1 if view.direction is Direction.LEFT_TO_RIGHT else 1


# ── The layout ──────────────────────────────────────────────────────────────────────────────────────────────

ROWS, ACROSS = 12, 3
"""Rows of three numbers; zero lies before the first, the columns behind the last."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A spot of the numbers, with the middle of its place: `across` and `along` the rows, in half a number's cell."""

    spot: SpotView
    across: int
    along: int

    @property
    def css(self) -> str:
        """Where the stylesheet draws it."""
        return f"c{self.across} r{self.along}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as it is printed, and its spot if single numbers are sold."""

    number: int
    colour: str
    across: int
    along: int
    spot: SpotView | None

    @property
    def css(self) -> str:
        """Its colour, and where the stylesheet draws it."""
        return f"number number--{self.colour} c{self.across} r{self.along}"


@dataclass(frozen=True, slots=True)
class Sector:
    """A sector as it is printed on the racetrack: so many numbers, from the first to the last."""

    spot: SpotView
    count: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Pocket:
    """One number of the wheel: where it stands on it (degrees, clockwise from zero), and on the racetrack.

    The racetrack has two shapes: lying, and upright for a phone.
    """

    number: int
    colour: str
    angle: str
    lying: tuple[int, int]
    upright: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Group:
    """The spots of one kind, as the list of all bets shows them."""

    family: Family
    title: str
    odds: str
    spots: tuple[SpotView, ...]


def _sold(spots: Mapping[str, SpotView], *names: str) -> list[SpotView]:
    return [spots[name] for name in names if name in spots]


def place_of(spot: SpotView) -> tuple[int, int] | None:
    """Where a bet on numbers lies among them: on a number, on the edge or the corner that its numbers share."""
    if spot.family in (Family.STREET, Family.LINE) or spot.name == "corner_0":
        if spot.name.startswith("trio"):
            return 2 * spot.covers[1], 2
        rows = [(n + 2) // ACROSS for n in spot.covers]
        return 0, min(rows) + max(rows) + 1
    if spot.family not in (Family.STRAIGHT, Family.SPLIT, Family.CORNER):
        return None
    cells = [_cell(n) for n in spot.covers if n] or [_cell(0)]
    across = sorted({c for c, _ in cells})
    along = sorted({a for _, a in cells})
    if spot.family is Family.SPLIT and 0 in spot.covers:
        return across[0], 2
    return (across[0] + across[-1]) // 2, (along[0] + along[-1]) // 2


def _cell(n: int) -> tuple[int, int]:
    """The middle of a number's cell, in half a cell; zero lies across all three."""
    return (ACROSS, 1) if n == 0 else (2 * ((n - 1) % ACROSS) + 1, 2 * ((n - 1) // ACROSS) + 3)


def _ring(long: int, short: int) -> Iterator[tuple[int, int]]:
    """The cells of the edge of a rectangle, clockwise from the middle of its left side, where zero takes two."""
    yield 1, short // 2
    yield from ((1, y) for y in range(short // 2 - 1, 0, -1))
    yield from ((x, 1) for x in range(2, long + 1))
    yield from ((long, y) for y in range(2, short + 1))
    yield from ((x, short) for x in range(long - 1, 0, -1))
    yield from ((1, y) for y in range(short - 1, short // 2 + 1, -1))


def _upright(cell: tuple[int, int], across: int) -> tuple[int, int]:
    """A quarter turned clockwise: what was the left side is the top."""
    x, y = cell
    return across + 1 - y, x


def _pockets() -> Iterator[Pocket]:
    lying, upright = list(_ring(17, 4)), [_upright(cell, 6) for cell in _ring(15, 6)]
    for place, n in enumerate(WHEEL):
        angle = f"{360 * place / len(WHEEL):.3f}"
        column, row = upright[place]
        yield Pocket(n, colour_of(n), angle, lying[place], (column - (place == 0), row))


_POCKETS = tuple(_pockets())


def _reaches(families: Iterable[Family]) -> list[tuple[str, str]]:
    """What a touch among the numbers may lay: everything, or one kind alone with more room for each spot."""
    words = {
        Family.STRAIGHT: pgettext("bets on the layout", "Numbers"),
        Family.SPLIT: pgettext("bets on the layout", "Splits"),
        Family.CORNER: pgettext("bets on the layout", "Corners"),
        Family.STREET: pgettext("bets on the layout", "Streets"),
        Family.LINE: pgettext("bets on the layout", "Lines"),
    }
    sold = set(families)
    return [("all", pgettext("bets on the layout", "All")), *((f, word) for f, word in words.items() if f in sold)]


def _groups(spots: Sequence[SpotView]) -> Iterator[Group]:
    for family, kind in KINDS.items():
        if own := tuple(spot for spot in spots if spot.family is family):
            yield Group(family, text_of(kind.title), odds_of(kind.odds), own)


# ── The last numbers ────────────────────────────────────────────────────────────────────────────────────────

REMEMBERED = 100
"""Over so many numbers it is counted which have come often, and which seldom."""

LISTED = 18
"""So many of the last numbers are listed."""

MOST_TOLD = 5
"""So many of the hot and of the cold are named."""

IN_LOBBY = 60
"""So many of the last numbers are drawn in the lobby, six below one another."""

DEEP, SIDE = 6, 20
"""Numbers in a column of that drawing, and the side of one in its units."""


@dataclass(frozen=True, slots=True)
class Came:
    """A number, its colour in words and for the drawing, and how often it has come."""

    number: int
    colour: str
    words: str
    times: int = 1


def _numbers(results: Iterable[RoundResult]) -> tuple[int, ...]:
    return tuple(result["number"] for result in results if "number" in result)[-REMEMBERED:]


def _came(n: int, times: int = 1) -> Came:
    return Came(n, colour_of(n), colour_words(n), times)


@lru_cache(maxsize=256)
def _roads(numbers: tuple[int, ...], language: str) -> str:
    """The last numbers, and the hot and the cold among them: drawn once a result and language."""
    hot, cold = hot_and_cold(numbers)
    return _TEMPLATES.fragment(
        "roads",
        numbers=[_came(n) for n in reversed(numbers[-LISTED:])],
        hot=[_came(*one) for one in hot],
        cold=[_came(*one) for one in cold],
        of=len(numbers),
    )


def hot_and_cold(numbers: Sequence[int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The numbers that have come most often and least often, with how often; of equals, the newest is the hotter."""
    if not numbers:
        return [], []
    times = Counter(numbers)
    newest = {n: place for place, n in enumerate(numbers)}
    order = sorted(range(37), key=lambda n: (-times[n], -newest.get(n, -1), n))
    hot = [(n, times[n]) for n in order[:MOST_TOLD] if times[n]]
    return hot, [(n, times[n]) for n in reversed(order[-MOST_TOLD:])]


def road_words(numbers: Sequence[int]) -> str:
    """The last numbers one after the other, the newest last."""
    if not numbers:
        return gettext("No results yet.")
    told = listed([number_words(n) for n in numbers])
    return gettext("The last numbers, the newest last: %(numbers)s.") % {"numbers": told}


@lru_cache(maxsize=256)
def _road(numbers: tuple[int, ...], language: str) -> str:
    """The last numbers, small, drawn once a result and language."""
    return _TEMPLATES.fragment(
        "road",
        marks=[(SIDE * (place // DEEP), SIDE * (place % DEEP), _came(n)) for place, n in enumerate(numbers)],
        width=SIDE * max(-(-len(numbers) // DEEP), 1),
        words=road_words(numbers[-LISTED:]),
    )
