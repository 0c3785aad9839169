"""The public record sentence by sentence, as 3-Card Baccarat knows it: who may bet where, what stays, burns, voids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tables.games.record import RecordError, outcome_of

NINE = "Qs 9h Kd"  # rank 2
ALSO_NINE = "Jh Kc 9s"  # rank 2
ONE = "As Td Th"  # rank 28
COURTS = "Kc Qd Jc"  # rank 1
ALSO_COURTS = "Kh Jd Js"  # rank 1

VOID = {"by": "house", "do": "void"}


def laid(spot: str, amount: int = 1000, by: str = "ana", bet: str = "", **more: Any) -> dict[str, Any]:
    name = spot if by == "ana" else f"{by} {spot}"
    return {"id": bet or f"{name}{more.get('box', '')}", "by": by, "spot": spot, "amount": amount, **more}


def place(box: int, amount: int = 1000, by: str = "ana", bet: str = "", **more: Any) -> dict[str, Any]:
    return laid("place", amount, by, bet, box=box, **more)


def tie(box: int, amount: int = 1000, by: str = "ana", bet: str = "", **more: Any) -> dict[str, Any]:
    return laid("tie", amount, by, bet, box=box, **more)


def record(hands: str | list[str], *bets: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Hands as they lie there after the deal, the banker's last; ana sits at place 1, and the shoe is fresh."""
    options = {"deal_style": "three_at_once", **more.pop("options", {})}
    text = hands if isinstance(hands, str) else " ".join(hands)
    return {
        "game": "three_card_baccarat",
        "options": options,
        "seats": {"ana": 1},
        "bets": list(bets),
        "chance": text.split(),
        "first_round": True,
        **more,
    }


def refused(outcome: dict[str, Any]) -> list[Any]:
    return [one.get("id", one.get("decision")) for one in outcome["refused"]]


def back(outcome: dict[str, Any]) -> dict[str, Any]:
    """What came back of each bet; of what is carried, that."""
    return {one["id"]: f"{one['carried']} stays" if one["carried"] else one["returned"] for one in outcome["bets"]}


# ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────

A_BET = place(1)
DEAL = [ONE, NINE]


@pytest.mark.parametrize(
    "wrong",
    [
        record(DEAL, A_BET, edition="219/96/M"),
        record(DEAL, A_BET, edition="61/2004"),
        record(DEAL, A_BET, edition=None),
        record(DEAL, A_BET, options={"device": "shoe"}),
        record(DEAL, A_BET, options={"decks": 0}),
        record(DEAL, A_BET, options={"decks": 9}),
        record(DEAL, A_BET, options={"decks": True}),
        record(DEAL, A_BET, options={"player_places": 0}),
        record(DEAL, A_BET, options={"player_places": 9}),
        record(DEAL, A_BET, options={"player_places": 9, "reshuffle_every_round": True}),
        record(DEAL, A_BET, options={"player_places": 10, "white_card_depth": 33}),
        record(DEAL, A_BET, options={"player_places": 13, "white_card_depth": 40}),
        record(DEAL, A_BET, options={"player_places": 17, "decks": 1}),
        record(DEAL, A_BET, options={"white_card_depth": 41}),
        record(DEAL, A_BET, options={"white_card_depth": 29, "decks": 1}),
        record(DEAL, A_BET, options={"deal_style": "one by one"}),
        record(DEAL, A_BET, options={"deal_style": None}),
        record(DEAL, A_BET, options={"standing_bets": 1}),
        record(DEAL, A_BET, options={"tie_enabled": "false"}),
        record(DEAL, A_BET, options={"min_bet": -100}),
        record(DEAL, A_BET, options={"min_bet": {"numbers": 100}}),
        record(DEAL, A_BET, options={"max_bet": {"points": 100}}),
        record(DEAL, A_BET, options={"max_bet": None}),
        record(DEAL, A_BET, options={"max_bet": {"odd": None}}),
        record(DEAL, A_BET, options={"imbalance_limit": 100}),
        record(DEAL, A_BET, seats={"ana": 8}),
        record(DEAL, A_BET, seats={"ana": 0}),
        record(DEAL, A_BET, seats={"ana": 4}, options={"player_places": 3}),
        record(DEAL, A_BET, seats={"ana": 1, "rui": 1}),
        record(DEAL, laid("place")),
        record(DEAL, laid("tie")),
        record(DEAL, laid("tie"), options={"tie_enabled": False}),
        record(DEAL, {**A_BET, "box": "1"}),
        record(DEAL, {**A_BET, "box": None}),
        record(DEAL, laid("odd", box="1")),
        record(DEAL, laid("odd", carried=1)),
        record(DEAL, tie(1, carried=True)),
        record(DEAL, laid("three_figures", carried=True)),
        record(DEAL, laid("points_0", carried=True)),
        record(DEAL, laid("points_10", carried=True)),
        record(DEAL, A_BET, A_BET),
        record([ONE, "Qs 9h"], A_BET),
        record([ONE], A_BET, place(2)),
        record("Qs 9h"),
        record(DEAL, A_BET, first_round=False),
        record(DEAL, A_BET, first_round=None),
        record([ONE, ONE], A_BET, options={"decks": 1}),
        record([*DEAL, "As"], A_BET, options={"decks": 1}),
        record([*DEAL, "0s"], A_BET),
        record(["As As As"], A_BET, options={"decks": 2}, decisions=[VOID]),
        record(DEAL, A_BET, decisions=[{"by": "ana", "do": "turn"}]),
        record(DEAL, A_BET, decisions=[VOID, {"by": "ana"}]),
        record(DEAL, A_BET, decisions=None),
    ],
    ids=lambda wrong: json.dumps(wrong)[33:150],
)
def test_what_cannot_be_read_or_played_is_an_error(wrong: Any) -> None:
    with pytest.raises(RecordError):
        outcome_of(wrong)


