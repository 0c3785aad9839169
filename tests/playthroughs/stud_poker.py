"""Three rounds of Stud Poker for reading.

The first, from the shoe: the dealer's cut, stakes that are refused, one that is lowered, the meter of the jackpot, and
two exposed cards, which make the round void; the jackpot stakes are carried. The second: one of them is refunded, as
its bettor has gone, the other plays; a card goes to a box without a stake; all decide at the same time, one lets it
pass; a straight flush wins of the jackpot, though the dealer does not qualify. The third, from the shuffler, by the
dispatch of 2003 and in turn: the dealer's second card is exposed, a raise wins up to the cap, a suit decides, a flush
is folded, and a royal flush takes what a straight flush has left of the pool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.contract.actions import Action, Cut, Lower, Meter, Ready, Withdraw
from tables.games.contract.round import Opening
from tables.games.stud_poker import GAME
from tables.games.stud_poker.phases import Fold, Misdeal, Raise
from tables.games.values.words import Amount
from tests.kit import bet, options
from tests.regulation.stud_kit import pile

from .transcript import note, notes, transcript

SHOE = options("stud_poker", shuffle_method="manual_shoe")
SHUFFLER = {"decision_mode": "in_turn", "min_ante": 20_00, "max_ante": 100_00, "raise_payout_cap": 1_400_00}
OLD = options("stud_poker", edition="69/2003", **SHUFFLER)


def lines() -> Iterator[str]:
    """The transcript of the rounds."""
    yield "Stud Poker: from the shoe, and two cards are exposed"
    yield ""
    first: list[Action | str] = [
        bet("ana jackpot 25 box 1 as b1"),
        bet("ana ante 300 box 1 as b2"),
        bet("ana jackpot 25 box 1 as b3"),
        bet("rui ante 100 box 1 as b4"),
        bet("rui ante 100 box 3 as b5"),
        bet("rui jackpot 50 box 3 as b6"),
        bet("rui jackpot 25 box 3 as b7"),
        bet("eva ante 100 box 4 as b8"),
        bet("lee ante 50 box 5 as b9"),
        bet("lee ante 200 box 5 as b10"),
        bet("lee jackpot 25 box 5 as b11"),
        Withdraw("lee", bet="b10"),
        Lower("ana", bet="b2", amount=200_00),
        bet("lee ante 100 box 5 as b12"),
        Ready("ana"),
        "…",
    ]
    cards = [Cut("house", position=31), Meter(pool=499_965_00), *pile("8s 8d! / 3s 3h / 5c 5d / Qs Jd!", SHOE)]
    seats = {"ana": 1, "rui": 3, "lee": 5}
    void = yield from transcript(GAME, SHOE, Opening(seats, ceremony=True), first, iter(cards), "ana lee", felt)
    yield ""
    yield ""
    yield "Stud Poker: from the shoe, with carried jackpot stakes; the dealer does not qualify"
    yield ""
    second: list[Action | str] = [
        bet("ana ante 100 box 1 as b13"),
        bet("ana jackpot 25 box 1 as b14"),
        bet("lee ante 200 box 5 as b15"),
        bet("lee jackpot 25 box 5 as b16"),
        bet("eva ante 100 box 6 as b17"),
        "…",
        Raise("lee", 300_00),
        Raise("lee", 400_00),
        Raise("ana"),
        Fold("ana"),
        "…",
    ]
    hands = pile("8s 8d Tc Jh 2d / 6h 5h 4h 3h 2h / Kc Qd 9c 4c 3c / Qs Jd 9h 7c 4d", SHOE)
    cards = [
        Cut("house", position=7),
        Meter(pool=500_000_00),
        *hands[:4],
        Misdeal(box=3),
        *pile("Ah", SHOE),
        *hands[4:],
    ]
    opening = Opening({"ana": 1, "lee": 5, "eva": 6}, void.carried(), ceremony=True)
    yield from transcript(GAME, SHOE, opening, second, iter(cards), "ana lee eva", felt)
    yield ""
    yield ""
    yield "Stud Poker: from the shuffler, in turn, by the dispatch of 2003; the dealer qualifies"
    yield ""
    people = {"ana": 1, "lee": 5, "eva": 6, "joe": 7}
    third: list[Action | str] = [
        *(bet(f"{who} ante 100 box {box}") for who, box in people.items()),
        *(bet(f"{who} jackpot 25 box {box}") for who, box in people.items() if who != "eva"),
        "…",
        Raise("lee"),
        Raise("ana"),
        Raise("lee"),
        Raise("eva"),
        Fold("joe"),
    ]
    dealt = "As Ks Qs Js Ts / 6h 5h 4h 3h 2h / 8s 8d Tc Jh 2d / Kc Qc 9c 4c 3c / 8h 8c! Td Jd 2c"
    cards = [Meter(pool=999_947_50), *pile(dealt, OLD)]
    yield from transcript(GAME, OLD, Opening(people), third, iter(cards), "ana eva joe", felt)


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    for box in view.boxes:
        if box.bettor or box.jackpot or box.dead:
            yield from _box(box)
    yield from (f"taken down: {refusal.bet}: {note(refusal.why)}" for refusal in view.refusals)
    if view.dealer.cards:
        yield f"dealer {_cards(view.dealer.cards)}" + (f": {view.dealer.title}" if view.dealer.title else "")
    yield from notes(view.dealer.note, *view.notes)
    if view.pool.opening is not None:
        yield f"the pool: {Amount(view.pool.opening)}"
    yield from (f"prize for box {one.box}: {note(one.why)}" for one in view.pool.prizes)
    if view.pool.closing is not None:
        yield f"the pool after it: {Amount(view.pool.closing)}"
    if view.question:
        yield f"asked: {', '.join(view.question.asked)}"
    if view.silence:
        yield note(view.silence)
    for paid in view.payouts:
        pooled = f", pool {'+' if paid.pooled > 0 else '−'}{Amount(abs(paid.pooled))}" if paid.pooled else ""
        moved = f"{Amount(paid.stake)} → returned {Amount(paid.returned)}{pooled}"
        yield f"{paid.bet} ({paid.spot}): {moved}: {note(paid.why)}"
    for choice in view.mine.choices if view.mine else ():
        if choice.warning:
            yield f"{choice.action.do}: {note(choice.warning)}"


def _box(box: Any) -> Iterator[str]:
    parts = [f"{box.bettor} {Amount(box.ante)}"] if box.bettor else []
    if box.jackpot:
        light = " accepted" if box.jackpot.accepted else ""
        carried = " carried" if box.jackpot.carried else ""
        parts.append(f"jackpot {Amount(box.jackpot.amount)}{carried}{light}")
    if box.raised:
        parts.append(f"raise {Amount(box.raised)}")
    if parts:
        yield f"box {box.number}: {', '.join(parts)}"
    if box.dead:
        yield f"box {box.number} dead: {_cards(box.dead)}"
    if box.cards:
        yield f"box {box.number} {_cards(box.cards)}" + (f": {box.title}" if box.title else "")
    if box.bettor:
        yield f"box {box.number} {box.standing}{' by itself' if box.automatic else ''}"
    yield from (f"box {box.number}: {text}" for text in notes(box.decided_by))


def _cards(shown: Any) -> str:
    return " ".join(str(card.face) if card.face else "--" for card in shown)
