"""The bundle of a round: everything that proves it, as one file of JSON (docs/proof.md). Pure.

It is only written here. `static/verify/verify.py` reads it, and knows nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tables.games.values.json import JsonObject

from .proof_format import Links

FORMAT = "macau-floor-proof/2"


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
