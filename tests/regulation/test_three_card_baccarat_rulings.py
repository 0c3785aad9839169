"""3-Card Baccarat where the regulation is silent: the rulings T-A2 to T-A15, and what we set ourselves."""

from __future__ import annotations

from itertools import product

import pytest

from tables.games.contract.actions import (
    HOUSE,
    Action,
    CloseBets,
    Cut,
    DrawCard,
    Leave,
    Ready,
    Settle,
    Sit,
    Void,
    WhiteCard,
)
from tables.games.contract.round import Opening, Stake
from tables.games.contract.view import End
from tables.games.record import outcome_of, record_of
from tables.games.three_card_baccarat import Phase, Reveal
from tables.games.three_card_baccarat.hands import combination
from tables.games.values.cards import cards
from tests.kit import Shoe, article, bet, bet_on, close, finish, refusal, returned, run, view_for

from .three_card_kit import GAME, dealt, locked, opened, options, play, shoe

# ── What cards are worth (T-A2 to T-A8) ─────────────────────────────────────────────────────────────────────


@article("22/96/M", "T-A2")
def test_t_a2_any_three_of_jack_queen_and_king_are_the_best_combination() -> None:
    for ranks in product("JQK", repeat=3):
        assert combination(cards(" ".join(rank + "s" for rank in ranks))).rank == 1
    assert returned(play("K Q 9", "J J J", bets=["ana place 100 box 1"])) == {"ana place": 195_00}


@article("22/96/M", "T-A3")
@pytest.mark.parametrize("hand", ["K 4 6", "K 9 A", "T 5 5", "9 9 2", "5 7 8", "6 7 7"])
def test_t_a3_a_sum_of_exactly_10_or_20_is_no_points(hand: str) -> None:
    played = play(hand, bets=["ana points_0 10", "ana even 10"])
    assert view_for(played, None).banker.points == 0
    assert returned(played) == {"ana points_0": 90_00, "ana even": 19_50}


@article("22/96/M", "T-A4")
def test_t_a4_a_ten_is_no_court_card() -> None:
    played = play("K Q T", "J T T", "T T T", bets=["ana place 10 box 1", "ana place 10 box 2 as b", "ana odd 10"])
    assert played.result() == {"banker": 29, "places": {"1": 30, "2": 31}}
    assert returned(played) == {"ana place": 0, "b": 0, "ana odd": 0}


@article("22/96/M", "T-A5")
def test_t_a5_the_same_points_with_another_number_of_court_cards_are_no_tie() -> None:
    for place, ends in (("Q J 9", End.WON), ("T K 9", End.PUSH), ("2 3 4", End.LOST)):
        played = play("K 4 5", place, bets=["ana place 10 box 1", "ana tie 10 box 1"])
        assert view_for(played, None).places[0].end is ends
        assert returned(played)["ana tie"] == (210_00 if ends is End.PUSH else 0)


@article("22/96/M", "T-A6")
def test_t_a6_numbers_look_at_the_bankers_cards_whatever_a_place_has() -> None:
    bets = ["ana place 10 box 1", "ana three_figures 10", "ana points_9 10", "ana points_7 10"]
    back = returned(play("K 3 4", "K Q J", bets=bets))
    assert (back["ana three_figures"], back["ana points_9"], back["ana points_7"]) == (0, 0, 90_00)


@article("22/96/M", "T-A7")
def test_t_a7_no_points_do_not_win_on_three_court_cards() -> None:
    assert returned(play("K Q J", bets=["ana points_0 10"])) == {"ana points_0": 0}
    assert returned(play("K Q T", bets=["ana points_0 10"])) == {"ana points_0": 90_00}


@article("22/96/M", "T-A8")
@pytest.mark.parametrize("hand", ["K Q T", "K T T", "T T T"])
def test_t_a8_no_points_are_even(hand: str) -> None:
    played = play(hand, bets=["ana even 10", "ana odd 10"])
    assert (returned(played), locked(played)) == ({"ana even": 19_50, "ana odd": 0}, {})


# ── Who may bet what (T-A9 to T-A12) ────────────────────────────────────────────────────────────────────────


