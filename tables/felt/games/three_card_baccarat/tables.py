"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents
from tables.games.three_card_baccarat.bets import POINTS_SPOTS

TABLES = (
    DemoTable(
        "barra", "Barra",
        {"decks": 6, "player_places": 7, "standing_bets": True,
         "min_bet": {"place": in_cents(20), "odd": in_cents(10), "even": in_cents(10), "tie": in_cents(5),
                     "three_figures": in_cents(5), **dict.fromkeys(POINTS_SPOTS, in_cents(5))},
         "max_bet": {"place": in_cents(5_000), "odd": in_cents(2_000), "even": in_cents(2_000), "tie": in_cents(200),
                     "three_figures": in_cents(200), **dict.fromkeys(POINTS_SPOTS, in_cents(200))}},
        {"betting": 20_000, "decision": 15_000, "beat": 600},
    ),
    DemoTable(
        "cotai", "Cotai",
        {"decks": 1, "player_places": 6, "deal_style": "three_at_once", "min_bet": in_cents(10),
         "max_bet": in_cents(1_000)},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 600},
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "lou-lim-ioc", "Lou Lim Ioc",
        {"decks": 6, "player_places": 7, "standing_bets": True, "min_bet": in_cents(5), "max_bet": in_cents(500)},
        {"cut": 3_000, "betting": 20_000, "decision": 15_000, "beat": 600, "result": 8_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""
