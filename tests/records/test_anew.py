"""Each game twice: what the rules make of invented records is what a second implementation makes of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.extent import times

from . import (
    baccarat_anew,
    baccarat_invented,
    blackjack_anew,
    blackjack_invented,
    cussec_anew,
    cussec_invented,
    roulette_anew,
    roulette_invented,
    stud_poker_anew,
    stud_poker_invented,
    three_card_baccarat_anew,
    three_card_baccarat_invented,
)
from .anew_reading import by_the_rules, played

Record = dict[str, Any]


@dataclass(frozen=True)
class Twice:
    """A game in two implementations, and what has to come up in invented records of it."""

    anew: Callable[[Any], dict[str, Any]]
    invented: Callable[[str], Record]
    compared: int
    """Records that both implementations play."""
    looked_at: int
    """Records in which everything that is wanted comes up."""
    seen: Callable[[Record, dict[str, Any]], Iterator[str]]
    """What happens in a record, by its outcome."""
    wanted: Set[str]


def everywhere(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    """What may happen in every game."""
    if "void" in outcome["result"]:
        yield "void"
        if any(bet["carried"] for bet in outcome["bets"]):
            yield "void, something carried"
    for refused in outcome["refused"]:
        yield "bet refused" if type(refused) is str else "decision refused"


def on_spots(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    """How each spot ends, in a round that is not void."""
    spot_of = {bet["id"]: bet["spot"] for bet in record["bets"]}
    if "void" not in outcome["result"]:
        for bet in outcome["bets"]:
            end = "stays" if bet["carried"] else "wins" if bet["returned"] else "loses"
            yield f"{spot_of[bet['id']]} {end}"
        yield from (f"{spot_of[refused]} refused" for refused in outcome["refused"] if type(refused) is str)


def ends(spots: Set[str], *how: str) -> Set[str]:
    return {f"{spot} {end}" for spot in spots for end in how}


def baccarat(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    yield from on_spots(record, outcome)
    result = outcome["result"]
    if "void" in result:
        return
    yield from (name for name in ("player_pair", "banker_pair") if result[name])
    loser = {"player": "banker", "banker": "player"}.get(result["winner"])
    for bet in record["bets"]:
        told = next((one for one in outcome["bets"] if one["id"] == bet["id"]), None)
        if told is not None and bet["spot"] == loser and told["returned"]:
            yield "trimmed to nothing" if told["returned"] == bet["amount"] else "trimmed"
            yield "a carried stake trimmed" if bet.get("carried") else "a fresh stake trimmed"


def blackjack(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    yield "void" if "void" in outcome["result"] else "played"
    for place, item in enumerate(record["decisions"]):
        yield f"{item['do']} {'refused' if place in outcome['refused'] else 'taken'}"


def stud_poker(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    result, bets, royals = outcome["result"], {bet["id"]: bet for bet in record["bets"]}, 0
    if "void" in result:
        return
    yield f"{result['dealer']} of the dealer"
    for bet in outcome["bets"]:
        spot, held = bets[bet["id"]]["spot"], result["boxes"].get(str(bets[bet["id"]]["box"]))
        if bet["carried"]:
            yield "carried without an ante"
        if held == "folded":
            yield "folded"
        if spot == "jackpot" and bet["returned"]:
            yield f"jackpot to {held}"
            royals += held == "royal_flush"
        if spot == "ante" and held != "folded":
            yield f"{held} {'loses' if not bet['returned'] else 'wins' if result['qualifies'] else 'is returned'}"
    yield f"{royals} royals share"
    if royals and result["jackpot"]["closing"] > result["jackpot"]["opening"]:
        yield "the pool restarts"


def three_card_baccarat(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    yield from on_spots(record, outcome)
    if "void" not in outcome["result"]:
        if outcome["result"]["banker"] == 1:
            yield "three court cards"
        if len(outcome["result"]["places"]) > 2:
            yield "many places"


def roulette(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    for end in on_spots(record, outcome):
        yield "stays" if end.endswith(" stays") else end
    if "void" not in outcome["result"]:
        if outcome["chance_used"] > 1:
            yield "null spin"
        if outcome["result"]["number"] == 0:
            yield "zero"


def cussec(record: Record, outcome: dict[str, Any]) -> Iterator[str]:
    yield from on_spots(record, outcome)
    if "void" not in outcome["result"]:
        if outcome["result"]["triple"]:
            yield "triple"
        if len(record["chance"]) > outcome["chance_used"]:
            yield "more than needed"


HANDS = set(stud_poker_anew.HANDS)
DEEDS = {"hit", "stand", "double", "split", "surrender", "even_money", "insurance", "claim_five_cards", "match"}
CARRIED = {"void", "void, something carried", "decision refused"}

GAMES = {
    "baccarat": Twice(
        baccarat_anew.anew, baccarat_invented.invented, compared=1_500, looked_at=3_000, seen=baccarat,
        wanted=ends(set(baccarat_anew.SPOTS), "wins", "loses", "refused")
        | ends(set(baccarat_anew.MAIN), "stays") | CARRIED | {"player_pair", "banker_pair", "trimmed"}
        | {"trimmed to nothing", "a carried stake trimmed", "a fresh stake trimmed"},
    ),
    "blackjack": Twice(
        blackjack_anew.anew, blackjack_invented.invented, compared=1_000, looked_at=400, seen=blackjack,
        wanted=ends(DEEDS, "taken", "refused") | {"void", "played", "bet refused"},
    ),
    "stud_poker": Twice(
        stud_poker_anew.anew, stud_poker_invented.invented, compared=1_500, looked_at=1_500, seen=stud_poker,
        wanted=ends(HANDS, "wins", "is returned", "loses", "of the dealer")
        | {f"jackpot to {name}" for name in stud_poker_anew.SUMS}
        | {"bet refused", "decision refused", "void, something carried", "carried without an ante"}
        | {"folded", "2 royals share", "3 royals share", "the pool restarts"},
    ),
    "three_card_baccarat": Twice(
        three_card_baccarat_anew.anew, three_card_baccarat_invented.invented, compared=1_500, looked_at=2_000,
        seen=three_card_baccarat,
        wanted=ends(set(three_card_baccarat_anew.SPOTS), "wins", "loses", "refused")
        | ends({"place", "odd", "even"}, "stays") | CARRIED | {"three court cards", "many places"},
    ),
    "roulette": Twice(
        roulette_anew.anew, roulette_invented.invented, compared=1_500, looked_at=4_000, seen=roulette,
        wanted=ends(set(roulette_anew.NUMBERS), "wins", "loses", "refused") | CARRIED | {"null spin", "zero", "stays"},
    ),
    "cussec": Twice(
        cussec_anew.anew, cussec_invented.invented, compared=1_500, looked_at=3_000, seen=cussec,
        wanted=ends(set(cussec_anew.SPOTS), "wins", "loses", "refused")
        | {f"{spot} stays" for spot in cussec_anew.SPOTS if not spot.startswith("triple")}
        | CARRIED | {"triple", "more than needed"},
    ),
}  # fmt: skip

PARTS = 10


@pytest.mark.parametrize("game", GAMES)
def test_the_second_implementation_agrees_with_the_examples_of_the_format(game: str) -> None:
    for line in (Path(__file__).parent / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
        example = json.loads(line)
        expected = "error" if "error" in example["outcome"] else played(example["outcome"], dict)
        assert played(example["record"], GAMES[game].anew) == expected


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", GAMES)
def test_both_implementations_agree_on_invented_records(game: str, part: int) -> None:
    for at in range(times(GAMES[game].compared) // PARTS):
        record = GAMES[game].invented(f"{part}.{at}")
        assert by_the_rules(record) == played(record, GAMES[game].anew), json.dumps(record)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_invented_comes_near_to_everything(game: str) -> None:
    """Each spot ends in every way, each decision is taken and refused, and rounds are void or cannot be played."""
    known, seen = GAMES[game], Counter[str]()
    for at in range(known.looked_at):
        record = known.invented(f"kinds.{at}")
        outcome = played(record, known.anew)
        if outcome == "error":
            seen["error"] += 1
        else:
            seen.update(what for told in (everywhere, known.seen) for what in told(record, outcome))
    assert known.wanted | {"error"} <= seen.keys(), known.wanted - seen.keys()