@article("22/96/M", "T-A9")
def test_t_a9_a_tie_bet_goes_with_anybodys_place_bet_fresh_or_locked() -> None:
    by_another = close(bet_on(opened(), "rui place 10 box 2", "ana tie 10 box 2"))
    assert by_another.refusals == ()
    by_a_locked_one = close(bet_on(opened("lee place 50 box 6"), "ana tie 10 box 6"))
    assert by_a_locked_one.refusals == () and by_a_locked_one.places == (6,)
    assert refusal(bet_on(opened(), "rui place 10 box 3", "ana odd 10"), "ana tie 10 box 2") == "8(3)"


@article("22/96/M", "T-A10")
def test_t_a10_a_new_bet_on_a_locked_odd_is_locked_with_it_by_the_next_three_court_cards() -> None:
    table = bet_on(opened("ana odd 50"), "ana odd 20 as more", "ana even 10")
    pushed = finish(table, shoe("J Q K"))
    assert locked(pushed) == {"ana odd": 50_00, "more": 20_00, "ana even": 10_00}
    again = GAME.opened(options(), Opening({"ana": 1}, pushed.carried(), first_round=True))
    assert view_for(again, "ana").mine.locked == 80_00
    assert returned(finish(again, shoe("2 2 A"))) == {"ana odd": 97_50, "more": 39_00, "ana even": 0}


@article("22/96/M", "T-A11")
def test_t_a11_a_cancelled_deal_returns_what_is_fresh_and_leaves_what_is_locked() -> None:
    bets = ["ana tie 10 box 1", "ana place 20 box 1 as more", "rui three_figures 5"]
    table = dealt("K Q J", "T 9 K", bets=bets, carried=["ana place 100 box 1 as old", "lee even 30 as his"])
    table = table.apply(Void())
    assert returned(table) == {"old": 0, "his": 0, "ana tie": 10_00, "more": 20_00, "rui three_figures": 5_00}
    assert locked(table) == table.in_escrow() == {"old": 100_00, "his": 30_00}
    assert {payout.why.article for payout in table.payouts()} == {"T-A11"}
    assert all(spot.end is None for spot in view_for(table, None).spots), "what was dealt decides nothing"


@article("22/96/M", "T-A11")
def test_t_a11_also_when_hands_lie_open_already() -> None:
    table = dealt("K Q J", "T 9 K", bets=["ana place 20 box 1", "ana odd 10"]).apply(Reveal()).apply(Void())
    assert returned(table) == {"ana place": 20_00, "ana odd": 10_00}
    assert {spot.end for spot in view_for(table, None).spots} == {None}
    assert view_for(table, "rui").places[0].hand.rank is None, "nobody opens it any more"


@article("22/96/M", "T-A12")
def test_t_a12_with_leave_of_the_house_a_standing_bettor_bets_where_the_place_is_played() -> None:
    table = opened(standing_bets=True)
    table = bet_on(
        table,
        "lee place 10 box 1 as with_ana", "lee place 10 box 4 as alone", "eva place 10 box 4 as neither",
        "lee tie 5 box 4 as tie", "lee odd 10 as odd", "eva points_3 10 as number", "ana place 10 box 1 as seated",
    )  # fmt: skip
    table = close(table)
    assert [(refused.bet, refused.why.article) for refused in table.refusals] == [
        ("alone", "T-A12"), ("neither", "T-A12"), ("tie", "8(3)"),
    ]  # fmt: skip
    assert set(table.in_escrow()) == {"with_ana", "odd", "number", "seated"} and table.places == (1,)


@article("22/96/M", "T-A12")
def test_t_a12_a_locked_stake_supports_a_standing_bettor_his_own_too() -> None:
    table = opened("lee place 30 box 4 as old", standing_bets=True)
    assert close(bet_on(table, "lee place 10 box 4 as more", "eva place 10 box 4")).refusals == ()
    assert refusal(opened("lee place 30 box 4 as old"), bet("lee place 10 box 4 as more")) == "4(2)"


@article("22/96/M", "T-A12")
def test_t_a12_a_standing_bettor_looks_at_no_cards_and_is_not_waited_for() -> None:
    bets = ["ana place 10 box 1", "lee place 10 box 1"]
    table = dealt("Q 9 K", "K Q J", bets=bets, standing_bets=True)
    assert table.looking == ("ana",)
    assert view_for(table, "lee").places[0].hand.rank is None and view_for(table, "lee").mine.place is None


# ── Cards and places (T-A13 to T-A15) ───────────────────────────────────────────────────────────────────────


