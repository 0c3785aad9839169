"""What opens the cards that a viewer sees: place, salt and card, for a browser that checks them (docs/proof.md, 7).

What is opened to whom follows from what is drawn for them: a card that a viewer is not shown is never opened to them.
"""

from __future__ import annotations

from collections.abc import Collection

from tables.base.proof_format import place_of, throw_value
from tables.games.contract.view import View, cards_in
from tables.games.values.cards import Card
from tables.queries.table import TableState


def shown_cards(state: TableState, shown: object) -> frozenset[int]:
    """The drawn cards of this round that something shows, a view or what is drawn from it: each by its place in the
    order of drawing, from 0."""
    if state.dealt_from is None:
        return frozenset()
    here = set(map(id, cards_in(shown)))
    return frozenset(at for at, draw in enumerate(state.chance.draws) if id(draw.card) in here)


def openings(state: TableState, drawn: Collection[int]) -> str:
    """What opens these drawn cards, as `134:9c0e…:4s`, with spaces between them."""
    pack = state.dealt_from
    if pack is None:
        return ""
    return " ".join(
        _opening(state, at, state.chance.draws[at].salt, state.chance.draws[at].card) for at in sorted(drawn)
    )


def _opening(state: TableState, at: int, salt: str, card: Card) -> str:
    pack = state.dealt_from
    assert pack is not None
    return f"{place_of(pack.before + at + 1, pack.cut, pack.size)}:{salt}:{card}"


def opened_throw(state: TableState, view: View) -> str:
    """What opens the throw that this view shows as opened, as `77:9c0e…:3 3 5`; empty as long as it is closed."""
    thrown, salt = state.chance.throw, getattr(view, "salt", "")
    if thrown is None or not salt or salt != thrown.salt or not state.sealed_number:
        return ""
    return f"{state.sealed_number}:{salt}:{throw_value(thrown.values)}"
