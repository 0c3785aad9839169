"""Chance: the only user of `secrets`.

All that a dealer draws of a pack or a throw is its seed: 32 bytes of the kernel's randomness (`proof_format`,
docs/proof.md). The dealer commits to it, and seals it with the key that only dealers hold. Order or numbers, salts and
leaves follow from the seed and from the links of the bettors, and are made anew whenever a dealer needs them. `t` is
the id of the table, `k` the number of the pack or of the throw at it, both in decimal digits:

    sha256("seed:<t>:<k>:<seed>")               ==  seed's commitment
    sha256("card:<t>:<k>:17:<salt of 17>:Qs")   ==  leaf 17       (places of the pack before the cut, from 1)
    sha256(leaf 1 + "\n" + leaf 2 + "\n" + …)   ==  commitment    (hexadecimal, each line ended)
    sha256("throw:<t>:<k>:<salt>:3 3 5")        ==  commitment    (the numbers as they were drawn, one space between)

Each seal has a label: what kind of thing it holds, of which table, under which number, since when. The label is sealed
with the seed, so that a seal opens as itself alone: a pack that has been dealt before cannot be dealt again under
another number.

Under the scheme before, order or numbers were drawn and sealed with a salt of their own. A pack was committed to card
by card, as above, where hands stay private, and else as a whole:

    sha256("pack:<t>:<k>:<salt>:As Td 9c …")    ==  commitment    (salt in hexadecimal, cards separated by one space)

The first scheme had no labels, neither in the seal nor in what is hashed. What was sealed under either can still be
checked; nothing is dealt or thrown by them any more.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Protocol, TypeAlias

from cryptography.fernet import InvalidToken

from tables.games.contract.game import Throw
from tables.games.values.cards import Card, cards

from . import proof_format
from .proof_format import Links
from .seals import Seal

KEYED = 3
"""How packs and throws are made today: from a key. What is sealed is the seed."""

LABELLED = 2
"""The scheme of before: order or numbers, sealed with a label."""

UNLABELLED = 1
"""The first scheme, without one."""


class Kind(StrEnum):
    """What a seal holds."""

    PACK = "pack"
    THROW = "throw"


@dataclass(frozen=True, slots=True)
class Label:
    """What a seal is for, and for nothing else: its kind, the id of its table, its number there, when it was made."""

    kind: Kind
    table: int
    number: int
    at: datetime
    scheme: int = KEYED

    @property
    def name(self) -> str:
        """Kind, table and number, as they are hashed."""
        return f"{self.kind}:{self.table}:{self.number}"

    @property
    def line(self) -> str:
        """All of it, as it is sealed; a scheme without labels has none."""
        return f"{self.name} {self.at.astimezone(UTC).isoformat(timespec='microseconds')}"

    def before(self, text: str, *, kind: str = "") -> str:
        """The text that is hashed: this one, behind kind, table and number."""
        return text if self.scheme == UNLABELLED else f"{kind or self.kind}:{self.table}:{self.number}:{text}"


@dataclass(frozen=True)
class MadePack:
    """A pack made from a key: its order, first card first, before any cut; and what its seed was sealed as."""

    label: Label
    seed: str
    key: str
    order: tuple[Card, ...]

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The commitment to each of its cards."""
        return proof_format.leaves(self.label.table, self.label.number, self.key, self.order)

    @property
    def commitment(self) -> str:
        """What is published of it before the cut: the root of its leaves."""
        return proof_format.root(self.leaves)

    def salt_of(self, place: int) -> str:
        """What opens the leaf of this place (from 1), and tells nothing of any other."""
        return proof_format.salt(self.key, place)

    def is_committed(self, published: str, leaves: Iterable[str] | None) -> bool:
        """Whether this is the pack of the published commitment and leaves."""
        return self.commitment == published and self.leaves == tuple(leaves or ())

    def dealt_order(self, cut: int) -> tuple[Card, ...]:
        """The order in which the cards leave the shoe once `cut` cards went from the top to the bottom."""
        return self.order[cut:] + self.order[:cut]


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """The salt and the order of a pack of an earlier scheme, first card first, before any cut; and what it was sealed
    as."""

    label: Label
    salt: str
    order: tuple[Card, ...]

    @property
    def text(self) -> str:
        """What is hashed of a pack that is opened whole."""
        return self.label.before(f"{self.salt}:{' '.join(map(str, self.order))}")

    @property
    def commitment(self) -> str:
        """What is published of a pack that is opened whole: SHA-256, hexadecimal, of label, salt and order."""
        return _sha256(self.text)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The commitment to each of its cards."""
        return tuple(leaf(self.label, at, self.salt_of(at), card) for at, card in enumerate(self.order, start=1))

    def salt_of(self, place: int) -> str:
        """What opens the leaf of this place (from 1), and tells nothing of any other."""
        of = str(place) if self.label.scheme == UNLABELLED else f"salt:{place}"
        return hmac.new(bytes.fromhex(self.salt), of.encode(), hashlib.sha256).hexdigest()[:32]

    def is_committed(self, published: str, leaves: Iterable[str] | None) -> bool:
        """Whether this is the pack of the published commitment, and of the published leaves if there are any."""
        if leaves is None:
            return self.commitment == published
        return self.leaves == tuple(leaves) and commitment_to(self.leaves) == published

    def dealt_order(self, cut: int) -> tuple[Card, ...]:
        """The order in which the cards leave the shoe once `cut` cards went from the top to the bottom."""
        return self.order[cut:] + self.order[:cut]


Pack: TypeAlias = MadePack | OpenedPack
"""A pack that is known, of whichever scheme."""


@dataclass(frozen=True, slots=True)
class OpenedThrow:
    """The salt and the numbers of a throw, in the order in which they were drawn; and what it was sealed as. `seed` if
    it was made from a key."""

    label: Label
    salt: str
    values: tuple[int, ...]
    seed: str = ""

    @property
    def text(self) -> str:
        """What is hashed."""
        return self.label.before(self.opening)

    @property
    def opening(self) -> str:
        """Salt and numbers."""
        return f"{self.salt}:{' '.join(map(str, self.values))}"

    @property
    def commitment(self) -> str:
        """What is published of it beforehand: SHA-256, hexadecimal, of label, salt and numbers."""
        return _sha256(self.text)


def made_pack(label: Label, decks: int, seed: str, revealed: Links) -> MadePack:
    """The pack that follows from this seed and these links (docs/proof.md, 4)."""
    key = proof_format.key(seed, [link for _, link in revealed])
    return MadePack(label, seed, key, proof_format.pack_of(key, decks))


def made_throw(label: Label, throw: Throw, seed: str, revealed: Links) -> OpenedThrow:
    """The throw that follows from this seed and these links, opened (docs/proof.md, 4 and 5)."""
    key = proof_format.key(seed, [link for _, link in revealed])
    return OpenedThrow(label, proof_format.salt(key), proof_format.throw_of(key, throw), seed)


def seed_commitment(label: Label, seed: str) -> str:
    """What is published of a seed before anybody reveals a link (docs/proof.md, 1)."""
    return proof_format.seed_commitment(label.table, label.number, seed)


def leaf(label: Label, place: int, salt: str, card: Card | str) -> str:
    """What is published of one card: SHA-256, hexadecimal, of its pack, its place, the salt of this place and the
    card."""
    return _sha256(label.before(f"{place}:{salt}:{card}", kind="card"))


def leaves_text(leaves: Iterable[str]) -> str:
    """The leaves as they are hashed: a line each."""
    return "".join(f"{one}\n" for one in leaves)


def commitment_to(leaves: Iterable[str]) -> str:
    """What is published of a pack that is committed to card by card: SHA-256, hexadecimal, of its leaves."""
    return _sha256(leaves_text(leaves))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def places_dealt(decks: int, cut: int, dealt: int) -> list[int]:
    """The places of the sealed order (from 1) of the first `dealt` cards that leave the shoe."""
    return [(cut + at) % (decks * 52) + 1 for at in range(dealt)]


class ChanceSource(Protocol):
    """What the dealer draws with. The real one is `Kernel`; tests pass a stacked one."""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely: where the dealer cuts."""

    def seed(self) -> str:
        """32 bytes of which nothing is known, in hexadecimal."""