@article("22/96/M", "T-A13")
def test_t_a13_one_card_at_a_time_or_three_together() -> None:
    """With places 1 and 3: 1, 3, banker three times over, or all three to each."""
    bets = ["ana place 10 box 1", "ana place 10 box 3 as far"]
    pile = cards("As 2s 3s 4s 5s 6s 7s 8s 9s")
    for style, of_one, of_banker in (("one_by_one", "A47", "369"), ("three_at_once", "A23", "789")):
        table = close(bet_on(opened(deal_style=style), *bets))
        for card in pile:
            table = table.apply(DrawCard(card=card))
        table = run(table, Shoe(), impatient=True)
        seen = view_for(table, None)
        assert "".join(card.face.rank for card in seen.places[0].hand.cards) == of_one
        assert "".join(card.face.rank for card in seen.banker.cards) == of_banker


@article("22/96/M", "T-A14")
@pytest.mark.parametrize("depth", [30, 35, 40])
def test_t_a14_the_second_white_card_lies_at_any_depth_from_30_to_40(depth: int) -> None:
    rules = GAME.shoe(options(white_card_depth=depth))
    assert rules is not None and rules.white_depth == depth


@article("22/96/M", "T-A15")
@pytest.mark.parametrize("drawn", [0, 2])
def test_t_a15_the_white_card_gives_no_further_round(drawn: int) -> None:
    table = close(opened())
    pile = cards(shoe("Q 9 K"))
    for card in pile[:drawn]:
        table = table.apply(DrawCard(card=card))
    table = table.apply(WhiteCard())
    for card in pile[drawn:]:
        table = table.apply(DrawCard(card=card))
    table = run(table, Shoe())
    assert (table.ends_shoe, table.next_is_last) == (True, False)


# ── What we set ourselves ───────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "locked")
def test_a_locked_stake_outlives_the_shoe_its_bettor_and_the_offer() -> None:
    carried = (Stake("p", "lee", "place", 100_00, 6, carried=True), Stake("o", "lee", "odd", 50_00, carried=True))
    about = options(odd_even_enabled=False, max_bet=10_00)
    table = GAME.opened(about, Opening({}, carried, ceremony=True, first_round=True)).apply(Cut(HOUSE, position=5))
    table = run(table, Shoe("2s 2s 2s 2s 2s 2s"))
    assert [(spot.key, spot.sold, spot.locked) for spot in view_for(table, None).spots if spot.total] == [
        ("place-6", True, 100_00), ("odd", False, 50_00),
    ]  # fmt: skip
    assert refusal(table.apply(Sit("lee", seat=1)), bet("lee odd 1")) == "8(1)"
    assert returned(finish(table, shoe("Q 9 K", "K Q J"))) == {"p": 195_00, "o": 97_50}


@article("22/96/M", "locked")
def test_a_stake_locked_on_a_place_that_the_table_has_no_more_is_dealt_in() -> None:
    table = opened("ana place 100 box 7 as old", player_places=4)
    assert refusal(table, bet("ana place 10 box 7 as more")) == "4(1)"
    assert [place.number for place in view_for(table, None).places] == [1, 2, 3, 4, 7]
    assert returned(finish(table, shoe("Q 9 K", "K Q J"))) == {"old": 195_00}


@article("22/96/M", "look")
def test_who_looks_sees_the_name_of_his_combination_and_others_only_backs() -> None:
    table = dealt("Q 9 K", "K 4 5", bets=["ana place 10 box 1"])
    own, others = view_for(table, "ana").places[0].hand, view_for(table, "rui").places[0].hand
    assert (own.rank, own.points, str(own.title), own.open) == (3, 9, "nine with one court card", False)
    assert (others.rank, others.points, others.title, others.note) == (None, None, None, None)
    assert view_for(table, "ana").mine.looks and view_for(table, None).looking == ("ana",)


@article("22/96/M", "gone")
def test_who_leaves_in_the_middle_of_a_round_keeps_his_stakes_and_the_dealer_opens_his_place() -> None:
    table = dealt("Q 9 K", "K Q J", "2 3 4", bets=["ana place 100 box 1", "rui place 10 box 2"])
    gone = table.apply(Leave("ana"))
    assert gone.looking == ("rui",)
    assert view_for(gone, "ana").places[0].hand.rank is None and view_for(gone, "ana").mine.place is None
    assert [(note.article, str(note.words)) for note in view_for(gone, None).notes] == [
        ("gone", "The bettor at place 1 has left: the dealer opens it")
    ]
    assert gone.apply(Leave("rui")).phase is Phase.REVEAL_BANKER
    assert returned(finish(gone, "")) == {"ana place": 195_00, "rui place": 0}


