"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents

OUTSIDE = ("sector12", "column", "dozen", "low_high", "odd_even", "red_black")
"""The bets on twelve numbers and more."""

TABLES = (
    DemoTable(
        "lilau", "Lilau",
        {"betting_seconds": 25, "min_bet": {"straight": in_cents(1), **dict.fromkeys(OUTSIDE, in_cents(10))},
         "max_bet": {"straight": in_cents(200), "split": in_cents(400), "street": in_cents(600),
                     "corner": in_cents(800),
                     "line": in_cents(1_200), "sector9": in_cents(1_800), **dict.fromkeys(OUTSIDE, in_cents(5_000))}},
        {"beat": 1_500, "result": 8_000},
    ),
    DemoTable(
        "senado", "Senado",
        {"bets_close": "before_throw", "betting_seconds": 20, "sector_definition": "layout_blocks",
         "null_spin_bets": "reopen", "auto_leave_winners": True,
         "min_bet": in_cents(5), "max_bet": in_cents(1_000)},
        {"beat": 2_500, "result": 7_000},
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "francisco", "São Francisco",
        {"betting_seconds": 25, "min_bet": in_cents(1), "max_bet": in_cents(200)},
        {"beat": 1_500, "result": 9_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""
