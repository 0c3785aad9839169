"""The public record sentence by sentence, as Stud Poker knows it: whose box, which meter, what is refused, a void."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games.record import RecordError, outcome_of

HIGH = "As Qd 9h 7c 4d"  # nothing, and no ace-king
PAIR = "8s 8d Tc Jh 2d"
ACE_KING = "Ac Kh 6c 3s 2c"
FLUSH = "Kc Jc 9c 4c 3c"
STEEL = "6h 5h 4h 3h 2h"
ROYALS = {"s": "As Ks Qs Js Ts", "h": "Ah Kh Qh Jh Th", "d": "Ad Kd Qd Jd Td", "c": "Ac Kc Qc Jc Tc"}
LOW = "9s 8h 6d 3d 2s"  # a dealer who does not qualify, and takes no card of a royal flush

VOID = {"by": "house", "do": "void"}


def ante(by: str, box: int, amount: int = 10000, bet: str = "") -> dict[str, Any]:
    return {"id": bet or f"{by} ante", "by": by, "spot": "ante", "box": box, "amount": amount}


def jackpot(by: str, box: int, amount: int = 2500, bet: str = "", carried: bool = False) -> dict[str, Any]:
    more = {"carried": True} if carried else {}
    return {"id": bet or f"{by} jackpot", "by": by, "spot": "jackpot", "box": box, "amount": amount, **more}


def item(by: str, do: str, **more: Any) -> dict[str, Any]:
    return {"by": by, "do": do, **more}


def record(hands: str | list[str], *bets: dict[str, Any], decisions: Any = (), **more: Any) -> dict[str, Any]:
    """Hands as the shuffler gives them; whoever lays an ante sits at their box."""
    lying = list(bets) or [ante("ana", 1)]
    seats: dict[str, int] = {}
    for bet in lying:
        if bet.get("spot") == "ante":
            seats.setdefault(bet["by"], bet.get("box", 1))
    text = hands if isinstance(hands, str) else " ".join(hands)
    return {
        "game": "stud_poker",
        "seats": seats,
        "bets": lying,
        "chance": text.split(),
        "decisions": list(decisions),
        **more,
    }


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [one.get("id", one.get("decision")) for one in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, Any]:
    """What came back of each bet; of what is carried, that."""
    return {one["id"]: f"{one['carried']} stays" if one["carried"] else one["returned"] for one in outcome["bets"]}


def meter(outcome: dict[str, Any]) -> tuple[int, int, dict[str, int]]:
    told = outcome["result"]["jackpot"]
    return told["opening"], told["closing"], told["prizes"]


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────

DEAL = [PAIR, HIGH]
RAISE = [item("ana", "raise")]


@pytest.mark.parametrize(
    "wrong",
    [
        record(DEAL, {**ante("ana", 1), "carried": True}),
        record(DEAL, {**ante("ana", 1), "spot": "raise", "carried": True}),
        record(DEAL, {**ante("ana", 1), "spot": "main", "carried": True}),
        record(DEAL, {"id": "a", "by": "ana", "spot": "ante", "amount": 10000}, seats={"ana": 1}),
        record(DEAL, {"id": "a", "by": "ana", "spot": "jackpot", "amount": 2500}, seats={"ana": 1}),
        record(DEAL, {**ante("ana", 1), "box": None}, seats={"ana": 1}),
        record(DEAL, {**ante("ana", 1), "box": "1"}, seats={"ana": 1}),
        record(DEAL, {**ante("ana", 1), "box": True}, seats={"ana": 1}),
        record(DEAL, {**ante("ana", 1), "amount": 10000.0}),
        record(DEAL, {**jackpot("ana", 1), "carried": None}, seats={"ana": 1}),
        record(DEAL, ante("ana", 1, bet="a"), jackpot("ana", 1, bet="a")),
        record(DEAL, edition="61/2003"),
        record(DEAL, edition=None),
        record(DEAL, options={"edition": "61/2004"}),
        record(DEAL, options={"min_bet": 100}),
        record(DEAL, options={"max_bet": {}}),
        record(DEAL, options={"royal_flush_odds": 49}),
        record(DEAL, options={"royal_flush_odds": 101}),
        record(DEAL, options={"royal_flush_odds": "100"}),
        record(DEAL, options={"royal_flush_odds": 60.0}),
        record(DEAL, options={"royal_flush_odds": 100}, edition="69/2003"),
        record(DEAL, options={"royal_flush_odds": 51}, edition="69/2003"),
        record(DEAL, options={"raise_payout_cap": 139_999_99}),
        record(DEAL, options={"raise_payout_cap": 139_999_99}, edition="69/2003"),
        record(DEAL, options={"max_ante": 36_000_00}),
        record(DEAL, options={"max_ante": 50_00}),
        record(DEAL, options={"min_ante": 10_001_00}),
        record(DEAL, options={"min_ante": None}),
        record(DEAL, options={"min_ante": -100}),
        record(DEAL, options={"min_ante": 150}),
        record(DEAL, options={"jackpot_stake": 2550}),
        record(DEAL, options={"shuffle_method": "machine"}),
        record(DEAL, options={"jackpot_fixed_flush": -1}),
        record(DEAL, options={"jackpot_fixed_flush": 1250.0}),
        record(DEAL, options={"jackpot_fixed_straight": 100}),
        record(DEAL, options={"jackpot_minimum": "500000"}),
        record(DEAL, options={"jackpot_stake": 0}),
        record(DEAL, options={"jackpot_stake": None}),
        record(DEAL, options={"jackpot_contribution": 70}),
        record(DEAL, options={"jackpot_contribution": 1}),
        record(DEAL, options={"jackpot_contribution": "70%"}),
        record(DEAL, options={"jackpot_contribution": "8/7"}),
        record(DEAL, options={"jackpot_contribution": "1/0"}),
        record(DEAL, options={"fixed_prizes_reduce_pool": 1}),
        record(DEAL, options={"decision_mode": "hidden"}),
        record(DEAL, options={"timeout_action": "raise"}),
        record(DEAL, seats={"ana": 8}),
        record(DEAL, seats={"ana": 0}),
        record(DEAL, seats={"ana": True}),
        record(DEAL, seats={"ana": 1, "rui": 1}),
        record(DEAL, jackpot=None),
        record(DEAL, jackpot=100_000_00),
        record(DEAL, jackpot={"pool": None}),
        record(DEAL, jackpot={"pool": "1"}),
        record(DEAL, jackpot={"pool": 1.0}),
        record(DEAL, jackpot={"pool": True}),
        record(DEAL, jackpot={"pool": -1}),
        record(DEAL, first_round=0),
        record([PAIR, "As Qd 9h 7c"]),
        record([PAIR, "As Qd 9h 7c"], decisions=[item("ana", "fold"), VOID]),
        record([PAIR, "As Qd 9h 7c"], decisions=[item("lee", "raise"), VOID]),
        record([PAIR, HIGH, "Kd"], ante("ana", 1), ante("rui", 2)),
        record([PAIR, "8s Qd 9h 7c 4d"]),
        record([PAIR, HIGH, "8s"]),
        record([PAIR, HIGH, "8x"]),
        record(["8s 8s"], decisions=[VOID]),
        record(["8s 8s"], jackpot("ana", 1)),
        record(DEAL, decisions=[VOID, item("ana", "call")]),
        record(DEAL, decisions=[item("ana", "raise", amount="20000")]),
        record(DEAL, decisions=[item("ana", "raise", amount=None)]),
        record(DEAL, decisions=[item("ana", "fold", amount=1.5)]),
    ],
    ids=lambda wrong: json.dumps(wrong)[24:140],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


def test_what_may_be_left_out_has_its_default() -> None:
    full = record(
        DEAL,
        edition="61/2004",
        options={"royal_flush_odds": 100, "shuffle_method": "shuffler", "jackpot_contribution": "7/10"},
        jackpot={"pool": 500_000_00},
        first_round=False,
    )
    bare = record(DEAL)
    del bare["decisions"]
    assert outcome_of(bare) == outcome_of(full)
    assert outcome_of(record(DEAL, jackpot={})) == outcome_of(full)
    assert meter(outcome_of(bare)) == (500_000_00, 500_000_00, {})
    low = record(DEAL, options={"jackpot_minimum": 77})
    assert meter(outcome_of(low)) == (77, 77, {})


def test_the_old_edition_may_say_that_it_pays_50_to_1() -> None:
    hands = [ROYALS["s"], PAIR.replace("Jh", "Jd").replace("Tc", "9c")]
    for options in ({}, {"royal_flush_odds": 50}):
        outcome = outcome_of(record(hands, decisions=RAISE, edition="69/2003", options=options))
        assert back(outcome) == {"ana ante": 200_00 + 200_00 + 50 * 200_00}


def test_options_that_are_only_recommended_to_go_together_do() -> None:
    odd = {"jackpot_minimum": 0, "jackpot_fixed_royal_flush": 900_000_00, "jackpot_fixed_straight_flush": 10}
    assert meter(outcome_of(record(DEAL, options=odd, jackpot={"pool": 5}))) == (5, 5, {})


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("bet", "options"),
    [
        (ante("ana", 2, bet="no"), {}),
        (ante("ana", 1, bet="no"), {}),
        (ante("ana", 0, bet="no"), {}),
        (ante("ana", 8, bet="no"), {}),
        (ante("lee", 3, bet="no"), {}),
        (ante("lee", 1, bet="no"), {}),
        (ante("rui", 1, bet="no"), {}),
        (ante("rui", 2, 0, bet="no"), {}),
        (ante("rui", 2, -10000, bet="no"), {}),
        (ante("rui", 2, 10050, bet="no"), {}),
        (ante("rui", 2, 9900, bet="no"), {}),
        (ante("rui", 2, 10_001_00, bet="no"), {}),
        (ante("rui", 2, 10_100, bet="no"), {"max_ante": 10_000}),
        (jackpot("rui", 2, bet="no"), {}),
        (jackpot("ana", 2, bet="no"), {}),
        (jackpot("lee", 1, bet="no"), {}),
        (jackpot("ana", 1, 2400, bet="no"), {}),
        (jackpot("ana", 1, 5000, bet="no"), {}),
        (jackpot("ana", 1, 2500, bet="no"), {"jackpot_stake": 3000}),
        (jackpot("ana", 9, 2500, bet="no"), {}),
        (jackpot("ana", 9, 2500, bet="no", carried=True), {}),
        (jackpot("ana", 1, 0, bet="no", carried=True), {}),
        ({"id": "no", "by": "ana", "spot": "raise", "box": 1, "amount": 20000}, {}),
        ({"id": "no", "by": "ana", "spot": "pairs", "amount": 10000}, {}),
    ],
    ids=lambda it: json.dumps(it),
)
def test_what_is_refused_moves_no_money(bet: dict[str, Any], options: dict[str, Any]) -> None:
    seats = {"ana": 1, "rui": 2}
    outcome = outcome_of(record(DEAL, ante("ana", 1), bet, seats=seats, options=options))
    assert refused(outcome) == ["no"]
    assert (outcome["staked"], back(outcome)) == ({"ana": 10000}, {"ana ante": 0})


def test_a_jackpot_stake_may_stand_before_its_ante_in_the_list() -> None:
    outcome = outcome_of(record(DEAL, jackpot("ana", 1), ante("ana", 1)))
    assert refused(outcome) == [] and outcome["staked"] == {"ana": 12500}


def test_a_stake_that_was_refused_is_no_first_one() -> None:
    bets = [ante("ana", 1, 50, bet="bad"), ante("ana", 1, bet="good"), jackpot("ana", 1, 100, bet="bad too")]
    outcome = outcome_of(record(DEAL, *bets, jackpot("ana", 1, bet="good too"), decisions=RAISE))
    assert refused(outcome) == ["bad", "bad too"]
    assert back(outcome) == {"good": 400_00, "good too": 0}


def test_antes_of_the_minimum_and_of_the_maximum_are_taken() -> None:
    lying = [ante("ana", 1, 100), ante("rui", 2, 300)]
    limits = {"min_ante": 100, "max_ante": 300}
    assert back(outcome_of(record([PAIR, FLUSH, LOW], *lying, options=limits))) == {"ana ante": 0, "rui ante": 0}


def test_the_boxes_are_dealt_in_order_whoever_bet_first() -> None:
    lying = [ante("rui", 7), ante("ana", 2)]
    outcome = outcome_of(record([PAIR, ACE_KING, LOW], *lying, decisions=[item("rui", "raise"), item("ana", "raise")]))
    assert outcome["result"]["boxes"] == {"2": "one_pair", "7": "five_odd_cards"}
    manual = "8s Ac 9s  8d Kh 8h  Tc 6c 6d  Jh 3s 3d  2d 2c 2s"
    shoe = record(manual, *lying, decisions=[item("rui", "raise"), item("ana", "raise")])
    other = outcome_of({**shoe, "options": {"shuffle_method": "manual_shoe"}})
    assert other["result"]["boxes"] == {"2": "one_pair", "7": "five_odd_cards"}
    assert other["chance_used"] == 15


def test_an_id_is_any_text() -> None:
    lying = [ante("ana", 1), {**jackpot("ana", 1), "id": ""}, {**ante("rui", 2), "id": " "}]
    outcome = outcome_of(record([FLUSH, PAIR, LOW], *lying, decisions=[*RAISE, item("rui", "raise")]))
    assert back(outcome) == {"ana ante": 400_00, "": 1_250_00, " ": 400_00}


# ── A round without an ante ─────────────────────────────────────────────────────────────────────────────────


def test_without_an_ante_nothing_is_dealt() -> None:
    outcome = outcome_of(
        record(
            DEAL,
            jackpot("ana", 1, bet="fresh"),
            jackpot("rui", 2, bet="old", carried=True),
            seats={"ana": 1, "rui": 2},
            decisions=[item("ana", "raise"), VOID, VOID, item("rui", "fold")],
        )
    )
    assert outcome == {
        **outcome,
        "result": {"void": True},
        "bets": [{"id": "old", "returned": 0, "carried": 2500}],
        "staked": {"rui": 0},
        "returned": {"rui": 0},
        "chance_used": 0,
    }
    assert refused(outcome) == ["fresh", 0, 2, 3]


def test_nobody_bets() -> None:
    outcome = outcome_of({"game": "stud_poker", "bets": [], "chance": []})
    assert outcome == {
        "result": {"void": True},
        "bets": [],
        "staked": {},
        "returned": {},
        "refused": [],
        "chance_used": 0,
    }


# ── Carried jackpot stakes ──────────────────────────────────────────────────────────────────────────────────


def test_a_carried_stake_is_live_with_an_ante_and_adds_nothing_again() -> None:
    lying = [ante("ana", 1), jackpot("ana", 1, carried=True)]
    outcome = outcome_of(record([FLUSH, LOW], *lying, decisions=RAISE))
    assert outcome["staked"] == {"ana": 300_00}
    assert back(outcome) == {"ana ante": 400_00, "ana jackpot": 1_250_00}
    assert meter(outcome) == (500_000_00, 498_750_00, {"ana": 1_250_00})


@pytest.mark.parametrize("amount", [100, 1700, 90_000_00])
def test_a_carried_stake_is_taken_whatever_its_size(amount: int) -> None:
    lying = [ante("ana", 1), jackpot("ana", 1, amount, carried=True)]
    outcome = outcome_of(record([FLUSH, LOW], *lying, decisions=RAISE))
    assert back(outcome)["ana jackpot"] == 1_250_00


def test_a_carried_stake_whose_bettor_does_not_ante_stays() -> None:
    lying = [ante("ana", 1), jackpot("rui", 2, carried=True), jackpot("lee", 3, carried=True)]
    outcome = outcome_of(record(DEAL, *lying, seats={"ana": 1, "rui": 2}))
    assert back(outcome) == {"ana ante": 0, "rui jackpot": "2500 stays", "lee jackpot": "2500 stays"}
    assert outcome["staked"] == {"ana": 10000, "rui": 0, "lee": 0}


def test_one_jackpot_stake_a_box_the_carried_one_included() -> None:
    lying = [jackpot("ana", 1, bet="new"), ante("ana", 1), jackpot("ana", 1, bet="old", carried=True)]
    outcome = outcome_of(record(DEAL, *lying))
    assert refused(outcome) == ["new"]
    assert outcome["staked"] == {"ana": 10000}


def test_a_carried_stake_is_lost_with_a_fold() -> None:
    lying = [ante("ana", 1), jackpot("ana", 1, carried=True)]
    outcome = outcome_of(record([FLUSH, LOW], *lying))
    assert back(outcome) == {"ana ante": 0, "ana jackpot": 0}


# ── Decisions ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_decision_is_final_and_a_refused_one_is_none() -> None:
    decisions = [
        item("ana", "raise", amount=10000),
        item("ana", "raise", amount=20001),
        item("lee", "raise"),
        item("ana", "stand"),
        item("ana", "void"),
        item("ana", "raise", amount=20000),
        item("ana", "fold"),
        item("ana", "raise"),
        item("house", "raise"),
    ]
    outcome = outcome_of(record([PAIR, LOW], decisions=decisions))
    assert refused(outcome) == [0, 1, 2, 3, 4, 6, 7, 8]
    assert back(outcome) == {"ana ante": 400_00}


def test_a_fold_is_final() -> None:
    outcome = outcome_of(record([PAIR, LOW], decisions=[item("ana", "fold"), item("ana", "raise")]))
    assert refused(outcome) == [1] and outcome["result"]["boxes"] == {"1": "folded"}


def test_whoever_does_not_decide_folds_and_the_dealer_is_dealt_all_the_same() -> None:
    outcome = outcome_of(record([PAIR, ROYALS["s"]]))
    assert outcome["result"]["dealer"] == "royal_flush" and outcome["result"]["qualifies"] is True
    assert outcome["result"]["boxes"] == {"1": "folded"}
    assert (outcome["chance_used"], outcome["staked"], outcome["returned"]) == (10, {"ana": 10000}, {"ana": 0})


TWO = [ante("ana", 1), ante("rui", 4), ante("lee", 6)]
THREE_HANDS = [PAIR, ACE_KING, FLUSH, LOW]
IN_TURN = {"decision_mode": "in_turn"}


def decided(*decisions: dict[str, Any]) -> tuple[list[Any], dict[str, str]]:
    outcome = outcome_of(record(THREE_HANDS, *TWO, decisions=decisions, options=IN_TURN))
    return refused(outcome), outcome["result"]["boxes"]


def test_simultaneous_decisions_come_in_any_order() -> None:
    decisions = [item("lee", "raise"), item("ana", "raise"), item("rui", "fold")]
    outcome = outcome_of(record(THREE_HANDS, *TWO, decisions=decisions))
    assert refused(outcome) == []
    assert outcome["result"]["boxes"] == {"1": "one_pair", "4": "folded", "6": "flush"}


def test_in_turn_an_item_for_a_later_box_folds_those_before_it() -> None:
    assert decided(item("lee", "raise"), item("ana", "raise"), item("rui", "raise")) == (
        [1, 2],
        {"1": "folded", "4": "folded", "6": "flush"},
    )
    assert decided(item("rui", "raise"), item("lee", "raise"))[1] == {
        "1": "folded",
        "4": "five_odd_cards",
        "6": "flush",
    }


def test_in_turn_an_item_folds_those_before_it_even_if_it_is_refused_and_its_own_box_may_still_decide() -> None:
    assert decided(item("rui", "raise", amount=1), item("ana", "raise"), item("rui", "raise")) == (
        [0, 1],
        {"1": "folded", "4": "five_odd_cards", "6": "folded"},
    )


def test_in_turn_also_an_item_of_another_game_folds_those_before_its_box() -> None:
    assert decided(item("rui", "hit"), item("ana", "raise"), item("rui", "raise")) == (
        [0, 1],
        {"1": "folded", "4": "five_odd_cards", "6": "folded"},
    )


def test_in_turn_an_item_of_nobody_or_of_who_has_decided_folds_nobody() -> None:
    none, boxes = decided(item("eva", "raise"), item("ana", "raise"), item("ana", "fold"), item("rui", "raise"))
    assert none == [0, 2]
    assert boxes == {"1": "one_pair", "4": "five_odd_cards", "6": "folded"}


# ── Void ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("cards", ["", "8s", PAIR, f"{PAIR} {HIGH}", f"{PAIR} {HIGH} Kd"])
def test_a_void_that_is_the_first_decision_may_stand_on_a_partial_deal(cards: str) -> None:
    lying = [ante("ana", 1), jackpot("ana", 1), jackpot("rui", 2, carried=True)]
    outcome = outcome_of(record(cards, *lying, decisions=[VOID, item("ana", "raise"), VOID]))
    assert outcome["result"] == {"void": True}
    assert back(outcome) == {"ana ante": 10000, "ana jackpot": "2500 stays", "rui jackpot": "2500 stays"}
    assert (outcome["staked"], outcome["returned"]) == ({"ana": 12500, "rui": 0}, {"ana": 10000, "rui": 0})
    assert refused(outcome) == [1, 2]
    assert outcome["chance_used"] == len(cards.split())


def test_a_void_returns_raises_and_the_antes_of_those_who_folded() -> None:
    lying = [ante("ana", 1), jackpot("ana", 1), ante("rui", 2, 50000)]
    decisions = [item("ana", "raise"), item("rui", "fold"), item("rui", "hit"), VOID]
    outcome = outcome_of(record([PAIR, FLUSH, LOW, "Kd"], *lying, decisions=decisions))
    assert outcome["result"] == {"void": True}
    assert back(outcome) == {"ana ante": 30000, "ana jackpot": "2500 stays", "rui ante": 50000}
    assert outcome["staked"] == {"ana": 32500, "rui": 50000}
    assert outcome["returned"] == {"ana": 30000, "rui": 50000}
    assert (refused(outcome), outcome["chance_used"]) == ([2], 16)


# ── The jackpot ─────────────────────────────────────────────────────────────────────────────────────────────


def hit(pool: int, hands: list[str], options: Any = None) -> tuple[int, int, dict[str, int]]:
    """The meter after these hands in boxes 1, 2, …, all raised and all in the jackpot."""
    who = [f"p{at}" for at in range(1, len(hands) + 1)]
    lying = [bet for at, name in enumerate(who, 1) for bet in (ante(name, at), jackpot(name, at))]
    decisions = [item(name, "raise") for name in who]
    fixed = {"jackpot_contribution": "0", **(options or {})}
    return meter(outcome_of(record([*hands, LOW], *lying, decisions=decisions, options=fixed, jackpot={"pool": pool})))


def test_each_contribution_is_rounded_down_by_itself() -> None:
    lying = [bet for at, name in enumerate(("ana", "rui"), 1) for bet in (ante(name, at), jackpot(name, at, 100))]
    options = {"jackpot_stake": 100, "jackpot_contribution": "2/3"}
    outcome = outcome_of(record([PAIR, FLUSH, LOW], *lying, options=options, jackpot={"pool": 1000}))
    assert meter(outcome) == (1000 + 66 + 66, 1132, {})


@pytest.mark.parametrize("pool", [0, 1, 10**15 + 3])
def test_a_pool_that_nobody_hits_stays_and_an_empty_one_restarts(pool: int) -> None:
    assert hit(pool, [PAIR]) == (pool, pool or 500_000_00, {})


def test_two_to_four_royal_flushes_share_and_the_odd_cents_go_to_the_first_boxes() -> None:
    pool = 100_000_003
    assert hit(pool, list(ROYALS.values())[:2])[2] == {"p1": 50_000_002, "p2": 50_000_001}
    assert hit(pool, list(ROYALS.values())[:3])[2] == {"p1": 33_333_335, "p2": 33_333_334, "p3": 33_333_334}
    quarters = {"p1": 25_000_001, "p2": 25_000_001, "p3": 25_000_001, "p4": 25_000_000}
    assert hit(pool, list(ROYALS.values())) == (pool, 500_000_00, quarters)


def test_a_royal_takes_what_the_straight_flush_leaves_wherever_it_sits() -> None:
    pool = 1_000_000_09
    assert hit(pool, [ROYALS["s"], STEEL])[2] == {"p1": 900_000_09, "p2": 100_000_00}
    assert hit(pool, [STEEL, ROYALS["s"]])[2] == {"p1": 100_000_00, "p2": 900_000_09}


def test_ten_per_cent_is_rounded_down_and_compared_with_the_fixed_sum() -> None:
    assert hit(500_000_19, [STEEL])[2] == {"p1": 50_000_01}
    assert hit(500_000_09, [STEEL])[2] == {"p1": 50_000_00}
    assert hit(499_999_99, [STEEL]) == (499_999_99, 449_999_99, {"p1": 50_000_00})


def test_a_pool_that_does_not_suffice_restarts_and_one_that_merely_is_low_does_not() -> None:
    assert hit(1_250_00, [FLUSH]) == (1_250_00, 500_000_00, {"p1": 1_250_00})
    assert hit(1_250_01, [FLUSH]) == (1_250_01, 1, {"p1": 1_250_00})
    assert hit(0, [FLUSH]) == (0, 500_000_00, {"p1": 1_250_00})
    assert hit(10_00, [FLUSH], {"fixed_prizes_reduce_pool": False}) == (10_00, 10_00, {"p1": 1_250_00})
    assert hit(0, [FLUSH], {"fixed_prizes_reduce_pool": False}) == (0, 500_000_00, {"p1": 1_250_00})


def test_without_reduction_only_straight_and_royal_flushes_come_out_of_the_pool() -> None:
    keep = {"fixed_prizes_reduce_pool": False}
    assert hit(600_000_00, [FLUSH, STEEL], keep) == (600_000_00, 540_000_00, {"p1": 1_250_00, "p2": 60_000_00})
    assert hit(100_00, [FLUSH, STEEL], keep) == (100_00, 500_000_00, {"p1": 1_250_00, "p2": 50_000_00})


def test_a_royal_does_not_lessen_for_fixed_sums() -> None:
    assert hit(600_000_00, [FLUSH, ROYALS["s"]]) == (600_000_00, 500_000_00, {"p1": 1_250_00, "p2": 600_000_00})


def test_the_jackpot_looks_at_those_alone_who_staked_and_raised() -> None:
    lying = [ante("ana", 1), ante("rui", 2), jackpot("rui", 2), ante("lee", 3), jackpot("lee", 3)]
    decisions = [item("ana", "raise"), item("rui", "fold"), item("lee", "raise")]
    hands = [ROYALS["s"], ROYALS["h"], STEEL.replace("h", "c"), "9s 8h 6d 3d 2s"]
    outcome = outcome_of(record(hands, *lying, decisions=decisions, jackpot={"pool": 10_000_000_00}))
    assert meter(outcome) == (10_000_035_00, 9_000_031_50, {"lee": 1_000_003_50})


# ── Payment ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("2s 2d 4c 5h 7d", 1),
        ("As Kc Qc Jh 9d", 1),
        ("2s 2d 4c 4h 7d", 2),
        ("2s 2d 2c 5h 7d", 3),
        ("As 2d 3c 4h 5d", 4),
        ("Ts Jd Qc Kh As", 4),
        ("2s 4s 6s 8s 9s", 5),
        ("2s 2d 2c 4h 4d", 7),
        ("2s 2d 2c 2h 4d", 20),
        ("As 2s 3s 4s 5s", 50),
        ("As Ts Ks Qs Js", 100),
    ],
)
def test_a_hand_that_beats_ace_king_is_paid_by_the_table_up_to_the_cap(hand: str, odds: int) -> None:
    dealer = "Ad Kd 7h 6c 3h"
    outcome = outcome_of(record([hand, dealer], ante("ana", 1, 1000_00), decisions=RAISE))
    assert back(outcome) == {"ana ante": 4000_00 + odds * 2000_00}
    capped = {"max_ante": 1000_00, "raise_payout_cap": 14_000_00}
    outcome = outcome_of(record([hand, dealer], ante("ana", 1, 1000_00), decisions=RAISE, options=capped))
    assert back(outcome) == {"ana ante": 4000_00 + min(odds * 2000_00, 14_000_00)}


@pytest.mark.parametrize(
    ("hand", "dealer"),
    [
        ("As Kd Jh 8c 3d", "Ah Ks Jd 8d 3c"),
        ("Ac Kd Jh 8d 3d", "Ad Ks Js 8s 3h"),
        ("Ks Kd Qh 7c 4d", "Kh Kc Qs 7d 4s"),
        ("Kh Kc Qs 7d 5s", "Ks Kd Qh 7c 4d"),
        ("As Ac 9d 9c Jh", "Ah Ad 9s 9h Jc"),
        ("Ts Td 6c 6d 9h", "Th Tc 6s 6h 5s"),
        ("Th Tc 6s 6h 9s", "Ts Td 6c 6d 5h"),
        ("Th Tc 7s 7h 2s", "Ts Td 6c 6d Ah"),
        ("5s 4h 3d 2c Ad", "5h 4s 3s 2s As"),
        ("6d 5d 4h 3c 2d", "5s 4s 3d 2c As"),
        ("Ah Jh 9h 4h 3h", "Ac Jc 9c 4c 3c"),
        ("Kd Qd 9d 4d 3d", "Ks Qs 9s 4s 2s"),
        ("3s 3h 3d 4s 4h", "2s 2h 2d As Ah"),
        ("5s 4s 3s 2s As", "5h 4h 3h 2h Ah"),
        ("6d 5d 4d 3d 2d", "5s 4s 3s 2s As"),
    ],
)
def test_one_of_two_hands_is_always_the_higher(hand: str, dealer: str) -> None:
    assert outcome_of(record([hand, dealer], decisions=RAISE))["returned"]["ana"] > 400_00
    assert outcome_of(record([dealer, hand], decisions=RAISE))["returned"]["ana"] == 0


@pytest.mark.parametrize("hand", ["Qs Kd As 2c 3h", "4s 3d 2c As Ks", "Js Qd Ks As 2c"])
def test_no_straight_goes_round_the_ace(hand: str) -> None:
    outcome = outcome_of(record([hand, LOW.replace("2s", "5c").replace("3d", "4d")], decisions=RAISE))
    assert outcome["result"]["boxes"] == {"1": "five_odd_cards"}
