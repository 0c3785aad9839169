"""Whether anything that is locked is known to be vulnerable: `python -m casino.checks.advisories`, which CI runs.

It asks the advisory database that uv knows (uv comes with requirements-dev.txt). The exit code is 1 if something is
found; if nobody can be asked, a line says so, and that is all: a house must be built without the world outside too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent.parent
LOCKS = ("requirements.txt", "requirements-dev.txt")

PINNED = re.compile(r"^([A-Za-z0-9_.-]+(?:\[[A-Za-z0-9_,.-]+\])?==[^\\\n]*?)\s*\\?$", re.MULTILINE)
AWAY = re.compile(
    r"error sending request|Request failed|Failed to fetch|client error \(Connect\)|dns error|timed out|network access"
    r"|HTTP status (?:client|server) error",
    re.IGNORECASE,
)
"""What uv says when it could not ask."""

PATIENCE_S = 300


def pinned_in(lock: str) -> list[str]:
    """What a lock names, each with its version and the machines that it is for."""
    return PINNED.findall(lock)


def asked(uv: Path, lock: Path) -> tuple[bool | None, str]:
    """Whether nothing is known against what this lock names (None: nobody could be asked), and what was said of it."""
    pins = pinned_in(lock.read_text())
    if not pins:
        return False, f"{lock.name} names nothing."
    with tempfile.TemporaryDirectory(prefix="advisories-") as folder:
        script = Path(folder, "locked.py")
        wanted = "".join(f"#   {json.dumps(pin)},\n" for pin in pins)
        script.write_text(f'# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n{wanted}# ]\n# ///\n')
        command = [str(uv), "audit", "--preview-features", "audit-command", "--script", str(script)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            return None, f"no answer within {PATIENCE_S} seconds"
        except OSError as error:
            return False, str(error)
    said = f"{done.stdout}\n{done.stderr}".strip()
    if done.returncode == 0:
        return True, said
    if done.returncode != 1 and AWAY.search(said):
        return None, next(line for line in said.splitlines() if AWAY.search(line)).strip()
    return False, said


def main(arguments: list[str]) -> int:
    """`arguments`: another uv than the one beside this Python, and another folder with the locks."""
    uv = Path(arguments[0]) if arguments else Path(sys.executable).with_name("uv")
    base = Path(arguments[1]) if len(arguments) > 1 else BASE
    found = False
    for name in LOCKS:
        good, said = asked(uv, base / name)
        if good is None:
            print(f"{name}: the advisory database could not be asked, so nothing is known: {said}")
        elif good:
            print(f"{name}: nothing is known against it")
        else:
            found = True
            print(f"{name}:\n{said}")
    return int(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
