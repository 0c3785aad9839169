"""What the story of a round tells alike in all games: what was paid and collected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tables.games.contract.game import GameOf
from tables.games.contract.round import Payout
from tables.games.contract.view import View
from tables.games.values.words import Amount, Note, Words, say


def settled(before: View, after: View) -> list[Note]:
    """What was paid and collected; of the viewer's own stakes with the amount."""
    own = after.mine.who if after.mine is not None else None
    notes = (_own(payout) if payout.by == own else payout.why for payout in after.payouts)
    return list(dict.fromkeys(notes)) or [Note("", say("The round is settled"))]


def own_settled(game: GameOf[Any, Any, Any], view: View) -> list[Note]:
    """What was paid and collected of the viewer's own stakes, bet by bet: many may win or lose by one number."""
    assert view.mine is not None
    notes = [_named(game.spots[payout.spot].title, _own(payout)) for payout in view.mine.payouts]
    return list(dict.fromkeys(notes)) or [Note("", say("The round is settled"))]


def _named(bet: Words, note: Note) -> Note:
    return Note(note.article, say("%(bet)s: %(what)s", bet=bet, what=note.words))


def paid_between(before: View, after: View) -> Iterator[Note]:
    """What was paid or collected between the two; of the viewer's own stakes with the amount."""
    own = after.mine.who if after.mine is not None else None
    told: set[Note] = set()
    for payout in after.payouts[len(before.payouts) :]:
        if payout.by == own:
            yield _comes_back(payout)
        elif payout.why not in told:
            told.add(payout.why)
            yield payout.why


def _own(payout: Payout) -> Note:
    if not payout.carried:
        return _comes_back(payout)
    words = say("%(why)s. %(stake)s stays", why=payout.why.words, stake=Amount(payout.carried))
    return Note(payout.why.article, words)


def _comes_back(payout: Payout) -> Note:
    """What came of one stake. Of a jackpot stake, which is in the pool already, and of a prize beside a stake only what
    was won."""
    if not payout.stake:
        if not payout.returned:
            return payout.why
        words = say("%(why)s. You get %(returned)s", why=payout.why.words, returned=Amount(payout.returned))
        return Note(payout.why.article, words)
    words = say(
        "%(why)s. You staked %(stake)s, %(returned)s comes back",
        why=payout.why.words, stake=Amount(payout.stake), returned=Amount(payout.returned),
    )  # fmt: skip
    return Note(payout.why.article, words)
