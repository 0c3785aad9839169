"""The evidence of chance: its p-values are right, it passes what deals, and refuses every dealer that is broken."""

from __future__ import annotations

import json
import math
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tables.games.values.cards import pack
from tables.proof.evidence import LEVEL, evidence
from tables.proof.evidence import distributions as dist
from tables.proof.evidence.families import FAMILIES, draws_of
from tables.proof.evidence.sources import KeySource, seeds_from
from tests.extent import EVERYTHING, first

from .broken import BROKEN, Dealer

IN_CI = 100_000


# ── P-values ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("statistic", "degrees", "above"),
    # printed tables of the distribution
    [(3.841459, 1, 0.05), (10.82757, 1, 0.001), (50.99846, 36, 0.05), (124.3421, 100, 0.05), (70.06489, 100, 0.99)],
)
def test_chi_square_is_that_of_the_tables(statistic: float, degrees: int, above: float) -> None:
    assert dist.gamma_q(degrees / 2, statistic / 2) == pytest.approx(above, rel=1e-5)


@pytest.mark.parametrize(("count", "mean"), [(0, 0.3), (3, 0.3), (12, 9.5), (80, 120.0), (150, 120.0)])
def test_gamma_is_the_sum_of_poisson(count: int, mean: float) -> None:
    at_most = math.fsum(math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(count + 1))
    assert dist.gamma_q(count + 1, mean) == pytest.approx(at_most, rel=1e-10)


def test_large_degrees_of_freedom_are_nearly_normal() -> None:
    degrees = 144_000
    cube_root = (1 + 3 * math.sqrt(2 / 9 / degrees) - 2 / 9 / degrees) ** 3 * degrees  # Wilson and Hilferty
    assert dist.gamma_q(degrees / 2, cube_root / 2) == pytest.approx(math.erfc(3 / math.sqrt(2)) / 2, rel=1e-3)


def test_the_others_are_those_of_the_tables() -> None:
    assert dist.normal(1.959964, 0, 1) == pytest.approx(0.05, rel=1e-5)
    n = 10_000
    shift = 1.358099 / math.sqrt(n)  # the distance that 5 per cent of samples exceed
    assert dist.kolmogorov((at + 0.5) / n * (1 - shift) for at in range(n)) == pytest.approx(0.05, abs=0.002)
    assert dist.poisson(0, 10) == pytest.approx(2 * math.exp(-10))


def test_a_fit_that_is_too_good_is_refused_as_well() -> None:
    assert dist.even([1_000] * 37) < 1e-12


# ── Dealers ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_17_families_at_least() -> None:
    assert len(FAMILIES) >= 17


def test_the_draws_of_a_shuffle_can_be_taken_back() -> None:
    drawn: list[int] = []

    def swap(draw: object, words: object, size: int, decks: int) -> int:
        drawn.append(size * size % 97 % size)
        return drawn[-1]

    numbers = {card: at for at, card in enumerate(pack(1))}
    order = Dealer(swap=swap).pack(1)
    assert draws_of([numbers[card] for card in order]) == drawn


@pytest.mark.parametrize("seed", range(20 if EVERYTHING else 5))
def test_what_is_to_deal_passes(seed: int) -> None:
    found = evidence("", KeySource(seeds_from(f"seed {seed}")), IN_CI if EVERYTHING else IN_CI // 5)
    assert found.passed, found.text


@pytest.mark.parametrize("name", first(*BROKEN, of_them=4))
def test_a_broken_dealer_is_refused(name: str) -> None:
    # most of them by fewer draws
    assert not all(evidence(name, BROKEN[name](), draws).passed for draws in (IN_CI // 5, IN_CI))


def test_the_dealer_of_these_tests_is_broken_by_nothing_but_what_is_exchanged() -> None:
    ours, theirs = Dealer(seeds=seeds_from("same")), KeySource(seeds_from("same"))
    for decks in (1, 8):
        assert tuple(ours.pack(decks)) == tuple(theirs.pack(decks))


# ── The report ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_is_written_for_people_and_for_programs(tmp_path: Path) -> None:
    out = StringIO()
    call_command("chance_evidence", "--draws", str(IN_CI), "--seed", "report", "--folder", str(tmp_path), stdout=out)
    assert (tmp_path / "chance-evidence.txt").read_text(encoding="utf-8") == out.getvalue().rstrip("\n") + "\n"
    system, format_ = json.loads((tmp_path / "chance-evidence.json").read_text(encoding="utf-8"))
    assert system["passed"] and format_["passed"] and format_["level"] == LEVEL
    assert {test["family"] for test in format_["tests"]} == set(FAMILIES)
    assert any(test["name"] == "cuts" for test in system["tests"])  # the dealer's own cuts


@pytest.mark.parametrize(("given", "word"), [(["--draws", "10"], "too few"), (["--folder", "/nowhere"], "no folder")])
def test_a_report_that_could_tell_nothing_is_not_written(given: list[str], word: str) -> None:
    with pytest.raises(CommandError, match=word):
        call_command("chance_evidence", *given)
