"""The worked examples of the rulebook, section 10: cards, results and returns in credits."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games import GAMES
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import HOUSE, Cut, Draw, DrawCard, Lower, Move, Void, WhiteCard
from tables.games.contract.round import Opening
from tests.kit import Shoe, bet_on, cards, close, finish, opened, options, play, refusal, returned, run, view_for

BACCARAT = GAMES["baccarat"]

# number: cards, winner, points of Player and Banker, bets -> returns in credits ("~" a push)
ROUNDS = {
    1: ("4s Kc 5d 7h", "player", 9, 7, "player 100=200 tie 10=0 player_pair 20=0"),
    2: ("2s 3c Jd 5h", "banker", 2, 8, "banker 100=195 banker_pair 10=0"),
    3: ("Ts 4c 6d 2h", "tie", 6, 6, "tie 20=180 player 100=~ banker 50=~"),
    4: ("Ks 3c 2d Th 8s", "banker", 0, 3, "player 100=0 banker 100=195"),
    5: ("Ks 3c 2d Th Ts 9h", "tie", 2, 2, "player 100=~ banker 100=~"),
    6: ("2s 4c 3d Kh As", "player", 6, 4, "player 100=200 banker 100=0"),
    7: ("As 2c Ad 3h 4s 7d", "player", 6, 2, "player 100=200 banker 100=0 tie 10=0"),
    8: ("Js 2c 5d 4h 6s Ah", "banker", 1, 7, "player 100=0 banker 100=195"),
    9: ("Js 2c 4d 4h 5s", "player", 9, 6, "player 100=200 banker 100=0"),
    10: ("3s Qc 4d 6h", "player", 7, 6, "player 100=200 banker 100=0"),
    11: ("Ts Kc 8d Qh", "player", 8, 0, "player 100=200 banker 100=0 banker_pair 10=0"),
    12: ("Js Tc Qd Th 4s 9c", "banker", 4, 9, "player 100=0 banker 100=195 player_pair 10=0 banker_pair 10=120"),
    13: ("4s 9c 4d 9h", "tie", 8, 8, "tie 10=90 player_pair 10=120 banker_pair 10=120 player 100=~"),
    14: (
        "6s 3c 6d 3h 7c 2h", "player", 9, 8,
        "player 100=200 banker 100=0 player_pair 10=120 banker_pair 10=120 tie 10=0",
    ),
    15: ("2s 4c 3d 2h Ts", "banker", 5, 6, "banker 100=195|150 lucky_six 10=130"),
    16: ("2s Ac 3d Kh 9s 5h", "banker", 4, 6, "banker 100=195|150 lucky_six 10=210"),
    17: ("2s 3c 3d 4h Ks", "banker", 5, 7, "banker 100=195|200"),
}  # fmt: skip


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("commission", ["five_percent", "no_commission_six_half"])
def test_examples_1_to_17(number: int, commission: str) -> None:
    shoe, winner, player, banker, bets = ROUNDS[number]
    laid, expected, pushed = [], {}, {}
    for spot, rest in zip(bets.split()[::2], bets.split()[1::2], strict=True):
        amount, back = rest.split("=")
        laid.append(f"ana {spot} {amount}")
        five, *none = back.split("|")
        if five == "~":
            pushed[f"ana {spot}"] = int(amount) * 100
            five = "0"
        elif commission != "five_percent":
            five = none[0] if none else str(2 * int(amount)) if spot == "banker" and five != "0" else five
        expected[f"ana {spot}"] = int(five) * 100
    played = play(shoe, *laid, commission_mode=commission, lucky_six=True)
    result = played.result()
    assert (result["winner"], result["player"], result["banker"]) == (winner, player, banker)
    assert returned(played) == expected
    assert played.in_escrow() == pushed


def test_example_18_a_tie_then_the_decision() -> None:
    tied = play("Ts 4c 6d 2h", "ana banker 50", tie_policy="no_move")
    second = BACCARAT.opened(options(tie_policy="no_move"), Opening(carried=tied.carried()))
    assert refusal(second, Move("ana", bet="ana banker", spot="player")) == "12(3)(2)"
    second = bet_on(second, "ana banker 50 as added")
    assert sum(returned(finish(second, "Ks 3c 2d Th 8s")).values()) == 195_00
    free = BACCARAT.opened(options(), Opening(carried=tied.carried()))
    moved = free.apply(Move("ana", bet="ana banker", spot="player"))
    assert returned(finish(moved, "Ks 3c 2d Th 8s")) == {"ana banker": 0}


def test_example_19_the_imbalance() -> None:
    table = opened("E player 1500", imbalance_limit=1000_00, min_bet=50_00)
    table = bet_on(table, "A banker 1500", "C banker 600", "D banker 400").apply(
        Lower("E", bet="E player", amount=300_00)
    )
    table = close(table)
    assert [(trim.bet, trim.amount, trim.left) for trim in table.trims] == [("D banker", 300_00, 100_00)]
    assert table.layout.total("banker") - table.layout.total("player") == 1000_00


def test_example_20_the_holder() -> None:
    table = bet_on(opened(seats={"x": 2, "y": 5}), "x player 300", "y player 500", "z player 2000", "w banker 900")
    table = run(close(table), Shoe("4s Kc 5d 7h"))
    assert table.holders == {Hand.PLAYER: "y"}


@pytest.mark.parametrize(
    ("given", "indicator", "gone"),
    [
        ({"burn_mode": "by_first_card"}, "7d", 8),
        ({"burn_mode": "by_first_card", "burn_indicator": "counted"}, "7d", 7),
        ({"burn_mode": "by_first_card"}, "Qd", 11),
        ({"burn_mode": "by_first_card"}, "Ad", 2),
        ({"burn_mode": "by_decks"}, "7d", 8),
        ({"burn_mode": "fixed_n", "burn_fixed_n": 3}, "7d", 3),
    ],
)
def test_example_21_the_burn(given: dict[str, Any], indicator: str, gone: int) -> None:
    table = opened(ceremony=True, **given).apply(Cut(HOUSE, position=1))
    shoe = Shoe(f"{indicator} 2s 3s 4s 5s 6s 7s 8s 9s Ts Js")
    table = run(table, shoe)
    burnt = view_for(table, None).burn
    assert (burnt.burnt, 11 - len(shoe.left())) == (gone, gone)
    assert (burnt.indicator is None) == (given["burn_mode"] != "by_first_card")


@pytest.mark.parametrize("rule", ["current_is_last", "one_more_round"])
def test_example_22_the_white_card(rule: str) -> None:
    """Cards 399 to 402 are round 70; the white card lies before card 403."""
    without_third = finish(close(opened(last_round_rule=rule)), "4s Kc 5d 7h")
    assert not without_third.ends_shoe and not without_third.next_is_last
    round_71 = finish(close(opened(last_round_rule=rule)).apply(WhiteCard()), "4s Kc 5d 7h")
    assert round_71.ends_shoe
    table = close(opened(last_round_rule=rule))
    shoe = Shoe("Ks 3c 2d Th 8s")
    drawn = 0
    while (due := table.next_house_step()) is not None:
        if isinstance(due, Draw) and drawn == 4 and table.white is None:
            table = table.apply(WhiteCard())
            continue
        drawn += isinstance(due, Draw)
        table = table.apply(shoe.draw() if isinstance(due, Draw) else due.action)
    assert (table.ends_shoe, table.next_is_last) == ((True, False) if rule == "current_is_last" else (False, True))


def test_example_23_a_void_round() -> None:
    table = close(bet_on(opened("rui banker 50"), "ana player 100", "ana tie 10", "ana banker_pair 10"))
    for card in cards("4s 9c 5d 9h"):
        table = table.apply(DrawCard(card=card))
    table = table.apply(Void())
    assert returned(table) == {"rui banker": 0, "ana player": 100_00, "ana tie": 10_00, "ana banker_pair": 10_00}
    assert table.in_escrow() == {"rui banker": 50_00}
