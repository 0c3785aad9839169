"""`make torture`: what the house is put through, and the figures that it reaches (docs/torture.md).

make torture                                     every part, on both databases, in at most 40 minutes
make torture ARGS="--part crash"                 one part (may be repeated)
make torture ARGS="--part chaos --seconds 120"   in less time, of the parts that go on for as long as they may
make torture ARGS="--part crash --seed 7 --database sqlite"    what a run said, again: same commit, same seed
make torture ARGS="--part crash --broken another-key"          a fault that is built in; status 0 if it is noticed

Ends with status 1 if a figure that was measured is missed, if a built-in fault went unnoticed, or if a part broke off.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg

from casino.embedded import Valkey
from tests.bench.places import BASE, Databases, Postgres, Sqlite
from tests.house import database_server

from .figures import FAULTS, Reached, faults_of, table_of

LONGEST_S, GRACE_S = 2_300, 60
"""Seconds after which parts end, and for which they may still do what they have begun: 40 minutes at the most."""

SHOWN = 10
"""Violations that are printed of each part; the first says how to see it again."""


@dataclass(frozen=True)
class Part:
    """A part of the rig: what it counts, by the figure that this is of (without a figure, it says by itself what it has
    reached); on which databases it runs, and the faults that can be built in, each with what makes the part short for
    it; how many processes share it, each with a seed; for how long it goes on (None: until it is done). One that is
    `alive` is a house of processes: those come one after the other, and all else gives way to them. One that is
    `patient` has the whole run, and of it what nobody else wants: where others wait, and what is left in the end. What
    makes it short `beside` the other parts, so that each has its time."""

    counts: Mapping[int, str]
    databases: tuple[str, ...]
    broken: Mapping[str, tuple[str, ...]]
    processes: int = 1
    seconds: int | None = None
    alive: bool = False
    patient: bool = False
    beside: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What it mainly counts."""
        return next(iter(self.counts.values()))


BOTH, NONE, OWN = ("sqlite", "postgresql"), "none", "own"
"""OWN: a PostgreSQL server of the part's own, that it can kill; a database on the given one where there can be none."""

PARTS = {
    "chaos": Part(
        {0: "snapshots"},
        (OWN,),
        {
            "money-by-itself": ("--seconds", "40"),
            "long-lease": ("--seconds", "10", "--fault", "dealer-killed"),
            "loose-tongue": ("--seconds", "20", "--fault", "lines-cut"),
        },
        seconds=1_340,
        alive=True,
    ),
    "storm": Part({0: "clients"}, (OWN,), {}, alive=True),
    "schedules": Part(
        {4: "schedules"},
        ("postgresql",),
        dict.fromkeys(("round-unlocked", "accounts-unlocked"), ("--stage", "decision", "--pairs", "4")),
        seconds=1_560,
        beside=("--pairs", "12"),
    ),
    "deadline": Part({3: "bets", 9: "near"}, BOTH, dict.fromkeys(("no-deadline", "another-key"), ("--bets", "2000"))),
    "crash": Part(
        {1: "points"},
        BOTH,
        dict.fromkeys(("money-by-itself", "another-key", "hasty-answer"), ("--game", "roulette", "--every", "3")),
        beside=("--every", "3"),
    ),
    "simulator": Part(
        {5: "rounds", 15: "compared"},
        (NONE,),
        dict.fromkeys(("another-key", "deaf", "forgotten", "lost-prize"), ("--rounds", "4800")),
        processes=2,
        seconds=LONGEST_S,
        patient=True,
    ),
}
"""In the order in which they begin."""


@dataclass(frozen=True)
class Job:
    """One run of a part, on one database."""

    part: str
    database: str
    seed: int
    broken: str = ""
    more: tuple[str, ...] = ()

    @property
    def again(self) -> str:
        """How to run it again."""
        on = f" --database {self.database}" if self.database in BOTH else ""
        return f"--part {self.part}{on} --seed {self.seed}" + (f" --broken {self.broken}" if self.broken else "")


