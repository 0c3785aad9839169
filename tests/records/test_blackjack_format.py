"""The public record sentence by sentence, as Blackjack knows it: where decisions stand, what is refused, a void."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.blackjack.phases import (
    Claim,
    Double,
    Follow,
    Hit,
    Insurance,
    Match,
    Overdraw,
    Pass,
    Proceed,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import HOUSE, Action, CloseBets, Draw, DrawCard, Ready, Step, Void
from tables.games.contract.round import Opening
from tables.games.record import RecordError, outcome_of, record_of
from tests.kit import bet, cards
from tests.regulation.blackjack_kit import options

FULL_PACK = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
METAL_BOX = {"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}


def main(by: str = "P", box: int = 1, amount: int = 10000, bet: str = "", spot: str = "main") -> dict[str, Any]:
    return {"id": bet or f"{by}{box}", "by": by, "spot": spot, "box": box, "amount": amount}


def side(spot: str, by: str = "P", box: int = 1, amount: int = 1000, bet: str = "") -> dict[str, Any]:
    return main(by, box, amount, bet or f"{spot} {by}{box}", spot)


def item(by: str, do: str, box: int = 1, **more: Any) -> dict[str, Any]:
    return {"by": by, "do": do, "box": box, **more}


VOID = {"by": "house", "do": "void"}


def record(chance: str, *bets: dict[str, Any], decisions: Any = (), **more: Any) -> dict[str, Any]:
    return {
        "game": "blackjack",
        "bets": list(bets) or [main()],
        "chance": chance.split(),
        "decisions": list(decisions),
        **more,
    }


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [one.get("id", one.get("decision")) for one in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, int]:
    return {one["id"]: one["returned"] for one in outcome["bets"]}


def hands(outcome: dict[str, Any], box: int = 1) -> list[str]:
    return [" ".join(hand) for hand in outcome["result"]["boxes"][str(box)]]


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────

DEAL = "Tc 9d 8h Tc"


@pytest.mark.parametrize(
    "wrong",
    [
        record(DEAL, {**main(), "carried": True}),
        record(DEAL, {**side("sevens"), "carried": True}),
        record(DEAL, {"id": "b", "by": "P", "spot": "main", "amount": 10000}),
        record(DEAL, {"id": "b", "by": "P", "spot": "sevens", "amount": 10000}, options={"side_bets_offered": []}),
        record(DEAL, {**main(), "box": None}),
        record(DEAL, {**main(), "box": "1"}),
        record(DEAL, seats={"P": 8}),
        record(DEAL, seats={"P": 7}, options={"boxes": 6}),
        record(DEAL, edition="42/2007"),
        record(DEAL, options={"deal_procedure": "2"}),
        record(DEAL, options={"deal_procedure": True}),
        record(DEAL, options={"insurance_max_fraction": 1}),
        record(DEAL, options={"insurance_max_fraction": "1/3"}),
        record(DEAL, options={"side_bets_offered": "sevens"}),
        record(DEAL, options={"side_bets_offered": ["over_13"]}),
        record(DEAL, options={"dealing_device": "metal_box"}),
        record(DEAL, options={"dealing_device": "metal_box", "decks": 1}),
        record(DEAL, options={**METAL_BOX, "round_burn": "each_following_round"}),
        record(DEAL, options={"max_bettors_per_box": 4}),
        record(DEAL, options={"max_boxes_per_player": 8}),
        record(DEAL, options={"max_split_hands": 3}),
        record(DEAL, options={"cut_card_depth": 29}),
        record(DEAL, options={"cut_card_depth": 300}),
        record(DEAL, options={"min_bet": {"insurance": 100}}),
        record(DEAL, options={"imbalance_limit": None}),
        record("Tc 9d 8h"),
        record("Tc 9d 8h", decisions=[item("P", "stand")]),
        record("Tc 9d", decisions=[item("P", "hit"), VOID]),
        record("Tc 9d 3h", decisions=[item("P", "hit"), VOID]),
        record("6c 9d 5h", main(), main("Q"), decisions=[item("P", "double"), VOID]),
        record("Ts 9d 8h Ts", options=METAL_BOX),
        record(DEAL, decisions=[item("P", "raise"), item("P", "cheat")]),
        record(DEAL, decisions=[{"by": "P", "do": "hit", "box": "1"}]),
        record(DEAL, decisions=[item("P", "hit", hand=None)]),
        record(DEAL, decisions=[item("P", "insurance", amount="5000")]),
        record(DEAL, first_round=0),
    ],
    ids=lambda wrong: json.dumps(wrong)[20:120],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


def test_what_may_be_left_out_has_its_default() -> None:
    bare = {"game": "blackjack", "bets": [main()], "chance": DEAL.split()}
    assert outcome_of(bare) == outcome_of(record(DEAL, edition="56/2004", options={}, seats={}, first_round=False))
    assert back(outcome_of(bare)) == {"P1": 0}


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_stake_of_a_kind_by_one_bettor_on_one_box_is_refused() -> None:
    outcome = outcome_of(
        record(
            "Tc 9c 9d 8h 8c Tc",
            main(),
            main(bet="again"),
            main(box=2),
            side("sevens"),
            side("sevens", bet="again seven"),
            side("sevens", box=2),
        )
    )
    assert refused(outcome) == ["again", "again seven"]
    assert outcome["staked"] == {"P": 22000}


def test_a_stake_that_was_refused_is_no_first_one() -> None:
    outcome = outcome_of(record(DEAL, main(amount=50), main(bet="good")))
    assert refused(outcome) == ["P1"] and back(outcome) == {"good": 0}


def test_an_unknown_spot_needs_no_box_and_a_box_that_the_table_lacks_is_refused() -> None:
    unknown = {"id": "u", "by": "P", "spot": "insurance", "amount": 5000}
    outcome = outcome_of(record(DEAL, main(), unknown, main("Q", box=8), main("R", box=0), side("sevens", box=-1)))
    assert refused(outcome) == ["u", "Q8", "R0", "sevens P-1"]


def test_conditions_on_other_bets_are_looked_at_when_betting_closes() -> None:
    outcome = outcome_of(
        record(DEAL, side("sevens", "Q"), side("any_pair"), side("over_13", box=2), main(), side("under_13", "R"))
    )
    assert refused(outcome) == ["sevens Q1", "over_13 P2", "under_13 R1"]
    assert outcome["staked"] == {"P": 11000}


def test_without_an_accepted_main_stake_nothing_is_dealt() -> None:
    for decisions, not_taken in (([], []), ([item("P", "hit"), VOID, VOID], [0, 2])):
        outcome = outcome_of(record(DEAL, side("sevens"), decisions=decisions))
        assert outcome == {
            "result": {"void": True},
            "bets": [],
            "staked": {},
            "returned": {},
            "refused": outcome["refused"],
            "chance_used": 0,
        }
        assert refused(outcome) == ["sevens P1", *not_taken]
    assert outcome_of(record("", side("sevens")))["result"] == {"void": True}


def test_a_seated_bettor_decides_a_box_only_with_a_main_stake_on_it() -> None:
    outcome = outcome_of(
        record("Tc 9d 2h 9c 8c", seats={"S": 1, "P": 2}, decisions=[item("S", "hit"), item("P", "hit")])
    )
    assert refused(outcome) == [0]
    assert hands(outcome) == ["Tc 2h 9c"]


# ── The early window ────────────────────────────────────────────────────────────────────────────────────────


def test_the_window_ends_at_the_first_item_that_is_none_of_its_own() -> None:
    two = (main(), main("Q", box=2))
    insured = [item("Q", "insurance", box=2, amount=5000), item("P", "insurance", amount=5000)]
    assert refused(outcome_of(record("Tc Ts Ad 8h 8s 9c", *two, decisions=insured))) == []
    late = [item("P", "stand"), *insured]
    assert refused(outcome_of(record("Tc Ts Ad 8h 8s 9c", *two, decisions=late))) == [1, 2]


def test_an_item_that_is_refused_leaves_the_window_open_if_it_is_one_of_its_own() -> None:
    decisions = [item("P", "surrender"), item("P", "even_money"), item("P", "insurance", amount=5000)]
    outcome = outcome_of(record("Tc Ad 8h 9c", decisions=decisions))
    assert refused(outcome) == [0, 1]
    assert outcome["staked"] == {"P": 15000}


def test_surrender_belongs_to_the_window_or_to_the_turn() -> None:
    two = (main(), main("Q", box=2))
    decisions = [item("P", "stand"), item("Q", "surrender", box=2)]
    assert refused(outcome_of(record("Tc Ts 9d 8h 6s Tc", *two, decisions=decisions))) == [1]
    own = {"surrender_timing": "own_first_decision"}
    outcome = outcome_of(record("Tc Ts 9d 8h 6s Tc", *two, decisions=decisions, options=own))
    assert refused(outcome) == []
    assert back(outcome)["Q2"] == 5000


def test_a_blackjack_may_be_surrendered_against_a_ten_but_not_when_it_is_paid_already() -> None:
    assert back(outcome_of(record("As Td Kh", decisions=[item("P", "surrender")]))) == {"P1": 5000}
    nine = outcome_of(record("As 9d Kh", decisions=[item("P", "surrender")]))
    assert (refused(nine), back(nine)) == ([0], {"P1": 25000})


@pytest.mark.parametrize(
    ("amount", "taken"), [(5000, True), (7321, True), (10000, True), (4999, False), (10001, False)]
)
def test_insurance_may_be_any_cents_within_its_bounds(amount: int, taken: bool) -> None:
    decisions = [item("P", "insurance", amount=amount), item("P", "insurance")]
    outcome = outcome_of(record("Kc Ad Qh Ts", decisions=decisions, options={"insurance_max_fraction": "1"}))
    assert refused(outcome) == ([1] if taken else [0, 1])
    assert outcome["returned"] == {"P": 3 * amount if taken else 0}


# ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_item_for_a_later_hand_ends_the_hands_before_it_even_if_it_is_refused() -> None:
    two = (main(), main("Q", box=2))
    shoe = "2c 3c 9d 4h 5c Tc"
    for first in (item("Q", "stand", box=2), item("P", "hit", box=2), item("Q", "match", box=2)):
        outcome = outcome_of(record(shoe, *two, decisions=[first, item("P", "hit")]))
        assert refused(outcome) == ([1] if first["by"] == "Q" and first["do"] == "stand" else [0, 1])
        assert hands(outcome) == ["2c 4h"]


def test_an_item_for_a_hand_that_does_not_exist_or_is_over_skips_nothing() -> None:
    two = (main(), main("Q", box=2))
    shoe = "2c As 9d 4h Ks Tc Ts"
    nowhere = [
        item("Q", "hit", box=2),  # a blackjack is over
        item("P", "hit", box=3),
        item("P", "hit", hand=1),
        item("P", "hit", hand=-1),
        {"by": "P", "do": "hit"},
    ]
    outcome = outcome_of(record(shoe, *two, decisions=[*nowhere, item("P", "hit")]))
    assert refused(outcome) == [0, 1, 2, 3, 4]
    assert hands(outcome) == ["2c 4h Tc"]


def test_hands_are_counted_as_they_lie_at_that_moment() -> None:
    decisions = [
        item("P", "split"),
        item("P", "split"),
        item("P", "stand", hand=0),
        item("P", "hit", hand=1),
        item("P", "stand", hand=2),
    ]
    outcome = outcome_of(record("8s 9d 8h 8c 2c 3c 4c 5c Tc", decisions=decisions))
    assert refused(outcome) == []
    assert hands(outcome) == ["8s 2c", "8c 3c 4c", "8h 5c"]
    assert outcome["staked"] == {"P": 30000}


def test_a_decision_that_is_not_in_the_list_is_to_stand() -> None:
    outcome = outcome_of(record("2c 9d 3h Tc"))
    assert hands(outcome) == ["2c 3h"] and outcome["returned"] == {"P": 0}


def test_one_that_is_refused_is_not_replaced_by_the_automatic_one() -> None:
    decisions = [item("P", "split"), item("P", "double"), item("P", "hit")]
    outcome = outcome_of(record("2c 9d 3h 4c Tc", decisions=decisions))
    assert (refused(outcome), hands(outcome)) == ([0, 2], ["2c 3h 4c"])


def test_stand_on_five_cards_of_21_is_accepted() -> None:
    hits = [item("P", "hit")] * 3
    outcome = outcome_of(record("2c Td 3h 4s 5c 7d Kh", decisions=[*hits, item("P", "stand")]))
    assert refused(outcome) == [] and outcome["returned"] == {"P": 20000}


def test_a_decision_of_another_game_is_refused() -> None:
    outcome = outcome_of(record(DEAL, decisions=[item("P", "raise"), {"by": "P", "do": "fold"}, item("P", "stand")]))
    assert refused(outcome) == [0, 1]


def test_nobody_but_the_house_voids() -> None:
    outcome = outcome_of(record(DEAL, decisions=[{"by": "P", "do": "void"}]))
    assert refused(outcome) == [0] and "bank" in outcome["result"]


def test_a_bettor_may_be_called_house() -> None:
    outcome = outcome_of(record("Tc 9d 2h 9c 8c", main("house"), seats={"house": 1}, decisions=[item("house", "hit")]))
    assert outcome["returned"] == {"house": 20000}
    shared = record("Tc 9d 2h 9c 8c", main("S"), main("house"), seats={"S": 1}, decisions=[item("house", "stand")])
    assert refused(outcome_of(shared)) == [0]


# ── Shared boxes ────────────────────────────────────────────────────────────────────────────────────────────


def shared(decisions: list[dict[str, Any]], chance: str = "6c 9d 5h 9s Tc") -> dict[str, Any]:
    bets = (main("S"), main("T", amount=30000), main("U", amount=5000))
    return outcome_of(record(chance, *bets, seats={"S": 1}, decisions=decisions))


def test_match_comes_right_after_and_names_the_hand() -> None:
    outcome = shared([item("S", "double"), item("U", "match"), item("T", "match", hand=1), item("S", "match")])
    assert refused(outcome) == [2, 3]
    assert outcome["staked"] == {"S": 20000, "T": 30000, "U": 10000}


def test_the_first_item_that_is_no_match_ends_the_offer() -> None:
    outcome = shared([item("S", "double"), item("U", "match"), item("S", "stand"), item("T", "match")])
    assert refused(outcome) == [2, 3]
    assert outcome["staked"]["T"] == 30000
    assert refused(shared([item("U", "match"), item("S", "double")])) == [0]


def test_claims_are_each_bettors_own_while_the_hand_has_five_cards() -> None:
    hits = [item("S", "hit")] * 3
    for order in ("STU", "UTS", "TSU"):
        outcome = shared([*hits, *(item(who, "claim_five_cards") for who in order)], "2c Td 3h 4s 5c 2d")
        assert refused(outcome) == []
        assert outcome["returned"] == {"S": 15000, "T": 45000, "U": 7500}
    outcome = shared([*hits, item("S", "double"), item("U", "claim_five_cards")], "2c Td 3h 4s 5c 2d 5d 6d")
    assert refused(outcome) == [3]
    assert outcome["returned"]["U"] == 7500


# ── Void ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("chance", ["", "6c", "6c 9d 5h", "6c 9d 5h 9s", "6c 9d 5h 9s Tc 2c"])
def test_a_void_that_is_the_first_decision_may_stand_on_a_partial_deal(chance: str) -> None:
    outcome = outcome_of(record(chance, decisions=[VOID, item("P", "hit"), VOID]))
    assert outcome["result"] == {"void": True}
    assert outcome["returned"] == outcome["staked"] == {"P": 10000}
    assert refused(outcome) == [1, 2]
    assert outcome["chance_used"] == len(chance.split()), "all that were given"


def test_a_void_stands_after_the_cards_already_owed_and_before_the_banks() -> None:
    outcome = outcome_of(record("6c 9d 5h 9s", decisions=[item("P", "double"), VOID]))
    assert outcome["returned"] == {"P": 20000}
    assert outcome["chance_used"] == 4
    over = outcome_of(record("Tc 9d 6h 9s Tc", decisions=[item("P", "hit"), item("P", "hit"), VOID]))
    assert (refused(over), over["returned"], over["chance_used"]) == ([1], {"P": 10000}, 5)


def test_a_void_takes_back_what_was_paid() -> None:
    bets = (main(), main("Q", box=2), side("any_pair"))
    decisions = [item("P", "split"), item("Q", "hit", box=2), VOID]
    outcome = outcome_of(record("8c Tc 9d 8h 6c 2c 3c Ts", *bets, decisions=decisions))
    assert outcome["returned"] == outcome["staked"] == {"P": 21000, "Q": 10000}


# ── Chance ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "first_round", "burns"),
    [
        ({"round_burn": "each_following_round"}, False, 1),
        ({"round_burn": "each_following_round"}, True, 0),
        ({"round_burn": "each_following_round", "decks": 1}, False, 0),
        ({"round_burn": "each_following_round", "decks": 1, "dealing_device": "auto_shuffler"}, False, 1),
        ({"round_burn": "each_following_round", "dealing_device": "auto_shuffler"}, False, 1),
        ({"round_burn": "each_following_round", "dealing_device": "auto_shuffler"}, True, 0),
        ({"round_burn": "each_following_round_and_before_bank_second", "decks": 1}, False, 1),
        ({"round_burn": "each_following_round_and_before_bank_second"}, True, 1),
        ({"round_burn": "each_following_round_and_before_bank_second"}, False, 2),
    ],
)
def test_which_cards_are_burnt_in_a_round(options: dict[str, Any], first_round: bool, burns: int) -> None:
    chance = " ".join(FULL_PACK[:20])
    outcome = outcome_of(record(chance, options=options, first_round=first_round))
    dealt = sum(len(hand) for hand in outcome["result"]["boxes"]["1"]) + len(outcome["result"]["bank"])
    assert outcome["chance_used"] == dealt + burns


def test_the_bank_takes_no_card_if_nothing_is_open() -> None:
    outcome = outcome_of(record("As 9d Kh Tc 2c", options={"round_burn": "none"}))
    assert outcome["chance_used"] == 3 and outcome["result"]["bank"] == ["9d"]


def test_the_hole_card_of_a_metal_box_is_told_turned_or_not() -> None:
    outcome = outcome_of(record("As 9d Kh Ad", options=METAL_BOX))
    assert outcome["result"] == {
        "bank": ["9d", "Ad"],
        "bank_total": 20,
        "bank_blackjack": False,
        "boxes": {"1": [["As", "Kh"]]},
    }


def test_a_single_ace_of_the_bank_counts_11() -> None:
    outcome = outcome_of(record("Tc Ad 6h Tc", decisions=[item("P", "hit")]))
    assert (outcome["result"]["bank"], outcome["result"]["bank_total"]) == (["Ad"], 11)


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────


def logged(opening: Opening, shoe: str, *lines: Action | str, **given: Any) -> list[Action]:
    """The whole log: these actions, "…" where time runs out, and what the house does in between."""
    pack = iter(cards(shoe))
    round_: Any = GAMES["blackjack"].opened(options(**given), opening)
    log: list[Action] = []

    def take(action: Action) -> None:
        nonlocal round_
        log.append(action)
        round_ = round_.apply(action)

    def serve() -> None:
        while not round_.over and (due := round_.next_house_step()) is not None:
            take(due.action if isinstance(due, Step) else DrawCard(card=next(pack)))

    for line in (*lines, *["…"] * 9):
        serve()
        if round_.over:
            break
        late = round_.on_timeout()
        assert not isinstance(late, Draw)
        take(late.action if isinstance(line, str) else line)
    return log


def written(opening: Opening, log: list[Action], **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The record of a log, and its outcome."""
    made = record_of(GAMES["blackjack"], options(**given), opening, log)
    return made, outcome_of(json.loads(json.dumps(made)))


