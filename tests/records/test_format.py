"""The public record sentence by sentence, as Baccarat knows it: what is an error, what is refused, what counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.contract.actions import HOUSE, CloseBets, Cut, Lower, Move, Sit, Step, Void, Withdraw
from tables.games.contract.round import Opening
from tables.games.record import RecordError, outcome_line, outcome_of, record_of, records_in
from tests.kit import Shoe, bet, opened, options, play, run

PLAYER_WINS = ["4s", "Kc", "5d", "7h"]
BANKER_WINS = ["Ks", "3c", "2d", "Th", "8s"]
TIE = ["Ts", "4c", "6d", "2h"]


def laid(bet: str, spot: str, amount: int, by: str = "ana", **more: Any) -> dict[str, Any]:
    return {"id": bet, "by": by, "spot": spot, "amount": amount, **more}


def record(*bets: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "baccarat", "bets": list(bets), "chance": PLAYER_WINS, **more}


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [item.get("id", item.get("decision")) for item in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {item["id"]: (item["returned"], item["carried"]) for item in outcome["bets"]}


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────

A_BET = laid("b", "player", 1000)
FULL_PACK = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]


@pytest.mark.parametrize(
    "wrong",
    [
        5,
        None,
        [],
        "record",
        {},
        {"game": "baccarat", "bets": []},
        {"game": "baccarat", "chance": PLAYER_WINS},
        {"bets": [], "chance": PLAYER_WINS},
        record(game="faro"),
        record(game=None),
        record(game=["baccarat"]),
        record(edition="2004"),
        record(edition=None),
        record(edition=55),
        record(options=None),
        record(options=[]),
        record(options={"edition": "55/2004"}),
        record(options={"Decks": 8}),
        record(options={"decks": "8"}),
        record(options={"decks": None}),
        record(options={"layouts": 3}),
        record(options={"dealing_device": "shuffler"}),
        record(options={"hold_cards": 0}),
        record(options={"burn_each_round": 2}),
        record(options={"burn_each_round": True}),
        record(options={"min_bet": -100}),
        record(options={"min_bet": 100.0}),
        record(options={"min_bet": {"hand": 100}}),
        record(options={"min_bet": {"main": 100}}),
        record(options={"min_bet": {"tie": None}}),
        record(options={"min_bet": {"tie": True}}),
        record(options={"min_bet": [["tie", 100]]}),
        record(options={"max_bet": None}),
        record(options={"max_bet": "10000"}),
        record(options={"imbalance_limit": -1}),
        record(options={"imbalance_limit": False}),
        record(options={"imbalance_limit": {"banker": 1000}}),
        record(options={"burn_mode": "fixed_n"}),
        record(options={"burn_fixed_n": 3}),
        record(options={"burn_fixed_n": None}),
        record(options={"burn_mode": "fixed_n", "burn_fixed_n": 0}),
        record(options={"burn_mode": "fixed_n", "burn_fixed_n": 9}),
        record(options={"burn_mode": "by_first_card", "burn_fixed_n": 3}),
        record(options={"burn_mode": "fixed_n", "burn_fixed_n": 3}, edition="55/2004"),
        record(options={"lucky_six": True}, edition="55/2004"),
        record(options={"commission_mode": "no_commission_six_half"}, edition="55/2004"),
        record(seats=None),
        record(seats=["ana"]),
        record(seats={"ana": 0}),
        record(seats={"ana": 8}),
        record(seats={"ana": 2.0}),
        record(seats={"ana": True}),
        record(seats={"ana": 2, "rui": 2}),
        record(bets=None),
        record(bets={}),
        record(5),  # type: ignore[arg-type]
        record({"id": "b", "by": "ana", "spot": "player"}),
        record({"id": "b", "by": "ana", "amount": 1000}),
        record({"id": "b", "spot": "player", "amount": 1000}),
        record({"by": "ana", "spot": "player", "amount": 1000}),
        record({**A_BET, "id": 1}),
        record({**A_BET, "by": None}),
        record({**A_BET, "spot": ["player"]}),
        record({**A_BET, "amount": 1000.0}),
        record({**A_BET, "amount": "1000"}),
        record({**A_BET, "amount": True}),
        record({**A_BET, "amount": None}),
        record({**A_BET, "box": None}),
        record({**A_BET, "box": "3"}),
        record({**A_BET, "box": True}),
        record({**A_BET, "carried": None}),
        record({**A_BET, "carried": 1}),
        record(A_BET, A_BET),
        record(laid("t", "tie", 1000, carried=True)),
        record(laid("t", "player_pair", 1000, carried=True)),
        record(laid("t", "lucky_six", 1000, carried=True), options={"lucky_six": True}),
        record(laid("t", "hand", 1000, carried=True)),
        record(chance=None),
        record(chance="4s Kc 5d 7h"),
        record(chance=[*PLAYER_WINS, None]),
        record(chance=[*PLAYER_WINS, "1s"]),
        record(chance=["4♠", "Kc", "5d", "7h"]),
        record(chance=[4, "Kc", "5d", "7h"]),
        record(chance=[]),
        record(chance=PLAYER_WINS[:3]),
        record(chance=PLAYER_WINS, options={"burn_each_round": 1}),
        record(chance=["As"] * 9),
        record(chance=[*PLAYER_WINS, *["4s"] * 8]),
        record(chance=["4s", "Kc", "5d", "7h", *["4s"] * 6], options={"decks": 6}),
        record(chance=["As"] * 9, decisions=[{"by": "house", "do": "void"}]),
        record(decisions=None),
        record(decisions={}),
        record(decisions=["void"]),
        record(decisions=[{"by": "ana"}]),
        record(decisions=[{"do": "void"}]),
        record(decisions=[{"by": "house", "do": "cancel"}]),
        record(decisions=[{"by": "house", "do": None}]),
        record(decisions=[{"by": "house", "do": ["void"]}]),
        record(decisions=[{"by": 0, "do": "void"}]),
        record(decisions=[{"by": "ana", "do": "hit", "hand": "0"}]),
        record(decisions=[{"by": "house", "do": "void"}, {"by": "ana", "do": "cheat"}]),
        record(first_round=None),
        record(first_round=1),
    ],
    ids=lambda wrong: json.dumps(wrong)[:80],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


@pytest.mark.parametrize(
    "text", ["", "{", "nul", '{"game": NaN}', '{"a": 1}}', "\x00", "[" * 100_000, '{"game": "baccarat\x01"}']
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    played, line = outcome_line(text.encode())
    assert not played
    assert "error" in json.loads(line)


def test_bytes_that_are_no_utf_8_are_an_error() -> None:
    assert not outcome_line(b'{"game": "\xff"}')[0]


def test_options_of_the_shoe_are_not_compared_at_a_machine() -> None:
    machine = {"dealing_device": "auto_machine", "burn_mode": "fixed_n", "burn_each_round": 1, "demo_rounds": 3}
    assert outcome_of(record(options=machine))["chance_used"] == 4


def test_the_imbalance_limit_may_be_null() -> None:
    assert outcome_of(record(A_BET, options={"imbalance_limit": None}))["refused"] == []


def test_keys_that_the_format_does_not_know_are_ignored() -> None:
    with_more = record({**A_BET, "name": None}, note=[1], decisions=[], jackpot=None)
    assert outcome_of(with_more) == outcome_of(record(A_BET))


def test_what_may_be_left_out_has_its_default() -> None:
    full = record(A_BET, edition="55/2004+83/2011", options={}, seats={}, decisions=[], first_round=False)
    assert outcome_of(full) == outcome_of(record(A_BET))


# ── Refused ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("amount", [0, -1000, 50, 150, 1001])
@pytest.mark.parametrize("carried", [False, True])
def test_a_stake_that_is_no_whole_number_of_credits_is_refused(amount: int, carried: bool) -> None:
    outcome = outcome_of(record(laid("b", "player", amount, carried=carried)))
    assert refused(outcome) == ["b"]
    assert outcome["bets"] == []
    assert outcome["staked"] == outcome["returned"] == {}


def test_a_round_is_played_also_when_nobody_bets() -> None:
    outcome = outcome_of(record())
    assert outcome["result"]["winner"] == "player"
    assert outcome["chance_used"] == 4


def test_a_spots_own_limit_goes_before_all_and_no_entry_means_none() -> None:
    limits = {"min_bet": {"tie": 5000}, "max_bet": {"tie": 6000, "lucky_six": 1}}
    outcome = outcome_of(
        record(
            laid("a", "tie", 4900),
            laid("b", "tie", 6100),
            laid("c", "tie", 6000),
            laid("d", "player", 100),
            laid("e", "banker", 99999900),
            options=limits,
        )
    )
    assert refused(outcome) == ["a", "b"]


def test_the_maximum_counts_carried_stakes_the_box_and_the_common_area_together() -> None:
    outcome = outcome_of(
        record(
            laid("common", "player", 4000),
            laid("box", "player", 2000, box=3),
            laid("too much", "player", 100, box=3),
            laid("another's", "player", 10000, by="rui"),
            laid("carried", "player", 4000, carried=True),
            seats={"ana": 3},
            options={"max_bet": 10000},
        )
    )
    assert refused(outcome) == ["too much"]


def test_a_refused_bet_does_not_count_against_the_maximum() -> None:
    outcome = outcome_of(
        record(laid("a", "tie", 8000), laid("b", "tie", 3000), laid("c", "tie", 2000), options={"max_bet": 10000})
    )
    assert refused(outcome) == ["b"]


def test_a_carried_stake_is_under_no_minimum_and_no_maximum() -> None:
    outcome = outcome_of(
        record(
            laid("small", "banker", 100, carried=True),
            laid("large", "player", 900000, carried=True),
            options={"min_bet": 5000, "max_bet": 10000},
        )
    )
    assert refused(outcome) == []


@pytest.mark.parametrize(("box", "seats"), [(3, {}), (3, {"ana": 2}), (3, {"rui": 3}), (0, {}), (8, {}), (-1, {})])
def test_a_box_that_is_not_the_bettors_own_is_refused(box: int, seats: dict[str, int]) -> None:
    assert refused(outcome_of(record(laid("b", "tie", 1000, box=box), seats=seats))) == ["b"]


def test_a_carried_stake_stays_in_the_box_of_a_seat_that_was_left() -> None:
    outcome = outcome_of(record(laid("b", "player", 1000, box=3, carried=True)))
    assert back(outcome) == {"b": (2000, 0)}


def test_an_unknown_spot_is_refused_in_whatever_box() -> None:
    assert refused(outcome_of(record(laid("b", "hand", 1000, box=99)))) == ["b"]


def test_note_1_goes_by_the_minimum_of_banker_and_binds_fresh_stakes_only() -> None:
    outcome = outcome_of(
        record(
            laid("multiple", "banker", 4000),
            laid("off", "banker", 3000),
            laid("carried", "banker", 3100, carried=True),
            options={"min_bet": {"banker": 2000, "player": 500}},
        )
    )
    assert refused(outcome) == ["off"]
    without = outcome_of(record(laid("any", "banker", 300), options={"min_bet": {"player": 2000}}))
    assert refused(without) == []


@pytest.mark.parametrize("main", ["player", "banker", "tie"])
def test_a_pair_bet_may_come_before_its_main_bet_in_the_list(main: str) -> None:
    assert refused(outcome_of(record(laid("p", "player_pair", 1000), laid("m", main, 1000)))) == []


def test_a_carried_main_stake_is_enough_for_a_pair_bet() -> None:
    outcome = outcome_of(record(laid("p", "banker_pair", 1000), laid("m", "player", 1000, carried=True)))
    assert refused(outcome) == []


def test_neither_anothers_main_bet_nor_lucky_six_nor_a_refused_one_carries_a_pair_bet() -> None:
    outcome = outcome_of(
        record(
            laid("p", "player_pair", 1000),
            laid("l", "lucky_six", 1000),
            laid("m", "player", 50),
            laid("o", "player", 1000, by="rui"),
            options={"lucky_six": True},
        )
    )
    assert refused(outcome) == ["p", "m"]
    assert outcome["staked"] == {"ana": 1000, "rui": 1000}


def test_the_difference_is_looked_at_as_the_bets_come() -> None:
    outcome = outcome_of(
        record(
            laid("first", "banker", 10100),
            laid("other side", "player", 5000, by="rui"),
            laid("again", "banker", 10100),
            options={"imbalance_limit": 10000},
        )
    )
    assert refused(outcome) == ["first"]


def test_a_bet_that_lessens_too_large_a_difference_is_accepted_and_the_rest_is_trimmed() -> None:
    outcome = outcome_of(
        record(
            laid("heavy", "banker", 50000, carried=True),
            laid("light", "player", 10000, by="rui"),
            options={"imbalance_limit": 10000},
            chance=BANKER_WINS,
        )
    )
    assert back(outcome) == {"heavy": (30000 + 39000, 0), "light": (0, 0)}
    assert outcome["staked"] == {"ana": 0, "rui": 10000}


def test_a_bet_may_turn_the_difference_round_if_it_is_no_larger_than_before() -> None:
    outcome = outcome_of(
        record(
            laid("a", "banker", 50000, carried=True),
            laid("equal", "player", 100000, by="rui"),
            options={"imbalance_limit": 10000},
        )
    )
    assert refused(outcome) == []
    assert back(outcome)["equal"] == (40000 + 120000, 0)


# ── Trims ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_fresh_stake_is_trimmed_before_an_older_carried_one_and_debited_in_full() -> None:
    outcome = outcome_of(
        record(
            laid("carried", "banker", 30000, carried=True),
            laid("balance", "player", 30000, by="rui", carried=True),
            laid("fresh", "player", 40000, by="lee"),
            options={"imbalance_limit": 0},
            chance=BANKER_WINS,
        )
    )
    assert refused(outcome) == ["fresh"]
    outcome = outcome_of(
        record(
            laid("old", "player", 30000, by="rui", carried=True),
            laid("heavy", "banker", 60000, carried=True),
            laid("fresh", "player", 90000, by="lee"),
            options={"imbalance_limit": 30000},
            chance=BANKER_WINS,
        )
    )
    assert refused(outcome) == ["fresh"]
    outcome = outcome_of(
        record(
            laid("heavy", "banker", 90000, carried=True),
            laid("old", "player", 30000, by="rui", carried=True),
            laid("fresh", "player", 110000, by="lee"),
            options={"imbalance_limit": 30000},
            chance=BANKER_WINS,
        )
    )
    assert back(outcome) == {"heavy": (175500, 0), "old": (0, 0), "fresh": (20000, 0)}
    assert outcome["staked"]["lee"] == 110000


def test_a_main_stake_trimmed_to_nothing_keeps_its_pair_bets() -> None:
    outcome = outcome_of(
        record(
            laid("m", "banker", 5000, carried=True),
            laid("p", "player_pair", 1000),
            options={"imbalance_limit": 4000, "min_bet": {"banker": 5000}},
            chance=["4s", "9c", "4d", "7h"],
        )
    )
    assert refused(outcome) == []
    assert back(outcome) == {"m": (5000, 0), "p": (12000, 0)}


def test_trimming_goes_on_on_the_other_side_if_what_was_left_was_no_bet() -> None:
    outcome = outcome_of(
        record(
            laid("b", "banker", 5000, carried=True),
            laid("p", "player", 3000, by="rui", carried=True),
            options={"imbalance_limit": 0, "min_bet": {"banker": 5000}},
        )
    )
    assert back(outcome) == {"b": (5000, 0), "p": (3000, 0)}


def test_what_is_left_of_a_trimmed_stake_is_whole_credits() -> None:
    outcome = outcome_of(record(laid("p", "player", 5000, carried=True), options={"imbalance_limit": 1050}))
    assert back(outcome) == {"p": (4000 + 2000, 0)}


# ── Ties and void rounds ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("policy", ["free", "no_move", "no_reduce", "return"])
def test_what_becomes_of_a_tie(policy: str) -> None:
    outcome = outcome_of(
        record(
            laid("b", "banker", 5000),
            laid("p", "player", 3000, carried=True),
            laid("t", "tie", 1000),
            chance=TIE,
            options={"tie_policy": policy},
        )
    )
    push = {"b": (5000, 0), "p": (3000, 0)} if policy == "return" else {"b": (0, 5000), "p": (0, 3000)}
    assert back(outcome) == {**push, "t": (9000, 0)}


def test_a_void_round_returns_what_is_fresh_and_what_was_trimmed_and_leaves_the_rest_of_what_was_carried() -> None:
    outcome = outcome_of(
        record(
            laid("carried", "banker", 50000, carried=True),
            laid("fresh", "player", 30000, by="rui"),
            laid("pair", "player_pair", 1000, by="rui"),
            laid("alone", "player_pair", 1000, by="lee"),
            options={"imbalance_limit": 10000},
            chance=["4s", "9c"],
            decisions=[{"by": "house", "do": "void"}],
        )
    )
    assert outcome["result"] == {"void": True}
    assert back(outcome) == {"carried": (10000, 40000), "fresh": (30000, 0), "pair": (1000, 0)}
    assert outcome["staked"] == {"ana": 0, "rui": 31000}
    assert outcome["returned"] == {"ana": 10000, "rui": 31000}
    assert refused(outcome) == ["alone"]
    assert outcome["chance_used"] == 2


@pytest.mark.parametrize("cards", [0, 1, 3, 4, 6])
def test_a_void_stands_on_whatever_was_dealt(cards: int) -> None:
    chance = ["4s", "9c", "4d", "9h", "2s", "2c"][:cards]
    outcome = outcome_of(record(A_BET, chance=chance, decisions=[{"by": "house", "do": "void"}]))
    assert outcome["chance_used"] == cards


def test_decisions_of_other_games_and_after_the_end_are_refused_and_the_list_goes_on() -> None:
    decisions = [
        {"by": "ana", "do": "hit", "box": 3, "hand": 0},
        {"by": "ana", "do": "void"},
        {"by": "house", "do": "stand"},
        {"by": "house", "do": "void"},
        {"by": "house", "do": "void"},
        {"by": "ana", "do": "raise", "amount": 200},
    ]
    outcome = outcome_of(record(A_BET, decisions=decisions))
    assert outcome["result"] == {"void": True}
    assert refused(outcome) == [0, 1, 2, 4, 5]


# ── What is counted ─────────────────────────────────────────────────────────────────────────────────────────


def test_bets_and_refusals_stand_in_the_order_of_the_record() -> None:
    outcome = outcome_of(
        record(
            laid("1", "player_pair", 1000, by="lee"),
            laid("2", "tie", 1000),
            laid("3", "hand", 1000),
            laid("4", "player", 1000, by="rui", carried=True),
            decisions=[{"by": "ana", "do": "fold"}],
        )
    )
    assert [bet["id"] for bet in outcome["bets"]] == ["2", "4"]
    assert refused(outcome) == ["1", "3", 0]
    assert outcome["staked"] == {"ana": 1000, "rui": 0}
    assert all(set(item) > {"article", "reason"} for item in outcome["refused"])


def test_more_chance_than_the_round_takes_is_no_error() -> None:
    assert outcome_of(record(A_BET, chance=[*PLAYER_WINS, *FULL_PACK]))["chance_used"] == 4


@pytest.mark.parametrize("first_round", [False, True])
def test_the_card_burnt_at_the_start_of_every_round_is_part_of_the_chance(first_round: bool) -> None:
    burning = record(A_BET, chance=["9s", *PLAYER_WINS], options={"burn_each_round": 1}, first_round=first_round)
    assert outcome_of(burning)["chance_used"] == 5


def test_a_bettor_may_be_called_house() -> None:
    outcome = outcome_of(record(laid("b", "player", 1000, by="house"), seats={"house": 1}))
    assert outcome["returned"] == {"house": 2000}


# ── Files ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_is_one_record_or_one_a_line() -> None:
    one = json.dumps(record(A_BET, note="a line separator \u2028 is no end of line"), indent=2, ensure_ascii=False)
    assert len(list(records_in(one.encode()))) == 1
    line = json.dumps(record(A_BET, note="\u2028 \x85"), ensure_ascii=False).encode()
    assert list(records_in(b"\n".join([line, b"  ", b"{broken", line + b"\r", b""]))) == [
        line,
        b"{broken",
        line + b"\r",
    ]
    assert list(records_in(b"")) == []
    assert outcome_line(b"\xef\xbb\xbf" + line + b"\r")[0]


def test_an_outcome_is_one_line_of_plain_ascii() -> None:
    played, line = outcome_line(json.dumps(record(laid("百家樂\n", "player", 100, by="\ud800"))).encode())
    assert played
    assert line.isascii() and "\n" not in line
    assert json.loads(line)["bets"][0]["id"] == "百家樂\n"


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────


def written(opening: Opening, *actions: Any, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The record of this log, and its outcome."""

    made = record_of(GAMES["baccarat"], options(**given), opening, actions)
    return made, outcome_of(json.loads(json.dumps(made)))


