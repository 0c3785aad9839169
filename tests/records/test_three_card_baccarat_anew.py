"""3-Card Baccarat twice: what the rules make of invented records is what the second implementation makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.records.anew_reading import by_the_rules, played
from tests.records.three_card_baccarat_anew import SPOTS, anew
from tests.records.three_card_baccarat_invented import invented

EXAMPLES = (Path(__file__).parent / "three_card_baccarat.jsonl").read_text(encoding="utf-8").splitlines()


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
    """Each spot wins, loses, is refused, and stays if it can; ties, three court cards, voids and errors happen."""
    seen: Counter[str] = Counter()
    for at in range(2000):
        record = invented(f"kinds.{at}")
        outcome = played(record, anew)
        if outcome == "error":
            seen["error"] += 1
            continue
        spot_of = {bet["id"]: bet["spot"] for bet in record["bets"]}
        if "void" in outcome["result"]:
            seen["void"] += 1
            seen["void, something carried"] += any(bet["carried"] for bet in outcome["bets"])
            continue
        seen["three court cards"] += outcome["result"]["banker"] == 1
        seen["many places"] += len(outcome["result"]["places"]) > 2
        for bet in outcome["bets"]:
            what = "stays" if bet["carried"] else "wins" if bet["returned"] else "loses"
            seen[f"{spot_of[bet['id']]} {what}"] += 1
        for what in outcome["refused"]:
            seen[f"{spot_of[what]} refused" if type(what) is str else "decision refused"] += 1
    wanted = {"error", "void", "void, something carried", "three court cards", "many places", "decision refused"}
    wanted |= {f"{spot} {what}" for spot in SPOTS for what in ("wins", "loses", "refused")}
    wanted |= {f"{spot} stays" for spot in ("place", "odd", "even")}
    assert wanted <= {what for what, times in seen.items() if times}
