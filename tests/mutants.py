"""Changes the rules and the ledger in small ways, one at a time, and prints the changes that no test notices.

    python -m tests.mutants                                              all of them: many hours
    python -m tests.mutants tables/games/values/money.py tables/games/baccarat/coup.py

What is changed is a copy of the checkout in a temporary folder, which is removed at the end. mutmut makes the mutants
and runs, for each, the tests that come by the changed function. It leaves alone what stands outside functions, and
functions with a decorator (a property, a cache). Mutants of the ledger have a database, which they share: they run one
after the other.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
MUTATED = ("tables/games", "tables/services/money")
COPIED = ("casino", "docs", "locale", "manage.py", "requirements-dev.txt", "static", "templates")
"""What the tests need beside the code and themselves."""

RULES = (
    "tests/regulation/test_*.py",
    "tests/records/test_*.py",
    "tests/laws/test_edges.py",
    "tests/laws/test_money.py",
    "tests/laws/test_rounds.py",
)
MONEY = (
    "tests/house/test_paying.py",
    "tests/house/test_settling.py",
    "tests/house/test_jackpots.py",
    "tests/house/test_jackpot_audit.py",
)
LEDGER = ("tests/laws/test_ledger.py",)
OTHER_FILES = ("test_citations.py", "*_simulation.py", "test_command.py")
"""Tests that read the source as text, start processes, or are slow."""

UNDECIDED = ("not checked", "killed")
"""What mutmut says of mutants that have not survived."""


def of_the_ledger(targets: Sequence[str]) -> bool:
    return any("services" in Path(target).parts for target in targets)


def tests_of(target: str) -> list[str]:
    """The tests that concern a file or folder: for a game its own, for the ledger those of money."""
    parts = Path(target).parts
    if of_the_ledger([target]):
        return [*MONEY, *LEDGER]
    games = [path.parent.name for path in BASE.glob("tables/games/*/articles.py")]
    if len(parts) > 2 and parts[2] in games:
        return [f"tests/regulation/test_{parts[2]}*.py", *RULES[1:]]
    return list(RULES)


def selected(targets: Sequence[str]) -> list[str]:
    """The files of tests for these targets."""
    patterns = dict.fromkeys(pattern for target in targets for pattern in tests_of(target))
    found = (path for pattern in patterns for path in sorted(BASE.glob(pattern)))
    left = (path for path in found if not any(fnmatch(path.name, other) for other in OTHER_FILES))
    return list(dict.fromkeys(str(path.relative_to(BASE)) for path in left))


def files(targets: Sequence[str]) -> list[str]:
    """The modules of these targets."""
    paths = [BASE / target for target in targets]
    if missing := [path for path in paths if not path.exists()]:
        sys.exit(f"{missing[0].relative_to(BASE)} is not there")
    found = [each for path in paths for each in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
    return [str(path.relative_to(BASE)) for path in found]


def configuration(targets: Sequence[str]) -> str:
    values = {
        "source_paths": ["tables"],
        "only_mutate": files(targets),
        "also_copy": COPIED,
        "pytest_add_cli_args_test_selection": selected(targets),
        "pytest_add_cli_args": ["-p", "no:xdist"],
    }
    isolation = "forkserver" if of_the_ledger(targets) else "fork"  # threads of the database do not outlive a fork
    lines = (f"{name} =\n" + "".join(f"    {each}\n" for each in value) for name, value in values.items())
    single = f"use_git_change_detection = false\nprocess_isolation = {isolation}\n"
    return f"[mutmut]\n{single}{''.join(lines)}"


def copy(folder: Path) -> None:
    """Copy what git knows of the checkout, or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=BASE, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (BASE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(BASE / name, folder / name)


def run(targets: Sequence[str]) -> int:
    """Try all mutants of these targets and print those that survive; 1 if mutmut could not."""
    written = configuration(targets)
    with tempfile.TemporaryDirectory(prefix="macau-floor-mutants-") as folder:
        copy(Path(folder))
        (Path(folder) / "setup.cfg").write_text(written)
        environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", "HYPOTHESIS_STORAGE_DIRECTORY": folder}

        def mutmut(*arguments: str, shown: bool = False) -> tuple[int, str]:
            command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
            output = None if shown else subprocess.PIPE
            done = subprocess.run(
                command, cwd=folder, env=environment, stdout=output, stderr=output and subprocess.STDOUT, text=True
            )
            return done.returncode, done.stdout or ""

        one_at_a_time = ["--max-children", "1"] if of_the_ledger(targets) else []
        failed, output = 0, ""
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C: those that have survived so far
            failed, output = mutmut("run", *one_at_a_time, shown=sys.stdout.isatty())
        if failed:
            print(output)
            return failed
        fates = dict(line.strip().split(": ") for line in mutmut("results")[1].splitlines() if ": " in line)
        survivors = [name for name, fate in fates.items() if fate not in UNDECIDED]
        for name in survivors:
            print(mutmut("show", name)[1].strip(), end="\n\n")
        print(f"{len(survivors)} survived, {list(fates.values()).count('not checked')} were not tried")
        return 0


def main(targets: Sequence[str]) -> int:
    ledger = [target for target in targets if of_the_ledger([target])]
    rules = [target for target in targets if target not in ledger]
    return max(run(group) for group in (rules, ledger) if group)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or MUTATED))