def accounts(log: list[Action], opening: Opening, **given: Any) -> dict[str, int]:
    round_: Any = GAMES["blackjack"].opened(options(**given), opening)
    for action in log:
        round_ = round_.apply(action)
    sums: dict[str, int] = {}
    for paid in round_.payouts():
        sums[paid.bet] = sums.get(paid.bet, 0) + paid.returned
    return sums


def test_the_record_of_a_log_holds_what_people_decided_and_plays_to_the_same_end() -> None:
    opening = Opening({"S": 1}, first_round=True)
    given = {"round_burn": "each_following_round_and_before_bank_second"}
    log = logged(
        opening,
        "8c Tc 7d 8h 6h Ts 5c 3h 9c Kd Tc",
        bet("U main 50 box 1 as 1"),
        bet("S main 100 box 1 as 2"),
        bet("Q main 30 box 2 as 3"),
        bet("S any_pair 10 box 1 as 4"),
        Follow("U", splits=True),
        CloseBets(),
        Surrender("Q", 2),
        Ready("S"),
        Split("S", 1),
        Stand("S", 1, 0),
        Double("S", 1, 1),
        Pass("U", 1, 1),
        **given,
    )
    made, outcome = written(opening, log, **given)
    assert made["decisions"] == [
        {"by": "Q", "do": "surrender", "box": 2},
        {"by": "S", "do": "split", "box": 1},
        {"by": "U", "do": "match", "box": 1},
        {"by": "S", "do": "stand", "box": 1},
        {"by": "S", "do": "double", "box": 1, "hand": 1},
    ]
    assert made["bets"][0] == {"id": "1", "by": "U", "spot": "main", "amount": 5000, "box": 1}
    assert (made["seats"], made["first_round"]) == ({"S": 1}, True)
    assert refused(outcome) == []
    assert back(outcome) == accounts(log, opening, **given)


