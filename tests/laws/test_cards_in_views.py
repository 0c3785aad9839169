"""The search for the cards that a view shows (`cards_in`) passes over nothing in which one may lie."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tables.games.blackjack.view import HandView
from tables.games.contract.actions import DrawCard
from tables.games.contract.round import Offers
from tables.games.contract.view import WITHOUT_CARDS, View
from tables.games.values.cards import Card


def can_hold_a_card(kind: Any, within: frozenset[Any] = frozenset()) -> bool:
    """Whether a thing of this type, as it is annotated, or of one derived from it, may have a card in it."""
    if kind is Card:
        return True
    if kind in within or get_origin(kind) is Literal:
        return False
    if arguments := get_args(kind):
        return any(can_hold_a_card(each, within | {kind}) for each in arguments)
    has_fields = is_dataclass(kind)
    if not has_fields:
        return kind in (object, Any)
    parts = (*get_type_hints(kind).values(), *kind.__subclasses__())
    return any(can_hold_a_card(each, within | {kind}) for each in parts)


def test_no_card_lies_in_what_is_passed_over_in_the_search_for_cards() -> None:
    of_bettors = {Offers}  # what they may do: the house alone draws
    assert not [kind for kind in {*WITHOUT_CARDS} - of_bettors if can_hold_a_card(kind)]
    assert all(can_hold_a_card(kind) for kind in (View, DrawCard, HandView))
