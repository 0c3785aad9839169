"""Stud Poker twice: what the rules make of invented records is what the second implementation makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.records.anew_reading import by_the_rules, played
from tests.records.stud_poker_anew import HANDS, SUMS, anew
from tests.records.stud_poker_invented import invented

EXAMPLES = (Path(__file__).parent / "stud_poker.jsonl").read_text(encoding="utf-8").splitlines()


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
    """Each hand is held, beaten and paid, on either side; each prize is won; rounds end in every way."""
    seen: Counter[str] = Counter()
    for at in range(1500):
        record = invented(f"kinds.{at}")
        outcome = played(record, anew)
        if outcome == "error":
            seen["error"] += 1
            continue
        seen["bet refused"] += any(type(what) is str for what in outcome["refused"])
        seen["decision refused"] += any(type(what) is int for what in outcome["refused"])
        seen["void, something carried"] += "void" in outcome["result"] and any(b["carried"] for b in outcome["bets"])
        if "void" not in outcome["result"]:
            count(seen, outcome, {bet["id"]: bet for bet in record["bets"]})
    wanted = {f"{name} {how}" for name in HANDS for how in ("wins", "is returned", "of the dealer")}
    wanted |= {f"{name} loses" for name in HANDS}
    wanted |= {f"jackpot to {name}" for name in SUMS}
    wanted |= {"error", "bet refused", "decision refused", "void, something carried", "carried without an ante"}
    wanted |= {"folded", "2 royals share", "3 royals share", "the pool restarts"}
    assert wanted <= {what for what, times in seen.items() if times}


def count(seen: Counter[str], outcome: Any, bets: dict[str, Any]) -> None:
    result, royals = outcome["result"], 0
    seen[f"{result['dealer']} of the dealer"] += 1
    for bet in outcome["bets"]:
        spot, held = bets[bet["id"]]["spot"], result["boxes"].get(str(bets[bet["id"]]["box"]))
        seen["carried without an ante"] += bool(bet["carried"])
        seen["folded"] += held == "folded"
        if spot == "jackpot" and bet["returned"]:
            seen[f"jackpot to {held}"] += 1
            royals += held == "royal_flush"
        if spot == "ante" and held != "folded":
            seen[f"{held} {'loses' if not bet['returned'] else 'wins' if result['qualifies'] else 'is returned'}"] += 1
    seen[f"{royals} royals share"] += 1
    seen["the pool restarts"] += royals and result["jackpot"]["closing"] > result["jackpot"]["opening"]
