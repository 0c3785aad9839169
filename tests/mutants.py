"""Changes the rules, the rounds and the ledger in small ways, one at a time, and prints what no test notices.

    python -m tests.mutants                        the four areas, whole: many hours
    python -m tests.mutants hidden --ending 3      of an area, the mutants whose number ends in 3: a tenth
    python -m tests.mutants tables/games/values/money.py tables/games/baccarat/coup.py

What is changed is a copy of the checkout in a temporary folder, which is removed at the end. mutmut makes the mutants
and runs, for each, the tests that come by the changed function. It leaves alone what stands outside functions, and
functions with a decorator (a property, a cache). Mutants run one after the other, as they share a database.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
AREAS = {
    "money": ("tables/services/money", "tables/games/values/money.py"),
    "settlement": ("tables/games/*/settling.py",),
    "rounds": (
        "tables/games/*/round.py",
        "tables/games/shared/*_round.py",
        "tables/games/shared/open_layout.py",
        "tables/services/rounds/b*.py",  # betting, breaks, budget
        "tables/services/rounds/decisions.py",
        "tables/services/rounds/r*.py",  # refusals, the session of a round, its writer
        "tables/services/rounds/seating.py",
    ),
    "hidden": (
        "tables/games/*/view.py",
        "tables/games/shared/squeeze.py",
        "tables/base/closed_cards.py",
        "tables/base/seals.py",
        "tables/services/dealing/seeds.py",
    ),
}
"""Where money moves, what is paid, how a round goes on, and what nobody may see."""

COPIED = ("casino", "docs", "locale", "manage.py", "requirements-dev.txt", "static", "templates")
"""What the tests need beside the code and themselves."""

RULES = (
    "tests/playthroughs/test_*.py",
    "tests/records/test_*.py",
    "tests/laws/test_edges.py",
    "tests/laws/test_layered.py",
    "tests/laws/test_money.py",
    "tests/laws/test_rounds.py",
    "tests/laws/test_said.py",
    "tests/laws/test_views.py",
    "tests/regulation/test_squeeze.py",
    "tests/floor/test_squeez*.py",
)
GAME = (
    "tests/regulation/test_{game}*.py",
    "tests/floor/test_felt_{game}.py",
    "tests/floor/test_{game}_push.py",
    "tests/floor/test_{game}_secrecy.py",
)
HOUSE = (
    *(
        f"tests/house/test_{name}.py"
        for name in (
            "budget",
            "closed_cards",
            "conduct",
            "decisions",
            "exchanged",
            "favourites",
            "freezing",
            "halts",
            "jackpot_audit",
            "jackpots",
            "links",
            "paying",
            "places",
            "races",
            "readings",
            "refusals",
            "rulings",
            "running",
            "safely",
            "sealing",
            "seals",
            "seating",
            "settling",
            "shoes",
            "squeezing",
            "statements",
            "time",
            "visitors",
            "wallet",
            "working_days",
        )
    ),
    *(
        f"tests/floor/test_{name}.py"
        for name in (
            "absence",
            "budgets",
            "forged",
            "limits",
            "messages",
            "push",
            "safely",
            "turns",
            "unknown_outcomes",
        )
    ),
    "tests/laws/test_ledger.py",
)
"""What concerns rules, each game, and the services. The rest comes by the same functions, and costs more time."""

OTHER_FILES = ("test_command.py",)
"""Tests that start processes."""

SURVIVED = ("survived", "no tests", "suspicious")
"""What mutmut says of mutants that nobody has noticed; one that takes too long is noticed."""


def tests_of(target: str) -> list[str]:
    """The tests that concern a file or folder: for a game its own."""
    parts = Path(target).parts
    if parts[1] != "games":
        return [*HOUSE]
    games = sorted(path.parent.name for path in BASE.glob("tables/games/*/articles.py"))
    concerned = [parts[2]] if parts[2] in games else games
    return [*RULES, *(pattern.format(game=game) for game in concerned for pattern in GAME)]


def selected(targets: Sequence[str]) -> list[str]:
    """The files of tests for these targets."""
    patterns = dict.fromkeys(pattern for target in targets for pattern in tests_of(target))
    found = dict.fromkeys(path for pattern in patterns for path in sorted(BASE.glob(pattern)))
    return [str(path.relative_to(BASE)) for path in found if path.name not in OTHER_FILES]


def files(targets: Sequence[str]) -> list[str]:
    """The modules of these targets."""
    found = list[str]()
    for target in targets:
        paths = sorted(
            path for place in BASE.glob(target) for path in (place.rglob("*.py") if place.is_dir() else [place])
        )
        if not paths:
            sys.exit(f"{target} is neither an area ({', '.join(AREAS)}) nor a module or folder with modules")
        found += [str(path.relative_to(BASE)) for path in paths]
    return list(dict.fromkeys(found))


def configuration(modules: Sequence[str]) -> str:
    values = {
        "source_paths": ["tables"],
        "only_mutate": modules,
        "also_copy": COPIED,
        "pytest_add_cli_args_test_selection": selected(modules),
        "pytest_add_cli_args": ["-p", "no:xdist", "--hypothesis-profile=mutants"],
    }
    lines = (f"{name} =\n" + "".join(f"    {each}\n" for each in value) for name, value in values.items())
    # of a forked pytest the threads of the database would be lost
    single = "use_git_change_detection = false\ntimeout_multiplier = 4\nprocess_isolation = forkserver\n"
    return f"[mutmut]\n{single}{''.join(lines)}"


def copy(folder: Path) -> None:
    """Copy what git knows of the checkout, or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=BASE, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (BASE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(BASE / name, folder / name)


def run(area: str, targets: Sequence[str], ending: str) -> int:
    """Try the mutants of these targets, print those that survive and the share noticed; 1 if mutmut could not."""
    modules = files(targets)
    with tempfile.TemporaryDirectory(prefix="macau-floor-mutants-") as folder:
        copy(Path(folder))
        (Path(folder) / "setup.cfg").write_text(configuration(modules))
        environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", "HYPOTHESIS_STORAGE_DIRECTORY": folder}

        def mutmut(*arguments: str, shown: bool = False) -> tuple[int, str]:
            command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
            output = None if shown else subprocess.PIPE
            done = subprocess.run(
                command, cwd=folder, env=environment, stdout=output, stderr=output and subprocess.STDOUT, text=True
            )
            return done.returncode, done.stdout or ""

        failed, output = 0, ""
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C: those that have survived so far
            named = [f"*__mutmut_*{ending}"] if ending else []
            failed, output = mutmut("run", "--max-children", "1", *named, shown=sys.stdout.isatty())
        if failed:
            print(output)
            return failed
        results = mutmut("results", "--all", "true")[1].splitlines()
        fates = dict(line.strip().split(": ") for line in results if ": " in line)
        tried = {name: fate for name, fate in fates.items() if fate != "not checked"}
        survivors = [name for name, fate in tried.items() if fate in SURVIVED]
        for name in survivors:
            print(mutmut("show", name)[1].strip(), end="\n\n")
        noticed = len(tried) - len(survivors)
        by_module = Counter(name.rpartition(".")[0] for name in survivors)
        print(*(f"{number:6} survived in {module}" for module, number in by_module.most_common()), sep="\n")
        share = f", {noticed / len(tried):.1%}" if tried else ""
        print(f"{area}: {noticed} of {len(tried)} were noticed{share}; there are {len(fates)}")
        return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", help=f"areas ({', '.join(AREAS)}), modules or folders; else all areas")
    parser.add_argument("--ending", default="", metavar="DIGITS", help="only those whose number ends so: 3, [1-4]8")
    asked = parser.parse_args()
    areas = [name for name in asked.targets or AREAS if name in AREAS]
    others = [target for target in asked.targets if target not in AREAS]
    groups = {**{name: AREAS[name] for name in areas}, **({"these": tuple(others)} if others else {})}
    return max(run(area, targets, asked.ending) for area, targets in groups.items())


if __name__ == "__main__":
    sys.exit(main())
