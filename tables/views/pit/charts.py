"""Plain drawings of figures: where everything lies, in the units of the drawing; the templates draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from tables.felt.formatting import short_credits
from tables.queries.round_figures import Figures

WIDTH = 960
LEFT = 150
"""So much is for the names at the left; the rest is the scale."""
RIGHT = 24
ROW = 34
HEAD = 30
TICKS = 5
"""About so many lines on a scale."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale and what it stands for."""

    at: int
    says: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a drawing: the band and the middle of what was to be expected, and what came; or nothing."""

    name: str
    y: int
    figures: Figures
    low: int = 0
    width: int = 0
    middle: int = 0
    came: int = 0
    from_zero: int = 0
    length: int = 0

    @property
    def text_y(self) -> int:
        return self.y + ROW // 2 + 5

    @property
    def centre(self) -> int:
        return self.y + ROW // 2


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing: rows under a scale."""

    rows: tuple[Row, ...]
    ticks: tuple[Tick, ...]
    zero: int
    height: int
    width: int = WIDTH
    left: int = LEFT


def of_wins(named: Sequence[tuple[str, Figures]]) -> Chart | None:
    """Each win beside the theoretical with its band; None if nothing was played anywhere."""
    played = [figures for _, figures in named if figures.rounds]
    if not played:
        return None
    ends = [end for figures in played for end in (*figures.band, figures.reckoned_win)]
    scale = _Scale(min(0, *ends), max(0, *ends))
    rows = []
    for at, (name, figures) in enumerate(named):
        low, high = figures.band
        x = scale.at(low)
        rows.append(
            Row(
                name=name,
                y=HEAD + at * ROW,
                figures=figures,
                low=x,
                width=max(scale.at(high) - x, 1),
                middle=scale.at(figures.theoretical),
                came=scale.at(figures.reckoned_win),
            )
        )
    return _chart(rows, scale)


def of_drops(named: Sequence[tuple[str, Figures]]) -> Chart | None:
    """Each drop, and the win that was kept of it; None if nothing was staked anywhere."""
    if not any(figures.drop for _, figures in named):
        return None
    ends = [end for _, figures in named for end in (figures.drop, figures.win)]
    scale = _Scale(min(0, *ends), max(0, *ends))
    zero = scale.at(0)
    rows = []
    for at, (name, figures) in enumerate(named):
        won = scale.at(figures.win)
        rows.append(
            Row(
                name=name,
                y=HEAD + at * ROW,
                figures=figures,
                low=zero,
                width=scale.at(figures.drop) - zero,
                from_zero=min(won, zero),
                length=abs(won - zero),
            )
        )
    return _chart(rows, scale)


def of_hours(named: Sequence[tuple[str, Figures, int]]) -> Chart | None:
    """The win of each hour beside the theoretical, and beside the win of that hour on the day before (the third); None
    if nothing was done on either day."""
    if not named:
        return None
    ends = [end for _, figures, before in named for end in (figures.win, figures.theoretical, before)]
    scale = _Scale(min(0, *map(floor, ends)), max(0, *map(ceil, ends)))
    zero, rows = scale.at(0), []
    for at, (name, figures, before) in enumerate(named):
        won, then = scale.at(figures.win), scale.at(before)
        rows.append(
            Row(
                name=name, y=HEAD + at * ROW, figures=figures, middle=scale.at(figures.theoretical),
                from_zero=min(won, zero), length=abs(won - zero), low=min(then, zero), width=abs(then - zero),
            )
        )  # fmt: skip
    return _chart(rows, scale)


def _chart(rows: Sequence[Row], scale: _Scale) -> Chart:
    return Chart(tuple(rows), scale.ticks(), scale.at(0), HEAD + len(rows) * ROW + 8)


class _Scale:
    """Cents along the width of a drawing, with round numbers of credits at its lines."""

    def __init__(self, low: int, high: int) -> None:
        self.step = _round_step(max(high - low, 100))
        self.low = low // self.step * self.step
        self.high = max(-(-high // self.step) * self.step, self.low + self.step)

    def at(self, cents: int | Fraction) -> int:
        return LEFT + int((cents - self.low) * (WIDTH - LEFT - RIGHT) / (self.high - self.low))

    def ticks(self) -> tuple[Tick, ...]:
        return tuple(Tick(self.at(cents), _short(cents)) for cents in range(self.low, self.high + 1, self.step))


def _round_step(span: int) -> int:
    """1, 2 or 5 and noughts, so that about five of them make this span; whole credits."""
    step = 100
    while True:
        for factor in (1, 2, 5):
            if step * factor * TICKS >= span:
                return step * factor
        step *= 10


def _short(cents: int) -> str:
    return f"−{short_credits(-cents)}" if cents < 0 else short_credits(cents)
