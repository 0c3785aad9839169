"""The formulas of the proof format, against figures that were worked out by other means, and their limits."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tables.base import proof_format as proof
from tables.games.contract.game import Throw
from tables.games.values.cards import pack

from . import verifier

SEED = "ab" * 32


def openssl(text: str, *, key: str = "") -> str:
    """SHA-256 or HMAC-SHA-256 as another program works it out."""
    how = ["-mac", "HMAC", "-macopt", f"hexkey:{key}"] if key else []
    ran = subprocess.run(["openssl", "dgst", "-sha256", *how], input=text.encode(), capture_output=True, check=True)
    return ran.stdout.decode().split()[-1]


def test_commitment_links_mix_and_key_are_what_another_program_makes_of_the_same_texts() -> None:
    assert proof.seed_commitment(3, 31, SEED) == openssl(f"seed:3:31:{SEED}")
    chain = proof.chain("01" * 32, 3)
    assert chain == (openssl(openssl("01" * 32)), openssl("01" * 32), "01" * 32)
    mixed = openssl(f"mix:{chain[1]}:{chain[2]}")
    assert proof.key(SEED, chain[1:]) == openssl(mixed, key=SEED)
    assert proof.mix([]) == openssl("mix:")


def test_words_leaves_and_salts_are_what_another_program_makes_of_the_same_texts() -> None:
    key = proof.key(SEED, [])
    blocks = openssl("order:0", key=key) + openssl("order:1", key=key)
    words = proof.words(key, "order")
    assert [next(words) for _ in range(16)] == [int(blocks[at : at + 8], 16) for at in range(0, 128, 8)]
    assert proof.salt(key, 7) == openssl("salt:7", key=key)[:32]
    assert proof.card_leaf(3, 31, 7, "5a", "Qs") == openssl("card:3:31:7:5a:Qs")
    assert proof.root(["aa", "bb"]) == openssl("aa\nbb\n")
    assert proof.throw_leaf(3, 77, "5a", proof.throw_value([3, 3, 5])) == openssl("throw:3:77:5a:3 3 5")
    ball, dice = proof.throw_of(key, Throw(1, 0, 36)), proof.throw_of(key, Throw(3, 1, 6))
    first = openssl("throw:0", key=key)
    assert ball == (int(first[:8], 16) % 37,)
    assert dice == tuple(int(first[at : at + 8], 16) % 6 + 1 for at in (0, 8, 16))


@pytest.mark.parametrize("bound", [2, 3, 6, 37, 52, 415, 416])
def test_words_beyond_the_last_whole_multiple_are_thrown_away(bound: int) -> None:
    # A bias of so few words in 2³² no statistics could find; both programs are asked for the very words.
    last = (1 << 32) // bound * bound - 1
    beyond = [word for word in (last + 1, (1 << 32) - 1) if last < word < 1 << 32]
    for draw in (proof.draw, verifier.load().draw):
        assert draw(iter([*beyond, last, 0]), bound) == bound - 1
    with pytest.raises(proof.ProofError, match="too few"):
        proof.draw(iter(beyond), bound)


def test_a_shuffle_swaps_from_the_last_place_to_the_second() -> None:
    def zeros() -> Iterator[int]:
        while True:
            yield 0

    fresh = list(pack(1))
    assert proof.shuffled(zeros(), 1) == (*fresh[1:], fresh[0])  # each place with the first, one after the other


def test_a_card_lies_behind_the_cut_and_after_the_last_place_comes_the_first() -> None:
    assert [proof.place_of(deal, 133, 416) for deal in (1, 283, 284)] == [134, 416, 1]


LINK = proof.chain("01" * 32, 2)


def test_a_link_that_does_not_fit_a_list_gets_a_clear_word() -> None:
    offered = [("p7", LINK[0]), ("p9", proof.sha256("02" * 32))]
    assert proof.checked_reveals(offered, [("p7", LINK[1])]) == [("p7", LINK[1])]
    assert proof.silent(offered, [("p7", LINK[1])]) == ("p9",)
    for wrong, word in (
        ([("p7", "02" * 32)], "does not fit"),
        ([("p8", LINK[1])], "has offered no link"),
        ([("p9", "02" * 32), ("p7", LINK[1])], "order"),
    ):
        with pytest.raises(proof.ProofError, match=word):
            proof.checked_reveals(offered, wrong)
    for offers, word in (
        ([(f"p{at}", LINK[0]) for at in range(17)], "too many links"),
        ([("p7", LINK[0]), ("p7", LINK[1])], "two links"),
        ([("p7", LINK[0].upper())], "64 hexadecimal"),
    ):
        with pytest.raises(proof.ProofError, match=word):
            proof.checked_offers(offers)
    with pytest.raises(proof.ProofError, match="seed"):
        proof.seed_commitment(3, 31, "ab")
