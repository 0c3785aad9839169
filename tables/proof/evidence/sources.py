"""What is put to the test: the very code that deals, each way of drawing as a source of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from tables.base import chance, proof_format
from tables.games import GAMES
from tables.games.contract.game import Throw
from tables.games.shared.options import read_options
from tables.games.values.cards import Card, pack

THROWS = [throw for game in GAMES.values() if (throw := game.throw(read_options(game.options, {}))) is not None]
BALL = next(throw for throw in THROWS if throw.ring)
DICE = next(throw for throw in THROWS if throw.count > 1)
SHOE = 8
"""Decks of the largest pack."""


class Source(Protocol):
    """A way of drawing packs and throws. `cut` is where the dealer cuts, 0 if that is not drawn this way."""

    def throw(self, throw: Throw) -> tuple[int, ...]: ...

    def pack(self, decks: int) -> Sequence[Card]: ...

    def cut(self, size: int) -> int: ...


def seeds_of_the_system() -> Iterator[str]:
    """Seeds as dealers draw them."""
    system = chance.SystemRandomness()
    while True:
        yield system.seed()


def seeds_from(text: str) -> Iterator[str]:
    """Seeds that are the same each time, for a report that can be made again."""
    return (hashlib.sha256(f"{text}:{at}".encode()).hexdigest() for at in count())


class KeySource:
    """The proof format: each pack and each throw from a seed of its own, with no links of bettors."""

    def __init__(self, seeds: Iterator[str]) -> None:
        self._seeds = seeds

    def throw(self, throw: Throw) -> tuple[int, ...]:
        return proof_format.throw_of(self._key(), throw)

    def pack(self, decks: int) -> Sequence[Card]:
        return proof_format.pack_of(self._key(), decks)

    def cut(self, size: int) -> int:
        return 0

    def _key(self) -> str:
        return proof_format.key(next(self._seeds), ())


class SystemSource(KeySource):
    """What deals: seeds, and cuts, of the kernel's randomness."""

    def __init__(self) -> None:
        super().__init__(seeds_of_the_system())
        self._chance = chance.SystemRandomness()

    def cut(self, size: int) -> int:
        return 1 + self._chance.below(size - 1)


@dataclass(slots=True)
class Sample:
    """What a source has drawn. Cards are numbers, by their place in a fresh pack: 0 is the ace of spades."""

    balls: list[int] = field(default_factory=list)
    dice: list[tuple[int, ...]] = field(default_factory=list)
    packs: list[list[int]] = field(default_factory=list)
    shoes: list[list[int]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)

    @property
    def faces(self) -> list[int]:
        """All dice, one after the other."""
        return [face for throw in self.dice for face in throw]


def draw(source: Source, draws: int) -> Sample:
    """About so many numbers, 20,000 at least: six tenths of them balls, a quarter dice, the rest cards and cuts."""
    numbers = {card: at for at, card in enumerate(pack(1))}
    sample = Sample()
    sample.balls = [source.throw(BALL)[0] for _ in range(draws * 6 // 10)]
    sample.dice = [source.throw(DICE) for _ in range(draws * 8 // 100)]
    sample.packs = [[numbers[card] for card in source.pack(1)] for _ in range(draws * 8 // 100 // 51)]
    sample.shoes = [[numbers[card] for card in source.pack(SHOE)] for _ in range(draws * 5 // 100 // (52 * SHOE))]
    if source.cut(52):
        sample.cuts = [source.cut(52) for _ in range(draws * 3 // 100)]
    return sample