@article("22/96/M", "gone")
def test_what_it_costs_to_leave_a_place() -> None:
    table = bet_on(opened(), "ana place 100 box 1")
    assert view_for(table, "ana").mine.leaving.article == "4(2)" and table.leaving("rui") is None
    assert bet_on(opened(standing_bets=True), "ana place 100 box 1").leaving("ana") is None
    looking = dealt("Q 9 K", "K Q J", bets=["ana place 100 box 1"])
    assert looking.leaving("ana").article == "4(3)" and looking.leaving("rui") is None
    assert looking.apply(Leave("ana")).leaving("ana") is None
    assert finish(looking, "").leaving("ana") is None


@article("22/96/M", "gone")
def test_who_comes_back_sees_his_cards_again_but_is_not_waited_for_and_nobody_else_sees_them() -> None:
    table = dealt("Q 9 K", "K Q J", "2 3 4", bets=["ana place 100 box 1", "rui place 10 box 2"])
    gone = table.apply(Leave("ana")).apply(Ready("rui"))
    back = gone.apply(Sit("ana", seat=1))
    assert back.phase is Phase.REVEAL_BANKER
    assert view_for(back, "ana").places[0].hand.rank == 1 and view_for(back, None).notes == ()
    another = gone.apply(Sit("lee", seat=1))
    assert view_for(another, "lee").places[0].hand.rank is None and view_for(another, "lee").mine.place is None
    assert refusal(table.apply(Leave("ana")).apply(Sit("lee", seat=1)), Ready("lee")) == "4(3)"


@article("22/96/M", "gone")
def test_whose_line_drops_while_betting_keeps_bets_and_place_and_sees_his_cards_if_he_comes_back() -> None:
    table = close(bet_on(opened(), "ana place 100 box 1", "ana odd 10").apply(Leave("ana")))
    assert table.refusals == () and table.in_escrow() == {"ana place": 100_00, "ana odd": 10_00}
    for card in cards(shoe("Q 9 K", "K Q J")):
        table = table.apply(DrawCard(card=card))
    assert table.phase is Phase.REVEAL_BANKER, "nobody waits for him"
    assert view_for(table, "ana").places[0].hand.rank is None
    back = table.apply(Sit("ana", seat=1))
    assert (back.phase, view_for(back, "ana").places[0].hand.rank) == (Phase.REVEAL_BANKER, 1)
    assert refusal(bet_on(opened(), "ana odd 10").apply(Leave("ana")), bet("ana odd 10 as more")) == "4(2)"


@article("22/96/M", "gone")
def test_whose_place_another_takes_before_betting_closes_is_a_standing_bettor() -> None:
    table = bet_on(opened(), "ana place 100 box 1", "ana odd 10", "ana tie 5 box 1").apply(Leave("ana"))
    assert close(table).refusals == ()
    taken = close(table.apply(Sit("lee", seat=1)))
    assert [(refused.bet, refused.why.article) for refused in taken.refusals] == [
        ("ana place", "4(2)"), ("ana odd", "4(2)"), ("ana tie", "4(2)"),
    ]  # fmt: skip
    assert taken.in_escrow() == {}
    elsewhere = close(table.apply(Sit("lee", seat=1)).apply(Sit("ana", seat=5)))
    assert elsewhere.refusals == () and elsewhere.seats == {"ana": 5, "lee": 1, "rui": 2}
    standing = bet_on(opened(standing_bets=True), "ana place 100 box 1", "ana odd 10").apply(Leave("ana"))
    assert close(standing).refusals == ()
    assert [refused.bet for refused in close(standing.apply(Sit("lee", seat=1))).refusals] == ["ana place"]


def test_the_record_seats_who_went_while_his_bets_lay_there() -> None:
    about, opening = options(), Opening({"ana": 1, "rui": 2}, first_round=True)
    log: list[Action] = [bet("ana place 100 box 1"), Leave("ana"), CloseBets()]
    log += [DrawCard(card=card) for card in cards(shoe("Q 9 K", "K Q J"))]
    log += [Reveal(), Reveal(place=1), Settle()]
    record = record_of(GAME, about, opening, log)
    assert record["seats"] == {"rui": 2, "ana": 1}
    assert outcome_of(record)["bets"] == [{"id": "ana place", "returned": 195_00, "carried": 0}]