def test_what_may_be_left_out_has_its_default() -> None:
    bare = {"game": "three_card_baccarat", "bets": [A_BET], "chance": ["2c", *ONE.split(), *NINE.split()]}
    full = {
        "edition": "22/96/M",
        "options": {"decks": 6, "player_places": 7, "deal_style": "one_by_one", "standing_bets": False, "max_bet": {}},
        "seats": {},
        "decisions": [],
        "first_round": False,
    }
    assert outcome_of(bare) == outcome_of({**bare, **full})
    assert refused(outcome_of(bare)) == ["place1"]


@pytest.mark.parametrize(
    "options",
    [
        {"decks": 1, "player_places": 16},
        {"decks": 1, "reshuffle_every_round": False},
        {"player_places": 8},
        {"player_places": 9, "white_card_depth": 33},
        {"player_places": 12, "white_card_depth": 40},
    ],
    ids=str,
)
def test_as_many_places_as_can_always_be_dealt(options: dict[str, Any]) -> None:
    box = options.get("player_places", 1)
    outcome = outcome_of(record(DEAL, place(box), options=options, seats={"ana": box}))
    assert outcome["result"] == {"banker": 2, "places": {str(box): 28}}


# ── Bets ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("bet", "options"),
    [
        (place(0, bet="no"), {}),
        (place(8, bet="no"), {}),
        (place(4, bet="no"), {"player_places": 3}),
        (place(8, bet="no", carried=True), {}),
        (place(2, 0, bet="no"), {}),
        (place(2, -100, bet="no"), {}),
        (place(2, 150, bet="no"), {}),
        (place(2, 50, bet="no", carried=True), {}),
        (place(2, 900, bet="no"), {"min_bet": 1000}),
        (place(1, 100, bet="no"), {"max_bet": 1000}),
        (tie(2, bet="no"), {}),
        (tie(1, bet="no"), {"tie_enabled": False}),
        (tie(1, 1000, bet="no"), {"max_bet": {"tie": 900}}),
        (laid("even", bet="no"), {"odd_even_enabled": False}),
        (laid("points_0", bet="no"), {"numbers_enabled": False}),
        (laid("points_10", bet="no"), {}),
        (laid("numbers", bet="no"), {}),
        (laid("main", bet="no"), {}),
        (place(1, by="lee", bet="no"), {}),
        (laid("odd", by="lee", bet="no"), {}),
        (place(2, by="lee", bet="no"), {"standing_bets": True}),
    ],
    ids=lambda it: json.dumps(it),
)
def test_what_is_refused_moves_no_money(bet: dict[str, Any], options: dict[str, Any]) -> None:
    outcome = outcome_of(record(DEAL, A_BET, bet, options=options))
    assert refused(outcome) == ["no"]
    assert (outcome["staked"], outcome["returned"], back(outcome)) == ({"ana": 1000}, {"ana": 0}, {"place1": 0})
    assert outcome["chance_used"] == 6


def test_a_box_beside_a_bet_on_the_bankers_cards_is_ignored() -> None:
    lying = [laid("odd", box=99, bet="a"), laid("odd", box=1, bet="b", carried=True), laid("points_9", box=0, bet="c")]
    outcome = outcome_of(record([NINE], *lying, options={"max_bet": 2000}))
    assert back(outcome) == {"a": 1950, "b": 1950, "c": 9000}
    outcome = outcome_of(record([NINE], *lying, options={"max_bet": 1900}))
    assert refused(outcome) == ["a"]


