"""`static/verify/verify.py`: good bundles of all games are proven, and every single change of one is found."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tables.base import proof_format as proof

from . import verifier
from .bundles import HOUSE, NUMBER, ROUND, TABLE, Json, by_the_rules, good, mutants, pack, with_another

ROOT = Path(__file__).parents[2]
GAMES = list(good())
verify = verifier.load()

UNSEEN = {
    ("stud_poker", "pack", "seed_commitment"),  # its seed stays closed, so nothing is opened by this
    ("stud_poker with a hand unseen", "pack", "seed_commitment"),
    ("three_card_baccarat", "record", "seats", "p7"),  # an own seat pays as any other does
}
"""What nothing else in the bundle depends on: only a bundle that was kept from earlier shows that it has changed."""


def states(bundle: Json, **known: Any) -> dict[str, str]:
    """The state of each claim by its name; of several cards that of the worst."""
    claims = verify.verify(json.dumps(bundle).encode(), HOUSE, ROUND, rules=by_the_rules, **known)
    found: dict[str, str] = {}
    for code, _of, state, _detail in claims:
        found[code] = state if found.get(code) in (None, "proven") else found[code]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_good_bundle_is_proven(name: str) -> None:
    found = states(good()[name], noted=json.dumps(good()[name]).encode())
    closed = {claim for claim, state in found.items() if state != "proven"}
    hidden = {"record", "outcome", "stakes"} if "unseen" in name else set()
    assert closed == ({"seed", "order"} | hidden if name.startswith("stud") else set())
    assert {"seed", "links", "stakes", "noted", "house", "round"} < set(found)


@pytest.mark.parametrize("name", GAMES)
def test_every_single_change_is_found(name: str) -> None:
    missed = {
        (name, *path) for path, _other, bundle in mutants(good()[name]) if "BROKEN" not in states(bundle).values()
    }
    assert missed == {each for each in UNSEEN if each[0] == name}


def test_what_nothing_depends_on_is_found_by_whoever_has_kept_a_bundle() -> None:
    for name, *path in UNSEEN:
        kept = json.dumps(good()[name]).encode()
        other = 4 if "seats" in path else "0" * 64
        assert states(with_another(good()[name], tuple(path), other), noted=kept)["noted"] == "BROKEN"


@pytest.mark.parametrize("name", GAMES)
def test_every_member_that_goes_missing_is_found(name: str) -> None:
    for part in (
        good()[name],
        good()[name].get("pack", {}),
        *good()[name].get("cards", ()),
        *good()[name].get("throws", ()),
    ):
        for member in part:
            if member in ("seed", "record", "outcome"):
                continue  # these may be closed
            bundle = copy.deepcopy(good()[name])
            for where in bundle, bundle.get("pack", {}), *bundle.get("cards", ()), *bundle.get("throws", ()):
                if where == part:
                    del where[member]
                    break
            assert "BROKEN" in states(bundle).values(), member


def test_a_throw_that_is_still_closed_is_not_opened_yet_and_may_come_to_count() -> None:
    early = copy.deepcopy(good()["cussec"])
    for name in ("record", "outcome"):
        del early[name]
    early["throws"][0] = {
        name: value for name, value in early["throws"][0].items() if name not in ("salt", "value", "seed")
    }
    early["throws"][0]["counts"] = False
    assert {states(early)[claim] for claim in ("seed", "leaf", "numbers")} == {"not opened yet"}
    assert states(good()["cussec"], noted=json.dumps(early).encode())["noted"] == "proven"


def test_who_stayed_silent_is_named() -> None:
    bundle = copy.deepcopy(good()["stud_poker"])
    bundle["pack"]["revealed"].pop()
    claims = verify.verify(json.dumps(bundle).encode())
    assert ("links", "pack 31", "proven", "1 of 2 bettors; silent: p9") in claims


def test_a_pack_of_the_houses_own_choice_does_not_follow_from_seed_and_links() -> None:
    bundle = copy.deepcopy(good()["blackjack"])
    made, order, salts = pack(99, 1)
    bundle["pack"] |= {"leaves": list(made.leaves), "root": made.root}
    for card in bundle["cards"]:
        card |= {"card": order[card["place"] - 1], "salt": salts[card["place"] - 1]}
    found = states(bundle)
    assert (found["root"], found["card"], found["seed"], found["order"]) == ("proven", "proven", "proven", "BROKEN")


def test_a_throw_of_the_houses_own_choice_does_not_follow_from_seed_and_links() -> None:
    throw = good()["cussec"]["throws"][0]
    leaf = proof.throw_leaf(TABLE, NUMBER, throw["salt"], "6 6 6")
    found = states(with_another(good()["cussec"], ("throws", 0), {**throw, "value": "6 6 6", "leaf": leaf}))
    assert (found["leaf"], found["seed"], found["numbers"]) == ("proven", "proven", "BROKEN")


def test_links_that_the_house_leaves_out_or_puts_in_another_order_are_found() -> None:
    def with_links(revealed: list[list[str]]) -> dict[str, str]:
        return states(with_another(good()["blackjack"], ("pack", "revealed"), revealed))

    first, second = good()["blackjack"]["pack"]["revealed"]
    assert with_links([first])["order"] == "BROKEN"  # the links themselves fit, and one was silent
    assert with_links([second, first])["links"] == with_links([first, first, second])["links"] == "BROKEN"


def test_a_throw_that_came_before_cannot_decide_the_round() -> None:
    bundle = copy.deepcopy(good()["roulette"])
    bundle["throws"].reverse()
    assert states(bundle)["counts"] == "BROKEN"
    for name in ("record", "outcome"):
        del bundle[name]
    bundle["throws"].pop()
    assert states(bundle)["counts"] == "proven"


# ── What is no bundle of ours ───────────────────────────────────────────────────────────────────────────────


def _linked(links: int) -> Json:
    return with_another(good()["cussec"], ("throws", 0, "offered"), [[f"p{n}", "0" * 64] for n in range(links)])


BAD: list[tuple[bytes, str]] = [
    (b"{", "no JSON"),
    (b"\xff\xfe", "no JSON"),
    (b'{"table": NaN}', "no JSON"),
    (b" " * (verify.MOST_BYTES + 1), "too large"),
    (b"[" * 100_000 + b"]" * 100_000, "nested too deep"),
    (b'{"record": ' + b'{"a":' * 20 + b"1" + b"}" * 21, "nested too deep"),
    (b"[]", "another version"),
    (json.dumps(good()["cussec"] | {"format": "macau-floor-proof/3"}).encode(), "another version"),
    (json.dumps(good()["cussec"] | {"house": "https://other.example"}).encode(), "another house"),
    (json.dumps(good()["cussec"] | {"table": "3"}).encode(), "wrong type"),
    (json.dumps(_linked(17)).encode(), "too many links"),
]


@pytest.mark.parametrize(("data", "word"), BAD, ids=range(len(BAD)))
def test_what_is_no_bundle_of_ours_gets_one_clear_word(data: bytes, word: str) -> None:
    [(code, _of, state, _detail)] = verify.verify(data, HOUSE)
    assert (code, state) == (word, "BROKEN")


# ── The file itself ─────────────────────────────────────────────────────────────────────────────────────────


def run(bundle: Json, folder: Path, cwd: Path = ROOT) -> tuple[int, str]:
    (folder / "proof.json").write_text(json.dumps(bundle))
    command = [sys.executable, str(verifier.FILE), str(folder / "proof.json"), "--house", HOUSE, "--round", str(ROUND)]
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert not ran.stderr, ran.stderr
    return ran.returncode, ran.stdout


def test_it_ends_with_a_status_and_says_when_the_rules_are_not_at_hand(tmp_path: Path) -> None:
    status, told = run(good()["blackjack"], tmp_path)
    assert status == 0 and "proven          stakes" in told
    status, told = run(good()["blackjack"], tmp_path, cwd=tmp_path)
    assert status == 0 and "not checked     stakes" in told
    status, told = run(good()["stud_poker"], tmp_path)
    assert status == 2 and "not opened yet  pack 31: seed" in told
    status, told = run(with_another(good()["blackjack"], ("outcome", "returned", "p7"), 1), tmp_path)
    assert status == 1 and "BROKEN          stakes" in told


def test_of_a_file_of_100_mb_it_reads_no_more_than_it_may(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(100_000_000)
    command = [sys.executable, str(verifier.FILE), str(tmp_path / "huge.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.split("(")[0].strip()) == (1, "BROKEN          too large")


def test_it_is_short_and_needs_nothing_but_python() -> None:
    source = verifier.FILE.read_text()
    assert len(source.splitlines()) <= 300
    names = {alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
