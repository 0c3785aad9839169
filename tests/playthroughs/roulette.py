"""Three rounds of Roulette for reading.

The first, as the house usually plays it: bets that touch and bets that do not, one that moves, a late bet while the
ball rolls, a null spin after the bell, and the number. The second, where winning stakes are left and betting closes
before the throw: what was left is lowered and moved, a null spin reopens betting, and zero comes up with a combination
on it. The third: the house leaves nothing any more and gives back what lies there, and the round is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.contract.actions import Action, Leave, Lower, Move, NullThrow, Ready, Seal, Unseal, Void, Withdraw
from tables.games.contract.round import Opening, Stake
from tables.games.roulette import GAME
from tables.games.values.words import Amount
from tests.kit import bet, options

from .transcript import note, notes, transcript

USUAL = options("roulette", max_bet={"straight": 50_00, "split": 100_00})
LEAVES = options(
    "roulette",
    bets_close="before_throw",
    null_spin_bets="reopen",
    zero_combinations="allowed",
    sector_definition="layout_blocks",
    auto_leave_winners=True,
)


def ball(*numbers: int | None) -> Iterator[Action]:
    """Seals and what is under them, in order; None for a number that is never opened, as its spin is null."""
    for at, number in enumerate(numbers, start=1):
        yield Seal(commitment=f"commitment {at}")
        yield NullThrow(reason="jumped") if number is None else Unseal(values=(number,), salt=f"salt {at}")


def lines() -> Iterator[str]:
    """The transcript of the rounds."""
    yield "Roulette: betting goes on until the bell, and a spin is null"
    yield ""
    first: list[Action | str] = [
        bet("ana straight_17 10 as b1"),
        bet("ana straight_17 45 as b2"),
        bet("ana split_17_18 20 as b3"),
        bet("rui split_17_21 20 as b4"),
        bet("rui split_0_1 20 as b4"),
        bet("rui sector9_1 40 as b5"),
        bet("lee red 100 as b6"),
        Move("lee", bet="b6", spot="black"),
        bet("lee straight_17 5 as b7"),
        "…",
        bet("rui low 30 as b8"),
        Lower("ana", bet="b3", amount=5_00),
        Withdraw("lee", bet="b7"),
        "…",
    ]
    yield from transcript(GAME, USUAL, Opening({"ana": 1, "rui": 2}), first, ball(None, 17), "ana lee", felt)
    yield ""
    yield ""
    yield "Roulette: winning stakes stay on their spots, betting closes before the throw and reopens, zero comes up"
    yield ""
    second: list[Action | str] = [
        Lower("ana", bet="a1", amount=5_00),
        Move("ana", bet="a2", spot="straight_0"),
        bet("rui corner_0 10 as c1"),
        bet("rui sector9_1 10 as c2"),
        bet("rui sector12_1 10 as c3"),
        Ready("rui"),
        "…",
        bet("lee even 10 as c4"),
        Ready("ana"),
        "…",
    ]
    left = (Stake("a1", "ana", "black", 20_00, carried=True), Stake("a2", "ana", "straight_17", 10_00, carried=True))
    opening = Opening({"ana": 1, "rui": 2}, left)
    zero = yield from transcript(GAME, LEAVES, opening, second, ball(None, 0), "ana rui", felt)
    yield ""
    yield ""
    yield "Roulette: nothing is left any more; the round is cancelled"
    yield ""
    third: list[Action | str] = [bet("ana column_2 10 as d1"), Leave("ana"), "…", "…"]
    cancelled = iter((Seal(commitment="commitment 1"), Void(remark="the wheel is taken out of use")))
    opening = Opening({"ana": 1}, zero.carried())
    yield from transcript(GAME, USUAL, opening, third, cancelled, "ana rui", felt)


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.commitment:
        yield f"sealed: {view.commitment}"
    for spot in view.spots:
        if spot.total and view.outcome is None:
            sold = "" if spot.sold else ", not sold any more"
            yield f"{spot.key}: {Amount(spot.total)} of {spot.bettors}, {spot.odds[0].win} to 1{sold}"
    yield from notes(*view.notes)
    if view.outcome is not None:
        yield f"{view.outcome.number} {view.outcome.colour}, opened with {view.salt}"
        yield from notes(*view.outcome.why)
        yield f"winning: {', '.join(spot.key for spot in view.spots if spot.end == 'won')}"
    if view.mine is not None and view.mine.left:
        yield f"left on the layout from before: {Amount(view.mine.left)}"
    for paid in view.payouts:
        stays = f", stays {Amount(paid.carried)}" if paid.carried else ""
        yield f"{paid.bet}: {Amount(paid.stake)} → returned {Amount(paid.returned)}{stays}: {note(paid.why)}"
