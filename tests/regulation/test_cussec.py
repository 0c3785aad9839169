"""Cussec, rule by rule (rulebook, sections 2 and 4 to 7): the round, what may be changed, what spoils a throw."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.actions import (
    HOUSE,
    Action,
    Chance,
    CloseBets,
    Draw,
    Leave,
    Lower,
    Move,
    NullThrow,
    PlaceBet,
    Ready,
    Seal,
    Settle,
    Sit,
    Step,
    Unseal,
    Void,
    VoidReason,
    Withdraw,
)
from tables.games.contract.round import Pace
from tables.games.cussec.bets import BETS
from tables.games.cussec.dice import RESULTS
from tables.games.cussec.settling import terms
from tables.games.values.words import say
from tests.kit import article, bet_on, close, refusal, returned, view_for

from .cussec_kit import GAME, betting, carried, finish, opened, options, play, rung, seal

OPENED = Unseal(values=(4, 3, 3), salt="salt")

# ── The dice and the layout ─────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "CS-1")
def test_three_dice_with_six_faces_are_thrown() -> None:
    throw = GAME.throw(options())
    assert throw is not None
    assert (throw.count, throw.least, throw.most, throw.null) == (3, 1, 6, False)
    for values in ((1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), ()):
        with pytest.raises(AssertionError):
            rung().apply(Unseal(values=values))


@article("57/2004", "CS-1")
@pytest.mark.parametrize(
    ("shown", "result"),
    [
        ("4 4 2", {"dice": [2, 4, 4], "total": 10, "triple": False}),
        ("6 6 6", {"dice": [6, 6, 6], "total": 18, "triple": True}),
        ("3 2 1", {"dice": [1, 2, 3], "total": 6, "triple": False}),
    ],
)
def test_the_result_is_told_from_the_lowest_die_to_the_highest(shown: str, result: dict[str, Any]) -> None:
    round_ = play(shown)
    assert round_.result() == result
    outcome = view_for(round_, None).outcome
    assert (" ".join(map(str, outcome.thrown)), list(outcome.dice)) == (shown, result["dice"])


@article("57/2004", "CS-2")
@article("57/2004", "CS-4")
def test_the_cover_is_locked_and_the_lever_pressed_before_bets_are_taken() -> None:
    round_ = opened()
    assert (round_.phase, round_.next_house_step(), round_.pace) == ("shake", Draw(Chance.SEAL), Pace.BEAT)
    view = view_for(round_, None)
    assert view.covered and not view.shaken and view.commitment is None and not view.open
    assert refusal(round_, "ana big 10") == "closed"
    after = round_.apply(Seal(commitment="c0ffee"))
    assert (after.phase, after.next_house_step(), after.pace) == ("betting", None, Pace.BETTING)
    view = view_for(after, None)
    assert view.covered and view.shaken and view.open and view.shakes == 3
    assert (view.commitment, view.salt, view.outcome) == ("c0ffee", "", None)


@article("57/2004", "CS-3")
def test_the_layout_shows_every_bet_and_its_winning_spots_light_up() -> None:
    spots = {spot.name: spot for spot in view_for(betting("ana big 10", "rui big 5", "rui four_2345 1"), None).spots}
    assert list(spots) == list(BETS) and len(spots) == 56
    assert (spots["big"].total, spots["big"].bettors, spots["four_2345"].total) == (15_00, 2, 1_00)
    assert all(spot.end is None and spot.paid is None for spot in spots.values())
    lit = view_for(play("4 3 3", "ana big 10"), None)
    won = {"small", "even", "total_10", "double_3", "pair_3_4", "single_3", "single_4"}
    assert {spot.name for spot in lit.spots if spot.end == "won"} == won == set(lit.outcome.won)
    assert {spot.end for spot in lit.spots if spot.name not in won} == {"lost"}
    paid = {spot.name: spot.paid.win for spot in lit.spots if spot.paid}
    assert (paid["single_3"], paid["single_4"], paid["total_10"]) == (2, 1, 6)


def test_every_spot_shows_its_dice() -> None:
    assert {name: bet.faces for name, bet in BETS.items() if bet.kind == "double"} == {
        f"double_{face}": (face, face) for face in range(1, 7)
    }
    assert BETS["triple_5"].faces == (5, 5, 5) and BETS["pair_2_6"].faces == (2, 6)
    assert BETS["single_1"].faces == (1,) and BETS["four_2356"].faces == (2, 3, 5, 6)
    assert [bet.points for bet in BETS.values() if bet.kind == "total"] == list(range(4, 18))


@article("57/2004", "CS-3")
@pytest.mark.parametrize("spot", ["total_3", "total_18", "pair_2_1", "pair_3_3", "four_1235", "single_0", "triple", ""])
def test_there_is_no_such_spot(spot: str) -> None:
    round_ = betting("ana big 10")
    assert refusal(round_, PlaceBet("ana", bet="x", spot=spot, amount=10_00)) == "CS-3"
    assert refusal(round_, Move("ana", bet="ana big", spot=spot)) == "CS-3"


@article("57/2004", "CS-3")
def test_no_spot_belongs_to_a_box() -> None:
    round_ = betting("ana big 10")
    assert refusal(round_, PlaceBet("ana", bet="x", spot="big", amount=10_00, box=1)) == "CS-3"
    assert refusal(round_, Move("ana", bet="ana big", spot="small", box=1)) == "CS-3"


# ── Betting ─────────────────────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "CS-4")
def test_until_the_bell_stakes_are_raised_lowered_moved_and_withdrawn_freely() -> None:
    round_ = betting("ana big 10", "ana big 5 as more", "rui odd 20")
    round_ = round_.apply(Lower("ana", bet="ana big", amount=4_00)).apply(Move("ana", bet="more", spot="triple_6"))
    assert round_.in_escrow("ana") == {"ana big": 6_00, "more": 5_00}
    round_ = round_.apply(Move("rui", bet="rui odd", spot="big"))
    assert {spot.name: (spot.total, spot.bettors) for spot in view_for(round_, None).spots if spot.total} == {
        "big": (26_00, 2),
        "triple_6": (5_00, 1),
    }
    round_ = round_.apply(Withdraw("ana", bet="ana big"))
    assert round_.in_escrow() == {"rui odd": 20_00, "more": 5_00}
    assert returned(finish(round_, "6 6 6")) == {"rui odd": 0, "more": 755_00}


@article("57/2004", "stays")
def test_what_was_left_on_its_spot_may_be_changed_like_any_other_stake() -> None:
    round_ = betting(carried=("ana big 10", "ana odd 10", "ana even 10"), auto_leave_winners=True)
    menus = {own.stake.bet: own.menu for own in view_for(round_, "ana").mine.stakes}
    assert all(menu.withdraw and menu.lower and menu.move for menu in menus.values()) and len(menus) == 3
    assert set(round_.offers("ana").movable) == {"ana big", "ana odd", "ana even"}
    round_ = round_.apply(Lower("ana", bet="ana big", amount=4_00)).apply(Withdraw("ana", bet="ana odd"))
    round_ = round_.apply(Move("ana", bet="ana even", spot="single_4"))
    round_ = finish(round_, "4 4 4")
    assert returned(round_) == {"ana big": 0, "ana even": 30_00}
    assert carried(round_) == {"ana even": 10_00}


def test_a_stake_is_only_changed_by_its_bettor_and_within_the_limits() -> None:
    round_ = betting("ana big 10", "ana small 95", "rui odd 20", min_bet=5_00, max_bet=100_00)
    assert refusal(round_, Withdraw("rui", bet="ana big")) == ""
    assert refusal(round_, Lower("ana", bet="ana big", amount=6_00)) == "minimum"
    assert refusal(round_, Lower("ana", bet="ana big", amount=10_00)) == "credits"
    assert refusal(round_, Lower("ana", bet="ana big", amount=50)) == "credits"
    assert refusal(round_, Move("ana", bet="ana big", spot="small")) == "maximum"
    assert refusal(round_, Move("ana", bet="ana big", spot="big")) == ""
    assert refusal(round_, Move("ana", bet="nothing", spot="small")) == ""
    offered = round_.apply(Lower("ana", bet="ana big", amount=5_00)).offers("ana")
    assert Lower("ana", bet="ana big", amount=1_00) not in offered.actions
    assert Lower("ana", bet="ana small", amount=1_00) in offered.actions


@article("57/2004", "CS-5")
@article("57/2004", "closed")
def test_after_the_bell_nothing_is_placed_or_changed() -> None:
    round_ = rung("ana big 10")
    assert (round_.phase, round_.next_house_step(), round_.pace) == ("no_more_bets", Draw(Chance.OPEN), Pace.BEAT)
    changes: list[Action | str] = [
        "ana small 10",
        Lower("ana", bet="ana big", amount=1_00),
        Move("ana", bet="ana big", spot="small"),
        Withdraw("ana", bet="ana big"),
        Ready("ana"),
    ]
    for at in (round_, round_.apply(OPENED), finish(round_, "4 3 3")):
        for change in changes:
            assert refusal(at, change) == "closed"
        assert at.offers("ana").bets == () and at.offers("ana").actions == ()
        assert not any(own.menu.withdraw or own.menu.move for own in view_for(at, "ana").mine.stakes)


@article("57/2004", "CS-5")
def test_the_bell_rings_when_the_time_is_over_or_everybody_is_ready() -> None:
    round_ = betting("ana big 10", "rui small 10", seats={"lee": 3})
    assert round_.on_timeout() == Step(CloseBets()) and not round_.closes_early
    round_ = round_.apply(Ready("ana")).apply(Ready("rui"))
    assert not round_.closes_early
    assert round_.apply(Ready("lee")).closes_early
    assert not bet_on(round_.apply(Ready("lee")), "ana odd 1").closes_early
    assert refusal(round_, Ready("tom")) == "seat"


# ── The cover is lifted ─────────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "CS-6")
@article("57/2004", "sealed")
def test_the_cover_is_lifted_and_with_it_the_seal_is_opened() -> None:
    round_ = rung("ana small 10").apply(OPENED)
    assert (round_.phase, round_.next_house_step()) == ("uncovered", Step(Settle()))
    view = view_for(round_, None)
    assert not view.covered
    assert (view.commitment, view.salt, view.outcome.thrown) == ("sealed 1", "salt", (4, 3, 3))
    assert (view.outcome.total, view.outcome.triple, view.outcome.big, view.outcome.odd) == (10, False, False, False)
    assert {spot.end for spot in view.spots} == {"won", "lost"} and not view.payouts


@article("57/2004", "sealed")
def test_no_round_knows_the_dice_before_the_seal_is_opened() -> None:
    """What a round is worked out from before that is the commitment alone."""
    round_ = betting("ana big 10")
    while round_.phase != "no_more_bets":
        assert round_.thrown == () and round_.salt == "" and view_for(round_, "ana").outcome is None
        round_ = round_.apply(CloseBets())
    assert round_.thrown == () and view_for(round_, None).outcome is None and not round_.payouts()
    with pytest.raises(AssertionError):
        betting("ana big 10").apply(OPENED)


@article("57/2004", "CS-8")
def test_losing_stakes_are_collected_and_winners_paid_with_their_stake() -> None:
    round_ = play("4 3 3", "ana small 100", "ana double_3 10", "ana big 100", "rui triple_3 10")
    assert returned(round_) == {"ana small": 200_00, "ana double_3": 90_00, "ana big": 0, "rui triple_3": 0}
    assert (round_.phase, round_.in_escrow(), round_.carried()) == ("settled", {}, ())
    assert {payout.why.article for payout in round_.payouts()} == {"CS-8"}
    assert {payout.bet for payout in view_for(round_, "rui").mine.payouts} == {"rui triple_3"}


@article("57/2004", "CS-9")
@pytest.mark.parametrize("shown", ["1 1 1", "2 2 2", "3 3 3", "4 4 4", "5 5 5", "6 6 6"])
def test_any_triple_beats_big_small_odd_and_even(shown: str) -> None:
    round_ = play(shown, "ana big 10", "ana small 10", "ana odd 10", "ana even 10")
    assert set(returned(round_).values()) == {0}
    assert {payout.why.article for payout in round_.payouts()} == {"CS-9"}
    outcome = view_for(round_, None).outcome
    assert (outcome.triple, outcome.big, outcome.odd) == (True, None, None)


@article("57/2004", "CS-10")
@pytest.mark.parametrize(("face", "total"), [(1, None), (2, 15), (3, 7), (4, 7), (5, 15), (6, None)])
def test_a_triple_wins_its_double_any_triple_itself_the_single_and_its_total(face: int, total: int | None) -> None:
    won = {f"double_{face}": 9, "any_triple": 25, f"triple_{face}": 151, f"single_{face}": 4}
    if total is not None:
        won[f"total_{3 * face}"] = total
    round_ = play(f"{face} {face} {face}", *(f"ana {spot} 1 as {spot}" for spot in BETS))
    assert {bet: cents // 100 for bet, cents in returned(round_).items() if cents} == won


def test_whatever_becomes_of_a_stake_is_told_with_a_rule() -> None:
    for result in RESULTS:
        for spot in BETS:
            why = terms(options(), spot, result).why
            assert why.article in GAME.articles and str(why.words)
    lost = terms(options(), "big", RESULTS[0]).why.words
    assert lost == say(
        "%(result)s: any triple beats this bet", result=say("Triple %(number)s, total %(total)s", number=1, total=3)
    )


# ── What spoils a throw ─────────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "CS-7")
@pytest.mark.parametrize("reason", ["cocked", "stacked", ""])
def test_dice_that_are_cocked_or_stacked_make_the_round_void(reason: str) -> None:
    round_ = rung("ana big 10", carried=("rui odd 20",), auto_leave_winners=True).apply(NullThrow(reason=reason))
    assert round_.phase == "spoilt" and not round_.over
    assert round_.next_house_step() == Step(Void(reason=VoidReason.THROW))
    assert [note.article for note in view_for(round_, None).notes] == ["CS-7"]
    round_ = finish(round_, "")
    assert (round_.phase, round_.result()) == ("void", {"void": True})
    assert [note.article for note in view_for(round_, None).notes] == ["CS-7", "void"]
    assert returned(round_) == {"ana big": 10_00, "rui odd": 0} and carried(round_) == {"rui odd": 20_00}


@article("57/2004", "CS-7")
def test_or_they_are_shaken_again_under_the_same_bets() -> None:
    about = {"cocked_dice": "reshake_bets_stand"}
    round_ = rung("ana big 10", **about)
    for times in (1, 2):
        round_ = round_.apply(NullThrow(reason="stacked"))
        assert (round_.phase, round_.next_house_step(), len(round_.nulls)) == ("shake_after", Draw(Chance.SEAL), times)
        view = view_for(round_, None)
        assert view.commitment is None and [null.commitment for null in view.nulls] == ["sealed 1", "sealed 2"][:times]
        assert [note.article for note in view.notes] == ["CS-7", "C-A10"]
        assert refusal(round_, Withdraw("ana", bet="ana big")) == "closed"
        round_ = seal(round_)
    assert round_.phase == "no_more_bets" and view_for(round_, None).throws == 3
    assert view_for(round_, None).commitment == "sealed 3"
    assert returned(finish(round_, "6 5 1")) == {"ana big": 20_00}


@article("57/2004", "presses")
@pytest.mark.parametrize("reason", ["presses", ""])
def test_too_few_presses_noticed_before_the_bell_are_made_again_and_bets_may_be_changed(reason: str) -> None:
    before = betting("ana big 10", "rui odd 10").apply(Ready("ana")).apply(Ready("rui"))
    round_ = before.apply(NullThrow(reason=reason))
    assert (round_.phase, round_.next_house_step()) == ("shake", Draw(Chance.SEAL))
    assert round_.in_escrow() == before.in_escrow() and refusal(round_, "ana small 10") == "closed"
    again = seal(round_)
    assert again.phase == "betting" and again.wait != before.wait and not again.closes_early
    assert view_for(again, None).commitment == "sealed 2"
    assert [note.article for note in view_for(again, None).notes] == ["presses", "presses"]
    assert view_for(close(again), None).notes == ()
    moved = again.apply(Move("ana", bet="ana big", spot="small"))
    assert returned(finish(moved, "1 2 4")) == {"ana big": 20_00, "rui odd": 20_00}


@article("57/2004", "presses")
def test_too_few_presses_are_noticed_only_before_the_bell() -> None:
    for round_ in (rung("ana big 10"), rung("ana big 10").apply(OPENED)):
        with pytest.raises(AssertionError):
            round_.apply(NullThrow(reason="presses"))


@article("57/2004", "seen")
def test_dice_that_are_seen_before_the_bell_make_the_round_void() -> None:
    round_ = betting("ana big 10").apply(NullThrow(reason="seen"))
    assert round_.phase == "spoilt" and refusal(round_, "ana small 10") == "closed"
    assert returned(finish(round_, "")) == {"ana big": 10_00}
    with pytest.raises(AssertionError):
        rung("ana big 10").apply(NullThrow(reason="seen"))


@article("57/2004", "broken")
@pytest.mark.parametrize("cocked_dice", ["void_return", "reshake_bets_stand"])
def test_a_die_that_breaks_or_leaves_the_dome_makes_the_round_void(cocked_dice: str) -> None:
    for round_ in (betting("ana big 10", cocked_dice=cocked_dice), rung("ana big 10", cocked_dice=cocked_dice)):
        spoilt = round_.apply(NullThrow(reason="broken"))
        assert spoilt.next_house_step() == Step(Void(reason=VoidReason.THROW))
        spoilt = finish(spoilt, "")
        assert returned(spoilt) == {"ana big": 10_00}
        assert [payout.why.article for payout in spoilt.payouts()] == ["broken"]


@pytest.mark.parametrize("reason", ["", "cocked", "presses", "seen", "broken"])
def test_nothing_is_null_where_nothing_lies_covered(reason: str) -> None:
    uncovered = rung("ana big 10").apply(OPENED)
    waiting = betting("ana big 10", shake_timing="after_betting")
    for round_ in (opened(), uncovered, finish(uncovered, ""), waiting, close(waiting)):
        with pytest.raises(AssertionError):
            round_.apply(NullThrow(reason=reason))


@article("57/2004", "void")
@pytest.mark.parametrize("leaves", [True, False])
def test_a_void_round_returns_its_stakes_and_leaves_what_was_left(leaves: bool) -> None:
    lying = ("rui odd 20",) if leaves else ()
    covered = rung("ana big 10", carried=lying, auto_leave_winners=leaves)
    for round_ in (betting("ana big 10", carried=lying, auto_leave_winners=leaves), covered, covered.apply(OPENED)):
        round_ = round_.apply(Void(remark="a failure"))
        assert round_.over and round_.is_void and round_.result() == {"void": True}
        assert returned(round_)["ana big"] == 10_00
        assert carried(round_) == ({"rui odd": 20_00} if leaves else {})
        assert {spot.end for spot in view_for(round_, None).spots} == {None}


# ── People ──────────────────────────────────────────────────────────────────────────────────────────────────


@article("57/2004", "seat")
def test_seated_and_standing_bettors_may_use_any_spot() -> None:
    round_ = betting(seats={"ana": 1, "rui": 8})
    assert round_.offers("ana").bets == round_.offers("lee").bets and len(round_.offers("lee").bets) == 56
    assert refusal(round_, Sit("lee", seat=1)) == "seat" and refusal(round_, Sit("lee", seat=9)) == "seat"
    assert round_.apply(Sit("lee", seat=2)).seats == {"ana": 1, "rui": 8, "lee": 2}


@article("57/2004", "gone")
def test_stakes_stay_when_their_bettor_goes() -> None:
    round_ = betting("ana big 10", seats={"ana": 1}).apply(Leave("ana"))
    assert round_.seats == {} and returned(finish(round_, "6 5 1")) == {"ana big": 20_00}


def test_only_the_dealer_deals() -> None:
    steps = [Seal("ana", commitment=""), CloseBets("ana"), Unseal("ana", values=(1, 1, 1)), NullThrow("ana")]
    steps += [Settle("ana"), Void("ana")]
    for round_ in (opened(), betting("ana big 10"), rung("ana big 10")):
        for step in steps:
            assert refusal(round_, step) == ""
    for step in [Seal(HOUSE, commitment=""), OPENED, Settle()]:
        with pytest.raises(AssertionError):
            betting("ana big 10").apply(step)


def test_what_one_viewer_sees_differs_only_in_his_own() -> None:
    round_ = betting("ana big 10", "rui odd 20", "rui odd 5 as more")
    mine, public = view_for(round_, "rui"), view_for(round_, None)
    assert public.mine is None and mine.mine.staked == 25_00
    assert [own.stake.bet for own in mine.mine.stakes] == ["rui odd", "more"]
    assert view_for(round_, "lee").mine.stakes == () and view_for(round_, "lee").mine.payouts == ()
    assert mine.spots is public.spots
