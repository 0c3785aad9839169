"""Chance: the only user of `secrets`.

A shoe is shuffled with the kernel's randomness, sealed with the key that only dealers hold, and its commitment
published before anybody cuts. Whoever has the opening (salt and order) can check the commitment with any SHA-256:

    sha256(salt + ":" + "As Td 9c …")  ==  commitment        (salt in hexadecimal, cards separated by one space)

Where hands stay private the pack is committed to card by card, so that each can be opened without the others. The
leaves are published with the commitment; what opens one is its card and a salt of its own, made from the sealed one:

    sha256("17:" + salt of 17 + ":Qs")  ==  leaf 17           (places of the sealed order, from 1)
    sha256(leaf 1 + "\n" + leaf 2 + "\n" + …)  ==  commitment  (hexadecimal, each line ended)

A throw (a ball, dice) is sealed in the same way before anybody may bet on it, and opened when betting has closed:

    sha256(salt + ":" + "3 3 5")  ==  commitment        (the numbers as they were drawn, separated by one space)
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from cryptography.fernet import InvalidToken

from tables.games.contract.game import Throw
from tables.games.values.cards import Card, cards, pack

from .seals import Seal


@dataclass(frozen=True, slots=True)
class SealedPack:
    """A shuffled pack that nobody can read without the key. `leaves` if it is committed to card by card."""

    commitment: str
    sealed: bytes
    leaves: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """The salt and the order of a pack, first card first, before any cut."""

    salt: str
    order: tuple[Card, ...]

    @property
    def commitment(self) -> str:
        return commitment(self.salt, self.order)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The commitment to each of its cards."""
        return tuple(leaf(place, self.salt_of(place), card) for place, card in enumerate(self.order, start=1))

    def salt_of(self, place: int) -> str:
        """What opens the leaf of this place (from 1), and tells nothing of any other."""
        return hmac.new(bytes.fromhex(self.salt), str(place).encode(), hashlib.sha256).hexdigest()[:32]

    def is_committed(self, published: str, leaves: Iterable[str] | None) -> bool:
        """Whether this is the pack of the published commitment, and of the published leaves if there are any."""
        if leaves is None:
            return self.commitment == published
        return self.leaves == tuple(leaves) and commitment_to(self.leaves) == published

    def dealt_order(self, cut: int) -> tuple[Card, ...]:
        """The order in which the cards leave the shoe once `cut` cards went from the top to the bottom."""
        return self.order[cut:] + self.order[:cut]


def commitment(salt: str, order: Sequence[Card]) -> str:
    """What is published of a pack: SHA-256, hexadecimal, of its salt and order."""
    return hashlib.sha256(f"{salt}:{' '.join(map(str, order))}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SealedThrow:
    """A throw that nobody can read without the key."""

    commitment: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class OpenedThrow:
    """The salt and the numbers of a throw, in the order in which they were drawn."""

    salt: str
    values: tuple[int, ...]

    @property
    def text(self) -> str:
        """What is hashed."""
        return f"{self.salt}:{' '.join(map(str, self.values))}"

    @property
    def commitment(self) -> str:
        """What is published of it beforehand: SHA-256, hexadecimal, of its salt and numbers."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @classmethod
    def read(cls, text: str) -> OpenedThrow:
        """The throw that `text` describes. Raises ValueError."""
        salt, _, values = text.partition(":")
        return cls(salt, tuple(map(int, values.split())))


def thrown(throw: Throw, chance: ChanceSource) -> tuple[int, ...]:
    """A throw: each of its numbers drawn by itself, without bias."""
    return tuple(throw.least + chance.below(throw.most - throw.least + 1) for _ in range(throw.count))


def leaf(place: int, salt: str, card: Card | str) -> str:
    """What is published of one card: SHA-256, hexadecimal, of its place, the salt of this place and the card."""
    return hashlib.sha256(f"{place}:{salt}:{card}".encode()).hexdigest()


def leaves_text(leaves: Iterable[str]) -> str:
    """The leaves as they are hashed: a line each."""
    return "".join(f"{one}\n" for one in leaves)


def commitment_to(leaves: Iterable[str]) -> str:
    """What is published of a pack that is committed to card by card: SHA-256, hexadecimal, of its leaves."""
    return hashlib.sha256(leaves_text(leaves).encode()).hexdigest()


def places_dealt(decks: int, cut: int, dealt: int) -> list[int]:
    """The places of the sealed order (from 1) of the first `dealt` cards that leave the shoe."""
    return [(cut + at) % (decks * 52) + 1 for at in range(dealt)]


class ChanceSource(Protocol):
    """What the dealer draws with. The real one is `Kernel`; tests pass a stacked one."""

    def shuffled(self, decks: int) -> tuple[Card, ...]:
        """A whole pack of `decks` decks in the order of chance."""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely."""


class SystemRandomness:
    """Chance from the kernel's CSPRNG."""

    def shuffled(self, decks: int) -> tuple[Card, ...]:
        order = list(pack(decks))
        for last in range(len(order) - 1, 0, -1):  # Fisher and Yates, each place drawn without bias
            chosen = secrets.randbelow(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def below(self, bound: int) -> int:
        return secrets.randbelow(bound)


class Vault:
    """Seals and opens packs. Made from the shoe key; processes that only serve pages have none."""

    def __init__(self, key: str) -> None:
        self._seal = Seal("shoe", [key])

    def seal(self, order: Sequence[Card], *, by_card: bool = False) -> SealedPack:
        salt = secrets.token_hex(16)
        sealed = self._seal.encrypt(f"{salt}:{' '.join(map(str, order))}".encode())
        if not by_card:
            return SealedPack(commitment(salt, order), sealed)
        leaves = OpenedPack(salt, tuple(order)).leaves
        return SealedPack(commitment_to(leaves), sealed, leaves)

    def open(self, sealed: bytes | memoryview[int]) -> OpenedPack:
        """Raises ValueError if the pack was sealed with another key or tampered with."""
        try:
            salt, _, order = self._seal.decrypt(bytes(sealed)).decode().partition(":")
        except InvalidToken:
            raise ValueError("this shoe was sealed with another key") from None
        return OpenedPack(salt, cards(order))

    def seal_throw(self, values: Sequence[int]) -> SealedThrow:
        throw = OpenedThrow(secrets.token_hex(16), tuple(values))
        padded = throw.text.ljust(96)  # else its length could tell of its numbers
        return SealedThrow(throw.commitment, self._seal.encrypt(padded.encode()))

    def open_throw(self, sealed: bytes | memoryview[int]) -> OpenedThrow:
        """Raises ValueError if the throw was sealed with another key or tampered with."""
        try:
            text = self._seal.decrypt(bytes(sealed)).decode()
        except InvalidToken:
            raise ValueError("this throw was sealed with another key") from None
        return OpenedThrow.read(text)
