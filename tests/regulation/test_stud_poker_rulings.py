"""Stud Poker: our rulings, and who sees what (rulebook, sections 6 and 9)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.games.contract.actions import Leave, Meter, Refund, Sit, Step, Void, VoidReason, Withdraw
from tables.games.contract.errors import Refused
from tables.games.contract.round import Opening
from tables.games.record import outcome_of, record_of
from tables.games.stud_poker.phases import Fold, Misdeal, Proceed, Raise
from tests import kit
from tests.kit import article, close, replayed, view_for

from .stud_kit import (
    HIGH,
    LOW,
    MILLION,
    STUD,
    Dealing,
    back,
    box,
    faces,
    laid,
    opened,
    options,
    pile,
    played,
    playing,
    refused,
    why,
)

PAIR = "8s 8d Tc Jh 2d"
THREES = "3s 3h 6c Jc 2c"
FLUSH = "Kc Qc 9c 4c 3c"
FOUR = "5s 5h 5d 5c Tc"
BACKS = "-- -- -- -- --"
ANTES = ("ana ante 100 box 2", "rui ante 200 box 5", "lee ante 100 box 7")
THREE = f"{PAIR} / {THREES} / {FLUSH}"


# ── The jackpot of a hand (R7, R8) ──────────────────────────────────────────────────────────────────────────


@article("61/2004", "R7")
@pytest.mark.parametrize(
    ("dealer", "main"), [(LOW, 400_00), (HIGH, 1_400_00), ("5s 5h 5d 5c Tc", 0)], ids=["lower", "qualifies", "higher"]
)
def test_the_jackpot_is_paid_whatever_the_dealer_has(dealer: str, main: int) -> None:
    round_ = played(f"{FLUSH} / {dealer}", "ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
    assert back(round_) == {"ana ante": main, "ana jackpot": 1_250_00}
    assert box(round_, 2).outcome("jackpot").end == "won"


@article("61/2004", "R8")
@pytest.mark.parametrize("line", ["ana fold", "…"])
def test_a_fold_loses_the_jackpot_stake_too(line: str) -> None:
    round_ = played(f"{FLUSH} / {LOW}", "ana ante 100 box 2", "ana jackpot 25 box 2", line)
    assert back(round_) == {"ana ante": 0, "ana jackpot": 0}
    assert why(round_, "ana jackpot") == [("jackpot", "10(1)"), ("jackpot", "R8")]
    folded = playing(f"{FLUSH} / {LOW}", "ana ante 100 box 2", "ana jackpot 25 box 2", line)
    assert folded.phase == "dealer_reveal"
    assert [(one.spot, one.end) for one in box(folded, 2).outcomes] == [("ante", "lost"), ("jackpot", "lost")]
    assert round_.result()["jackpot"]["prizes"] == {}


@article("61/2004", "R8")
def test_who_would_fold_a_winner_of_the_jackpot_is_warned_and_nobody_else() -> None:
    def warned(mine: str, *bets: str) -> str | None:
        round_ = playing(f"{mine} / {LOW}", "ana ante 100 box 2", *bets)
        (_, fold) = view_for(round_, "ana").mine.choices
        assert fold.action == Fold("ana")
        return fold.warning.article if fold.warning else None

    assert warned(FLUSH, "ana jackpot 25 box 2") == "R8"
    assert warned(FOUR, "ana jackpot 25 box 2") == "R8"
    assert warned("8s 7d 6c 5h 4s", "ana jackpot 25 box 2") is None
    assert warned(FLUSH) is None


# ── Carried jackpot stakes (R14) ────────────────────────────────────────────────────────────────────────────

CARRIED = "ana jackpot 25 box 2 as old carried"


@article("61/2004", "R14")
def test_a_carried_stake_is_live_with_an_ante_without_a_new_debit_or_contribution() -> None:
    dealing = Dealing(f"{FLUSH} / {LOW}", CARRIED, "ana ante 100 box 2")
    assert dealing.round.in_escrow() == {"ana ante": 100_00}
    assert refused(dealing.round, "ana jackpot 25 box 2 as new") == "jackpot"
    assert box(dealing.round, 2).jackpot.live and box(dealing.round, 2).jackpot.carried
    round_ = dealing.go("ana raise") and dealing.finish()
    assert (laid(round_), back(round_)) == ({"ana ante": 300_00, "old": 0}, {"ana ante": 400_00, "old": 1_250_00})
    assert round_.result()["jackpot"]["opening"] == MILLION
    assert round_.carried() == ()


@article("61/2004", "R14")
def test_a_carried_stake_waits_for_its_bettors_ante() -> None:
    round_ = played(f"{PAIR} / {LOW}", CARRIED, "rui ante 100 box 5", "rui raise", seats={"ana": 2, "rui": 5})
    assert back(round_) == {"rui ante": 400_00}
    (waits,) = round_.carried()
    assert (waits.bet, waits.amount, waits.box, waits.carried) == ("old", 25_00, 2, True)
    outcome = box(round_, 2).outcome("jackpot")
    assert (outcome.stake, outcome.returned, outcome.end) == (25_00, 0, "carried")
    assert outcome.why.article == "R14"
    nobody = kit.run(close(opened(CARRIED, seats={"ana": 2})), kit.Shoe())
    assert nobody.is_void and nobody.carried() == round_.carried() and not nobody.payouts()


@article("61/2004", "R14")
def test_a_carried_stake_is_never_taken_back() -> None:
    round_ = opened(CARRIED, seats={"ana": 2})
    assert refused(round_, Withdraw("ana", "old")) == "R14"
    assert not any(isinstance(action, Withdraw) for action in round_.offers("ana").actions)
    with_ante = kit.bet_on(round_, "ana ante 100 box 2")
    assert with_ante.apply(Withdraw("ana", "ana ante")).stakes() == round_.stakes()


@article("61/2004", "R14")
def test_a_carried_stake_is_refunded_when_its_bettor_is_not_at_the_table_any_more() -> None:
    round_ = opened(CARRIED, seats={"rui": 5})
    assert round_.next_house_step() == Step(Refund(bet="old")) == round_.on_timeout()
    after = round_.apply(Refund(bet="old"))
    assert after.next_house_step() is None and after.stakes() == () and after.in_escrow() == {}
    (paid,) = after.payouts()
    assert (paid.by, paid.stake, paid.returned, paid.pooled, paid.why.article) == ("ana", 0, 25_00, -17_50, "R14")
    with pytest.raises(AssertionError):
        after.apply(Refund(bet="old"))
    played_on = close(kit.bet_on(after, "rui ante 100 box 5")).apply(Meter(pool=MILLION))
    assert played_on.in_escrow() == {"rui ante": 100_00}
    assert played_on.jackpot_opening == MILLION


@article("61/2004", "R14")
def test_who_comes_back_in_time_keeps_his_carried_stake() -> None:
    round_ = opened(CARRIED, seats={"rui": 5}).apply(Sit("ana", 3))
    assert round_.next_house_step() is None
    with pytest.raises(AssertionError):
        round_.apply(Refund(bet="old"))
    waiting, plays = round_, kit.bet_on(round_, "ana ante 100 box 3")
    assert not box(waiting, 2).jackpot.live and box(waiting, 3).jackpot is None
    for there in (plays, close(plays)):
        assert box(there, 3).jackpot.live and box(there, 2).jackpot is None
        assert [spot.box for spot in view_for(there, None).spots if spot.name == "jackpot" and spot.total] == [3]


@article("61/2004", "R14")
@pytest.mark.parametrize("bets", [(), ("ana ante 100 box 2",)])
def test_who_goes_during_the_round_is_refunded_when_the_next_one_opens(bets: tuple[str, ...]) -> None:
    gone = opened(CARRIED, "rui ante 100 box 5", *bets, seats={"ana": 2, "rui": 5}).apply(Leave("ana"))
    assert gone.next_house_step() is None
    closed = close(gone).apply(Meter(pool=MILLION)).apply(Void())
    assert [(stake.bet, stake.box) for stake in closed.carried()] == [("old", 2)]
    assert STUD.opened(options(), Opening({"rui": 5}, closed.carried())).next_house_step() == Step(Refund(bet="old"))


@article("61/2004", "jackpot")
@article("61/2004", "6(1)")
def test_there_is_one_jackpot_stake_on_a_box_and_one_of_a_bettor_a_carried_one_included() -> None:
    taken = opened(CARRIED, "rui ante 100 box 2", "ana ante 100 box 5", seats={"rui": 2, "ana": 5})
    assert refused(taken, "rui jackpot 25 box 2") == "jackpot"
    assert refused(taken, "ana jackpot 25 box 5") == "jackpot"
    old = kit.stake("ana jackpot 25 box 2 carried")
    for line, number in (("rui jackpot 25 box 2", "jackpot"), ("ana jackpot 25 box 3", "6(1)")):
        with pytest.raises(Refused) as caught:
            STUD.check_carried([old], kit.stake(f"{line} carried"))
        assert caught.value.article == number
    STUD.check_carried([old], kit.stake("rui jackpot 25 box 3 carried"))


@article("61/2004", "R14")
def test_a_carried_stake_follows_its_bettor_to_another_seat() -> None:
    round_ = playing(f"{PAIR} / {LOW}", "ana ante 100 box 2", "ana jackpot 25 box 2")
    moved = round_.apply(Leave("ana")).apply(Sit("ana", 6)).apply(Void(reason=VoidReason.MISTAKE))
    assert [stake.box for stake in moved.carried()] == [6]
    following = STUD.opened(options(), Opening({"ana": 6, "rui": 2}, moved.carried()))
    both = kit.bet_on(following, "rui ante 100 box 2", "rui jackpot 25 box 2", "ana ante 100 box 6")
    assert [box(both, number).jackpot.live for number in (2, 6)] == [True, True]


@article("61/2004", "R14")
def test_stakes_may_be_carried_over_several_void_rounds() -> None:
    first = playing("8s! 8d!", "ana ante 100 box 2", "ana jackpot 25 box 2")
    second = STUD.opened(options(), Opening({"ana": 2}, first.carried()))
    second = close(kit.bet_on(second, "ana ante 100 box 2 as more")).apply(Meter(pool=MILLION)).apply(Void())
    assert laid(second) == {"more": 100_00, "ana jackpot": 0}
    assert second.carried() == first.carried()


# ── Two cards (R16), decisions (R17) ────────────────────────────────────────────────────────────────────────


@article("61/2004", "R16")
def test_a_card_of_a_bettor_and_one_of_the_dealer_are_two() -> None:
    for hands in ("8s 8d! Tc Jh 2d / Qs Jd!", "8s! 8d Tc Jh 2d / Qs Jd 9h 7c!"):
        assert playing(hands, "ana ante 100 box 2").is_void


@article("61/2004", "R16")
def test_a_dead_card_that_lies_open_counts_among_them() -> None:
    dealing = Dealing("8s 8d! Tc Jh 2d", "ana ante 100 box 2")
    dealing.dealt()
    dealing.cards = [kit.Shoe("Ah").draw(), *Dealing("Kh!", "ana ante 100 box 2").cards]
    assert dealing.go(Misdeal(box=4)).is_void


@article("61/2004", "R17")
def test_all_decide_at_the_same_time_in_the_same_time() -> None:
    round_ = playing(f"{THREE} / {LOW}", *ANTES)
    for line in ("lee raise", "ana fold"):
        after = round_.apply(Raise("lee") if line == "lee raise" else Fold("ana"))
        assert (after.wait, after.pace, after.phase) == (round_.wait, round_.pace, round_.phase)
        round_ = after
    assert view_for(round_, None).question.asked == ("rui",)
    assert round_.on_timeout() == Step(Proceed())
    assert round_.apply(Raise("rui")).phase == "dealer_reveal"


@article("61/2004", "R17")
@pytest.mark.parametrize("viewer", [None, "ana", "lee", "somebody"])
def test_what_one_has_chosen_nobody_else_sees_until_all_have(viewer: str | None) -> None:
    round_ = playing(f"{THREE} / {LOW}", *ANTES, "ana raise")
    raised, folded = round_.apply(Raise("rui")), round_.apply(Fold("rui"))
    assert view_for(raised, viewer) == view_for(folded, viewer) != view_for(round_, viewer)
    assert box(raised, 5, viewer).standing == "decided" and box(raised, 5, viewer).raised is None
    for other in (raised, folded):
        assert (other.wait, other.pace, other.next_house_step(), other.on_timeout(), other.silence) == (
            *(round_.wait, round_.pace, round_.next_house_step(), round_.on_timeout(), round_.silence),
        )
        if viewer:
            assert other.offers(viewer) == round_.offers(viewer) and other.in_escrow(viewer) == round_.in_escrow(viewer)
    assert view_for(raised.apply(Void()), viewer).boxes == view_for(folded.apply(Void()), viewer).boxes
    shown = [box(after.apply(Fold("lee")), 5, viewer) for after in (raised, folded)]
    assert [one.raised for one in shown] == [400_00, 0]
    assert [one.standing for one in shown] == ["raised", "folded"]


@article("61/2004", "R17")
def test_his_own_choice_he_sees_at_once() -> None:
    round_ = playing(f"{THREE} / {LOW}", *ANTES, "rui raise")
    assert view_for(round_, "rui").mine.chosen == "raise" and box(round_, 5, "rui").raised == 400_00
    assert view_for(round_, "ana").mine.chosen is None


@article("61/2004", "R17")
def test_in_turn_they_decide_from_box_1_each_in_his_own_time_and_openly() -> None:
    dealing = Dealing(f"{THREE} / {LOW}", *ANTES, decision_mode="in_turn")
    round_ = dealing.dealt()
    waits = [round_.wait]
    assert refused(round_, "rui raise") == "R17" and not round_.offers("rui").actions
    assert view_for(round_, None).question.asked == ("ana",) and view_for(round_, None).question.in_turn
    assert [box(round_, at).standing for at in (2, 5, 7)] == ["decides", "waits", "waits"]
    round_ = dealing.go("ana raise")
    waits.append(round_.wait)
    assert box(round_, 2).raised == 200_00 and round_.default_for("rui") == Fold("rui")
    assert refused(round_, "ana fold") == "6(5)"
    round_ = dealing.go("…")
    waits.append(round_.wait)
    assert box(round_, 5).automatic and round_.phase == "look_and_decide"
    assert dealing.go("lee raise").phase == "dealer_reveal"
    assert len(set(waits)) == 3


@article("61/2004", "R22")
def test_the_procedure_is_the_same_in_both_editions() -> None:
    for edition in ("69/2003", "61/2004"):
        round_ = opened(seats={"ana": 2}, edition=edition)
        assert refused(round_, "ana jackpot 25 box 2") == "10(1)"
        assert refused(round_, "ana ante 100 box 3") == "6(1)"
        lines = ("ana ante 100 box 2", "ana jackpot 25 box 2", "ana raise")
        assert back(played(f"{FLUSH} / {HIGH}", *lines, edition=edition)) == {
            "ana ante": 1_400_00,
            "ana jackpot": 1_250_00,
        }


@article("61/2004", "R23")
def test_the_house_keeps_the_whole_log_and_shows_the_table_what_was_opened() -> None:
    dealing = Dealing(f"{PAIR} / {FLUSH} / {LOW}", *ANTES[:2], "rui jackpot 25 box 5", "ana raise", "rui raise")
    round_ = dealing.finish()
    assert replayed(STUD, round_.options, round_.opening, dealing.log) == round_
    assert round_.result()["boxes"] == {"2": "one_pair", "5": "flush"}
    assert STUD.public_result(round_)["boxes"] == {"2": "raised", "5": "flush"}


def test_a_record_knows_nothing_of_dead_cards_and_says_that_two_were_exposed_as_a_void() -> None:
    dealing = Dealing("8s 8d Tc Jh 2d", "ana ante 100 box 2")
    dealing.dealt()
    dealing.cards = pile(f"As Ah Ad Ac Kd / {LOW}", dealing.round.options)
    round_ = dealing.go(Misdeal(box=4), "ana raise") and dealing.finish()
    record = record_of(STUD, round_.options, round_.opening, dealing.log)
    assert record["chance"] == f"{PAIR} {LOW}".split() and outcome_of(record)["result"] == round_.result()
    two = Dealing("8s! 8d Tc!", "ana ante 100 box 2", "ana jackpot 25 box 2")
    two.dealt()
    record = record_of(STUD, two.round.options, two.round.opening, two.log)
    assert (record["chance"], record["decisions"]) == (["8s", "8d", "Tc"], [{"by": "house", "do": "void"}])
    assert outcome_of(record)["bets"][1] == {"id": "ana jackpot", "returned": 0, "carried": 25_00}


def test_of_a_folded_hand_the_public_result_says_that_it_was_folded_and_of_a_void_round_nothing() -> None:
    round_ = played(f"{PAIR} / {THREES} / {HIGH}", *ANTES[:2], "ana raise", "rui fold")
    assert STUD.public_result(round_) == round_.result()
    assert round_.result()["boxes"] == {"2": "one_pair", "5": "folded"}
    assert STUD.public_result(playing("8s! 8d!", *ANTES)) == {"void": True}


# ── What is shown to whom (section 6) ───────────────────────────────────────────────────────────────────────

VIEWERS = (None, "ana", "rui", "lee", "spectator")
HANDS = {2: ("ana", PAIR), 5: ("rui", FLUSH), 7: ("lee", FOUR)}


def seen(round_: Any, who: str | None) -> dict[int, str]:
    """Every box's cards, and at 0 the dealer's, as this viewer sees them."""
    shown = {number: faces(box(round_, number, who).cards) for number in HANDS}
    return {**shown, 0: faces(view_for(round_, who).dealer.cards)}


def stages(dealer: str) -> dict[str, Any]:
    """A round in which ana raises, rui raises with a jackpot stake and lee folds, after each step of the house."""
    hands = " / ".join(cards for _, cards in HANDS.values())
    dealing = Dealing(f"{hands} / {dealer}", *ANTES, "rui jackpot 25 box 5", "ana raise", "rui raise")
    rounds = {"deciding": dealing.round, "reveal": dealing.go("lee fold")}
    while not dealing.round.over:
        step = dealing.round.next_house_step().action
        name = f"{step.do} {step.box}" if hasattr(step, "box") else step.do
        rounds[name] = dealing.step()
    return rounds


def expected(who: str | None, dealer: str, opened_boxes: tuple[int, ...]) -> dict[int, str]:
    """What the table of the rulebook says: one's own always, and whatever was opened."""
    shown = {
        number: cards if owner == who or number in opened_boxes else BACKS for number, (owner, cards) in HANDS.items()
    }
    return {**shown, 0: dealer}


