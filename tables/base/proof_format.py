"""The proof format: how the house and all who play fix a pack or a throw together (docs/proof.md). Pure.

The house commits to a seed, the bettors to links of chains of their own; when both are published the bettors reveal,
and everything else follows from seed and links: the key, the order of the pack or the numbers of the throw, the salts
and the leaves. Nothing here draws chance: a seed is given.

`table` is the id of the table, `number` that of the pack or of the throw at it. Hashes, links, seeds and keys are
lower-case hexadecimal, and what is hashed is ASCII. Places count from 1.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Iterable, Iterator, Sequence

from tables.games.contract.game import Throw
from tables.games.values.cards import Card, pack

MOST_LINKS = 16
"""How many bettors contribute to one pack or throw."""

SEED_BYTES = 32
WORD = 1 << 32
SALT_DIGITS = 32

HASH = re.compile(r"[0-9a-f]{64}")

Links = Sequence[tuple[str, str]]
"""Bettors and their links, in the order of the published list: seats first."""


class ProofError(ValueError):
    """What is offered, revealed or claimed does not fit the proof format; the text says what and where."""


def sha256(text: str) -> str:
    """SHA-256 of an ASCII text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def hmac_sha256(key: str, text: str) -> str:
    """HMAC-SHA-256 of an ASCII text; its key is the bytes that `key` writes."""
    return hmac.digest(bytes.fromhex(key), text.encode("ascii"), "sha256").hex()


# ── Commitments ─────────────────────────────────────────────────────────────────────────────────────────────


def seed_commitment(table: int, number: int, seed: str) -> str:
    """What the house publishes of a seed before it sees any link (proof format, 1).

    Raises ProofError if the seed is not 32 bytes.
    """
    _hash(seed, "the seed")
    return sha256(f"seed:{table}:{number}:{seed}")


def chain(innermost: str, length: int) -> tuple[str, ...]:
    """A bettor's chain, the outermost link first: each is the hash of the one after it, and the last is given (proof
    format, 2)."""
    _hash(innermost, "the innermost link")
    links = [innermost]
    while len(links) < length:
        links.append(sha256(links[-1]))
    return tuple(reversed(links))


def fits(offered: str, revealed: str) -> bool:
    """Whether a revealed link is the one beneath the offered one (proof format, 3)."""
    return HASH.fullmatch(revealed) is not None and sha256(revealed) == offered


def checked_offers(offered: Links) -> Links:
    """The list as it is published with the seed's commitment (proof format, 2).

    Raises ProofError for more than 16 links, for what is no link, and for a bettor who stands in it twice.
    """
    if len(offered) > MOST_LINKS:
        raise ProofError(f"too many links: {len(offered)}, and {MOST_LINKS} are the most")
    for bettor, link in offered:
        _hash(link, f"the link of {bettor}")
    if len({bettor for bettor, _ in offered}) < len(offered):
        raise ProofError("a bettor offers two links")
    return offered


def checked_reveals(offered: Links, revealed: Links) -> Links:
    """The links that count, in the order of the offers (proof format, 3).

    Raises ProofError if one does not fit, is of nobody in the list, or out of its order.
    """
    links = dict(checked_offers(offered))
    for bettor, link in revealed:
        if bettor not in links:
            raise ProofError(f"{bettor} has offered no link")
        if not fits(links[bettor], link):
            raise ProofError(f"the link of {bettor} does not fit")
    who = [bettor for bettor, _ in revealed]
    if who != [bettor for bettor in links if bettor in who]:
        raise ProofError("the links are not in the order in which they were offered")
    return revealed


def silent(offered: Links, revealed: Links) -> tuple[str, ...]:
    """The bettors who offered a link and did not reveal the next (proof format, 3)."""
    spoke = {bettor for bettor, _ in revealed}
    return tuple(bettor for bettor, _ in offered if bettor not in spoke)


def _hash(text: str, what: str) -> None:
    if not HASH.fullmatch(text):
        raise ProofError(f"{what} is not 64 hexadecimal digits in lower case")


# ── Mixing ──────────────────────────────────────────────────────────────────────────────────────────────────


def mix(links: Iterable[str]) -> str:
    """The hash of all revealed links, in their order; there may be none (proof format, 4)."""
    return sha256("mix:" + ":".join(links))


def key(seed: str, links: Iterable[str]) -> str:
    """The key that everything is made from: neither the house nor the bettors could choose it (proof format, 4)."""
    return hmac_sha256(seed, mix(links))


def words(key: str, of: str) -> Iterator[int]:
    """Numbers of 32 bits without end; `of` is what they are for, `order` or `throw` (proof format, 4)."""
    secret, block = bytes.fromhex(key), 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(secret, f"{of}:{block}".encode("ascii"), "sha256"))
        block += 1


def draw(words: Iterator[int], bound: int) -> int:
    """A number from 0 to `bound` - 1, each as likely: words beyond the last whole multiple are thrown away (proof
    format, 4)."""
    whole = WORD - WORD % bound
    for word in words:
        if word < whole:
            return word % bound
    raise ProofError("too few words")


def shuffled(words: Iterator[int], decks: int) -> tuple[Card, ...]:
    """A pack in the order that these words give (proof format, 4)."""
    order = list(pack(decks))
    for size in range(len(order), 1, -1):
        chosen = draw(words, size)
        order[size - 1], order[chosen] = order[chosen], order[size - 1]
    return tuple(order)


def pack_of(key: str, decks: int) -> tuple[Card, ...]:
    """The order of the pack that this key makes, before the cut."""
    return shuffled(words(key, "order"), decks)


def throw_of(key: str, throw: Throw) -> tuple[int, ...]:
    """The numbers of the throw that this key makes: a ball, or three dice in the order in which they are drawn."""
    drawn = words(key, "throw")
    return tuple(throw.least + draw(drawn, throw.most - throw.least + 1) for _ in range(throw.count))


# ── Leaves ──────────────────────────────────────────────────────────────────────────────────────────────────


def salt(key: str, place: int = 1) -> str:
    """What opens the leaf of a place, and tells nothing of any other; a throw has one place (proof format, 5)."""
    return hmac_sha256(key, f"salt:{place}")[:SALT_DIGITS]


def card_leaf(table: int, number: int, place: int, salt: str, card: Card | str) -> str:
    """What is published of one card before the cut (proof format, 5)."""
    return sha256(f"card:{table}:{number}:{place}:{salt}:{card}")


def leaves(table: int, number: int, key: str, order: Sequence[Card]) -> tuple[str, ...]:
    """The leaves of a whole pack, by place (proof format, 5)."""
    return tuple(card_leaf(table, number, place, salt(key, place), card) for place, card in enumerate(order, start=1))


def root(leaves: Iterable[str]) -> str:
    """One hash for all leaves, each on a line of its own (proof format, 5)."""
    return sha256("".join(f"{leaf}\n" for leaf in leaves))


def throw_value(numbers: Iterable[int]) -> str:
    """A throw as it is hashed and published: `17`, or `3 3 5`."""
    return " ".join(map(str, numbers))


def throw_leaf(table: int, number: int, salt: str, value: str) -> str:
    """What is published of a throw before anybody may bet on it (proof format, 5)."""
    return sha256(f"throw:{table}:{number}:{salt}:{value}")


def place_of(deal: int, cut: int, size: int) -> int:
    """Where the card lay that is dealt as the `deal`-th since the cut (from 1), in a pack of `size` cards (proof
    format, 6)."""
    return (cut + deal - 1) % size + 1
