"""The cards of the lobby: the same as each table by itself, in a fixed number of statements."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.games import GAMES
from tables.models import Table
from tables.queries import folds
from tables.queries import table as table_queries
from tables.queries.folds import fold_cache
from tables.queries.lobby import lobby_cards
from tables.queries.table import results_of_shoe
from tables.services.rounds import seating

from .kit import House

SHOES: dict[str, dict[str, Any]] = {"baccarat": {"dealing_device": "shoe", "demo_rounds": 0}}

BETS: dict[str, tuple[str, int, int | None]] = {
    "baccarat": ("player", 100, None),
    "blackjack": ("main", 100, 1),
    "stud_poker": ("ante", 100, 1),
    "three_card_baccarat": ("place", 100, 1),
    "roulette": ("red", 100, None),
    "cussec": ("small", 100, None),
}


def floor_of(house: House, number: int, *, first: int = 0) -> list[Table]:
    """So many tables, of every game in turn; by each four, after none to three rounds."""
    tables, games = [], list(GAMES)
    for at in range(first, first + number):
        game = games[at % len(games)]
        table = house.table(f"table-{at}", game=game, **SHOES.get(game, {}))
        tables.append(table)
        ana = house.player(f"ana-{at}")
        seating.sit(ana.pk, table.pk, 1, clock=house.clock)
        for _ in range(at % 4):
            house.until(table, "betting")
            house.bet(ana, table, *BETS[game])
            house.play_out(table)
    return tables


def statements(house: House) -> int:
    with CaptureQueriesContext(connection) as seen:
        lobby_cards(clock=house.clock)
    return len(seen)


def test_each_card_says_what_its_table_says_and_twelve_take_as_many_statements_as_four(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a start, when nothing is folded yet."""
    tables, counts = [], {}
    for first, number in ((0, 4), (4, 8)):
        tables += floor_of(house, number, first=first)
        with_folds = statements(house)
        fold_cache.clear()
        counts[len(tables)] = (with_folds, statements(house))
    assert counts[4] == counts[12] and max(counts[4]) <= 5

    monkeypatch.setattr(table_queries, "ROAD_LENGTH", 2)
    monkeypatch.setattr(folds, "AT_ONCE", 5)
    fold_cache.clear()
    cards = {card.slug: card for card in lobby_cards(clock=house.clock)}
    assert len(cards) == len(tables)
    for table in tables:
        table.refresh_from_db()
        card = cards[table.slug]
        assert card.results == results_of_shoe(table), table.game
        assert card.phase == (str(house.round(table).phase) if table.round is not None else "")
    assert {len(card.results) for card in cards.values()} == {0, 1, 2}


def test_tables_are_ranked_by_what_moves_and_say_where_a_player_takes_part(house: House) -> None:
    ana, bea = house.player("ana"), house.player("bea")
    quiet, full, dealing, open_ = (house.table(slug, game="roulette") for slug in ("quiet", "full", "dealing", "open"))
    Table.objects.filter(pk=quiet.pk).update(attended_until=house.clock.at)
    house.until(dealing, "betting")
    house.bet(ana, dealing, "red", 100)
    while house.round(dealing).phase == "betting":
        house.step(dealing)
    for table in (full, open_):
        house.until(table, "betting")
        house.attend(table)
    seating.sit(bea.pk, full.pk, 2, clock=house.clock)
    house.attend(dealing)
    Table.objects.filter(pk=quiet.pk).update(attended_until=house.clock.at)

    cards = sorted(lobby_cards(ana.key, clock=house.clock), key=lambda card: card.rank)
    assert [card.slug for card in cards] == ["full", "dealing", "open", "quiet"]
    assert [card.place for card in cards if card.place is not None] == [("dealing", "Dealing", None, 100_00)]
    (sits,) = [card.place for card in lobby_cards(bea.key, clock=house.clock) if card.place is not None]
    assert sits == ("full", "Full", 2, 0)
    assert all(card.place is None for card in lobby_cards(clock=house.clock))
    house.play_out(dealing)
    assert all(card.place is None for card in lobby_cards(ana.key, clock=house.clock))  # nothing lies there any more
