"""Invented records of Baccarat, the same for the same seed: options and bets at random, sides that differ by too much,
and cards that bring ties, pairs and a Banker who wins with 6."""

from __future__ import annotations

from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .baccarat_anew import EDITIONS, MAIN, SPOTS
from .spoilt import no_decisions, spoilt

NAMES = ("ana", "rui", "lee", "eva", "tom", "house")

CHOICES: dict[str, tuple[Any, ...]] = {
    "decks": (6, 7, 8, 12),
    "layouts": (1, 2),
    "seats": (7, 9, 14),
    "dealing_device": ("shoe", "auto_machine"),
    "cut_card_depth": (12, 14, 40, 311, 312, 416),
    "burn_mode": ("by_decks", "by_first_card"),
    "burn_indicator": ("extra", "counted"),
    "demo_rounds": (0, 3),
    "last_round_rule": ("current_is_last", "one_more_round"),
    "burn_each_round": (0, 1, 1),
    "tie_policy": ("free", "no_move", "return", "return", "no_reduce"),
    "pairs_enabled": (True, False),
    "pair_requires_main": (True, False),
    "imbalance_limit": (None, 0, 500, 1000, 1050, 2500),
    "hold_cards": (True, False),
    "squeeze": (True, False),
    "squeeze_seconds": (5, 8, 30),
    "commission_mode": ("five_percent", "no_commission_six_half", "no_commission_six_half"),
    "banker_multiple_of_min": (True, False),
    "min_bet": (
        0,
        100,
        150,
        500,
        1000,
        {"banker": 500},
        {"banker": 700, "player": 200},
        {"tie": 300, "lucky_six": 500},
    ),
    "max_bet": (1500, 5000, {"player": 2000}, {"banker": 1500, "tie": 500, "player_pair": 500}, {}),
}
RICH_IN = ("", "", "", "A23", "9T", "6K", "JQK", "456", "678", "33T", "7J")
"""Ranks that a shoe may bring early, so that ties and pairs happen."""


def invented(seed: str) -> dict[str, Any]:
    """One record; one in eight is spoilt somewhere."""
    chance = Random(seed)
    record = begun(chance)
    if chance.random() < 0.05:
        record["chance"] = record["chance"][: chance.randrange(1 + len(record["chance"]))]
    return spoilt(record, chance) if chance.random() < 1 / 8 else record


def begun(chance: Random) -> dict[str, Any]:
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.2}
    if chance.random() < 0.25:
        options["lucky_six"] = chance.random() < 0.9
    if chance.random() < 0.3:
        options["imbalance_limit"] = 100 * chance.randrange(30)
    if chance.random() < 0.08:
        options |= chance.choice(
            ({"burn_mode": "fixed_n", "burn_fixed_n": 3}, {"burn_mode": "fixed_n"}, {"burn_fixed_n": 8}, {"decks": 5})
        )
    most = options.get("seats", 7)
    sitting = chance.sample(NAMES, chance.choice((0, 1, 2, 2, 3, 4)))
    seats = dict(zip(sitting, chance.sample(range(1, most + 1), len(sitting)), strict=True))
    bets = [bet_of(chance, seats, most) for _ in range(chance.choice((0, 1, 2, 3, 5, 8, 12)))]
    record = {
        "game": "baccarat",
        "options": options,
        "seats": seats,
        "bets": [{"id": str(at), **bet} for at, bet in enumerate(bets)],
        "chance": cards(chance, options.get("decks", 8)),
        "decisions": no_decisions(chance, NAMES),
        "first_round": chance.random() < 0.4,
    }
    for key in ("first_round", "decisions"):
        if chance.random() < 0.1:
            del record[key]
    if chance.random() < 0.15:
        record["edition"] = chance.choice(EDITIONS)
    return record


def bet_of(chance: Random, seats: dict[str, int], most: int) -> dict[str, Any]:
    spot = chance.choice(MAIN) if chance.random() < 0.55 else chance.choice(SPOTS)
    who = chance.choice(NAMES)
    if seats and chance.random() < 0.5:
        who = chance.choice(list(seats))
    amount = 100 * chance.choice((1, 5, 7, 10, 10, 14, 15, 20, 50))
    if chance.random() < 0.05:
        amount = chance.choice((0, -100, 50, 150, 1001))
    bet: dict[str, Any] = {"by": who, "spot": spot, "amount": amount}
    if chance.random() < 0.3:
        bet["box"] = seats.get(who, 1) if chance.random() < 0.85 else chance.choice((-1, 0, 1, most, most + 1))
    if spot in MAIN and chance.random() < 0.3:
        bet["carried"] = chance.random() < 0.9
    if chance.random() < 0.02:
        bet["spot"] = chance.choice(("pair", "banker_6", "natural", "perfect_pair"))
    return bet


def cards(chance: Random, decks: int) -> list[str]:
    """As many as a round can take, of a shoe that is rich in some ranks."""
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] * max(decks, 1)
    rich = chance.choice(RICH_IN)
    pack = [card for card in pack if card[0] in rich or not rich or chance.random() < 0.2]
    return chance.sample(pack, 7 + chance.choice((0, 0, 3)))
