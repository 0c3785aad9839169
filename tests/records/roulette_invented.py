"""Invented records of Roulette, the same for the same seed: options and bets at random, and numbers where something
lies, as often as anywhere."""

from __future__ import annotations

from random import Random  # noqa: TID251 (the same records for the same seed: no chance of the house)
from typing import Any

from .roulette_anew import FAMILIES, NUMBERS, USUAL, ZERO
from .spoilt import no_decisions, spoilt

NAMES = ("ana", "rui", "lee", "eva", "house")

LIMITS: dict[str, tuple[Any, ...]] = {
    "min_bet": (
        0,
        100,
        500,
        {"red_black": 500},
        {"straight": 300, "straight_0": 100},
        {"low": 700, "low_high": 200},
        {},
    ),
    "max_bet": (
        *(1500, 3000, {}),
        {"straight": 1000, "straight_17": 2000},
        {"red_black": 2000, "even": 500},
        {"split": 500, "street": 700, "corner": 1000, "corner_0": 2000, "trio_0_1_2": 900},
        {"sector9": 1000, "sector12": 1000, "sector12_2": 50},
    ),
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "wheel_order": ("european",),
    "throw_direction": ("alternate", "left_to_right", "right_to_left"),
    "bets_close": ("before_throw", "on_bell"),
    "betting_seconds": (0, 1, 30, 600),
    "late_seconds": (0, 8),
    "null_spin_bets": ("stand", "reopen"),
    "sector_definition": ("wheel_arcs", "layout_blocks", "layout_blocks", "off"),
    "zero_combinations": ("none", "allowed", "allowed"),
    **LIMITS,
}
NO_SPOTS: tuple[str, ...] = (
    "split_3_4",
    "corner_3",
    "corner_33",
    "line_34",
    "line_2",
    "street_2",
    "straight_37",
    "split_1_5",
    "dozen_1",
)
NO_SPOTS += ("street_0_1_2", "corner_0_1_2_3", "red_black", "sector9_0", "sector9_5", "sector12_4", "column_0", "zero")


def invented(seed: str) -> dict[str, Any]:
    """One record; one in eight is spoilt somewhere."""
    chance = Random(seed)
    record = begun(chance)
    return spoilt(record, chance) if chance.random() < 1 / 8 else record


def begun(chance: Random) -> dict[str, Any]:
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.2}
    if chance.random() < 0.15:
        options["enabled_bets"] = chance.sample(FAMILIES, chance.randrange(len(FAMILIES) + 1))
    leaves = chance.random() < 0.35
    if leaves or chance.random() < 0.1:
        options["auto_leave_winners"] = leaves
    near = chance.sample(list(NUMBERS), 6)
    bets = [
        bet_of(chance, near, leaves or chance.random() < 0.01) for _ in range(chance.choice((0, 1, 3, 5, 8, 12, 20)))
    ]
    record: dict[str, Any] = {
        "game": "roulette",
        "options": options,
        "bets": [{"id": str(at), **bet} for at, bet in enumerate(bets)],
        "chance": numbers(chance, bets),
        "decisions": no_decisions(chance, NAMES[:-1]),
    }
    if chance.random() < 0.2:
        sitting = chance.sample(NAMES, chance.choice((0, 1, 2, 3)))
        record["seats"] = dict(zip(sitting, chance.sample(range(1, 9), len(sitting)), strict=True))
    if chance.random() < 0.1:
        record |= {"edition": "60/2004", "first_round": chance.random() < 0.5}
    return record


def bet_of(chance: Random, near: list[str], may_stay: bool) -> dict[str, Any]:
    luck = chance.random()
    spot = chance.choice(near) if luck < 0.4 else chance.choice(USUAL) if luck < 0.9 else chance.choice(list(ZERO))
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


def numbers(chance: Random, bets: list[dict[str, Any]]) -> list[int | None]:
    """Null spins, a number (mostly one on which something lies), and what nobody needs."""
    thrown: list[int | None] = []
    while chance.random() < 0.15:
        thrown.append(None)
    if chance.random() < 0.97:
        lies = [sorted(NUMBERS[bet["spot"]]) for bet in bets if bet["spot"] in NUMBERS]
        thrown.append(chance.choice(chance.choice(lies)) if lies and chance.random() < 0.6 else chance.randrange(37))
        while chance.random() < 0.1:
            thrown.append(chance.choice((None, 0, 17)))
    return thrown
