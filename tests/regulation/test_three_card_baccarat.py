"""3-Card Baccarat, Portaria 22/96/M, article by article."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.actions import (
    HOUSE,
    Chance,
    CloseBets,
    Cut,
    Decline,
    Draw,
    DrawCard,
    Leave,
    Lower,
    Move,
    Ready,
    Settle,
    Sit,
    Step,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.round import FIRST_READING, Opening, Pace, Stake
from tables.games.contract.view import End
from tables.games.three_card_baccarat import Phase, Reveal
from tables.games.three_card_baccarat.bets import SPOTS
from tables.games.three_card_baccarat.hands import combination
from tables.games.values.cards import cards, pack
from tables.games.values.words import Amount
from tests.kit import Shoe, article, bet, bet_on, close, finish, refusal, returned, run, view_for

from .three_card_kit import GAME, dealt, locked, opened, options, play, shoe


def combined(ranks: str) -> Any:
    return combination(cards(" ".join(f"{rank}{suit}" for rank, suit in zip(ranks.split(), "shd", strict=True))))


# ── 1 and 2: the cards ──────────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "1(1)")
def test_art_1_1_one_or_more_decks_of_52_cards() -> None:
    for decks in range(1, 9):
        assert options(decks=decks).decks == decks
        assert len(pack(decks)) == 52 * decks
    for decks in (0, 9):
        with pytest.raises(OptionError):
            options(decks=decks)


@article("22/96/M", "1(2)")
def test_art_1_2_one_deck_lies_in_a_box_and_more_in_a_shoe_with_a_second_white_card() -> None:
    box, shoe_ = GAME.shoe(options(decks=1)), GAME.shoe(options(decks=2, white_card_depth=35))
    assert box is not None and shoe_ is not None
    assert (box.decks, box.every_round, box.white_depth) == (1, True, None)
    assert (shoe_.decks, shoe_.every_round, shoe_.white_depth) == (2, False, 35)
    with pytest.raises(AssertionError):
        close(opened(decks=1)).apply(WhiteCard())


@article("22/96/M", "2(1)")
@article("22/96/M", "cut")
def test_art_2_1_any_player_may_cut_and_else_the_banker_does() -> None:
    table = opened(seats={"rui": 5, "ana": 2}, ceremony=True)
    assert (table.phase, table.next_house_step(), table.offered_cut) == (Phase.CUT, None, ("ana",))
    assert refusal(table, Cut("rui", position=100)) == "2(1)"
    assert refusal(table, Decline("rui")) == "2(1)"
    assert refusal(table, Cut("ana", position=312)) == "2(1)"
    assert view_for(table.apply(Cut("ana", position=100)), None).cut.by == "ana"
    table = table.apply(Decline("ana"))
    assert table.default_for("rui") == Decline("rui")
    table = table.apply(Decline("rui"))
    assert table.next_house_step() == Draw(Chance.CUT)
    assert opened(seats={"ana": 2}, ceremony=True).on_timeout() == Draw(Chance.CUT)
    assert opened(seats={"ana": 2}, ceremony=True).apply(Leave("ana")).next_house_step() == Draw(Chance.CUT)
    void = opened(seats={"ana": 2}, ceremony=True).apply(Void())
    assert void.default_for("ana") is None and view_for(void, "ana").mine.cut is None


@article("22/96/M", "2(1)")
@article("22/96/M", "cut")
def test_art_2_1_any_player_is_one_who_stands_too() -> None:
    table = opened(seats={"ana": 2}, lately=("rui", "lee"), ceremony=True)
    assert table.apply(Decline("ana")).offered_cut == ("rui", "lee")
    assert table.on_timeout() == Step(Decline(HOUSE)) and table.apply(Decline(HOUSE)).on_timeout() == Draw(Chance.CUT)
    assert view_for(table.apply(Decline(HOUSE)).apply(Cut("lee", position=9)), None).cut.by == "lee"


@article("22/96/M", "2(1)")
def test_art_2_1_the_pack_serves_one_or_several_rounds() -> None:
    assert not play("Q 9 K").ends_shoe
    assert play("Q 9 K", reshuffle_every_round=True).ends_shoe
    assert play("Q 9 K", decks=1).ends_shoe


@article("22/96/M", "2(2)")
@pytest.mark.parametrize("decks", [1, 6])
def test_art_2_2_as_many_cards_as_decks_are_removed_before_the_first_round(decks: int) -> None:
    table = opened(seats={}, ceremony=True, decks=decks).apply(Cut(HOUSE, position=10))
    for gone in range(decks):
        assert (table.phase, table.next_house_step()) == (Phase.BURN, Draw(Chance.CARD))
        assert (view_for(table, None).burnt, view_for(table, None).burn_owed) == (gone, decks - gone)
        table = table.apply(DrawCard(card=cards("3d")[0]))
    assert (table.phase, view_for(table, None).burn_owed) == (Phase.BETTING, 0)


@article("22/96/M", "2(2)")
def test_art_2_2_three_cards_face_down_to_each_place_clockwise_and_the_banker_last() -> None:
    bets = ["ana place 10 box 6", "rui place 10 box 2", "rui place 10 box 6 as again"]
    table = dealt("2 3 4", "5 6 7", "8 9 T", bets=bets)
    assert table.places == (2, 6)
    assert [str(card) for card in table.cards] == shoe("2 3 4", "5 6 7", "8 9 T").split()
    seen = view_for(table, None)
    assert [len(place.hand.cards) for place in seen.places] == [0, 3, 0, 0, 0, 3, 0]
    hands = [seen.banker, *(place.hand for place in seen.places)]
    assert {card.face for hand in hands for card in hand.cards} == {None}


@article("22/96/M", "2(3)")
def test_art_2_3_from_the_shoe_one_card_goes_at_the_start_of_each_following_round() -> None:
    following = close(opened(first_round=False))
    assert following.phase is Phase.ROUND_BURN
    assert view_for(run(following, Shoe("2c Ks Qh 9d")), None).burnt == 1
    for about in ({"first_round": True}, {"first_round": False, "decks": 1}):
        assert close(opened(**about)).phase is Phase.DEAL
    fresh = close(opened(first_round=False, reshuffle_every_round=True))
    assert fresh.phase is Phase.DEAL


@article("22/96/M", "2(4)")
def test_art_2_4_a_card_belongs_to_the_place_that_should_have_it() -> None:
    """To whatever place the dealer first laid it: the order of the cards decides whose they are."""
    table = close(bet_on(opened(), "ana place 10 box 1", "rui place 10 box 2"))
    for number, card in enumerate(cards("2s 3h 4d 5s 6h 7d 8s 9h Td")):
        whose = (1, 2, 0)[number % 3]
        before = len(table.dealt_to(whose))
        table = table.apply(DrawCard(card=card))
        assert len(table.dealt_to(whose)) == before + 1


@article("22/96/M", "2(4)")
@pytest.mark.parametrize("drawn", [0, 1, 4, 6])
def test_art_2_4_what_cannot_be_put_right_cancels_the_cards_of_the_round(drawn: int) -> None:
    table = close(bet_on(opened(), "ana place 10 box 1", "ana tie 10 box 1"))
    for card in cards("2s 3h 4d 5s 6h 7d")[:drawn]:
        table = table.apply(DrawCard(card=card))
    table = table.apply(Void(remark="the cards are mixed up"))
    assert (table.phase, table.over, table.is_void, table.result()) == (Phase.VOID, True, True, {"void": True})
    assert returned(table) == {"ana place": 10_00, "ana tie": 10_00}
    assert "2(4)" in [note.article for note in view_for(table, None).notes]


@article("22/96/M", "2(5)")
def test_art_2_5_a_card_that_turns_over_while_dealing_stays_valid_and_lies_open() -> None:
    table = close(bet_on(opened(), "ana place 10 box 1", "ana odd 10"))
    pile = cards(shoe("Q 9 K", "K Q J"))
    for at, card in enumerate(pile):
        table = table.apply(DrawCard(card=card, exposed=at in (2, 3)))
    for viewer in (None, "rui"):
        seen = view_for(table, viewer)
        assert [card.face for card in seen.places[0].hand.cards] == [None, pile[2], None]
        assert [card.face for card in seen.banker.cards] == [None, pile[3], None]
        assert [card.exposed for card in seen.banker.cards] == [False, True, False]
        assert "2(5)" in [note.article for note in seen.notes]
    assert returned(run(table, Shoe(), impatient=True)) == {"ana place": 19_50, "ana odd": 19_50}


# ── 3: the white card ───────────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "3(1)")
@pytest.mark.parametrize("drawn", [0, 1, 3, 5])
def test_art_3_1_the_round_in_which_the_white_card_comes_out_is_played_and_is_the_last(drawn: int) -> None:
    table = close(bet_on(opened(first_round=False), "ana place 100 box 1"))
    pile = cards(f"4c {shoe('9 T K', 'K 9 Q')}")
    for card in pile[:drawn]:
        table = table.apply(DrawCard(card=card))
    table = table.apply(WhiteCard())
    assert "3(1)" in [note.article for note in view_for(table, None).notes]
    for card in pile[drawn:]:
        table = table.apply(DrawCard(card=card))
    table = run(table, Shoe(), impatient=True)
    assert returned(table) == {"ana place": 195_00}
    assert table.ends_shoe and not table.next_is_last


@article("22/96/M", "3(1)")
def test_art_3_1_there_is_one_such_white_card_and_it_is_due_with_a_card_only() -> None:
    table = close(opened()).apply(WhiteCard())
    with pytest.raises(AssertionError):
        table.apply(WhiteCard())
    with pytest.raises(AssertionError):
        opened().apply(WhiteCard())
    with pytest.raises(AssertionError):
        dealt("Q 9 K").apply(WhiteCard())


@article("22/96/M", "3(2)")
def test_art_3_2_from_the_box_one_round_is_dealt() -> None:
    assert play("Q 9 K", decks=1, first_round=False).ends_shoe
    assert options(decks=1, reshuffle_every_round=False).fresh_pack


# ── 4: places ───────────────────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "4(1)")
def test_art_4_1_cards_go_to_the_places_of_the_table_and_to_no_other() -> None:
    table = opened(seats={"ana": 3}, player_places=3)
    for box in (0, 4, 99, -1):
        assert refusal(table, bet(f"ana place 10 box {box}")) == "4(1)"
        assert refusal(table, bet(f"ana tie 10 box {box}")) == "4(1)"
    assert refusal(table, bet("ana place 10")) == "4(1)"
    assert refusal(table, Sit("rui", seat=4)) == "4(1)"
    full = [f"ana place 10 box {box} as {box}" for box in (1, 2, 3)]
    assert len(dealt("2 3 4", "5 6 7", "8 9 T", "J Q K", bets=full, seats={"ana": 3}, player_places=3).cards) == 12
    assert [place.number for place in view_for(table, None).places] == [1, 2, 3]


@article("22/96/M", "4(2)")
def test_art_4_2_a_player_bets_on_his_own_place_and_on_others() -> None:
    bets = ["ana place 100 box 1 as own", "ana place 50 box 5 as far", "rui place 10 box 1"]
    played = play("4 A T", "Q J 9", "4 A T", "2 2 T", bets=[*bets, "rui place 20 box 2 as his", "ana tie 10 box 2"])
    assert returned(played) == {
        "own": 195_00, "far": 0, "rui place": 19_50, "ana tie": 210_00, "his": 0,
    }  # fmt: skip
    assert locked(played) == {"his": 20_00}


@article("22/96/M", "4(2)")
def test_art_4_2_who_occupies_no_place_does_not_bet() -> None:
    table = opened("rui place 10 box 1 as lies")
    for spot in SPOTS:
        box = " box 1" if SPOTS[spot].boxed else ""
        assert refusal(table, bet(f"lee {spot} 10{box}")) == "4(2)"
        table.apply(bet(f"ana {spot} 10{box}"))
    assert table.offers("lee").bets == ()
    assert view_for(table, "lee").mine.barred.article == "4(2)"
    assert view_for(table, "ana").mine.barred is None


@article("22/96/M", "4(3)")
def test_art_4_3_nobody_changes_place_in_the_middle_of_a_round() -> None:
    table = opened().apply(Sit("ana", seat=4)).apply(Sit("ana", seat=1))
    table = close(bet_on(table, "ana place 10 box 1"))
    assert refusal(table, Sit("ana", seat=4)) == "4(3)"
    gone = table.apply(Leave("ana"))
    assert refusal(gone, Sit("ana", seat=4)) == "4(3)"
    assert gone.apply(Sit("ana", seat=1)).seats == {"ana": 1, "rui": 2}
    new = gone.apply(Sit("lee", seat=1))
    assert refusal(new, Sit("lee", seat=5)) == "4(3)"
    assert refusal(new, Sit("ana", seat=1)) == "seat"
    came = table.apply(Sit("lee", seat=5)).apply(Leave("lee"))
    assert refusal(came, Sit("lee", seat=6)) == "4(3)", "also who came in the middle of it"
    assert refusal(run(table, Shoe(shoe("Q 9 K", "2 3 4")), impatient=True), Sit("ana", seat=4)) == "closed"


@article("22/96/M", "4(3)")
def test_art_4_3_the_cards_of_a_place_are_seen_by_its_occupant_alone() -> None:
    bets = [
        "ana place 10 box 1",
        "rui place 10 box 1 as his",
        "ana place 10 box 2 as far",
        "ana place 10 box 5 as free",
    ]
    table = dealt("Q 9 K", "K Q J", "2 3 4", "5 5 5", bets=bets)
    assert (table.phase, table.looking) == (Phase.LOOK, ("ana", "rui"))
    for who, sees in (("ana", 1), ("rui", 2), ("lee", None), (None, None)):
        view = view_for(table, who)
        known = [place.number for place in view.places if all(card.face for card in place.hand.cards)]
        assert [number for number in known if view.places[number - 1].active] == ([sees] if sees else [])
        assert [place.hand.rank for place in view.places if place.active].count(None) == (2 if sees else 3)
        assert [card.face for card in view.banker.cards] == [None] * 3
        assert view.banker.rank is view.banker.title is view.banker.note is None
        if who:
            assert view.mine.place == sees
    assert [(place.holder, place.looks) for place in view_for(table, None).places[:2]] == [("ana", True), ("rui", True)]
    assert view_for(table, None).places[4].holder is None


@article("22/96/M", "4(3)")
def test_art_4_3_nobody_sees_his_cards_before_all_are_dealt() -> None:
    table = close(bet_on(opened(), "ana place 10 box 1"))
    for card in cards(shoe("Q 9 K", "K Q J"))[:5]:
        table = table.apply(DrawCard(card=card))
        assert {card.face for card in view_for(table, "ana").places[0].hand.cards} == {None}
    assert view_for(table, "ana").mine.place == 1


# ── 5: what cards are worth ─────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "5(1)")
def test_art_5_1_court_cards_and_tens_are_worth_nothing_and_others_their_pips() -> None:
    for pips, rank in enumerate("A23456789", start=1):
        assert combined(f"K T {rank}").points == pips
    for rank in "TJQK":
        assert combined(f"K T {rank}").points == 0


@article("22/96/M", "5(1)")
@pytest.mark.parametrize(
    ("hand", "rank"),
    [
        ("J J Q", 1), ("K Q 9", 2), ("K T 9", 3), ("K 4 5", 3), ("2 3 4", 4), ("T T 9", 4), ("9 9 A", 4),
        ("K J 8", 5), ("K 3 5", 6), ("A 2 5", 7), ("Q J 7", 8), ("K 8 9", 9), ("9 9 9", 10), ("J Q 6", 11),
        ("K 2 4", 12), ("A A 4", 13), ("J Q 5", 14), ("K T 5", 15), ("5 T T", 16), ("J Q 4", 17), ("K T 4", 18),
        ("T T 4", 19), ("J Q 3", 20), ("K T 3", 21), ("A A A", 22), ("J Q 2", 23), ("K A A", 24), ("T T 2", 25),
        ("J Q A", 26), ("K T A", 27), ("T T A", 28), ("J Q T", 29), ("K T T", 30), ("K 4 6", 30), ("T T T", 31),
        ("A 9 T", 31), ("5 7 8", 31),
    ],
)  # fmt: skip
def test_art_5_1_the_ranks_of_the_annex(hand: str, rank: int) -> None:
    assert combined(hand).rank == rank
    assert combined(" ".join(reversed(hand.split()))).rank == rank


@article("22/96/M", "5(1)")
def test_art_5_1_every_rank_has_its_name() -> None:
    names = {
        rank: str(combined(hand).title)
        for rank, hand in {
            1: "K Q J",
            2: "K Q 9",
            3: "K T 9",
            4: "2 3 4",
            19: "T T 4",
            29: "K Q T",
            31: "T T T",
        }.items()
    }
    assert names == {
        1: "three court cards", 2: "nine with two court cards", 3: "nine with one court card",
        4: "nine without a court card", 19: "four without a court card", 29: "zero with two court cards",
        31: "zero without a court card",
    }  # fmt: skip


@article("22/96/M", "5(2)")
@pytest.mark.parametrize(
    ("hand", "article_", "words"),
    [
        ("K Q J", "5(2)", "Three court cards are the best combination"),
        ("2 3 4", "5(1)", "The cards count 9"),
        ("K Q T", "5(1)", "The cards count 0"),
        ("9 9 9", "5(2)", "The cards add up to 27 and count 7"),
        ("9 2 K", "5(2)", "The cards add up to 11 and count 1"),
        ("9 9 2", "T-A3", "The cards add up to 20 and count 0"),
    ],
)
def test_art_5_2_what_is_above_ten_or_twenty_loses_as_much_and_the_felt_says_so(
    hand: str, article_: str, words: str
) -> None:
    note = view_for(play(hand), None).banker.note
    assert (note.article, str(note.words)) == (article_, words)


# ── 6 to 8: how bets are decided ────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "6")
def test_art_6_a_place_wins_with_a_higher_combination_than_the_bankers() -> None:
    bets = ["ana place 100 box 1 as better", "ana place 100 box 2 as worse"]
    played = play("K 4 5", "Q J 9", "2 3 4", bets=bets)
    assert returned(played) == {"better": 195_00, "worse": 0}
    assert locked(played) == {}
    assert [payout.why.article for payout in played.payouts()] == ["10", "6"]
    seen = view_for(played, None)
    assert [place.end for place in seen.places[:3]] == [End.WON, End.LOST, None]
    assert str(seen.places[0].why.words) == (
        "The place wins: nine with two court cards against nine with one court card, "
        "less a commission of 5 per cent"
    )  # fmt: skip
    assert (
        str(seen.places[1].why.words) == "The banker wins: nine with one court card against nine without a court card"
    )


@article("22/96/M", "7(1)")
def test_art_7_1_the_same_combination_is_a_tie() -> None:
    played = play("K 4 5", "J T 9", "2 3 4", bets=["ana place 10 box 1", "ana tie 10 box 1", "rui place 10 box 2",
                                                     "ana tie 10 box 2 as no"])  # fmt: skip
    assert returned(played) == {"ana tie": 210_00, "ana place": 0, "no": 0, "rui place": 0}
    assert view_for(played, None).places[0].end is End.PUSH


@article("22/96/M", "7(2)")
def test_art_7_2_after_a_tie_the_stake_waits_for_the_next_round_and_is_settled_with_it() -> None:
    tied = play("K 4 5", "J T 9", bets=["ana place 100 box 1"])
    assert tied.carried() == (Stake("ana place", "ana", "place", 100_00, 1, carried=True),)
    assert returned(tied) == {"ana place": 0}
    for banker, back, stays in (("2 3 4", 195_00, 0), ("K Q 9", 0, 0), ("K 9 T", 0, 100_00)):
        table = GAME.opened(options(), Opening({"ana": 1}, tied.carried(), first_round=True))
        assert table.in_escrow() == {"ana place": 100_00}
        ended = finish(table, shoe(banker, "J T 9"))
        assert (returned(ended)["ana place"], sum(locked(ended).values())) == (back, stays), banker


@article("22/96/M", "7(2)")
def test_art_7_2_a_locked_stake_is_added_to_and_neither_withdrawn_nor_lowered_nor_moved() -> None:
    table = opened("ana place 100 box 1 as old")
    assert refusal(table, Withdraw("ana", bet="old")) == "7(2)"
    assert refusal(table, Lower("ana", bet="old", amount=10_00)) == "7(2)"
    assert refusal(table, Move("ana", bet="old", spot="place", box=2)) == "7(2)"
    assert {action.do for action in table.offers("ana").actions} == {"ready"}
    table = bet_on(table, "ana place 50 box 1 as new", "ana tie 10 box 1", "ana place 10 box 3 as other")
    mine = view_for(table, "ana").mine
    assert (mine.staked, mine.locked) == (170_00, 100_00)
    assert [(own.stake.bet, own.menu.withdraw) for own in mine.stakes if own.stake.spot == "place"] == [
        ("old", False), ("new", True), ("other", True),
    ]  # fmt: skip
    assert (view_for(table, None).places[0].total, view_for(table, None).places[0].locked) == (150_00, 100_00)
    tied = finish(table, shoe("K 4 5", "J T 9", "2 3 4"))
    assert locked(tied) == {"old": 100_00, "new": 50_00}
    again = GAME.opened(options(), Opening({"ana": 1}, tied.carried()))
    assert refusal(again, Withdraw("ana", bet="new")) == "7(2)"
    assert view_for(again, None).places[0].locked == 150_00


@article("22/96/M", "8(1)")
def test_art_8_1_odd_and_even_go_by_the_bankers_points() -> None:
    for points in range(10):
        banker = f"K T {'A' if points == 1 else points or 'T'}"
        played = play(banker, "9 9 9", bets=["ana odd 10", "ana even 20", "ana place 10 box 1"])
        back = returned(played)
        assert (back["ana odd"], back["ana even"]) == ((19_50, 0) if points % 2 else (0, 39_00)), banker


@article("22/96/M", "8(1)")
def test_art_8_1_against_three_court_cards_both_wait_for_the_next_round() -> None:
    pushed = play("K J Q", bets=["ana odd 50", "ana even 30"])
    assert (returned(pushed), locked(pushed)) == ({"ana odd": 0, "ana even": 0}, {"ana odd": 50_00, "ana even": 30_00})
    table = GAME.opened(options(), Opening({"ana": 1}, pushed.carried(), first_round=True))
    assert refusal(table, Withdraw("ana", bet="ana odd")) == "8(1)"
    assert refusal(table, Lower("ana", bet="ana odd", amount=10_00)) == "8(1)"
    assert refusal(table, Move("ana", bet="ana odd", spot="even")) == "8(1)"
    assert returned(finish(table, shoe("2 2 3"))) == {"ana odd": 97_50, "ana even": 0}


@article("22/96/M", "8(2)")
def test_art_8_2_three_court_cards_and_each_number_of_points_of_the_banker() -> None:
    bets = ["ana three_figures 10 as courts", *(f"ana points_{points} 10 as {points}" for points in range(10))]
    for points in range(10):
        played = play(f"K T {'A' if points == 1 else points or 'T'}", bets=bets)
        assert {name: back for name, back in returned(played).items() if back} == {str(points): 90_00}
    assert {name: back for name, back in returned(play("K K J", bets=bets)).items() if back} == {"courts": 170_00}


@article("22/96/M", "8(3)")
def test_art_8_3_tie_on_several_places_where_there_are_bets_already() -> None:
    assert refusal(opened(), "ana tie 10 box 1") == "8(3)"
    assert not [offer for offer in opened().offers("ana").bets if offer.spot == "tie"]
    table = bet_on(opened(), "ana place 10 box 1 as p1", "rui place 10 box 2 as p2")
    assert [offer.box for offer in table.offers("ana").bets if offer.spot == "tie"] == [1, 2]
    table = bet_on(table, "ana tie 10 box 1 as t1", "ana tie 10 box 2 as t2")
    assert refusal(table, "ana tie 10 box 3") == "8(3)"
    assert refusal(table, Move("ana", bet="t1", spot="tie", box=3)) == "8(3)"
    ended = finish(close(table), shoe("K 4 5", "J T 9", "2 3 4"))
    assert returned(ended) == {"t1": 210_00, "t2": 0, "p1": 0, "p2": 0}


@article("22/96/M", "8(3)")
def test_art_8_3_with_the_last_stake_of_a_place_its_ties_go() -> None:
    table = bet_on(opened(), "ana place 10 box 3 as p", "rui place 10 box 3 as his", "ana tie 10 box 3 as t",
                   "rui tie 5 box 3 as hers")  # fmt: skip
    shared = table.apply(Withdraw("ana", bet="p"))
    assert set(shared.in_escrow()) == {"his", "t", "hers"}
    assert shared.leaning("rui") == {"ana", "rui"}
    for last in (Withdraw("rui", bet="his"), Move("rui", bet="his", spot="place", box=4)):
        assert {"t", "hers"}.isdisjoint(shared.apply(last).in_escrow())
    assert refusal(shared, Move("rui", bet="his", spot="tie", box=3)) == "8(3)"
    assert Move("rui", bet="his", spot="tie", box=3) not in shared.offers("rui").actions


@article("22/96/M", "8(3)")
def test_art_8_3_by_the_first_reading_it_is_looked_at_when_betting_closes() -> None:
    bets = ["ana tie 10 box 1 as t1", "ana tie 10 box 3 as t3", "ana place 10 box 1 as p1"]
    table = close(bet_on(opened(reading=FIRST_READING), *bets))
    assert [(refused.bet, refused.by, refused.why.article) for refused in table.refusals] == [("t3", "ana", "8(3)")]
    assert "t3" not in table.in_escrow() and table.places == (1,)
    assert view_for(table, "ana").mine.refusals == table.refusals


@article("22/96/M", "8(1)")
@pytest.mark.parametrize(
    ("option", "closed_spots", "cited"),
    [
        ("odd_even_enabled", ["odd", "even"], "8(1)"),
        ("numbers_enabled", ["three_figures", *(f"points_{points}" for points in range(10))], "8(2)"),
        ("tie_enabled", ["tie"], "8(3)"),
    ],
)
def test_art_8_the_further_bets_may_also_be_offered_or_not(option: str, closed_spots: list[str], cited: str) -> None:
    given: dict[str, Any] = {option: False}
    table = opened("rui place 10 box 1 as lies", **given)
    for spot in SPOTS:
        wish = bet(f"ana {spot} 10{' box 1' if SPOTS[spot].boxed else ''}")
        if spot in closed_spots:
            assert refusal(table, wish) == cited
        else:
            table.apply(wish)
    assert {offer.spot for offer in table.offers("ana").bets} == set(SPOTS) - set(closed_spots)
    assert {spot.name for spot in view_for(table, None).spots} == set(SPOTS) - set(closed_spots)


@article("22/96/M", "9")
def test_art_9_the_winner_keeps_his_stake_and_gets_what_the_table_says() -> None:
    table = {name: spot.odds[0].win for name, spot in SPOTS.items()}
    assert table == {
        "place": 1, "tie": 20, "odd": 1, "even": 1, "three_figures": 16, **{f"points_{n}": 8 for n in range(10)},
    }  # fmt: skip
    for banker, place, spot in (
        ("9 9 9", "9 9 9", "tie"),
        ("K K K", "2 3 4", "three_figures"),
        ("5 T T", "9 9 9", "points_5"),
    ):
        box = " box 1" if SPOTS[spot].boxed else ""
        played = play(banker, place, bets=["ana place 10 box 1", f"ana {spot} 10{box}"])
        (payout,) = [payout for payout in played.payouts() if payout.spot == spot]
        assert (payout.returned, payout.commission, payout.why.article) == (10_00 * (table[spot] + 1), 0, "9")
    assert refusal(opened(), bet("ana points_10 10")) == "9"


@article("22/96/M", "10")
@pytest.mark.parametrize(
    ("banker", "place", "spot"), [("4 A T", "9 9 9", "place"), ("5 T T", "9 9 9", "odd"), ("4 T T", "9 9 9", "even")]
)
@pytest.mark.parametrize("credits", [1, 3, 100, 777])
def test_art_10_five_per_cent_of_the_prizes_of_place_odd_and_even(
    banker: str, place: str, spot: str, credits: int
) -> None:
    box = " box 2" if spot == "place" else ""
    also = [] if spot == "place" else ["rui place 5 box 2 as his"]
    played = play(banker, place, bets=[f"ana {spot} {credits}{box} as it", *also])
    (payout,) = [payout for payout in played.payouts() if payout.bet == "it"]
    assert (payout.commission, payout.returned) == (5 * credits, 195 * credits)
    assert payout.why.article == "10"


# ── The course of a round ───────────────────────────────────────────────────────────────────────────────────


@article("22/96/M", "look")
def test_the_phases_of_a_round_in_their_order() -> None:
    table = opened(ceremony=True, first_round=False, seats={"ana": 2})
    pile = Shoe(f"2c 2c 2c 2c 2c 2c 3c {shoe('Q 9 K', 'K Q J', '2 3 4')}")
    steps: list[tuple[str, str]] = []
    table = table.apply(Cut("ana", position=5))
    while not table.over:
        if not steps or steps[-1] != (table.phase, table.pace):
            steps.append((table.phase, table.pace))
        if table.phase is Phase.BETTING:
            table = bet_on(table, "ana place 10 box 2", "ana place 10 box 4 as far")
        due = table.next_house_step() or table.on_timeout()
        table = table.apply(due.action if isinstance(due, Step) else pile.draw())
    assert steps == [
        (Phase.BURN, Pace.BEAT), (Phase.BETTING, Pace.BETTING), (Phase.ROUND_BURN, Pace.BEAT),
        (Phase.DEAL, Pace.BEAT), (Phase.LOOK, Pace.DECISION), (Phase.REVEAL_PLACES, Pace.BEAT),
        (Phase.RESULT, Pace.BEAT),
    ]  # fmt: skip
    assert (table.phase, table.pace, table.next_house_step(), table.on_timeout()) == (
        Phase.SETTLED,
        Pace.RESULT,
        None,
        None,
    )


@article("22/96/M", "look")
def test_looking_ends_when_all_who_may_are_ready_or_their_time_is_over() -> None:
    bets = ["ana place 10 box 1", "ana place 10 box 2 as far", "lee place 10 box 5"]
    table = dealt("Q 9 K", "K Q J", "2 3 4", "5 5 5", bets=bets, seats={"ana": 1, "rui": 2, "lee": 6})
    assert (table.next_house_step(), table.on_timeout(), table.wait) == (None, Step(Reveal()), "look")
    assert table.offers("ana").actions == (Ready("ana"),)
    assert table.default_for("ana") == Ready("ana")
    assert (table.offers("lee").actions, table.default_for("lee")) == ((), None)
    assert refusal(table, Ready("lee")) == "4(3)"
    table = table.apply(Ready("ana"))
    assert (table.looking, table.next_house_step(), table.wait) == (("rui",), None, "look")
    assert view_for(table, "ana").mine.ready and not view_for(table, "ana").mine.looks
    assert view_for(table, "ana").places[0].hand.rank == 1, "he still sees them"
    table = table.apply(Ready("rui"))
    assert (table.phase, table.next_house_step()) == (Phase.REVEAL_BANKER, Step(Reveal()))


@article("22/96/M", "look")
def test_nobody_is_waited_for_where_no_occupant_has_cards() -> None:
    table = dealt("Q 9 K", "5 5 5", bets=["ana place 10 box 5"])
    assert table.phase is Phase.REVEAL_BANKER
    assert dealt("Q 9 K").phase is Phase.REVEAL_BANKER


@article("22/96/M", "T-A1")
def test_t_a1_the_dealer_opens_the_banker_and_then_each_place_clockwise() -> None:
    bets = ["ana place 10 box 3", "ana place 10 box 1 as own", "ana odd 10"]
    table = dealt("Q 9 K", "K Q J", "2 3 4", bets=bets)
    with pytest.raises(Refused):
        table.apply(Reveal("ana"))
    with pytest.raises(AssertionError):
        table.apply(Reveal(place=1))
    table = table.apply(Reveal())
    seen = view_for(table, None)
    assert (seen.banker.open, seen.banker.rank, str(seen.banker.title)) == (True, 2, "nine with two court cards")
    ends = {spot.key: spot.end for spot in seen.spots if spot.total}
    assert ends == {"place-1": None, "place-3": None, "odd": End.WON}
    assert table.next_house_step() == Step(Reveal(place=1))
    table = table.apply(Reveal(place=1))
    assert [place.end for place in view_for(table, None).places[:3]] == [End.WON, None, None]
    assert view_for(table, "rui").places[2].hand.rank is None
    table = table.apply(Reveal(place=3))
    assert [place.end for place in view_for(table, None).places[:3]] == [End.WON, None, End.LOST]
    assert (table.phase, table.next_house_step(), table.payouts()) == (Phase.RESULT, Step(Settle()), ())
    table = table.apply(Settle())
    assert table.result() == {"banker": 2, "places": {"1": 1, "3": 4}}


@article("22/96/M", "closed")
def test_after_betting_nothing_is_placed_or_changed() -> None:
    table = close(bet_on(opened(), "ana place 10 box 1"))
    for wish in (
        bet("ana odd 10"), Withdraw("ana", bet="ana place"), Lower("ana", bet="ana place", amount=1_00),
        Move("ana", bet="ana place", spot="odd"),
    ):  # fmt: skip
        assert refusal(table, wish) == "closed"
    ended = finish(table, shoe("Q 9 K", "K Q J"))
    assert refusal(ended, bet("ana odd 10")) == "closed"
    with pytest.raises(AssertionError):
        ended.apply(Settle())


@article("22/96/M", "closed")
def test_while_betting_a_fresh_stake_is_lowered_moved_and_withdrawn() -> None:
    table = bet_on(opened(min_bet=5_00), "ana place 20 box 1 as p", "ana odd 10 as o", "ana place 5 box 2 as least")
    assert table.apply(Lower("ana", bet="p", amount=15_00)).in_escrow()["p"] == 5_00
    assert refusal(table, Lower("ana", bet="p", amount=16_00)) == "minimum"
    assert refusal(table, Lower("ana", bet="p", amount=50)) == "credits"
    assert "p" not in table.apply(Withdraw("ana", bet="p")).in_escrow()
    moved = table.apply(Move("ana", bet="p", spot="place", box=5)).apply(Move("ana", bet="o", spot="even"))
    assert {(stake.bet, stake.spot, stake.box) for stake in moved.stakes()} == {
        ("p", "place", 5), ("o", "even", None), ("least", "place", 2),
    }  # fmt: skip
    assert moved.layout.total("place", 1) == moved.layout.total("odd") == 0
    assert moved.layout.total("place", 5) == 20_00
    assert table.apply(Move("ana", bet="p", spot="odd")).layout.total("odd") == 30_00
    assert table.apply(Move("ana", bet="o", spot="tie", box=1)).layout.total("tie", 1) == 10_00
    assert refusal(table, Move("ana", bet="p", spot="place", box=1)) == ""
    assert refusal(table, Move("ana", bet="p", spot="place")) == "4(1)"
    assert refusal(table, Move("ana", bet="p", spot="place", box=8)) == "4(1)"
    assert refusal(table, Move("ana", bet="o", spot="even", box=1)) == "8(1)"
    assert refusal(table, Move("rui", bet="o", spot="even")) == ""
    own = {own.stake.bet: own for own in view_for(table, "ana").mine.stakes}
    assert own["p"].boxes == (2, 3, 4, 5, 6, 7)
    assert set(own["p"].moves) == set(SPOTS) - {"place", "tie"}
    assert [action.do for action in table.offers("ana").actions if getattr(action, "bet", "") == "least"][:1] == [
        "withdraw"
    ]
    assert Lower("ana", bet="least", amount=1_00) not in table.offers("ana").actions


@article("22/96/M", "credits")
@pytest.mark.parametrize("cents", [0, -100, 50, 150, 199])
def test_stakes_are_whole_credits(cents: int) -> None:
    wish = bet("ana place 10 box 1")
    assert refusal(opened(), type(wish)("ana", bet="x", spot="place", amount=cents, box=1)) == "credits"


@article("22/96/M", "minimum")
def test_every_fresh_stake_keeps_the_minimum_of_its_spot_also_beside_a_locked_one() -> None:
    table = opened("ana place 100 box 1", min_bet={"place": 20_00, "points_3": 5_00})
    assert refusal(table, bet("ana place 19 box 1 as more")) == "minimum"
    assert refusal(table, bet("ana points_3 4")) == "minimum"
    bet_on(table, "ana place 20 box 1 as more", "ana points_3 5", "ana points_4 1")
    least = {(offer.spot, offer.box): offer.least for offer in table.offers("ana").bets}
    assert (least["place", 1], least["points_3", None], least["odd", None]) == (20_00, 5_00, 1_00)


@article("22/96/M", "maximum")
def test_the_maximum_counts_locked_and_fresh_stakes_of_one_bettor_on_one_spot_together() -> None:
    table = bet_on(opened("ana place 90 box 1", max_bet=100_00), "ana place 4 box 1 as some")
    assert refusal(table, bet("ana place 7 box 1 as more")) == "maximum"
    with pytest.raises(Refused, match=str(Amount(6_00))):
        table.apply(bet("ana place 7 box 1 as more"))
    bet_on(table, "ana place 6 box 1 as more", "ana place 100 box 2 as far", "rui place 100 box 1", "ana odd 100")
    most = {(offer.spot, offer.box): offer.most for offer in table.offers("ana").bets}
    assert (most["place", 1], most["place", 2], most["odd", None]) == (6_00, 100_00, 100_00)
    full = bet_on(table, "ana place 6 box 1 as more")
    assert ("place", 1) not in {(offer.spot, offer.box) for offer in full.offers("ana").bets}
    assert refusal(bet_on(table, "ana odd 50 as o"), Move("ana", bet="o", spot="place", box=1)) == "maximum"


@article("22/96/M", "seat")
def test_a_place_has_one_bettor_and_only_who_occupies_one_cuts() -> None:
    assert refusal(opened(), Sit("lee", seat=1)) == "seat"
    cutting = opened(ceremony=True)
    assert refusal(cutting, Cut("lee", position=9)) == "2(1)"
    joined = cutting.apply(Sit("lee", seat=3))
    assert joined.apply(Decline("ana")).apply(Decline("rui")).offered_cut == ("lee",)
    assert refusal(opened(), Ready("lee")) == "seat"
    assert opened().apply(Ready("ana")).apply(Ready("rui")).closes_early
    assert not bet_on(opened().apply(Ready("ana")).apply(Ready("rui")), "ana odd 10").closes_early


def test_what_only_the_dealer_does_nobody_else_may() -> None:
    for action in (
        CloseBets("ana"),
        DrawCard("ana", card=cards("As")[0]),
        WhiteCard("ana"),
        Settle("ana"),
        Void("ana"),
    ):
        with pytest.raises(Refused):
            opened().apply(action)
    for early in (Settle(), Reveal(), DrawCard(card=cards("As")[0])):
        with pytest.raises(AssertionError):
            opened().apply(early)
    assert refusal(opened(), bet("ana odd 10 box 1")) == "8(1)"


def test_a_round_without_any_bet_is_dealt_to_the_banker_alone_but_not_begun_by_the_house() -> None:
    assert play("Q 9 K").result() == {"banker": 2, "places": {}}
    assert not GAME.dealt_unstaked