def test_automatic_decisions_are_left_out_and_come_out_the_same() -> None:
    opening = Opening()
    log = logged(
        opening,
        "2c 3c 9d 4h 5c 6c Tc",
        bet("P main 100 box 1 as 1"),
        bet("Q main 100 box 2 as 2"),
        CloseBets(),
        Proceed(),
        Stand(HOUSE, 1, 0),
        Hit("Q", 2),
    )
    made, outcome = written(opening, log)
    assert made["decisions"] == [{"by": "Q", "do": "hit", "box": 2}]
    assert hands(outcome, 1) == ["2c 4h"] and hands(outcome, 2) == ["3c 5c 6c"]
    assert back(outcome) == accounts(log, opening)


def test_what_was_added_to_a_stake_is_one_bet_of_the_record() -> None:
    log = logged(Opening(), "As 9d Kh", bet("P main 100 box 1 as 1"), bet("P main 50 box 1 as 2"), CloseBets())
    made, outcome = written(Opening(), log)
    assert made["bets"] == [{"id": "1", "by": "P", "spot": "main", "amount": 15000, "box": 1}]
    assert outcome["returned"] == {"P": 37500}


def test_insurance_claims_and_presets_are_written_as_they_were_taken() -> None:
    opening = Opening({"S": 1})
    log = logged(
        opening,
        "2c Td 3h 4s 5c 2d 9c",
        bet("S main 100 box 1 as 1"),
        bet("U main 50 box 1 as 2"),
        Follow("U", claims=True),
        CloseBets(),
        Ready("S"),
        *[Hit("S", 1)] * 4,
    )
    made, outcome = written(opening, log)
    assert [one["do"] for one in made["decisions"]] == ["hit", "hit", "hit", "claim_five_cards", "hit"]
    assert back(outcome) == {"1": 0, "2": 7500}
    insured = logged(Opening(), "Kc Ad 8h 6s", bet("P main 100 box 1 as 1"), CloseBets(), Insurance("P", 1, 5000))
    made, outcome = written(Opening(), insured)
    assert made["decisions"] == [{"by": "P", "do": "insurance", "box": 1, "amount": 5000}]
    assert outcome["returned"] == {"P": 20000}


