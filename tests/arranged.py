"""Packs that a test has arranged.

Which cards follow from a seed nobody can choose: that is what the proof is for. So where a test wants certain cards, it
draws a seed that stands for them, and in the tests alone a pack made from this seed begins with these cards, and goes
on with the others in the order of a fresh pack. Whatever else is made from the seed (salts, leaves, the root, throws)
follows from it as ever. A pack whose seed nobody has arranged is made as the house makes it.

Processes that are forked know what was arranged before. One that is started anew reads it in a folder, if the
environment names one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from tables.base import proof_format
from tables.games.values.cards import Card, cards, pack

FOLDER = "ARRANGED_PACKS"
"""The name of the variable that names the folder."""

_by_seed: dict[str, tuple[Card, ...]] = {}
_by_key: dict[str, tuple[Card, ...]] = {}
_key, _pack_of = proof_format.key, proof_format.pack_of


def seed_for(first: Sequence[Card], seed: str = "") -> str:
    """A seed from which packs follow that begin with these cards, before the cut: always the same one, or this one."""
    text = " ".join(map(str, first))
    seed = seed or hashlib.sha256(f"arranged: {text}".encode()).hexdigest()
    _by_seed[seed] = tuple(first)
    if folder := os.environ.get(FOLDER):
        Path(folder, seed).write_text(json.dumps(text))
    return seed


def _key_of(seed: str, links: Sequence[str]) -> str:
    key = _key(seed, links)
    if seed not in _by_seed and (folder := os.environ.get(FOLDER)) and (file := Path(folder, seed)).exists():
        _by_seed[seed] = cards(json.loads(file.read_text()))
    if seed in _by_seed:
        _by_key[key] = _by_seed[seed]
    return key


def _arranged_pack_of(key: str, decks: int) -> tuple[Card, ...]:
    if key not in _by_key:
        return _pack_of(key, decks)
    first, rest = _by_key[key], list(pack(decks))
    for card in first:
        rest.remove(card)
    return (*first, *rest)


proof_format.key, proof_format.pack_of = _key_of, _arranged_pack_of  # type: ignore[assignment]
