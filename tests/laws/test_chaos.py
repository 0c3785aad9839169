"""What `make torture` looks for secrets with finds them however they are written; and one seed does the same again."""

from __future__ import annotations

import base64
from itertools import islice
from random import Random  # noqa: TID251 (a plan that can be repeated: no chance of the house)

import pytest

from tests.torture.chaos.canaries import Secrets
from tests.torture.chaos.faults import plan

SEED = bytes(range(32))
COMING = ("Kh", "2s", "Td", "9c", "As", "4h")
SECRETS = Secrets({SEED.hex(): "the seed"}, frozenset([COMING]))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f'{{"seed": "{SEED.hex()}"}}', "the seed"),
        (f"\\\\x00{SEED.hex().upper()}ff", "the seed"),
        (base64.b64encode(SEED).decode(), "the seed"),
        (base64.urlsafe_b64encode(SEED.hex().encode()).decode(), "the seed"),
        (" ".join(COMING), "cards to come"),
        ('["Kh","2s","10d","9c","As","4h"]', "cards to come"),
        ("K♥ 2♠ T♦ 9♣ A♠ 4♥", "cards to come"),
        ("".join(f'<i data-card="{card}"></i>' for card in COMING), "cards to come"),
    ],
)
def test_what_is_secret_is_found_however_it_is_written(text: str, what: str) -> None:
    assert any(what in found for found in SECRETS.found_in(text))


@pytest.mark.parametrize("text", ["", SEED.hex()[:-2], " ".join(COMING[:-1]), " ".join(reversed(COMING))])
def test_what_is_not_secret_is_not_found(text: str) -> None:
    assert list(SECRETS.found_in(text)) == []


def test_one_seed_decides_what_happens_and_when() -> None:
    def planned(seed: str) -> list[tuple[str, float, float]]:
        return [(name, pause, whim.random()) for name, pause, whim in islice(plan(Random(seed), ()), 200)]

    assert planned("7") == planned("7") != planned("8")
