"""The roads that bettors read: the shoe's results so far, as pictures of rows and columns.

Both are pure functions of the results of the settled rounds, oldest first, as `result` of the public record gives
them; void rounds leave no mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

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
    taken: set[tuple[int, int]] = set()
    start = 0  # the column in which the present run began
    for winner, player_pair, banker_pair in _rounds(results):
        last = marks[-1] if marks else None
        if winner is Winner.TIE:
            if last is None:
                marks.append(Mark(0, 0, None, ties=1))
                taken.add((0, 0))
            else:
                marks[-1] = replace(last, ties=last.ties + 1)
            continue
        if last is None or last.winner is None:
            marks[:] = [Mark(0, 0, winner, last.ties if last else 0, player_pair, banker_pair)]
            taken.add((0, 0))
            continue
        if winner is last.winner:
            turned = last.column > start
            down = not turned and last.row + 1 < ROWS and (last.column, last.row + 1) not in taken
            column, row = (last.column, last.row + 1) if down else (last.column + 1, last.row)
        else:
            start = column = _first_free(taken, start + 1)
            row = 0
        taken.add((column, row))
        marks.append(Mark(column, row, winner, 0, player_pair, banker_pair))
    return tuple(marks)


def _first_free(taken: set[tuple[int, int]], column: int) -> int:
    while (column, 0) in taken:
        column += 1
    return column


def _rounds(results: Iterable[Mapping[str, object]]) -> Iterator[tuple[Winner, bool, bool]]:
    for result in results:
        if "winner" in result:
            yield Winner(str(result["winner"])), bool(result["player_pair"]), bool(result["banker_pair"])
