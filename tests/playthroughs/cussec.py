"""Three rounds of Cussec for reading.

The first, whose dice lie covered while people bet: too few presses of the lever, so that they are shaken again, bets
that are refused, raised, lowered and moved, and a triple. The second, where the dice are shaken after the bell and
winning stakes stay: a die is cocked and the bets stand, what was left is changed. The third, in which nothing may be
left any more and a cocked die makes the round void.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.contract.actions import Action, Lower, Move, NullThrow, Ready, Seal, Unseal, Withdraw
from tables.games.contract.round import Opening, Stake
from tables.games.cussec import GAME
from tables.games.values.words import Amount
from tests.kit import bet, options

from .transcript import note, notes, transcript

CHOSEN = options(
    "cussec", four_numbers_enabled=False, min_bet={"triple": 5_00}, max_bet={"total": 50_00, "total_9": 20_00}
)
AFTER = options("cussec", shake_timing="after_betting", cocked_dice="reshake_bets_stand", auto_leave_winners=True)


def lines() -> Iterator[str]:
    """The transcript of the rounds."""
    yield "Cussec: the dice lie covered while people bet, and show a triple"
    yield ""
    first: list[Action | str] = [
        bet("ana small 100 as b1"),
        bet("ana total_9 25 as b2"),
        NullThrow(reason="presses"),
        bet("ana total_9 15 as b2"),
        bet("ana total_9 10 as b3"),
        bet("rui triple_3 2 as b4"),
        bet("rui triple_3 5 as b4"),
        bet("rui total_3 5 as b5"),
        bet("lee four_1234 5 as b6"),
        bet("lee double_3 10 as b7"),
        bet("lee single_3 10 as b8"),
        Lower("ana", bet="b1", amount=40_00),
        Move("lee", bet="b7", spot="pair_3_5"),
        Move("lee", bet="b7", spot="double_3"),
        Withdraw("rui", bet="b1"),
        bet("rui any_triple 1 as b9"),
        "…",
    ]
    shaken = iter([Seal(commitment="5ea1…"), Seal(commitment="c0de…"), Unseal(values=(3, 3, 3), salt="5a17…")])
    yield from transcript(GAME, CHOSEN, Opening({"ana": 1}), first, shaken, "ana rui lee", felt)
    yield ""
    yield ""
    yield "Cussec: shaken after the bell, a die is cocked; winning stakes stay"
    yield ""
    second: list[Action | str] = [
        Lower("rui", bet="c1", amount=5_00),
        Move("rui", bet="c2", spot="single_5"),
        bet("ana odd 30 as c3"),
        bet("ana four_2356 10 as c4"),
        Ready("ana"),
        Ready("rui"),
        "…",
    ]
    left = (Stake("c1", "rui", "big", 20_00, carried=True), Stake("c2", "rui", "even", 10_00, carried=True))
    shaken = iter(
        [
            Seal(commitment="0dd5…"),
            NullThrow(reason="cocked"),
            Seal(commitment="e7e9…"),
            Unseal(values=(6, 2, 5), salt="5a17…"),
        ]
    )
    stays = yield from transcript(GAME, AFTER, Opening({"ana": 1}, left), second, shaken, "ana rui", felt)
    yield ""
    yield ""
    yield "Cussec: nothing may be left any more, and a die rests on another"
    yield ""
    third: list[Action | str] = [bet("ana big 10 as d1"), "…"]
    shaken = iter([Seal(commitment="ace5…"), NullThrow(reason="stacked")])
    yield from transcript(GAME, options("cussec"), Opening({"ana": 1}, stays.carried()), third, shaken, "ana rui", felt)


def felt(view: Any) -> Iterator[str]:
    """The felt in lines, each of which is shown when it is new."""
    if view.covered and view.shaken:
        yield f"the dice lie covered, after {view.shakes} presses of the lever; sealed as {view.commitment}"
    for spot in view.spots:
        if spot.total:
            yield f"{spot.name}: {Amount(spot.total)} of {spot.bettors}"
    yield from notes(*view.notes)
    if view.outcome:
        yield f"the dice show {' '.join(map(str, view.outcome.thrown))}; opened with {view.salt}"
        yield f"{view.outcome.words}; lit: {', '.join(view.outcome.won)}"
    for paid in view.payouts:
        stays = f", stays {Amount(paid.carried)}" if paid.carried else ""
        yield f"{paid.bet}: {Amount(paid.stake)} → returned {Amount(paid.returned)}{stays}: {note(paid.why)}"
