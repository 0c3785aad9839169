"""Baccarat where the regulation is silent: the rulings B-A1 to B-A18, and what we set ourselves."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games import GAMES
from tables.games.baccarat import PassHand, Phase, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import (
    HOUSE,
    CloseBets,
    Cut,
    DrawCard,
    Leave,
    Lower,
    Move,
    Ready,
    Sit,
    Void,
    WhiteCard,
    Withdraw,
)
from tables.games.contract.round import Opening
from tests.kit import (
    Shoe,
    article,
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


def squeezed(shoe: str = "2s 3c 3d 5h", **about: Any) -> Any:
    """A table whose cards are dealt, ana holds the Player and rui the Banker, and both have to peel."""
    about = {"seats": {"ana": 1, "rui": 2, "lee": 3}, "squeeze": True, **about}
    return run(close(bet_on(opened(**about), "ana player 10", "rui banker 10", "lee player 5")), Shoe(shoe))


def peelable(table: Any, who: str | None) -> dict[str, str]:
    """What somebody may peel: place -> card."""
    return {place: str(card) for place, card in BACCARAT.peels(table, who).items()}


@article("55/2004", "B-A18", "7(1)", "16(2)")
def test_b_a18_the_holder_alone_peels_the_cards_that_are_to_be_opened_now() -> None:
    table = squeezed()
    assert peelable(table, "ana") == peelable(table, None) == {"player-0": "2s", "player-1": "3d"}
    assert not any(peelable(table, who) for who in ("rui", "lee", "kai"))
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    assert peelable(table, "rui") == peelable(table, None) == {"banker-0": "3c", "banker-1": "5h"}
    assert not peelable(table, "ana")
    waived = table.apply(Waive("rui", hand=Hand.BANKER))
    assert not peelable(waived, "rui") and not peelable(waived, None)
    passed = squeezed().apply(PassHand("ana", hand=Hand.PLAYER, to="lee"))
    assert peelable(passed, "lee") and not peelable(passed, "ana")


@article("55/2004", "B-A18")
def test_b_a18_the_holder_sees_no_face_before_it_is_turned() -> None:
    table = squeezed()
    for who in ("ana", "rui", "lee", None):
        seen = view_for(table, who)
        assert all(card.face is None for hand in seen.hands for card in hand.cards)
        assert all(hand.total is None for hand in seen.hands)
    looked = squeezed(squeeze=False)
    assert all(card.face for card in view_for(looked, "ana").player.cards)


@article("55/2004", "B-A18", "16(2)")
def test_b_a18_each_card_is_turned_by_itself() -> None:
    table = squeezed()
    offered = table.offers("ana").actions
    assert {Turn("ana", hand=Hand.PLAYER, card=0), Turn("ana", hand=Hand.PLAYER, card=1)} <= set(offered)
    one = table.apply(Turn("ana", hand=Hand.PLAYER, card=1))
    assert one.phase is Phase.OPEN_PLAYER and one.wait != table.wait
    assert [card.face is not None for card in view_for(one, None).player.cards] == [False, True]
    assert peelable(one, "ana") == {"player-0": "2s"}
    assert refusal(one, Turn("ana", hand=Hand.PLAYER, card=1)) == "B-A18"
    assert refusal(one, Turn("ana", hand=Hand.PLAYER, card=2)) == "B-A18"
    assert refusal(one, Turn("rui", hand=Hand.PLAYER, card=0)) == "16(2)"
    both = one.apply(Turn("ana", hand=Hand.PLAYER, card=0))
    assert both.phase is Phase.OPEN_BANKER
    assert one.apply(Turn("ana", hand=Hand.PLAYER)).face_up == both.face_up
    assert refusal(squeezed(squeeze=False), Turn("ana", hand=Hand.PLAYER, card=0)) == "B-A18"


@article("55/2004", "B-A18", "B-A10")
def test_b_a18_the_third_card_is_peeled_when_the_first_two_lie_open() -> None:
    table = squeezed("2s 3c 3d 4h").apply(Turn("ana", hand=Hand.PLAYER)).apply(Turn("rui", hand=Hand.BANKER))
    assert not peelable(table, None)
    table = run(table, Shoe("8s"))
    assert peelable(table, "ana") == {"player-2": "8s"}
    assert run(table.apply(Turn("ana", hand=Hand.PLAYER, card=2)), Shoe()).phase is not Phase.PLAYER_THIRD


@article("55/2004", "B-A18", "16(1)", "7(2)", "B-A13")
def test_b_a18_nothing_is_peeled_where_nobody_holds_cards_and_no_card_that_lies_open() -> None:
    assert not peelable(squeezed(squeeze=False), None)
    assert not peelable(squeezed("4s Kc 5d 7h", hold_cards=False), None)
    dealt = close(bet_on(opened(squeeze=True, seats={"ana": 1}), "ana player 10"))
    for text, exposed in (("2s", True), ("3c", False), ("3d", False), ("5h", False)):
        dealt = dealt.apply(DrawCard(card=cards(text)[0], exposed=exposed))
    assert peelable(dealt, "ana") == {"player-1": "3d"}


@article("55/2004", "B-A18")
def test_b_a18_a_hand_that_nobody_peels_is_opened_after_eight_seconds() -> None:
    table = squeezed()
    assert BACCARAT.seconds(table) == 8
    assert BACCARAT.seconds(squeezed(squeeze_seconds=20)) == 20
    assert run(table, Shoe(), impatient=True).phase is Phase.SETTLED
    assert BACCARAT.seconds(table.apply(Waive("ana", hand=Hand.PLAYER))) is None
    assert BACCARAT.seconds(squeezed(squeeze=False)) is None


PLAYER_WINS = "4s Kc 5d 7h"
TIE = "Ts 4c 6d 2h"


@article("55/2004", "B-A1")
@pytest.mark.parametrize(
    ("indicator", "rank", "gone"),
    [
        ("extra", "A", 2), ("extra", "7", 8), ("extra", "9", 10), ("extra", "T", 11), ("extra", "Q", 11),
        ("counted", "A", 1), ("counted", "7", 7), ("counted", "9", 9), ("counted", "T", 10), ("counted", "Q", 10),
    ],
)  # fmt: skip
def test_b_a1_court_cards_and_tens_burn_ten_and_the_indicator_is_extra_or_counted(
    indicator: str, rank: str, gone: int
) -> None:
    table = opened(ceremony=True, burn_mode="by_first_card", burn_indicator=indicator).apply(Cut(HOUSE, position=1))
    table = run(table, Shoe(f"{rank}d " + "2s 3s 4s 5s 6s 7s 8s 9s Ts Js"[: 3 * (gone - 1)]))
    assert table.phase is Phase.BETTING
    assert view_for(table, None).burn.burnt == gone


@article("55/2004", "B-A1")
def test_b_a1_only_the_indicator_is_turned_up() -> None:
    by_card = opened(ceremony=True, burn_mode="by_first_card").apply(Cut(HOUSE, position=1))
    assert view_for(by_card.apply(DrawCard(card=cards("3d")[0])), None).burn.indicator == cards("3d")[0]
    by_decks = opened(ceremony=True).apply(Cut(HOUSE, position=1))
    assert view_for(by_decks.apply(DrawCard(card=cards("3d")[0])), None).burn.indicator is None


@article("55/2004", "B-A2")
def test_b_a2_the_house_chooses_between_last_round_and_one_more() -> None:
    during = close(opened(last_round_rule="one_more_round")).apply(DrawCard(card=cards("4s")[0])).apply(WhiteCard())
    after = finish(during, "Kc 5d 7h")
    assert after.next_is_last and not after.ends_shoe
    following = BACCARAT.opened(options(last_round_rule="one_more_round"), Opening(last_round=True))
    assert finish(following, PLAYER_WINS).ends_shoe


@article("55/2004", "B-A4")
def test_b_a4_the_house_fixes_the_menu_and_the_bettor_picks_from_it() -> None:
    offered: dict[str, set[str]] = {}
    for policy in ("free", "no_reduce", "no_move"):
        carried = play(TIE, "ana banker 50", tie_policy=policy).carried()
        table = BACCARAT.opened(options(tie_policy=policy), Opening(carried=carried))
        offered[policy] = {action.do for action in table.offers("ana").actions}
    assert offered == {
        "free": {"withdraw", "lower", "move", "ready"},
        "no_reduce": {"move", "ready"},
        "no_move": {"ready"},
    }


@article("55/2004", "B-A5")
@pytest.mark.parametrize("main", ["player", "banker", "tie"])
def test_b_a5_withdrawing_the_last_main_bet_withdraws_the_pair_bets(main: str) -> None:
    table = bet_on(
        opened(lucky_six=True),
        "ana player_pair 10", f"ana {main} 10", "ana banker_pair 10", "ana lucky_six 10", "rui player_pair 10",
    )  # fmt: skip
    after = table.apply(Withdraw("ana", bet=f"ana {main}"))
    assert after.in_escrow() == {"ana lucky_six": 10_00, "rui player_pair": 10_00}
    two = bet_on(table, "ana tie 10 as another").apply(Withdraw("ana", bet=f"ana {main}"))
    assert "ana player_pair" in two.in_escrow()
    relaxed = bet_on(opened(pair_requires_main=False), "ana player_pair 10", "ana tie 10")
    assert relaxed.apply(Withdraw("ana", bet="ana tie")).in_escrow() == {"ana player_pair": 10_00}


@article("55/2004", "B-A5")
def test_b_a5_a_pair_bet_alone_is_taken_down_when_betting_closes_and_returned() -> None:
    table = close(bet_on(opened(), "ana player_pair 10", "rui player 10"))
    assert [(refused.bet, refused.why.article) for refused in table.refusals] == [("ana player_pair", "13(4)")]
    assert "ana player_pair" not in table.in_escrow()


@article("55/2004", "B-A5")
def test_b_a5_lucky_six_needs_no_main_bet_and_makes_none() -> None:
    table = close(bet_on(opened(lucky_six=True), "ana lucky_six 10", "rui lucky_six 10", "rui banker_pair 10"))
    assert table.in_escrow() == {"ana lucky_six": 10_00, "rui lucky_six": 10_00}


@article("55/2004", "B-A6")
def test_b_a6_a_natural_ends_the_round_also_where_9_3_would_have_the_bank_draw() -> None:
    for natural in ("8", "9"):
        for bank in ("Kc Qh", "Ac Kh", "2c Kh"):
            first, second = bank.split()
            played = play(f"Ks {first} {natural}d {second}")
            assert len(played.coup.banker) == 2
            assert view_for(played, None).banker.note.article == "9(4)(6)"


@article("55/2004", "B-A7")
def test_b_a7_any_card_of_no_value_is_a_third_card_of_ten() -> None:
    for rank in "TJQK":
        assert view_for(play(f"Ks 3c 2d Th {rank}d 9h"), None).banker.note.article == "9(3)(2)"
        assert len(play(f"Ks 4c 2d Th {rank}d").coup.banker) == 2


@article("55/2004", "B-A8")
def test_b_a8_the_limit_is_on_the_difference_not_on_each_side() -> None:
    table = bet_on(opened(imbalance_limit=100_00), "a banker 100", "b player 200", "c banker 200", "d player 200")
    assert table.layout.total("banker") == 300_00
    assert table.layout.total("player") == 400_00


def dealt(*bets: str, **about: Any) -> Any:
    """A table whose cards wait to be opened."""
    return run(close(bet_on(opened(**about), *bets)), Shoe(PLAYER_WINS))


@article("55/2004", "B-A9")
def test_b_a9_each_hand_has_its_own_holder() -> None:
    table = dealt("ana player 10", "rui banker 10", "ana banker 5", seats={"ana": 1, "rui": 2})
    assert table.holders == {Hand.PLAYER: "ana", Hand.BANKER: "rui"}


@article("55/2004", "B-A9")
def test_b_a9_of_equal_stakes_the_earlier_one_holds() -> None:
    """In a log no two stakes lie there equally long, so the seat never has to decide."""
    assert dealt("rui player 10", "ana player 10", seats={"ana": 1, "rui": 2}).holders == {Hand.PLAYER: "rui"}
    moved = opened(seats={"ana": 1, "rui": 2})
    moved = bet_on(moved, "ana banker 10", "rui player 10").apply(Move("ana", bet="ana banker", spot="player"))
    assert run(close(moved), Shoe(PLAYER_WINS)).holders == {Hand.PLAYER: "rui"}


@article("55/2004", "B-A9")
def test_b_a9_the_right_is_passed_to_a_seated_bettor_with_a_stake_on_the_hand() -> None:
    table = dealt("ana player 10", "rui player 5", "eva banker 5", "lee player 5", seats={"ana": 1, "rui": 2, "eva": 3})
    for other in ("ana", "eva", "lee", "nobody"):
        assert refusal(table, PassHand("ana", hand=Hand.PLAYER, to=other)) == "16(2)"
    assert refusal(table, PassHand("rui", hand=Hand.PLAYER, to="rui")) == "16(2)"
    passed = table.apply(PassHand("ana", hand=Hand.PLAYER, to="rui"))
    assert passed.wait == table.wait, "the clock is not set anew"
    assert refusal(passed, Turn("ana", hand=Hand.PLAYER)) == "16(2)"
    assert view_for(passed, "ana").player.cards[0].face is None
    assert view_for(passed, "rui").player.cards[0].face is not None
    assert passed.apply(Turn("rui", hand=Hand.PLAYER)).is_open(Hand.PLAYER)


@article("55/2004", "B-A10")
def test_b_a10_the_third_card_is_dealt_when_the_first_two_of_both_hands_lie_open() -> None:
    table = run(close(bet_on(opened(seats={"rui": 2}), "rui banker 10")), Shoe("Ks 3c 2d Th"))
    assert table.phase is Phase.OPEN_BANKER
    assert table.next_house_step() is None
    table = table.apply(Turn("rui", hand=Hand.BANKER))
    assert table.phase is Phase.PLAYER_THIRD
    assert refusal(table, Turn("rui", hand=Hand.BANKER)) == "7(1)"


@article("55/2004", "B-A11")
def test_b_a11_commission_is_taken_on_each_winning_banker_stake_by_itself() -> None:
    played = play("Ks 3c 2d Th 8s", "ana banker 1", "ana banker 3 as two", "ana player 100", "rui banker 7")
    assert [payout.commission for payout in played.payouts()] == [5, 15, 0, 35]


@article("55/2004", "B-A12")
def test_b_a12_in_a_void_round_decided_pairs_are_not_honoured() -> None:
    table = close(bet_on(opened(), "ana player 10", "ana player_pair 10"))
    for card in cards("4s 9c 4d"):
        table = table.apply(DrawCard(card=card))
    assert returned(table.apply(Void())) == {"ana player": 10_00, "ana player_pair": 10_00}


@article("55/2004", "B-A13")
def test_b_a13_a_hand_whose_cards_came_out_face_up_is_open_without_being_turned() -> None:
    table = close(bet_on(opened(seats={"ana": 1, "rui": 2}), "ana player 10", "rui banker 10"))
    for at, card in enumerate(cards(PLAYER_WINS)):
        table = table.apply(DrawCard(card=card, exposed=at in (1, 3)))
    assert table.phase is Phase.OPEN_PLAYER
    assert view_for(table, None).banker.open
    table = table.apply(Turn("ana", hand=Hand.PLAYER))
    assert table.phase is Phase.RESULT


@article("55/2004", "B-A14")
def test_b_a14_demonstrations_take_no_bets_and_spend_their_cards() -> None:
    table = opened(ceremony=True, demo_rounds=1, burn_mode="fixed_n", burn_fixed_n=1).apply(Cut(HOUSE, position=1))
    table = table.apply(DrawCard(card=cards("2s")[0]))
    assert table.phase is Phase.DEMO
    assert refusal(table, "ana player 10") == "closed"
    for card in cards("Ks 3c 2d Th"):
        table = table.apply(DrawCard(card=card))
    (demo,) = view_for(table, None).demos
    assert str(demo.player.note.words) == "The Player draws on 2"
    assert (demo.banker.note, demo.outcome) == (None, None)
    assert demo.player.open and demo.banker.open
    table = run(table, Shoe("8s"))
    (demo,) = view_for(table, None).demos
    assert [str(card.face) for card in demo.player.cards] == ["Ks", "2d", "8s"]
    assert str(demo.banker.note.words) == "The Banker stands on 3 against an 8"
    assert demo.outcome.winner == "banker"
    assert table.phase is Phase.BETTING
    assert table.coup.player == ()


@article("55/2004", "B-A15")
def test_b_a15_the_notes_after_article_18_are_not_law() -> None:
    for note in ("note 1", "note 2"):
        assert not BACCARAT.articles[note].law
    assert options().banker_multiple_of_min
    assert options().tie_policy == "free"


@article("55/2004", "B-A16")
def test_b_a16_a_carried_stake_waits_for_the_next_shoe_whoever_sits_where() -> None:
    tied = play(TIE, "ana banker 50 box 3", seats={"ana": 3})
    following = BACCARAT.opened(options(), Opening({"ana": 5}, tied.carried(), ceremony=True, first_round=True))
    following = run(following.apply(Leave("ana")).apply(Cut(HOUSE, position=1)), Shoe("2s " * 8))
    assert returned(finish(following, "Ks 3c 2d Th 8s")) == {"ana banker": 97_50}


# ── What we set ourselves ───────────────────────────────────────────────────────────────────────────────────


@article("55/2004", "credits")
@pytest.mark.parametrize("amount", ["0", "-1", "0.5", "1.01"])
def test_stakes_are_whole_credits(amount: str) -> None:
    assert refusal(opened(), f"ana player {amount}") == "credits"
    table = bet_on(opened(), "ana player 10")
    assert refusal(table, Lower("ana", bet="ana player", amount=round(float(amount) * 100))) == "credits"


@article("55/2004", "minimum")
def test_a_stake_is_not_below_the_minimum_of_its_spot() -> None:
    table = opened(min_bet={"player": 500_00, "tie": 50_00})
    assert refusal(table, "ana player 499") == "minimum"
    assert bet_on(table, "ana player 500", "ana tie 50", "ana banker 1")
    placed = bet_on(table, "ana player 600")
    assert refusal(placed, Lower("ana", bet="ana player", amount=101_00)) == "minimum"
    assert refusal(placed, Lower("ana", bet="ana player", amount=600_00)) == "credits", "that would be a withdrawal"
    assert refusal(bet_on(table, "ana tie 50"), Move("ana", bet="ana tie", spot="player")) == "minimum"


@article("55/2004", "maximum")
def test_a_bettors_stakes_on_a_spot_are_not_above_the_maximum() -> None:
    table = bet_on(opened(max_bet=100_00, seats={"ana": 3}), "ana player 60", "ana player 30 box 3 as boxed")
    assert refusal(table, "ana player 11 as more") == "maximum"
    assert refusal(table, "ana player 11 box 3 as more") == "maximum"
    table = bet_on(table, "rui player 100", "ana banker 20", "ana player 10 as more")
    assert refusal(table, Move("ana", bet="ana banker", spot="player")) == "maximum"


@article("55/2004", "trim")
def test_stakes_above_the_limit_are_trimmed_newest_first_and_fresh_before_carried() -> None:
    table = opened("old banker 500", "new banker 500", "op player 700", imbalance_limit=300_00)
    table = bet_on(table, "x player 600", "y banker 600").apply(Withdraw("x", bet="x player"))
    table = close(table)
    assert [(trim.bet, trim.amount, trim.left) for trim in table.trims] == [("y banker", 600_00, 0)]
    assert all(trim.why.article == "14" for trim in table.trims)
    tighter = opened("old banker 500", "new banker 500", "op player 300", imbalance_limit=300_00)
    tighter = close(bet_on(tighter, "x player 500", "y banker 100").apply(Withdraw("x", bet="x player")))
    assert [(trim.bet, trim.amount, trim.left) for trim in tighter.trims] == [
        ("y banker", 100_00, 0),
        ("new banker", 400_00, 100_00),
    ]
    assert tighter.in_escrow() == {"old banker": 500_00, "new banker": 100_00, "op player": 300_00}


@article("55/2004", "trim")
def test_a_fresh_stake_is_trimmed_before_a_carried_one_that_was_moved_there_later() -> None:
    table = opened("old player 100", "op player 700", imbalance_limit=300_00)
    table = bet_on(table, "y banker 1000", "x player 500").apply(Move("old", bet="old player", spot="banker"))
    table = close(table.apply(Withdraw("x", bet="x player")))
    assert [(trim.bet, trim.amount, trim.left) for trim in table.trims] == [("y banker", 100_00, 900_00)]


@article("55/2004", "trim")
def test_what_is_left_of_a_trimmed_stake_is_a_legal_bet() -> None:
    table = close(opened("a banker 100", imbalance_limit=97_00, min_bet=50_00))
    assert table.in_escrow() == {"a banker": 50_00}
    assert close(opened("a player 100", imbalance_limit=97_00, min_bet=50_00)).in_escrow() == {"a player": 97_00}
    assert close(opened("a player 100", imbalance_limit=40_00, min_bet=50_00)).in_escrow() == {}


@article("55/2004", "closed")
def test_nothing_is_bet_or_changed_after_betting_has_closed() -> None:
    table = close(bet_on(opened(seats={"ana": 1}), "ana player 10"))
    for action in (
        "ana tie 10",
        Withdraw("ana", bet="ana player"),
        Lower("ana", bet="ana player", amount=1_00),
        Move("ana", bet="ana player", spot="tie"),
        Ready("ana"),
    ):
        assert refusal(table, action) == "closed"
        assert refusal(finish(table, PLAYER_WINS), action) == "closed"
        table.in_escrow()
    with pytest.raises(AssertionError):
        table.apply(CloseBets())


@article("55/2004", "seat")
def test_each_seat_has_one_bettor_and_only_the_seated_cut() -> None:
    table = opened(seats={"ana": 1}, ceremony=True)
    assert refusal(table, Sit("rui", seat=1)) == "seat"
    assert refusal(table, Cut("lee", position=100)) == "2(1)"
    assert table.apply(Sit("ana", seat=2)).apply(Sit("rui", seat=1)).seats == {"ana": 2, "rui": 1}
    assert refusal(opened(), Ready("lee")) == "seat"
