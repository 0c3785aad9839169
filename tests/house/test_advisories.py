"""What CI says of packages that are known to be vulnerable, with and without anybody to ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from casino.checks import advisories

LOCK = """\
# made by hand
chips==1.5 \\
    --hash=sha256:00
    # via -r requirements.in
cards[bin]==2.0 ; python_full_version < '3.13' \\
    --hash=sha256:00
"""

AWAY = "error: Request failed after 3 retries\\n  cause: error sending request for url"


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    for name in advisories.LOCKS:
        (tmp_path / name).write_text(LOCK)
    return tmp_path


def uv(folder: Path, says: str, code: int) -> str:
    """A uv that says this of whatever it is asked, and keeps what it was asked about."""
    program = folder / "uv"
    program.write_text(
        f'#!/bin/sh\nfor last; do :; done\ncp "$last" {folder}/asked\nprintf "{says}" >&2\nexit {code}\n'
    )
    program.chmod(0o755)
    return str(program)


def test_it_asks_about_all_that_is_locked(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main([uv(locks, "", 0), str(locks)]) == 0
    asked = (locks / "asked").read_text()
    assert '"chips==1.5"' in asked
    assert "\"cards[bin]==2.0 ; python_full_version < '3.13'\"" in asked
    assert capsys.readouterr().out.count("nothing is known against it") == 2


def test_what_is_found_fails(locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main([uv(locks, "chips 1.5 has 1 known vulnerability", 1), str(locks)]) == 1
    assert "chips 1.5 has 1 known vulnerability" in capsys.readouterr().out


def test_where_nobody_can_be_asked_a_line_says_so_and_that_is_all(
    locks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advisories.main([uv(locks, AWAY, 2), str(locks)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("could not be asked" in line for line in lines)


@pytest.mark.parametrize("says", ["error: unexpected argument", ""])
def test_an_error_of_ours_is_no_excuse(locks: Path, says: str) -> None:
    assert advisories.main([uv(locks, says, 2), str(locks)]) == 1


def test_what_is_found_fails_also_if_it_was_hard_to_ask(locks: Path) -> None:
    assert advisories.main([uv(locks, AWAY, 1), str(locks)]) == 1


def test_a_program_or_a_lock_that_is_not_there_fails(locks: Path) -> None:
    assert advisories.main([str(locks / "none"), str(locks)]) == 1
    (locks / "requirements.txt").write_text("# nothing\n")
    assert advisories.main([uv(locks, "", 0), str(locks)]) == 1


@pytest.mark.parametrize("lock", advisories.LOCKS)
def test_every_line_of_our_locks_is_understood(lock: str) -> None:
    text = (advisories.BASE / lock).read_text()
    named = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(advisories.pinned_in(text)) == len(named) > 10