def cards_of(text: str) -> list[Any]:
    shoe = Shoe(text)
    return [shoe.draw() for _ in text.split()]


def steps_to_the_end(opening: Opening, *before: Any, shoe: str, **given: Any) -> list[Any]:
    """The whole log: these actions, then what the house does."""

    log = list(before)
    round_ = GAMES["baccarat"].opened(options(**given), opening)
    for action in before:
        round_ = round_.apply(action)
    pack = Shoe(shoe)
    while (due := round_.next_house_step() or round_.on_timeout()) is not None:
        action = due.action if isinstance(due, Step) else pack.draw()
        log.append(action)
        round_ = round_.apply(action)
    return log


def test_the_record_of_a_log_plays_to_the_same_outcome() -> None:
    opening = Opening({"ana": 3}, first_round=True)
    log = steps_to_the_end(
        opening,
        bet("ana player 100 box 3 as 1"),
        bet("lee banker 50 as 2"),
        bet("lee banker_pair 10 as 3"),
        shoe="4s Kc 5d 7h",
        min_bet=1000,
    )
    made, outcome = written(opening, *log, min_bet=1000)
    assert made["edition"] == "55/2004+83/2011"
    assert made["options"]["min_bet"] == 1000
    assert made["seats"] == {"ana": 3}
    assert made["first_round"] is True
    assert made["bets"][0] == {"id": "1", "by": "ana", "spot": "player", "amount": 10000, "box": 3}
    assert made["chance"] == ["4s", "Kc", "5d", "7h"]
    assert outcome["returned"] == {"ana": 20000, "lee": 0}
    assert outcome["refused"] == []