@pytest.mark.parametrize("who", VIEWERS)
@article("61/2004", "9(1)")
def test_what_is_shown_to_whom_when_the_dealer_does_not_qualify(who: str | None) -> None:
    dealer = "Qs Jd 9h 7c 4d"
    closed = "-- -- -- -- 4d"
    rounds = stages(dealer)
    assert list(rounds) == ["deciding", "reveal", "turn", "award 5", "settle"]
    assert seen(rounds["deciding"], who) == expected(who, closed, ())
    assert seen(rounds["reveal"], who) == expected(who, closed, ())
    assert seen(rounds["turn"], who) == expected(who, dealer, ())
    assert seen(rounds["award 5"], who) == expected(who, dealer, (5,))
    assert seen(rounds["settle"], who) == expected(who, dealer, (5,))


@pytest.mark.parametrize("who", VIEWERS)
@article("61/2004", "9(3)")
def test_what_is_shown_to_whom_when_the_dealer_qualifies(who: str | None) -> None:
    dealer = "As Kd 9h 7h 4d"
    rounds = stages(dealer)
    assert list(rounds) == ["deciding", "reveal", "turn", "compare 2", "compare 5", "award 5", "settle"]
    for name, dealers, boxes in (
        ("reveal", "-- -- -- -- 4d", ()),
        ("turn", dealer, ()),
        ("compare 2", dealer, (2,)),
        ("compare 5", dealer, (2, 5)),
        ("settle", dealer, (2, 5)),
    ):
        assert seen(rounds[name], who) == expected(who, dealers, boxes), name


