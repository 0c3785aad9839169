"""What the felt of Blackjack says of each hand, of whom the round asks and of what it costs, deed by deed.

1.0 8s 3c  11  acts doubled: P 100+100, Q 40 single   box and hand, cards (?? face down), total, standing, stakes
any_pair 1: 10 of 1 won [14(1) …]                     a side bet, on which box, of how many, and its end
asks P: turn of 1.0                                   of whom what is asked
P may: hit, double (100), surrender gets 50           what is offered, with what it costs and what comes back
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import pytest

from tables.games.blackjack.phases import Hit, Stand
from tables.games.blackjack.view import BoxView, Choice, HandView, View
from tables.games.contract.actions import DrawCard
from tables.games.values.cards import card
from tests.kit import article, credits_of, view_for

from .blackjack_kit import Dealing, playing

BETS = ("P main 100 box 1", "Q main 50 box 2")
READY = ("P ready", "Q ready")


def hand_told(box: BoxView, hand: HandView) -> str:
    cards = " ".join(("(%s)" if card.sideways else "%s") % (card.face or "??") for card in hand.cards)
    stakes = ", ".join(
        f"{stake.by} {credits_of(stake.amount - stake.doubled)}"
        + (f"+{credits_of(stake.doubled)}" if stake.doubled else "")
        + (" single" if stake.single else "")
        + (f" {stake.end}" if stake.end else "" if stake.open else " closed")
        for stake in hand.stakes
    )
    flags = [name for name in ("doubled", "split", "prize", "automatic") if getattr(hand, name)]
    total = "" if hand.total is None else f"  {hand.total}{' soft' if hand.soft else ''}"
    note = f" [{hand.note.article} {hand.note.words}]" if hand.note else ""
    return f"{box.number}.{hand.number} {cards}{total}  {' '.join([hand.standing, *flags])}: {stakes}{note}"


def choice_told(choice: Choice) -> str:
    costs = f" ({credits_of(choice.cost)})" if choice.cost else ""
    most = f" up to {credits_of(choice.most)}" if choice.most else ""
    back = f" gets {credits_of(choice.returned)}" if choice.returned else ""
    return f"{choice.action.do}{costs}{most}{back}"


def felt(round_: Any, who: str) -> list[str]:
    """The cards of a round, and what is asked, as `who` sees it."""
    return list(_felt(view_for(round_, who)))


def _felt(view: View) -> Iterator[str]:
    bank = view.bank
    cards = " ".join(str(card.face or "??") for card in bank.cards)
    total = "" if bank.total is None else f"  {bank.total}{' soft' if bank.soft else ''}"
    note = f" [{bank.note.article} {bank.note.words}]" if bank.note else ""
    yield f"bank {cards}{total}{' blackjack' if bank.blackjack else ''}{note}"
    for box in view.boxes:
        for hand in box.hands:
            yield hand_told(box, hand)
    for spot in view.spots:
        if spot.name != "main" and (spot.total or spot.end):
            ended = f" {spot.end} [{spot.why.article} {spot.why.words}]" if spot.end and spot.why else ""
            yield f"{spot.name} {spot.box}: {credits_of(spot.total)} of {spot.bettors}{ended}"
    if view.question is not None:
        about = "" if view.question.box is None else f" of {view.question.box}.{view.question.hand}"
        yield f"asks {', '.join(view.question.asked)}: {view.question.asks}{about}"
    assert view.mine is not None
    if view.mine.choices:
        yield f"{view.mine.who} may: {', '.join(map(choice_told, view.mine.choices))}"


EVENINGS: dict[str, tuple[str, list[str], dict[str, Any], str, str]] = {
    "a pair is split, matched and doubled": (
        "8s Ts Ac 9d 8h 5c Kh 3c Kd 2s Tc 9s",
        ["P main 100 box 1", "Q main 100 box 2", "R main 50 box 3", "Q main 40 box 1 as q1"],
        {},
        "P",
        """
            bank 9d  9
            1.0 8s 8h  16  waits: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 [10(1) A blackjack]
            asks P, Q: early
            P may: surrender gets 50
        P ready
            bank 9d  9
            1.0 8s 8h  16  waits: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 [10(1) A blackjack]
            asks Q: early
        Q ready
            bank 9d  9
            1.0 8s 8h  16  acts: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks P: turn of 1.0
            P may: hit, stand, double (100), split (100)
        P split 1
            bank 9d  9
            1.0 8s  acts split: P 100, Q 40
            1.1 8h  waits split: P 100
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks Q: match_split of 1.0
        Q match 1
            bank 9d  9
            1.0 8s 3c  11  acts split: P 100, Q 40
            1.1 8h  waits split: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks P: turn of 1.0
            P may: hit, stand, double (100)
        P double 1.0
            bank 9d  9
            1.0 8s 3c  11  acts doubled split: P 100+100, Q 40 single
            1.1 8h  waits split: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks Q: match_double of 1.0
        Q match 1.0
            bank 9d  9
            1.0 8s 3c (Kd)  21  stands doubled split: P 100+100, Q 40+40 [6(4)(2) One card only after a double]
            1.1 8h 2s  10  acts split: P 100, Q 40
            2.0 Ts 5c  15  waits: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks P: turn of 1.1
            P may: hit, stand, double (100)
        P stand 1.1
            bank 9d  9
            1.0 8s 3c (Kd)  21  stands doubled split: P 100+100, Q 40+40 [6(4)(2) One card only after a double]
            1.1 8h 2s  10  stands split: P 100, Q 40
            2.0 Ts 5c  15  acts: Q 100
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
            asks Q: turn of 2.0
        Q hit 2
            bank 9d 9s  18 [6(1) The bank has 18 and stands]
            1.0 8s 3c (Kd)  21  ended doubled split: P 100+100 won, Q 40+40 won [6(4)(2) One card only after a double]
            1.1 8h 2s  10  ended split: P 100 lost, Q 40 lost
            2.0 Ts 5c Tc  25  bust: Q 100 lost [7(2) 25 is over 21]
            3.0 Ac Kh  21 soft  blackjack: R 50 won [10(1) A blackjack]
        """,
    ),
    "even money and insurance against an ace": (
        "As Ts Tc Ad Kh 5c 6h 8c",
        ["P main 100 box 1", "Q main 80 box 2", "R main 60 box 3"],
        {},
        "P",
        """
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks P, Q, R: early
            P may: insurance (50) up to 50, even_money gets 200
        P even_money 1
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks Q, R: early
        Q insurance 2 40
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks R: early
        …
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 won [10(1) A blackjack]
            2.0 Ts 5c  15  acts: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks Q: turn of 2.0
        Q stand 2
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 won [10(1) A blackjack]
            2.0 Ts 5c  15  stands: Q 80
            3.0 Tc 6h  16  acts: R 60
            asks R: turn of 3.0
        …
            bank Ad 8c  19 soft [6(1) The bank has 19 and stands]
            1.0 As Kh  21 soft  blackjack: P 100 won [10(1) A blackjack]
            2.0 Ts 5c  15  ended: Q 80 lost
            3.0 Tc 6h  16  ended automatic: R 60 lost [time The time was over: the hand stands]
        """,
    ),
    "a blackjack of the bank": (
        "As Ts Tc Ad Kh 5c 6h Kc",
        ["P main 100 box 1", "Q main 80 box 2", "R main 60 box 3"],
        {},
        "P",
        """
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks P, Q, R: early
            P may: insurance (50) up to 50, even_money gets 200
        Q insurance 2 40
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks P, R: early
            P may: insurance (50) up to 50, even_money gets 200
        P ready
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  waits: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks R: early
        …
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  acts: Q 80
            3.0 Tc 6h  16  waits: R 60
            asks Q: turn of 2.0
        Q stand 2
            bank Ad  11 soft
            1.0 As Kh  21 soft  blackjack: P 100 [10(1) A blackjack]
            2.0 Ts 5c  15  stands: Q 80
            3.0 Tc 6h  16  acts: R 60
            asks R: turn of 3.0
        R stand 3
            bank Ad Kc  21 soft blackjack [10(1) The bank has a blackjack]
            1.0 As Kh  21 soft  blackjack: P 100 push [10(1) A blackjack]
            2.0 Ts 5c  15  ended: Q 80 lost
            3.0 Tc 6h  16  ended: R 60 lost
        """,
    ),
    "five cards are claimed": (
        "2s Kd Ad 3h 4c 2d Tc",
        ["P main 100 box 1", "Q main 60 box 1 as q1"],
        {},
        "P",
        """
            bank Kd  10
            1.0 2s Ad  13 soft  waits: P 100, Q 60
            asks P: early
            P may: surrender gets 50, hit, stand, double (100)
        P ready
            bank Kd  10
            1.0 2s Ad  13 soft  acts: P 100, Q 60
            asks P: turn of 1.0
            P may: hit, stand, double (100)
        P hit 1
            bank Kd  10
            1.0 2s Ad 3h  16 soft  acts: P 100, Q 60
            asks P: turn of 1.0
            P may: hit, stand
        P hit 1
            bank Kd  10
            1.0 2s Ad 3h 4c  20 soft  acts: P 100, Q 60
            asks P: turn of 1.0
            P may: hit, stand
        P hit 1
            bank Kd  10
            1.0 2s Ad 3h 4c 2d  12  acts: P 100, Q 60
            asks Q: claim of 1.0
            P may: claim_five_cards gets 150
        P claim 1
            bank Kd  10
            1.0 2s Ad 3h 4c 2d  12  acts: P 100, Q 60
            asks Q: claim of 1.0
        …
            bank Kd  10
            1.0 2s Ad 3h 4c 2d  12  acts: P 100 won, Q 60
            asks Q: turn of 1.0
        """,
    ),
    "a box is given up": (
        "Ts 9c 8d 6h 5c 9h",
        ["P main 100 box 1", "Q main 80 box 2", "Q main 20 box 1 as q1"],
        {},
        "P",
        """
            bank 8d  8
            1.0 Ts 6h  16  waits: P 100, Q 20
            2.0 9c 5c  14  waits: Q 80
            asks P, Q: early
            P may: surrender gets 50
        P surrender 1
            bank 8d  8
            1.0 Ts 6h  16  surrendered: P 100, Q 20 [18(1) Surrendered]
            2.0 9c 5c  14  waits: Q 80
            asks Q: early
        Q ready
            bank 8d  8
            1.0 Ts 6h  16  surrendered: P 100 half, Q 20 half [18(1) Surrendered]
            2.0 9c 5c  14  acts: Q 80
            asks Q: turn of 2.0
        Q hit 2
            bank 8d  8
            1.0 Ts 6h  16  surrendered: P 100 half, Q 20 half [18(1) Surrendered]
            2.0 9c 5c 9h  23  bust: Q 80 lost [7(2) 23 is over 21]
        """,
    ),
    "cards face down": (
        "9c 9s 9d 8h 7h Tc Kd",
        ["P main 100 box 1", "Q main 50 box 2"],
        {"deal_procedure": 1, "seats": {"P": 1, "Q": 2}},
        "Q",
        """
            bank 9d  9
            1.0 ?? ??  waits: P 100
            2.0 9s 7h  16  waits: Q 50
            asks P, Q: early
            Q may: surrender gets 25
        P ready
            bank 9d  9
            1.0 ?? ??  waits: P 100
            2.0 9s 7h  16  waits: Q 50
            asks Q: early
            Q may: surrender gets 25
        Q ready
            bank 9d  9
            1.0 ?? ??  acts: P 100
            2.0 9s 7h  16  waits: Q 50
            asks P: turn of 1.0
        P hit 1
            bank 9d  9
            1.0 9c 8h Tc  27  bust: P 100 lost [7(2) 27 is over 21]
            2.0 9s 7h  16  acts: Q 50
            asks Q: turn of 2.0
            Q may: hit, stand, double (50)
        …
            bank 9d Kd  19 [6(1) The bank has 19 and stands]
            1.0 9c 8h Tc  27  bust: P 100 lost [7(2) 27 is over 21]
            2.0 9s 7h  16  ended automatic: Q 50 lost [time The time was over: the hand stands]
        """,
    ),
    "the special prize": (
        "6s 2c 9d 7s 3c 8s Tc Kd",
        ["P main 100 box 1", "Q main 50 box 2"],
        {},
        "P",
        """
            bank 9d  9
            1.0 6s 7s  13  waits: P 100
            2.0 2c 3c  5  waits: Q 50
            asks P, Q: early
            P may: surrender gets 50
        P ready
            bank 9d  9
            1.0 6s 7s  13  waits: P 100
            2.0 2c 3c  5  waits: Q 50
            asks Q: early
        Q ready
            bank 9d  9
            1.0 6s 7s  13  acts: P 100
            2.0 2c 3c  5  waits: Q 50
            asks P: turn of 1.0
            P may: hit, stand, double (100)
        P hit 1
            bank 9d  9
            1.0 6s 7s 8s  21  paid prize: P 100 won [15 Special prize]
            2.0 2c 3c  5  acts: Q 50
            asks Q: turn of 2.0
        Q hit 2
            bank 9d  9
            1.0 6s 7s 8s  21  paid prize: P 100 won [15 Special prize]
            2.0 2c 3c Tc  15  acts: Q 50
            asks Q: turn of 2.0
        …
            bank 9d Kd  19 [6(1) The bank has 19 and stands]
            1.0 6s 7s 8s  21  ended prize: P 100 won [15 Special prize]
            2.0 2c 3c Tc  15  ended automatic: Q 50 lost [time The time was over: the hand stands]
        """,
    ),
    "bets beside the main stakes": (
        "8s Ts 9d 8h 3c 9h Kd",
        [
            "P main 100 box 1",
            "P any_pair 10 box 1",
            "Q main 80 box 2",
            "Q over_13 20 box 2",
            "R over_13 10 box 2",
            "R main 10 box 2 as r2",
        ],
        {},
        "P",
        """
            bank 9d  9
            1.0 8s 8h  16  waits: P 100
            2.0 Ts 3c  13  waits: Q 80, R 10
            any_pair 1: 10 of 1
            over_13 2: 30 of 2
            asks P, Q: early
            P may: surrender gets 50
        P ready
            bank 9d  9
            1.0 8s 8h  16  waits: P 100
            2.0 Ts 3c  13  waits: Q 80, R 10
            any_pair 1: 10 of 1
            over_13 2: 30 of 2
            asks Q: early
        Q ready
            bank 9d  9
            1.0 8s 8h  16  acts: P 100
            2.0 Ts 3c  13  waits: Q 80, R 10
            any_pair 1: 10 of 1 won [14(1) The first two cards are a pair]
            over_13 2: 0 of 0 lost [R13 The first two cards make 13]
            asks P: turn of 1.0
            P may: hit, stand, double (100), split (100)
        P stand 1
            bank 9d  9
            1.0 8s 8h  16  stands: P 100
            2.0 Ts 3c  13  acts: Q 80, R 10
            any_pair 1: 10 of 1 won [14(1) The first two cards are a pair]
            over_13 2: 0 of 0 lost [R13 The first two cards make 13]
            asks Q: turn of 2.0
        Q hit 2
            bank 9d Kd  19 [6(1) The bank has 19 and stands]
            1.0 8s 8h  16  ended: P 100 lost
            2.0 Ts 3c 9h  22  bust: Q 80 lost, R 10 lost [7(2) 22 is over 21]
            any_pair 1: 10 of 1 won [14(1) The first two cards are a pair]
            over_13 2: 0 of 0 lost [R13 The first two cards make 13]
        """,
    ),
}
"""Cards, bets, what the round begins with, who looks on; then what they see, below each deed."""


@article("56/2004", "6(5)")
@pytest.mark.parametrize("evening", EVENINGS)
def test_the_felt_follows_the_round_deed_by_deed(evening: str) -> None:
    shoe, bets, about, who, told = EVENINGS[evening]
    dealing = Dealing(shoe, *bets, **about)
    dealing.dealt()
    seen = [f"    {line}" for line in felt(dealing.round, who)]
    lines = dedent(told).strip("\n").splitlines()
    for deed in (line for line in lines if not line.startswith(" ")):
        dealing.go(deed)
        seen += [deed, *(f"    {line}" for line in felt(dealing.round, who))]
    assert seen == lines


@article("56/2004", "15")
def test_art_15_whose_prize_is_due_stands_and_the_next_hand_waits_until_the_dealer_has_paid() -> None:
    drawn = playing("6s 2c 9d 7s 3c", *BETS, *READY).apply(Hit("P", 1, 0))
    assert felt(drawn, "P")[1:] == ["1.0 6s 7s  13  draws: P 100", "2.0 2c 3c  5  waits: Q 50"]
    due = drawn.apply(DrawCard(card=card("8s")))
    assert felt(due, "P")[1:] == [
        "1.0 6s 7s 8s  21  stands prize: P 100 [15 Special prize]",
        "2.0 2c 3c  5  waits: Q 50",
    ]
    assert not any(box.acts for box in view_for(due, None).boxes)


@article("56/2004", "13(2)(1)")
def test_art_13_2_1_a_hand_that_stands_on_sevens_stands_while_they_are_paid() -> None:
    stood = playing("7s 2c 9d 7h 3c", *BETS, "P sevens 10 box 1", *READY).apply(Stand("P", 1, 0))
    assert felt(stood, "P")[1:] == ["1.0 7s 7h  14  stands: P 100", "2.0 2c 3c  5  waits: Q 50", "sevens 1: 10 of 1"]
