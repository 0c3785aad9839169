"""The tables of the demonstration floor, and those for visitors at kiosks. Times are milliseconds."""

from __future__ import annotations

from tables.felt.shared.demonstration import DemoTable, in_cents

TABLES = (
    DemoTable(
        "jade", "Jade",
        {"decks": 8, "min_bet": {"player": in_cents(10), "banker": in_cents(10), "tie": in_cents(5),
                                 "player_pair": in_cents(5), "banker_pair": in_cents(5)},
         "max_bet": {"player": in_cents(5_000), "banker": in_cents(5_000), "tie": in_cents(500),
                     "player_pair": in_cents(500), "banker_pair": in_cents(500)},
         "imbalance_limit": in_cents(20_000), "squeeze": True},
    ),
    DemoTable(
        "lotus", "Lotus",
        {"decks": 8, "commission_mode": "no_commission_six_half", "tie_policy": "no_move", "lucky_six": True,
         "last_round_rule": "one_more_round", "cut_card_depth": 16, "burn_mode": "by_first_card", "demo_rounds": 1,
         "min_bet": {"player": in_cents(50), "banker": in_cents(50), "tie": in_cents(10), "player_pair": in_cents(10),
                     "banker_pair": in_cents(10), "lucky_six": in_cents(10)},
         "max_bet": {"player": in_cents(20_000), "banker": in_cents(20_000), "tie": in_cents(2_000),
                     "player_pair": in_cents(2_000), "banker_pair": in_cents(2_000), "lucky_six": in_cents(2_000)},
         "imbalance_limit": in_cents(50_000)},
    ),
    DemoTable(
        "harbour", "Harbour",
        {"decks": 6, "dealing_device": "auto_machine", "tie_policy": "return", "seats": 9,
         "min_bet": in_cents(1), "max_bet": in_cents(1_000), "imbalance_limit": in_cents(5_000)},
        {"betting": 12_000, "beat": 600, "result": 5_000},
    ),
)  # fmt: skip

KIOSK_TABLES = (
    DemoTable(
        "camoes", "Camões",
        {"decks": 8, "dealing_device": "auto_machine", "seats": 9, "min_bet": in_cents(5), "max_bet": in_cents(1_000),
         "imbalance_limit": in_cents(20_000)},
        {"betting": 20_000, "beat": 700, "result": 8_000},
    ),
)  # fmt: skip
"""Small stakes, machines instead of ceremonies, a calm pace."""
