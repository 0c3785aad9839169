"""The Valkey of the embedded default."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from casino.embedded import EmbeddedError, Valkey

HOLDER = """
import sys
from pathlib import Path
from casino.embedded import Valkey
valkey = Valkey(Path(sys.argv[1]))
valkey.start()
print("ours" if valkey.ours else "joined", flush=True)
sys.stdin.read()
valkey.stop()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short: a socket's path may not be long, and pytest's own folders are."""
    with TemporaryDirectory(prefix="macau-") as name:
        yield Path(name)


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process of the house, which starts or joins the server and holds it until its input ends."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def said_by(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_it_starts_serves_and_stops(folder: Path) -> None:
    with Valkey(folder) as valkey:
        assert valkey.ours
        with redis.Redis(unix_socket_path=str(valkey.socket)) as client:
            assert client.set("chip", 1)
        assert valkey.socket.stat().st_mode & 0o077 == 0
    assert not valkey.answers()
    assert not valkey.socket.exists()


def test_a_second_process_joins_and_leaves_it_running(folder: Path) -> None:
    with Valkey(folder) as valkey:
        with holder(folder) as other:
            assert said_by(other) == "joined"
            other.communicate("")
        assert valkey.answers()


def test_a_server_whose_owner_was_killed_is_replaced(folder: Path) -> None:
    with holder(folder) as owner:
        assert said_by(owner) == "ours"
        owner.kill()
    with Valkey(folder) as valkey:
        assert valkey.ours
        assert valkey.answers()


def test_an_orphan_that_still_serves_is_ended_first(folder: Path) -> None:
    """Where the kernel does not end it with its owner (macOS)."""
    orphan = Valkey(folder)
    orphan.start()
    assert orphan._lock is not None
    orphan._lock.close()  # as if its owner were gone
    with Valkey(folder) as valkey:
        assert valkey.ours
        assert valkey.pid != orphan.pid
        assert orphan._process is not None
        assert orphan._process.wait(10) == 0


def test_a_folder_that_others_can_open_is_refused(folder: Path) -> None:
    folder.chmod(0o755)
    with pytest.raises(EmbeddedError, match="open to others"):
        Valkey(folder).start()


def test_a_folder_that_is_a_link_is_refused(folder: Path) -> None:
    real = folder / "real"
    real.mkdir(mode=0o700)
    (folder / "link").symlink_to(real)
    with pytest.raises(EmbeddedError, match="somebody else"):
        Valkey(folder / "link").start()


def test_a_path_too_long_for_a_socket_is_refused_with_what_to_do(folder: Path) -> None:
    with pytest.raises(EmbeddedError, match="TMPDIR"):
        Valkey(folder / ("x" * 100)).start()
