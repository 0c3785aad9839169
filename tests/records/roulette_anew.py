"""A second implementation of Roulette's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance.
"""

from __future__ import annotations

from typing import Any

from .anew_reading import Knows, Spot, demand, either, flag, is_void, limits, read, told, whole

PAYS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 9: 3, 12: 2, 18: 1}

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

ARCS = {
    "sector9_1": "32 15 19 4 21 2 25 17 34",
    "sector9_2": "6 27 13 36 11 30 8 23 10",
    "sector9_3": "5 24 16 33 1 20 14 31 9",
    "sector9_4": "22 18 29 7 28 12 35 3 26",
    "sector12_1": "32 15 19 4 21 2 25 17 34 6 27 13",
    "sector12_2": "36 11 30 8 23 10 5 24 16 33 1 20",
    "sector12_3": "14 31 9 22 18 29 7 28 12 35 3 26",
}
BLOCKS = {"sector9_1": (1, 9), "sector9_2": (10, 18), "sector9_3": (19, 27), "sector9_4": (28, 36)}

SIDE_BY_SIDE = (
    "1-2 2-3 4-5 5-6 7-8 8-9 10-11 11-12 13-14 14-15 16-17 17-18 19-20 20-21 22-23 23-24 25-26 26-27 28-29 29-30 "
    "31-32 32-33 34-35 35-36"
)
CORNERS = "1 2 4 5 7 8 10 11 13 14 16 17 19 20 22 23 25 26 28 29 31 32"
LINES = "1 4 7 10 13 16 19 22 25 28 31"
ZERO = {
    "split_0_1": {0, 1},
    "split_0_2": {0, 2},
    "split_0_3": {0, 3},
    "trio_0_1_2": {0, 1, 2},
    "trio_0_2_3": {0, 2, 3},
    "corner_0": {0, 1, 2, 3},
}

NUMBERS: dict[str, set[int]] = {f"straight_{number}": {number} for number in range(37)}
for pair in SIDE_BY_SIDE.split():
    left, right = map(int, pair.split("-"))
    NUMBERS[f"split_{left}_{right}"] = {left, right}
for number in range(1, 34):
    NUMBERS[f"split_{number}_{number + 3}"] = {number, number + 3}
for row in range(12):
    NUMBERS[f"street_{3 * row + 1}"] = {3 * row + 1, 3 * row + 2, 3 * row + 3}
for lowest in map(int, CORNERS.split()):
    NUMBERS[f"corner_{lowest}"] = {lowest, lowest + 1, lowest + 3, lowest + 4}
for first in map(int, LINES.split()):
    NUMBERS[f"line_{first}"] = {first + more for more in range(6)}
for name, arc in ARCS.items():
    NUMBERS[name] = set(map(int, arc.split()))
for column in (1, 2, 3):
    NUMBERS[f"column_{column}"] = {number for number in range(1, 37) if number % 3 == column % 3}
NUMBERS |= {
    "dozen_small": set(range(1, 13)),
    "dozen_middle": set(range(13, 25)),
    "dozen_big": set(range(25, 37)),
    "low": set(range(1, 19)),
    "high": set(range(19, 37)),
    "odd": {number for number in range(1, 37) if number & 1},
    "even": {number for number in range(1, 37) if not number & 1},
    "red": RED,
    "black": set(range(1, 37)) - RED,
}
USUAL = tuple(NUMBERS)
NUMBERS |= ZERO

HALVES = {"low": "low_high", "high": "low_high", "odd": "odd_even", "even": "odd_even"}
HALVES |= {"red": "red_black", "black": "red_black", "trio": "street"}
FAMILIES = tuple(
    "straight split street corner line sector9 sector12 column dozen low_high odd_even red_black".split()  # noqa: SIM905
)


def family(spot: str) -> str:
    first = spot.split("_")[0]
    return HALVES.get(first, first)


def some_families(value: Any) -> bool:
    if type(value) is not list or not all(type(one) is str and one in FAMILIES for one in value):
        return False
    return len(set(value)) == len(value)


