"""Evidence of chance: what the dealing code draws, put through many tests, and a report of what they found.

`manage.py chance_evidence` writes it; `watch` puts what the tables drew on each day to the test. A source is refused if
any test is so far off that an honest source would be refused once in 100,000 reports, after correction for the number
of tests (Holm).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.games.values.json import JsonObject

from .families import FAMILIES
from .sources import Source, draw

LEVEL = 1e-5


@dataclass(frozen=True, slots=True)
class Finding:
    """One test: its p-value, and that corrected for the number of all tests."""

    family: str
    name: str
    p: float
    corrected: float

    @property
    def refused(self) -> bool:
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found of one source."""

    source: str
    draws: int
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return not any(finding.refused for finding in self.findings)

    @property
    def text(self) -> str:
        """For people: a line a test."""
        tests = [
            f"  {each.family:36}{each.name:28}{each.p:12.3g}{each.corrected:12.3g}{'  REFUSED' if each.refused else ''}"
            for each in self.findings
        ]
        head = f"{self.source}: {self.draws:,} draws, {len(FAMILIES)} families, {len(self.findings)} tests"
        columns = f"  {'family':36}{'test':28}{'p':>12}{'corrected':>12}"
        end = f"  {'passed' if self.passed else 'REFUSED'}, at a level of {LEVEL:g} for all tests together"
        return "\n".join((head, columns, *tests, end, ""))

    @property
    def json(self) -> JsonObject:
        """For programs."""
        names = ("family", "name", "p", "corrected", "refused")
        tests = [{name: getattr(finding, name) for name in names} for finding in self.findings]
        return {"source": self.source, "draws": self.draws, "level": LEVEL, "passed": self.passed, "tests": tests}


def evidence(name: str, source: Source, draws: int) -> Evidence:
    """What all families find of this source in so many draws."""
    sample = draw(source, draws)
    found = [(family, *each) for family, tests in FAMILIES.items() for each in tests(sample)]
    return Evidence(name, draws, corrected(found))


def corrected(found: Sequence[tuple[str, str, float]]) -> tuple[Finding, ...]:
    """Families, tests and their p-values, corrected for their number (Holm)."""
    by_place: dict[int, float] = {}
    largest = 0.0
    for at, place in enumerate(sorted(range(len(found)), key=lambda place: found[place][2])):
        largest = max(largest, min(1.0, found[place][2] * (len(found) - at)))
        by_place[place] = largest
    return tuple(Finding(*each, by_place[place]) for place, each in enumerate(found))