def test_the_maximum_counts_a_bettors_stakes_at_one_place_carried_ones_included() -> None:
    lying = [
        place(1, 600, bet="fresh"),
        place(2, 1000),
        tie(1, 1000),
        place(1, 500, bet="old", carried=True),
        place(1, 400, bet="fits"),
        place(1, 200, bet="over"),
        place(1, 1000, by="rui"),
    ]
    seats = {"ana": 1, "rui": 2}
    outcome = outcome_of(record([ONE, ONE, NINE], *lying, seats=seats, options={"max_bet": 1000}))
    assert refused(outcome) == ["fresh", "over"]
    assert outcome["staked"] == {"ana": 2400, "rui": 1000}


def test_a_carried_stake_over_the_maximum_or_under_the_minimum_plays_on() -> None:
    lying = [place(1, 100, carried=True), laid("odd", 9000, carried=True)]
    outcome = outcome_of(record([COURTS, NINE], *lying, options={"min_bet": 500, "max_bet": 1000}))
    assert back(outcome) == {"place1": 195, "odd": 17550}


def test_a_carried_stake_plays_on_when_its_spot_is_not_sold_and_its_bettor_has_left() -> None:
    lying = [laid("odd", carried=True, by="lee"), place(3, carried=True, by="lee"), laid("odd", by="ana")]
    outcome = outcome_of(record([ALSO_NINE, NINE], *lying, options={"odd_even_enabled": False}))
    assert refused(outcome) == ["odd"]
    assert back(outcome) == {"lee odd": 1950, "lee place3": "1000 stays"}
    assert outcome["staked"] == {"lee": 0}


def test_one_who_left_may_not_add_to_what_he_left() -> None:
    lying = [place(3, carried=True, by="lee", bet="old"), place(3, by="lee", bet="more")]
    assert refused(outcome_of(record(DEAL, *lying))) == ["more"]
    assert refused(outcome_of(record(DEAL, *lying, options={"standing_bets": True}))) == []


def test_a_seated_bettor_may_have_any_place() -> None:
    outcome = outcome_of(record([NINE, ONE, ALSO_NINE], place(5), place(3), seats={"ana": 7}))
    assert outcome["result"] == {"banker": 2, "places": {"3": 2, "5": 28}}
    assert back(outcome) == {"place5": 0, "place3": "1000 stays"}


STANDING = {"standing_bets": True}


def test_a_standing_bettor_needs_a_seated_bettors_or_a_carried_stake_on_the_place() -> None:
    lying = [
        place(2, by="lee"),  # with ana's, which comes later
        place(3, by="lee"),  # with eva's carried one
        place(4, by="lee"),  # with nobody's
        place(5, by="lee"),  # with another standing bettor's
        place(5, by="eva"),
        place(6, by="lee"),  # with a seated bettor's that is refused
        place(6, 50),
        tie(5, by="lee"),  # with place bets that are taken down
        tie(3, by="lee"),
        tie(2, by="eva"),
        place(3, by="eva", carried=True, bet="old"),
        place(2),
        laid("points_9", by="lee"),
        laid("odd", by="eva"),
    ]
    outcome = outcome_of(record([ONE, NINE, ALSO_NINE], *lying, options=STANDING))
    assert refused(outcome) == ["lee place4", "lee place5", "eva place5", "lee place6", "place6", "lee tie5"]
    assert outcome["result"]["places"] == {"2": 28, "3": 2}
    assert back(outcome) == {
        "lee place2": 0,
        "lee place3": "1000 stays",
        "lee tie3": 21000,
        "eva tie2": 0,
        "old": "1000 stays",
        "place2": 0,
        "lee points_9": 9000,
        "eva odd": 1950,
    }


def test_a_tie_goes_with_anybodys_place_bet_wherever_it_stands_in_the_list() -> None:
    seats = {"ana": 1, "rui": 2}
    lying = [tie(6), tie(4, by="rui"), place(6, by="rui"), tie(3), place(3, by="lee", carried=True)]
    outcome = outcome_of(record([ALSO_NINE, ONE, NINE], *lying, seats=seats))
    assert refused(outcome) == ["rui tie4"]
    assert back(outcome) == {"tie6": 0, "rui place6": 0, "tie3": 21000, "lee place3": "1000 stays"}


# ── Cards ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_banker_is_dealt_also_when_nobody_bets() -> None:
    outcome = outcome_of(record([NINE]))
    assert outcome == {
        "result": {"banker": 2, "places": {}},
        "bets": [],
        "staked": {},
        "returned": {},
        "refused": [],
        "chance_used": 3,
    }


