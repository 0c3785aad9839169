"""Dealers that draw wrongly, each in one piece of what the proof format does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tables.base import proof_format as proof
from tables.games.contract.game import Throw
from tables.games.values.cards import Card, pack
from tables.proof.evidence.sources import seeds_from

Draw = Callable[[Iterator[int], int], int]
Swap = Callable[[Draw, Iterator[int], int, int], int]


class Dealer:
    """The proof format in pieces that can be exchanged: seeds, words, numbers, the place to swap with, a throw."""

    def __init__(
        self,
        *,
        seeds: Iterator[str] | None = None,
        words: Callable[[str, str], Iterator[int]] = proof.words,
        draw: Draw = proof.draw,
        swap: Swap = lambda draw, words, size, decks: draw(words, size),
        printed: Callable[[Throw, tuple[int, ...]], tuple[int, ...]] = lambda throw, values: values,
    ) -> None:
        self._seeds = seeds or seeds_from("broken")
        self._words, self._draw, self._swap, self._printed = words, draw, swap, printed

    def throw(self, throw: Throw) -> tuple[int, ...]:
        words = self._words(self._key(), "throw")
        span = throw.most - throw.least + 1
        values = tuple(throw.least + self._draw(words, span) for _ in range(throw.count))
        return self._printed(throw, values)

    def pack(self, decks: int) -> Sequence[Card]:
        words, order = self._words(self._key(), "order"), list(pack(decks))
        for size in range(len(order), 1, -1):
            chosen = self._swap(self._draw, words, size, decks)
            order[size - 1], order[chosen] = order[chosen], order[size - 1]
        return order

    def cut(self, size: int) -> int:
        return 0

    def _key(self) -> str:
        return proof.key(next(self._seeds), ())


def _bytes(words: Iterator[int], bound: int) -> int:
    return next(words) % 256 % bound if bound <= 256 else next(words) % bound


def _bits(words: Iterator[int], bound: int) -> int:
    return next(words) % (1 << (bound - 1).bit_length()) % bound


def _too_few(words: Iterator[int], bound: int) -> int:
    return proof.draw(words, bound - 1) if bound > 2 else proof.draw(words, bound)


def _never_the_first(words: Iterator[int], bound: int) -> int:
    return 1 + proof.draw(words, bound - 1) if bound > 2 else proof.draw(words, bound)


def _each_block_twice(key: str, of: str) -> Iterator[int]:
    words = proof.words(key, of)
    while True:
        block = [next(words) for _ in range(8)]
        yield from block + block


def _stuck(key: str, of: str) -> Iterator[int]:
    return (word | 1 for word in proof.words(key, of))


def _one_seed_again() -> Iterator[str]:
    seeds = seeds_from("broken")
    while True:
        seed = next(seeds)
        yield from (seed, seed)


def _short_cycle() -> Iterator[str]:
    while True:
        seeds = seeds_from("broken")
        yield from (next(seeds) for _ in range(3_000))


def _swapped_face(throw: Throw, values: tuple[int, ...]) -> tuple[int, ...]:
    return (*values[:2], 5 if values[2] == 6 else values[2]) if throw.count == 3 else values


BROKEN: Mapping[str, Callable[[], Dealer]] = {
    "modulo bias": lambda: Dealer(draw=_bytes),
    "a shuffle that swaps with any place": lambda: Dealer(
        swap=lambda draw, words, size, decks: draw(words, 52 * decks)
    ),
    "off by one at the upper end": lambda: Dealer(draw=_too_few),
    "off by one at the lower end": lambda: Dealer(draw=_never_the_first),
    "a shuffle that leaves no card in its place": lambda: Dealer(
        swap=lambda draw, words, size, decks: draw(words, size - 1)
    ),
    "a repeated block": lambda: Dealer(words=_each_block_twice),
    "a stuck bit": lambda: Dealer(words=_stuck),
    "a seed used twice": lambda: Dealer(seeds=_one_seed_again()),
    "a missing rejection": lambda: Dealer(draw=_bits),
    "a short cycle": lambda: Dealer(seeds=_short_cycle()),
    "a swapped die face": lambda: Dealer(printed=_swapped_face),
}
"""The nine, one of them at either end and in the shuffle as well.

A face that is printed twice on one die stands for another. Two faces of a fair die that change places leave it fair,
and a bias of a few words in 2³² is beyond all draws: test_proof_format.py asks for those very words instead.
"""
