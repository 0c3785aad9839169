"""The roads of Baccarat, drawn: few paths for all marks, because each round sends them to everybody at the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop, pgettext

from tables.felt.contract import RoundResult
from tables.felt.formatting import listed, mark
from tables.games.baccarat.coup import Winner
from tables.games.baccarat.roads import Bead, Derived, Mark, asked, bead_plate, big_road, derived_road, repeats

CELL = 20
"""The side of a cell of a road, in units of its drawing."""

MIDDLE, BASELINE = 10, 14
"""Where the dot of a cell lies, and where its letter stands, from its corner."""

MOST_COLUMNS = 40
"""Older columns of a road are not drawn."""


@dataclass(frozen=True, slots=True)
class Wins:
    """All results of one kind in a road: their dots as one path, and their letters with the place of each."""

    winner: str
    dots: str
    letters: str
    across: str
    down: str

    @classmethod
    def of(cls, winner: Winner, cells: Sequence[tuple[int, int]]) -> Wins:
        across = " ".join(str(x + MIDDLE) for x, _ in cells)
        down = " ".join(str(y + BASELINE) for _, y in cells)
        return cls(winner, _dots(cells, MIDDLE), letter(winner) * len(cells), across, down)


@dataclass(frozen=True, slots=True)
class Road:
    """One road, drawn: its newest columns. `words` tells its end to whoever does not see it.

    A few paths for all results, however many there are: each round sends the roads to everybody at the table.
    """

    title: str
    words: str
    width: int
    wins: tuple[Wins, ...]
    holes: str
    """What makes rings of the dots."""
    ties: str
    several: tuple[tuple[int, int, int], ...]
    """Where more ties than one followed a win, and how many."""
    banker_pairs: str
    player_pairs: str

    @classmethod
    def bead(cls, results: Sequence[RoundResult], words: str) -> Road:
        return cls._of(bead_plate(results), gettext("Bead plate."), words, rings=False)

    @classmethod
    def big(cls, results: Sequence[RoundResult], words: str) -> Road:
        return cls._of(big_road(results), gettext("Big road."), words, rings=True)

    @classmethod
    def _of(cls, marks: Sequence[Bead | Mark], title: str, words: str, *, rings: bool) -> Road:
        columns = max((mark.column for mark in marks), default=0) + 1
        first = max(0, columns - MOST_COLUMNS)
        shown = [(mark, (mark.column - first) * CELL, mark.row * CELL) for mark in marks if mark.column >= first]
        ties = [(x, y, mark.ties) for mark, x, y in shown if isinstance(mark, Mark) and mark.ties]
        return cls(
            title,
            words,
            (columns - first) * CELL,
            tuple(
                Wins.of(winner, cells)
                for winner in Winner
                if (cells := [(x, y) for mark, x, y in shown if mark.winner is winner])
            ),
            _dots([(x, y) for mark, x, y in shown if mark.winner], MIDDLE) if rings else "",
            "".join(f"M{x + 3} {y + 17}l14-14" for x, y, _ in ties),
            tuple((x + 16, y + 19, times) for x, y, times in ties if times > 1),
            _dots([(x, y) for mark, x, y in shown if mark.banker_pair], 4),
            _dots([(x, y) for mark, x, y in shown if mark.player_pair], 16),
        )


def _dots(cells: Iterable[tuple[int, int]], at: int) -> str:
    """A path of nothing but ends, so far from the corner of each cell: with round ones it is a row of dots."""
    return "".join(f"M{x + at} {y + at}h0" for x, y in cells)


HALF = CELL // 2
"""The side of a cell of a derived road."""

MOST_HALF_COLUMNS = 60

SLUGS = {Derived.BIG_EYE_BOY: "eye", Derived.SMALL_ROAD: "small", Derived.COCKROACH_PIG: "pig"}

TITLES = {
    Derived.BIG_EYE_BOY: gettext_noop("Big eye boy"),
    Derived.SMALL_ROAD: gettext_noop("Small road"),
    Derived.COCKROACH_PIG: gettext_noop("Cockroach pig"),
}


def _shape(road: Derived, x: int, y: int, *, regular: bool) -> str:
    """One mark from the corner of its cell: red and blue differ in shape as well.

    Big eye boy: a ring, or a ring with a dot. Small road: a dot, or a square. Cockroach pig: a stroke up, or down.
    """
    if road is Derived.COCKROACH_PIG:
        return f"M{x + 2} {y + 8}l6-6" if regular else f"M{x + 2} {y + 2}l6 6"
    if road is Derived.SMALL_ROAD:
        return f"M{x + 2} {y + 5}a3 3 0 1 1 6 0a3 3 0 1 1-6 0" if regular else f"M{x + 2} {y + 2}h6v6h-6z"
    ring = f"M{x + 2} {y + 5}a3 3 0 1 1 6 0a3 3 0 1 1-6 0"
    return ring if regular else f"{ring}M{x + 5} {y + 5}h0"


@dataclass(frozen=True, slots=True)
class Small:
    """A derived road, drawn: its newest columns, the paths of its red and its blue marks, and its end in words."""

    slug: str
    title: str
    words: str
    width: int
    red: str
    blue: str

    @classmethod
    def of(cls, road: Derived, results: Sequence[RoundResult]) -> Small:
        marks = derived_road(results, road)
        columns = max((mark.column for mark in marks), default=0) + 1
        first = max(0, columns - MOST_HALF_COLUMNS)
        red, blue = (
            "".join(
                _shape(road, (mark.column - first) * HALF, mark.row * HALF, regular=regular)
                for mark in marks
                if mark.column >= first and mark.regular is regular
            )
            for regular in (True, False)
        )
        told = [colour(regular) for regular in repeats(results, road)[-12:]]
        words = gettext("The last marks, the newest last: %(marks)s.") % {"marks": listed(told)} if told else ""
        return cls(SLUGS[road], gettext(TITLES[road]), words, (columns - first) * HALF, red, blue)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the derived roads would mark next if a hand won: of each its slug, its path, and whether it is red."""

    winner: str
    glyph: str
    title: str
    words: str
    marks: tuple[tuple[str, str, bool | None], ...]

    @classmethod
    def of(cls, winner: Winner, results: Sequence[RoundResult]) -> Asked:
        answers = asked(results, winner)
        title = gettext("If the Player wins") if winner is Winner.PLAYER else gettext("If the Banker wins")
        none_yet = gettext("no mark yet")
        said = [
            gettext(TITLES[road]) + mark(":") + (none_yet if answer is None else colour(answer))
            for road, answer in answers.items()
        ]
        marks = tuple(
            (SLUGS[road], "" if answer is None else _shape(road, 0, 0, regular=answer), answer)
            for road, answer in answers.items()
        )
        return cls(winner.value, "閒" if winner is Winner.PLAYER else "莊", title, listed(said), marks)


