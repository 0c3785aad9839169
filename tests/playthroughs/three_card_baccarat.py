"""Three rounds of 3-Card Baccarat for reading.

The first of a shoe, where standing bettors may bet: the cut, the burn, two places for one bettor, bets that are refused
and some that are taken down, a place that is looked at and one whose time runs out, and the banker's three court cards,
against which odd and even are locked. The second: locked stakes that are not given back but added to, a stake that
moves to another place, a card that turns over, the white card, and a bettor who leaves. The third, from a box: a tie
again, and a deal that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.contract.actions import (
    Action,
    Cut,
    Decline,
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
from tables.games.contract.round import Opening, Stake
from tables.games.three_card_baccarat import GAME
from tables.games.values.words import Amount
from tests.kit import bet, cards, options

from .transcript import note, notes, transcript

CHOSEN = options("three_card_baccarat", decks=2, player_places=5, standing_bets=True, max_bet={"place": 200_00})
BOX = options("three_card_baccarat", decks=1, player_places=5, deal_style="three_at_once", numbers_enabled=False)


def shoe(text: str) -> Iterator[Action]:
    """Cards in order; `|` is the white card, `!` behind a card that turns over."""
    for token in text.split():
        if token == "|":
            yield WhiteCard()
        else:
            (card,) = cards(token.rstrip("!"))
            yield DrawCard(card=card, exposed=token.endswith("!"))


def lines() -> Iterator[str]:
    """The transcript of the rounds."""
    yield "3-Card Baccarat: the first round of a shoe, the banker has three court cards"
    yield ""
    first: list[Action | str] = [
        Decline("ana"),
        Cut("rui", position=50),
        bet("ana place 100 box 1 as b1"),
        bet("ana place 50 box 3 as b2"),
        bet("ana tie 10 box 1 as b3"),
        bet("rui place 300 box 2 as b4"),
        bet("rui place 150 box 2 as b4"),
        bet("rui odd 50 as b5"),
        bet("rui three_figures 10 as b6"),
        bet("lee place 30 box 2 as b7"),
        bet("lee place 20 box 5 as b8"),
        bet("lee tie 5 box 4 as b9"),
        bet("lee points_0 5 as b10"),
        bet("lee place 20 box 6 as b11"),
        Lower("rui", bet="b4", amount=50_00),
        "…",
        Ready("lee"),
        Ready("ana"),
        "…",
    ]
    opening = Opening({"ana": 1, "rui": 2}, ceremony=True, first_round=True)
    pile = shoe("2h 2d  Js 9h 4c Kh  Qd 9d 5c Qc  Ks 8s Td Jd")
    tied = yield from transcript(GAME, CHOSEN, opening, first, pile, "ana rui lee", felt)
    yield ""
    yield ""
    yield "3-Card Baccarat: the next round, with what is locked; the last of the shoe"
    yield ""
    second: list[Action | str] = [
        Withdraw("ana", bet="b1"),
        Move("ana", bet="b1", spot="place", box=2),
        bet("ana place 50 box 1 as c1"),
        bet("ana place 60 box 1 as c2"),
        Lower("rui", bet="b5", amount=10_00),
        bet("rui odd 20 as c3"),
        bet("rui place 40 box 2 as c4"),
        Move("rui", bet="c4", spot="place", box=4),
        bet("ana tie 10 box 4 as c5"),
        Leave("rui"),
        Sit("rui", 2),
        "…",
        Sit("ana", 5),
        Leave("ana"),
    ]
    opening = Opening({"ana": 1, "rui": 2}, tied.carried())
    pile = shoe("3c  9c 8c | Ts!  Kc 9s Ad  Tc Jc 8d")
    second_end = yield from transcript(GAME, CHOSEN, opening, second, pile, "ana rui", felt)
    assert not second_end.carried()
    yield ""
    yield ""
    yield "3-Card Baccarat: from a box, three cards at once; the deal is cancelled"
    yield ""
    third: list[Action | str] = [
        bet("ana place 20 box 2 as d1"),
        bet("ana points_3 20 as d2"),
        bet("ana even 40 as d3"),
        bet("lee even 40 as d4"),
        "…",
        Void(remark="the banker's cards are mixed up with those of place 2"),
    ]
    carried = (Stake("d0", "rui", "place", 80_00, 2, carried=True),)
    pile = shoe("As Ks 4d  7s 8d Jh  Qc 2s 2d")
    yield from transcript(
        GAME, BOX, Opening({"ana": 1, "rui": 2}, carried, first_round=True), third, pile, "ana rui", felt
    )


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.cut and view.cut.offered_to:
        yield f"the cut is offered to {', '.join(view.cut.offered_to)}"
    if view.burnt:
        yield f"burnt: {view.burnt}"
    for spot in view.spots:
        if spot.total:
            locked = f", {Amount(spot.locked)} of it locked" if spot.locked else ""
            yield f"{spot.key}: {Amount(spot.total)}{locked}"
    yield from (f"taken down: {refusal.bet}: {note(refusal.why)}" for refusal in view.refusals)
    for place in view.places:
        yield from _hand(f"place {place.number}", place.hand)
    yield from _hand("banker", view.banker)
    if view.looking:
        yield f"looking: {', '.join(view.looking)}"
    for place in view.places:
        if place.end:
            yield f"place {place.number} {place.end}: {note(place.why)}"
    yield from notes(*view.notes)
    for paid in view.payouts:
        stays = f", locked {Amount(paid.carried)}" if paid.carried else ""
        kept = f", commission {Amount(paid.commission)}" if paid.commission else ""
        yield f"{paid.bet}: {Amount(paid.stake)} → returned {Amount(paid.returned)}{kept}{stays}: {note(paid.why)}"


def _hand(name: str, hand: Any) -> Iterator[str]:
    if hand.cards:
        shown = " ".join(str(card.face) if card.face else "--" for card in hand.cards)
        worth = "" if hand.rank is None else f" = {hand.title}, rank {hand.rank}"
        yield f"{name} {shown}{worth}" + (f": {note(hand.note)}" if hand.note else "")
