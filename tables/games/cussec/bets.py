"""What can be bet on in Cussec, on what it wins and what it pays: data (CS-8, rulebook section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from tables.games.contract.round import Spot
from tables.games.values.money import Odds
from tables.games.values.words import Words, say

from .dice import FACES, RESULTS, Dice, Result


class Kind(StrEnum):
    """The kinds of bets."""

    BIG = "big"
    SMALL = "small"
    ODD = "odd"
    EVEN = "even"
    TOTAL = "total"
    DOUBLE = "double"
    TRIPLE = "triple"
    ANY_TRIPLE = "any_triple"
    PAIR = "pair"
    SINGLE = "single"
    FOUR = "four"


FAMILIES = (Kind.TOTAL, Kind.DOUBLE, Kind.TRIPLE, Kind.PAIR, Kind.SINGLE, Kind.FOUR)
"""The kinds with several spots, which limits may name together."""

TOTALS: Mapping[int, Odds] = {
    points: Odds(win)
    for win, both in {50: (4, 17), 18: (5, 16), 14: (6, 15), 12: (7, 14), 8: (8, 13), 6: (9, 10, 11, 12)}.items()
    for points in both
}
"""The odds of each total that is sold; 3 and 18 are triples."""

FOURS = ((1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6))
"""The sets of four numbers (C-A6)."""


@dataclass(frozen=True, slots=True)
class Sold:
    """The rule or ruling that a kind is sold by, and its odds."""

    article: str
    odds: tuple[Odds, ...] = ()


SOLD: Mapping[Kind, Sold] = {
    Kind.BIG: Sold(article="CS-8", odds=(Odds(1),)),
    Kind.SMALL: Sold(article="CS-8", odds=(Odds(1),)),
    Kind.ODD: Sold(article="C-A8", odds=(Odds(1),)),
    Kind.EVEN: Sold(article="C-A8", odds=(Odds(1),)),
    Kind.TOTAL: Sold(article="CS-8"),
    Kind.DOUBLE: Sold(article="CS-8", odds=(Odds(8),)),
    Kind.TRIPLE: Sold(article="CS-8", odds=(Odds(150),)),
    Kind.ANY_TRIPLE: Sold(article="CS-8", odds=(Odds(24),)),
    Kind.PAIR: Sold(article="CS-8", odds=(Odds(5),)),
    Kind.SINGLE: Sold(article="CS-8", odds=(Odds(1), Odds(2), Odds(3))),
    Kind.FOUR: Sold(article="C-A6", odds=(Odds(7),)),
}
"""What each kind is sold by (the table of odds, or a ruling), and its odds; those of a total go by its points, those of
a single number by how many dice show it."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One spot as it is drawn: the `faces` that it shows or the `points` that it names, and on what it `wins`.

    `wins` gives the number of its odds, beginning with 1; 0 is a loss.
    """

    name: str
    kind: Kind
    title: Words
    odds: tuple[Odds, ...]
    wins: Callable[[Result], int]
    faces: Dice = ()
    points: int | None = None


def _bet(name: str, kind: Kind, title: Words, wins: Callable[[Result], int], faces: Dice = ()) -> Bet:
    return Bet(name, kind, title, SOLD[kind].odds, wins, faces)


def _halves() -> Iterator[Bet]:
    """Any triple beats them all (CS-9)."""
    yield _bet("big", Kind.BIG, say("Big"), lambda result: result.total >= 11 and not result.triple)
    yield _bet("small", Kind.SMALL, say("Small"), lambda result: result.total <= 10 and not result.triple)
    yield _bet("odd", Kind.ODD, say("Odd"), lambda result: result.total % 2 == 1 and not result.triple)
    yield _bet("even", Kind.EVEN, say("Even"), lambda result: result.total % 2 == 0 and not result.triple)


def _total(points: int) -> Bet:
    return Bet(
        f"total_{points}",
        Kind.TOTAL,
        say("Total %(points)s", points=points),
        (TOTALS[points],),
        lambda result: result.total == points,
        points=points,
    )


def _double(face: int) -> Bet:
    title = say("Double %(number)s", number=face)
    return _bet(f"double_{face}", Kind.DOUBLE, title, lambda result: result.shows(face) >= 2, (face,) * 2)


def _triple(face: int) -> Bet:
    title = say("Triple %(number)s", number=face)
    return _bet(f"triple_{face}", Kind.TRIPLE, title, lambda result: result.shows(face) == 3, (face,) * 3)


def _pair(a: int, b: int) -> Bet:
    title = say("Two dice %(a)s and %(b)s", a=a, b=b)
    return _bet(f"pair_{a}_{b}", Kind.PAIR, title, lambda result: {a, b} <= set(result.dice), (a, b))


def _single(face: int) -> Bet:
    title = say("Single number %(number)s", number=face)
    return _bet(f"single_{face}", Kind.SINGLE, title, lambda result: result.shows(face), (face,))


def _four(four: Dice) -> Bet:
    """Three different numbers, all of them among the four (C-A7)."""
    a, b, c, d = four
    title = say("Four numbers %(a)s, %(b)s, %(c)s, %(d)s", a=a, b=b, c=c, d=d)
    won = set(combinations(four, 3))
    return _bet(f"four_{a}{b}{c}{d}", Kind.FOUR, title, lambda result: result.dice in won, four)


BETS: Mapping[str, Bet] = {
    bet.name: bet
    for bet in (
        *_halves(),
        *map(_total, sorted(TOTALS)),
        *map(_double, FACES),
        *map(_triple, FACES),
        _bet("any_triple", Kind.ANY_TRIPLE, say("Any triple"), lambda result: result.triple),
        *(_pair(a, b) for a, b in combinations(FACES, 2)),
        *map(_single, FACES),
        *map(_four, FOURS),
    )
}
"""The 56 spots of the layout."""

SPOTS: dict[str, Spot] = {
    bet.name: Spot(
        bet.name,
        bet.title,
        bet.odds,
        SOLD[bet.kind].article,
        carries=True,
        family=bet.kind.value if bet.kind in FAMILIES else "",
    )
    for bet in BETS.values()
}

WON: Mapping[Dice, Mapping[str, Odds]] = {
    result.dice: {name: bet.odds[won - 1] for name, bet in BETS.items() if (won := bet.wins(result))}
    for result in RESULTS
}
"""The winning spots and their odds, by the dice from the lowest to the highest."""
