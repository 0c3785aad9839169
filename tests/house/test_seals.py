"""What is sealed opens with its key and for its purpose, and in no other way."""

from __future__ import annotations

import base64
import hashlib
from itertools import pairwise

import pytest
from cryptography.fernet import Fernet, InvalidToken

from tables.base.seals import VERSION, Seal

TEXT = b"As Td 9c"
KEY, OTHER = "a key of the house, long enough 0123456789", "another one of the house, long enough 98765"


def test_what_is_sealed_opens() -> None:
    seal = Seal("shoe", [KEY])
    for text in (TEXT, b"", bytes(range(256)) * 9):
        assert seal.decrypt(seal.encrypt(text)) == text
        assert Seal("shoe", [KEY]).decrypt(seal.encrypt(text)) == text  # another process


def test_each_seal_of_the_same_text_is_another_and_holds_nothing_of_it() -> None:
    seals = [Seal("shoe", [KEY]).encrypt(TEXT) for _ in range(100)]
    assert len(set(seals)) == 100
    assert {len(one) for one in seals} == {len(VERSION) + len(base64.b64encode(bytes(12 + len(TEXT) + 16)))}
    for one in seals:
        raw = base64.urlsafe_b64decode(one.removeprefix(VERSION))
        assert not [pair for pair in pairwise(TEXT.split()) if b" ".join(pair) in raw]


@pytest.mark.parametrize(("purpose", "key"), [("shoe", OTHER), ("second factor", KEY), ("shoe", KEY + " ")])
def test_another_key_or_another_purpose_opens_nothing(purpose: str, key: str) -> None:
    with pytest.raises(InvalidToken):
        Seal(purpose, [key]).decrypt(Seal("shoe", [KEY]).encrypt(TEXT))


def test_a_seal_that_was_changed_anywhere_does_not_open() -> None:
    seal = Seal("shoe", [KEY])
    raw = base64.urlsafe_b64decode(seal.encrypt(TEXT).removeprefix(VERSION))
    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        with pytest.raises(InvalidToken):
            seal.decrypt(VERSION + base64.urlsafe_b64encode(changed))
    for short in (raw[:-1], raw[:12], raw[:5], b""):
        with pytest.raises(InvalidToken):
            seal.decrypt(VERSION + base64.urlsafe_b64encode(short))


@pytest.mark.parametrize("junk", [b"", b"2.", b"2.?", b"3.AAAA", b"gAAAAA", b"2.AAAA BBBB", b"\xff\xfe"])
def test_what_is_no_seal_is_refused(junk: bytes) -> None:
    with pytest.raises(InvalidToken):
        Seal("shoe", [KEY]).decrypt(junk)


def test_an_earlier_key_opens_and_the_present_one_seals() -> None:
    old, new, both = Seal("shoe", [KEY]), Seal("shoe", [OTHER]), Seal("shoe", [OTHER, KEY])
    assert both.decrypt(old.encrypt(TEXT)) == TEXT
    assert new.decrypt(both.encrypt(TEXT)) == TEXT
    with pytest.raises(InvalidToken):
        old.decrypt(both.encrypt(TEXT))


def test_what_was_sealed_in_the_first_way_still_opens() -> None:
    first = Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"macau-floor shoe {KEY}".encode()).digest()))
    assert Seal("shoe", [OTHER, KEY]).decrypt(first.encrypt(TEXT)) == TEXT
    with pytest.raises(InvalidToken):
        Seal("second factor", [KEY]).decrypt(first.encrypt(TEXT))