@dataclass(frozen=True)
class Ran:
    """What came of it; None if it broke off."""

    job: Job
    found: dict[str, Any] | None
    seconds: float


def jobs_of(parts: Sequence[str], databases: Sequence[str], seed: int, broken: str) -> Iterator[Job]:
    """What is to be run: each part, then each of its built-in faults; the one that is named alone. Beside other parts,
    what is built in is looked for on one database: it puts the rig to the test, which is the same for both."""
    for name, part in PARTS.items():
        if name not in parts:
            continue
        there = [database for database in part.databases if database in (NONE, *databases)]
        for database in there:
            if not broken:
                for at in range(part.processes):
                    yield Job(name, database, seed + at, more=part.beside if len(parts) > 1 else ())
            for fault, short in part.broken.items():
                if broken == fault or (not broken and (len(parts) == 1 or database == there[0])):
                    yield Job(name, database, seed, fault, short)


@dataclass(frozen=True)
class Where:
    """Where all parts run: the databases, of each kind an empty one to copy, and a Redis; until when."""

    kinds: Mapping[str, Databases]
    templates: Mapping[str, str]
    redis: str
    folder: Path
    until: float
    seconds: int | None = None

    def url(self, database: str) -> str:
        """A database of its own for a part; one that has none only names a file."""
        if database == NONE or (database == OWN and "postgresql" not in self.kinds):
            return f"sqlite:///{self.folder / 'none.sqlite3'}"
        if database == OWN:
            return self.kinds["postgresql"].fresh()
        return self.kinds[database].copy(self.templates[database])


def run(job: Job, where: Where) -> Ran:
    """Run it in a process of its own, on a copy of an empty database."""
    began, part = perf_counter(), PARTS[job.part]
    give_way = [] if part.alive else ["chrt", "--idle", "0"] if is_patient(job) else ["nice", "-n", "10"]
    command = [*give_way, sys.executable, "-m", f"tests.torture.{job.part}", "--seed", str(job.seed)]
    settings = {"DATABASE_URL": where.url(job.database), "REDIS_URL": where.redis, "LOG_LEVEL": "CRITICAL"}
    left = max(1.0, where.until - began)
    if part.seconds is not None:
        command += ["--seconds", str(int(min(left, where.seconds or part.seconds)))]
    command += [*job.more, *(["--broken", job.broken] if job.broken else ())]
    try:
        ended = subprocess.run(
            command,
            cwd=BASE,
            env=environment(settings),
            stdout=subprocess.PIPE,
            text=True,
            timeout=left + GRACE_S,
            check=True,
        )
        found = json.loads(ended.stdout.splitlines()[-1])
    except (subprocess.SubprocessError, ValueError, IndexError) as error:
        print(f"    {job.again}: {error}", file=sys.stderr, flush=True)
        found = None
    seconds = perf_counter() - began
    if found is not None:
        say = f"{len(found['violations'])} violations, {seconds:.0f} s"
        unit = PARTS[job.part].unit
        print(f"    {job.again}: {found[unit]:,} {unit}, {say}", file=sys.stderr, flush=True)
    return Ran(job, found, seconds)


def is_patient(job: Job) -> bool:
    """Whether it has what nobody else wants; what is built in is short, and comes in its turn."""
    return PARTS[job.part].patient and not job.broken


