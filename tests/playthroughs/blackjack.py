"""Three rounds of Blackjack from one shoe, for reading.

The first, against an ace: the cut, the burn, bets that are refused and one that is taken down, insurance, a shared box
that is split twice with one bettor who follows and one who does not, a double, sevens, and the bank's blackjack. The
second, against a six: a card at the start, blackjack at once, surrender, five cards claimed, the special prize, time
that runs out, the white card. The third, face down from a metal box: even money, a hole card, and a void.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.blackjack import GAME
from tables.games.blackjack.phases import (
    Double,
    EvenMoney,
    Follow,
    Hit,
    Insurance,
    Match,
    Pass,
    Split,
    Stand,
    Surrender,
)
from tables.games.contract.actions import Action, Cut, Decline, DrawCard, Lower, Ready, Void, WhiteCard
from tables.games.contract.round import Opening
from tables.games.values.words import Amount
from tests.kit import bet, cards, options

from .transcript import note, notes, transcript

CHOSEN = options(
    "blackjack",
    initial_burn="single",
    round_burn="each_following_round_and_before_bank_second",
    insurance_max_fraction="1",
    min_bet=10_00,
    max_bet={"main": 500_00},
)
METAL_BOX = options("blackjack", dealing_device="metal_box", decks=1, deal_procedure=1)


def shoe(text: str) -> Iterator[Action]:
    """Cards in order; `|` is the white card, `!` behind a card that comes out face up."""
    for token in text.split():
        if token == "|":
            yield WhiteCard()
        else:
            (card,) = cards(token.rstrip("!"))
            yield DrawCard(card=card, exposed=token.endswith("!"))


def lines() -> Iterator[str]:
    """The transcript of the rounds."""
    yield "Blackjack: the first round of a shoe, the bank shows an ace"
    yield ""
    script: list[Action | str] = [
        Decline("ana"),
        Cut("rui", position=131),
        bet("lee main 50 box 1 as b1"),
        bet("ana main 100 box 1 as b2"),
        bet("rui main 200 box 2 as b3"),
        bet("rui main 600 box 3 as b4"),
        bet("rui main 5 box 3 as b4"),
        bet("eva main 60 box 1 as b5"),
        bet("joe main 60 box 1 as b6"),
        bet("lee any_pair 10 box 1 as b7"),
        bet("lee sevens 10 box 1 as b8"),
        bet("rui sevens 20 box 2 as b9"),
        bet("rui over_13 10 box 4 as b10"),
        Lower("eva", bet="b5", amount=10_00),
        Follow("eva", splits=True),
        "…",
        Insurance("lee", 1, 50_00),
        Surrender("ana", 1),
        Insurance("rui", 2, 90_00),
        Insurance("rui", 2, 150_00),
        Ready("ana"),
        Ready("eva"),
        Stand("rui", 2),
        Split("lee", 1),
        Split("ana", 1),
        Pass("lee", 1),
        Split("ana", 1),
        Match("lee", 1),
        Stand("ana", 1),
        Double("ana", 1, 1),
        Pass("eva", 1, 1),
        Pass("lee", 1, 1),
        Hit("ana", 1, 2),
        Split("rui", 2),
        Hit("rui", 2),
        "…",
        Stand("rui", 2, 1),
    ]
    pile = shoe("2h  8s 7s Ad 8h 7h  8c Tc  3d Th  Ks  7d 6c 4c  5s 5h Tc  9d Kh")
    yield from transcript(
        GAME, CHOSEN, Opening({"ana": 1, "rui": 2}, ceremony=True, first_round=True), script, pile, "ana lee rui", felt
    )
    yield ""
    yield ""
    yield "Blackjack: a round of the same shoe, the bank shows a six"
    yield ""
    second: list[Action | str] = [
        bet("ana main 100 box 1 as b11"),
        bet("lee main 50 box 1 as b12"),
        bet("rui main 100 box 2 as b13"),
        bet("rui main 50 box 2 as b14"),
        bet("joe main 25 box 3 as b15"),
        bet("eva main 30 box 4 as b16"),
        bet("rui under_13 10 box 2 as b17"),
        bet("eva any_pair 10 box 5 as b18"),
        Follow("lee", claims=True),
        "…",
        Surrender("joe", 3),
        "…",
        Hit("ana", 1),
        Hit("ana", 1),
        Hit("ana", 1),
        Hit("ana", 1),
        Hit("eva", 4),
    ]
    yield from transcript(
        GAME,
        CHOSEN,
        Opening({"ana": 1, "rui": 2}),
        second,
        shoe("9s  2c As Tc 6s 6d! 6c  3c Kd 6h 8s  4d | 5d 2d Tc  7s"),
        "ana lee rui",
        felt,
    )
    yield ""
    yield ""
    yield "Blackjack: from a metal box, face down"
    yield ""
    third: list[Action | str] = [
        bet("ana main 100 box 1 as b19"),
        bet("rui main 100 box 2 as b20"),
        "…",
        EvenMoney("ana", 1),
        "…",
        Hit("rui", 2),
        Void(remark="the box is jammed"),
    ]
    yield from transcript(GAME, METAL_BOX, Opening({"ana": 1}), third, shoe("As 5c Kd Qs 6h Ac  2d"), "ana rui", felt)


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.cut and view.cut.offered_to:
        yield f"the cut is offered to {', '.join(view.cut.offered_to)}"
    if view.burnt:
        yield f"burnt: {view.burnt}"
    totals = [f"{spot.key} {Amount(spot.total)}" for spot in view.spots if spot.total and spot.name != "main"]
    if totals:
        yield f"beside: {', '.join(totals)}"
    for box in view.boxes:
        if box.bettors:
            yield from _box(box)
    yield from (f"taken down: {refusal.bet}: {note(refusal.why)}" for refusal in view.refusals)
    if view.bank.cards:
        yield f"bank {_cards(view.bank.cards)}" + (f" = {view.bank.total}" if view.bank.total is not None else "")
    yield from notes(view.bank.note, *view.notes)
    if view.question:
        which = "" if view.question.box is None else f" box {view.question.box}"
        hand = f" hand {view.question.hand}" if view.question.hand else ""
        yield f"asked ({view.question.asks}{which}{hand}): {', '.join(view.question.asked)}"
    if view.silence:
        yield note(view.silence)
    for paid in view.payouts:
        yield f"{paid.bet}: {Amount(paid.stake)} → returned {Amount(paid.returned)}: {note(paid.why)}"


def _box(box: Any) -> Iterator[str]:
    stakes = ", ".join(
        f"{one.by} {Amount(one.amount)}"
        + (" decides" if one.decides else "")
        + (f", insured {Amount(one.insured)}" if one.insured else "")
        for one in box.bettors
    )
    yield f"box {box.number}: {stakes}"
    for hand in box.hands:
        total = "" if hand.total is None else f" = {'soft ' if hand.soft else ''}{hand.total}"
        lying = ", ".join(f"{stake.by} {Amount(stake.amount)}" for stake in hand.stakes)
        yield f"box {box.number} hand {hand.number}: {_cards(hand.cards)}{total}, {lying}"
        yield from (f"box {box.number} hand {hand.number}: {text}" for text in notes(hand.note))


def _cards(shown: Any) -> str:
    return " ".join(str(card.face) if card.face else "--" for card in shown)