def test_a_void_is_written_where_it_stood() -> None:
    log = logged(Opening(), "6c 9d 5h 9s Tc", bet("P main 100 box 1 as 1"), CloseBets(), Double("P", 1), "…")
    log = log[: next(at for at, action in enumerate(log) if isinstance(action, Double)) + 2]
    log.append(Void(remark="power"))
    made, outcome = written(Opening(), log)
    assert made["decisions"] == [{"by": "P", "do": "double", "box": 1}, VOID]
    assert made["chance"] == ["6c", "9d", "5h", "9s"]
    assert outcome["returned"] == {"P": 20000}


def test_a_void_stops_the_card_of_a_decision_and_the_record_leaves_it_out() -> None:
    log = logged(Opening(), "6c 9d 5h 2s Tc", bet("P main 100 box 1 as 1"), CloseBets(), Hit("P", 1), "…")
    log = log[: next(at for at, action in enumerate(log) if isinstance(action, Hit)) + 2]
    log += [Hit("P", 1), Void(remark="power")]
    made, outcome = written(Opening(), log)
    assert made["decisions"] == [{"by": "P", "do": "hit", "box": 1}, VOID]
    assert made["chance"] == ["6c", "9d", "5h", "2s"]
    assert (outcome["staked"], outcome["returned"]) == ({"P": 10000}, {"P": 10000})


