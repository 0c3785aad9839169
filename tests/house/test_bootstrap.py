"""Setting up a checkout: what it needs comes, what cannot come is said in one line, and nothing half made stays."""

from __future__ import annotations

import ast
import base64
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from casino import bootstrap

SOURCE = Path(bootstrap.__file__)


class Checkout:
    """A folder with the bootstrap and a lock of one small package of our own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.venv = self.folder / ".venv"
        self.unfinished = self.venv / bootstrap.UNFINISHED.name
        self.lock = self.folder / "requirements.txt"
        self.wheels = folder / "wheels"
        self.programs = folder / "programs"
        self.home = folder / "home"
        for each in (self.folder / "casino", self.wheels, self.programs, self.home):
            each.mkdir(parents=True)
        shutil.copy(SOURCE, self.folder / "casino")
        self.lock.write_text(f"chips==1 --hash=sha256:{self.wheel('chips')}\n")
        # Nothing of this machine: neither its index nor what somebody has set about it.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TMPDIR": str(folder),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_CACHE_DIR": "1",
            "PIP_RETRIES": "1",
        }

    def wheel(self, name: str) -> str:
        """Makes one, and gives its hash."""
        file = self.wheels / f"{name}-1-py3-none-any.whl"
        texts = {
            f"{name}.py": "",
            f"{name}-1.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
            f"{name}-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        record = f"{name}-1.dist-info/RECORD"
        with zipfile.ZipFile(file, "w") as archive:
            for path, text in texts.items():
                archive.writestr(path, text)
            digests = {path: base64.urlsafe_b64encode(hashlib.sha256(texts[path].encode()).digest()) for path in texts}
            lines = [f"{path},sha256={digests[path].decode().rstrip('=')},{len(texts[path])}" for path in texts]
            archive.writestr(record, "\n".join([*lines, f"{record},,"]) + "\n")
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def command(self, *options: str) -> list[str]:
        return [sys.executable, str(self.folder / "casino" / SOURCE.name), "requirements.txt", *options]

    def run(self, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*options), env=self.environment | environment, capture_output=True, text=True, check=False
        )

    def runs_from_disk(self) -> subprocess.CompletedProcess[str]:
        return self.run(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.wheels))

    def refuses(self, *options: str, **environment: str) -> str:
        """The one line in which it says why it does not go on."""
        done = self.run(*options, **environment)
        assert done.returncode == 1, done
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr.strip()

    def has_a_venv(self, pip: Path | None = None) -> None:
        """One of little work: if it needs a pip, it borrows this one."""
        packages = self.venv / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        for each in (self.venv / "bin", packages):
            each.mkdir(parents=True)
        python = Path(sys.executable).resolve()
        (self.venv / "bin" / "python").symlink_to(python)
        (self.venv / "pyvenv.cfg").write_text(f"home = {python.parent}\ninclude-system-site-packages = false\n")
        if pip is not None:
            (packages / "pip").symlink_to(pip)

    def installed(self) -> list[str]:
        return sorted(file.stem for file in self.venv.glob("lib/python3*/site-packages/*.py"))

    def program(self, name: str, text: str) -> None:
        file = self.programs / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture(scope="module")
def pip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pip that comes with a Python: our own has gone again, as `test_what_installs_does_not_stay` says."""
    folder = tmp_path_factory.mktemp("pip")
    venv.create(folder, with_pip=True)
    return next(folder.glob("lib/python3*/site-packages/pip"))


