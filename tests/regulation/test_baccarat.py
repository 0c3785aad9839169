"""Baccarat, External Regulatory Dispatch 55/2004 and what changed it, article by article."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tables.games import GAMES
from tables.games.baccarat import Phase, Turn, Waive
from tables.games.baccarat.coup import BANK_RULES, BANK_TABLE, Coup, Hand, Rule, bank_rule, player_rule
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
    PlaceBet,
    Settle,
    Sit,
    Step,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.errors import OptionError, Refused
from tables.games.contract.round import FIRST_READING, Opening
from tables.games.values.cards import POINTS, RANKS, pack, points
from tests.kit import (
    Shoe,
    article,
    bet,
    bet_on,
    cards,
    close,
    finish,
    opened,
    options,
    play,
    refusal,
    returned,
    run,
    view_for,
)

BACCARAT = GAMES["baccarat"]
PLAYER_WINS = "4s Kc 5d 7h"
TIE = "Ts 4c 6d 2h"
FREE = {"commission_mode": "no_commission_six_half"}
THIRDS = {rank: POINTS[rank] for rank in RANKS}


def two_cards(total: int) -> str:
    """Two cards of so many points."""
    return f"K{'s'} {'T' if total == 0 else 'A' if total == 1 else total}{'h'}"


def dealt(player: int, banker: int) -> Coup:
    """Two hands of two cards with these points."""
    coup = Coup()
    (p1, p2), (b1, b2) = cards(two_cards(player)), cards(two_cards(banker))
    for card in (p1, b1, p2, b2):
        coup = coup.dealt(card)
    return coup


# ── 1: the equipment ────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "1(1)")
def test_art_1_1_six_to_twelve_decks_of_52_cards_without_jokers() -> None:
    for decks in range(6, 13):
        assert options(decks=decks).decks == decks
        assert len(pack(decks)) == decks * 52
    for decks in (5, 13):
        with pytest.raises(OptionError):
            options(decks=decks)
    assert {card.rank for card in pack(6)} == set("A23456789TJQK")


@article("55/2004", "7(1)")
def test_art_7_1_cards_are_dealt_one_at_a_time_the_players_first() -> None:
    for shoe in (PLAYER_WINS, "7h 5d Kc 4s"):
        played = play(shoe)
        assert [played.coup.player[0], played.coup.banker[0], played.coup.player[1], played.coup.banker[1]] == list(
            cards(shoe)
        )


@article("55/2004", "1(5)")
def test_art_1_5_one_or_two_layouts_and_seven_or_more_seats() -> None:
    assert options(layouts=2, seats=14).seats == 14
    for wrong in ({"seats": 6}, {"layouts": 0}, {"layouts": 3}):
        with pytest.raises(OptionError):
            options(**wrong)
    assert refusal(opened(seats={}), Sit("ana", seat=8)) == "1(5)"
    assert refusal(opened(seats={"ana": 7}), "ana tie 10 box 8") == "1(5)"


# ── 2: shuffle, cut, burn, demonstration ────────────────────────────────────────────────────────────────────


@article("55/2004", "2(1)")
@article("55/2004", "cut")
def test_art_2_1_the_cut_is_offered_to_the_seats_in_order_and_else_made_by_the_dealer() -> None:
    table = opened(seats={"rui": 5, "ana": 2}, ceremony=True)
    assert table.phase is Phase.CUT
    assert table.next_house_step() is None
    assert table.offered_cut == ("ana",)
    assert refusal(table, Cut("rui", position=100)) == "2(1)"
    assert refusal(table, Decline("rui")) == "2(1)"
    table = table.apply(Decline("ana"))
    assert view_for(table.apply(Cut("rui", position=100)), None).cut.by == "rui"
    table = table.apply(Decline("rui"))
    assert table.next_house_step() == Draw(Chance.CUT)
    assert view_for(table.apply(Cut(HOUSE, position=100)), None).cut.by == HOUSE


@article("55/2004", "2(1)")
def test_art_2_1_when_nobody_cuts_in_time_the_dealer_does() -> None:
    table = opened(seats={"ana": 2}, ceremony=True)
    assert table.default_for("ana") == Decline("ana")
    assert table.default_for("rui") is None
    assert table.on_timeout() == Draw(Chance.CUT)
    assert table.apply(Leave("ana")).next_house_step() == Draw(Chance.CUT)


@article("55/2004", "cut")
def test_who_sits_down_meanwhile_is_asked_last() -> None:
    table = opened(seats={"rui": 5}, ceremony=True).apply(Sit("ana", seat=1))
    assert table.offered_cut == ("rui",)
    assert table.apply(Decline("rui")).offered_cut == ("ana",)


@article("55/2004", "2(1)")
@article("55/2004", "cut")
def test_art_2_1_then_it_is_offered_to_all_who_stand_and_have_staked_lately_and_the_first_of_them_cuts() -> None:
    table = opened(seats={"ana": 2}, lately=("rui", "lee"), ceremony=True)
    assert table.offered_cut == ("ana",) and refusal(table, Cut("rui", position=9)) == "2(1)"
    asked = table.apply(Decline("ana"))
    assert asked.offered_cut == ("rui", "lee") and refusal(asked, Cut("ana", position=9)) == "2(1)"
    assert asked.next_house_step() is None and asked.on_timeout() == Draw(Chance.CUT)
    assert asked.apply(Decline("rui")).wait == asked.wait, "their time is one"
    assert asked.apply(Decline("rui")).apply(Decline("lee")).next_house_step() == Draw(Chance.CUT)
    cut = asked.apply(Cut("lee", position=9))
    assert view_for(cut, None).cut.by == "lee" and cut.offered_cut == ()
    assert opened(lately=("rui",), ceremony=True).offered_cut == ("rui",)


@article("55/2004", "cut")
def test_art_2_1_when_the_time_of_one_is_over_all_others_are_asked_at_once() -> None:
    table = opened(seats={"ana": 1, "rui": 2, "eva": 3}, lately=("lee",), ceremony=True)
    late = table.apply(table.on_timeout().action)
    assert late.offered_cut == ("rui", "eva", "lee") and late.wait != table.wait
    assert late.on_timeout() == Draw(Chance.CUT)
    assert late.apply(Sit("joe", seat=5)).offered_cut == ("rui", "eva", "lee", "joe")
    assert late.apply(Leave("eva")).offered_cut == ("rui", "lee")


@article("55/2004", "2(1)")
def test_art_2_1_the_pack_is_cut_within_the_pack() -> None:
    table = opened(seats={"ana": 2}, ceremony=True, decks=6)
    for position in (0, -1, 312, 10_000):
        assert refusal(table, Cut("ana", position=position)) == "2(1)"
    for position in (1, 311):
        assert table.apply(Cut("ana", position=position)).phase is Phase.BURN


def burn(shoe: str, **given: Any) -> Any:
    """A new shoe, cut by the dealer, and burnt."""
    pile = Shoe(shoe)
    table = run(opened(ceremony=True, **given).apply(Cut(HOUSE, position=1)), pile)
    assert table.phase is Phase.BETTING
    assert not pile.left()
    return table


@article("55/2004", "2(1)")
@pytest.mark.parametrize("decks", [6, 8, 12])
def test_art_2_1_as_many_cards_are_burnt_as_decks_are_in_use(decks: int) -> None:
    table = burn(" ".join(["2s", "3s", "4s", "5s"] * 3)[: decks * 3], decks=decks)
    assert view_for(table, None).burn.burnt == decks


@article("55/2004", "2(1)")
def test_art_2_1_or_the_first_card_decides_how_many() -> None:
    table = burn("3h 2s 2s 2s", burn_mode="by_first_card")
    assert view_for(table, None).burn.indicator == cards("3h")[0]


@article("55/2004", "2(1)")
@pytest.mark.parametrize("number", range(1, 9))
def test_art_2_1_or_a_number_from_1_to_8_fixed_by_the_house(number: int) -> None:
    table = burn(" ".join(["2s"] * number), burn_mode="fixed_n", burn_fixed_n=number)
    assert view_for(table, None).burn.burnt == number


@article("55/2004", "2(1)")
def test_art_2_1_only_then_does_dealing_start() -> None:
    table = opened(ceremony=True)
    for _ in range(2):
        assert refusal(table, "ana player 10") == "closed"
        with pytest.raises(AssertionError):
            table.apply(CloseBets())
        table = table.apply(Cut(HOUSE, position=1)) if table.phase is Phase.CUT else table


@article("55/2004", "2(2)")
@pytest.mark.parametrize("demos", range(4))
def test_art_2_2_up_to_three_demonstration_rounds_begin_a_shoe(demos: int) -> None:
    pile = Shoe("2s " * 8 + f"{PLAYER_WINS} " * demos)
    table = run(opened(ceremony=True, demo_rounds=demos).apply(Cut(HOUSE, position=1)), pile)
    assert table.phase is Phase.BETTING
    assert len(view_for(table, None).demos) == demos
    assert not pile.left()


@article("55/2004", "2(2)")
def test_art_2_2_four_are_too_many() -> None:
    with pytest.raises(OptionError):
        options(demo_rounds=4)


@article("55/2004", "2(3)")
def test_art_2_3_the_machine_has_no_cut_no_burn_and_no_white_card() -> None:
    table = opened(
        ceremony=True, dealing_device="auto_machine", burn_mode="by_first_card", demo_rounds=3, burn_each_round=1
    )
    assert table.phase is Phase.BETTING
    table = close(table)
    with pytest.raises(AssertionError):
        table.apply(WhiteCard())
    assert finish(table, PLAYER_WINS).over


# ── 3: the white card ───────────────────────────────────────────────────────────────────────────────────────


def white_after(count: int, shoe: str, **given: Any) -> Any:
    """A round in which the white card comes out after so many cards."""
    table = close(opened(**given))
    pile = Shoe(shoe)
    drawn = 0
    while (due := table.next_house_step() or table.on_timeout()) is not None:
        if isinstance(due, Step):
            table = table.apply(due.action)
            continue
        if drawn == count:
            table = table.apply(WhiteCard())
        table = table.apply(pile.draw())
        drawn += 1
    return table


@article("55/2004", "3(1)")
@pytest.mark.parametrize("rule", ["current_is_last", "one_more_round"])
@pytest.mark.parametrize("after", [0, 1, 2, 3, 4, 5])
def test_art_3_1_the_white_card_makes_this_round_the_last_or_one_more_is_played(rule: str, after: int) -> None:
    table = white_after(after, "Ks 3c 2d Th Ts 9h", last_round_rule=rule)
    last = rule == "current_is_last" or after == 0
    assert (table.ends_shoe, table.next_is_last) == (last, not last)
    assert table.result()["winner"] == "tie"


@article("55/2004", "3(1)")
def test_art_3_1_the_white_card_before_the_round_burn_makes_the_round_the_last() -> None:
    table = white_after(0, "9s 4s Kc 5d 7h", last_round_rule="one_more_round", burn_each_round=1)
    assert table.ends_shoe
    table = white_after(1, "9s 4s Kc 5d 7h", last_round_rule="one_more_round", burn_each_round=1)
    assert table.ends_shoe


@article("55/2004", "3(1)")
def test_art_3_1_the_last_round_is_announced_and_played_to_its_end() -> None:
    table = opened(last_round=True)
    assert view_for(table, None).last_round
    played = finish(close(bet_on(table, "ana player 10")), PLAYER_WINS)
    assert played.ends_shoe
    assert returned(played) == {"ana player": 20_00}


@article("55/2004", "3(1)")
def test_art_3_1_there_is_one_white_card() -> None:
    table = close(opened()).apply(WhiteCard())
    with pytest.raises(AssertionError):
        table.apply(WhiteCard())


# ── 4 to 6: cards and hands ─────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "4")
def test_art_4_a_card_that_comes_out_face_up_stays_valid_and_so_do_the_bets() -> None:
    table = close(bet_on(opened(seats={"ana": 1}), "ana player 10"))
    first, *rest = cards(PLAYER_WINS)
    table = table.apply(DrawCard(card=first, exposed=True))
    assert view_for(table, None).player.cards[0].face == first
    assert view_for(table, None).player.cards[0].exposed
    for card in rest:
        table = table.apply(DrawCard(card=card))
    assert view_for(table, None).notes[0].article == "4"
    played = run(table, Shoe(), impatient=True)
    assert returned(played) == {"ana player": 20_00}


@article("55/2004", "5(1)")
def test_art_5_1_court_cards_tens_and_totals_of_ten_count_zero() -> None:
    assert [points(cards(f"{rank}s")) for rank in "TJQK"] == [0, 0, 0, 0]
    assert points(cards("4s 6d")) == 0
    assert points(cards("9s 9d 2h")) == 0


@article("55/2004", "5(2)")
def test_art_5_2_other_cards_count_their_pips_and_nine_is_the_highest() -> None:
    assert [points(cards(f"{rank}s")) for rank in "A23456789"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert max(points((a, b)) for a, b in product(pack(1), repeat=2)) == 9


@article("55/2004", "6")
def test_art_6_only_two_hands_take_part() -> None:
    assert [hand.value for hand in Hand] == ["player", "banker"]
    played = play(PLAYER_WINS, "ana player 10", "rui player 10", "lee banker 10")
    assert len(played.coup.player) + len(played.coup.banker) == 4


# ── 7 and 8: dealing ────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "7(1)")
def test_art_7_1_cards_are_dealt_alternately_player_first_and_face_down() -> None:
    table = close(opened())
    order = []
    for card in cards(PLAYER_WINS):
        order.append(table.coup.next().value)
        table = table.apply(DrawCard(card=card))
    assert order == ["player", "banker", "player", "banker"]
    assert all(card.face is None for hand in view_for(table, None).hands for card in hand.cards)


@article("55/2004", "7(1)")
def test_art_7_1_the_players_cards_are_opened_first() -> None:
    table = close(bet_on(opened(seats={"ana": 1, "rui": 2}), "ana player 10", "rui banker 10"))
    table = run(table, Shoe(PLAYER_WINS))
    assert table.phase is Phase.OPEN_PLAYER
    assert refusal(table, Turn("rui", hand=Hand.BANKER)) == "7(1)"
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    assert table.phase is Phase.OPEN_BANKER
    table = table.apply(Turn("rui", hand=Hand.BANKER))
    assert table.phase is Phase.RESULT


@article("55/2004", "7(2)")
def test_art_7_2_the_machine_deals_face_up_and_takes_the_cards_back() -> None:
    table = close(bet_on(opened(seats={"ana": 1}, dealing_device="auto_machine"), "ana player 10"))
    for at, card in enumerate(cards(PLAYER_WINS)):
        assert table.phase is Phase.DEAL
        table = table.apply(DrawCard(card=card))
        assert view_for(table, None).hands[at % 2].cards[-1].face == card
    assert table.phase is Phase.RESULT
    assert table.apply(Settle()).ends_shoe


@article("55/2004", "8")
def test_art_8_the_house_may_burn_at_the_start_of_every_round_the_first_included() -> None:
    for first_round in (False, True):
        table = close(opened(burn_each_round=1, first_round=first_round))
        assert table.phase is Phase.ROUND_BURN
        table = finish(table, f"9s {PLAYER_WINS}")
        assert view_for(table, None).burnt == 1
    assert close(opened(burn_each_round=0)).phase is Phase.DEAL


# ── 9: the third card ───────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "9")
def test_art_9_each_hand_takes_at_most_one_more_card_the_player_first() -> None:
    for player, banker in product(range(10), repeat=2):
        coup = dealt(player, banker)
        drawn = []
        while (hand := coup.next()) is not None:
            drawn.append(hand)
            coup = coup.dealt(cards("6s")[0])
        assert drawn in ([], [Hand.PLAYER], [Hand.BANKER], [Hand.PLAYER, Hand.BANKER])


@article("55/2004", "9(1)")
def test_art_9_1_the_player_draws_with_0_to_5() -> None:
    for player, banker in product(range(6), range(8)):
        assert player_rule(player, banker) == Rule(True, "9(1)")
        assert dealt(player, banker).next() is Hand.PLAYER


@article("55/2004", "9(2)")
def test_art_9_2_the_player_stands_with_6_to_9_or_when_the_bank_has_a_natural() -> None:
    for player, banker in product(range(10), repeat=2):
        if player >= 6 or banker >= 8:
            assert player_rule(player, banker) == Rule(False, "9(2)")
            assert dealt(player, banker).next() is not Hand.PLAYER


TABLE = {
    # The rulebook's drawing table: rows by the bank's points; columns none, 0, 1, …, 9.
    0: "DDDDDDDDDDD",
    1: "DDDDDDDDDDD",
    2: "DDDDDDDDDDD",
    3: "DDDDDDDDDSD",
    4: "DSSDDDDDDSS",
    5: "DSSSSDDDDSS",
    6: "SSSSSSSDDSS",
    7: "SSSSSSSSSSS",
}


@article("55/2004", "9(3)")
@article("55/2004", "9(4)")
def test_art_9_3_and_9_4_are_the_drawing_table() -> None:
    for banker, row in TABLE.items():
        for third, ordered in zip((None, *range(10)), row, strict=True):
            assert BANK_RULES[banker, third].draws == (ordered == "D"), (banker, third)


@article("55/2004", "9(3)")
@article("55/2004", "9(4)")
def test_art_9_3_and_9_4_cover_each_total_and_third_card_exactly_once() -> None:
    covered = [(total, third) for _, totals, thirds in BANK_TABLE for total in totals for third in thirds]
    assert sorted(covered, key=str) == sorted(product(range(10), (None, *range(10))), key=str)


def bank_against(banker: int, rank: str) -> Rule:
    """What the bank does with so many points when the Player, who had 0, drew a card of this rank."""
    coup = dealt(0, banker).dealt(cards(f"{rank}d")[0])
    rule = coup.bank_rule()
    assert (coup.next() is Hand.BANKER) == rule.draws
    return rule


def bank_decides(total: int, draws_against: str) -> None:
    """The bank with `total` draws against just these ranks, and each order names its own item."""
    for rank in RANKS:
        assert bank_against(total, rank).draws == (rank in draws_against), rank


@article("55/2004", "9(3)(1)")
def test_art_9_3_1_the_bank_draws_with_0_1_and_2_whatever_the_player_drew() -> None:
    for total in (0, 1, 2):
        assert {bank_against(total, rank) for rank in RANKS} == {Rule(True, "9(3)(1)")}


@article("55/2004", "9(3)(2)")
def test_art_9_3_2_the_bank_draws_with_3_unless_the_player_drew_an_8() -> None:
    bank_decides(3, "A2345679TJQK")
    assert bank_against(3, "7").article == "9(3)(2)"


@article("55/2004", "9(3)(3)")
def test_art_9_3_3_the_bank_draws_with_4_against_2_to_7() -> None:
    bank_decides(4, "234567")
    assert bank_against(4, "2").article == "9(3)(3)"


@article("55/2004", "9(3)(4)")
def test_art_9_3_4_the_bank_draws_with_5_against_4_to_7() -> None:
    bank_decides(5, "4567")
    assert bank_against(5, "4").article == "9(3)(4)"


@article("55/2004", "9(3)(5)")
def test_art_9_3_5_the_bank_draws_with_6_against_6_and_7() -> None:
    bank_decides(6, "67")
    assert bank_against(6, "6").article == "9(3)(5)"


@article("55/2004", "9(3)(6)")
def test_art_9_3_6_the_bank_draws_with_0_to_5_if_the_player_took_no_card() -> None:
    for player, banker in product((6, 7), range(6)):
        coup = dealt(player, banker)
        assert coup.next() is Hand.BANKER
        assert coup.bank_rule() == Rule(True, "9(3)(6)")


@article("55/2004", "9(4)(1)")
def test_art_9_4_1_the_bank_stands_with_3_against_an_8() -> None:
    assert bank_against(3, "8") == Rule(False, "9(4)(1)")


@article("55/2004", "9(4)(2)")
def test_art_9_4_2_the_bank_stands_with_4_against_1_8_9_and_10() -> None:
    assert {bank_against(4, rank) for rank in "A89TJQK"} == {Rule(False, "9(4)(2)")}


@article("55/2004", "9(4)(3)")
def test_art_9_4_3_the_bank_stands_with_5_against_1_2_3_8_9_and_10() -> None:
    assert {bank_against(5, rank) for rank in "A2389TJQK"} == {Rule(False, "9(4)(3)")}


@article("55/2004", "9(4)(4)")
def test_art_9_4_4_the_bank_stands_with_6_against_all_but_6_and_7_and_if_the_player_stood() -> None:
    assert {bank_against(6, rank) for rank in "A234589TJQK"} == {Rule(False, "9(4)(4)")}
    for player in (6, 7):
        assert dealt(player, 6).next() is None
        assert dealt(player, 6).bank_rule() == Rule(False, "9(4)(4)")


@article("55/2004", "9(4)(5)")
def test_art_9_4_5_the_bank_stands_with_7_8_and_9() -> None:
    assert {bank_against(7, rank) for rank in RANKS} == {Rule(False, "9(4)(5)")}
    for player, banker in product(range(10), (8, 9)):
        assert dealt(player, banker).next() is None
        assert bank_rule(banker, player, None) == Rule(False, "9(4)(5)")
    for player in (8, 9):  # against a natural too it is this rule, and not 9(4)(6)
        assert dealt(player, 7).bank_rule() == Rule(False, "9(4)(5)")


@article("55/2004", "9(4)(6)")
def test_art_9_4_6_the_bank_stands_if_the_player_has_a_natural() -> None:
    for player, banker in product((8, 9), range(7)):
        assert dealt(player, banker).next() is None
        assert dealt(player, banker).bank_rule() == Rule(False, "9(4)(6)")


@article("55/2004", "9(3)(2)")
def test_art_9_the_felt_says_what_was_ordered_and_where() -> None:
    felt = view_for(play("Ks 3c 2d Th 7s 9h"), None)
    assert (felt.player.note.article, str(felt.player.note.words)) == ("9(1)", "The Player draws on 2")
    assert (felt.banker.note.article, str(felt.banker.note.words)) == ("9(3)(2)", "The Banker draws on 3 against a 7")


@article("55/2004", "9")
@article("55/2004", "11")
@article("55/2004", "12")
@pytest.mark.parametrize(
    ("coup", "player", "banker", "result"),
    [
        (
            "Kc 2c 2d Ac 8s",
            "9(1) The Player draws on 2",
            "9(4)(1) The Banker stands on 3 against an 8",
            "11 Banker wins, 3 to 0",
        ),
        (
            "2c Kc 3d Ts 4c 7h",
            "9(1) The Player draws on 5",
            "9(3)(1) The Banker draws on 0 against a 4",
            "11 Player wins, 9 to 7",
        ),
        (
            "Kc 2c 2d 4h Ks",
            "9(1) The Player draws on 2",
            "9(4)(4) The Banker stands on 6 against a 10",
            "11 Banker wins, 6 to 2",
        ),
        ("3c 2c 3d 4h", "9(2) The Player stands on 6", "9(4)(4) The Banker stands on 6", "12 Tie at 6"),
        (
            "3c Kc 3d 5c 7h",
            "9(2) The Player stands on 6",
            "9(3)(6) The Banker draws on 5, as the Player stood",
            "11 Player wins, 6 to 2",
        ),
        (
            "9c 2c Kd 4h",
            "9(2) The Player has a natural 9 and does not draw",
            "9(4)(6) The Player has a natural 9: the Banker does not draw",
            "11 Player wins, 9 to 6",
        ),
        (
            "9c 3c Kd 4h",
            "9(2) The Player has a natural 9 and does not draw",
            "9(4)(5) The Banker stands on 7",
            "11 Player wins, 9 to 7",
        ),
        (
            "5c 9c Kd Kh",
            "9(2) The Banker has a natural 9: the Player does not draw",
            "9(4)(5) The Banker has a natural 9 and does not draw",
            "11 Banker wins, 9 to 5",
        ),
        (
            "Kc 3c 5d 3h 6h 2s",
            "9(1) The Player draws on 5",
            "9(3)(5) The Banker draws on 6 against a 6",
            "11 Banker wins, 8 to 1",
        ),
        (
            "8c 9c Kd Kh",
            "9(2) The Player has a natural 8 and does not draw",
            "9(4)(5) The Banker has a natural 9 and does not draw",
            "11 Banker wins, 9 to 8",
        ),
    ],
)
def test_art_9_the_felt_tells_why_each_hand_drew_or_stood(coup: str, player: str, banker: str, result: str) -> None:
    felt = view_for(play(coup, "ana player 10"), None)
    notes = felt.player.note, felt.banker.note, felt.outcome.why
    assert [f"{note.article} {note.words}" for note in notes] == [player, banker, result]
    ranks = [[card.face.rank for card in hand.cards[:2]] for hand in felt.hands]
    assert [hand.pair for hand in felt.hands] == [one == two for one, two in ranks]
    assert (felt.outcome.player_pair, felt.outcome.banker_pair) == (felt.player.pair, felt.banker.pair)
    assert (felt.outcome.player, felt.outcome.banker) == (felt.player.total, felt.banker.total)
    assert felt.player.natural == ("Player has a natural" in player)
    assert felt.banker.natural == ("Banker has a natural" in banker)


# ── 10 to 12: mistakes, results, ties ───────────────────────────────────────────────────────────────────────


@article("55/2004", "10")
@pytest.mark.parametrize("seen", range(5))
def test_art_10_what_cannot_be_put_right_makes_the_round_void(seen: int) -> None:
    table = close(bet_on(opened("rui banker 50"), "ana player 100", "ana tie 10", "ana banker_pair 10"))
    for card in cards("4s 9c 4d 9h")[:seen]:
        table = table.apply(DrawCard(card=card))
    table = table.apply(Void(remark="the order was lost"))
    assert table.over and table.is_void
    assert table.result() == {"void": True}
    assert returned(table) == {"rui banker": 0, "ana player": 100_00, "ana tie": 10_00, "ana banker_pair": 10_00}
    assert table.in_escrow() == {"rui banker": 50_00}


@article("55/2004", "10")
def test_art_10_only_the_house_declares_a_round_void_and_not_after_its_end() -> None:
    assert refusal(opened(), Void("ana")) == ""
    with pytest.raises(AssertionError):
        play(PLAYER_WINS).apply(Void())


@article("55/2004", "11")
def test_art_11_the_hand_with_the_higher_points_wins() -> None:
    played = play(PLAYER_WINS, "ana player 10", "ana banker 10")
    assert played.result() == {"winner": "player", "player": 9, "banker": 7, "player_pair": False, "banker_pair": False}
    assert returned(played) == {"ana player": 20_00, "ana banker": 0}
    assert played.payouts()[1].why.article == "11"


def after_a_tie(policy: str) -> Any:
    """The betting after a tie on which ana had 50 on Banker."""
    tied = play(TIE, "ana banker 50", tie_policy=policy)
    return BACCARAT.opened(options(tie_policy=policy), Opening(carried=tied.carried()))


def may(policy: str) -> dict[str, bool]:
    """What a bettor may do with their stake after a tie."""
    table = after_a_tie(policy)
    wishes = {
        "withdraw": Withdraw("ana", bet="ana banker"),
        "lower": Lower("ana", bet="ana banker", amount=10_00),
        "move": Move("ana", bet="ana banker", spot="player"),
        "add": bet("ana banker 50 as more"),
    }
    allowed = {}
    for wish, action in wishes.items():
        try:
            table.apply(action)
        except Refused:
            allowed[wish] = False
        else:
            allowed[wish] = True
    return allowed


@article("55/2004", "12")
def test_art_12_equal_points_are_a_tie_and_a_new_round_decides() -> None:
    tied = play(TIE, "ana banker 50", "ana player 20", "ana tie 10")
    assert tied.result()["winner"] == "tie"
    assert returned(tied) == {"ana banker": 0, "ana player": 0, "ana tie": 90_00}
    assert {stake.bet: stake.amount for stake in tied.carried()} == {"ana banker": 50_00, "ana player": 20_00}
    assert all(stake.carried for stake in tied.carried())
    again = finish(BACCARAT.opened(options(), Opening(carried=tied.carried())), PLAYER_WINS)
    assert returned(again) == {"ana banker": 0, "ana player": 40_00}


@article("55/2004", "12(1)")
def test_art_12_1_a_tied_stake_may_be_cancelled_where_the_house_lets_it_or_is_returned_at_once() -> None:
    assert {policy: may(policy)["withdraw"] for policy in ("free", "no_reduce", "no_move")} == {
        "free": True,
        "no_reduce": False,
        "no_move": False,
    }
    assert refusal(after_a_tie("no_move"), Withdraw("ana", bet="ana banker")) == "12(1)"
    returning = play(TIE, "ana banker 50", tie_policy="return")
    assert returned(returning) == {"ana banker": 50_00}
    assert returning.carried() == ()


@article("55/2004", "12(2)")
def test_art_12_2_who_does_nothing_keeps_his_stake() -> None:
    for policy in ("free", "no_reduce", "no_move"):
        assert returned(finish(after_a_tie(policy), "Ks 3c 2d Th 8s")) == {"ana banker": 97_50}
        assert may(policy)["add"]


@article("55/2004", "12(3)(1)")
def test_art_12_3_1_a_tied_stake_is_changed_with_or_without_reducing_it() -> None:
    assert {policy: may(policy)["lower"] for policy in ("free", "no_reduce", "no_move")} == {
        "free": True,
        "no_reduce": False,
        "no_move": False,
    }
    assert refusal(after_a_tie("no_reduce"), Lower("ana", bet="ana banker", amount=10_00)) == "12(3)(1)"
    lowered = after_a_tie("free").apply(Lower("ana", bet="ana banker", amount=10_00))
    assert lowered.in_escrow() == {"ana banker": 40_00}


@article("55/2004", "12(3)(2)")
def test_art_12_3_2_a_tied_stake_is_moved_whole_between_player_and_banker() -> None:
    assert {policy: may(policy)["move"] for policy in ("free", "no_reduce", "no_move")} == {
        "free": True,
        "no_reduce": True,
        "no_move": False,
    }
    assert refusal(after_a_tie("no_move"), Move("ana", bet="ana banker", spot="player")) == "12(3)(2)"
    for policy in ("free", "no_reduce"):
        assert refusal(after_a_tie(policy), Move("ana", bet="ana banker", spot="tie")) == "12(3)(2)"
        moved = after_a_tie(policy).apply(Move("ana", bet="ana banker", spot="player"))
        assert [(stake.spot, stake.amount, stake.carried) for stake in moved.stakes()] == [("player", 50_00, True)]


# ── 13 and 14: bets ─────────────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "13")
def test_art_13_there_are_no_other_bets() -> None:
    for spot in ("hand", "Tie", "", "either_pair", "lucky_six"):
        assert refusal(opened(), PlaceBet("ana", bet="b", spot=spot, amount=10_00)).startswith("13")
    sold = {offer.spot for offer in opened().offers("ana").bets}
    assert sold == {"player", "banker", "tie", "player_pair", "banker_pair"}


@article("55/2004", "13(1)")
def test_art_13_1_player_wins_on_higher_points_loses_on_lower_and_waits_on_equal() -> None:
    assert returned(play(PLAYER_WINS, "ana player 10")) == {"ana player": 20_00}
    assert returned(play("Ks 3c 2d Th 8s", "ana player 10")) == {"ana player": 0}
    assert play(TIE, "ana player 10").payouts()[0].carried == 10_00


@article("55/2004", "13(2)")
def test_art_13_2_banker_wins_on_higher_points_loses_on_lower_and_waits_on_equal() -> None:
    assert returned(play(PLAYER_WINS, "ana banker 10")) == {"ana banker": 0}
    assert returned(play("Ks 3c 2d Th 8s", "ana banker 10")) == {"ana banker": 19_50}
    assert play(TIE, "ana banker 10").payouts()[0].carried == 10_00


@article("55/2004", "13(3)")
def test_art_13_3_tie_wins_on_equal_points_and_loses_otherwise() -> None:
    assert returned(play(TIE, "ana tie 10")) == {"ana tie": 90_00}
    assert returned(play(PLAYER_WINS, "ana tie 10")) == {"ana tie": 0}


@article("55/2004", "13(4)")
def test_art_13_4_a_pair_is_two_first_cards_of_one_rank_whatever_colour_and_suit() -> None:
    def pairs(shoe: str) -> tuple[bool, bool]:
        result = play(shoe).result()
        return result["player_pair"], result["banker_pair"]

    assert pairs("Js Tc Jd Th 4s 9c") == (True, True)
    assert pairs("Js Tc Qd Kh 4s 9c") == (False, False)
    assert pairs("2s 4c 3d 2h 2d") == (False, False)
    assert pairs("As 2c Ad 3h 4s 7d") == (True, False)


@article("55/2004", "13(4)")
def test_art_13_4_pairs_are_decided_by_the_first_two_cards_also_in_a_tie() -> None:
    played = play("4s 9c 4d 9h", "ana tie 10", "ana player_pair 10", "ana banker_pair 10")
    assert returned(played) == {"ana tie": 90_00, "ana player_pair": 120_00, "ana banker_pair": 120_00}


@article("55/2004", "13(4)")
def test_art_13_4_the_house_need_not_offer_pairs() -> None:
    table = opened(pairs_enabled=False)
    for spot in ("player_pair", "banker_pair"):
        assert refusal(table, f"ana {spot} 10") == "13(4)"
    assert {spot.name for spot in view_for(table, None).spots} == {"player", "banker", "tie"}


@article("55/2004", "13(1)(4)(3)")
def test_lucky_six_wins_when_the_banker_wins_with_six_and_not_on_a_tie_of_six() -> None:
    six = {"lucky_six": True}
    assert returned(play("2s 4c 3d 2h Ts", "ana lucky_six 10", **six)) == {"ana lucky_six": 130_00}
    assert returned(play(TIE, "ana lucky_six 10", **six)) == {"ana lucky_six": 0}
    assert returned(play("2s 3c 3d 4h Ks", "ana lucky_six 10", **six)) == {"ana lucky_six": 0}
    assert refusal(opened(), "ana lucky_six 10") == "13(1)(4)(3)"


@article("55/2004", "14")
def test_art_14_the_difference_between_banker_and_player_is_accepted_up_to_the_limit() -> None:
    table = bet_on(opened(imbalance_limit=1000_00), "ana banker 600", "lee banker 400")
    assert refusal(table, "rui banker 1") == "14"
    table = bet_on(table, "rui player 300", "rui banker 300")
    assert refusal(table, "lee banker 1 as more") == "14"
    assert bet_on(table, "ana tie 5000", "ana player_pair 5000").layout.total("tie") == 5000_00


@article("55/2004", "14")
def test_art_14_what_is_still_open_is_offered() -> None:
    table = bet_on(opened(imbalance_limit=1000_00), "ana banker 600")
    most = {offer.spot: offer.most for offer in table.offers("rui").bets}
    assert (most["banker"], most["player"], most["tie"]) == (400_00, 1600_00, None)


# ── 15 and 16: seated and standing bettors ──────────────────────────────────────────────────────────────────


@article("55/2004", "15")
def test_art_15_standing_bettors_do_not_stake_in_the_boxes_of_the_seated() -> None:
    table = opened(seats={"ana": 3})
    assert refusal(table, "lee player 10 box 3") == "15"
    assert refusal(table, "lee player 10 box 4") == "15"
    assert bet_on(table, "lee player 10").layout.total("player") == 10_00


@article("55/2004", "15")
def test_art_15_a_seated_bettor_has_the_boxes_of_his_own_seat_only() -> None:
    table = opened(seats={"ana": 3, "rui": 4})
    assert refusal(table, "ana player 10 box 4") == "15"
    assert bet_on(table, "ana player 10 box 3", "ana tie 10 box 3", "ana player 10 as common")
    boxes = {offer.box for offer in table.offers("ana").bets}
    assert boxes == {None, 3}
    assert {offer.box for offer in table.offers("lee").bets} == {None}


def held(*bets: str, **about: Any) -> Any:
    """A table whose cards are dealt and wait to be opened."""
    return run(close(bet_on(opened(**about), *bets)), Shoe(PLAYER_WINS))


@article("55/2004", "16(1)")
def test_art_16_1_the_house_decides_whether_bettors_hold_cards() -> None:
    assert held("ana player 10", seats={"ana": 1}).holders == {Hand.PLAYER: "ana"}
    without = held("ana player 10", seats={"ana": 1}, hold_cards=False)
    assert without.phase is Phase.SETTLED
    assert without.holders == {}


@article("55/2004", "16(2)")
@article("55/2004", "15")
def test_art_16_2_what_it_costs_to_leave_a_seat() -> None:
    bets = ("ana player 10 box 1", "rui player 5", "lee banker 5")
    seats = {"ana": 1, "rui": 2}
    betting = bet_on(opened(seats=seats), *bets)
    assert view_for(betting, "ana").mine.leaving.article == "15"
    assert betting.leaving("rui") is None and betting.leaving("lee") is None
    table = held(*bets, seats=seats)
    assert (table.leaving("ana").article, table.leaving("rui")) == ("16(2)", None)
    assert str(table.leaving("ana").words) == "The dealer opens the cards that you hold"
    assert table.apply(Waive("ana", hand=Hand.PLAYER)).leaving("ana") is None
    assert table.apply(Leave("ana")).leaving("ana") is None


@article("55/2004", "15")
def test_art_15_a_stake_that_is_moved_leaves_the_box_where_its_bettor_does_not_sit() -> None:
    sitting = bet_on(opened(seats={"ana": 3}), "ana player 10 box 3")
    move = Move("ana", bet="ana player", spot="banker")
    assert sitting.apply(move).layout.get("ana player").box == 3
    left = sitting.apply(Leave("ana"))
    for table in (left, left.apply(Sit("rui", seat=3)), left.apply(Sit("ana", seat=4))):
        assert "banker" in view_for(table, "ana").mine.stakes[0].moves and move in table.offers("ana").actions
        assert table.apply(move).layout.get("ana player").box is None
    before = bet_on(opened(seats={"ana": 3}, reading=FIRST_READING), "ana player 10 box 3").apply(Leave("ana"))
    assert before.apply(Sit("rui", seat=3)).apply(move).layout.get("ana player").box == 3


@article("55/2004", "16(2)")
def test_art_16_2_the_seated_bettor_with_the_largest_stake_holds_the_cards() -> None:
    table = held(
        "rui player 300",
        "ana player 200",
        "ana player 200 as more",
        "lee player 2000",
        "lee banker 900",
        seats={"rui": 2, "ana": 5},
    )
    assert table.holders == {Hand.PLAYER: "ana"}
    assert refusal(table, Turn("rui", hand=Hand.PLAYER)) == "16(2)"
    assert refusal(table, Turn("lee", hand=Hand.PLAYER)) == "16(2)"


@article("55/2004", "16(2)")
def test_art_16_2_pair_bets_make_no_holder() -> None:
    table = held("rui player 20", "ana player 10", "ana player_pair 500", seats={"rui": 2, "ana": 5})
    assert table.holders == {Hand.PLAYER: "rui"}


@article("55/2004", "16(2)")
def test_art_16_2_a_holder_who_leaves_holds_nothing_more_and_the_dealer_opens_at_once() -> None:
    table = held("ana player 10", seats={"ana": 1})
    assert table.next_house_step() is None
    left = table.apply(Leave("ana"))
    assert left.next_house_step() == Step(Turn(HOUSE, hand=Hand.PLAYER))
    assert left.wait != table.wait
    assert returned(run(left, Shoe())) == {"ana player": 20_00}


@article("55/2004", "16(2)")
def test_art_16_2_the_drawn_card_is_not_looked_at_together_with_the_first_two() -> None:
    table = run(close(bet_on(opened(seats={"ana": 1}), "ana player 10")), Shoe("Ks 3c 2d Th"))
    assert table.next_house_step() is None
    with pytest.raises(AssertionError):
        table.apply(DrawCard(card=cards("8s")[0]))
    table = run(table.apply(Turn("ana", hand=Hand.PLAYER)), Shoe("8s"))
    assert table.phase is Phase.PLAYER_THIRD
    assert [card.face is None for card in view_for(table, None).player.cards] == [False, False, True]
    assert all(card.face is not None for card in view_for(table, "ana").player.cards)


@article("55/2004", "B-A9")
def test_b_a9_only_the_holder_waives() -> None:
    table = held("ana player 10", "rui player 5", seats={"ana": 1, "rui": 2})
    assert refusal(table, Waive("rui", hand=Hand.PLAYER)) == "16(2)"
    assert table.apply(Waive("ana", hand=Hand.PLAYER)).next_house_step() == Step(Turn(HOUSE, hand=Hand.PLAYER))


@article("55/2004", "B-A9", "9")
@pytest.mark.parametrize(("cards", "waives"), [("9s 2c Kd 3h", False), ("2s 2c 4d 3h", False), ("2s 2c 3d 3h", True)])
def test_b_a9_a_hand_that_draws_nothing_more_is_not_offered_to_the_dealer(cards: str, *, waives: bool) -> None:
    table = run(close(bet_on(opened(seats={"ana": 1}), "ana player 10")), Shoe(cards))
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    waive = Waive("ana", hand=Hand.PLAYER)
    assert (waive in table.offers("ana").actions) is waives
    assert (Hand.PLAYER in view_for(table, "ana").mine.may_waive) is waives
    if waives:
        table.apply(waive)
    else:
        assert refusal(table, waive) == "16(2)"


# ── 17 to 19 and the notes ──────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "17")
def test_art_17_what_each_bet_pays() -> None:
    natural = play(PLAYER_WINS, "ana player 10", "ana tie 10")
    assert returned(natural) == {"ana player": 20_00, "ana tie": 0}
    both = play("4s 9c 4d 9h", "ana tie 10", "ana player_pair 10", "ana banker_pair 10")
    assert returned(both) == {"ana tie": 90_00, "ana player_pair": 120_00, "ana banker_pair": 120_00}
    assert {payout.why.article for payout in both.payouts()} == {"17"}
    assert returned(play("Ks 3c 2d Th 8s", "ana banker 10", commission_mode="no_commission_six_half")) == {
        "ana banker": 20_00
    }


@article("55/2004", "17(5)")
def test_art_17_5_lucky_six_pays_12_with_two_cards_and_20_with_three() -> None:
    assert returned(play("2s 4c 3d 2h Ts", "ana lucky_six 10", lucky_six=True)) == {"ana lucky_six": 130_00}
    assert returned(play("2s Ac 3d Kh 9s 5h", "ana lucky_six 10", lucky_six=True)) == {"ana lucky_six": 210_00}


@article("55/2004", "18")
def test_art_18_the_house_chooses_one_of_two_commissions() -> None:
    banker_six = "2s 4c 3d 2h Ts"
    assert options().commission_mode == "five_percent"
    assert returned(play(banker_six, "ana banker 100")) == {"ana banker": 195_00}
    assert returned(play(banker_six, "ana banker 100", commission_mode="no_commission_six_half")) == {
        "ana banker": 150_00
    }


@article("55/2004", "18(1)")
def test_art_18_1_the_house_takes_five_per_cent_of_what_banker_wins() -> None:
    (payout,) = play("Ks 3c 2d Th 8s", "ana banker 1").payouts()
    assert (payout.stake, payout.returned, payout.commission, payout.why.article) == (1_00, 1_95, 5, "18(1)")


@article("55/2004", "18(1)")
def test_art_18_1_there_is_no_commission_on_other_bets_nor_on_a_tie() -> None:
    played = play("2s 4c 3d 4h", "ana banker_pair 10", "ana player 10", "ana banker 10")
    assert {payout.spot: payout.commission for payout in played.payouts()} == {
        "banker_pair": 0,
        "player": 0,
        "banker": 50,
    }
    assert play(TIE, "ana banker 10").payouts()[0].commission == 0


@article("55/2004", "18(2)")
def test_art_18_2_or_no_commission_and_half_on_a_win_with_six() -> None:
    for shoe, back in (("2s 4c 3d 2h Ts", 150_00), ("2s Ac 3d Kh 9s 5h", 150_00), ("2s 3c 3d 4h Ks", 200_00)):
        (payout,) = play(shoe, "ana banker 100", **FREE).payouts()
        assert (payout.returned, payout.commission, payout.why.article) == (back, 0, "18(2)")
    assert returned(play("2s 4c 3d 2h Ts", "ana banker 1", **FREE)) == {"ana banker": 1_50}


SIX = "2s 4c 3d 2h Ts"  # in two cards
SIX_IN_THREE = "2s Ac 3d Kh 9s 5h"


@article("55/2004", "11")
@article("55/2004", "12")
@article("55/2004", "17")
@article("55/2004", "18")
@pytest.mark.parametrize(
    ("coup", "spot", "given", "said"),
    [
        (PLAYER_WINS, "player", {}, "17 Player wins, 9 to 7"),
        (PLAYER_WINS, "banker", {}, "11 Player wins, 9 to 7"),
        (PLAYER_WINS, "tie", {}, "11 Player wins, 9 to 7"),
        (PLAYER_WINS, "player_pair", {}, "13(4) The first two cards of the hand are no pair"),
        ("4s Kc 4d 7h", "player_pair", {}, "17 The first two cards of the hand are a pair"),
        (TIE, "tie", {}, "17 Tie at 6"),
        (TIE, "player", {}, "12 Tie at 6: the stake stays for the next round"),
        (TIE, "player", {"tie_policy": "return"}, "12(1) Tie at 6: the stake is returned"),
        (SIX, "player", {}, "11 Banker wins, 6 to 5"),
        (SIX, "banker", {}, "18(1) Banker wins, 6 to 5, less a commission of 5 per cent"),
        (SIX, "banker", FREE, "18(2) The Banker wins with 6: half is paid, without commission"),
        ("2s 3c 3d 4h Ks", "banker", FREE, "18(2) Banker wins, 7 to 5, without commission"),
        (SIX, "lucky_six", FREE, "17(5) The Banker wins with 6 in 2 cards"),
        (SIX_IN_THREE, "lucky_six", FREE, "17(5) The Banker wins with 6 in 3 cards"),
        (PLAYER_WINS, "lucky_six", FREE, "13(1)(4)(3) The Banker does not win with 6"),
    ],
)
def test_art_17_a_stake_is_told_by_which_article_it_ended(coup: str, spot: str, given: Any, said: str) -> None:
    sold = {"pairs_enabled": True, "lucky_six": spot == "lucky_six", **given}
    ended = play(coup, "ana player 20", f"ana {spot} 10 as other", **sold).payouts()
    assert [f"{paid.why.article} {paid.why.words}" for paid in ended if paid.bet == "other"] == [said]


@article("55/2004", "18(2)")
def test_art_18_2_came_with_dispatch_73_2005() -> None:
    with pytest.raises(OptionError):
        options(edition="55/2004", commission_mode="no_commission_six_half")
    assert options(edition="55/2004+73/2005", commission_mode="no_commission_six_half")


@article("55/2004", "note 1")
def test_note_1_stakes_on_banker_are_the_minimum_or_a_multiple_of_it() -> None:
    table = opened(min_bet=50_00)
    assert refusal(table, "ana banker 75") == "note 1"
    assert bet_on(table, "ana banker 50", "ana banker 150 as more", "ana player 75")
    assert bet_on(opened(min_bet=50_00, banker_multiple_of_min=False), "ana banker 75")


@article("55/2004", "note 2")
def test_note_2_at_sjm_a_bettor_may_only_add_after_a_tie() -> None:
    assert may("no_move") == {"withdraw": False, "lower": False, "move": False, "add": True}
