"""The rulings on Cussec, C-A1 to C-A13 (rulebook, section 9)."""

from __future__ import annotations

import pytest

from tables.games.contract.actions import NullThrow
from tables.games.cussec.bets import BETS, FOURS, WON
from tables.games.cussec.dice import RESULTS
from tables.games.values.money import Odds
from tests.kit import article, returned

from .cussec_kit import GAME, betting, finish, opened, play, rung


def why(shown: str, spot: str) -> str:
    """The rule with which a stake of 10 credits on this spot is settled."""
    (payout,) = play(shown, f"ana {spot} 10").payouts()
    return str(payout.why.article)


def back(shown: str, spot: str) -> int:
    """What comes back of 10 credits, in credits."""
    return returned(play(shown, f"ana {spot} 10"))[f"ana {spot}"] // 100


def test_nothing_is_called_law_as_no_article_is_known() -> None:
    assert not any(about.law for about in GAME.articles.values())
    assert {spot.article for spot in GAME.spots.values()} == {"CS-8", "C-A6", "C-A8"}


@article("57/2004", "C-A2")
@pytest.mark.parametrize(("face", "credits"), [(2, 150), (3, 70), (4, 70), (5, 150)])
def test_totals_win_on_a_triple(face: int, credits: int) -> None:
    shown, spot = f"{face} {face} {face}", f"total_{3 * face}"
    assert (back(shown, spot), why(shown, spot)) == (credits, "C-A2")


@article("57/2004", "C-A3")
def test_a_double_wins_on_a_triple_once() -> None:
    assert (back("5 5 5", "double_5"), why("5 5 5", "double_5")) == (90, "C-A3")
    assert (back("5 2 5", "double_5"), why("5 2 5", "double_5")) == (90, "CS-8")


@article("57/2004", "C-A4")
def test_a_single_number_wins_3_to_1_on_a_triple() -> None:
    assert (back("5 5 5", "single_5"), why("5 5 5", "single_5")) == (40, "C-A4")
    assert (back("5 1 5", "single_5"), back("5 1 2", "single_5"), back("4 1 2", "single_5")) == (30, 20, 0)


@article("57/2004", "C-A5")
def test_two_dice_are_paid_once_though_one_number_shows_twice() -> None:
    assert (back("3 3 5", "pair_3_5"), why("3 3 5", "pair_3_5")) == (60, "C-A5")
    assert (back("1 3 5", "pair_3_5"), why("1 3 5", "pair_3_5")) == (60, "CS-8")
    assert back("3 3 3", "pair_3_5") == 0


@article("57/2004", "C-A6")
def test_the_four_sets_of_four_numbers() -> None:
    assert FOURS == ((1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6))
    assert [name for name, bet in BETS.items() if bet.faces in FOURS] == [
        "four_1234",
        "four_2345",
        "four_2356",
        "four_3456",
    ]


@article("57/2004", "C-A7")
def test_four_numbers_lose_when_one_shows_twice() -> None:
    assert (back("2 2 3", "four_1234"), why("2 2 3", "four_1234")) == (0, "C-A7")
    assert (back("3 4 2", "four_1234"), back("3 4 5", "four_1234")) == (80, 0)
    assert why("3 4 2", "four_1234") == "C-A7"
    assert why("3 4 5", "four_1234") == "CS-8"


@article("57/2004", "C-A8")
def test_odd_and_even_are_offered_and_may_be_left_out() -> None:
    assert {"odd", "even"} <= {offer.spot for offer in betting().offers("ana").bets}
    without = {offer.spot for offer in betting(odd_even_enabled=False).offers("ana").bets}
    assert not {"odd", "even"} & without and len(without) == 54


@article("57/2004", "C-A9")
def test_the_dice_are_shaken_before_betting() -> None:
    assert opened().phase == "shake" and betting().seal is not None


@article("57/2004", "C-A10")
def test_dice_that_cannot_be_read_decide_nothing() -> None:
    round_ = finish(rung("ana big 10").apply(NullThrow(reason="cocked")), "")
    assert round_.is_void and returned(round_) == {"ana big": 10_00}
    assert [payout.why.article for payout in round_.payouts()] == ["C-A10"]
    stands = rung("ana big 10", cocked_dice="reshake_bets_stand").apply(NullThrow(reason="cocked"))
    assert not finish(stands, "6 5 4").is_void


@article("57/2004", "C-A11")
def test_totals_5_and_16_pay_18_to_1() -> None:
    assert GAME.spots["total_5"].odds == GAME.spots["total_16"].odds == (Odds(18),)
    assert (back("1 2 2", "total_5"), back("6 5 5", "total_16")) == (190, 190)


@article("57/2004", "C-A12")
def test_every_winning_bet_is_settled_by_itself() -> None:
    bets = [f"ana {spot} 1000000 as {spot}" for spot in WON[(6, 6, 6)]]
    assert returned(play("6 6 6", *bets)) == {
        "double_6": 9_000_000_00,
        "triple_6": 151_000_000_00,
        "any_triple": 25_000_000_00,
        "single_6": 4_000_000_00,
    }


@article("57/2004", "C-A13")
def test_nothing_is_rounded() -> None:
    assert all(odds.stake == 1 for result in RESULTS for odds in WON[result.dice].values())
    assert all(payout.returned % 100 == 0 for payout in play("2 2 2", *(f"ana {spot} 7" for spot in BETS)).payouts())
