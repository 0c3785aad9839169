"""The simulation behind docs/scale.md: it loses no work, spreads tables, and fits what it was told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casino.settings import BASE_DIR
from tests.bench.scale import SIZES, Costs, House, fitted, foretold, simulated, table_of_sizes, web_of

COSTS = Costs()


def test_the_table_in_the_document_is_what_the_simulation_says() -> None:
    assert table_of_sizes(COSTS, SIZES[:2]) in (BASE_DIR / "docs" / "scale.md").read_text()


def test_all_work_is_done_whoever_does_it() -> None:
    house = House(tables=5, players=50)
    one, several = (simulated(house, COSTS, webs=webs) for webs in (1, 4))
    rounds_a_second = house.tables / house.round_s
    bets = house.players / house.round_s * house.bets
    assert one.dealer == pytest.approx((rounds_a_second * COSTS.round_ + bets * COSTS.settled_bet) / 1000, rel=0.05)
    in_database = rounds_a_second * COSTS.database_round + bets * COSTS.database_bet
    in_database += one.transactions * COSTS.database_bets
    assert one.database == pytest.approx(in_database / 1000, rel=0.05)
    assert several.web == pytest.approx(one.web, rel=0.15)
    assert several.busiest < one.busiest == one.web


def test_bets_that_wait_together_share_a_transaction() -> None:
    slow = replace(COSTS, bets=400.0)
    crowd = simulated(House(tables=1, players=200), slow, webs=1)
    assert crowd.transactions < 0.3 * 200 / 45.0
    alone = simulated(House(tables=1, players=200), replace(COSTS, bets=0.1, push=0.0, sent=0.0, private=0.0), webs=1)
    assert alone.transactions == pytest.approx(200 / 45.0, rel=0.05)
    assert alone.wait_ms < 1 < crowd.wait_ms


def test_tables_are_spread_and_most_stay_where_they_were_when_a_process_is_added() -> None:
    before, after = ([web_of(table, webs) for table in range(1_000)] for webs in (4, 5))
    assert all(200 < before.count(at) < 300 for at in range(4))
    moved = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(moved) < 260 and set(moved) == {4}


def test_costs_are_found_again_in_what_they_make() -> None:
    true = replace(COSTS, bet=0.2, bets=3.0, round_=90.0, settled_bet=0.3)

    def measured(bets: int, burst: int) -> dict[str, object]:
        told = foretold(true, bets=bets, burst=burst)
        return {
            **told,
            "bets": bets,
            "burst": burst,
            "stored": {"tables_transfer": told["bytes"], "tables_packseed": 9.0},
        }

    found = fitted([measured(10, 10), measured(100, 10), measured(100, 50)], COSTS)
    assert foretold(found, bets=40, burst=20) == pytest.approx(foretold(true, bets=40, burst=20))
