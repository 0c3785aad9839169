"""Whoever has neither stake nor seat sees the same in private as all of their kind: rendered once, and never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.utils import translation

from tables.felt.games import FELTS
from tables.felt.private import PrivatePart, Viewer, private_fragments
from tables.models import Player, RoundLog, Table
from tables.queries.table import TableState, table_state
from tables.services.rounds import seating
from tests.house.kit import House
from tests.kit import view_for


@pytest.fixture
def house(db: None) -> Iterator[House]:
    """A house whose books must be in order when the test is over."""
    house = House()
    yield house
    house.in_order()


SPOTS = {"baccarat": ("player", None), "blackjack": ("main", 1), "three_card_baccarat": ("place", 1)}


def states(house: House, table: Table, ana: Player, spot: str, box: int | None) -> list[TableState]:
    """The table at each step of a round in which ana has a stake, and of the beginning of the next."""
    seen = []
    if box is not None:
        seating.sit(ana.pk, table.pk, box, clock=house.clock)
    while RoundLog.objects.filter(table=table).count() < 2:
        house.step(table)
        if house.log(table).phase == "betting" and not house.round(table).in_escrow():
            house.bet(ana, table, spot, 10, box)
        seen.append(table_state(table.pk, clock=house.clock))
    return seen


@pytest.mark.parametrize("game", SPOTS)
def test_what_is_rendered_once_is_what_each_would_get_by_himself(house: House, game: str) -> None:
    table, ana, mei = house.table(game=game), house.player("ana"), house.player("mei")
    viewer = Viewer(mei.key, "Mei", 1_000_000)
    for state in states(house, table, ana, *SPOTS[game]):
        assert state.round is not None
        for language in ("en", "zh-hant", "pt"):
            with translation.override(language):
                got = private_fragments(state, viewer)
                drafts = FELTS[game].private(state, view_for(state.round, mei.key), view_for(state.round, None))
                own = {name: draft.html() for name, draft in drafts.items()}
            assert {name: got[name] for name in own} == own


@pytest.mark.parametrize("game", SPOTS)
def test_he_is_rendered_anew_just_when_something_of_his_has_changed(house: House, game: str) -> None:
    table, ana, mei = house.table(game=game), house.player("ana"), house.player("mei")
    viewer, kept = Viewer(mei.key, "Mei", 1_000_000), set()
    found = states(house, table, ana, *SPOTS[game])
    for one, other in pairwise(found):
        same = PrivatePart.of(one, viewer) == PrivatePart.of(other, viewer)
        assert same == (private_fragments(one, viewer) == private_fragments(other, viewer))
        kept.add(same)
    assert True in kept


def test_whose_bet_was_taken_down_is_no_onlooker(house: House) -> None:
    table, ana, mei = house.table(game="blackjack"), house.player("ana"), house.player("mei")
    house.until(table, "betting")
    house.bet(ana, table, "main", 10, 1)
    house.bet(mei, table, "any_pair", 5, 1)
    house.step(table)
    state = table_state(table.pk, clock=house.clock)
    assert state.round is not None and [refusal.by for refusal in state.round.refusals] == [mei.key]
    hers, an_onlookers = [private_fragments(state, Viewer(key, "Mei", 0)) for key in (mei.key, "p99999")]
    assert hers["my-result"] != an_onlookers["my-result"]


def test_two_tables_are_told_apart(house: House) -> None:
    shown = []
    for slug, game in (("jade", "baccarat"), ("taipa", "blackjack")):
        table = house.table(slug, game=game)
        house.until(table, "betting")
        shown.append(table_state(table.pk, clock=house.clock))
    viewer = Viewer("p99999", "Mei", 0)
    first = [private_fragments(state, viewer) for state in shown]
    assert first[0].keys() != first[1].keys()
    assert [private_fragments(state, viewer) for state in shown] == first