def colour(regular: bool) -> str:
    """The colour of a mark on a derived road, as it is called."""
    return pgettext("mark of a road", "red") if regular else pgettext("mark of a road", "blue")


@dataclass(frozen=True, slots=True)
class Roads:
    """All roads of a shoe, what the derived ones would mark next, and how often each has won."""

    bead: Road
    big: Road
    derived: tuple[Small, ...]
    asked: tuple[Asked, ...]
    counts: tuple[tuple[str, str, int], ...]

    @classmethod
    def of(cls, results: Sequence[RoundResult]) -> Roads:
        words = road_words(results)
        played = [result["winner"] for result in results if "winner" in result]
        return cls(
            Road.bead(results, words),
            Road.big(results, words),
            tuple(Small.of(road, results) for road in Derived),
            tuple(Asked.of(winner, results) for winner in (Winner.PLAYER, Winner.BANKER)),
            tuple((winner, letter(winner), played.count(winner)) for winner in ("player", "banker", "tie")),
        )


def letter(winner: str) -> str:
    """What stands in a road for a result, so that nobody must tell it by its colour."""
    if winner == "player":
        return pgettext("road", "P")
    return pgettext("road", "B") if winner == "banker" else pgettext("road", "T")


def names_of_winners() -> dict[str, str]:
    """Who wins a round, in words."""
    return {"player": gettext("Player"), "banker": gettext("Banker"), "tie": gettext("Tie")}


def road_words(results: Sequence[RoundResult]) -> str:
    """The last results one after the other, the newest last."""
    names = names_of_winners()
    played = [names[result["winner"]] for result in results if "winner" in result]
    if not played:
        return gettext("No results yet in this shoe.")
    return gettext("The last results, the newest last: %(results)s.") % {"results": listed(played[-20:])}
