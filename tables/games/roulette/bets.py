"""What can be bet on in Roulette, what it covers and what it pays: data (articles 7 and 8, rulebook section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import Words, say

from .wheel import BLACK, NUMBERS, RED, WHEEL

Numbers = tuple[int, ...]


class Family(StrEnum):
    """The kinds of bets, as `enabled_bets` and the limits name them."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
    LINE = "line"
    SECTOR9 = "sector9"
    SECTOR12 = "sector12"
    COLUMN = "column"
    DOZEN = "dozen"
    LOW_HIGH = "low_high"
    ODD_EVEN = "odd_even"
    RED_BLACK = "red_black"


class Sectors(StrEnum):
    """What the sectors of nine and of twelve are (R-A3)."""

    WHEEL_ARCS = "wheel_arcs"
    LAYOUT_BLOCKS = "layout_blocks"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Kind:
    """What is the same for all spots of a family: its name, the item of article 7 that sells it, and the odds."""

    title: Words
    article: str
    odds: Odds


KINDS: Mapping[Family, Kind] = {
    Family.STRAIGHT: Kind(say("Single number (straight)"), article="7(1)", odds=Odds(35)),
    Family.SPLIT: Kind(say("Two numbers (split)"), article="7(2)", odds=Odds(17)),
    Family.STREET: Kind(say("Three numbers (street)"), article="7(3)", odds=Odds(11)),
    Family.CORNER: Kind(say("Four numbers (corner)"), article="7(4)", odds=Odds(8)),
    Family.LINE: Kind(say("Six numbers (line)"), article="7(5)", odds=Odds(5)),
    Family.SECTOR9: Kind(say("Nine numbers (sector)"), article="7(6)", odds=Odds(3)),
    Family.SECTOR12: Kind(say("Sector of twelve"), article="7(7)", odds=Odds(2)),
    Family.COLUMN: Kind(say("Column"), article="7(7)", odds=Odds(2)),
    Family.DOZEN: Kind(say("Small, middle, big"), article="7(7)", odds=Odds(2)),
    Family.LOW_HIGH: Kind(say("Low, high"), article="7(8)", odds=Odds(1)),
    Family.ODD_EVEN: Kind(say("Odd, even"), article="7(8)", odds=Odds(1)),
    Family.RED_BLACK: Kind(say("Red, black"), article="7(8)", odds=Odds(1)),
}

ZERO_COMBINATIONS = ("split_0_1", "split_0_2", "split_0_3", "trio_0_1_2", "trio_0_2_3", "corner_0")
"""The bets on zero and other numbers, sold only where the house allows them (R-A2)."""


@dataclass(frozen=True, slots=True)
class _Bet:
    name: str
    family: Family
    title: Words
    covers: Numbers


def _inside() -> Iterator[_Bet]:
    """The bets on numbers that lie side by side: rows of three, one below the other."""
    for n in NUMBERS:
        yield _Bet(f"straight_{n}", Family.STRAIGHT, say("Straight %(number)s", number=n), (n,))
    for n in range(1, 36):
        if n % 3:
            yield _split(n, n + 1)
    for n in range(1, 34):
        yield _split(n, n + 3)
    for n in range(1, 37, 3):
        title = say("Street %(first)s to %(last)s", first=n, last=n + 2)
        yield _Bet(f"street_{n}", Family.STREET, title, (n, n + 1, n + 2))
    for n in range(1, 33):
        if n % 3:
            yield _corner(n, (n, n + 1, n + 3, n + 4))
    for n in range(1, 34, 3):
        title = say("Line %(first)s to %(last)s", first=n, last=n + 5)
        yield _Bet(f"line_{n}", Family.LINE, title, tuple(range(n, n + 6)))


def _split(a: int, b: int) -> _Bet:
    return _Bet(f"split_{a}_{b}", Family.SPLIT, say("Split %(a)s, %(b)s", a=a, b=b), (a, b))


def _corner(name: int, covers: Numbers) -> _Bet:
    a, b, c, d = covers
    return _Bet(f"corner_{name}", Family.CORNER, say("Corner %(a)s, %(b)s, %(c)s, %(d)s", a=a, b=b, c=c, d=d), covers)


def _outside() -> Iterator[_Bet]:
    """Sectors as arcs of the wheel, clockwise from zero, which belongs to none; columns, dozens and halves."""
    arcs = WHEEL[1:]
    for n in range(1, 5):
        title = say("Sector of nine, number %(number)s", number=n)
        yield _Bet(f"sector9_{n}", Family.SECTOR9, title, arcs[9 * (n - 1) : 9 * n])
    for n in range(1, 4):
        title = say("Sector of twelve, number %(number)s", number=n)
        yield _Bet(f"sector12_{n}", Family.SECTOR12, title, arcs[12 * (n - 1) : 12 * n])
    for n in range(1, 4):
        yield _Bet(f"column_{n}", Family.COLUMN, say("Column %(number)s", number=n), tuple(range(n, 37, 3)))
    yield _Bet("dozen_small", Family.DOZEN, say("Small, 1 to 12"), tuple(range(1, 13)))
    yield _Bet("dozen_middle", Family.DOZEN, say("Middle, 13 to 24"), tuple(range(13, 25)))
    yield _Bet("dozen_big", Family.DOZEN, say("Big, 25 to 36"), tuple(range(25, 37)))
    yield _Bet("low", Family.LOW_HIGH, say("Low, 1 to 18"), tuple(range(1, 19)))
    yield _Bet("high", Family.LOW_HIGH, say("High, 19 to 36"), tuple(range(19, 37)))
    yield _Bet("odd", Family.ODD_EVEN, say("Odd"), tuple(range(1, 37, 2)))
    yield _Bet("even", Family.ODD_EVEN, say("Even"), tuple(range(2, 37, 2)))
    yield _Bet("red", Family.RED_BLACK, say("Red"), tuple(sorted(RED)))
    yield _Bet("black", Family.RED_BLACK, say("Black"), tuple(sorted(BLACK)))


def _with_zero() -> Iterator[_Bet]:
    for n in range(1, 4):
        yield _split(0, n)
    for a, b in ((1, 2), (2, 3)):
        title = say("Three numbers 0, %(a)s, %(b)s", a=a, b=b)
        yield _Bet(f"trio_0_{a}_{b}", Family.STREET, title, (0, a, b))
    yield _corner(0, (0, 1, 2, 3))


_BETS = (*_inside(), *_outside(), *_with_zero())

SPOTS: dict[str, Spot] = {
    bet.name: Spot(
        bet.name, bet.title, (KINDS[bet.family].odds,), KINDS[bet.family].article, carries=True, family=bet.family.value
    )
    for bet in _BETS
}
"""The 158 spots of the usual layout, and the combinations with zero."""

COVERS: Mapping[str, Numbers] = {bet.name: bet.covers for bet in _BETS}
"""The numbers that a spot covers, by its name; sectors are arcs of the wheel."""

BLOCKS: Mapping[str, Numbers] = {f"sector9_{n}": tuple(range(9 * n - 8, 9 * n + 1)) for n in range(1, 5)}
"""The sectors of nine as blocks of the layout, three rows each. Blocks of twelve would repeat the dozens."""


def covers(sectors: Sectors, spot: str) -> Numbers:
    """The numbers that a spot covers. A stake left on a sector that is sold no more keeps the arc of the wheel."""
    return BLOCKS.get(spot, COVERS[spot]) if sectors is Sectors.LAYOUT_BLOCKS else COVERS[spot]
