"""The public record sentence by sentence, as Roulette knows it: families, null spins, what stays, voids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.contract.actions import CloseBets, Lower, Move, NullThrow, Seal, Settle, Unseal, Void, Withdraw
from tables.games.contract.round import Opening, Stake
from tables.games.record import RecordError, outcome_of, record_of
from tables.games.roulette import GiveBack, ThrowBall
from tests.kit import bet, options

VOID = {"by": "house", "do": "void"}
LEAVES = {"auto_leave_winners": True}


def laid(spot: str, amount: int = 1000, by: str = "ana", bet: str = "", **more: Any) -> dict[str, Any]:
    return {"id": bet or spot, "by": by, "spot": spot, "amount": amount, **more}


def record(chance: Any, *bets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "roulette", "bets": list(bets), "chance": chance, **more}


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [one.get("id", one.get("decision")) for one in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {one["id"]: (one["returned"], one["carried"]) for one in outcome["bets"]}


RED = laid("red")


@pytest.mark.parametrize(
    "wrong",
    [
        record([9], RED, edition="30/2003"),
        record([9], RED, edition=None),
        record([9], RED, options={"wheel_order": "american"}),
        record([9], RED, options={"throw_direction": None}),
        record([9], RED, options={"bets_close": "bell"}),
        record([9], RED, options={"betting_seconds": -1}),
        record([9], RED, options={"late_seconds": 8.0}),
        record([9], RED, options={"null_spin_bets": True}),
        record([9], RED, options={"enabled_bets": None}),
        record([9], RED, options={"enabled_bets": "red_black"}),
        record([9], RED, options={"enabled_bets": ["red"]}),
        record([9], RED, options={"enabled_bets": ["red_black", "red_black"]}),
        record([9], RED, options={"enabled_bets": ["trio"]}),
        record([9], RED, options={"sector_definition": "blocks"}),
        record([9], RED, options={"zero_combinations": False}),
        record([9], RED, options={"min_bet": {"colour": 100}}),
        record([9], RED, options={"max_bet": {"trio": 100}}),
        record([9], RED, options={"max_bet": {"zero": 100}}),
        record([9], RED, options={"max_bet": None}),
        record([9], RED, options={"auto_leave_winners": 1}),
        record([9], RED, options={"imbalance_limit": None}),
        record([9], RED, seats={"ana": 0}),
        record([9], RED, seats={"ana": 3, "rui": 3}),
        record([9], {**RED, "box": "1"}),
        record([9], {**RED, "carried": True}),
        record([9], {**RED, "carried": True}, options={"auto_leave_winners": False}),
        record([9], {**RED, "spot": "blue", "carried": True}, options=LEAVES),
        record([9], RED, RED),
        record([37], RED),
        record([-1], RED),
        record([True], RED),
        record(["9"], RED),
        record([9.0], RED),
        record([[9]], RED),
        record([9, "As"], RED),
        record(None, RED),
        record([], RED),
        record([None, None], RED),
        record([37], RED, decisions=[VOID]),
        record([9], RED, decisions=[{"by": "ana", "do": "spin"}]),
    ],
    ids=lambda wrong: json.dumps(wrong)[20:140],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


def test_what_may_be_left_out_has_its_default() -> None:
    full = {
        "edition": "60/2004",
        "options": {"bets_close": "on_bell", "null_spin_bets": "stand", "max_bet": {}},
        "seats": {},
        "decisions": [],
        "first_round": False,
    }
    assert outcome_of(record([9], RED)) == outcome_of(record([9], RED, **full))


def test_a_box_is_no_part_of_a_bet_here() -> None:
    lying = [{**RED, "box": 99}, laid("red", bet="more", box=0), laid("red", bet="over", box=1)]
    outcome = outcome_of(record([9], *lying, options={"max_bet": 2000}))
    assert (refused(outcome), back(outcome)) == (["over"], {"red": (2000, 0), "more": (2000, 0)})


@pytest.mark.parametrize(
    ("bet", "given"),
    [
        *((laid("red", amount), {}) for amount in (0, -100, 50, 150)),
        *((laid(spot), {}) for spot in ("split_3_4", "corner_3", "line_34", "street_2", "straight_37", "blue", "")),
        *((laid(spot), {}) for spot in ("split_0_1", "trio_0_1_2", "corner_0")),
        (laid("street_0_1_2"), {"zero_combinations": "allowed"}),
        (laid("sector12_1"), {"sector_definition": "layout_blocks"}),
        (laid("sector9_1"), {"sector_definition": "off"}),
        (laid("odd"), {"enabled_bets": ["red_black", "low_high"]}),
        (laid("trio_0_1_2"), {"enabled_bets": ["split", "corner"], "zero_combinations": "allowed"}),
        (laid("red", 400), {"min_bet": 500}),
        (laid("red", 400), {"min_bet": {"red_black": 500, "black": 100}}),
        (laid("red", 400), {"min_bet": {"red": 500, "red_black": 100}}),
        (laid("red", 400), {"max_bet": {"red_black": 300}}),
        (laid("trio_0_2_3", 400), {"max_bet": {"street": 300}, "zero_combinations": "allowed"}),
        (laid("split_0_3", 400), {"max_bet": {"split": 300}, "zero_combinations": "allowed"}),
        (laid("corner_0", 400), {"max_bet": {"corner_0": 300, "corner": 500}, "zero_combinations": "allowed"}),
    ],
    ids=lambda it: json.dumps(it),
)  # fmt: skip
def test_what_is_refused_moves_no_money(bet: dict[str, Any], given: dict[str, Any]) -> None:
    outcome = outcome_of(record([0], bet, options=given))
    assert refused(outcome) == [bet["id"]]
    assert (outcome["bets"], outcome["staked"], outcome["returned"]) == ([], {}, {})
    assert (outcome["result"], outcome["chance_used"]) == ({"number": 0}, 1)


def test_the_maximum_counts_a_bettors_stakes_on_a_spot_carried_ones_included() -> None:
    lying = [
        laid("red", 600, bet="fresh"),
        laid("red", 600, by="rui", bet="other"),
        laid("red", 500, bet="old", carried=True),
        laid("red", 400, bet="fits"),
        laid("red", 200, bet="over"),
    ]
    outcome = outcome_of(record([9], *lying, options={**LEAVES, "max_bet": {"red_black": 1000}}))
    assert refused(outcome) == ["fresh", "over"]
    assert back(outcome) == {"old": (500, 500), "other": (600, 600), "fits": (400, 400)}
    assert [one["id"] for one in outcome["bets"]] == ["old", "other", "fits"]
    assert outcome["staked"] == {"ana": 400, "rui": 600}


def test_a_carried_stake_plays_on_whatever_the_limits_and_though_it_is_sold_no_more() -> None:
    given = {**LEAVES, "min_bet": 500, "max_bet": 700, "enabled_bets": [], "sector_definition": "off"}
    lying = [
        laid("sector12_1", 100, carried=True),
        laid("split_0_1", 9000, carried=True),
        laid("red", 150, bet="odd cents", carried=True),
    ]
    outcome = outcome_of(record([13], *lying, options=given))
    assert refused(outcome) == ["odd cents"]
    assert back(outcome) == {"sector12_1": (200, 100), "split_0_1": (0, 0)}
    assert outcome["staked"] == {"ana": 0}


@pytest.mark.parametrize("given", [{}, {"null_spin_bets": "reopen"}, {"bets_close": "before_throw"}])
def test_null_spins_stand_before_the_number(given: dict[str, Any]) -> None:
    outcome = outcome_of(record([None, None, 9, None, 4], RED, options=given))
    assert (outcome["result"], outcome["chance_used"], back(outcome)) == ({"number": 9}, 3, {"red": (2000, 0)})


@pytest.mark.parametrize("chance", [[], [None], [9], [None, 9, 4]])
def test_a_void_returns_what_is_fresh_and_leaves_what_was_carried(chance: list[int | None]) -> None:
    lying = [RED, laid("black", carried=True), laid("zero")]
    outcome = outcome_of(record(chance, *lying, options=LEAVES, decisions=[VOID, VOID]))
    assert outcome["result"] == {"void": True}
    assert back(outcome) == {"black": (0, 1000), "red": (1000, 0)}
    assert (refused(outcome), outcome["chance_used"]) == (["zero", 1], len(chance))


def test_nobody_decides_anything_here() -> None:
    decisions = [{"by": "ana", "do": "stand"}, {"by": "ana", "do": "void"}]
    outcome = outcome_of(record([9], RED, decisions=decisions))
    assert (refused(outcome), back(outcome)) == ([0, 1], {"red": (2000, 0)})
    outcome = outcome_of(record([9, 4], RED, decisions=[*decisions, VOID]))
    assert (refused(outcome), outcome["result"], outcome["chance_used"]) == ([0, 1], {"void": True}, 2)


def test_a_bettor_may_be_called_house() -> None:
    assert outcome_of(record([9], laid("red", by="house")))["returned"] == {"house": 2000}


# ── Written ─────────────────────────────────────────────────────────────────────────────────────────────────

ROULETTE = GAMES["roulette"]


def test_the_record_of_a_round_has_its_null_spins_and_the_bets_of_the_last_bell() -> None:
    carried = (Stake("old", "ana", "low", 20_00, carried=True),)
    log = [
        Seal(commitment="a"),
        bet("ana red 10"),
        bet("rui straight_9 5"),
        ThrowBall(),
        CloseBets(),
        NullThrow(reason="object"),
        Seal(commitment="b"),
        Withdraw("rui", bet="rui straight_9"),
        Move("ana", bet="ana red", spot="black"),
        Lower("ana", bet="old", amount=5_00),
        bet("lee odd 10"),
        ThrowBall(),
        bet("lee high 10"),
        CloseBets(),
        Unseal(values=(9,), salt="s"),
    ]
    chosen = options("roulette", null_spin_bets="reopen", auto_leave_winners=True)
    with pytest.raises(ValueError, match="over"):
        record_of(ROULETTE, chosen, Opening({"ana": 1}, carried), log)
    written = record_of(ROULETTE, chosen, Opening({"ana": 1}, carried), [*log, Settle()])
    assert written["chance"] == [None, 9]
    assert (written["seats"], written["decisions"]) == ({"ana": 1}, [])
    assert [(one["id"], one["spot"], one["amount"], one.get("carried", False)) for one in written["bets"]] == [
        ("old", "low", 15_00, True),
        ("ana red", "black", 10_00, False),
        ("lee odd", "odd", 10_00, False),
        ("lee high", "high", 10_00, False),
    ]
    assert back(outcome_of(written)) == {
        "old": (15_00, 15_00),
        "ana red": (0, 0),
        "lee odd": (10_00, 10_00),
        "lee high": (0, 0),
    }


def test_stakes_that_were_given_back_are_in_no_record_and_a_void_is_a_decision() -> None:
    opening = Opening({}, (Stake("old", "ana", "red", 20_00, carried=True),))
    log = [GiveBack(), Seal(commitment="a"), bet("ana red 10"), Void(remark="pit")]
    written = record_of(ROULETTE, options("roulette"), opening, log)
    assert [one["id"] for one in written["bets"]] == ["ana red"]
    assert (written["chance"], written["decisions"]) == ([], [VOID])
    early = record_of(ROULETTE, options("roulette"), opening, [Void()])
    assert back(outcome_of(early)) == {"old": (20_00, 0)}
