"""Seals: how text is stored so that nobody can read or change it without a key.

AES-256-GCM, with a key of its own for each purpose, made from the key of the house by HKDF-SHA-256. A seal begins with
the version of how it was made, so another way can follow while old seals are still read. Needs no Django.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

VERSION = b"2."
"""What seals begin with today. Those of version 1 (Fernet: AES-128-CBC with HMAC-SHA-256) begin with nothing."""

KEY_BYTES = 32
NONCE_BYTES = 12


class Seal:
    """Seals with the first of its keys, and opens with any of them."""

    def __init__(self, purpose: str, keys: Sequence[str]) -> None:
        """`purpose` is what is sealed, such as "shoe": what was sealed for another one does not open. `keys` are the
        present key of the house and its earlier ones, in any text that is hard to guess."""
        self._purpose = f"macau-floor {purpose}".encode()
        self._ciphers = [AESGCM(self._derived(key)) for key in keys]
        self._first_version = [Fernet(self._derived_at_first(key)) for key in keys]

    def encrypt(self, text: bytes) -> bytes:
        """A seal, in letters of URLs. Each one of the same text is another."""
        nonce = AESGCM.generate_key(bit_length=128)[:NONCE_BYTES]  # random bytes, from the library's own source
        return VERSION + base64.urlsafe_b64encode(nonce + self._ciphers[0].encrypt(nonce, text, VERSION))

    def decrypt(self, sealed: bytes) -> bytes:
        """What was sealed. Raises InvalidToken if no key opens it, or if it was changed."""
        return self._opened(sealed) if sealed.startswith(VERSION) else self._opened_at_first(sealed)

    def _opened(self, sealed: bytes) -> bytes:
        try:
            raw = base64.b64decode(sealed.removeprefix(VERSION), altchars=b"-_", validate=True)
        except binascii.Error:
            raise InvalidToken from None
        for cipher in self._ciphers:
            try:
                return cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], VERSION)
            except (InvalidTag, ValueError):  # ValueError: shorter than a nonce
                continue
        raise InvalidToken

    def _opened_at_first(self, sealed: bytes) -> bytes:
        for fernet in self._first_version:
            try:
                return fernet.decrypt(sealed)
            except InvalidToken:
                continue
        raise InvalidToken

    def _derived(self, key: str) -> bytes:
        return HKDF(SHA256(), length=KEY_BYTES, salt=None, info=self._purpose).derive(key.encode())

    def _derived_at_first(self, key: str) -> bytes:
        return base64.urlsafe_b64encode(hashlib.sha256(self._purpose + b" " + key.encode()).digest())
