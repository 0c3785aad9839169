"""The watch over chance: what came on each day beside what should have, and the last report of evidence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tables.base.rights import Right
from tables.felt.formatting import number
from tables.games.values.words import Words, say
from tables.proof.evidence import LEVEL, Finding, watch
from tables.proof.evidence.watch import WINDOW, WatchedDay

from .gate import staff_page

REPORT = "chance-evidence.json"
"""What `manage.py chance_evidence` writes into `VAR_DIR`."""

TESTS: Mapping[str, Words] = {
    "pockets": say("Pockets"),
    "distances on the wheel": say("Distances on the wheel"),
    "faces": say("Faces of the dice"),
    "totals": say("Totals of the dice"),
    "faces that come again": say("Faces that come again"),
    "quarters of a pack": say("Cards in the quarters of a shoe"),
    "cards dealt": say("Cards dealt"),
}
"""What is counted of each day."""

FAMILIES: Mapping[str, Words] = {
    "frequencies": say("Frequencies"),
    "serial": say("Serial"),
    "runs": say("Runs"),
    "gaps": say("Gaps"),
    "poker": say("Poker of five dice"),
    "coupon collector": say("Coupon collector"),
    "permutations": say("Permutations"),
    "birthday spacings": say("Birthday spacings"),
    "matrix rank": say("Rank of matrices"),
    "spectral": say("Spectral"),
    "positions of cards": say("Positions of cards"),
    "pairs of neighbours": say("Pairs of neighbours"),
    "cut distances": say("Distances of cuts"),
    "wheel sectors": say("Sectors of the wheel"),
    "dice sums": say("Sums of dice"),
    "chi-square over days": say("Chi-square over days"),
    "Kolmogorov–Smirnov of the p-values": say("Kolmogorov–Smirnov of the p-values"),
}
"""The families of tests of a report."""

SOURCES: Mapping[str, Words] = {
    "the house's dealers": say("The house’s dealers"),
    "the proof format": say("The proof format"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was tested: how much there was of it, and the p-values, corrected; empty where too little came."""

    says: Words
    drawn: int | None
    alone: str
    month: str
    refused: bool


@dataclass(frozen=True, slots=True)
class ShownDay:
    day: date
    passed: bool
    tested: bool
    """Whether enough came for any test."""
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One source of a report: each family with the smallest of its corrected p-values."""

    says: Words
    draws: int
    passed: bool
    lines: tuple[Line, ...]


@staff_page(Right.WATCH)
def chance(request: HttpRequest) -> HttpResponse:
    """The days that were looked at last, and the report of evidence that was written last."""
    written, sources = _report(Path(settings.VAR_DIR) / REPORT)
    context = {
        "place": "reports",
        "days": [_shown(each) for each in watch.last_days()],
        "window": WINDOW,
        "level": number(round(1 / LEVEL)),
        "written": written,
        "sources": sources,
    }
    return render(request, "pit/chance.html", context)


def _shown(one: WatchedDay) -> ShownDay:
    found = {(each.family, each.name): each for each in one.findings}
    lines = tuple(
        Line(
            says,
            one.tallies[name].total,
            _p(found.get(("the day", name))),
            _p(found.get(("the month", name))),
            any(each.refused for each in one.findings if each.name == name),
        )
        for name, says in TESTS.items()
    )
    return ShownDay(one.day, one.passed, bool(one.findings), lines)


def _p(found: Finding | None) -> str:
    return "" if found is None else f"{found.corrected:.3g}"


def _report(path: Path) -> tuple[datetime | None, list[ShownSource]]:
    """When the last report was written and what it says; nothing if there is none, or none that can be read."""
    try:
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return written, [_source(one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, LookupError, TypeError):
        return None, []


def _source(one: Mapping[str, object]) -> ShownSource:
    tests = one["tests"]
    assert isinstance(tests, list)
    lines = tuple(_family(says, [each for each in tests if each["family"] == name]) for name, says in FAMILIES.items())
    name, draws = str(one["source"]), one["draws"]
    assert isinstance(draws, int)
    return ShownSource(SOURCES.get(name, say(name)), draws, bool(one["passed"]), lines)


def _family(says: Words, tests: Iterable[Mapping[str, float]]) -> Line:
    found = list(tests)
    least = min((each["corrected"] for each in found), default=1.0)
    return Line(says, len(found), f"{least:.3g}", "", any(each["refused"] for each in found))