@pytest.fixture
def line() -> Iterator[socket.socket]:
    """A port of this machine that is taken. Nobody answers there until the test listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken


def address(line: socket.socket) -> str:
    return f"http://127.0.0.1:{line.getsockname()[1]}/"


# ── Before anything is installed ────────────────────────────────────────────────────────────────────────────


def test_an_old_python_can_read_it_and_so_say_that_it_is_too_old() -> None:
    ast.parse(SOURCE.read_text(), feature_version=(3, 8))


def test_a_port_in_use_is_said_before_anything_is_installed(checkout: Checkout, line: socket.socket) -> None:
    line.listen()
    port = str(line.getsockname()[1])
    assert checkout.refuses("--floor", PORT=port).endswith("Choose another with PORT=…")
    assert not checkout.venv.exists()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_a_port_that_is_none_is_refused(checkout: Checkout, port: str) -> None:
    assert "PORT must be a number from 1 to 65535" in checkout.refuses("--floor", PORT=port)


def test_a_folder_for_the_database_that_cannot_be_made_is_said_before_anything_is_installed(checkout: Checkout) -> None:
    assert "VAR_DIR=" in checkout.refuses("--floor", PORT="65535", VAR_DIR=f"{checkout.lock}/var")
    assert not checkout.venv.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_checkout_that_cannot_be_written_is_refused(checkout: Checkout) -> None:
    checkout.folder.chmod(0o555)
    assert "cannot be written" in checkout.refuses()
    checkout.folder.chmod(0o755)


# ── Python packages ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.in_full
def test_what_was_installed_before_is_not_installed_again(checkout: Checkout, pip: Path) -> None:
    checkout.has_a_venv(pip)
    done = checkout.runs_from_disk()
    assert (done.returncode, done.stderr, checkout.installed()) == (0, "", ["chips"])
    again = checkout.runs_from_disk()
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


@pytest.mark.in_full
def test_an_index_that_cannot_be_reached_is_said_in_one_line(
    checkout: Checkout, pip: Path, line: socket.socket
) -> None:
    checkout.has_a_venv(pip)
    said = checkout.refuses(PIP_INDEX_URL=address(line))
    assert "the package index cannot be reached (Connection refused). HTTPS_PROXY, PIP_INDEX_URL" in said
    assert "chips" in Path(said.rpartition(" is in ")[2]).read_text(), "all that pip said is kept"
    assert not checkout.unfinished.exists(), "nothing has changed, so what is there may stay"


@pytest.mark.in_full
def test_a_package_that_is_not_to_be_had_is_named_in_one_line(checkout: Checkout, pip: Path) -> None:
    checkout.has_a_venv(pip)
    checkout.lock.write_text(f"cards==1 --hash=sha256:{'0' * 64}\n")
    assert "cards==1" in checkout.refuses(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(checkout.wheels))


@pytest.mark.in_full
def test_who_was_cut_off_gets_all_anew_and_ctrl_c_leaves_nothing_half_made(
    checkout: Checkout, pip: Path, line: socket.socket
) -> None:
    checkout.has_a_venv(pip)
    checkout.unfinished.touch()
    (checkout.venv / "half").touch()
    line.listen()
    environment = checkout.environment | {"PIP_INDEX_URL": address(line)}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores Ctrl-C
    try:
        process = subprocess.Popen(checkout.command(), env=environment, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        asked, _ = line.accept()  # pip waits for our answer
        assert checkout.unfinished.exists()
        assert not (checkout.venv / "half").exists()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        asked.close()
    assert (process.returncode, said.strip().count("\n")) == (130, 0), said
    assert not checkout.venv.exists()


@pytest.mark.in_full
def test_what_installs_does_not_stay(checkout: Checkout, pip: Path) -> None:
    """Those that come with a Python are as old as that is; they come back when there is something to install."""
    checkout.has_a_venv(pip)
    packages = next(checkout.venv.glob("lib/python3*/site-packages"))
    (packages / "pip").unlink()
    for folder in (pip, *pip.parent.glob("pip-*.dist-info")):
        shutil.copytree(folder, packages / folder.name)
    checkout.wheel("setuptools")
    install = [str(checkout.venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-index"]
    subprocess.run([*install, "--find-links", str(checkout.wheels), "setuptools"], env=checkout.environment, check=True)
    assert checkout.installed() == ["setuptools"]
    done = checkout.runs_from_disk()
    assert (done.returncode, done.stderr, checkout.installed()) == (0, "", ["chips"])
    assert not list(packages.glob("pip*"))
    cards = checkout.wheel("cards")
    checkout.lock.write_text(f"{checkout.lock.read_text()}cards==1 --hash=sha256:{cards}\n")
    again = checkout.runs_from_disk()
    assert (again.returncode, again.stderr, checkout.installed()) == (0, "", ["cards", "chips"])
    assert not list(packages.glob("pip*"))


@pytest.mark.in_full
def test_what_installs_stays_where_the_lock_names_it(checkout: Checkout, pip: Path) -> None:
    checkout.has_a_venv(pip)
    tools = checkout.wheel("setuptools")
    checkout.lock.write_text(f"setuptools==1 \\\n    --hash=sha256:{tools}\n")
    done = checkout.runs_from_disk()
    assert (done.returncode, done.stderr, checkout.installed()) == (0, "", ["setuptools"])


# ── A browser and its fonts ─────────────────────────────────────────────────────────────────────────────────

SUDO = 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"'


@pytest.fixture
def bare(checkout: Checkout) -> Checkout:
    """Its packages are there, but none of this machine's programs."""
    checkout.has_a_venv()
    fingerprint = hashlib.sha256(checkout.lock.read_bytes()).hexdigest()
    (checkout.venv / ".requirements.txt.installed").write_text(fingerprint)
    checkout.environment["PATH"] = str(checkout.programs)
    return checkout


def test_without_a_chromium_it_says_in_one_line_what_to_install(bare: Checkout) -> None:
    said = bare.refuses("--browser")
    assert said.startswith("The browser tests need Chromium")
    assert "CHROMIUM=/path/to/it" in said


def test_what_apt_get_cannot_install_is_named_with_the_reason(bare: Checkout) -> None:
    bare.program("sudo", SUDO)
    bare.program("apt-get", '[ "$1" = --version ] || { echo "E: Unable to reach it"; exit 100; }')
    said = bare.refuses("--browser")
    assert f"sudo apt-get install {bootstrap.BROWSER}" in said or bootstrap._is_ubuntu()
    assert said.endswith("(apt-get: Unable to reach it)") or bootstrap._is_ubuntu()


def test_apt_get_installs_what_is_missing_in_one_call_behind_a_proxy_too(bare: Checkout) -> None:
    log, chromium = bare.folder / "log", bare.programs / "chromium"
    bare.program("sudo", SUDO)
    bare.program(
        "apt-get",
        f'[ "$1" = --version ] && exit; echo "$http_proxy" "$@" >> {log}\n'
        f'case "$*" in *install*) echo > {chromium}; /bin/chmod +x {chromium};; esac',
    )
    done = bare.run("--browser", HTTP_PROXY="http://127.0.0.1:3128")
    if bootstrap._is_ubuntu():
        return
    assert (done.returncode, done.stderr) == (0, "")
    update, install = log.read_text().splitlines()
    assert update.startswith("http://127.0.0.1:3128 ") and update.endswith(" update")
    assert f" install --no-install-recommends {bootstrap.BROWSER}" in install


def test_a_chromium_that_is_named_but_not_there_is_said(bare: Checkout) -> None:
    said = bare.refuses("--browser", CHROMIUM=f"{bare.programs}/chromium")
    assert said == f"CHROMIUM names {bare.programs}/chromium, and there is no program."