class SystemRandomness:
    """Chance from the kernel's CSPRNG."""

    def below(self, bound: int) -> int:
        return secrets.randbelow(bound)

    def seed(self) -> str:
        return secrets.token_hex(proof_format.SEED_BYTES)


class Vault:
    """Seals packs with the shoe key, and opens what that key or an earlier one has sealed; processes that only serve
    pages have none."""

    def __init__(self, key: str, *earlier: str) -> None:
        self._seal = Seal("shoe", [key, *earlier])

    def open(self, label: Label, sealed: bytes | memoryview[int]) -> OpenedPack:
        """A pack of an earlier scheme. Raises ValueError if it was sealed with another key, as another one, or tampered
        with."""
        salt, _, order = self._decrypt(label, sealed, "shoe").partition(":")
        return OpenedPack(label, salt, cards(order))

    def seal_seed(self, label: Label, seed: str) -> bytes:
        """Seal the seed of what the label says."""
        assert label.scheme != UNLABELLED, "nothing is sealed without a label any more"
        return self._seal.encrypt(f"{label.line}\n{seed}".encode())

    def open_seed(self, label: Label, sealed: bytes | memoryview[int]) -> str:
        """Raises ValueError if it was sealed with another key, as that of another one, or tampered with."""
        seed = self._decrypt(label, sealed, str(label.kind))
        if not proof_format.HASH.fullmatch(seed):
            raise ValueError(f"no seed is sealed in this {label.kind}")
        return seed

    def open_throw(self, label: Label, sealed: bytes | memoryview[int]) -> OpenedThrow:
        """A throw of an earlier scheme. Raises ValueError if it was sealed with another key, as another one, or
        tampered with."""
        salt, _, values = self._decrypt(label, sealed, "throw").partition(":")
        return OpenedThrow(label, salt, tuple(map(int, values.split())))

    def _decrypt(self, label: Label, sealed: bytes | memoryview[int], what: str) -> str:
        try:
            text = self._seal.decrypt(bytes(sealed)).decode()
        except InvalidToken:
            raise ValueError(f"this {what} was sealed with another key") from None
        if label.scheme == UNLABELLED:
            return text
        sealed_as, _, rest = text.partition("\n")
        if sealed_as != label.line:
            raise ValueError(f"this {what} was sealed as {sealed_as[:80]}, not as {label.line}")
        return rest
