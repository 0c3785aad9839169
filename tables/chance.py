"""Chance: the only user of `secrets`.

A shoe is shuffled with the kernel's randomness, sealed with the key that only dealers hold, and its commitment
published before anybody cuts. Whoever has the opening (salt and order) can check the commitment with any SHA-256:

    sha256(salt + ":" + "As Td 9c …")  ==  commitment        (salt in hexadecimal, cards separated by one space)
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cryptography.fernet import Fernet, InvalidToken

from .games.cards import Card, cards, pack


@dataclass(frozen=True, slots=True)
class SealedPack:
    """A shuffled pack that nobody can read without the key."""

    commitment: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """The salt and the order of a pack, first card first, before any cut."""

    salt: str
    order: tuple[Card, ...]

    @property
    def commitment(self) -> str:
        return commitment(self.salt, self.order)

    def dealt_order(self, cut: int) -> tuple[Card, ...]:
        """The order in which the cards leave the shoe once `cut` cards went from the top to the bottom."""
        return self.order[cut:] + self.order[:cut]


def commitment(salt: str, order: Sequence[Card]) -> str:
    """What is published of a pack: SHA-256, hexadecimal, of its salt and order."""
    return hashlib.sha256(f"{salt}:{' '.join(map(str, order))}".encode()).hexdigest()


class ChanceSource(Protocol):
    """What the dealer draws with. The real one is `Kernel`; tests pass a stacked one."""

    def shuffled(self, decks: int) -> tuple[Card, ...]:
        """A whole pack of `decks` decks in the order of chance."""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely."""


class Kernel:
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
        self._fernet = Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"macau-floor shoe " + key.encode()).digest()))

    def seal(self, order: Sequence[Card]) -> SealedPack:
        salt = secrets.token_hex(16)
        return SealedPack(commitment(salt, order), self._fernet.encrypt(f"{salt}:{' '.join(map(str, order))}".encode()))

    def open(self, sealed: bytes | memoryview[int]) -> OpenedPack:
        """Raises ValueError if the pack was sealed with another key or tampered with."""
        try:
            salt, _, order = self._fernet.decrypt(bytes(sealed)).decode().partition(":")
        except InvalidToken:
            raise ValueError("this shoe was sealed with another key") from None
        return OpenedPack(salt, cards(order))
