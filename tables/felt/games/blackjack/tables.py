"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents
from tables.games.blackjack.options import MARKET_2009, REGULATION_FULL

TABLES = (
    DemoTable(
        "peninsula", "Peninsula",
        {**REGULATION_FULL,
         "min_bet": {"main": in_cents(10), "any_pair": in_cents(5), "sevens": in_cents(5), "over_13": in_cents(5),
                     "under_13": in_cents(5)},
         "max_bet": {"main": in_cents(2_000), "any_pair": in_cents(100), "sevens": in_cents(20),
                     "over_13": in_cents(500),
                     "under_13": in_cents(500)}},
        {"betting": 20_000, "decision": 15_000, "beat": 700},
    ),
    DemoTable(
        "taipa", "Taipa",
        {**MARKET_2009,
         "min_bet": {"main": in_cents(50), "any_pair": in_cents(10), "sevens": in_cents(10), "over_13": in_cents(10),
                     "under_13": in_cents(10)},
         "max_bet": {"main": in_cents(5_000), "any_pair": in_cents(200), "sevens": in_cents(20),
                     "over_13": in_cents(1_000),
                     "under_13": in_cents(1_000)}},
        {"betting": 15_000, "decision": 15_000, "beat": 600, "result": 6_000},
    ),
    DemoTable(
        "coloane", "Coloane",
        {"decks": 1, "dealing_device": "metal_box", "deal_procedure": 1, "boxes": 6, "max_boxes_per_player": 2,
         "initial_burn": "single", "shared_box_rule": "seated_decides",
         "min_bet": in_cents(5), "max_bet": {"main": in_cents(1_000), "any_pair": in_cents(50), "sevens": in_cents(10),
                                            "over_13": in_cents(200), "under_13": in_cents(200)}},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 700},
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "flora", "Flora",
        {**MARKET_2009,
         "min_bet": in_cents(5), "max_bet": {"main": in_cents(1_000), "any_pair": in_cents(100), "sevens": in_cents(20),
                                            "over_13": in_cents(200), "under_13": in_cents(200)}},
        {"betting": 20_000, "decision": 20_000, "beat": 700, "result": 8_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""