def test_the_record_shows_the_bets_as_they_lay_when_betting_closed() -> None:
    opening = Opening({"ana": 3})
    log = steps_to_the_end(
        opening,
        bet("ana player 100 box 3 as 1"),
        bet("ana tie 50 as 2"),
        bet("lee banker 80 as 3"),
        Withdraw("ana", bet="2"),
        Lower("ana", bet="1", amount=4000),
        Move("lee", bet="3", spot="tie"),
        Sit("ana", seat=5),
        shoe="4s Kc 5d 7h",
    )
    made, outcome = written(opening, *log)
    assert made["bets"] == [
        {"id": "1", "by": "ana", "spot": "player", "amount": 6000},
        {"id": "3", "by": "lee", "spot": "tie", "amount": 8000},
    ]
    assert outcome["refused"] == []


def test_the_record_of_a_round_whose_limit_was_met_on_the_way_still_plays_to_the_same_end() -> None:
    opening = Opening()
    log = steps_to_the_end(
        opening,
        bet("e player 2200 as 0"),
        bet("a banker 1500 as 1"),
        bet("c banker 600 as 2"),
        bet("d banker 400 as 3"),
        Lower("e", bet="0", amount=1000_00),
        shoe=" ".join(BANKER_WINS),
        imbalance_limit=2200_00,
        min_bet=50_00,
    )
    _, outcome = written(opening, *log, imbalance_limit=2200_00, min_bet=50_00)
    assert outcome["returned"] == {"e": 0, "a": 292500, "c": 117000, "d": 78000}
    tight = steps_to_the_end(
        opening,
        bet("a banker 1000 as 1"),
        bet("e player 1200 as 0"),
        bet("c banker 1100 as 2"),
        Lower("e", bet="0", amount=700_00),
        shoe=" ".join(BANKER_WINS),
        imbalance_limit=1200_00,
        min_bet=50_00,
    )
    made, outcome = written(opening, *tight, imbalance_limit=1200_00, min_bet=50_00)
    assert made["options"]["imbalance_limit"] is None
    assert outcome["refused"] == []
    assert outcome["returned"] == {"a": 195000, "e": 0, "c": 700_00 * 195 // 100}


def test_the_burn_and_the_demonstrations_of_the_shoe_are_not_in_the_record() -> None:

    opening = Opening(ceremony=True, first_round=True)
    given = {"decks": 6, "demo_rounds": 1, "burn_each_round": 1}
    log = steps_to_the_end(
        opening, Cut(HOUSE, position=10), shoe="2s 3s 4s 5s 6s 7s 4s Kc 5d 7h 9s 4s Kc 5d 7h", **given
    )
    made, outcome = written(opening, *log, **given)
    assert made["chance"] == ["9s", "4s", "Kc", "5d", "7h"]
    assert outcome["chance_used"] == 5


@pytest.mark.parametrize("closed", [False, True])
def test_a_void_round_is_written_with_what_was_dealt(closed: bool) -> None:
    opening = Opening(carried=(play(" ".join(TIE), "rui banker 50").carried()))
    log = [bet("ana player 100 as 1"), *([CloseBets(), *cards_of("4s 9c")] if closed else []), Void(remark="power")]
    made, outcome = written(opening, *log)
    assert made["chance"] == (["4s", "9c"] if closed else [])
    assert made["bets"][0]["carried"] is True
    assert back(outcome) == {"rui banker": (0, 5000), "1": (10000, 0)}


def test_a_round_that_is_not_over_has_no_record() -> None:

    with pytest.raises(ValueError, match="over"):
        record_of(GAMES["baccarat"], options(), Opening(), [CloseBets()])
    assert run(opened(), Shoe()).phase == "betting"
