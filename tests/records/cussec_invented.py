"""Invented records of Cussec, the same for the same seed: options and bets at random, and dice that are often alike,
two of them or three."""

from __future__ import annotations

from itertools import product
from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .cussec_anew import FAMILY, SPOTS, to_one
from .spoilt import no_decisions, spoilt

NAMES = ("ana", "rui", "lee", "eva", "house")

CHOICES: dict[str, tuple[Any, ...]] = {
    "odd_even_enabled": (True, False),
    "four_numbers_enabled": (True, False),
    "shake_timing": ("before_betting", "after_betting"),
    "shakes": (3, 4, 100),
    "cocked_dice": ("void_return", "reshake_bets_stand"),
    "betting_seconds": (0, 1, 30, 600),
    "min_bet": (
        *(0, 100, 500, {}),
        {"big": 500, "total": 300},
        {"total": 700, "total_9": 200},
        {"pair": 300, "pair_1_2": 100, "four": 1000},
    ),
    "max_bet": (
        *(1500, 3000, {}),
        {"single": 1000, "single_1": 2000, "any_triple": 500},
        {"triple": 300, "double": 500, "odd": 1000},
        {"total": 1000, "total_10": 50, "four": 700, "four_2356": 1500},
    ),
}
NO_SPOTS: tuple[str, ...] = (
    "total_3",
    "total_18",
    "pair_2_1",
    "pair_1_1",
    "four_1235",
    "single_0",
    "single_7",
    "triple",
    "double",
)
NO_SPOTS += ("total", "pair", "single", "four", "triple_any", "banker", "red", "double_7", "")

WINNING = {spot: [dice for dice in product(range(1, 7), repeat=3) if to_one(spot, list(dice))] for spot in SPOTS}
"""The throws that each spot wins on."""


def invented(seed: str) -> dict[str, Any]:
    """One record; one in eight is spoilt somewhere."""
    chance = Random(seed)
    record = begun(chance)
    return spoilt(record, chance) if chance.random() < 1 / 8 else record


def begun(chance: Random) -> dict[str, Any]:
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.2}
    leaves = chance.random() < 0.35
    if leaves or chance.random() < 0.1:
        options["auto_leave_winners"] = leaves
    if chance.random() < 0.03:
        wrong = ({"shakes": 2}, {"min_bet": {"pairs": 1}}, {"max_bet": None}, {"odds": 24}, {"betting_seconds": -1})
        options |= chance.choice(wrong)
    near = chance.sample(SPOTS, 4)
    bets = [
        bet_of(chance, near, leaves or chance.random() < 0.01) for _ in range(chance.choice((0, 1, 3, 5, 8, 12, 20)))
    ]
    record: dict[str, Any] = {
        "game": "cussec",
        "options": options,
        "bets": [{"id": str(at), **bet} for at, bet in enumerate(bets)],
        "chance": dice(chance, bets),
        "decisions": no_decisions(chance, NAMES[:-1]),
    }
    if chance.random() < 0.2:
        sitting = chance.sample(NAMES, chance.choice((0, 1, 2, 3)))
        record["seats"] = dict(zip(sitting, chance.sample(range(1, 9), len(sitting)), strict=True))
    if chance.random() < 0.1:
        record |= {"edition": "57/2004", "first_round": chance.random() < 0.5}
    return record


def bet_of(chance: Random, near: list[str], may_stay: bool) -> dict[str, Any]:
    spot = chance.choice(near) if chance.random() < 0.4 else chance.choice(SPOTS)
    if chance.random() < 0.15:
        spot = chance.choice([spot for spot in SPOTS if not FAMILY[spot]])
    amount = 100 * chance.choice((1, 2, 3, 5, 7, 10, 15, 20))
    if chance.random() < 0.05:
        amount = chance.choice((0, -100, 50, 150, 1001))
    bet: dict[str, Any] = {"by": chance.choice(NAMES), "spot": spot, "amount": amount}
    if may_stay and chance.random() < 0.4:
        bet["carried"] = chance.random() < 0.9
    elif chance.random() < 0.03:
        bet["spot"] = chance.choice(NO_SPOTS)
    if chance.random() < 0.03:
        bet["box"] = chance.choice((0, 1, 2, 99))
    return bet


def dice(chance: Random, bets: list[dict[str, Any]]) -> list[int]:
    """Three dice, on which something wins or which are alike; sometimes too few, or what nobody needs."""
    faces = chance.choice(((1, 2, 3, 4, 5, 6),) * 4 + ((1, 6), (2, 5), (3, 4), (1,), (2,), (3,), (4,), (5,), (6,)))
    thrown = [chance.choice(faces) for _ in range(3)]
    if bets and chance.random() < 0.6:
        thrown = list(chance.choice(WINNING.get(chance.choice(bets)["spot"], [(1, 2, 3)])))
    if chance.random() < 0.03:
        return thrown[: chance.randrange(3)]
    while chance.random() < 0.1:
        thrown.append(chance.choice((1, 6)))
    return thrown
