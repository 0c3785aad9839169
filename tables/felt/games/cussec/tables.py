"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents

DICE_HALVES = ("big", "small", "odd", "even")
DICE_SPOTS = ("total", "double", "triple", "any_triple", "pair", "single", "four")
"""The even chances, and the other bets."""

TABLES = (
    DemoTable(
        "patane", "Patane",
        {"betting_seconds": 25,
         "min_bet": {**dict.fromkeys(DICE_SPOTS, in_cents(5)), **dict.fromkeys(DICE_HALVES, in_cents(10))},
         "max_bet": {**dict.fromkeys(DICE_SPOTS, in_cents(500)), **dict.fromkeys(DICE_HALVES, in_cents(5_000)),
                     "triple": in_cents(100), "any_triple": in_cents(200)}},
        {"beat": 1_500, "result": 8_000},
    ),
    DemoTable(
        "hac-sa", "Hac Sa",
        {"shake_timing": "after_betting", "cocked_dice": "reshake_bets_stand", "shakes": 4, "betting_seconds": 20,
         "four_numbers_enabled": False, "auto_leave_winners": True, "min_bet": in_cents(1), "max_bet": in_cents(1_000)},
        {"beat": 1_500, "result": 7_000},
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "penha-garden", "Jardim da Penha",
        {"betting_seconds": 25, "min_bet": in_cents(1), "max_bet": in_cents(200)},
        {"beat": 1_500, "result": 9_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""
