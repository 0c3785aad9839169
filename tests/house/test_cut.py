"""The cut of a fresh pack: any bettor may make it, the seated before the standing."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tables.games.contract.actions import Cut, Decline
from tables.models import Table
from tables.services.rounds import seating
from tests.kit import article

from .kit import House

PACKS: dict[str, tuple[dict[str, Any], str, str]] = {
    "blackjack": ({"dealing_device": "metal_box", "decks": 1, "deal_procedure": 1}, "main", "2(1)(1)"),
    "three_card_baccarat": ({"decks": 1, "standing_bets": True}, "place", "2(1)"),
}


@article("56/2004", "2(1)(1)", "cut")
@article("22/96/M", "2(1)", "cut")
@pytest.mark.parametrize("game", PACKS)
def test_who_sits_is_offered_the_cut_and_then_whoever_has_staked_standing(house: House, game: str) -> None:
    options, spot, by = PACKS[game]
    table, ana, rui, lee = house.table(game=game, **options), *(house.player(name) for name in ("ana", "rui", "lee"))
    seating.sit(ana.pk, table.pk, 1, clock=house.clock)
    house.until(table, "betting")
    for player in (ana, rui):
        house.bet(player, table, spot, 10, 1)
    house.play_out(table)
    house.attend(table, ana)
    house.until(table, "cut")
    assert offered(house, table) == (ana.key,)
    assert house.refused(partial(house.decide, rui, table, Cut, position=9)).article == by
    house.decide(ana, table, Decline)
    assert offered(house, table) == (rui.key,)
    assert house.refused(partial(house.decide, lee, table, Cut, position=9)).article == by
    house.decide(rui, table, Cut, position=9)
    assert house.until(table, "betting").offers(rui.key).bets


def offered(house: House, table: Table) -> tuple[str, ...]:
    """Who is asked to cut."""
    round_: Any = house.round(table)
    asked: tuple[str, ...] = round_.offered_cut
    return asked
