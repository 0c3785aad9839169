"""`manage.py replay` on files. No test here may touch the database, so pytest-django would stop a command that did."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

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
