"""Makes the checkout ready to run, on a machine that has Python and nothing else. Run by the Makefile.

    python3 casino/bootstrap.py requirements.txt              .venv with exactly what the lock says
    python3 casino/bootstrap.py requirements-dev.txt --browser   and a Chromium for the browser tests

Only the standard library is used here: nothing else is there yet. When nothing has changed it does nothing.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
VENV = BASE / ".venv"
PYTHON = VENV / "bin" / "python"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


class SetupError(Exception):
    """Something is missing that we cannot bring. Says what to do."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lock", help="the requirements to install")
    parser.add_argument("--browser", action="store_true", help="see to it that there is a Chromium")
    wanted = parser.parse_args(arguments)
    try:
        make_venv()
        install(BASE / wanted.lock)
        if wanted.browser:
            provide_browser()
    except SetupError as reason:
        print(f"\n{reason}\n", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"\nThis failed: {' '.join(map(str, failed.cmd))}\n", file=sys.stderr)
        return 1
    return 0


# ── Python packages ─────────────────────────────────────────────────────────────────────────────────────────


def make_venv() -> None:
    """A virtual environment in .venv; made anew if its Python is gone."""
    if _works([PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]):
        return
    if sys.version_info < (3, 11):
        raise SetupError(f"Macau Floor needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    tell("making .venv")
    ways: list[list[str | Path]] = [[sys.executable, "-m", "venv", "--clear", VENV]]
    if uv := shutil.which("uv"):
        ways.append([uv, "venv", "--quiet", "--clear", "--seed", "--python", sys.executable, VENV])
    ways.append([sys.executable, "-m", "virtualenv", "--quiet", "--clear", VENV])
    for way in ways:
        if _works(way) and _works([PYTHON, "-m", "pip", "--version"]):
            return
    if _with_borrowed_pip():
        return
    # Debian and Ubuntu ship Python without what puts pip into virtual environments.
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if apt_get(f"python{version}-venv", "python3-venv") and _works(ways[0]):
        return
    raise SetupError(
        "This Python cannot make a virtual environment (its venv or ensurepip module is missing).\n"
        "On Debian and Ubuntu:  sudo apt-get install python3-venv"
    )


def _with_borrowed_pip() -> bool:
    """Without ensurepip, where the Python outside has a pip: that one brings ours."""
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"]
    return _works([sys.executable, "-m", "venv", "--clear", "--without-pip", VENV]) and _works(pip)


def install(lock: Path) -> None:
    """What `lock` says, hashes and all, unless that very lock was installed before."""
    fingerprint = hashlib.sha256(lock.read_bytes()).hexdigest()
    stamp = VENV / f".{lock.name}.installed"
    if stamp.exists() and stamp.read_text() == fingerprint:
        return
    tell(f"installing {lock.name} (the first time this takes a while)")
    command: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
    ]
    # Wheels only: nothing is compiled here, and nothing runs code while it is installed.
    subprocess.run([*command, "--only-binary", ":all:", "-r", lock], check=True)
    stamp.write_text(fingerprint)


# ── A browser ───────────────────────────────────────────────────────────────────────────────────────────────


def find_browser() -> str | None:
    """Where a Chromium (or Chrome) is: CHROMIUM in the environment, on the PATH, or as Playwright keeps it."""
    if (named := os.environ.get("CHROMIUM")) and os.access(named, os.X_OK):
        return named
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or os.path.expanduser("~/.cache/ms-playwright")
    kept = glob.glob(f"{home}/chromium-*/chrome-linux*/chrome")
    return next((place for place in (*sorted(kept, reverse=True), *PLACES) if os.access(place, os.X_OK)), None)


def provide_browser() -> None:
    if find_browser():
        return
    tell("installing a Chromium for the browser tests")
    if apt_get("chromium") and find_browser():
        return
    if _works([PYTHON, "-m", "playwright", "install", "chromium"], quietly=False) and find_browser():
        return
    raise SetupError(
        "The browser tests need a Chromium, and none could be installed from here.\n"
        "Install one (Debian: sudo apt-get install chromium), or say where one is with CHROMIUM=/path/to/it."
    )


# ── Help ────────────────────────────────────────────────────────────────────────────────────────────────────


def apt_get(*packages: str) -> bool:
    """Installs the first of these that Debian or Ubuntu has. False where we may not, or there is no apt-get."""
    if not shutil.which("apt-get"):
        return False
    if os.geteuid() == 0:
        before = []
    elif shutil.which("sudo") and _works(["sudo", "-n", "true"]):
        before = ["sudo", "-n"]
    else:
        return False
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    _works([*before, *quiet, "update"])
    return any(_works([*before, *quiet, "install", "--no-install-recommends", package]) for package in packages)


def tell(what: str) -> None:
    print(f"• {what}", flush=True)


def _works(command: Sequence[str | Path], *, quietly: bool = True) -> bool:
    try:
        done = subprocess.run(command, check=False, capture_output=quietly)
    except OSError:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
