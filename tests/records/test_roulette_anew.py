"""Roulette twice: what the rules make of invented records is what the second implementation makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.records.anew_reading import by_the_rules, played
from tests.records.roulette_anew import NUMBERS, anew
from tests.records.roulette_invented import invented

EXAMPLES = (Path(__file__).parent / "roulette.jsonl").read_text(encoding="utf-8").splitlines()


def test_the_second_implementation_agrees_with_the_examples_of_the_format() -> None:
    for line in EXAMPLES:
        example = json.loads(line)
        expected = played(None, lambda _: example["outcome"]) if "error" not in example["outcome"] else "error"  # noqa: B023
        assert played(example["record"], anew) == expected


@pytest.mark.parametrize("night", range(10))
def test_both_implementations_agree_on_invented_records(night: int) -> None:
    for at in range(150):
        record = invented(f"{night}.{at}")
        assert by_the_rules(record) == played(record, anew), json.dumps(record)


def test_what_is_invented_comes_near_to_everything() -> None:
    """Each spot wins, loses and is refused; winning stakes stay; null spins, voids and errors happen."""
    seen: Counter[str] = Counter()
    for at in range(4000):
        record = invented(f"kinds.{at}")
        outcome = played(record, anew)
        if outcome == "error":
            seen["error"] += 1
            continue
        spot_of = {bet["id"]: bet["spot"] for bet in record["bets"]}
        seen["decision refused"] += any(type(what) is int for what in outcome["refused"])
        if "void" in outcome["result"]:
            seen["void"] += 1
            seen["void, something carried"] += any(bet["carried"] for bet in outcome["bets"])
            continue
        seen["null spin"] += outcome["chance_used"] > 1
        seen["zero"] += outcome["result"]["number"] == 0
        for bet in outcome["bets"]:
            seen["stays"] += bet["carried"] > 0
            seen[f"{spot_of[bet['id']]} {'wins' if bet['returned'] else 'loses'}"] += 1
        seen.update(f"{spot_of[what]} refused" for what in outcome["refused"] if type(what) is str)
    wanted = {"error", "void", "void, something carried", "null spin", "zero", "stays", "decision refused"}
    wanted |= {f"{spot} {what}" for spot in NUMBERS for what in ("wins", "loses", "refused")}
    assert wanted - {what for what, times in seen.items() if times} == set()
