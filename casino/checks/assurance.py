"""The pages of docs/assurance/: each clause of a standard has a verdict, and the head of the page counts them right.

What a page names in code, tests too, `casino.checks.documents` looks for, as in every document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

MET, NOT_APPLICABLE, NOT_MET = VERDICTS = ("met", "not applicable", "not met")
WHOLE = {
    "asvs.md": {"1": 70, "2": 183},
    "faults.md": {"A": 14, "B": 16, "C": 15, "D": 18, "E": 10, "F": 14, "G": 6, "J": 10, "K": 8, "W": 21},
}
"""How many clauses of each group a standard has: a row cannot go and take its count along."""

COUNTS = ("met", "not applicable", "not met", "all")
CLAUSES = ("asks", "verdict", "shown by")
SHOWS = re.compile(r"`[^`]+`|\]\([^)]+\)")
PART = re.compile(r"\d+|[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Clause:
    """A row of a page: one clause of the standard."""

    line: int
    number: str
    group: str
    """What it is counted under: its level, or its chapter where the standard has no levels."""
    asks: str
    verdict: str
    reason: str
    shown_by: str


def complaints(folder: Path) -> Iterator[str]:
    """Everything that is wrong with the pages in `folder`."""
    for page in sorted(folder.glob("*.md")):
        for what in complaints_about(page.read_text(), WHOLE.get(page.name)):
            yield f"{page}{what}"


def complaints_about(text: str, whole: dict[str, int] | None = None) -> Iterator[str]:
    """Complaints about one page, each beginning with `:line: `. `whole` is how many clauses each group must have."""
    clauses = list(clauses_of(text))
    for clause in clauses:
        where = f":{clause.line}: {clause.number}"
        if clause.verdict not in VERDICTS:
            yield f"{where} has no verdict (one of: {', '.join(VERDICTS)})"
        elif clause.verdict == MET and not SHOWS.search(clause.shown_by):
            yield f"{where} is met, and nothing is named that shows it"
        elif clause.verdict != MET and not clause.reason:
            yield f"{where} is {clause.verdict}, and it is not said why"
        if not clause.asks:
            yield f"{where} does not say what is asked"
    for before, after in pairwise(clauses):
        if order(after.number) <= order(before.number):
            yield f":{after.line}: {after.number} stands after {before.number}"
    counted = counts_of(clauses)
    claimed = dict(claims_of(text))
    for group in sorted(counted.keys() | claimed.keys()):
        if claimed.get(group) != counted.get(group):
            yield f":1: the head says {_said(claimed.get(group))} of {group}; the rows say {_said(counted.get(group))}"
    for group, number in (whole or {}).items():
        there = sum(clause.group == group for clause in clauses)
        if there != number:
            yield f":1: the standard has {number} clauses of {group}; here are {there}"


def clauses_of(text: str) -> Iterator[Clause]:
    """The rows of all tables that have the columns `asks`, `verdict` and `shown by`. The first column is the number."""
    for header, line, cells in rows(text):
        if set(CLAUSES) <= set(header):
            said = dict.fromkeys(header, "") | dict(zip(header, cells, strict=False))
            number = cells[0]
            verdict, _, reason = said["verdict"].partition(":")
            yield Clause(
                line=line,
                number=number,
                group=said.get("level", chapter_of(number)),
                asks=said["asks"],
                verdict=verdict.strip(),
                reason=reason.strip(),
                shown_by=said["shown by"],
            )


def claims_of(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What the head of a page says: of each group how many are met, not applicable, not met, and all."""
    for header, _, cells in rows(text):
        if tuple(header[1:]) == COUNTS and all(cell.isdecimal() for cell in cells[1:]):
            yield cells[0], tuple(int(cell) for cell in cells[1:])


def counts_of(clauses: list[Clause]) -> dict[str, tuple[int, ...]]:
    """What it should say; `all` is the sum."""
    each = Counter((group, clause.verdict) for clause in clauses for group in (clause.group, "all"))
    groups = {group for group, _ in each}
    return {
        group: (*(each[group, verdict] for verdict in VERDICTS), sum(each[group, verdict] for verdict in VERDICTS))
        for group in groups
    }


def rows(text: str) -> Iterator[tuple[list[str], int, list[str]]]:
    """Of each row of each table: the names of its columns, its line, its cells."""
    header: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not header:
            header = cells
        elif not all(set(cell) <= set("-: ") and cell for cell in cells):
            yield header, number, cells


def chapter_of(number: str) -> str:
    """What a clause is part of where a standard has no levels: 1 of 1.10, B of B.1 and of B12."""
    first = PART.match(number)
    return first[0] if first else ""


def order(number: str) -> list[tuple[int, int, str]]:
    """Sorts 1.2 before 1.10, chapters before appendices, and a clause before its parts."""
    parts = PART.findall(number)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def _said(counts: tuple[int, ...] | None) -> str:
    return "nothing" if counts is None else ", ".join(f"{n} {name}" for n, name in zip(counts, COUNTS, strict=True))