ROULETTE = Knows(
    game="roulette",
    editions=("60/2004",),
    options={
        "wheel_order": ("european", either("european")),
        "throw_direction": ("alternate", either("alternate", "left_to_right", "right_to_left")),
        "bets_close": ("on_bell", either("before_throw", "on_bell")),
        "betting_seconds": (30, whole()),
        "late_seconds": (8, whole()),
        "null_spin_bets": ("stand", either("stand", "reopen")),
        "enabled_bets": (list(FAMILIES), some_families),
        "sector_definition": ("wheel_arcs", either("wheel_arcs", "layout_blocks", "off")),
        "zero_combinations": ("none", either("none", "allowed")),
        "min_bet": ({}, limits(*NUMBERS, *FAMILIES)),
        "max_bet": ({}, limits(*NUMBERS, *FAMILIES)),
        "auto_leave_winners": (False, flag),
    },
    spots={spot: Spot(carries=True) for spot in NUMBERS},
    fits=lambda options, edition, given: True,
    seats=lambda options: 8,
    decks=lambda options: 0,
    throws=lambda thrown: thrown is None or (type(thrown) is int and 0 <= thrown <= 36),
)


class Spin:
    """One round: what lies where at the bell, then the number."""

    def __init__(self, record: Any) -> None:
        self.record = read(record, ROULETTE)
        self.o = self.record["options"]
        demand(self.o["auto_leave_winners"] or not any(bet["carried"] for bet in self.record["bets"]))
        self.lying: list[dict[str, Any]] = []
        for bet in self.record["bets"]:
            if bet["carried"] and chips(bet["amount"]):
                self.lying.append(bet)
        for bet in self.record["bets"]:
            if not bet["carried"] and self.accepts(bet):
                self.lying.append(bet)
        lie = [bet["id"] for bet in self.lying]
        self.refused: list[Any] = [bet["id"] for bet in self.record["bets"] if bet["id"] not in lie]

    def sold(self, spot: str) -> bool:
        if spot not in NUMBERS or family(spot) not in self.o["enabled_bets"]:
            return False
        if spot in ZERO:
            return bool(self.o["zero_combinations"] == "allowed")
        if family(spot) == "sector9":
            return bool(self.o["sector_definition"] != "off")
        return family(spot) != "sector12" or bool(self.o["sector_definition"] == "wheel_arcs")

    def limit(self, name: str, spot: str) -> int | None:
        limit: dict[str, int] | int = self.o[name]
        if isinstance(limit, int):
            return limit
        return limit.get(spot, limit.get(family(spot)))

    def accepts(self, bet: dict[str, Any]) -> bool:
        spot, amount = bet["spot"], bet["amount"]
        if not (self.sold(spot) and chips(amount)):
            return False
        least, most = self.limit("min_bet", spot), self.limit("max_bet", spot)
        there = sum(one["amount"] for one in self.lying if (one["by"], one["spot"]) == (bet["by"], spot))
        return (least is None or amount >= least) and (most is None or there + amount <= most)

    def wins(self, spot: str, number: int) -> bool:
        if self.o["sector_definition"] == "layout_blocks" and spot in BLOCKS:
            first, last = BLOCKS[spot]
            return first <= number <= last
        return number in NUMBERS[spot]

    def outcome(self) -> dict[str, Any]:
        thrown, items = self.record["chance"], self.record["decisions"]
        for at, item in enumerate(items):
            if is_void(item):
                self.refused += range(at + 1, len(items))
                return self.told({"void": True}, None, len(thrown))
            self.refused.append(at)
        spins = [at for at, number in enumerate(thrown) if number is not None]
        demand(spins != [])
        return self.told({"number": thrown[spins[0]]}, thrown[spins[0]], spins[0] + 1)

    def due(self, bet: dict[str, Any], number: int | None) -> tuple[int, int]:
        """What comes back of a stake, and what stays on the layout."""
        amount = bet["amount"]
        if number is None:
            return (0, amount) if bet["carried"] else (amount, 0)
        if not self.wins(bet["spot"], number):
            return 0, 0
        prize = amount * PAYS[len(NUMBERS[bet["spot"]])]
        return (prize, amount) if self.o["auto_leave_winners"] else (prize + amount, 0)

    def told(self, result: dict[str, Any], number: int | None, used: int) -> dict[str, Any]:
        return told(result, ((bet, *self.due(bet, number)) for bet in self.lying), self.refused, used)


def chips(amount: int) -> bool:
    return amount > 0 and amount % 100 == 0


def anew(record: Any) -> dict[str, Any]:
    return Spin(record).outcome()
