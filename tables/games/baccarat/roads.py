"""The roads that bettors read: the shoe's results so far, as pictures of rows and columns.

All are pure functions of the results of the settled rounds, oldest first, as `result` of the public record gives
them; void rounds leave no mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from .coup import Winner

ROWS = 6


@dataclass(frozen=True, slots=True)
class Bead:
    """One round on the bead plate, in its column and row from 0."""

    column: int
    row: int
    winner: Winner
    player_pair: bool
    banker_pair: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """One win on the big road, with the ties that followed it. `winner` None: the shoe began with ties."""

    column: int
    row: int
    winner: Winner | None
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False


def bead_plate(results: Iterable[Mapping[str, object]]) -> tuple[Bead, ...]:
    """Every round in order, filled downwards, column after column."""
    return tuple(
        Bead(at // ROWS, at % ROWS, winner, player_pair, banker_pair)
        for at, (winner, player_pair, banker_pair) in enumerate(_rounds(results))
    )


def big_road(results: Iterable[Mapping[str, object]]) -> tuple[Mark, ...]:
    """A column for each run of one winner; a run that meets the bottom or another turns right. Ties are only counted.

    Ties before the first win stand on a mark of their own, which the first win then takes over.
    """
    marks: list[Mark] = []
    for winner, player_pair, banker_pair in _rounds(results):
        if winner is Winner.TIE:
            marks = marks or [Mark(0, 0, None)]
            marks[-1] = replace(marks[-1], ties=marks[-1].ties + 1)
        elif marks and marks[-1].winner is None:
            marks = [Mark(0, 0, winner, marks[-1].ties, player_pair, banker_pair)]
        else:
            marks.append(Mark(0, 0, winner, 0, player_pair, banker_pair))
    places = _places(mark.winner for mark in marks)
    return tuple(replace(mark, column=column, row=row) for mark, (column, row) in zip(marks, places, strict=True))


# ── The three roads that are derived from the big road ──────────────────────────────────────────────────────


class Derived(IntEnum):
    """A road that compares columns of the big road; its value is how many columns further left the other one lies."""

    BIG_EYE_BOY = 1
    SMALL_ROAD = 2
    COCKROACH_PIG = 3


@dataclass(frozen=True, slots=True)
class Repeat:
    """One mark of a derived road: red (`regular`) where the big road goes on as before, blue where it does not."""

    column: int
    row: int
    regular: bool


def repeats(results: Iterable[Mapping[str, object]], road: Derived) -> tuple[bool, ...]:
    """What a derived road marks, oldest first: one mark for each win, from its first place of comparison on.

    The columns of the big road are its runs, however long (a tail that turns right belongs to its run). A win that
    begins a column is regular if the column before is as long as the one `road` columns left of that. A win further
    down is regular unless the column `road` columns left of its own ends just above its row.
    """
    runs: list[tuple[Winner, int]] = []
    marks: list[bool] = []
    for winner, *_ in _rounds(results):
        if winner is Winner.TIE:
            continue
        if runs and runs[-1][0] is winner:
            depth = runs[-1][1]
            runs[-1] = winner, depth + 1
            if len(runs) > road:
                marks.append(runs[-1 - road][1] != depth)
        else:
            runs.append((winner, 1))
            if len(runs) > road + 1:
                marks.append(runs[-2][1] == runs[-2 - road][1])
    return tuple(marks)


def derived_road(results: Iterable[Mapping[str, object]], road: Derived) -> tuple[Repeat, ...]:
    """A derived road, laid out as the big road is: a column for each run of one colour."""
    marks = repeats(results, road)
    return tuple(Repeat(*place, regular) for place, regular in zip(_places(marks), marks, strict=True))


def asked(results: Iterable[Mapping[str, object]], winner: Winner) -> dict[Derived, bool | None]:
    """What each derived road would mark next if this hand won; None where it would mark nothing yet."""
    played = list(results)
    after = [*played, {"winner": winner.value, "player_pair": False, "banker_pair": False}]
    answers: dict[Derived, bool | None] = {}
    for road in Derived:
        now, then = repeats(played, road), repeats(after, road)
        answers[road] = then[-1] if len(then) > len(now) else None
    return answers


# ── Where marks stand ───────────────────────────────────────────────────────────────────────────────────────


def _places(kinds: Iterable[object]) -> Iterator[tuple[int, int]]:
    """Column and row of each mark: a run of one kind goes down, and right where it meets the bottom or another."""
    taken: set[tuple[int, int]] = set()
    start = -1  # the column in which the present run began
    column = row = 0
    last: object = None
    for kind in kinds:
        if taken and kind == last:
            down = column == start and row + 1 < ROWS and (column, row + 1) not in taken
            column, row = (column, row + 1) if down else (column + 1, row)
        else:
            start = column = _first_free(taken, start + 1)
            row = 0
        taken.add((column, row))
        last = kind
        yield column, row


def _first_free(taken: set[tuple[int, int]], column: int) -> int:
    while (column, 0) in taken:
        column += 1
    return column


def _rounds(results: Iterable[Mapping[str, object]]) -> Iterator[tuple[Winner, bool, bool]]:
    for result in results:
        if "winner" in result:
            yield Winner(str(result["winner"])), bool(result["player_pair"]), bool(result["banker_pair"])
