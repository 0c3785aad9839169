"""The worked examples of the rulebook, section 10: hands, ranks and returns in credits."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.actions import Cut, DrawCard, Lower, Void, WhiteCard, Withdraw
from tables.games.contract.round import Opening
from tables.games.three_card_baccarat import Phase
from tests.kit import Shoe, bet_on, cards, close, finish, refusal, returned, run, view_for

from .three_card_kit import GAME, SEATS, dealt, locked, opened, options, play, shoe

# number: the banker's cards, rank and points; each place's cards and rank; bets -> returns in credits ("~" is locked)
ROUNDS = {
    1: (
        ("Q 9 K", 2, 9), [("K Q J", 1)],
        "place1 100=195 tie1 10=0 three_figures 10=0 points_9 10=90 odd 100=195",
    ),
    2: (
        ("K K K", 1, 0), [("J Q K", 1), ("9 K Q", 2)],
        "place1 100=~ tie1 10=210 place2 100=0 three_figures 10=170 odd 50=~ even 50=~ points_0 10=0",
    ),
    3: (
        ("K 4 5", 3, 9), [("2 3 4", 4), ("Q J 9", 2), ("J T 9", 3)],
        "place1 100=0 place2 100=195 place3 100=~ tie3 10=210 tie1 10=0",
    ),
    4: (
        ("K Q T", 29, 0), [("T T T", 31), ("K 4 6", 30), ("J Q T", 29)],
        "place1 100=0 place2 100=0 place3 100=~ even 100=195 points_0 10=90",
    ),
    5: (("9 9 2", 31, 0), [("T 4 6", 31)], "place1 100=~ tie1 20=420 even 40=78"),
    6: (
        ("9 9 9", 10, 7), [("K Q 7", 8), ("K 8 9", 9), ("T T 7", 10)],
        "place1 100=195 place2 100=195 place3 100=~ points_7 10=90 odd 20=39",
    ),
    7: (("A 2 5", 7, 8), [("K 3 5", 6), ("8 K J", 5)], "place1 60=117 place2 60=117 points_8 5=45"),
    8: (("A T T", 28, 1), [("T T T", 31), ("2 K Q", 23)], "place1 100=0 place2 100=195 odd 200=390"),
    9: (("6 7 7", 31, 0), [("A 9 T", 31), ("5 5 J", 30)], "place1 100=~ place2 100=195 tie1 10=210"),
}  # fmt: skip


@pytest.mark.parametrize("style", ["one_by_one", "three_at_once"])
@pytest.mark.parametrize("number", ROUNDS)
def test_examples_1_to_9(number: int, style: str) -> None:
    (banker, rank, points), places, bets = ROUNDS[number]
    laid, expected, kept = [], {}, {}
    for spot, rest in zip(bets.split()[::2], bets.split()[1::2], strict=True):
        amount, back = rest.split("=")
        boxed = spot.startswith(("place", "tie"))
        laid.append(f"ana {spot[:-1]} {amount} box {spot[-1]} as {spot}" if boxed else f"ana {spot} {amount} as {spot}")
        expected[spot] = 0 if back == "~" else int(back) * 100
        if back == "~":
            kept[spot] = int(amount) * 100
    played = play(banker, *(hand for hand, _ in places), bets=laid, deal_style=style)
    assert played.result() == {
        "banker": rank,
        "places": {str(at): worth for at, (_, worth) in enumerate(places, start=1)},
    }
    assert view_for(played, None).banker.points == points
    assert returned(played) == expected
    assert locked(played) == kept == played.in_escrow()


def test_example_10_a_locked_stake_raised() -> None:
    tied = play("6 7 7", "A 9 T", bets=["ana place 100 box 1"])
    second = GAME.opened(options(), Opening(SEATS, tied.carried(), first_round=True))
    assert refusal(second, Withdraw("ana", bet="ana place")) == "7(2)"
    assert refusal(second, Lower("ana", bet="ana place", amount=40_00)) == "7(2)"
    won = finish(bet_on(second, "ana place 50 box 1 as more"), shoe("6 7 7", "5 5 J"))
    assert sum(returned(won).values()) == 292_50
    assert sum(returned(won).values()) - 150_00 == 142_50


def test_example_11_locked_odd() -> None:
    pushed = play("K K K", bets=["ana odd 50"])
    assert (returned(pushed), locked(pushed)) == ({"ana odd": 0}, {"ana odd": 50_00})
    second = GAME.opened(options(), Opening(SEATS, pushed.carried(), first_round=True))
    second = finish(bet_on(second, "ana odd 20 as more", "ana even 30"), shoe("Q 9 K"))
    assert returned(second) == {"ana odd": 97_50, "more": 39_00, "ana even": 0}
    assert 97_50 + 39_00 == 136_50


def test_example_12_two_ties_running() -> None:
    first = play("6 7 7", "A 9 T", bets=["ana place 100 box 1", "ana tie 10 box 1"])
    assert returned(first) == {"ana place": 0, "ana tie": 210_00}
    second = GAME.opened(options(), Opening(SEATS, first.carried(), first_round=True))
    second = finish(bet_on(second, "ana tie 10 box 1"), shoe("6 7 7", "A 9 T"))
    assert returned(second) == {"ana place": 0, "ana tie": 210_00}
    third = finish(GAME.opened(options(), Opening(SEATS, second.carried(), first_round=True)), shoe("9 K Q", "A 9 T"))
    assert (returned(third), locked(third)) == ({"ana place": 0}, {})


def test_example_13_a_tie_without_a_place_bet() -> None:
    assert refusal(opened(), "ana tie 10 box 4") == "8(3)"
    assert close(bet_on(opened(), "rui place 50 box 4", "ana tie 10 box 4")).refusals == ()


def test_example_14_a_cancelled_deal() -> None:
    table = opened("ana place 80 box 2 as locked")
    table = close(bet_on(table, "ana place 100 box 1 as fresh", "ana place 20 box 2 as raised", "ana odd 40 as odd"))
    for card in cards("Js Ah Kd Qc As"):
        table = table.apply(DrawCard(card=card))
    table = table.apply(Void(remark="two cards to one place"))
    assert returned(table) == {"locked": 0, "fresh": 100_00, "raised": 20_00, "odd": 40_00}
    assert locked(table) == table.in_escrow() == {"locked": 80_00}
    again = GAME.opened(options(), Opening(SEATS, table.carried()))
    assert refusal(again, Withdraw("ana", bet="locked")) == "7(2)"


EIGHT_HANDS = " ".join(rank + suit for suit in "shd" for rank in "A2345678")


@pytest.mark.parametrize("before", ["burn", "first", "seventh", "last"])
def test_example_15_the_white_card(before: str) -> None:
    """Eight places in all are 24 cards; wherever the white card comes out, they are all dealt."""
    bets = [f"ana place 10 box {place} as {place}" for place in range(1, 8)]
    table = close(bet_on(opened(first_round=before != "burn"), *bets))
    pile = cards(f"Kc {EIGHT_HANDS}" if before == "burn" else EIGHT_HANDS)
    white_at = {"burn": 0, "first": 0, "seventh": 6, "last": 23}[before]
    for at, card in enumerate(pile):
        if at == white_at:
            assert not view_for(table, None).last_round
            table = table.apply(WhiteCard())
        assert table.phase in (Phase.ROUND_BURN, Phase.DEAL)
        table = table.apply(DrawCard(card=card))
    assert len(table.cards) == 24 and table.phase is Phase.LOOK
    table = run(table, Shoe(""), impatient=True)
    assert table.is_last and table.ends_shoe and not table.next_is_last


@pytest.mark.parametrize(
    ("given", "removed", "each_round"), [({"decks": 6}, 6, 1), ({"decks": 1}, 1, 0), ({"decks": 8}, 8, 1)]
)
def test_example_16_burns(given: dict[str, Any], removed: int, each_round: int) -> None:
    first = opened(ceremony=True, seats={}, **given).apply(Cut("house", position=20))
    pile = Shoe("2s 3s 4s 5s 6s 7s 8s 9s Ts Js")
    while first.phase is Phase.BURN:
        first = first.apply(pile.draw())
    assert view_for(first, None).burnt == removed
    assert close(first).phase is Phase.DEAL
    later = close(opened(first_round=False, **given))
    assert (later.phase is Phase.ROUND_BURN) == bool(each_round)
    assert view_for(run(later, Shoe("Ks Qh 9d" if not each_round else "2c Ks Qh 9d")), None).burnt == each_round
    assert run(later, Shoe("Ks Qh 9d" if not each_round else "2c Ks Qh 9d")).ends_shoe == (given["decks"] == 1)


def test_the_round_of_the_examples_is_dealt_as_its_places_lie() -> None:
    table = dealt("A A A", "2 2 2", "3 3 3", bets=["ana place 10 box 1", "ana place 10 box 3 as far"])
    assert [str(card)[0] for card in table.cards] == [*"23A"] * 3
    at_once = dealt(
        "A A A", "2 2 2", "3 3 3",
        bets=["ana place 10 box 1", "ana place 10 box 3 as far"], deal_style="three_at_once",
    )  # fmt: skip
    assert "".join(str(card)[0] for card in at_once.cards) == "222333AAA"
