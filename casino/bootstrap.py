"""Makes the checkout ready to run, on a machine that has Python and nothing else. Run by the Makefile.

    python3 casino/bootstrap.py requirements.txt --floor         .venv with exactly what the lock says, for a floor
    python3 casino/bootstrap.py requirements-dev.txt --browser   and a Chromium and fonts for the browser tests

Only the standard library is used here: nothing else is there yet. When nothing has changed it does nothing. When
something is missing that it cannot bring, it says so in one line, and leaves nothing half made.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import glob
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
VENV = BASE / ".venv"
PYTHON = VENV / "bin" / "python"
UNFINISHED = VENV / ".unfinished"
"""There while packages are being installed. Who finds it knows that somebody was cut off, and makes .venv anew."""

ROOM = {"requirements.txt": (300, 100), "requirements-dev.txt": (750, 250)}
"""The megabytes that each lock needs in .venv, and meanwhile in the folder for temporary files."""

BROWSER = "chromium-headless-shell"
"""Debian's package: Chromium without what it draws around a page, which in tests costs more than most pages."""
BROWSERS = (BROWSER, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FONTS = {
    "dejavu": ("fonts-dejavu-core", ("DejaVuSans.ttf",)),
    "noto": ("fonts-noto-core", ("NotoSans-Regular.ttf", "NotoSerif-Regular.ttf")),
    "noto-cjk": ("fonts-noto-cjk", ("NotoSansCJK-Regular.ttc",)),
}
"""The fonts that the browser tests draw with: Debian's package of each, and the files that prove it is there."""
KINDS = {"chromium": "Chromium", "fonts-": "fonts", "lib": "a library"}
"""What the packages are whose names begin so."""


class SetupError(Exception):
    """Something is missing that we cannot bring. Says what to do, in one line."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lock", help="the requirements to install")
    parser.add_argument("--floor", action="store_true", help="first see that a floor can open: HOST, PORT, VAR_DIR")
    parser.add_argument("--browser", action="store_true", help="see to a Chromium, and on Linux to fonts")
    wanted = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # as Ctrl-C: what is half made must go
    try:
        if wanted.floor:
            check_floor(os.environ)
        with alone():
            prepare(BASE / wanted.lock)
            if wanted.browser:
                provide_browser()
    except SetupError as reason:
        print(reason, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Nothing half made is left; the next run begins where it can.", file=sys.stderr)
        return 130
    return 0


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One at a time in this checkout. The lock is the folder itself: there is no file that could stay behind."""
    try:
        folder = os.open(BASE, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                tell("waiting for another make, which installs here")
                fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


# ── Before a floor opens ────────────────────────────────────────────────────────────────────────────────────


def check_floor(environ: Mapping[str, str]) -> None:
    """What would keep a floor from opening, said before a long installation and not after it."""
    host, port = environ.get("HOST") or "127.0.0.1", environ.get("PORT") or "8000"
    if not (port.isdecimal() and 0 < int(port) < 65536):
        raise SetupError(f"PORT must be a number from 1 to 65535, and {port!r} is none.")
    try:
        address = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
        with socket.socket(address[0], address[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except OSError as error:
        other = "PORT" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "HOST"
        why = f"{error.strerror or error}. Choose another with {other}=…"
        raise SetupError(f"Nobody can listen on {host}, port {port}: {why}") from error
    if not environ.get("DATABASE_URL"):
        _check_writable(_var(environ), "The floor keeps its database and its keys in", "name another with VAR_DIR=…")


def _var(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("VAR_DIR") or BASE / "var").absolute()


def _check_writable(folder: Path, what: str, remedy: str) -> None:
    """That `folder` can be written, or made. Raises SetupError."""
    there = folder
    while not os.path.lexists(there):
        there = there.parent
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        why = "it is read-only, or belongs to somebody else" if there.is_dir() else "it is no folder"
        raise SetupError(f"{what} {folder}, and {there} cannot be written: {why}. Make it writable, or {remedy}")


# ── Python packages ─────────────────────────────────────────────────────────────────────────────────────────


def prepare(lock: Path) -> None:
    """Exactly what `lock` says in .venv, unless that very lock was installed there before."""
    fingerprint = hashlib.sha256(lock.read_bytes()).hexdigest()
    stamp = VENV / f".{lock.name}.installed"
    sound = venv_is_sound()
    if sound and stamp.exists() and stamp.read_text() == fingerprint:
        return
    if not sound and sys.version_info < (3, 11):
        raise SetupError(f"Macau Floor needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}.")
    _check_writable(VENV if sound else BASE, "Macau Floor installs into", "clone it where you may write")
    try:
        if not sound:
            check_room(*ROOM.get(lock.name, (0, 0)))
            make_venv()
        bring_pip()
        install(lock)
        leave_out_what_installs(lock)
        stamp.write_text(fingerprint)
        UNFINISHED.unlink()
    except BaseException:
        if not sound:
            _remove_venv()
        raise


def venv_is_sound() -> bool:
    """Whether .venv has a Python that is new enough, and a pip, and nobody was cut off while they installed there."""
    if UNFINISHED.exists() or not _works([PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]):
        return False
    return any(VENV.glob(".*.installed")) or _works([PYTHON, "-m", "pip", "--version"])


def check_room(packages: int, meanwhile: int) -> None:
    """That these megabytes are free in the checkout, and for temporary files. Raises SetupError."""
    temporary = Path(tempfile.gettempdir())
    together = os.stat(BASE).st_dev == os.stat(temporary).st_dev
    if _free(BASE) < packages + (meanwhile if together else 0):
        raise SetupError(_no_room(BASE, packages + (meanwhile if together else 0)))
    if _free(temporary) < meanwhile:
        raise SetupError(_no_room(temporary, meanwhile, " Or name another folder for temporary files with TMPDIR=…"))


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free // 1_000_000


def _no_room(folder: Path, needed: int, more: str = "") -> str:
    return f"There is no room in {folder}: {_free(folder)} MB are free, and the packages need {needed} MB there.{more}"


def make_venv() -> None:
    """A virtual environment in .venv, in place of whatever is there."""
    tell("making .venv")
    ways: list[list[str | Path]] = [[sys.executable, "-m", "venv", "--clear", VENV]]
    if uv := shutil.which("uv"):
        ways.append([uv, "venv", "--quiet", "--clear", "--seed", "--python", sys.executable, VENV])
    ways.append([sys.executable, "-m", "virtualenv", "--quiet", "--clear", VENV])
    done = _run(ways[0])
    if done.worked or any(_works(way) and _works([PYTHON, "-m", "pip", "--version"]) for way in ways[1:]):
        return
    if _works([sys.executable, "-c", "import ensurepip, venv"]):
        raise SetupError(f"No virtual environment can be made in {VENV}: {_why(done.output)}{_log(done.output)}")
    if _with_borrowed_pip():
        return
    # Debian and Ubuntu ship Python without what puts pip into virtual environments.
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if any(apt_get(package) is None for package in (f"python{version}-venv", "python3-venv")) and _works(ways[0]):
        return
    raise SetupError(
        "This Python cannot make a virtual environment: its venv or ensurepip module is missing. "
        "Install it (Debian and Ubuntu):  sudo apt-get install python3-venv"
    )


def _with_borrowed_pip() -> bool:
    """Without ensurepip, where the Python outside has a pip: that one brings ours."""
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"]
    return _works([sys.executable, "-m", "venv", "--clear", "--without-pip", VENV]) and _works(pip)


def bring_pip() -> None:
    """A pip in .venv, while something is installed there. Raises SetupError."""
    ways: list[list[str | Path]] = [
        [PYTHON, "-m", "ensurepip"],
        [sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"],
    ]
    pip: list[str | Path] = [PYTHON, "-m", "pip", "--version"]
    if not _works(pip) and not any(_works(way) and _works(pip) for way in ways):
        make_venv()


def leave_out_what_installs(lock: Path) -> None:
    """Neither pip nor setuptools stays in .venv, unless the lock names them: those that come with a Python are as old
    as that is, known weaknesses included, and the house needs neither."""
    locked = {line.partition("==")[0].strip().lower() for line in lock.read_text().splitlines()}
    for name in ("setuptools", "pip"):
        if name not in locked:
            _run([PYTHON, "-m", "pip", "uninstall", "--disable-pip-version-check", "--quiet", "--yes", name])


def install(lock: Path) -> None:
    """What `lock` says, hashes and all. UNFINISHED stays if something was cut off in between."""
    tell(f"installing {lock.name} (the first time this takes a while)")
    quietly = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    # Wheels only: nothing is compiled here, and nothing runs code while it is installed.
    what: list[str | Path] = ["--require-hashes", "--only-binary", ":all:", "-r", lock]
    UNFINISHED.touch()
    # What the person has set about pip holds, but for what would put packages elsewhere, or keep pip from saying
    # how far it came.
    done = _run([PYTHON, "-m", "pip", "install", *quietly, *what], {"PIP_USER": "0", "PIP_QUIET": "0"})
    if done.worked:
        with contextlib.suppress(OSError):
            _log_file().unlink()
        return
    if "Installing collected packages" not in done.output:
        UNFINISHED.unlink()  # nothing has changed
    raise SetupError(f"The packages could not be installed: {_why(done.output)}{_log(done.output)}")


def _remove_venv() -> None:
    _ignore_signals()  # it takes a moment
    if VENV.is_symlink():
        UNFINISHED.touch()
    else:
        shutil.rmtree(VENV, ignore_errors=True)


# ── What pip said ───────────────────────────────────────────────────────────────────────────────────────────

FULL = re.compile(r"No space left on device|Disk quota exceeded|Errno 28\b")
CUT_OFF = re.compile(r"connection broken by|ConnectionError|ProxyError|SSLError|Max retries exceeded|timed out")
REASONS = re.compile(
    r"CERTIFICATE_VERIFY_FAILED|Tunnel connection failed: [^'\")]+|Missing dependencies for SOCKS support"
    r"|\[Errno -?\d+\] (?P<errno>[^'\")]+)|Failed to resolve '[^']+'|timed out"
)


def _why(output: str) -> str:
    """Why it failed, in one sentence, from what pip (or venv) said."""
    if FULL.search(output) or _free(BASE) < 5:  # venv does not always say
        places = (BASE, Path(tempfile.gettempdir()), Path.home())
        free = ", ".join(f"{place} has {_free(place)} MB" for place in dict.fromkeys(places) if place.exists())
        run, test = sum(ROOM["requirements.txt"]), sum(ROOM["requirements-dev.txt"])
        return f"there is no room on the disk ({free} free; `make run` needs {run} MB, `make test` {test} MB)."
    if CUT_OFF.search(output):
        found = list(REASONS.finditer(output))
        reason = f" ({found[-1]['errno'] or found[-1][0]})" if found else ""
        return (
            f"the package index cannot be reached{reason}. HTTPS_PROXY, PIP_INDEX_URL, PIP_CERT and the configuration "
            "of pip are honoured."
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:")]
    return (errors or lines or ["it did not say why"])[-1]


def _log_file() -> Path:
    return _var(os.environ) / "install.log"


def _log(output: str) -> str:
    """Keeps all that was said, and says where; nothing where it cannot be kept."""
    file = _log_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(output)
    except OSError:
        with contextlib.suppress(OSError):
            file.unlink()  # the disk was full
        return ""
    return f" All that was said is in {file}"


# ── A browser and its fonts ─────────────────────────────────────────────────────────────────────────────────


def find_browser() -> str | None:
    """Where a Chromium (or Chrome) is: CHROMIUM in the environment, on the PATH, or as Playwright keeps it."""
    if (named := os.environ.get("CHROMIUM")) and os.access(named, os.X_OK):
        return named
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or os.path.expanduser("~/.cache/ms-playwright")
    shells = glob.glob(f"{home}/chromium_headless_shell-*/chrome-*/*headless*shell")
    kept = glob.glob(f"{home}/chromium-*/chrome-linux*/chrome")
    return next(
        (
            place
            for place in (*sorted(shells, reverse=True), *sorted(kept, reverse=True), *PLACES)
            if os.access(place, os.X_OK)
        ),
        None,
    )


def find_fonts() -> dict[str, Path]:
    """The folder of each of FONTS that this machine has. One that is missing has no entry."""
    own = Path(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")) / "fonts"
    homes = ("/usr/share/fonts", "/usr/local/share/fonts", own, os.path.expanduser("~/.fonts"))
    found: dict[str, Path] = {}
    for home in homes:
        for folder, _, files in sorted(os.walk(home)):
            for name, (_package, proofs) in FONTS.items():
                if set(proofs) <= set(files):
                    found.setdefault(name, Path(folder))
    return found


def provide_browser() -> None:
    """A Chromium, and on Linux the fonts (elsewhere the system's own serve). Installs what it may."""
    named = os.environ.get("CHROMIUM")
    if named and not (os.path.isfile(named) and os.access(named, os.X_OK)):
        raise SetupError(f"CHROMIUM names {named}, and there is no program.")
    missing = _missing_for_browser()
    if not missing:
        return
    # Ubuntu's package is a snap, which does not see the files of a test.
    packaged = bool(shutil.which("apt-get")) and not (_is_ubuntu() and BROWSER in missing)
    packages = missing if packaged else [package for package in missing if package != BROWSER]
    trouble = apt_get(*packages) if packages else None
    if not packaged and BROWSER in missing:
        tell("installing a Chromium for the browser tests")
        _works([PYTHON, "-m", "playwright", "install", "--only-shell", "chromium"])
    if missing := _missing_for_browser():
        raise SetupError(_what_to_install(missing, packaged) + (f"  (apt-get: {trouble})" if trouble else ""))


def _missing_for_browser() -> list[str]:
    """The Debian packages of what is not there."""
    missing = [] if find_browser() else [BROWSER]
    if sys.platform == "linux":
        found = find_fonts()
        missing += [package for name, (package, _) in FONTS.items() if name not in found]
        # Playwright brings a Node.js, which needs a library that a bare system has not.
        drivers = VENV.glob("lib/python3*/site-packages/playwright/driver/node")
        missing += [] if all(_works([driver, "--version"]) for driver in drivers) else ["libatomic1"]
    return missing


def _what_to_install(missing: Sequence[str], packaged: bool) -> str:
    kinds = [kind for start, kind in KINDS.items() if any(package.startswith(start) for package in missing)]
    needs = f"The browser tests need {', '.join(kinds)}."
    if packaged:
        return f"{needs} Install them:  sudo apt-get install {' '.join(missing)}"
    elsewhere = ("chromium" if package == BROWSER else package for package in missing)
    return f"{needs} Install {', '.join(elsewhere)}; CHROMIUM=/path/to/it may name a Chromium or a Chrome."


def _is_ubuntu() -> bool:
    try:
        return "ID=ubuntu" in Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return False


# ── Help ────────────────────────────────────────────────────────────────────────────────────────────────────

PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy")


def apt_get(*packages: str) -> str | None:
    """Installs these at once. None when that is done; else why it is not, or nothing where we may not."""
    proxies = {name: os.environ.get(name) or os.environ.get(name.upper()) or "" for name in PROXIES}
    environment = {"DEBIAN_FRONTEND": "noninteractive", **{name: value for name, value in proxies.items() if value}}
    # sudo drops the environment, and a proxy's password does not belong among the arguments, which all can see.
    sudo = ["sudo", "-n", f"--preserve-env={','.join(environment)}"]
    if not shutil.which("apt-get"):
        return ""
    if os.geteuid() == 0:
        before = []
    elif shutil.which("sudo") and _works([*sudo, "apt-get", "--version"]):
        before = sudo
    else:
        return ""
    tell(f"installing {' '.join(packages)}")
    # On a machine that has just been started, others may be installing too.
    quiet = [*before, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    update = _run([*quiet, "update"], environment, to_the_end=True)
    done = _run([*quiet, "install", "--no-install-recommends", *packages], environment, to_the_end=True)
    if done.worked:
        return None
    errors = [line for line in (update.output + done.output).splitlines() if line.startswith(("E:", "W: Failed"))]
    return errors[-1][2:].strip() if errors else "it did not say why"


def tell(what: str) -> None:
    print(f"• {what}", flush=True)


class _Done:
    def __init__(self, worked: bool, output: str) -> None:
        self.worked = worked
        self.output = output


def _run(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, *, to_the_end: bool = False
) -> _Done:
    """Runs this, and gives all that it said. If we are interrupted meanwhile it is ended first.

    `to_the_end`: it is waited for. Ctrl-C reaches it too, and apt-get ends then, unless it is unpacking.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            start_new_session=not to_the_end,
        )
    except OSError as error:
        return _Done(False, str(error))
    try:
        output, _ = process.communicate()
    except BaseException:
        _ignore_signals()
        if to_the_end:
            tell("waiting for the system's packages: they would be left half installed")
            process.communicate()
        else:  # its children too: all are gone before anything is removed
            for number in (signal.SIGINT, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, number)
                    process.communicate(timeout=5)
        raise
    return _Done(process.returncode == 0, output.decode(errors="replace"))


def _ignore_signals() -> None:
    """We are ending: nobody needs to say it twice."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _works(command: Sequence[str | Path]) -> bool:
    return _run(command).worked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
