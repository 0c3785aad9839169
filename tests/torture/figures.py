"""The figures to reach and the faults to survive, and what a run says of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its number in the catalogue, what is measured, the aim in words and (if a run here judges it) as the
    least number to reach; for what no part measures, what does."""

    number: int
    what: str
    aim: str
    least: int | None = None
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a part has reached of a figure: so many, with so many violations."""

    figure: int
    count: int
    violations: int
    what: str


FIGURES = (
    Figure(1, "points at which a process was killed", "≥ 1,500 over both databases, 0 violations", 1_500),
    Figure(2, "snapshots under chaos", "≥ 5,000 under ≥ 500 faults, 0 violations", 5_000),
    Figure(3, "bets sent one to five times", "≥ 100,000, 0 missing, 0 double", 100_000),
    Figure(4, "schedules of two money operations", "≥ 10,000, 0 violations", 10_000),
    Figure(5, "simulated rounds with faults", "≥ 1,000,000, 0 violations", 1_000_000),
    Figure(6, "takeover by another dealer", "p99 ≤ 5 s, max ≤ 8 s", 200),
    Figure(7, "bets taken again after one fault", "p99: web ≤ 3 s, Redis ≤ 5 s, database ≤ 10 s", 100),
    Figure(8, "resync of a client", "p99 ≤ 2 s, all alike", 100),
    Figure(9, "bets at the close", "≥ 100,000 in ±50 ms, 0 late", 100_000),
    Figure(10, "automatic decisions", "all published, none worse than the rule", elsewhere="tests/regulation"),
    Figure(11, "evidence of chance", "17 families, 9 of 9 broken ones rejected", elsewhere="tests/fairness"),
    Figure(12, "what a stolen memory tells", "one shoe", elsewhere="tests/house/test_sealing.py"),
    Figure(13, "rounds verified by themselves", "all", elsewhere="tests/fairness"),
    Figure(14, "surfaces searched for what nobody may know", "≥ 12 × 4 roles, 0 hits", 12),
    Figure(15, "payouts reckoned a second time", "≥ 1,000,000 rounds, 0 differences", elsewhere="tests.records"),
    Figure(23, "answers beside clients that never read", "p99 + ≤ 10 %", 300),
)
"""Those of the catalogue that concern faults. The others are of the house as it stands, and its tests hold them."""

TIMES = (6, 7, 8, 23)
"""Those of how long something takes: their violations are aims that were missed."""

FAULTS = {
    "chaos": {
        "A1": "a process that serves is killed, stopped and ended under bets",
        "A2": "a dealer is killed at any point of a round",
        "A5": "a dealer freezes for longer than its lease",
        "A7": "both dealers are killed",
        "A8": "a dealer is told to end",
        "A10": "all processes are killed at once",
        "B1": "the database dies as if its machine had",
        "B2": "the database restarts",
        "B3": "connections are cut wherever they are",
        "C1": "Redis is killed and begins anew, empty",
        "C2": "Redis is emptied",
        "C12": "lines of players go dead and come back",
    },
    "storm": {
        "C13": "all lines are lost at once: served within 10 s",
        "C14": "clients that never read: others wait no longer",
    },
    "simulator": {
        "C7": "announcements lost without a word",
        "C9": "announcements doubled and overtaken",
        "D1": "a bet that comes twice",
        "D4": "deeds that come too late, or for another round",
    },
    "schedules": {
        "B7": "deadlocks, and what cannot be put in an order",
        "F1": "a bet and the close",
        "F2": "a bet that pauses across the close",
        "F4": "two bets of the last chips",
        "F5": "settled twice at once",
        "F6": "settled and void at once",
        "F7": "an adjustment and a bet",
        "F12": "a decision and the end of its time",
    },
    "deadline": {
        "D1": "a bet that comes up to five times",
        "D2": "a bet of a round that is over",
        "F1": "a bet within 50 ms of the close",
        "G1": "a bet before the dealer has come, by a clock past the close",
    },
    "crash": {
        "A3": "killed between any two statements, and round COMMIT",
        "A4": "killed after COMMIT, before it is said",
    },
}
"""By part, the faults of the catalogue that it puts the house through."""


def table_of(reached: Iterable[Reached], parts: Sequence[str]) -> tuple[str, bool]:
    """The table of figures, and whether one that was measured is missed."""
    found: dict[int, list[Reached]] = {}
    for one in reached:
        found.setdefault(one.figure, []).append(one)
    lines = [("", "figure", "aim", "reached", "")]
    missed = False
    for figure in FIGURES:
        mine = found.get(figure.number, [])
        count, wrong = sum(one.count for one in mine), sum(one.violations for one in mine)
        if not mine:
            lines.append((str(figure.number), figure.what, figure.aim, figure.elsewhere or "not in this run", ""))
            continue
        good = not wrong and (figure.least is None or count >= figure.least)
        missed |= not good
        missing = "too slow" if figure.number in TIMES else "violations"
        said = f"{count:,}, {wrong:,} {missing} ({'; '.join(one.what for one in mine)})"
        verdict = "MISSED" if not good else "met" if figure.least is not None else "not judged"
        lines.append((str(figure.number), figure.what, figure.aim, said, verdict))
    return _laid_out(lines), missed


def faults_of(
    survived: Mapping[str, bool], tried: Mapping[str, Collection[str]], details: Mapping[str, Mapping[str, str]]
) -> str:
    """Each fault with its verdict; by part, whether the house survived it, which faults it has tried, and what more it
    says of them."""
    lines = [("fault", "", "part", "")]
    for part, good in survived.items():
        for name, what in FAULTS[part].items():
            verdict = "not tried" if name not in tried[part] else "survived" if good else "NOT SURVIVED"
            more = details[part].get(name, "")
            lines.append((name, what, part, f"{verdict} ({more})" if more else verdict))
    return _laid_out(lines)


def _laid_out(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    rows.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(rows)