@pytest.mark.parametrize("who", VIEWERS)
def test_what_a_hand_makes_is_told_only_to_who_sees_it(who: str | None) -> None:
    rounds = stages("Qs Jd 9h 7c 4d")
    for name, round_ in rounds.items():
        opened_boxes = (5,) if name in ("award 5", "settle") else ()
        for number, (owner, _) in HANDS.items():
            shown = box(round_, number, who)
            sees = owner == who or number in opened_boxes
            assert (shown.rank is not None) == (shown.title is not None) == sees
            assert shown.opened == (number in opened_boxes)
            assert shown.decided_by is None
        dealer = view_for(round_, who).dealer
        assert (dealer.rank is None) == (name in ("deciding", "reveal"))


def test_each_card_lies_in_one_place_of_the_view() -> None:
    for round_ in stages("As Kd 9h 7h 4d").values():
        view = view_for(round_, "ana")
        shown = [str(card.face) for one in (view.dealer, *view.boxes) for card in one.cards if card.face]
        assert len(shown) == len(set(shown))


@article("61/2004", "4(1)")
@article("61/2004", "8(9)")
@pytest.mark.parametrize(
    ("mine", "dealer", "number", "words"),
    [
        (FLUSH, HIGH, "8", "The rank of the hand decides"),
        ("8s 8d Tc Jh 2d", "7s 7d Ac Kh 2c", "8(9)", "The pair decides"),
        ("8s 8d Tc Jh 2d", "8h 8c Ac Kh 3d", "8(9)", "The highest odd card decides"),
        ("8s 8d Tc Jh 3d", "8h 8c Td Js 2d", "8(9)", "A lower odd card decides"),
        ("8s 8d Tc Jh 3d", "8h 8c Td Js 3c", "4(1)", "The suit decides"),
        ("8s 8d 3c 3h Td", "7h 7c 6d 6s Ac", "8(8)", "The high pair decides"),
        ("8s 8d 3c 3h Td", "8h 8c 6d 6s Ac", "8(8)", "The low pair decides"),
        ("8s 8d 3c 3h Td", "8h 8c 3d 3s Ac", "8(8)", "The odd card decides"),
        ("8s 8d 8c 3h Td", "7h 7c 7d 6s Ac", "8(7)", "The rank of the three decides"),
        ("8s 7d 6c 5h 4s", "9s 8d 7c 6h 5s", "8(6)", "The highest card decides"),
        ("Kc Qc 9c 4c 3c", "Kh Qh 9h 5h 3h", "8(5)", "A lower card decides"),
        ("8s 8d 8c 3h 3d", "7h 7c 7d 6s 6c", "8(4)", "The rank of the three decides"),
        ("8s 8d 8c 8h 3d", "7h 7c 7d 7s Ac", "8(3)", "The rank of the four decides"),
        ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "4(1)", "The suit decides"),
        ("6h 5h 4h 3h 2h", "7s 6s 5s 4s 3s", "8(2)", "The highest card decides"),
        ("Ac Kc Td 7s 3h", "As Kh Jd 7c 3d", "8(10)", "A lower card decides"),
    ],
)
def test_what_decided_is_said_with_its_article(mine: str, dealer: str, number: str, words: str) -> None:
    round_ = played(f"{mine} / {dealer}", "ana ante 100 box 2", "ana raise")
    note = box(round_, 2).decided_by
    assert (note.article, str(note.words)) == (number, words)


