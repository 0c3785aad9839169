"""Runs every check and says what is wrong; the exit code is 1 if anything is."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent.parent
SHOWN = 30
"""Complaints of one check that are printed."""


def manage(*arguments: str, **environment: str) -> Iterator[str]:
    """`manage.py` with these arguments in a house of its own; a complaint if it fails."""
    with tempfile.TemporaryDirectory(prefix="macau-floor-check-") as folder:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        settings = {"VAR_DIR": folder, "STATIC_ROOT": f"{folder}/static", "LOG_LEVEL": "WARNING"}
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE,
            env=kept | settings | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            yield f"manage.py {' '.join(arguments)}:\n{(done.stdout + done.stderr).strip()}"


def deployment() -> Iterator[str]:
    """As it would run for real: behind HTTPS, with keys and hosts from outside."""
    return manage(
        "check",
        "--deploy",
        "--fail-level=WARNING",
        HTTPS="1",
        ALLOWED_HOSTS="floor.example",
        SECRET_KEY="long, and of many different letters 0123456789 — and never used anywhere",
        SHOE_KEY="another long one, of many different letters 9876543210, never used",
    )


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"  # with a var/ of its own: nothing is made up in this one
    import django

    django.setup()
    from . import assurance, documents, ledger, scripts, sheets, sizes, templates, words

    checks: dict[str, Iterable[str]] = {
        "templates": chain(templates.complaints(BASE / "templates"), templates.unreadable(BASE / "templates")),
        "scripts": scripts.complaints(BASE / "static"),
        "sheets": sheets.complaints(BASE / "static"),
        "catalogues": words.complaints(),
        "ledger": ledger.complaints(BASE / "tables"),
        "sizes": sizes.complaints(BASE / "casino", BASE / "tables"),
        "documents": documents.complaints(BASE),
        "assurance": assurance.complaints(BASE / "docs/assurance"),
        "migrations": manage("makemigrations", "--check", "--dry-run"),
        "static files": chain(
            templates.missing_files(BASE / "templates"), manage("collectstatic", "--noinput", STATIC_MANIFEST="1")
        ),
        "deployment": deployment(),
    }
    wrong = 0
    for name, complaints in checks.items():
        found = list(complaints)
        print(f"{name}: {'good' if not found else f'{len(found)} to put right'}", flush=True)
        for complaint in found[:SHOWN]:
            print(f"  {complaint}".replace(f"{BASE}/", ""))
        if len(found) > SHOWN:
            print(f"  … and {len(found) - SHOWN} more")
        wrong += len(found)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
