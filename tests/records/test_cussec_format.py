"""The public record sentence by sentence, as Cussec knows it: dice, limits by family, stakes that stay, voids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.codec import action_from, action_json
from tables.games.contract.actions import (
    Action,
    CloseBets,
    Lower,
    Move,
    NullThrow,
    Ready,
    Seal,
    Settle,
    Unseal,
    Void,
    Withdraw,
)
from tables.games.contract.round import Opening
from tables.games.record import RecordError, outcome_of, record_of
from tests.kit import bet, options, replayed, stake

VOID = {"by": "house", "do": "void"}
HIT = {"by": "ana", "do": "hit"}


def laid(spot: str, amount: int = 1000, by: str = "ana", name: str = "", **more: Any) -> dict[str, Any]:
    return {"id": name or spot, "by": by, "spot": spot, "amount": amount, **more}


def record(dice: str, *bets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "cussec", "bets": list(bets), "chance": [int(die) for die in dice.split()], **more}


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [one.get("id", one.get("decision")) for one in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, Any]:
    """What came back of each bet, and what stays."""
    return {
        one["id"]: (one["returned"], f"{one['carried']} stays") if one["carried"] else one["returned"]
        for one in outcome["bets"]
    }


LEAVES = {"auto_leave_winners": True}
A_BET = laid("big")


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "wrong",
    [
        record("1 2 3", A_BET, edition="31/2003"),
        record("1 2 3", A_BET, edition=None),
        record("1 2 3", A_BET, options={"edition": "57/2004"}),
        record("1 2 3", A_BET, options={"odds": "macau"}),
        record("1 2 3", A_BET, options={"decks": 1}),
        record("1 2 3", A_BET, options={"shakes": 2}),
        record("1 2 3", A_BET, options={"shakes": True}),
        record("1 2 3", A_BET, options={"shake_timing": "later"}),
        record("1 2 3", A_BET, options={"cocked_dice": None}),
        record("1 2 3", A_BET, options={"betting_seconds": "30"}),
        record("1 2 3", A_BET, options={"odd_even_enabled": 1}),
        record("1 2 3", A_BET, options={"min_bet": -100}),
        record("1 2 3", A_BET, options={"min_bet": {"big_small": 100}}),
        record("1 2 3", A_BET, options={"max_bet": {"total_3": 100}}),
        record("1 2 3", A_BET, options={"max_bet": {"straight": 100}}),
        record("1 2 3", A_BET, options={"max_bet": None}),
        record("1 2 3", A_BET, options={"max_bet": {"pair": None}}),
        record("1 2 3", A_BET, options={"imbalance_limit": None}),
        record("1 2 3", A_BET, seats={"ana": 0}),
        record("1 2 3", A_BET, seats={"ana": 9}),
        record("1 2 3", A_BET, seats={"ana": 1, "rui": 1}),
        record("1 2 3", A_BET, A_BET),
        record("1 2 3", {**A_BET, "amount": 1000.0}),
        record("1 2 3", {**A_BET, "box": "1"}),
        record("1 2 3", {**A_BET, "carried": True}),
        record("1 2 3", {**A_BET, "carried": True}, options={"auto_leave_winners": False}),
        record("1 2 3", {**A_BET, "carried": 1}, options=LEAVES),
        record("1 2 3", laid("total_3", carried=True), options=LEAVES),
        record("", A_BET),
        record("1", A_BET),
        record("1 2", A_BET),
        record("1 2"),
        record("1 2 0", A_BET),
        record("7 2 1", A_BET),
        record("1 2 3 7", A_BET),
        {**record("", A_BET), "chance": [1, 2, None, 3]},
        {**record("", A_BET), "chance": [None, 1, 2, 3]},
        {**record("", A_BET), "chance": [1, 2, 3.0]},
        {**record("", A_BET), "chance": [True, 2, 3]},
        {**record("", A_BET), "chance": ["1", "2", "3"]},
        {**record("", A_BET), "chance": [[1, 2, 3]]},
        {**record("", A_BET), "chance": 123},
        record("1 2 3", A_BET, decisions=[{"by": "ana", "do": "shake"}]),
        record("1 2 3", A_BET, decisions=[VOID, {"by": "ana"}]),
    ],
    ids=lambda wrong: json.dumps(wrong)[16:140],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


def test_what_may_be_left_out_has_its_default() -> None:
    full = {
        "edition": "57/2004",
        "options": {
            "odd_even_enabled": True,
            "four_numbers_enabled": True,
            "shake_timing": "before_betting",
            "shakes": 3,
            "cocked_dice": "void_return",
            "betting_seconds": 30,
            "max_bet": {},
            "auto_leave_winners": False,
        },
        "seats": {},
        "decisions": [],
        "first_round": False,
    }
    bare = record("4 3 3", laid("small"), laid("total_10", name="t"))
    assert outcome_of(bare) == outcome_of({**bare, **full, "jackpot": "what is this"})


@pytest.mark.parametrize(
    "given",
    [
        {"shake_timing": "after_betting"},
        {"cocked_dice": "reshake_bets_stand"},
        {"shakes": 7, "betting_seconds": 0},
        {"shake_timing": "after_betting", "cocked_dice": "reshake_bets_stand"},
    ],
    ids=str,
)
def test_how_the_dice_are_shaken_changes_nothing_of_a_record(given: dict[str, Any]) -> None:
    bets = [laid("small"), laid("single_3"), laid("four_1234")]
    assert outcome_of(record("4 3 3 6", *bets, options=given)) == outcome_of(record("4 3 3", *bets))


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("no", "given"),
    [
        (laid("total_3"), {}),
        (laid("total_18"), {}),
        (laid("pair_4_2"), {}),
        (laid("pair_4_4"), {}),
        (laid("four_1235"), {}),
        (laid("total"), {}),
        (laid("odd"), {"odd_even_enabled": False}),
        (laid("even"), {"odd_even_enabled": False}),
        (laid("four_3456"), {"four_numbers_enabled": False}),
        (laid("big", 0, name="no"), {}),
        (laid("big", -100, name="no"), {}),
        (laid("big", 150, name="no"), {}),
        (laid("big", 150, name="no", carried=True), LEAVES),
        (laid("pair_1_2", 900), {"min_bet": {"pair": 1000}}),
        (laid("pair_1_2", 900), {"min_bet": {"pair_1_2": 1000, "pair": 100}}),
        (laid("single_1", 1100), {"max_bet": {"single": 1000}}),
        (laid("big", 100, name="no"), {"max_bet": 1000}),
    ],
    ids=lambda it: json.dumps(it),
)
def test_what_is_refused_moves_no_money(no: dict[str, Any], given: dict[str, Any]) -> None:
    outcome = outcome_of(record("6 3 4", A_BET, no, options=given))
    assert refused(outcome) == [no["id"]]
    assert (outcome["staked"], outcome["chance_used"]) == ({"ana": 1000}, 3)
    assert outcome["bets"][0]["id"] == "big" and len(outcome["bets"]) == 1


def test_a_spots_limit_goes_before_its_familys() -> None:
    given = {"min_bet": {"total": 500, "total_9": 200}, "max_bet": {"double": 300, "double_6": 2000, "big": 100}}
    bets = [laid("total_9", 200), laid("total_8", 400), laid("double_6"), laid("double_5"), laid("big"), laid("small")]
    assert refused(outcome_of(record("1 2 3", *bets, options=given))) == ["total_8", "double_5", "big"]


def test_the_maximum_counts_all_stakes_of_a_bettor_on_a_spot_carried_ones_first() -> None:
    bets = [
        laid("big", 600, name="fresh"),
        laid("big", 500, name="over"),
        laid("big", 400, name="old", carried=True),
        laid("big", 1000, name="rui", by="rui"),
        laid("small", 5000, name="huge", carried=True),
    ]
    outcome = outcome_of(record("6 5 1", *bets, options={**LEAVES, "max_bet": 1000}))
    assert refused(outcome) == ["over"]
    assert back(outcome) == {
        "old": (400, "400 stays"),
        "huge": 0,
        "fresh": (600, "600 stays"),
        "rui": (1000, "1000 stays"),
    }
    assert (outcome["staked"], outcome["returned"]) == ({"ana": 600, "rui": 1000}, {"ana": 1000, "rui": 1000})


def test_a_carried_stake_plays_on_where_nothing_is_sold_any_more() -> None:
    given = {**LEAVES, "odd_even_enabled": False, "min_bet": 2000}
    outcome = outcome_of(record("1 2 4", laid("odd", 500, carried=True), options=given))
    assert back(outcome) == {"odd": (500, "500 stays")} and outcome["staked"] == {"ana": 0}


def test_a_box_is_none_here() -> None:
    outcome = outcome_of(record("1 2 4", laid("odd", box=3), laid("small", box=-1)))
    assert back(outcome) == {"odd": 2000, "small": 2000}


# ── Voids ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dice", ["", "4", "4 4", "4 4 2", "4 4 2 1"])
def test_a_void_returns_what_is_fresh_and_leaves_what_was_carried(dice: str) -> None:
    bets = [A_BET, laid("odd", 700, by="rui", carried=True), laid("total_3")]
    outcome = outcome_of(record(dice, *bets, options=LEAVES, decisions=[VOID, HIT, VOID]))
    assert outcome["result"] == {"void": True} and outcome["chance_used"] == len(dice.split())
    assert back(outcome) == {"big": 1000, "odd": (0, "700 stays")}
    assert (outcome["staked"], outcome["returned"]) == ({"ana": 1000, "rui": 0}, {"ana": 1000, "rui": 0})
    assert refused(outcome) == ["total_3", 1, 2]


def test_nobody_decides_anything_here() -> None:
    decisions = [HIT, {"by": "ana", "do": "void"}, {"by": "house", "do": "raise"}]
    outcome = outcome_of(record("6 5 1", A_BET, decisions=decisions))
    assert refused(outcome) == [0, 1, 2] and back(outcome) == {"big": 2000}
    late = outcome_of(record("6 5", A_BET, decisions=[HIT, VOID]))
    assert (refused(late), late["result"], late["chance_used"]) == ([0], {"void": True}, 2)


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────

GAME = GAMES["cussec"]
DICE = Unseal(values=(4, 2, 4), salt="salt")
BETS: list[Action] = [
    bet("ana big 10"),
    bet("ana small 20"),
    bet("rui odd 5"),
    Move("rui", bet="rui odd", spot="double_4"),
    Lower("ana", bet="ana small", amount=3_00),
    Move("ana", bet="old", spot="even"),
    Withdraw("ana", bet="ana big"),
    Ready("ana"),
]


@pytest.mark.parametrize(
    ("given", "log", "chance", "decisions"),
    [
        ({}, [Seal(commitment="a"), *BETS, CloseBets(), DICE, Settle()], [4, 2, 4], []),
        (
            {},
            [
                Seal(commitment="a"),
                NullThrow(reason="presses"),
                Seal(commitment="b"),
                *BETS,
                CloseBets(),
                DICE,
                Settle(),
            ],
            [4, 2, 4],
            [],
        ),
        (
            {"cocked_dice": "reshake_bets_stand"},
            [
                *[Seal(commitment="a"), *BETS, CloseBets(), NullThrow(reason="cocked")],
                *[Seal(commitment="b"), NullThrow(reason="stacked"), Seal(commitment="c"), DICE, Settle()],
            ],
            [4, 2, 4],
            [],
        ),
        ({"shake_timing": "after_betting"}, [*BETS, CloseBets(), Seal(commitment="a"), DICE, Settle()], [4, 2, 4], []),
        ({}, [Seal(commitment="a"), *BETS, CloseBets(), NullThrow(reason="cocked"), Void(remark="cocked")], [], [VOID]),
        ({}, [Seal(commitment="a"), *BETS, Void(remark="the pit")], [], [VOID]),
        ({}, [Seal(commitment="a"), *BETS, CloseBets(), DICE, Void(remark="the pit")], [4, 2, 4], [VOID]),
    ],
)
def test_a_round_as_it_was_played_has_a_record_that_comes_to_the_same(
    given: dict[str, Any], log: list[Action], chance: list[int], decisions: list[Any]
) -> None:
    opening = Opening({"ana": 2}, (stake("ana single_4 10 as old carried"),))
    chosen = options("cussec", auto_leave_winners=True, **given)
    round_ = replayed(GAME, chosen, opening, log)
    assert [action_from(GAME, json.loads(json.dumps(action_json(action)))) for action in log] == log
    written = json.loads(json.dumps(record_of(GAME, chosen, opening, log)))
    assert (written["chance"], written["decisions"]) == (chance, decisions)
    assert written["bets"][-1] == {"id": "old", "by": "ana", "spot": "even", "amount": 1000, "carried": True}
    outcome = outcome_of(written)
    assert outcome["result"] == round_.result()
    assert {one["id"]: one["returned"] for one in outcome["bets"]} == {
        payout.bet: payout.returned for payout in round_.payouts()
    }
    assert {one["id"]: one["carried"] for one in outcome["bets"] if one["carried"]} == {
        stays.bet: stays.amount for stays in round_.carried()
    }