@pytest.mark.parametrize(
    ("options", "first", "burnt"),
    [
        ({}, True, 0),
        ({}, False, 1),
        ({"decks": 2}, False, 1),
        ({"decks": 1}, False, 0),
        ({"decks": 1}, True, 0),
        ({"reshuffle_every_round": True}, False, 0),
        ({"reshuffle_every_round": True, "decks": 8}, True, 0),
    ],
)
def test_a_card_goes_at_the_start_of_a_following_round_from_the_same_shoe(
    options: dict[str, Any], first: bool, burnt: int
) -> None:
    hands = ["2c"] * burnt + DEAL + ["3c"]
    outcome = outcome_of(record(hands, A_BET, options=options, first_round=first))
    assert (outcome["result"], outcome["chance_used"]) == ({"banker": 2, "places": {"1": 28}}, 6 + burnt)


def test_one_by_one_goes_round_the_places_in_order() -> None:
    dealt = "2c  As Jh Qs  Td Kc 9h  Th 9s Kd"
    lying = [place(6), place(2)]
    outcome = outcome_of(record(dealt, *lying, options={"deal_style": "one_by_one"}, first_round=False))
    assert outcome["result"] == {"banker": 2, "places": {"2": 28, "6": 2}}


@pytest.mark.parametrize(
    ("hand", "rank"),
    [
        ("Ks Kh Kd", 1),
        ("Kc Js 9h", 2),
        ("Kc Ts 9h", 3),
        ("9c Ts Th", 4),
        ("Kc 4s 5h", 3),
        ("9c 9s 9h", 10),
        ("Ac Ts Th", 28),
        ("Kc Qs Th", 29),
        ("Kc Ts Th", 30),
        ("Kc 4s 6h", 30),
        ("Tc Ts Th", 31),
        ("9c 9s 2h", 31),
    ],
)
def test_a_hand_has_its_number_in_the_annex(hand: str, rank: int) -> None:
    assert outcome_of(record([hand]))["result"]["banker"] == rank


# ── What stays ──────────────────────────────────────────────────────────────────────────────────────────────


def test_three_court_cards_of_the_banker_lock_odd_and_even_and_are_no_points() -> None:
    lying = [laid("odd"), laid("even", carried=True), laid("points_0"), laid("three_figures"), place(1), tie(1)]
    outcome = outcome_of(record([ALSO_COURTS, COURTS], *lying))
    assert back(outcome) == {
        "odd": "1000 stays",
        "even": "1000 stays",
        "points_0": 0,
        "three_figures": 17000,
        "place1": "1000 stays",
        "tie1": 21000,
    }


def test_three_court_cards_of_a_place_alone_are_just_its_rank() -> None:
    outcome = outcome_of(record([COURTS, NINE], place(1), laid("three_figures"), laid("odd"), tie(1)))
    assert back(outcome) == {"place1": 1950, "three_figures": 0, "odd": 1950, "tie1": 0}


# ── Decisions ───────────────────────────────────────────────────────────────────────────────────────────────

HIT = {"by": "ana", "do": "hit"}


def test_nobody_decides_anything_here() -> None:
    decisions = [HIT, {"by": "ana", "do": "void"}, {"by": "house", "do": "raise"}]
    outcome = outcome_of(record(DEAL, A_BET, decisions=decisions))
    assert refused(outcome) == [0, 1, 2] and outcome["result"]["banker"] == 2


@pytest.mark.parametrize("cards", [0, 1, 3, 6, 8])
def test_a_void_returns_what_is_fresh_and_leaves_what_was_carried(cards: int) -> None:
    lying = [place(1), place(1, carried=True, bet="old"), tie(1), tie(2), laid("odd", carried=True), laid("even")]
    chance = [*ONE.split(), *NINE.split(), "2c", "3c"][:cards]
    outcome = outcome_of(record(" ".join(chance), *lying, decisions=[VOID, HIT, VOID]))
    assert outcome["result"] == {"void": True}
    assert refused(outcome) == ["tie2", 1, 2]
    assert back(outcome) == {"place1": 1000, "old": "1000 stays", "tie1": 1000, "odd": "1000 stays", "even": 1000}
    assert (outcome["staked"], outcome["returned"]) == ({"ana": 3000}, {"ana": 3000})
    assert outcome["chance_used"] == cards


def test_a_void_takes_effect_where_it_stands() -> None:
    outcome = outcome_of(record([*DEAL, "2c"], A_BET, decisions=[HIT, VOID, HIT]))
    assert (outcome["result"], outcome["chance_used"]) == ({"void": True}, 7)
    assert refused(outcome) == [0, 2]


def test_a_bettor_may_be_called_house() -> None:
    outcome = outcome_of(record([ALSO_NINE, NINE], place(1, by="house"), seats={"house": 4}))
    assert (outcome["staked"], outcome["returned"]) == ({"house": 1000}, {"house": 0})
