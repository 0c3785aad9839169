"""The bundle of a round: everything that proves it, as one file of JSON (docs/proof.md). Pure.

`written` makes it, `read` takes it apart and says in one word what is wrong with it. Whether the hashes in it are
right is not looked at here: `static/verify/verify.py` does that, and knows nothing of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tables.games.values.json import JsonObject

from .proof_format import MOST_LINKS, Links, ProofError

FORMAT = "macau-floor-proof/2"
MOST_BYTES = 4 << 20
"""A shoe of eight decks, all its cards and the stakes of a full table are a tenth of this."""
MOST_DEPTH = 12

T = TypeVar("T", str, int, bool, list[object], dict[str, object])


@dataclass(frozen=True, slots=True)
class OpenedCard:
    """A card that the viewer has seen: its number in the deal since the cut, where it lay, what opens its leaf, and
    whose it is (`player 1`)."""

    deal: int
    place: int
    salt: str
    card: str
    to: str


@dataclass(frozen=True, slots=True)
class PackProof:
    """What is published of a pack; `seed` once it is opened."""

    number: int
    decks: int
    seed_commitment: str
    offered: Links
    revealed: Links
    leaves: Sequence[str]
    root: str
    cut: int
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class ThrowProof:
    """What is published of a throw; `salt`, `value` and `seed` once it is opened. `counts` if it decided the round."""

    number: int
    seed_commitment: str
    offered: Links
    revealed: Links
    leaf: str
    counts: bool
    salt: str | None = None
    value: str | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """The proof of a round: of cards with its `pack`, else with its `throws`. `house` is the address of the house;
    `record` and `outcome` are there where the record may be handed out."""

    house: str
    table: int
    round: int
    game: str
    pack: PackProof | None = None
    cards: Sequence[OpenedCard] = ()
    throws: Sequence[ThrowProof] = ()
    record: JsonObject | None = None
    outcome: JsonObject | None = None


def written(bundle: Bundle) -> JsonObject:
    """The bundle as JSON, in the order of the format; what is not there is left out."""
    head: JsonObject = {"format": FORMAT} | {
        name: getattr(bundle, name) for name in ("house", "table", "round", "game")
    }
    if bundle.pack is not None:
        head["pack"] = _given(bundle.pack)
        head["cards"] = [_given(card) for card in bundle.cards]
    else:
        head["throws"] = [_given(throw) for throw in bundle.throws]
    return head | {name: part for name in ("record", "outcome") if (part := getattr(bundle, name)) is not None}


def _given(part: PackProof | ThrowProof | OpenedCard) -> JsonObject:
    found: JsonObject = {}
    for name in part.__slots__:
        value = getattr(part, name)
        if value is not None:
            links = name in ("offered", "revealed")
            found[name] = [list(each) for each in value] if links else list(value) if name == "leaves" else value
    return found


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, *, house: str | None = None) -> Bundle:
    """The bundle in a file.

    Raises ProofError, which says what is wrong: too large, no JSON, nested too deep, another version, another house
    than `house`, too many links, or a wrong type, and where.
    """
    if len(data) > MOST_BYTES:
        raise ProofError(f"too large: {len(data)} bytes, and {MOST_BYTES} are the most")
    try:
        given: object = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except RecursionError:
        raise ProofError("nested too deep") from None
    except ValueError:
        raise ProofError("no JSON") from None
    if _depth(given) > MOST_DEPTH:
        raise ProofError("nested too deep")
    if not isinstance(given, dict):
        raise ProofError("a wrong type: the bundle is no object")
    if _part(given, "format", str) != FORMAT:
        raise ProofError(f"another version: {given['format'][:40]}, not {FORMAT}")
    if _part(given, "house", str) != house and house is not None:
        raise ProofError(f"another house: {given['house'][:80]}, not {house}")
    return Bundle(
        house=given["house"],
        table=_part(given, "table", int),
        round=_part(given, "round", int),
        game=_part(given, "game", str),
        pack=_pack(_part(given, "pack", dict)) if "pack" in given else None,
        cards=[_card(each) for each in _objects(given, "cards")],
        throws=[_throw(each) for each in _objects(given, "throws")],
        record=_part(given, "record", dict) if "record" in given else None,
        outcome=_part(given, "outcome", dict) if "outcome" in given else None,
    )


def _pack(given: Mapping[str, object]) -> PackProof:
    leaves = _part(given, "leaves", list)
    return PackProof(
        number=_part(given, "number", int),
        decks=_part(given, "decks", int),
        seed_commitment=_part(given, "seed_commitment", str),
        offered=_links(given, "offered"),
        revealed=_links(given, "revealed"),
        leaves=[_typed(leaf, str, "leaves") for leaf in leaves],
        root=_part(given, "root", str),
        cut=_part(given, "cut", int),
        seed=_perhaps(given, "seed"),
    )


def _throw(given: Mapping[str, object]) -> ThrowProof:
    return ThrowProof(
        number=_part(given, "number", int),
        seed_commitment=_part(given, "seed_commitment", str),
        offered=_links(given, "offered"),
        revealed=_links(given, "revealed"),
        leaf=_part(given, "leaf", str),
        counts=_part(given, "counts", bool),
        salt=_perhaps(given, "salt"),
        value=_perhaps(given, "value"),
        seed=_perhaps(given, "seed"),
    )


def _card(given: Mapping[str, object]) -> OpenedCard:
    return OpenedCard(
        deal=_part(given, "deal", int),
        place=_part(given, "place", int),
        salt=_part(given, "salt", str),
        card=_part(given, "card", str),
        to=_part(given, "to", str),
    )


def _links(given: Mapping[str, object], name: str) -> list[tuple[str, str]]:
    links = []
    for each in _part(given, name, list):
        pair = _typed(each, list, name)
        if len(pair) != 2:
            raise ProofError(f"a wrong type: {name} has more or less than bettor and link")
        links.append((_typed(pair[0], str, name), _typed(pair[1], str, name)))
    if len(links) > MOST_LINKS:
        raise ProofError(f"too many links: {len(links)}, and {MOST_LINKS} are the most")
    return links


def _objects(given: Mapping[str, object], name: str) -> list[dict[str, object]]:
    return [_typed(each, dict, name) for each in _part(given, name, list)] if name in given else []


def _part(given: Mapping[str, object], name: str, kind: type[T]) -> T:
    if name not in given:
        raise ProofError(f"a wrong type: {name} is missing")
    return _typed(given[name], kind, name)


def _perhaps(given: Mapping[str, object], name: str) -> str | None:
    return _part(given, name, str) if name in given else None


def _typed(value: object, kind: type[T], name: str) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ProofError(f"a wrong type: {name}")
    return value


def _depth(given: object) -> int:
    """How deep lists and objects lie in each other, at most one more than may be."""
    level, depth = [given], 0
    while level and depth <= MOST_DEPTH:
        inner: list[object] = []
        for each in level:
            inner += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        level, depth = inner, depth + 1
    return depth


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