def test_a_round_without_a_main_stake_is_void_without_anybodys_order() -> None:
    log = logged(Opening(), "", bet("P sevens 10 box 1 as 1"), CloseBets())
    made, outcome = written(Opening(), log)
    assert (made["decisions"], outcome["result"]) == ([], {"void": True})


def test_void_cards_are_no_chance_of_a_record() -> None:
    bets = [bet("P main 100 box 1 as 1"), CloseBets()]
    exposed = [DrawCard(card=cards("2c")[0], exposed=True)]
    deal = [DrawCard(card=one) for one in cards("Tc Td 8h")]
    end = [Stand("P", 1), DrawCard(card=cards("7s")[0]), Overdraw(), DrawCard(card=cards("5c")[0])]
    round_: Any = GAMES["blackjack"].opened(options(), Opening())
    log: list[Action] = [*bets, *exposed, *deal, *end]
    for action in log:
        round_ = round_.apply(action)
    log.append(round_.next_house_step().action)
    made, outcome = written(Opening(), log)
    assert made["chance"] == ["Tc", "Td", "8h", "7s"]
    assert outcome["returned"] == {"P": 20000}


def test_a_match_and_a_claim_of_another_than_the_decider_are_told_apart() -> None:
    opening = Opening({"S": 1})
    log = logged(
        opening,
        "6c 9d 5h 9s Tc",
        bet("S main 100 box 1 as 1"),
        bet("U main 50 box 1 as 2"),
        CloseBets(),
        Double("S", 1),
        Match("U", 1),
    )
    made, _ = written(opening, log)
    assert [(one["by"], one["do"]) for one in made["decisions"]] == [("S", "double"), ("U", "match")]
    assert Claim.do == "claim_five_cards"
