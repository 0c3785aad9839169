"""`manage.py replay` and `python -m tables.games` on files.

No test here may touch the database, so pytest-django would stop a command that did.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(__file__).parent / "baccarat.jsonl"
RECORDS = [json.loads(line)["record"] for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
GOOD, BAD = RECORDS[0], RECORDS[-1]


def replayed(path: Path | str) -> tuple[list[dict[str, object]], int]:
    """The outcomes printed, and the exit status."""
    out = io.StringIO()
    status = 0
    try:
        call_command("replay", str(path), stdout=out)
    except SystemExit as end:
        status = int(end.code or 0)
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def test_each_record_gives_one_line_in_the_order_read(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in RECORDS))
    outcomes, status = replayed(path)
    errors = [at for at, outcome in enumerate(outcomes) if "error" in outcome]
    expected = [json.loads(line)["outcome"] for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
    assert errors == [at for at, outcome in enumerate(expected) if "error" in outcome]
    assert status == 1


def test_without_an_error_the_exit_status_is_0(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(GOOD, indent=2))
    outcomes, status = replayed(path)
    assert len(outcomes) == 1 and "result" in outcomes[0]
    assert status == 0


def test_an_error_is_a_line_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "three.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{{\n{json.dumps(BAD)}\n{json.dumps(GOOD)}\n")
    outcomes, status = replayed(path)
    assert [set(outcome) == {"error"} for outcome in outcomes] == [False, True, True, False]
    assert status == 1


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(GOOD).encode())))
    outcomes, status = replayed("-")
    assert (len(outcomes), status) == (1, 0)


def test_a_file_that_is_not_there_is_said_so() -> None:
    with pytest.raises(CommandError, match=r"nowhere\.json"):
        call_command("replay", "nowhere.json")


# ── With nothing installed but Python ──


def alone(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`python -m tables.games`, without site-packages and without the environment."""
    command = [sys.executable, "-S", "-E", "-m", "tables.games", *arguments]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, env={}, check=False)


@pytest.mark.parametrize("examples", sorted(Path(__file__).parent.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_rules_alone_say_the_same_as_the_command(examples: Path, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    lines = examples.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(json.dumps(json.loads(line)["record"]) for line in lines))
    run = alone(str(path))
    assert ([json.loads(line) for line in run.stdout.splitlines()], run.returncode) == replayed(path)
    assert run.stderr == b""


def test_the_rules_alone_read_standard_input() -> None:
    run = alone("-", given=json.dumps(GOOD).encode())
    assert (len(run.stdout.splitlines()), run.returncode) == (1, 0)


@pytest.mark.parametrize("written", [b"", b"{", b"\xff\xfe", b"[1, 2]", b"null\n{}\n"])
def test_the_rules_alone_tell_what_is_wrong_as_the_command_does(written: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(written)
    run = alone(str(path))
    assert ([json.loads(line) for line in run.stdout.splitlines()], run.returncode) == replayed(path)


def test_the_rules_alone_say_so_if_there_is_no_such_file(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    run = alone(str(path))
    assert (run.stdout, run.returncode) == (b"", 1)
    with pytest.raises(CommandError) as error:
        replayed(path)
    assert run.stderr.decode().strip() == str(error.value)


def test_the_rules_alone_ask_for_a_file() -> None:
    run = alone()
    assert (run.stdout, run.returncode) == (b"", 2)
    assert b"FILE" in run.stderr
