"""Good bundles of all games, made with the pure module from fixed seeds and played out by the rules; and bad ones."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any

from tables.base import bundle as bundles
from tables.base import proof_format as proof
from tables.base.bundle import Bundle, OpenedCard, PackProof, ThrowProof
from tables.games import GAMES
from tables.games.record import outcome_line, outcome_of
from tables.games.shared.options import read_options
from tables.games.values.cards import cards, points

HOUSE = "https://floor.example"
TABLE, ROUND, NUMBER, CUT, FIRST = 3, 5521, 31, 17, 5

Json = dict[str, Any]


def seed(at: int) -> str:
    return proof.sha256(f"a seed of the tests: {at}")


def links(revealing: tuple[str, ...] = ("p7", "p9"), silent: tuple[str, ...] = ()) -> tuple[proof.Links, proof.Links]:
    """What these bettors have offered, and what they have revealed."""
    chains = {who: proof.chain(proof.sha256(f"a chain of {who}"), 4) for who in (*revealing, *silent)}
    return [(who, chain[1]) for who, chain in chains.items()], [(who, chains[who][2]) for who in revealing]


def pack(at: int, decks: int, *, opened: bool = True) -> tuple[PackProof, list[str], list[str]]:
    """A pack with its order and its salts, by place."""
    offered, revealed = links()
    key = proof.key(seed(at), [link for _, link in revealed])
    order = proof.pack_of(key, decks)
    leaves = proof.leaves(TABLE, NUMBER, key, order)
    commitment = proof.seed_commitment(TABLE, NUMBER, seed(at))
    made = PackProof(
        NUMBER, decks, commitment, offered, revealed, leaves, proof.root(leaves), CUT, seed(at) if opened else None
    )
    return made, [str(card) for card in order], [proof.salt(key, place) for place in range(1, len(order) + 1)]


Hands = Callable[[Json, Json], list[str]]
"""Whose the cards of a round are, by its record and its outcome."""


def of_cards(game: str, record: Json, hands: Hands, at: int, *, hidden: str = "") -> Bundle:
    """A round that has dealt the cards of this pack. Whoever is `hidden` keeps their cards unseen."""
    made, order, salts = pack(at, 1, opened=game != "stud_poker")
    places = [proof.place_of(deal, CUT, 52) for deal in range(FIRST, FIRST + 30)]
    record = {"game": game, **record, "chance": [order[place - 1] for place in places]}
    record["chance"] = record["chance"][: outcome_of(record)["chance_used"]]
    outcome = outcome_of(record)
    cards = [
        OpenedCard(deal, place, salts[place - 1], order[place - 1], to)
        for deal, (place, to) in enumerate(
            zip(places, hands(record, outcome)[: len(record["chance"])], strict=False), start=FIRST
        )
        if not (hidden and to.startswith(hidden))
    ]
    told: Json = {} if hidden else {"record": record, "outcome": outcome}
    return Bundle(HOUSE, TABLE, ROUND, game, made, cards, **told)


def of_throws(game: str, record: Json, at: int, nulls: int = 0) -> Bundle:
    """A round that was decided by the last of its throws."""
    throw = GAMES[game].throw(read_options(GAMES[game].options, {}))
    assert throw is not None
    throws: list[ThrowProof] = []
    chance: list[int | None] = []
    for number in range(NUMBER, NUMBER + nulls + 1):
        offered, revealed = links()
        key = proof.key(seed(at + number), [link for _, link in revealed])
        value, salt = proof.throw_value(proof.throw_of(key, throw)), proof.salt(key)
        counts = number == NUMBER + nulls
        chance += list(proof.throw_of(key, throw)) if counts else [None]
        throws.append(
            ThrowProof(
                number,
                proof.seed_commitment(TABLE, number, seed(at + number)),
                offered,
                revealed,
                proof.throw_leaf(TABLE, number, salt, value),
                counts,
                salt,
                value,
                seed(at + number),
            )
        )
    record = {"game": game, **record, "chance": chance}
    return Bundle(HOUSE, TABLE, ROUND, game, throws=throws, record=record, outcome=outcome_of(record))


def _bet(spot: str, amount: int = 10000, **more: object) -> Json:
    return {"id": spot, "by": "p7", "spot": spot, "amount": amount, **more}


def _baccarat(record: Json, outcome: Json) -> list[str]:
    hands = ["player 1", "banker 1", "player 2", "banker 2", "player 3", "banker 3"]
    player_draws = points(cards(record["chance"][0:3:2])) <= 5
    return hands if player_draws else [*hands[:4], "banker 3"]


def _blackjack(record: Json, outcome: Json) -> list[str]:
    result = outcome["result"]
    at = {card: f"box {box} {n}" for box, [hand] in result["boxes"].items() for n, card in enumerate(hand, start=1)}
    return [at.get(card) or f"bank {result['bank'].index(card) + 1}" for card in record["chance"]]


def _in_turn(each: int, *hands: str) -> Hands:
    return lambda record, outcome: [f"{hand} {at}" for at in range(1, each + 1) for hand in hands]


def _first(of: Callable[[int], Bundle], wanted: Callable[[Json], bool]) -> Json:
    """The first of a row of seeds whose bundle is as wanted."""
    return next(made for at in count(1) if wanted(made := bundles.written(of(at))))


def _seen(made: Json) -> list[str]:
    return [card["to"] for card in made["cards"]]


def good() -> dict[str, Json]:
    """Good bundles by name: of each game, and of what is special in one. Whoever asks may change them."""
    return copy.deepcopy(_made())


@cache
def _made() -> dict[str, Json]:
    hit = {"bets": [_bet("main", box=1)], "decisions": [{"by": "p7", "do": do, "box": 1} for do in ("hit", "stand")]}
    stud = {"seats": {"p7": 2}, "options": {"shuffle_method": "manual_shoe"}, "bets": [_bet("ante", box=2)]}
    both = {
        **stud,
        "seats": {"p7": 2, "p9": 4},
        "bets": [_bet("ante", box=2), _bet("ante", box=4) | {"id": "b", "by": "p9"}],
    }
    places = {"seats": {"p7": 1}, "bets": [_bet("place", box=1)]}
    return {
        "baccarat": _first(
            lambda at: of_cards("baccarat", {"bets": [_bet("banker")]}, _baccarat, at),
            lambda made: "banker 3" in _seen(made) and made["outcome"]["result"]["winner"] == "banker",
        ),
        "blackjack": _first(
            lambda at: of_cards("blackjack", hit, _blackjack, at),
            lambda made: {"box 1 3", "bank 3"} <= {*_seen(made)} and not made["outcome"]["refused"],
        ),
        "stud_poker": bundles.written(
            of_cards(
                "stud_poker", {**stud, "decisions": [{"by": "p7", "do": "raise"}]}, _in_turn(5, "box 2", "dealer"), 1
            )
        ),
        "stud_poker with a hand unseen": bundles.written(
            of_cards("stud_poker", both, _in_turn(5, "box 2", "box 4", "dealer"), 2, hidden="box 4")
        ),
        "three_card_baccarat": bundles.written(
            of_cards("three_card_baccarat", places, _in_turn(3, "place 1", "banker"), 1)
        ),
        "roulette": bundles.written(of_throws("roulette", {"bets": [_bet("red")]}, 1, nulls=1)),
        "cussec": bundles.written(of_throws("cussec", {"bets": [_bet("small")]}, 1)),
    }


# ── Changing them ───────────────────────────────────────────────────────────────────────────────────────────

Path = tuple[str | int, ...]


def leaves(part: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each single value of a bundle, and the way to it."""
    if isinstance(part, dict | list):
        for at, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from leaves(inner, (*path, at))
    else:
        yield path, part


def others(value: Any) -> list[Any]:
    """What may stand in place of a value: another of its form, and one of another type."""
    if isinstance(value, bool):
        return [not value, "true"]
    if isinstance(value, int):
        return [value + 1, value - 1, str(value)]
    if value is None:
        return [1, "x"]
    if re.fullmatch("[0-9a-f]{32,}", value):
        return [("1" if value[0] == "0" else "0") + value[1:], value.upper() + "0", 1]
    return [value[:-1] + chr(ord(value[-1]) + 1), value + "x", 1, None]


def with_another(bundle: Json, path: Path, value: Any) -> Json:
    """The bundle with this value there."""
    changed = copy.deepcopy(bundle)
    part: Any = changed
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return changed


def mutants(bundle: Json) -> Iterator[tuple[Path, Any, Json]]:
    """The bundle with each single value changed, in each way."""
    for path, value in leaves(bundle):
        for other in others(value):
            yield path, other, with_another(bundle, path, other)


def by_the_rules(record: Json) -> Any:
    """What `python -m tables.games` prints of a record."""
    return json.loads(outcome_line(json.dumps(record).encode())[1])
