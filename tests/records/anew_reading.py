"""The public record read a second time, from the text of the format alone: what is an error, before anything is played.

A game says what it knows (`Knows`), and gets plain dictionaries in which every key that the format describes is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tables.games.record import RecordError, outcome_of

DEEDS = frozenset(
    "hit stand double split surrender even_money insurance claim_five_cards match raise fold void".split()  # noqa: SIM905
)
CARDS = frozenset(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
NEEDED = object()

Allows = Callable[[Any], bool]


class Unplayable(Exception):  # noqa: N818 (the field's word)
    """The record is an error."""


@dataclass(frozen=True)
class Spot:
    """Whether a spot belongs to a box, or may, and whether a stake may stay on it."""

    boxed: bool = False
    may_be_boxed: bool = False
    carries: bool = False


@dataclass(frozen=True)
class Knows:
    """What a game knows of the format. `fits` says whether options (with their defaults) go together; `throws`, of a
    game without cards, what may stand in `chance`."""

    game: str
    editions: tuple[str, ...]
    options: Mapping[str, tuple[Any, Allows]]
    spots: Mapping[str, Spot]
    fits: Callable[[dict[str, Any], str, dict[str, Any]], bool]
    seats: Callable[[dict[str, Any]], int]
    decks: Callable[[dict[str, Any]], int]
    jackpot: bool = False
    throws: Allows | None = None


def demand(holds: bool) -> None:
    if not holds:
        raise Unplayable


def whole(least: int = 0, most: int | None = None) -> Allows:
    """Integers from `least` to `most`; a truth value is none."""
    return lambda value: type(value) is int and least <= value and (most is None or value <= most)


def either(*words: str) -> Allows:
    return lambda value: type(value) is str and value in words


def flag(value: Any) -> bool:
    return type(value) is bool


def share(value: Any) -> bool:
    """Text that is a part of one: `"7/10"`, `"1"`."""
    if type(value) is not str or not value.isascii():
        return False
    above, line, below = value.partition("/")
    if not (above.isdigit() and (below.isdigit() or not line)):
        return False
    return not line or (int(below) > 0 and not below.startswith("0"))


def limits(*spots: str) -> Allows:
    """An amount for all bets, or an object by spot."""

    def allows(value: Any) -> bool:
        if type(value) is dict:
            return all(spot in spots and whole()(amount) for spot, amount in value.items())
        return whole()(value)

    return allows


def took(data: dict[str, Any], key: str, kind: type[Any], default: Any = NEEDED) -> Any:
    if key not in data:
        demand(default is not NEEDED)
        return default
    demand(type(data[key]) is kind)
    return data[key]


def read(record: Any, knows: Knows) -> dict[str, Any]:
    """The record with everything that may be left out."""
    demand(type(record) is dict)
    demand(took(record, "game", str) == knows.game)
    edition = took(record, "edition", str, knows.editions[0])
    demand(edition in knows.editions)
    given = took(record, "options", dict, {})
    for name, value in given.items():
        demand(name in knows.options and knows.options[name][1](value))
    options = {name: default for name, (default, _) in knows.options.items()} | given
    demand(knows.fits(options, edition, given))
    seats = took(record, "seats", dict, {})
    demand(all(whole(1, knows.seats(options))(seat) for seat in seats.values()))
    demand(len(set(seats.values())) == len(seats))
    bets = [read_bet(bet, knows) for bet in took(record, "bets", list)]
    demand(len({bet["id"] for bet in bets}) == len(bets))
    chance = took(record, "chance", list)
    if knows.throws is not None:
        demand(all(knows.throws(thrown) for thrown in chance))
    else:
        demand(all(type(card) is str and card in CARDS for card in chance))
        demand(all(times <= knows.decks(options) for times in Counter(chance).values()))
    pool = None
    if knows.jackpot:
        pool = took(took(record, "jackpot", dict, {}), "pool", int, options["jackpot_minimum"])
        demand(pool >= 0)
    return {
        "edition": edition,
        "options": options,
        "seats": seats,
        "bets": bets,
        "chance": chance,
        "decisions": [read_decision(item) for item in took(record, "decisions", list, [])],
        "first_round": took(record, "first_round", bool, False),
        "pool": pool,
    }


def read_bet(bet: Any, knows: Knows) -> dict[str, Any]:
    demand(type(bet) is dict)
    spot = knows.spots.get(took(bet, "spot", str))
    carried = took(bet, "carried", bool, False)
    box = took(bet, "box", int, None)
    demand(not carried or (spot is not None and spot.carries))
    demand(box is not None or spot is None or not spot.boxed)
    return {
        "id": took(bet, "id", str),
        "by": took(bet, "by", str),
        "spot": bet["spot"],
        "amount": took(bet, "amount", int),
        "box": box if spot is not None and (spot.boxed or spot.may_be_boxed) else None,
        "carried": carried,
    }


def read_decision(item: Any) -> dict[str, Any]:
    demand(type(item) is dict)
    demand(took(item, "do", str) in DEEDS)
    took(item, "box", int, None)
    took(item, "hand", int, 0)
    return {"by": took(item, "by", str), "do": item["do"], "amount": took(item, "amount", int, None)}


def told(
    result: dict[str, Any], paid: Iterable[tuple[dict[str, Any], int, int]], refused: list[Any], used: int
) -> dict[str, Any]:
    """The outcome of a record, of each accepted bet what came back and what stays on the layout."""
    bets = []
    staked: dict[str, int] = {}
    returned: dict[str, int] = {}
    for bet, back, stays in paid:
        bets.append({"id": bet["id"], "returned": back, "carried": stays})
        staked[bet["by"]] = staked.get(bet["by"], 0) + (0 if bet["carried"] else bet["amount"])
        returned[bet["by"]] = returned.get(bet["by"], 0) + back
    return {
        "result": result,
        "bets": bets,
        "staked": staked,
        "returned": returned,
        "refused": refused,
        "chance_used": used,
    }


def is_void(item: dict[str, Any]) -> bool:
    return bool(item["do"] == "void" and item["by"] == "house")


def played(record: Any, by: Callable[[Any], dict[str, Any]]) -> Any:
    """What one of two implementations makes of a record, so that they can be compared: of refusals the id or index."""
    try:
        outcome = by(record)
    except (RecordError, Unplayable):
        return "error"
    refused = [item.get("id", item.get("decision")) if type(item) is dict else item for item in outcome["refused"]]
    return {**outcome, "refused": refused}


def by_the_rules(record: Any) -> Any:
    return played(record, outcome_of)
