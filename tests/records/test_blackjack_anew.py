"""Two implementations, one format: what the rules make of invented records is what the second one makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tables.games.record import RecordError, outcome_of
from tests.records.blackjack_anew import Table, TooFewCards
from tests.records.blackjack_invented import invented

EXAMPLES = (Path(__file__).parent / "blackjack.jsonl").read_text(encoding="utf-8").splitlines()


def by_the_rules(record: dict[str, Any]) -> Any:
    try:
        outcome = outcome_of(json.loads(json.dumps(record)))
    except RecordError:
        return "error"
    outcome["refused"] = [item.get("id", item.get("decision")) for item in outcome["refused"]]
    return outcome


def anew(record: dict[str, Any]) -> Any:
    try:
        return Table(record).outcome()
    except TooFewCards:
        return "error"


def test_the_second_implementation_agrees_with_the_examples_of_the_format() -> None:
    for line in EXAMPLES:
        example = json.loads(line)
        expected = example["outcome"]
        expected["refused"] = [item.get("id", item.get("decision")) for item in expected["refused"]]
        assert anew(example["record"]) == expected


@pytest.mark.parametrize("night", range(20))
def test_both_implementations_agree_on_invented_records(night: int) -> None:
    for at in range(50):
        record = invented(f"{night}.{at}")
        assert by_the_rules(record) == anew(record), json.dumps(record)


def test_what_is_invented_comes_near_to_everything() -> None:
    """Each decision is both taken and refused somewhere, and rounds end in every way."""
    seen: Counter[str] = Counter()
    for at in range(400):
        record = invented(f"kinds.{at}")
        outcome = anew(record)
        if outcome == "error":
            seen["error"] += 1
            continue
        seen["void" if "void" in outcome["result"] else "played"] += 1
        seen["bet refused"] += any(type(what) is str for what in outcome["refused"])
        for place, item in enumerate(record["decisions"]):
            seen[f"{item['do']} {'refused' if place in outcome['refused'] else 'taken'}"] += 1
    deeds = ("hit", "stand", "double", "split", "surrender", "even_money", "insurance", "claim_five_cards", "match")
    wanted = {f"{do} {how}" for do in deeds for how in ("taken", "refused")} | {
        "error",
        "void",
        "played",
        "bet refused",
    }
    assert wanted <= {what for what, times in seen.items() if times}
