"""What each game must keep from whom: told from the log alone, not by the view that is put to the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tables.games.baccarat import BaccaratRound, PassHand, Turn, Waive
from tables.games.baccarat.coup import Hand
from tables.games.protocol import Action, CloseBets, DrawCard, Leave, Round

Hidden = Callable[[Sequence[Action], Sequence[Round], str | None], list[int]]


def hidden_in_baccarat(log: Sequence[Action], rounds: Sequence[Any], who: str | None) -> list[int]:
    """The places in the log of the cards that `who` may not know after it (rulebook, section 5).

    Burnt cards nobody ever sees, but for the turned indicator. Of the hands everybody sees what was dealt face up or
    turned; the one who holds a hand sees all of it once four cards are dealt.
    """
    options = rounds[0].options
    closed = False
    burnt = 0
    holders: dict[Hand, str] = {}
    places: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    hidden: set[int] = set()
    for at, action in enumerate(log):
        before: BaccaratRound = rounds[at]
        match action:
            case CloseBets():
                closed = True
                holders = dict(rounds[at + 1].holders)
            case DrawCard() if not closed and before.phase == "burn":
                if before.ceremony and (before.ceremony.burnt or options.burn_mode != "by_first_card"):
                    hidden.add(at)
            case DrawCard() if closed and not options.by_machine and burnt < options.burn_each_round:
                burnt += 1
                hidden.add(at)
            case DrawCard() if closed:
                hand = before.coup.next()
                assert hand is not None
                places[hand].append(at)
                if not (options.by_machine or action.exposed):
                    hidden.add(at)
            case Turn():
                hidden -= set(places[action.hand])
            case Waive():
                del holders[action.hand]
            case PassHand():
                holders[action.hand] = action.to
            case Leave():
                holders = {hand: holder for hand, holder in holders.items() if holder != action.by}
    if sum(map(len, places.values())) >= 4:
        for hand, holder in holders.items():
            if holder == who:
                hidden -= set(places[hand])
    return sorted(hidden)


HIDDEN: dict[str, Hidden] = {"baccarat": hidden_in_baccarat}
"""By game. A game without an entry has no secrets, and a test says which games those are."""