@article("61/2004", "9(5)")
@pytest.mark.parametrize(
    ("mine", "dealer", "said"),
    [
        (PAIR, "As Kd 9h 7c 4d", "9(5) The dealer has five odd cards, lower than one pair"),
        (PAIR, "7s 7d Ac Kh 2c", "9(5) Both have one pair; the bettor has the higher ranks"),
        (
            "8s 8d Tc Jh 3d",
            "8h 8c Td Js 3c",
            "9(5) Both have one pair of the same ranks; the suit decides for the bettor",
        ),
        (
            "8h 8c Td Js 3c",
            "8s 8d Tc Jh 3d",
            "9(4) Both have one pair of the same ranks; the suit decides for the dealer",
        ),
        (PAIR, "9s 9d Ac Kh 2c", "9(4) Both have one pair; the dealer has the higher ranks"),
        ("Ac Qc Td 7s 3h", PAIR, "9(4) The dealer has one pair, higher than five odd cards"),
    ],
)
def test_what_an_ante_came_to_is_told_by_what_both_have(mine: str, dealer: str, said: str) -> None:
    round_ = played(f"{mine} / {dealer}", "ana ante 100 box 2", "ana raise")
    (note,) = (paid.why for paid in round_.payouts() if paid.spot == "ante")
    assert f"{note.article} {note.words}" == said
