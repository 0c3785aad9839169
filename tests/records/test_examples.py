"""The examples that came with the format of the public record; of those games that are dealt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.record import RecordError, outcome_of

EXAMPLES = [
    pytest.param(json.loads(line), id=f"{game}-{at}")
    for game in GAMES
    for at, line in enumerate((Path(__file__).parent / f"{game}.jsonl").read_text(encoding="utf-8").splitlines())
]


def told(refused: list[dict[str, Any]]) -> list[Any]:
    """Of a refusal only the id or the index counts."""
    return [item.get("id", item.get("decision")) for item in refused]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_format_comes_out_as_it_says(example: dict[str, Any]) -> None:
    expected = example["outcome"]
    if "error" in expected:
        with pytest.raises(RecordError):
            outcome_of(example["record"])
        return
    outcome = outcome_of(example["record"])
    assert {**outcome, "refused": told(outcome["refused"])} == {**expected, "refused": told(expected["refused"])}
