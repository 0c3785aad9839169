"""Two rounds of Baccarat from one shoe, for reading: everything that can happen happens somewhere.

The first: the cut goes round, the first card decides the burn, a demonstration, bets of all kinds and some that are
refused, a holder who turns and one who is too late, a card face up, the white card, and a tie. The second, the last of
the shoe: a carried stake that is added to and one that is moved, a trim, a hand passed on, commission.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.baccarat import GAME, PassHand, Turn
from tables.games.baccarat.coup import Hand
from tables.games.contract.actions import Action, Cut, Decline, DrawCard, Leave, Lower, Move, Ready, WhiteCard, Withdraw
from tables.games.contract.round import Opening
from tables.games.values.words import Amount
from tests.kit import bet, cards, options

from .transcript import note, notes, transcript

CHOSEN = options(
    decks=6,
    burn_mode="by_first_card",
    burn_indicator="counted",
    demo_rounds=1,
    burn_each_round=1,
    last_round_rule="one_more_round",
    tie_policy="no_reduce",
    imbalance_limit=300_00,
    min_bet=10_00,
    max_bet={"tie": 50_00},
)


def shoe(text: str) -> Iterator[Action]:
    """Cards in order; `|` is the white card, `!` behind a card that comes out face up."""
    for token in text.split():
        if token == "|":
            yield WhiteCard()
        else:
            (card,) = cards(token.rstrip("!"))
            yield DrawCard(card=card, exposed=token.endswith("!"))


def lines() -> Iterator[str]:
    """The transcript of both rounds."""
    yield "Baccarat: the first round of a shoe, a tie"
    yield ""
    opening = Opening({"ana": 2, "rui": 5}, ceremony=True, first_round=True)
    script: list[Action | str] = [
        Decline("ana"),
        Cut("rui", position=131),
        bet("ana banker 100 box 2 as b1"),
        bet("lee player 200 as b2"),
        bet("rui player 50 box 2 as b3"),
        bet("rui banker 15 as b3"),
        bet("rui player 60 box 5 as b3"),
        bet("rui tie 60 as b4"),
        bet("rui tie 20 as b4"),
        bet("eva player_pair 10 as b5"),
        bet("lee banker_pair 10 as b6"),
        bet("lee player 200 as b7"),
        bet("rui banker 20 as b8"),
        Withdraw("rui", bet="b8"),
        Lower("rui", bet="b3", amount=10_00),
        Ready("ana"),
        "…",
        Turn("ana", hand=Hand.BANKER),
        "…",
        Turn("ana", hand=Hand.BANKER),
        "…",
        Turn("ana", hand=Hand.BANKER),
    ]
    pile = shoe("3d 7c 8h  4s Kc 5d 7h  9s  Ks 3c! 2d Th | Ts 9h")
    first = yield from transcript(GAME, CHOSEN, opening, script, pile, "ana rui", felt)
    yield ""
    yield ""
    yield "Baccarat: the round after, the last of the shoe"
    yield ""
    second: list[Action | str] = [
        Withdraw("ana", bet="b1"),
        Move("lee", bet="b2", spot="tie"),
        Move("lee", bet="b2", spot="banker"),
        bet("rui banker 100 box 5 as b9"),
        bet("rui banker 30 box 5 as b9"),
        bet("lee player 200 as b10"),
        bet("ana banker 200 box 2 as b11"),
        Withdraw("lee", bet="b10"),
        "…",
        PassHand("ana", hand=Hand.BANKER, to="rui"),
        Turn("ana", hand=Hand.BANKER),
        Turn("rui", hand=Hand.PLAYER),
        Leave("rui"),
    ]
    yield from transcript(
        GAME,
        CHOSEN,
        Opening({"ana": 2, "rui": 5}, first.carried(), last_round=True),
        second,
        shoe("Jc  Ks 3c 2d Th 8s"),
        "ana rui",
        felt,
    )


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.cut and view.cut.offered_to:
        yield f"the cut is offered to {', '.join(view.cut.offered_to)}"
    if view.burn:
        turned = f", {view.burn.indicator} turned up" if view.burn.indicator else ""
        yield f"burnt {view.burn.burnt}{turned}"
    for at, demo in enumerate(view.demos, start=1):
        yield f"demonstration {at}: {_hand(demo.player)} | {_hand(demo.banker)}"
        yield from notes(demo.player.note, demo.banker.note, demo.outcome and demo.outcome.why)
    totals = [f"{spot.name} {Amount(spot.total)}" for spot in view.spots if spot.total]
    if totals:
        yield f"stakes: {', '.join(totals)}"
    yield from (f"taken down: {refusal.bet}: {note(refusal.why)}" for refusal in view.refusals)
    yield from (f"lowered: {trim.bet} to {Amount(trim.left)}: {note(trim.why)}" for trim in view.trims)
    if view.burnt:
        yield f"burnt at the start: {view.burnt}"
    if view.player.cards:
        yield f"{_hand(view.player)} | {_hand(view.banker)}"
    for hand in view.hands:
        if hand.holder:
            yield f"{hand.hand} is held by {hand.holder}"
    yield from notes(view.player.note, view.banker.note, *view.notes, view.outcome and view.outcome.why)
    for paid in view.payouts:
        went = f"returned {Amount(paid.returned)}" + (f", carried {Amount(paid.carried)}" if paid.carried else "")
        fee = f", commission {Amount(paid.commission)}" if paid.commission else ""
        yield f"{paid.bet}: {Amount(paid.stake)} → {went}{fee}: {note(paid.why)}"


def _hand(hand: Any) -> str:
    faces = " ".join(str(card.face) + "!" * card.exposed if card.face else "--" for card in hand.cards)
    return f"{hand.hand} {faces}" + (f" = {hand.total}" if hand.total is not None else "")
