"""Figures and the one table they are printed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median


def percentile(values: Iterable[float], share: float) -> float:
    """The value that `share` (0 to 1) of `values` do not exceed: one of them, never something between two."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure should be: at most or at least so much, by itself or as a multiple of its baseline."""

    limit: float
    of_baseline: bool = False
    at_least: bool = False

    def met(self, value: float, baseline: float | None) -> bool:
        """Whether `value` keeps it."""
        if self.of_baseline:
            if not baseline:
                return False
            value /= baseline
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.limit:,.7g}{' ×' if self.of_baseline else ''}"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside its baseline. `runs` are the figures of the single runs, of which `value` is the median."""

    part: str
    what: str
    value: float
    unit: str
    beside: str = ""
    baseline: float | None = None
    aim: Aim | None = None
    runs: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """How many times its baseline it is."""
        return self.value / self.baseline if self.baseline else None

    @property
    def verdict(self) -> str:
        """Whether the aim is met; empty without one."""
        if self.aim is None:
            return ""
        return "met" if self.aim.met(self.value, self.baseline) else "MISSED"


def of_runs(
    part: str,
    what: str,
    runs: Sequence[float],
    unit: str,
    *,
    beside: str = "",
    baselines: Sequence[float] = (),
    aim: Aim | None = None,
) -> Row:
    """The row of several runs: their median, beside the median of the baseline's runs."""
    baseline = median(baselines) if baselines else None
    return Row(part, what, median(runs), unit, beside, baseline, aim, tuple(runs))


def number(value: float | None) -> str:
    """Three figures that matter, or the whole number where it has more."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def printed(rows: Sequence[Row]) -> str:
    """The table, for a terminal and (its bars are pipes) for a document."""
    head = ("what", "here", "runs", "", "beside", "baseline", "×", "aim", "")
    lines: list[tuple[str, ...]] = [head]
    part = ""
    for row in rows:
        if row.part != part:
            part = row.part
            lines.append((f"**{part}**", *[""] * 8))
        spread = f"{number(min(row.runs))}-{number(max(row.runs))}" if len(row.runs) > 1 else ""
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}" if row.ratio >= 0.01 else f"{row.ratio:.1g}"
        aim = "" if row.aim is None else str(row.aim)
        lines.append(
            (row.what, number(row.value), spread, row.unit, row.beside, number(row.baseline), ratio, aim, row.verdict)
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    right = {1, 2, 5, 6}

    def laid(line: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return "| " + " | ".join(cells) + " |"

    rule = (
        "|"
        + "|".join("-" * (width + 1) + (":" if column in right else "-") for column, width in enumerate(widths))
        + "|"
    )
    return "\n".join([laid(lines[0]), rule, *map(laid, lines[1:])])
