"""Roulette by the articles and rulings of its regulation (60/2004): wheel, throw, null spins, bets, payment."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tables.games.contract.actions import (
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
    Withdraw,
)
from tables.games.contract.round import Pace
from tables.games.roulette import GiveBack, Phase, ThrowBall
from tables.games.roulette.colours import COLOURS, colour_for
from tables.games.roulette.phases import Null
from tables.games.roulette.view import MOST_CHIPS, Outcome
from tables.games.roulette.wheel import NUMBERS, WHEEL, Colour, colour_of
from tests.kit import article, bet, bet_on, neighbours, refusal, view_for

from .roulette_kit import NULL, ROULETTE, back, fresh, late, left, opened, play, rolled, seal, spot

# ── The wheel (1) ───────────────────────────────────────────────────────────────────────────────────────────


@article("60/2004", "1(2)")
@article("60/2004", "1(3)")
def test_the_plate_has_37_pockets_with_a_number_each_zero_included() -> None:
    throw = ROULETTE.throw(ROULETTE.options())
    assert throw is not None
    assert (throw.count, throw.least, throw.most, throw.null) == (1, 0, 36, True)
    assert sorted(WHEEL) == list(NUMBERS) == list(range(37))


@pytest.mark.parametrize("values", [(), (37,), (-1,), (17, 17)])
def test_what_is_no_pocket_is_no_number(values: tuple[int, ...]) -> None:
    round_ = late(late(opened()))
    with pytest.raises(AssertionError):
        round_.apply(Unseal(values=values))


@article("60/2004", "R-A7")
def test_the_order_is_the_european_one() -> None:
    assert WHEEL[:6] == (0, 32, 15, 19, 4, 21) and WHEEL[-4:] == (12, 35, 3, 26)
    assert neighbours(0, 2) == (3, 26, 0, 32, 15)
    assert neighbours(26, 1) == (3, 26, 0)


@article("60/2004", "1(5)")
@article("60/2004", "R-A8")
def test_zero_is_green_and_loses_for_every_even_chance() -> None:
    assert colour_of(0) is Colour.GREEN
    halves = ("red", "black", "odd", "even", "low", "high")
    assert set(back(play(0, *(f"ana {half} 10" for half in halves))).values()) == {0}
    about = Outcome.of(0)
    assert (about.colour, about.odd, about.low) == ("green", None, None)


def test_a_number_is_announced_with_its_colour_odd_or_even_low_or_high() -> None:
    for number, colour, odd, low in (
        *((1, "red", True, True), (18, "red", False, True), (19, "red", True, False)),
        *((10, "black", False, True), (29, "black", True, False), (36, "red", False, False)),
    ):
        view = view_for(play(number), None)
        assert (view.outcome.number, view.outcome.colour, view.outcome.odd, view.outcome.low) == (
            *(number, colour),
            *(odd, low),
        )
        assert len(view.outcome.why) == 3


# ── Throw and null spin (2) ─────────────────────────────────────────────────────────────────────────────────


@article("60/2004", "2(1)")
def test_the_ball_is_thrown_from_the_side_that_the_house_has_chosen() -> None:
    assert view_for(opened(), None).direction == "alternate"
    assert view_for(opened(throw_direction="right_to_left"), None).direction == "right_to_left"


@article("60/2004", "sealed")
def test_the_number_is_sealed_before_anybody_bets_and_opened_after_the_bell() -> None:
    round_ = fresh()
    assert (round_.phase, round_.next_house_step(), round_.offers("ana").bets) == (Phase.SEAL, Draw(Chance.SEAL), ())
    assert refusal(round_, "ana red 10") == "closed"
    assert view_for(round_, None).commitment is None
    round_ = seal(round_, "c0ffee")
    courses = []
    for number in (17, 0):
        course = [round_]
        while course[-1].next_house_step() != Draw(Chance.OPEN):
            course.append(late(course[-1]))
        courses.append([view_for(each, None) for each in course])
        open_ = course[-1].apply(Unseal(values=(number,), salt="5a17"))
        assert view_for(open_, None).outcome.number == number
        assert (view_for(open_, None).commitment, view_for(open_, None).salt) == ("c0ffee", "5a17")
    assert courses[0] == courses[1]
    assert all(view.outcome is None and view.salt == "" and view.commitment == "c0ffee" for view in courses[0])


@article("60/2004", "R-A10")
def test_betting_goes_on_until_the_bell() -> None:
    round_ = opened()
    assert (round_.phase, round_.pace, round_.on_timeout()) == (Phase.BETTING, Pace.BETTING, Step(ThrowBall()))
    round_ = late(round_)
    assert (round_.phase, round_.pace, round_.on_timeout()) == (Phase.SPINNING, Pace.BETTING, Step(CloseBets()))
    round_ = bet_on(round_, "ana red 10").apply(Move("ana", bet="ana red", spot="black"))
    assert (round_.next_house_step(), view_for(round_, None).open) == (None, True)
    round_ = late(round_)
    assert (round_.phase, round_.pace, view_for(round_, None).open) == (Phase.NO_MORE_BETS, Pace.BEAT, False)
    for action in (
        bet("ana red 10"),
        Withdraw("ana", bet="ana red"),
        Move("ana", bet="ana red", spot="low"),
        Ready("ana"),
    ):
        assert refusal(round_, action) == "closed"
    assert back(rolled(round_, 10)) == {"ana red": 20}


def test_or_betting_closes_before_the_ball_is_thrown() -> None:
    round_ = bet_on(opened(bets_close="before_throw"), "ana red 10")
    with pytest.raises(AssertionError):
        round_.apply(ThrowBall())
    assert round_.on_timeout() == Step(CloseBets())
    round_ = late(round_)
    assert (round_.phase, round_.pace, round_.next_house_step()) == (Phase.SPINNING, Pace.BEAT, Step(ThrowBall()))
    assert refusal(round_, "ana red 10") == "closed"
    assert round_.offers("ana").actions == ()
    round_ = late(round_)
    assert (round_.phase, round_.next_house_step()) == (Phase.NO_MORE_BETS, Draw(Chance.OPEN))


@article("60/2004", "closed")
def test_after_the_result_nothing_is_taken_until_all_is_paid_and_nothing_after() -> None:
    round_ = late(late(opened())).apply(Unseal(values=(1,)))
    assert (round_.phase, round_.next_house_step()) == (Phase.RESULT, Step(Settle()))
    assert refusal(round_, "ana red 10") == "closed"
    over = round_.apply(Settle())
    assert (over.phase, over.over, refusal(over, "ana red 10")) == (Phase.SETTLED, True, "closed")
    with pytest.raises(AssertionError):
        over.apply(Settle())


@article("60/2004", "2", "R-A9", "R-A14")
@pytest.mark.parametrize("close", ["on_bell", "before_throw"])
def test_on_a_null_spin_the_bets_stand_and_the_ball_is_thrown_again(close: str) -> None:
    round_ = bet_on(opened(bets_close=close), "ana red 10")
    while round_.phase != Phase.NO_MORE_BETS:
        round_ = late(round_)
    for reason in ("object", "jumped", "no such reason"):
        round_ = round_.apply(NullThrow(reason=reason))
        assert round_.phase is Phase.SEAL
        assert refusal(round_, "ana red 10") == "closed"
        round_ = seal(round_)
        assert (round_.phase, round_.pace, round_.next_house_step()) == (Phase.SPINNING, Pace.BEAT, Step(ThrowBall()))
        assert refusal(round_, "ana red 10") == "closed"
        round_ = late(round_)
        assert round_.phase is Phase.NO_MORE_BETS
    assert len(view_for(round_, None).nulls) == 3 and view_for(round_, None).spins == 4
    assert "fell onto the plate" in str(view_for(round_, None).nulls[0].why.words)
    assert back(rolled(round_, 9)) == {"ana red": 20}


def test_a_null_spin_before_the_bell_leaves_the_layout_open() -> None:
    round_ = late(bet_on(opened(), "ana red 10"))
    round_ = seal(round_.apply(NULL))
    assert (round_.phase, round_.pace, round_.next_house_step()) == (Phase.SPINNING, Pace.BETTING, Step(ThrowBall()))
    round_ = seal(round_.apply(NULL))
    assert round_.next_house_step() == Step(ThrowBall()), "null again before the ball was thrown"
    round_ = late(bet_on(round_, "rui black 10"))
    assert (round_.phase, round_.on_timeout()) == (Phase.SPINNING, Step(CloseBets()))
    assert back(rolled(round_, 9)) == {"ana red": 20, "rui black": 0}


@pytest.mark.parametrize("close", ["on_bell", "before_throw"])
def test_or_betting_reopens_after_a_null_spin(close: str) -> None:
    round_ = bet_on(opened(null_spin_bets="reopen", bets_close=close, seats={"ana": 1}), "ana red 10").apply(
        Ready("ana")
    )
    first = round_.wait
    while round_.phase != Phase.NO_MORE_BETS:
        round_ = late(round_)
    round_ = seal(round_.apply(NULL))
    assert (round_.phase, round_.pace, round_.closes_early) == (Phase.BETTING, Pace.BETTING, False)
    assert round_.wait != first, "the time to bet begins anew"
    round_ = bet_on(round_.apply(Withdraw("ana", bet="ana red")), "ana black 10")
    assert back(rolled(round_, 10)) == {"ana black": 20}


def test_a_number_that_is_lost_before_the_throw_is_only_replaced() -> None:
    for policy in ("stand", "reopen"):
        round_ = bet_on(opened(null_spin_bets=policy), "ana red 10").apply(NullThrow(reason=Null.FAILURE))
        round_ = seal(round_, "another")
        assert (round_.phase, view_for(round_, None).commitment) == (Phase.BETTING, "another")
        assert [null.commitment for null in view_for(round_, None).nulls] == ["sealed"]


def test_once_the_number_is_known_the_result_stands() -> None:
    round_ = late(late(opened())).apply(Unseal(values=(1,)))
    with pytest.raises(AssertionError):
        round_.apply(NULL)
    with pytest.raises(AssertionError):
        fresh().apply(NULL)


def test_each_reason_for_a_null_spin_has_its_words() -> None:
    told = set()
    for reason in Null:
        (null,) = view_for(opened().apply(NullThrow(reason=reason)), None).nulls
        told.add(str(null.why.words))
    assert len(told) == len(Null)


@pytest.mark.parametrize(
    "action",
    [Seal("ana", commitment=""), ThrowBall("ana"), CloseBets("ana"), NullThrow("ana"), Unseal("ana", values=(1,)),
     Settle("ana"), Void("ana"), GiveBack("ana")],
    ids=lambda action: action.do,
)  # fmt: skip
def test_only_the_dealer_throws_closes_and_pays(action: Any) -> None:
    for round_ in (fresh(), opened(), late(opened()), late(late(opened()))):
        assert refusal(round_, action) == ""


# ── Bets (R-A1, R-A4 to R-A6, 7, 8) ─────────────────────────────────────────────────────────────────────────


@article("60/2004", "R-A1")
def test_what_the_missing_articles_would_say_stands_in_options() -> None:
    seconds = ROULETTE.seconds
    round_ = opened(betting_seconds=41, late_seconds=5)
    spinning = late(round_)
    assert [seconds(each) for each in (round_, spinning, late(spinning))] == [41, 5, None]
    closed = late(opened(bets_close="before_throw", betting_seconds=7))
    assert [seconds(each) for each in (closed, late(closed), fresh())] == [None, None, None]
    again = seal(late(opened(late_seconds=5)).apply(NULL))
    assert [seconds(each) for each in (again, late(again))] == [None, 5]


@article("60/2004", "R-A4")
@article("60/2004", "R-A5")
def test_dozens_and_halves_are_named_with_their_numbers() -> None:
    titles = {
        name: str(ROULETTE.spots[name].title) for name in ("dozen_small", "dozen_middle", "dozen_big", "low", "high")
    }
    assert titles == {
        "dozen_small": "Small, 1 to 12",
        "dozen_middle": "Middle, 13 to 24",
        "dozen_big": "Big, 25 to 36",
        "low": "Low, 1 to 18",
        "high": "High, 19 to 36",
    }
    for edge, name in ((1, "small"), (12, "small"), (13, "middle"), (24, "middle"), (25, "big"), (36, "big")):
        won = back(play(edge, "ana dozen_small 1", "ana dozen_middle 1", "ana dozen_big 1"))
        assert [bet for bet, due in won.items() if due] == [f"ana dozen_{name}"]


@article("60/2004", "R-A6")
@article("60/2004", "7(7)")
def test_a_column_is_a_straight_line_of_twelve_and_no_sector() -> None:
    assert spot(opened(), "column_1").covers == (1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34)
    assert spot(opened(), "sector12_1").covers == (32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13)
    assert back(play(34, "ana column_1 1", "ana sector12_1 1", "ana dozen_big 1")) == {
        "ana column_1": 3,
        "ana sector12_1": 3,
        "ana dozen_big": 3,
    }


@article("60/2004", "7(3)")
@article("60/2004", "7(4)")
@article("60/2004", "7(5)")
@article("60/2004", "7(6)")
@article("60/2004", "7(8)")
def test_each_bet_is_paid_by_its_own_item() -> None:
    bets = ["straight_17", "split_17_18", "street_16", "corner_17", "line_16", "sector9_1", "column_2", "low"]
    spin = play(17, *(f"ana {name} 1" for name in bets))
    assert [(payout.why.article, payout.returned) for payout in spin.payouts()] == [
        ("7(1)", 36_00), ("7(2)", 18_00), ("7(3)", 12_00), ("7(4)", 9_00),
        ("7(5)", 6_00), ("7(6)", 4_00), ("7(7)", 3_00), ("7(8)", 2_00),
    ]  # fmt: skip


def test_only_numbers_that_touch_are_bet_on_together() -> None:
    """Every name that could be a spot is one exactly if its numbers touch on the layout."""
    sold = {offer.spot for offer in opened().offers("ana").bets}
    for a, b in product(range(37), repeat=2):
        touch = a > 0 and (b == a + 3 or (b == a + 1 and a % 3 > 0))
        assert (f"split_{a}_{b}" in sold) == touch
    assert {n for n in range(40) if f"street_{n}" in sold} == set(range(1, 37, 3))
    assert {n for n in range(40) if f"line_{n}" in sold} == set(range(1, 34, 3))
    assert {n for n in range(40) if f"corner_{n}" in sold} == {n for n in range(1, 33) if n % 3}
    for name in ("split_2_1", "split_36_39", "straight_37", "street_0", "corner_33", "column_4", "zero", "", "RED"):
        assert refusal(opened(), PlaceBet("ana", bet="b", spot=name, amount=10_00)) == "7"


@pytest.mark.parametrize("amount", [0, -100, 50, 1001])
@article("60/2004", "credits")
def test_a_stake_is_whole_credits(amount: int) -> None:
    wrong = replace(bet("ana red 1"), amount=amount)
    assert refusal(opened(), wrong) == "credits"


def test_no_bet_belongs_to_a_box() -> None:
    assert refusal(opened(seats={"ana": 1}), "ana red 10 box 1") == "7"
    round_ = bet_on(opened(), "ana red 10")
    assert refusal(round_, Move("ana", bet="ana red", spot="black", box=1)) == "7"
    assert refusal(round_, Move("ana", bet="ana red", spot="red")) == ""


def test_the_maximum_counts_all_stakes_of_a_bettor_on_a_spot() -> None:
    round_ = bet_on(opened(max_bet=100_00), "ana red 60", "rui red 100", "ana red 40 as more", "ana black 100")
    assert refusal(round_, "ana red 1 as over") == "maximum"
    assert [offer.most for offer in round_.offers("ana").bets if offer.spot in ("red", "black", "odd")] == [100_00]
    assert spot(round_, "red").total == 200_00
    round_ = round_.apply(Lower("ana", bet="more", amount=30_00))
    (red,) = (offer for offer in round_.offers("ana").bets if offer.spot == "red")
    assert (red.least, red.most) == (1_00, 30_00)
    assert refusal(round_, Move("ana", bet="ana black", spot="red")) == "maximum"
    assert round_.offers("lee").bets == opened(max_bet=100_00).offers("lee").bets


def test_what_is_offered_is_what_would_be_accepted_to_the_credit() -> None:
    round_ = bet_on(opened(min_bet=5_00, max_bet=20_50), "ana red 15", "ana black 16", "ana low 5")
    offers = {offer.spot: (offer.least, offer.most) for offer in round_.offers("ana").bets}
    assert offers["red"] == (5_00, 5_00)
    assert "black" not in offers
    assert offers["low"] == (5_00, 15_00)
    assert offers["odd"] == (5_00, 20_00)
    lowered = {action.bet for action in round_.offers("ana").actions if isinstance(action, Lower)}
    assert lowered == {"ana red", "ana black"}, "what is left must keep to the minimum"


def test_until_the_bell_stakes_are_raised_lowered_moved_and_withdrawn() -> None:
    round_ = bet_on(opened(min_bet=5_00), "ana red 10", "ana red 10 as more", "ana split_1_2 10")
    assert refusal(round_, Lower("ana", bet="more", amount=6_00)) == "minimum"
    assert refusal(round_, Lower("ana", bet="more", amount=10_00)) == "credits"
    assert refusal(round_, Withdraw("rui", bet="more")) == ""
    round_ = late(round_).apply(Lower("ana", bet="more", amount=5_00))
    round_ = round_.apply(Move("ana", bet="ana split_1_2", spot="split_2_3")).apply(Withdraw("ana", bet="ana red"))
    assert {stake.spot: stake.amount for stake in round_.stakes()} == {"red": 5_00, "split_2_3": 10_00}
    assert set(round_.offers("ana").movable) == {"more", "ana split_1_2"}
    assert back(rolled(round_, 3)) == {"more": 10, "ana split_1_2": 180}


# ── Stakes that are left (R-A12) ────────────────────────────────────────────────────────────────────────────

LEAVES: dict[str, Any] = {"auto_leave_winners": True}


def test_what_was_left_plays_on_and_may_be_changed_or_taken() -> None:
    round_ = opened("ana red 10", "ana low 10", "ana odd 10", **LEAVES)
    assert view_for(round_, "ana").mine.left == 30_00
    round_ = round_.apply(Withdraw("ana", bet="ana red")).apply(Lower("ana", bet="ana low", amount=4_00))
    round_ = round_.apply(Move("ana", bet="ana odd", spot="even"))
    over = rolled(round_, 2)
    assert back(over) == {"ana low": 6, "ana odd": 10}
    assert left(over) == {"ana low": 6, "ana odd": 10}
    assert (dict(over.in_escrow("ana")), dict(over.in_escrow("rui"))) == ({"ana low": 6_00, "ana odd": 10_00}, {})


def test_what_was_left_plays_on_when_it_is_sold_no_more() -> None:
    about = {**LEAVES, "enabled_bets": ["straight"], "sector_definition": "off"}
    round_ = opened("ana sector9_1 10", "ana split_0_1 10", "ana sector12_2 10", **about)
    assert [(spot.name, spot.sold) for spot in view_for(round_, None).spots if not spot.sold] == [
        ("sector9_1", False),
        ("sector12_2", False),
        ("split_0_1", False),
    ]
    assert refusal(round_, "ana sector9_1 1 as more") == "R-A11"
    assert back(rolled(round_, 0)) == {"ana sector9_1": 0, "ana split_0_1": 170, "ana sector12_2": 0}


@pytest.mark.parametrize("ends", ["settled", "void"])
def test_stakes_are_given_back_before_betting_where_none_is_left_any_more(ends: str) -> None:
    round_ = fresh("ana red 10", "rui straight_9 10")
    assert (round_.phase, round_.next_house_step(), refusal(round_, "ana red 1")) == (
        Phase.RETURN,
        Step(GiveBack()),
        "closed",
    )
    if ends == "void":
        over = round_.apply(Void())
        assert (back(over), over.carried()) == ({"ana red": 10, "rui straight_9": 10}, ())
        return
    round_ = late(round_)
    assert (round_.phase, round_.stakes(), dict(round_.in_escrow())) == (Phase.SEAL, (), {})


@article("60/2004", "void")
def test_a_void_round_returns_its_stakes_and_leaves_what_was_left() -> None:
    round_ = bet_on(opened("ana red 10", **LEAVES), "ana red 5 as more", "rui black 10")
    for voided in (round_.apply(Void()), late(late(round_)).apply(Unseal(values=(9,))).apply(Void(remark="pit"))):
        assert (back(voided), left(voided)) == ({"ana red": 0, "more": 5, "rui black": 10}, {"ana red": 10})
        assert voided.result() == {"void": True}
        assert all(spot.end is None for spot in view_for(voided, None).spots)


# ── People ──────────────────────────────────────────────────────────────────────────────────────────────────


@article("60/2004", "seat")
def test_anybody_uses_any_spot_seated_or_not() -> None:
    round_ = bet_on(opened(seats={"ana": 1}), "ana red 10", "lee red 10").apply(Sit("lee", seat=8))
    assert round_.seats == {"ana": 1, "lee": 8}
    assert refusal(round_, Sit("rui", seat=9)) == refusal(round_, Sit("rui", seat=8)) == "seat"


@article("60/2004", "gone")
def test_stakes_stay_when_their_bettor_goes() -> None:
    round_ = bet_on(opened(seats={"ana": 1}), "ana red 10").apply(Leave("ana"))
    assert back(rolled(round_, 9)) == {"ana red": 20}


def test_betting_is_hurried_when_everybody_is_ready() -> None:
    round_ = bet_on(opened(seats={"ana": 1}), "lee red 10")
    assert refusal(round_, Ready("rui")) == "seat"
    round_ = round_.apply(Ready("lee"))
    assert not round_.closes_early
    round_ = round_.apply(Ready("ana"))
    assert round_.closes_early and late(round_).closes_early and not late(late(round_)).closes_early
    assert not bet_on(round_, "lee black 10").closes_early


@article("60/2004", "colour")
def test_each_bettor_has_a_colour_of_his_own_while_there_are_colours() -> None:
    who = [f"p{number}" for number in range(COLOURS)]
    round_ = bet_on(opened(), *(f"{one} red 1" for one in who))
    assert sorted(round_.colours.values()) == list(range(COLOURS))
    again = bet_on(opened(), *(f"{one} red 1" for one in reversed(who)))
    assert again.colours["p23"] == colour_for({}, "p23") == view_for(opened(), "p23").mine.colour
    more = bet_on(round_, "late red 1")
    assert more.colours["late"] == colour_for({}, "late") == view_for(more, "late").mine.colour
    gone = round_.apply(Withdraw("p0", bet="p0 red"))
    assert gone.colours == round_.colours, "he keeps his colour"


def test_everybodys_chips_are_totals_and_those_of_the_biggest_bettors() -> None:
    names = [f"p{number}" for number in range(MOST_CHIPS + 3)]
    bets = [f"{name} red {at + 1}" for at, name in enumerate(names)]
    red = spot(bet_on(opened(), *bets, "p0 red 50 as more"), "red")
    assert (red.total, red.bettors) == (sum(range(1, len(names) + 1)) * 100 + 50_00, len(names))
    assert [(chips.who, chips.amount) for chips in red.chips[:2]] == [("p0", 51_00), (names[-1], len(names) * 100)]
    assert len(red.chips) == MOST_CHIPS


def test_the_spots_that_win_light_up_from_the_result_on() -> None:
    round_ = late(late(bet_on(opened(), "ana red 10")))
    assert {spot.end for spot in view_for(round_, None).spots} == {None}
    view = view_for(round_.apply(Unseal(values=(36,))), None)
    won = {spot.name for spot in view.spots if spot.end == "won"}
    assert won == {
        *("straight_36", "split_35_36", "split_33_36", "street_34", "corner_32", "line_31", "column_3", "dozen_big"),
        *("high", "even", "red", "sector9_2", "sector12_2"),
    }
    assert {spot.end for spot in view.spots if spot.name not in won} == {"lost"}


def test_a_viewer_sees_his_own_stakes_payments_and_what_he_may_do() -> None:
    round_ = bet_on(opened(seats={"ana": 3}), "ana red 10", "rui low 20")
    mine = view_for(round_, "ana").mine
    assert (mine.who, mine.seat, mine.staked, [own.stake.bet for own in mine.stakes]) == ("ana", 3, 10_00, ["ana red"])
    assert mine.stakes[0].menu.move
    over = rolled(round_, 9)
    assert [payout.bet for payout in view_for(over, "ana").mine.payouts] == ["ana red"]
    assert [payout.bet for payout in view_for(over, "rui").mine.payouts] == ["rui low"]
    assert not view_for(over, "ana").mine.stakes[0].menu.withdraw
    assert view_for(over, None).mine is None and view_for(over, "lee").mine.payouts == ()


def test_what_everybody_sees_is_worked_out_once_for_a_thousand() -> None:
    round_ = bet_on(opened(), *(f"p{n} straight_{n % 37} 1" for n in range(1000)))
    public = view_for(round_, None)
    assert view_for(round_, None) is public
    assert view_for(round_, "p5").spots is public.spots
    assert round_.offers("p1").bets is round_.offers("p2").bets
