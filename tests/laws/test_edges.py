"""What the house tells of its bets, whatever options it has chosen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.games import GAMES
from tables.games.contract.round import Opening
from tables.games.edges import edges_of
from tests.kit import view_for

from .playing import any_options

UNKNOWN = {"blackjack": {"main", "any_pair"}, "stud_poker": {"jackpot"}}
"""Bets of which not every set of options has a figure."""


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_an_edge_is_told_of_the_bets_that_are_sold(slug: str, data: st.DataObject) -> None:
    """No bet is without chance, and nobody loses or wins all that is staked on average."""
    game = GAMES[slug]
    options = data.draw(any_options(game))
    sold = {spot.name for spot in view_for(game.opened(options, Opening()), None).spots}
    edges = edges_of(slug, options)
    assert set(edges) <= sold
    assert sold - set(edges) <= UNKNOWN.get(slug, set())
    for edge in edges.values():
        assert -1 < edge.share < 1
        assert edge.variance > 0


def test_what_is_told_cannot_be_changed_by_those_who_ask() -> None:
    told = edges_of("baccarat", GAMES["baccarat"].options())
    assert told is edges_of("baccarat", GAMES["baccarat"].options())
    assert not hasattr(told, "__setitem__")
