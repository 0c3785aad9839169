"""Who a dealer is: a key pair (Ed25519). The house knows the public key of each dealer that was enrolled."""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class DealerIdentity:
    """The key of a dealer's process, made from the text `DEALER_KEY`."""

    def __init__(self, key: str) -> None:
        assert key, "a dealer has a key of its own"
        seed = hashlib.sha256(b"macau-floor dealer " + key.encode()).digest()
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public(self) -> str:
        """The public key, hexadecimal: what the dealer is enrolled by."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """The signature of a text, hexadecimal."""
        return self._key.sign(text.encode()).hex()


def is_signed(text: str, signature: str, public: str) -> bool:
    """Whether whoever has this public key has signed the text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True
