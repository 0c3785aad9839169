"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents

TABLES = (
    DemoTable(
        "guia", "Guia",
        {"shuffle_method": "shuffler", "min_ante": in_cents(20), "max_ante": in_cents(1_000)},
        {"betting": 20_000, "decision": 20_000, "beat": 500},
        jackpot="lisboa",
    ),
    DemoTable(
        "penha", "Penha",
        {"shuffle_method": "manual_shoe", "decision_mode": "in_turn", "royal_flush_odds": 50,
         "min_ante": in_cents(50), "max_ante": in_cents(2_000)},
        {"cut": 6_000, "betting": 20_000, "decision": 15_000, "beat": 400},
        jackpot="lisboa",
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "carmo", "Carmo",
        {"shuffle_method": "shuffler", "min_ante": in_cents(10), "max_ante": in_cents(200)},
        {"betting": 25_000, "decision": 25_000, "beat": 500, "result": 9_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""


JACKPOTS = {"lisboa": ("Lisboa", in_cents(500_000))}
"""Slug -> name of the jackpot that its tables share, and what it opens with."""
