"""A second implementation of Cussec's records, written from the rulebook alone and as plainly as it goes.

It shares nothing with the rules under test but the names of the format, so that both are wrong in the same way only by
chance.
"""

from __future__ import annotations

from typing import Any

from .anew_reading import Knows, Spot, demand, either, flag, is_void, limits, read, told, whole

TOTALS = {4: 50, 5: 18, 6: 14, 7: 12, 8: 8, 9: 6, 10: 6, 11: 6, 12: 6, 13: 8, 14: 12, 15: 14, 16: 18, 17: 50}
PAIRS = "12 13 14 15 16 23 24 25 26 34 35 36 45 46 56"
FOURS = ("1234", "2345", "2356", "3456")

FAMILY: dict[str, str] = {"big": "", "small": "", "odd": "", "even": "", "any_triple": ""}
for points in TOTALS:
    FAMILY[f"total_{points}"] = "total"
for face in "123456":
    FAMILY[f"double_{face}"] = "double"
    FAMILY[f"triple_{face}"] = "triple"
    FAMILY[f"single_{face}"] = "single"
for pair in PAIRS.split():
    FAMILY[f"pair_{pair[0]}_{pair[1]}"] = "pair"
for four in FOURS:
    FAMILY[f"four_{four}"] = "four"
SPOTS = tuple(FAMILY)
FAMILIES = ("total", "double", "triple", "pair", "single", "four")

CUSSEC = Knows(
    game="cussec",
    editions=("57/2004",),
    options={
        "odd_even_enabled": (True, flag),
        "four_numbers_enabled": (True, flag),
        "shake_timing": ("before_betting", either("before_betting", "after_betting")),
        "shakes": (3, whole(3)),
        "cocked_dice": ("void_return", either("void_return", "reshake_bets_stand")),
        "betting_seconds": (30, whole()),
        "min_bet": ({}, limits(*SPOTS, *FAMILIES)),
        "max_bet": ({}, limits(*SPOTS, *FAMILIES)),
        "auto_leave_winners": (False, flag),
    },
    spots={spot: Spot(carries=True) for spot in SPOTS},
    fits=lambda options, edition, given: True,
    seats=lambda options: 8,
    decks=lambda options: 0,
    throws=lambda die: type(die) is int and 1 <= die <= 6,
)


def to_one(spot: str, dice: list[int]) -> int:
    """The odds that a bet wins at; none if it loses."""
    a, b, c = sorted(dice)
    triple = a == c
    match spot.split("_"):
        case ["big"]:
            return int(a + b + c > 10 and not triple)
        case ["small"]:
            return int(a + b + c < 11 and not triple)
        case ["odd"]:
            return int((a + b + c) % 2 == 1 and not triple)
        case ["even"]:
            return int((a + b + c) % 2 == 0 and not triple)
        case ["any", "triple"]:
            return 24 if triple else 0
        case ["total", points]:
            return TOTALS[int(points)] if a + b + c == int(points) else 0
        case ["double", face]:
            return 8 if b == int(face) and b in (a, c) else 0
        case ["triple", face]:
            return 150 if triple and a == int(face) else 0
        case ["pair", low, high]:
            return 5 if int(low) in dice and int(high) in dice else 0
        case ["single", face]:
            return dice.count(int(face))
        case ["four", four]:
            return 7 if a < b < c and all(str(die) in four for die in dice) else 0
    raise AssertionError(spot)


class Shake:
    """One round: what lies where at the bell, then the dice."""

    def __init__(self, record: Any) -> None:
        self.record = read(record, CUSSEC)
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
        if spot in ("odd", "even"):
            return bool(self.o["odd_even_enabled"])
        return spot in SPOTS and (FAMILY[spot] != "four" or bool(self.o["four_numbers_enabled"]))

    def limit(self, name: str, spot: str) -> int | None:
        limit: dict[str, int] | int = self.o[name]
        if isinstance(limit, int):
            return limit
        return limit[spot] if spot in limit else limit.get(FAMILY[spot])

    def accepts(self, bet: dict[str, Any]) -> bool:
        spot, amount = bet["spot"], bet["amount"]
        if not (self.sold(spot) and chips(amount)):
            return False
        least, most = self.limit("min_bet", spot), self.limit("max_bet", spot)
        there = sum(one["amount"] for one in self.lying if (one["by"], one["spot"]) == (bet["by"], spot))
        return (least is None or least <= amount) and (most is None or there + amount <= most)

    def outcome(self) -> dict[str, Any]:
        chance, items = self.record["chance"], self.record["decisions"]
        for at, item in enumerate(items):
            if is_void(item):
                self.refused += range(at + 1, len(items))
                return self.told({"void": True}, None, len(chance))
            self.refused.append(at)
        demand(len(chance) >= 3)
        dice = sorted(chance[:3])
        return self.told({"dice": dice, "total": sum(dice), "triple": len(set(dice)) == 1}, dice, 3)

    def due(self, bet: dict[str, Any], dice: list[int] | None) -> tuple[int, int]:
        """What comes back of a stake, and what stays on the layout."""
        amount = bet["amount"]
        if dice is None:
            return (0, amount) if bet["carried"] else (amount, 0)
        prize = amount * to_one(bet["spot"], dice)
        if not prize:
            return 0, 0
        return (prize, amount) if self.o["auto_leave_winners"] else (prize + amount, 0)

    def told(self, result: dict[str, Any], dice: list[int] | None, used: int) -> dict[str, Any]:
        return told(result, ((bet, *self.due(bet, dice)) for bet in self.lying), self.refused, used)


def chips(amount: int) -> bool:
    return amount > 0 and amount % 100 == 0


def anew(record: Any) -> dict[str, Any]:
    return Shake(record).outcome()