def environment(more: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", **more}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__.partition("\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="this part (may be repeated)")
    parser.add_argument("--database", choices=BOTH, help="on this database alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, help="for so long, where a part goes on for as long as it may")
    parser.add_argument("--broken", default="", help="with this fault built in, which must be noticed")
    parser.add_argument(
        "--postgres", default=os.environ.get("DATABASE_URL", "postgresql:///test"),
        help="a PostgreSQL that lets us create databases, as a superuser (DATABASE_URL)",
    )  # fmt: skip
    wanted = parser.parse_args()
    parts = wanted.part or list(PARTS)
    known = {name for part in parts for name in PARTS[part].broken}
    if wanted.broken and wanted.broken not in known:
        parser.error(f"no such fault in these parts; there are: {', '.join(sorted(known))}")
    notes: list[str] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="floor-torture-")))
        valkey = stack.enter_context(Valkey(folder / "valkey"))
        kinds: dict[str, Databases] = {"sqlite": Sqlite(folder)}
        if wanted.database != "sqlite":
            try:
                kinds["postgresql"] = postgres = Postgres(wanted.postgres)
                stack.callback(postgres.drop_all)
            except psycopg.Error as error:
                notes.append(f"PostgreSQL was left out: {str(error).strip()}")
        if wanted.database == "postgresql":
            del kinds["sqlite"]
        redis = f"unix://{valkey.socket}"
        templates = {name: empty(kind, redis) for name, kind in kinds.items()}
        own = wanted.database != "sqlite" and (database_server.available() or "postgresql" in kinds)
        jobs = list(jobs_of(parts, [*kinds, OWN] if own else list(kinds), wanted.seed, wanted.broken))
        jobs.sort(key=lambda job: not job.broken)  # the short ones first
        where = Where(kinds, templates, redis, folder, perf_counter() + LONGEST_S, wanted.seconds)
        alive = [job for job in jobs if PARTS[job.part].alive]
        patient = [job for job in jobs if is_patient(job)]
        others = [job for job in jobs if job not in alive and job not in patient]
        at_once = max(2, os.cpu_count() or 2)
        with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(at_once) as two, ThreadPoolExecutor(at_once) as three:
            each = [pool.map(partial(run, where=where), some)
                    for pool, some in ((one, alive), (two, others), (three, patient))]  # fmt: skip
            ran = [done for some in each for done in some]
    return report(ran, notes, with_table=not wanted.broken)


def empty(kind: Databases, redis: str) -> str:
    """A database of this code in which nothing is yet."""
    url = kind.fresh()
    settings = environment({"DATABASE_URL": url, "REDIS_URL": redis})
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=BASE, env=settings, check=True)
    return url


def report(ran: Sequence[Ran], notes: list[str], *, with_table: bool) -> int:
    """Print what came of it all; the status."""
    reached: list[Reached] = []
    left: list[str] = []
    survived: dict[str, bool] = {}
    tried: dict[str, list[str]] = {}
    details: dict[str, dict[str, str]] = {}
    for one in ran:
        job, found = one.job, one.found
        if found is None:
            notes.append(f"{job.again}: broke off")
        elif job.broken:
            caught = len(found["violations"])
            said = f"noticed {caught:,} times, first: {found['violations'][0]}" if caught else "NOT NOTICED"
            print(f"built in: {job.part}, {job.broken}, {job.database}: {said}")
            if not caught:
                notes.append(f"{job.again}: the fault that is built in went unnoticed")
        else:
            if found.get("left"):
                left.append(f"{job.again}: {found['left']} pairs were not reached in time")
            part, violations = PARTS[job.part], found["violations"]
            reached += [Reached(**one) for one in found.get("figures", ())]
            for figure, counted in part.counts.items() if "figures" not in found else ():
                on = "" if job.database == NONE else f"{job.database}: "
                what = f"{on}{found[counted]:,} at {found[counted] / found['seconds']:,.1f} a second"
                reached.append(Reached(figure, found[counted], len(violations), what))
            tried[job.part] = found.get("tried", list(FAULTS[job.part]))
            details[job.part] = found.get("details", {})
            survived[job.part] = survived.get(job.part, True) and not violations
            if violations:
                print(f'\n{len(violations)} violations; to see them again: make torture ARGS="{job.again}"')
                print("\n".join(f"    {violation}" for violation in violations[:SHOWN]))
    missed = False
    if with_table:
        table, missed = table_of(reached, list(survived))
        missed |= not all(survived.values())
        print(f"\n{table}\n\n{faults_of(survived, tried, details)}")
    print("\n".join(["", *left, *notes]) if left or notes else "", end="\n" if left or notes else "")
    return 1 if missed or notes else 0


if __name__ == "__main__":
    sys.exit(main())
